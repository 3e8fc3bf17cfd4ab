//===- RowCopies.cpp - cp.async of row-major operands ---------------------===//

#include "RowCopies.h"

#include "ufp4/Target/StorageEmission.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

//===----------------------------------------------------------------------===//
// Who copies what
//===----------------------------------------------------------------------===//

/// cp.async copies 4, 8 or 16 bytes; a block's codes are 8 at least.
static constexpr unsigned leastPiece = 4, mostPiece = 16;
/// Of codes, together.
static constexpr unsigned lanesPerRow = 2, bytesPerPass = lanesPerRow * mostPiece;
static constexpr unsigned mostThreads = TileMajorStorage::rows * lanesPerRow;

namespace {
/// The rows of a tile that a thread copies from: `further` behind its first one, whose line is as
/// much further.
struct Rows {
  Value first;
  SmallVector<unsigned, 4> further;

  Rows(KernelBuilder &b, const CopyingThreads &threads, PlaneIndex plane) {
    if (plane == scalesPlane) {
      first = threads.thread;
      for (unsigned i = 0; i < count(threads, plane); ++i)
        further.push_back(i * threads.count);
      return;
    }
    // Groups of 32 rows go to warps. Of one, a warp's lanes take rows 8 apart, then 4, so that each
    // eight lanes meet all banks, then 1; 2 is another pass or another warp.
    static constexpr unsigned groups = TileMajorStorage::rows / 32;
    unsigned warps = threads.count / threads.warpSize;
    Value inGroup = b.shr(threads.lane, 1);
    first = b.add(b.shl(b.bitAnd(inGroup, 3), 3), b.bitAnd(inGroup, 4));
    first = b.add(first, b.shr(inGroup, 3));
    first = b.add(first, b.shl(b.bitAnd(threads.warp, groups - 1), 5));
    if (warps > groups)
      first = b.add(first, b.shl(b.shr(threads.warp, llvm::Log2_32(groups)), 1));
    for (unsigned i = 0; i < count(threads, plane); ++i)
      further.push_back(i * warps % groups * 32 + i * warps / groups * 2);
  }

  static unsigned count(const CopyingThreads &threads, PlaneIndex plane) {
    unsigned perRow = plane == codesPlane ? lanesPerRow : 1;
    return std::max(1u, TileMajorStorage::rows * perRow / threads.count);
  }
};
} // namespace

/// Where a lane's first 16 bytes of codes begin in a row.
static Value byteOf(KernelBuilder &b, const CopyingThreads &threads) {
  return b.shl(b.bitAnd(threads.lane, lanesPerRow - 1), llvm::Log2_32(mostPiece));
}

static int64_t tileBytes(const TileStream &stream, PlaneIndex plane) {
  return stream.tileBytes[plane == codesPlane ? 0 : 2];
}

/// Of one row of a tile.
static unsigned rowBytes(const TileStream &stream, PlaneIndex plane) {
  return tileBytes(stream, plane) / TileMajorStorage::rows;
}

/// Bytes from row to row in global memory.
static Value pitchOf(KernelBuilder &b, const TileStream &stream, PlaneIndex plane) {
  return b.shr(stream.depth, llvm::Log2_32(plane == codesPlane ? 2 : stream.scheme.block));
}

/// Where byte `byte` of row `row` of a plane lies in a tile.
static Value placeOf(KernelBuilder &b, PlaneIndex plane, unsigned bytes, Value row, Value byte) {
  if (plane == scalesPlane)
    return b.add(b.mul(row, bytes), byte);
  const TileMajorStorage &tiles = tileMajor4BitStorage();
  Value swizzle = emitSwizzle(b, tiles, row);
  return b.add(b.mul(emitLine(b, tiles, row), bytes),
               b.bitXor(byte, b.shl(swizzle, llvm::Log2_32(TileMajorStorage::chunkBytes))));
}

/// What the bytes from which rows of a plane begin are multiples of.
static unsigned alignmentOf(const TileStream &stream, PlaneIndex plane) {
  unsigned multiple = stream.depthMultiple & -stream.depthMultiple;
  return multiple / (plane == codesPlane ? 2 : stream.scheme.block);
}

