//===- AMDOperations.cpp - What AMD's instructions do ----------------------===//
//
// Places of matrix elements, for lane l of 64, M = N rows and columns, P = 64 / M groups of lanes
// and q elements of A (and of B) in a lane:
//   A: row l % M, k = (l / M) q + j;  B: column l % M, the same k
//   several blocks (M x M x q, P of them): block l / M, k = j
//   scaled, FP8: k = (j / 16) K/2 + (l / M) 16 + j % 16; FP4 and FP6 as above, bits packed
//   C, D: column l % M; M = 32: row 8 (r / 4) + 4 (l / 32) + r % 4; M = 16: row 4 (l / 16) + r;
//   blocks follow each other in registers
//   scale of rows and columns i, group s of 32 along K: lane s M + i, the byte that opsel names
//
// Sources: AMD's CDNA 3 and CDNA 4 ISA documents, "Matrix Arithmetic Instructions", "Data Share",
// "Memory Buffer Instructions" (a raw buffer's access is out of range from num_records - soffset
// on), and LLVM's IntrinsicsAMDGPU.td.
//
//===----------------------------------------------------------------------===//

#include "AMDOperations.h"

#include "Formats.h"
#include "Launch.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using llvm::formatv;
using llvm::StringRef;

namespace ufp4::emulator {

template <typename Function> static void forLanes(const WarpCall &call, Function function) {
  for (unsigned lane = 0; lane < kMaximumLanes; ++lane)
    if (call.mask >> lane & 1)
      function(lane);
}

static uint64_t wide(const uint32_t *words) { return uint64_t(words[1]) << 32 | words[0]; }

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

namespace {
/// A format as a matrix instruction reads it.
struct Codes {
  Format format;
  /// gfx942's FP8: the exponent's bias is one more, 0x80 is the only NaN.
  bool fnuz = false;

  unsigned bits() const { return bitWidth(format); }
  double decode(uint32_t code) const {
    if (!fnuz)
      return emulator::decode(format, code);
    if (code == 0x80)
      return std::numeric_limits<double>::quiet_NaN();
    unsigned mantissaBits = format == Format::E4M3 ? 3 : 2, bias = format == Format::E4M3 ? 8 : 16;
    int exponent = (code & 0x7F) >> mantissaBits, mantissa = code & ((1 << mantissaBits) - 1);
    double value = exponent ? std::ldexp(double(mantissa | 1 << mantissaBits),
                                         exponent - int(bias) - int(mantissaBits))
                            : std::ldexp(double(mantissa), 1 - int(bias) - int(mantissaBits));
    return code & 0x80 ? -value : value;
  }
};

/// One operand's numbers by lane and element.
class Elements {
public:
  explicit Elements(Codes codes) : codes(codes) {
    if (codes.bits() > 8)
      return;
    for (uint32_t code = 0; code < 1u << codes.bits(); ++code)
      table.push_back(codes.decode(code));
  }
  double operator()(const uint32_t *words, unsigned element) const {
    unsigned bits = codes.bits(), first = element * bits, shift = first % 32;
    uint64_t pair = words[first / 32];
    if (shift + bits > 32)
      pair |= uint64_t(words[first / 32 + 1]) << 32;
    uint32_t code = uint32_t(pair >> shift) & uint32_t((uint64_t(1) << bits) - 1);
    return table.empty() ? codes.decode(code) : table[code];
  }

private:
  Codes codes;
  std::vector<double> table;
};

struct MfmaShape {
  unsigned m = 0, k = 0;
  /// Independent products, and elements of A in a lane.
  unsigned blocks = 1, elements = 0;
  unsigned wordsA = 0, wordsB = 0;
  Codes a{Format::F16}, b{Format::F16};
  bool isScaled = false;

