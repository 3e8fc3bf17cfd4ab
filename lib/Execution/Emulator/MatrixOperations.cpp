//===- MatrixOperations.cpp - Matrix instructions of one warp --------------===//
//
// Places of matrix elements, for lane l with g = l / 4 and t = l % 4, and e elements in a register:
//   A: register r, element i: row g + 8 (r & 1), k = t e + i + (r >> 1) K/2
//   B: register r, element i: k = t e + i + r K/2, column g
//   C, D: register r: row g + 8 (r >> 1), column 2 t + (r & 1)
// With half of K there are 2 and 1 registers instead of 4 and 2, by the same formulas.
//
// Scales: byte-id b, thread-id p. That of row m comes from lane 4 (m % 8) + 2 p + m / 8, that of
// column n from lane 4 n + p; group s of k takes byte b + s.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Launch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using llvm::formatv;

namespace ufp4::emulator {

namespace {
struct MmaShape {
  unsigned k = 0;
  Format a = Format::F16, b = Format::F16;
  bool isInteger = false, saturate = false;
  /// 8-bit containers: FP6 in bits 5:0, FP4 in bits 5:2.
  bool containers = false;
  bool blockScale = false;
  unsigned scaleGroups = 0;
  Format scale = Format::UE8M0;
  unsigned minimumChip = 80;
  bool needsFamily = false;
};
} // namespace

static unsigned packedWidth(const MmaShape &shape, Format format) {
  return shape.containers ? 8 : bitWidth(format);
}

/// The numbers that the codes of an operand's register elements mean.
class Decoder {
public:
  Decoder(const MmaShape &shape, Format format) : width(packedWidth(shape, format)) {
    if (width > 8) {
      this->format = format;
      return;
    }
    table.resize(size_t(1) << width);
    for (uint32_t code = 0; code < table.size(); ++code) {
      uint32_t bits = code;
      if (shape.containers && format == Format::E2M1)
        bits = code >> 2 & 15;
      else if (shape.containers && bitWidth(format) == 6)
        bits = code & 63;
      table[code] = decode(format, bits);
    }
  }
  /// All of a register.
  void operator()(uint32_t word, double *to) const {
    if (width == 32) {
      *to = decode(format, word);
      return;
    }
    const uint32_t mask = (uint32_t(1) << width) - 1;
    for (unsigned bit = 0; bit < 32; bit += width) {
      uint32_t code = word >> bit & mask;
      *to++ = width > 8 ? decode(format, code) : table[code];
    }
  }
  unsigned width;

private:
  Format format = Format::F16;
  std::vector<double> table;
};

static void multiply(WarpCall &call, const MmaShape &shape, const Decoder &decodeA,
                     const Decoder &decodeB) {
  if (call.mask != 0xFFFFFFFFu)
    return call.launch.fail(FaultKind::IllegalOperand,
                            "a matrix instruction in a warp that has not 32 lanes");
  constexpr unsigned kMaximumK = 64;
  double a[16][kMaximumK], b[8][kMaximumK];
  unsigned elements = 32 / decodeA.width;
  unsigned aRegisters = shape.k == 8 * elements ? 4 : 2, bRegisters = aRegisters / 2;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    const uint32_t *in = call.in[lane];
    for (unsigned r = 0; r < aRegisters; ++r)
      decodeA(in[r], a[g + 8 * (r & 1)] + t * elements + (r >> 1) * shape.k / 2);
    for (unsigned r = 0; r < bRegisters; ++r)
      decodeB(in[aRegisters + r], b[g] + t * elements + r * shape.k / 2);
  }
  unsigned cWord = aRegisters + bRegisters;
  auto place = [](unsigned m, unsigned n) {
    return std::pair(4 * (m % 8) + n / 2, 2 * (m / 8) + n % 2);
  };