static void copy(KernelBuilder &b, Value target, Value source, unsigned bytes, Value taken) {
  // Past L1, which only copies of 16 bytes can.
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(b, target, source, bytes, cache, taken);
}

/// The same of a row's scales that begin where no copy can, by loads of `piece` bytes. `left` are
/// the bytes that the row has from `source` on, at least one piece.
static void copyByLoads(KernelBuilder &b, Value target, Value source, unsigned bytes,
                        unsigned piece, Value left) {
  Type type = b.getIntegerType(8 * piece);
  SmallVector<Value> words;
  for (unsigned offset = 0; offset < bytes; offset += piece) {
    Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left, b.i32(offset));
    Value from = b.at(source, b.select(isInside, b.i32(offset), b.i32(0)));
    Value part = arith::ExtUIOp::create(b, b.getI32Type(), b.load(type, from, piece));
    part = b.shl(b.select(isInside, part, b.i32(0)), 8 * (offset % 4));
    if (offset % 4)
      words.back() = b.bitOr(words.back(), part);
    else
      words.push_back(part);
  }
  b.store(b.join(words), target, bytes);
}

//===----------------------------------------------------------------------===//
// One plane
//===----------------------------------------------------------------------===//

SmallVector<Value> RowCopies::begin(KernelBuilder &b, const CopyingThreads &threads,
                                    const TileStream &stream, PlaneIndex plane) {
  SmallVector<Value> pointers;
  bool isCodes = plane == codesPlane;
  Rows rows(b, threads, plane);
  Value pitch = b.widen(pitchOf(b, stream, plane));
  for (const TileRows &operand : stream.operands) {
    // Rows of a 2-D block share their scales.
    unsigned blockRows = isCodes ? 1 : operand.blockRows, bits = llvm::Log2_32(blockRows);
    Value lines = b.shr(b.add(operand.rows, blockRows - 1), bits);
    Value before = b.mul(b.widen(stream.batch), b.widen(lines));
    Value last = b.sub(operand.rows, b.i32(1));
    Value first = b.add(b.mul(operand.tile, TileMajorStorage::rows), rows.first);
    Value base = isCodes ? b.at(operand.codes, b.widen(byteOf(b, threads))) : operand.scales;
    for (unsigned further : rows.further) {
      Value row = b.createOrFold<arith::MinUIOp>(b.add(first, further), last);
      Value line = b.add(before, b.widen(b.shr(row, bits)));
      pointers.push_back(b.at(base, b.mul(line, pitch)));
    }
  }
  return pointers;
}

SmallVector<Value> RowCopies::advance(KernelBuilder &b, const TileStream &stream, PlaneIndex plane,
                                      ValueRange carried) {
  SmallVector<Value> next;
  for (Value pointer : carried)
    next.push_back(b.at(pointer, int32_t(rowBytes(stream, plane))));
  return next;
}