  unsigned groups() const { return 64 / m; }
  unsigned registersOfBlock() const { return m * m / 64; }
  unsigned kOf(const Codes &codes, unsigned lane, unsigned j) const {
    if (blocks > 1)
      return j;
    if (isScaled && codes.bits() == 8)
      return j / 16 * k / 2 + lane / m * 16 + j % 16;
    return lane / m * elements + j;
  }
  /// Row of D that a register of a lane holds.
  unsigned rowOf(unsigned lane, unsigned r) const {
    return m == 32 ? 8 * (r / 4) + 4 * (lane / 32) + r % 4 : 4 * (lane / 16) + r;
  }
};
} // namespace

/// Operands in words: A, B, C, then cbsz, abid and blgp; scaled ones: cbsz, blgp, opsel and scale
/// of A, opsel and scale of B.
static void multiply(WarpCall &call, const MfmaShape &shape, const Elements &elementsA,
                     const Elements &elementsB) {
  unsigned m = shape.m, k = shape.k, wordC = shape.wordsA + shape.wordsB;
  unsigned registers = shape.registersOfBlock() * shape.blocks, last = wordC + registers;
  std::vector<double> a(shape.blocks * m * k), b(a.size());
  for (unsigned lane = 0; lane < 64; ++lane) {
    unsigned row = lane % m + (shape.blocks > 1 ? lane / m * m : 0);
    for (unsigned j = 0; j < shape.elements; ++j) {
      a[row * k + shape.kOf(shape.a, lane, j)] = elementsA(call.in[lane], j);
      b[row * k + shape.kOf(shape.b, lane, j)] = elementsB(call.in[lane] + shape.wordsA, j);
    }
  }
  if (shape.isScaled) {
    for (bool isB : {false, true}) {
      unsigned byte = call.in[0][last + (isB ? 4 : 2)] & 3;
      std::vector<double> &values = isB ? b : a;
      for (unsigned row = 0; row < m; ++row)
        for (unsigned group = 0; group < k / 32; ++group) {
          uint32_t word = call.in[group * m + row][last + (isB ? 5 : 3)];
          double scale = decode(Format::UE8M0, word >> 8 * byte & 0xFF);
          for (unsigned i = 0; i < 32; ++i)
            values[row * k + group * 32 + i] *= scale;
        }
    }
  } else {
    for (unsigned i = 0; i < 3; ++i)
      if (call.in[0][last + i])
        return call.launch.fail(FaultKind::IllegalOperand,
                                "a matrix instruction that broadcasts or permutes its operands");
  }
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned r = 0; r < registers; ++r) {
      unsigned block = r / shape.registersOfBlock();
      unsigned row = shape.rowOf(lane, r % shape.registersOfBlock());
      double sum = dot(&a[(block * m + row) * k], &b[(block * m + lane % m) * k], k);
      float result = float(double(asFloat(call.in[lane][wordC + r])) + sum);
      call.out[lane][r] = std::isnan(result) ? 0x7FC00000u : asBits(result);
    }
}

/// "32x32x16.fp8.fp8", "32x32x8f16", "32x32x1f32", "32x32x8bf16.1k", "32x32x16.f16"; behind
/// "mfma.scale.f32.": "32x32x64.f8f6f4.v8i32.v6i32".
static std::optional<MfmaShape> parseMfma(StringRef name, bool isScaled, StringRef chip) {
  MfmaShape shape;
  shape.isScaled = isScaled;
  unsigned n = 0;
  if (name.consumeInteger(10, shape.m) || !name.consume_front("x") || name.consumeInteger(10, n) ||
      !name.consume_front("x") || name.consumeInteger(10, shape.k) || n != shape.m ||
      (n != 16 && n != 32))
    return std::nullopt;
  if (isScaled) {
    if (!name.consume_front(".f8f6f4.v") || name.consumeInteger(10, shape.wordsA) ||
        !name.consume_front("i32.v") || name.consumeInteger(10, shape.wordsB) || name != "i32" ||
        shape.k * shape.m != 2048)
      return std::nullopt;
    shape.elements = 32;
    return shape;
  }
  bool isFnuz = chip == "gfx942";
  auto eightBits = [&](StringRef spelling) -> std::optional<Codes> {
    if (spelling == "fp8")
      return Codes{Format::E4M3, isFnuz};
    if (spelling == "bf8")
      return Codes{Format::E5M2, isFnuz};
    return std::nullopt;
  };
  bool isWide = name.consume_front(".");
  if (auto [first, second] = name.split('.'); isWide && !second.empty()) {
    auto a = eightBits(first), b = eightBits(second);
    if (!a || !b)
      return std::nullopt;
    shape.a = *a;
    shape.b = *b;
    shape.elements = 8;
  } else {
    name.consume_back(".1k");
    auto format = parseFormat(name);
    if (!format || (*format != Format::F16 && *format != Format::BF16 && *format != Format::F32))
      return std::nullopt;
    shape.a = shape.b = Codes{*format};
    shape.elements = *format == Format::F32 ? 1 : isWide ? 8 : 4;
    if (isWide && chip != "gfx950")
      return std::nullopt;
  }
  // As many elements as K is deep: each group of lanes has a product of its own.
  if (shape.k == shape.elements)
    shape.blocks = shape.groups();
  else if (shape.k != shape.elements * shape.groups())
    return std::nullopt;
  shape.wordsA = shape.wordsB = std::max(shape.elements * shape.a.bits() / 32, 1u);
  return shape;
}