  double scaleA[16][4], scaleB[8][4];
  if (shape.blockScale) {
    const uint32_t *first = call.in[0] + cWord + 4;
    for (unsigned lane = 1; lane < 32; ++lane) {
      const uint32_t *other = call.in[lane] + cWord + 4;
      if (other[1] != first[1] || other[2] != first[2] || other[4] != first[4] ||
          other[5] != first[5])
        return call.launch.fail(FaultKind::IllegalOperand,
                                "the lanes disagree about the scale selectors");
    }
    unsigned byteA = first[1], threadA = first[2], byteB = first[4], threadB = first[5];
    unsigned step = shape.scaleGroups;
    for (auto [what, byte, thread, threads] :
         {std::tuple("A", byteA, threadA, 2u), std::tuple("B", byteB, threadB, 4u)})
      if (byte % step != 0 || byte + step > 4 || thread >= threads)
        return call.launch.fail(
            FaultKind::IllegalOperand,
            formatv("scale selectors of {0}: byte-id {1} and thread-id {2} with {3} scales per "
                    "row",
                    what, byte, thread, step));
    for (unsigned group = 0; group < step; ++group) {
      for (unsigned m = 0; m < 16; ++m)
        scaleA[m][group] = decode(
            shape.scale,
            call.in[4 * (m % 8) + 2 * threadA + m / 8][cWord + 4] >> 8 * (byteA + group) & 0xFF);
      for (unsigned n = 0; n < 8; ++n)
        scaleB[n][group] =
            decode(shape.scale, call.in[4 * n + threadB][cWord + 7] >> 8 * (byteB + group) & 0xFF);
    }
  }

  unsigned groups = shape.blockScale ? shape.scaleGroups : 1, groupSize = shape.k / groups;
  uint32_t result[16][8];
  for (unsigned m = 0; m < 16; ++m)
    for (unsigned n = 0; n < 8; ++n) {
      auto [lane, reg] = place(m, n);
      uint32_t c = call.in[lane][cWord + reg];
      double sum = 0;
      for (unsigned group = 0; group < groups; ++group) {
        double own = dot(a[m] + group * groupSize, b[n] + group * groupSize, groupSize);
        sum += shape.blockScale ? own * (scaleA[m][group] * scaleB[n][group]) : own;
      }
      if (shape.isInteger) {
        int64_t total = int64_t(int32_t(c)) + int64_t(sum);
        if (shape.saturate)
          total = std::min<int64_t>(std::max<int64_t>(total, std::numeric_limits<int32_t>::min()),
                                    std::numeric_limits<int32_t>::max());
        result[m][n] = uint32_t(total);
      } else {
        float rounded = float(double(asFloat(c)) + sum);
        result[m][n] = std::isnan(rounded) ? 0x7FFFFFFFu : asBits(rounded);
      }
    }
  for (unsigned m = 0; m < 16; ++m)
    for (unsigned n = 0; n < 8; ++n) {
      auto [lane, reg] = place(m, n);
      call.out[lane][reg] = result[m][n];
    }
}

//===----------------------------------------------------------------------===//
// Names of matrix instructions
//===----------------------------------------------------------------------===//