void RowCopies::issue(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
                      PlaneIndex plane, ValueRange pointers, Value step, Value stage) {
  OpBuilder::InsertionGuard guard(b);
  bool isCodes = plane == codesPlane;
  if (!isCodes) {
    stage = b.at(stage, int32_t(2 * stream.tileBytes[0]));
    if (threads.count > TileMajorStorage::rows) {
      // The others are threads without a row.
      auto some = scf::IfOp::create(b, b.less(threads.thread, TileMajorStorage::rows),
                                    /*withElseRegion=*/false);
      b.setInsertionPointToStart(some.thenBlock());
    }
  }
  unsigned bytes = rowBytes(stream, plane);
  unsigned piece = std::min({mostPiece, bytes, alignmentOf(stream, plane)});
  // Of codes a lane copies chunks, in pieces if need be.
  unsigned distance = isCodes ? bytesPerPass : piece, chunk = isCodes ? mostPiece : piece;
  Rows rows(b, threads, plane);
  Value byte = isCodes ? byteOf(b, threads) : b.i32(0);
  Value left; // Bytes of the row from the thread's first on.
  if (stream.depthMultiple % tileMajor4BitStorage().depth)
    left = b.sub(b.sub(pitchOf(b, stream, plane), b.mul(step, bytes)), byte);
  auto forEachRow = [&](Value byteOfRow, llvm::function_ref<void(Value, Value)> copyRow) {
    Value place = placeOf(b, plane, bytes, rows.first, byteOfRow);
    auto next = pointers.begin();
    for (unsigned side : {0, 1})
      for (unsigned further : rows.further) {
        unsigned lines = isCodes ? tileMajor4BitStorage().line(further) : further;
        int64_t offset = side * tileBytes(stream, plane) + lines * bytes;
        copyRow(b.at(b.at(stage, place), int32_t(offset)), *next++);
      }
  };
  if (piece < leastPiece)
    return forEachRow(byte, [&](Value target, Value source) {
      copyByLoads(b, target, source, bytes, piece, left);
    });
  for (unsigned offset = 0; offset < bytes; offset += distance)
    for (unsigned part = 0; part < chunk; part += piece) {
      Value taken;
      if (left) {
        Value isInside =
            arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, left, b.i32(offset + part));
        taken = b.select(isInside, b.i32(piece), b.i32(0));
      }
      forEachRow(b.add(byte, offset), [&](Value target, Value source) {
        copy(b, b.at(target, int32_t(part)), b.at(source, int32_t(offset + part)), piece, taken);
      });
    }
}

//===----------------------------------------------------------------------===//
// Both
//===----------------------------------------------------------------------===//

std::optional<std::string> RowCopies::verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                             unsigned warpSize) const {
  for (int64_t bytes : tileBytes)
    if (bytes > TileMajorStorage::tileBytes)
      return llvm::formatv("a tile of {0} bytes is more than one of {1} rows", bytes,
                           TileMajorStorage::rows)
          .str();
  if (!llvm::isPowerOf2_32(threads) || threads < warpSize || threads > mostThreads)
    return llvm::formatv("{0} threads cannot share out {1} rows evenly; at most {2} can", threads,
                         TileMajorStorage::rows, mostThreads)
        .str();
  return std::nullopt;
}

SmallVector<Value> RowCopies::begin(KernelBuilder &b, const CopyingThreads &threads,
                                    const TileStream &stream) const {
  SmallVector<Value> carried = begin(b, threads, stream, codesPlane);
  carried.append(begin(b, threads, stream, scalesPlane));
  return carried;
}

SmallVector<Value> RowCopies::advance(KernelBuilder &b, const CopyingThreads &threads,
                                      const TileStream &stream, ValueRange carried) const {
  size_t codes = 2 * Rows::count(threads, codesPlane);
  SmallVector<Value> next = advance(b, stream, codesPlane, carried.take_front(codes));
  next.append(advance(b, stream, scalesPlane, carried.drop_front(codes)));
  return next;
}

SmallVector<Value> RowCopies::issue(KernelBuilder &b, const CopyingThreads &threads,
                                    const TileStream &stream, ValueRange carried, Value step,
                                    Value stage) const {
  size_t codes = 2 * Rows::count(threads, codesPlane);
  issue(b, threads, stream, codesPlane, carried.take_front(codes), step, stage);
  issue(b, threads, stream, scalesPlane, carried.drop_front(codes), step, stage);
  return {};
}

void RowCopies::commit(KernelBuilder &b) const { NVVM::CpAsyncCommitGroupOp::create(b); }

void RowCopies::wait(KernelBuilder &b, const TileStream &, unsigned pending, Value, Value) const {
  NVVM::CpAsyncWaitGroupOp::create(b, pending);
}

void RowCopies::end(KernelBuilder &b) const {
  // Groups past the last step are empty, and still not to be left behind.
  NVVM::CpAsyncWaitGroupOp::create(b, 0);
}

const Transport &ufp4::target::rowCopies() {
  static const RowCopies transport;
  return transport;
}