/// The operands' formats of a scaled instruction, as cbsz and blgp number them.
static std::optional<Format> scaledFormat(uint32_t number) {
  static constexpr Format formats[] = {Format::E4M3, Format::E5M2, Format::E2M3, Format::E3M2,
                                       Format::E2M1};
  return number < std::size(formats) ? std::optional(formats[number]) : std::nullopt;
}

static std::function<void(WarpCall &)> makeScaled(const MfmaShape &shape) {
  return [=](WarpCall &call) {
    unsigned last = shape.wordsA + shape.wordsB + shape.registersOfBlock();
    auto a = scaledFormat(call.in[0][last]), b = scaledFormat(call.in[0][last + 1]);
    if (!a || !b)
      return call.launch.fail(FaultKind::IllegalOperand,
                              "a scaled matrix instruction of an unknown format");
    for (auto [format, words] : {std::pair(*a, shape.wordsA), std::pair(*b, shape.wordsB)})
      if (words < bitWidth(format))
        return call.launch.fail(
            FaultKind::IllegalOperand,
            formatv("32 elements of {0} bits in {1} registers", bitWidth(format), words));
    MfmaShape typed = shape;
    typed.a = {*a};
    typed.b = {*b};
    multiply(call, typed, Elements(typed.a), Elements(typed.b));
  };
}

static std::optional<Operation> findMatrix(StringRef name, StringRef chip) {
  if (!name.consume_front("mfma."))
    return std::nullopt;
  bool isScaled = name.consume_front("scale.");
  if (!name.consume_front("f32.") || chip == "gfx1250" || (isScaled && chip != "gfx950"))
    return std::nullopt;
  auto shape = parseMfma(name, isScaled, chip);
  if (!shape)
    return std::nullopt;
  Operation operation;
  operation.meeting = Meeting::Warp;
  operation.isMma = true;
  if (isScaled)
    operation.warp = makeScaled(*shape);
  else
    operation.warp = [shape = *shape, a = Elements(shape->a),
                      b = Elements(shape->b)](WarpCall &call) { multiply(call, shape, a, b); };
  return operation;
}

//===----------------------------------------------------------------------===//
// Exchange between lanes
//===----------------------------------------------------------------------===//

/// Each lane's first word from the lane that `from` names, which must be there.
template <typename From> static std::function<void(WarpCall &)> gather(unsigned word, From from) {
  return [=](WarpCall &call) {
    forLanes(call, [&](unsigned lane) {
      unsigned source = from(call, lane);
      if (!(call.mask >> source & 1))
        return call.launch.fail(
            FaultKind::IllegalOperand,
            formatv("lane {0} reads lane {1}, which is not there", lane, source),
            call.warp.threads[lane]);
      call.out[lane][0] = call.in[source][word];
    });
  };
}