/// The components of both spellings, in any order that PTX or LLVM puts them:
///   mma.m16n8k16.row.col.bf16                            (LLVM)
///   mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3
///   mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32  (PTX)
///   mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1…
static std::optional<MmaShape> parseMma(llvm::StringRef name, std::string &reason) {
  bool isPtx = name.consume_front("mma.sync.aligned.");
  if (!isPtx && !name.consume_front("mma."))
    return std::nullopt;
  llvm::SmallVector<llvm::StringRef, 12> parts;
  name.split(parts, '.');
  MmaShape shape;
  llvm::StringRef kind;
  std::vector<Format> formats;
  bool sawShape = false, sawScaleVector = false;
  for (size_t i = 0; i < parts.size(); ++i) {
    llvm::StringRef part = parts[i];
    if (part.consume_front("kind::")) {
      kind = part;
    } else if (part == "kind" && i + 1 < parts.size()) {
      kind = parts[++i];
    } else if (part == "mxf8f6f4" || part == "mxf4" || part == "mxf4nvf4") {
      kind = part;
    } else if (part == "block_scale") {
      shape.blockScale = true;
    } else if (part == "block" && i + 1 < parts.size() && parts[i + 1] == "scale") {
      shape.blockScale = true;
      ++i;
    } else if (part == "scale" && i + 1 < parts.size()) {
      part = parts[++i];
      sawScaleVector = part.size() == 2 && part.take_back() == "x" &&
                       !part.drop_back().getAsInteger(10, shape.scaleGroups);
    } else if (part.consume_front("scale_vec::")) {
      sawScaleVector = part.size() == 2 && !part.drop_back().getAsInteger(10, shape.scaleGroups);
    } else if (part.consume_front("m16n8k")) {
      sawShape = !part.getAsInteger(10, shape.k);
    } else if (part == "satfinite") {
      shape.saturate = true;
    } else if (part == "row" || part == "col" || part == "s32") {
      continue;
    } else if (auto format = parseFormat(part)) {
      formats.push_back(*format);
    } else {
      reason = formatv("'{0}' in the name of a matrix instruction", part);
      return std::nullopt;
    }
  }
  if (!sawShape) {
    reason = "a matrix instruction whose shape is not m16n8k*";
    return std::nullopt;
  }
  if (!name.contains("row.col")) {
    reason = "a matrix instruction that is not row.col";
    return std::nullopt;
  }

  // What follows the accumulators' types.
  if (shape.blockScale) {
    if (formats.size() != 5 || formats[0] != Format::F32 || formats[3] != Format::F32) {
      reason = "a scaled matrix instruction without f32 accumulators";
      return std::nullopt;
    }
    shape.scale = formats[4];
    formats = {formats[1], formats[2]};
  } else if (!formats.empty() && isInteger(formats[0])) {
    if (formats.size() == 1)
      formats.push_back(formats[0]);
  } else if (formats.size() == 4) {
    if (formats[0] != Format::F32 || formats[3] != Format::F32) {
      reason = "a matrix instruction without f32 accumulators";
      return std::nullopt;
    }
    formats = {formats[1], formats[2]};
  } else if (!isPtx && formats.size() == 2 && formats[0] == Format::F32 &&
             formats[1] == Format::F32) {
    // LLVM names f16 multiplicands by the types of the accumulators.
    formats = {Format::F16, Format::F16};
  } else if (!isPtx && formats.size() == 1 &&
             (formats[0] == Format::BF16 || formats[0] == Format::TF32)) {
    formats.push_back(formats[0]);
  } else {
    reason = "a matrix instruction without f32 or s32 accumulators";
    return std::nullopt;
  }
  if (formats.size() != 2) {
    reason = "a matrix instruction with operands that are not understood";
    return std::nullopt;
  }
  shape.a = formats[0];
  shape.b = formats[1];
  shape.isInteger = isInteger(shape.a);

  auto isSmall = [](Format format) {
    return format == Format::E2M1 || format == Format::E2M3 || format == Format::E3M2 ||
           format == Format::E4M3 || format == Format::E5M2;
  };
  auto bad = [&](const char *why) {
    reason = why;
    return std::nullopt;
  };
  if (kind.empty()) {
    if (shape.blockScale)
      return bad("a scaled matrix instruction without a kind");
    for (Format format : {shape.a, shape.b})
      if (isSmall(format) && format != Format::E4M3 && format != Format::E5M2)
        return bad("a matrix instruction of FP4 or FP6 without a kind");
    if (isSmall(shape.a))
      shape.minimumChip = 89;
  } else {
    shape.minimumChip = 120;
    shape.needsFamily = true;
    if (!isSmall(shape.a) || !isSmall(shape.b))
      return bad("a kind of matrix instruction with operands that it has not");
    if (kind == "f8f6f4" || kind == "mxf8f6f4") {
      shape.containers = true;
      if (shape.blockScale != (kind == "mxf8f6f4") || shape.k != 32)
        return bad("kind f8f6f4 with block scales or another k than 32, or mxf8f6f4 without");
      if (shape.blockScale) {
        if (!sawScaleVector)
          shape.scaleGroups = 1;
        if (shape.scaleGroups != 1 || shape.scale != Format::UE8M0)
          return bad("kind mxf8f6f4 takes one ue8m0 scale");
      }
    } else if (kind == "mxf4" || kind == "mxf4nvf4") {
      if (!shape.blockScale || shape.k != 64 || shape.a != Format::E2M1 || shape.b != Format::E2M1)
        return bad("a scaled FP4 instruction that is not e2m1 with k = 64");
      if (!sawScaleVector && kind == "mxf4")
        shape.scaleGroups = 2;
      bool legal = shape.scaleGroups == 2 ? shape.scale == Format::UE8M0
                                          : kind == "mxf4nvf4" && shape.scaleGroups == 4 &&
                                                shape.scale == Format::UE4M3;
      if (!legal)
        return bad("scales that this kind of matrix instruction does not take");
    } else {
      return bad("an unknown kind of matrix instruction");
    }
  }
  unsigned width = packedWidth(shape, shape.a), elements = 32 / width;
  if (width != packedWidth(shape, shape.b) || isInteger(shape.a) != isInteger(shape.b) ||
      (width == 16 && shape.a != shape.b))
    return bad("a matrix instruction with operands that do not go together");
  if (shape.k != 8 * elements && shape.k != 4 * elements)
    return bad("a matrix instruction with a k that its operands do not have");
  return shape;
}