/// update.dpp (old, value, control, row mask, bank mask, bound control).
static void updateDpp(WarpCall &call) {
  forLanes(call, [&](unsigned lane) {
    const uint32_t *in = call.in[lane];
    uint32_t control = in[2];
    unsigned row = lane / 16 * 16, place = lane % 16;
    int from = -1;
    if (control <= 0xFF)
      from = int(lane / 4 * 4 + (control >> 2 * (lane % 4) & 3));
    else if (control >= 0x101 && control <= 0x10F)
      from = place + (control & 15) < 16 ? int(lane + (control & 15)) : -1;
    else if (control >= 0x111 && control <= 0x11F)
      from = place >= (control & 15) ? int(lane - (control & 15)) : -1;
    else if (control >= 0x121 && control <= 0x12F)
      from = int(row + (place + 16 - (control & 15)) % 16);
    else if (control == 0x140)
      from = int(row + 15 - place);
    else if (control == 0x141)
      from = int(lane / 8 * 8 + 7 - lane % 8);
    else if (control == 0x142 || control == 0x143)
      from = control == 0x142 ? int(row) - 1 : lane >= 32 ? 31 : -1;
    else if (control >= 0x150 && control <= 0x15F)
      from = int(row + (control & 15));
    else
      return call.launch.fail(FaultKind::IllegalOperand, formatv("the DPP control {0:x}", control),
                              call.warp.threads[lane]);
    bool isWritten = in[3] >> lane / 16 % 4 & 1 && in[4] >> lane % 16 / 4 & 1;
    bool isThere = from >= 0 && call.mask >> from & 1;
    if (isWritten && isThere)
      call.out[lane][0] = call.in[from][1];
    else
      call.out[lane][0] = isWritten && in[5] ? 0 : in[0];
  });
}

/// (first, second): rows of `size` lanes of the first with odd numbers change places with those
/// before them of the second.
static std::function<void(WarpCall &)> swapRows(unsigned size) {
  return [=](WarpCall &call) {
    forLanes(call, [&](unsigned lane) {
      bool isOdd = lane / size & 1;
      unsigned partner = isOdd ? lane - size : lane + size;
      if (!(call.mask >> partner & 1))
        return call.launch.fail(
            FaultKind::IllegalOperand,
            formatv("lane {0} swaps with lane {1}, which is not there", lane, partner),
            call.warp.threads[lane]);
      call.out[lane][0] = isOdd ? call.in[partner][1] : call.in[lane][0];
      call.out[lane][1] = isOdd ? call.in[lane][1] : call.in[partner][0];
    });
  };
}