//===----------------------------------------------------------------------===//
// Matrix loads and stores
//===----------------------------------------------------------------------===//

namespace {
struct MatrixAccess {
  unsigned count = 1;
  bool transposed = false, isStore = false;
  /// Bits of an element in memory; 4 and 6 are unpacked to bytes.
  unsigned bits = 16;
  unsigned minimumChip = 75;
};
} // namespace

/// ldmatrix.sync.aligned.m8n8.x4.trans.b16[.p3]; PTX says …x4.trans.shared.b16 or .shared::cta.
static std::optional<MatrixAccess> parseMatrixAccess(llvm::StringRef name) {
  MatrixAccess access;
  access.isStore = name.consume_front("stmatrix.sync.aligned.");
  if (!access.isStore && !name.consume_front("ldmatrix.sync.aligned."))
    return std::nullopt;
  if (access.isStore)
    access.minimumChip = 90;
  bool wide = name.consume_front("m8n16.");
  if (!wide && !name.consume_front("m8n8."))
    return std::nullopt;
  if (!name.consume_front("x") || name.consumeInteger(10, access.count) ||
      (access.count != 1 && access.count != 2 && access.count != 4))
    return std::nullopt;
  access.transposed = name.consume_front(".trans");
  name.consume_front(".shared::cta");
  name.consume_front(".shared");
  if (!name.consume_back(".p3"))
    name.consume_back(".p0");
  if (!wide)
    return name == ".b16" ? std::optional<MatrixAccess>(access) : std::nullopt;
  if (access.isStore || access.transposed)
    return std::nullopt;
  access.minimumChip = 100;
  if (name == ".b8x16.b4x16_p64")
    access.bits = 4;
  else if (name == ".b8x16.b6x16_p32")
    access.bits = 6;
  else
    return std::nullopt;
  return access;
}

static void moveMatrices(WarpCall &call, const MatrixAccess &access) {
  if (call.mask != 0xFFFFFFFFu)
    return call.launch.fail(FaultKind::IllegalOperand,
                            "a matrix load or store in a warp that has not 32 lanes");
  uint8_t rows[32][16];
  // Registers of a store follow the address.
  auto element = [&](unsigned j, unsigned row, unsigned column) {
    unsigned lane = access.transposed ? 4 * column + row / 2 : 4 * row + column / 2;
    unsigned half = access.transposed ? row % 2 : column % 2;
    return std::pair(lane, half);
  };
  if (access.isStore)
    for (unsigned j = 0; j < access.count; ++j)
      for (unsigned row = 0; row < 8; ++row)
        for (unsigned column = 0; column < 8; ++column) {
          auto [lane, half] = element(j, row, column);
          uint16_t value = uint16_t(call.in[lane][2 + j] >> 16 * half);
          std::memcpy(&rows[8 * j + row][2 * column], &value, 2);
        }
  for (unsigned j = 0; j < access.count; ++j) {
    uint64_t addresses[8];
    for (unsigned row = 0; row < 8; ++row) {
      unsigned lane = 8 * j + row;
      uint64_t address = uint64_t(call.in[lane][1]) << 32 | call.in[lane][0];
      addresses[row] = address;
      Thread &thread = *call.warp.threads[lane];
      if (address % 16 != 0)
        return call.launch.fail(
            FaultKind::Misaligned,
            formatv("the address of row {0} of matrix {1} is no multiple of 16", row, j), &thread);
      // Padding of packed rows is not read.
      unsigned size = access.bits == 16 ? 16 : 2 * access.bits;
      if (!call.launch.sharedAccess(thread, address, size, 16, !access.isStore, access.isStore))
        return;
      auto *memory = reinterpret_cast<uint8_t *>(address);
      if (access.isStore) {
        std::memcpy(memory, rows[lane], 16);
        continue;
      }
      if (access.bits == 16) {
        std::memcpy(rows[lane], memory, 16);
        continue;
      }
      for (unsigned i = 0; i < 16; ++i) {
        unsigned bit = i * access.bits;
        unsigned value = memory[bit / 8] >> bit % 8;
        if (bit % 8 + access.bits > 8)
          value |= unsigned(memory[bit / 8 + 1]) << (8 - bit % 8);
        rows[lane][i] = value & ((1u << access.bits) - 1);
      }
    }
    if (RequestRecorder *recorder = call.launch.requests())
      recorder->recordRows(call.launch.siteIndex(call.warp.threads[0]->site), addresses);
  }
  if (access.isStore)
    return;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned j = 0; j < access.count; ++j) {
      unsigned g = lane / 4, t = lane % 4;
      uint32_t word = 0;
      if (!access.transposed)
        std::memcpy(&word, &rows[8 * j + g][4 * t], 4);
      else
        for (unsigned half = 0; half < 2; ++half) {
          uint16_t value;
          std::memcpy(&value, &rows[8 * j + 2 * t + half][2 * g], 2);
          word |= uint32_t(value) << 16 * half;
        }
      call.out[lane][j] = word;
    }
}

std::optional<Operation> findMatrixOperation(llvm::StringRef name, UniformCodes codes,
                                             std::string &reason) {
  Operation operation;
  operation.name = name.str();
  operation.meeting = Meeting::Warp;
  if (auto access = parseMatrixAccess(name)) {
    operation.minimumChip = access->minimumChip;
    operation.needsFamily = access->bits != 16;
    operation.warp = [access = *access](WarpCall &call) { moveMatrices(call, access); };
    return operation;
  }
  if (!name.starts_with("mma."))
    return std::nullopt;
  auto shape = parseMma(name, reason);
  if (!shape)
    return std::nullopt;
  if (codes.a || codes.b) {
    if (shape->scaleGroups != 4) {
      reason = "only kind mxf4nvf4 with four scales has uniform codes";
      return std::nullopt;
    }
    shape->a = codes.a ? Format::E0M3 : shape->a;
    shape->b = codes.b ? Format::E0M3 : shape->b;
    operation.name += codes.a && codes.b ? " e0m3.e0m3" : codes.a ? " e0m3.e2m1" : " e2m1.e0m3";
  }
  operation.isMma = true;
  operation.minimumChip = shape->minimumChip;
  operation.needsFamily = shape->needsFamily;
  operation.warp = [shape = *shape, a = Decoder(*shape, shape->a),
                    b = Decoder(*shape, shape->b)](WarpCall &call) { multiply(call, shape, a, b); };
  return operation;
}

//===----------------------------------------------------------------------===//
// All operations
//===----------------------------------------------------------------------===//