static std::function<void(WarpCall &)> findExchange(StringRef name) {
  if (name == "ds.bpermute")
    return gather(1, [](WarpCall &call, unsigned lane) {
      return call.in[lane][0] / 4 % call.launch.waveSize();
    });
  if (name == "ds.swizzle")
    return gather(0, [](WarpCall &call, unsigned lane) -> unsigned {
      uint32_t control = call.in[lane][1];
      if (control >> 15 & 1)
        return lane / 4 * 4 + (control >> 2 * (lane % 4) & 3);
      unsigned low = lane % 32;
      return lane / 32 * 32 +
             (((low & (control & 31)) | (control >> 5 & 31)) ^ (control >> 10 & 31));
    });
  if (name.starts_with("readfirstlane"))
    return gather(0, [](WarpCall &call, unsigned) { return llvm::countr_zero(call.mask); });
  if (name.starts_with("readlane"))
    return gather(
        0, [](WarpCall &call, unsigned lane) { return call.in[lane][1] % call.launch.waveSize(); });
  if (name.starts_with("update.dpp"))
    return updateDpp;
  if (name == "permlane32.swap")
    return swapRows(32);
  if (name == "permlane16.swap")
    return swapRows(16);
  if (name.starts_with("ballot."))
    return [](WarpCall &call) {
      uint64_t set = 0;
      forLanes(call, [&](unsigned lane) { set |= uint64_t(call.in[lane][0] & 1) << lane; });
      forLanes(call, [&](unsigned lane) {
        call.out[lane][0] = uint32_t(set);
        if (call.launch.waveSize() == 64)
          call.out[lane][1] = uint32_t(set >> 32);
      });
    };
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Bytes of a type as intrinsics' names spell it: "v4i32", "f32", "bf16".
static unsigned typeBytes(StringRef spelling) {
  unsigned count = 1, bits = 0;
  if (spelling.consume_front("v") && spelling.consumeInteger(10, count))
    return 0;
  if (!spelling.consume_front("bf") && !spelling.consume_front("f") && !spelling.consume_front("i"))
    return 0;
  if (spelling.getAsInteger(10, bits))
    return 0;
  return count * bits / 8;
}

/// The address of a raw access, nothing where it is out of range. Fails where it is so in part.
static std::optional<uint64_t> placeInBuffer(Launch &launch, Thread &thread, const uint32_t *rsrc,
                                             uint32_t voffset, uint32_t soffset, unsigned size) {
  const BufferDescriptor *buffer = launch.findBuffer(wide(rsrc));
  if (!buffer) {
    launch.fail(FaultKind::IllegalOperand, "a buffer resource that nobody made", &thread);
    return std::nullopt;
  }
  uint64_t first = uint64_t(voffset) + soffset, end = first + size;
  if (end > buffer->records) {
    if (first < buffer->records)
      launch.fail(FaultKind::OutOfBounds,
                  formatv("{0} bytes at {1} of a buffer of {2}, neither inside nor outside", size,
                          first, buffer->records),
                  &thread);
    return std::nullopt;
  }
  return buffer->base + first;
}

static std::function<void(LaneCall &)> findBufferAccess(StringRef name) {
  if (name.starts_with("make.buffer.rsrc.p8."))
    return [](LaneCall &c) {
      if (c.in[2] & 0xFFFF)
        return c.launch.fail(FaultKind::IllegalOperand, "a buffer with a stride");
      uint64_t number = c.launch.addBuffer({wide(c.in), wide(c.in + 3)});
      c.out[0] = uint32_t(number);
      c.out[1] = uint32_t(number >> 32);
      c.out[2] = c.out[3] = 0;
    };
  bool isStore = name.consume_front("raw.ptr.buffer.store.");
  if (!isStore && !name.consume_front("raw.ptr.buffer.load."))
    return nullptr;
  unsigned bytes = typeBytes(name);
  if (!bytes || bytes > 16)
    return nullptr;
  return [=](LaneCall &c) {
    unsigned words = (bytes + 3) / 4;
    const uint32_t *rsrc = c.in + (isStore ? words : 0);
    auto address = placeInBuffer(c.launch, c.thread, rsrc, rsrc[2], rsrc[3], bytes);
    if (!isStore)
      std::fill_n(c.out, words, 0);
    if (!address ||
        !c.launch.access(c.thread, *address, bytes, std::min(bytes, 4u), !isStore, isStore, false))
      return;
    if (isStore)
      std::memcpy(reinterpret_cast<void *>(*address), c.in, bytes);
    else
      std::memcpy(c.out, reinterpret_cast<const void *>(*address), bytes);
  };
}

/// (resource, LDS address, size, voffset, soffset, offset): each lane's bytes go behind those of
/// the lane before it, from the first lane's LDS address on.
static void loadToShared(WarpCall &call) {
  unsigned leader = llvm::countr_zero(call.mask);
  uint64_t base = wide(call.in[leader] + 2);
  forLanes(call, [&](unsigned lane) {
    const uint32_t *in = call.in[lane];
    Thread &thread = *call.warp.threads[lane];
    if (wide(in + 2) != base)
      return call.launch.fail(FaultKind::IllegalOperand,
                              "the lanes disagree about the address in shared memory", &thread);
    unsigned size = in[4];
    auto from = placeInBuffer(call.launch, thread, in, in[5] + in[7], in[6], size);
    if (!call.launch.hasFailed())
      call.launch.copyAsync(thread, base + in[7] + lane * size, from.value_or(0), size,
                            from ? size : 0);
  });
}

/// (global address, LDS address, size, offset of both): the same.
static void loadGlobalToShared(WarpCall &call) {
  unsigned leader = llvm::countr_zero(call.mask);
  uint64_t base = wide(call.in[leader] + 2);
  forLanes(call, [&](unsigned lane) {
    const uint32_t *in = call.in[lane];
    Thread &thread = *call.warp.threads[lane];
    if (wide(in + 2) != base)
      return call.launch.fail(FaultKind::IllegalOperand,
                              "the lanes disagree about the address in shared memory", &thread);
    unsigned size = in[4];
    call.launch.copyAsync(thread, base + in[5] + lane * size, wide(in) + in[5], size, size);
  });
}

//===----------------------------------------------------------------------===//
// Lanes by themselves
//===----------------------------------------------------------------------===//

static uint32_t permuteBytes(uint32_t high, uint32_t low, uint32_t selector) {
  uint64_t bytes = uint64_t(high) << 32 | low;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned which = selector >> 8 * i & 0xFF;
    uint32_t byte = which < 8     ? uint32_t(bytes >> 8 * which) & 0xFF
                    : which < 12  ? (bytes >> (16 * (which - 8) + 15) & 1 ? 0xFF : 0)
                    : which == 12 ? 0
                                  : 0xFF;
    result |= byte << 8 * i;
  }
  return result;
}

/// An f32 as an FP8 byte, nearest even; NaN beyond its range. In the fnuz form no zero has a sign.
static uint32_t encodeFP8(float value, bool isFnuz) {
  uint32_t sign = std::signbit(value) ? 0x80 : 0, nan = isFnuz ? 0x80 : sign | 0x7F;
  if (!std::isfinite(value))
    return nan;
  double magnitude = std::fabs(double(value));
  int least = isFnuz ? -7 : -6, exponent = least;
  if (magnitude >= std::ldexp(1.0, least))
    exponent = std::ilogb(magnitude);
  // Of the exponent's binade and, one further, the next: codes go on.
  double units = std::nearbyint(std::ldexp(magnitude, 3 - exponent));
  double code = (exponent - least) * 8 + units;
  if (code > (isFnuz ? 0x7F : 0x7E))
    return nan;
  return isFnuz && code == 0 ? 0 : sign | uint32_t(code);
}

/// Conversions between f32 and FP8, whose form is the chip's.
static std::function<void(LaneCall &)> findConversion(StringRef name, StringRef chip) {
  bool isFnuz = chip == "gfx942";
  if (chip != "gfx942" && chip != "gfx950")
    return nullptr;
  // (f32, f32, word, upper half): two bytes in a half of the word.
  if (name == "cvt.pk.fp8.f32")
    return [=](LaneCall &c) {
      uint32_t pair = encodeFP8(asFloat(c.in[0]), isFnuz) | encodeFP8(asFloat(c.in[1]), isFnuz)
                                                                << 8;
      c.out[0] = c.in[3] & 1 ? (c.in[2] & 0xFFFF) | pair << 16 : (c.in[2] & 0xFFFF0000) | pair;
    };
  // (16 f32, 16 f32, scale): codes in turn from the two, each divided by the scale's power of two.
  if (name == "cvt.scalef32.2xpk16.fp6.f32" && chip == "gfx950")
    return [](LaneCall &c) {
      int exponent = std::ilogb(asFloat(c.in[32]));
      std::fill_n(c.out, 6, 0);
      for (unsigned i = 0; i < 32; ++i) {
        double value = std::ldexp(double(asFloat(c.in[i % 2 * 16 + i / 2])), -exponent);
        uint64_t code = encode(Format::E2M3, value, Rounding::NearestEven, /*saturate=*/true);
        for (unsigned bit = 0; bit < 6; ++bit)
          c.out[(6 * i + bit) / 32] |= uint32_t(code >> bit & 1) << (6 * i + bit) % 32;
      }
    };
  // (word, upper half).
  if (name == "cvt.pk.f32.fp8")
    return [codes = Codes{Format::E4M3, isFnuz}](LaneCall &c) {
      uint32_t pair = c.in[1] & 1 ? c.in[0] >> 16 : c.in[0];
      for (unsigned i = 0; i < 2; ++i)
        c.out[i] = asBits(float(codes.decode(pair >> 8 * i & 0xFF)));
    };
  return nullptr;
}