std::optional<Operation> findOperation(llvm::StringRef name, UniformCodes codes,
                                       std::string &reason) {
  if (auto operation = findMatrixOperation(name, codes, reason))
    return operation;
  if (auto operation = findTensorOperation(name, codes.a && codes.b))
    return operation;
  if (codes.a || codes.b) {
    if (reason.empty())
      reason = "a mark of uniform codes on something that is no matrix instruction";
    return std::nullopt;
  }
  for (auto find : {findBulkOperation, findClusterOperation, findLaunchControl, findWarpOperation,
                    findLaneOperation, findConversion})
    if (auto operation = find(name))
      return operation;
  return std::nullopt;
}

std::optional<Special> findSpecial(llvm::StringRef name) {
  static const std::pair<const char *, Special> table[] = {
      {"tid.x", Special::TidX},
      {"tid.y", Special::TidY},
      {"tid.z", Special::TidZ},
      {"ntid.x", Special::NtidX},
      {"ntid.y", Special::NtidY},
      {"ntid.z", Special::NtidZ},
      {"ctaid.x", Special::CtaidX},
      {"ctaid.y", Special::CtaidY},
      {"ctaid.z", Special::CtaidZ},
      {"nctaid.x", Special::NctaidX},
      {"nctaid.y", Special::NctaidY},
      {"nctaid.z", Special::NctaidZ},
      {"laneid", Special::LaneId},
      {"warpid", Special::WarpId},
      {"nwarpid", Special::WarpCount},
      {"warpsize", Special::WarpSize},
      {"lanemask.eq", Special::MaskEq},
      {"lanemask.lt", Special::MaskLt},
      {"lanemask.le", Special::MaskLe},
      {"lanemask.gt", Special::MaskGt},
      {"lanemask.ge", Special::MaskGe},
      {"lanemask_eq", Special::MaskEq},
      {"lanemask_lt", Special::MaskLt},
      {"lanemask_le", Special::MaskLe},
      {"lanemask_gt", Special::MaskGt},
      {"lanemask_ge", Special::MaskGe},
      {"dynamic_smem_size", Special::DynamicShared},
      {"total_smem_size", Special::TotalShared},
      {"smid", Special::Zero},
      {"nsmid", Special::One},
      {"gridid", Special::Zero},
      {"clock", Special::Zero},
      {"clock64", Special::Zero},
      {"globaltimer", Special::Zero},
      {"cluster.ctarank", Special::ClusterRank},
      {"cluster.nctarank", Special::ClusterSize},
      {"cluster_ctarank", Special::ClusterRank},
      {"cluster_nctarank", Special::ClusterSize},
      {"cluster.ctaid.x", Special::ClusterCtaidX},
      {"cluster.ctaid.y", Special::ClusterCtaidY},
      {"cluster.ctaid.z", Special::ClusterCtaidZ},
      {"cluster.nctaid.x", Special::ClusterNctaidX},
      {"cluster.nctaid.y", Special::ClusterNctaidY},
      {"cluster.nctaid.z", Special::ClusterNctaidZ},
      {"cluster_ctaid.x", Special::ClusterCtaidX},
      {"cluster_ctaid.y", Special::ClusterCtaidY},
      {"cluster_ctaid.z", Special::ClusterCtaidZ},
      {"cluster_nctaid.x", Special::ClusterNctaidX},
      {"cluster_nctaid.y", Special::ClusterNctaidY},
      {"cluster_nctaid.z", Special::ClusterNctaidZ},
      {"clusterid.x", Special::ClusteridX},
      {"clusterid.y", Special::ClusteridY},
      {"clusterid.z", Special::ClusteridZ},
      {"nclusterid.x", Special::NclusteridX},
      {"nclusterid.y", Special::NclusteridY},
      {"nclusterid.z", Special::NclusteridZ},
  };
  for (auto &[key, special] : table)
    if (name == key)
      return special;
  return std::nullopt;
}

} // namespace ufp4::emulator