static std::function<void(LaneCall &)> findLane(StringRef name) {
  // Within a last place on the chip; here the nearest.
  if (name == "rcp.f32")
    return [](LaneCall &c) { c.out[0] = asBits(1 / asFloat(c.in[0])); };
  if (name == "mbcnt.lo" || name == "mbcnt.hi")
    return [isHigh = name == "mbcnt.hi"](LaneCall &c) {
      unsigned lane = c.thread.lane, before = isHigh ? std::max(lane, 32u) - 32 : lane;
      uint32_t mask = before >= 32 ? ~0u : (1u << before) - 1;
      c.out[0] = c.in[1] + llvm::popcount(c.in[0] & mask);
    };
  if (name == "perm")
    return [](LaneCall &c) { c.out[0] = permuteBytes(c.in[0], c.in[1], c.in[2]); };
  if (name == "bitop3.i32")
    return [](LaneCall &c) {
      uint32_t result = 0;
      for (unsigned bit = 0; bit < 32; ++bit) {
        unsigned row = (c.in[0] >> bit & 1) << 2 | (c.in[1] >> bit & 1) << 1 | (c.in[2] >> bit & 1);
        result |= (c.in[3] >> row & 1) << bit;
      }
      c.out[0] = result;
    };
  // The count of vector memory operations is the scheduler's, so only none under way says anything.
  if (name == "s.waitcnt")
    return [](LaneCall &c) {
      if (!(c.in[0] & 15) && !(c.in[0] >> 14 & 3))
        c.launch.landCopies(c.thread, 0, true);
    };
  if (name == "s.barrier")
    return [](LaneCall &c) { c.launch.waitAtBarrier(c.thread, 0, true, 0); };
  if (name == "fence.release" || name == "fence.acq_rel")
    return [both = name == "fence.acq_rel"](LaneCall &c) {
      if (both)
        c.launch.acquireFence(c.thread);
      c.launch.releaseFence(c.thread);
    };
  if (name == "fence.acquire")
    return [](LaneCall &c) { c.launch.acquireFence(c.thread); };
  return nullptr;
}

std::optional<Special> findAMDSpecial(StringRef name) {
  return llvm::StringSwitch<std::optional<Special>>(name)
      .Case("amdgcn.workitem.id.x", Special::TidX)
      .Case("amdgcn.workitem.id.y", Special::TidY)
      .Case("amdgcn.workitem.id.z", Special::TidZ)
      .Case("amdgcn.workgroup.id.x", Special::CtaidX)
      .Case("amdgcn.workgroup.id.y", Special::CtaidY)
      .Case("amdgcn.workgroup.id.z", Special::CtaidZ)
      .Case("amdgcn.wavefrontsize", Special::WarpSize)
      .Default(std::nullopt);
}

std::optional<Operation> findAMDOperation(StringRef name, StringRef chip) {
  Operation operation;
  if (auto matrix = findMatrix(name, chip)) {
    operation = std::move(*matrix);
  } else if (auto wmma = chip == "gfx1250" ? findWmma(name) : std::nullopt) {
    operation = std::move(*wmma);
  } else if (name.starts_with("sched.") || name == "iglp.opt" || name == "s.setprio" ||
             name == "wave.barrier" || (name == "s.wait.loadcnt" && chip == "gfx1250")) {
    operation.isNoOp = true;
  } else if (name == "raw.ptr.buffer.load.lds") {
    operation.meeting = Meeting::Active;
    operation.warp = loadToShared;
  } else if (name.starts_with("global.load.lds")) {
    operation.meeting = Meeting::Active;
    operation.warp = loadGlobalToShared;
  } else if (auto exchange = findExchange(name)) {
    operation.meeting = Meeting::Active;
    operation.warp = std::move(exchange);
  } else if (auto access = findBufferAccess(name)) {
    operation.lane = std::move(access);
  } else if (auto conversion = findConversion(name, chip)) {
    operation.lane = std::move(conversion);
  } else if (auto lane = findLane(name)) {
    operation.lane = std::move(lane);
  } else {
    return std::nullopt;
  }
  operation.name = ("amdgcn." + name).str();
  return operation;
}

} // namespace ufp4::emulator
