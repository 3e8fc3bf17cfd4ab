//===- GroupedCopies.cpp - cp.async ---------------------------------------===//
//
// A tile that all threads can share out is cut into one run of bytes a warp. Tiles too small for
// that go together: neighbouring threads take neighbouring 16 bytes, across the border between
// tiles.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/Transport.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

static constexpr int64_t chunk = 16;

namespace {
/// What all threads copy with one pointer each: one large tile, or several small ones.
struct Round {
  unsigned firstTile, tileCount;
  /// Where the first tile begins in a stage.
  int64_t stageOffset;
  int64_t bytes;
  bool isShared(unsigned threads) const { return bytes < threads * chunk || tileCount > 1; }
};

class GroupedCopies final : public Transport {
public:
  llvm::StringRef name() const override { return "cp_async"; }
  bool runsOn(const Chip &chip) const override { return chip.has(Feature::AsyncCopy); }
  const OperandStorage *source(const OperandStorage &tiles) const override { return &tiles; }
  unsigned alignment() const override { return chunk; }
  unsigned depthGranule(const numerics::Scheme &) const override { return 1; }
  bool completesByGroup() const override { return true; }
  unsigned barrierBytes() const override { return 0; }
  bool fillsWithZeros() const override { return false; }

  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                    unsigned warpSize) const override {
    for (int64_t bytes : tileBytes) {
      if (bytes % chunk)
        return llvm::formatv("a tile of {0} bytes is no multiple of {1}", bytes, chunk).str();
      if (bytes >= threads * chunk && bytes % (threads * chunk))
        return llvm::formatv("{0} threads cannot share out a tile of {1} bytes evenly", threads,
                             bytes)
            .str();
    }
    return std::nullopt;
  }

  void prepare(KernelBuilder &, const CopyingThreads &, const TileStream &, Value,
               unsigned) const override {}

  SmallVector<Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream) const override {
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    SmallVector<Value, 4> tiles = locateFirstTiles(b, stream);
    SmallVector<Value> carried;
    for (const Round &round : rounds(tileBytes, threads.count)) {
      if (!round.isShared(threads.count)) {
        carried.push_back(b.at(tiles[round.firstTile], runOffset(b, threads, round)));
        continue;
      }
      // The pointer of tile i is moved back by the bytes before it, so all share one offset.
      Value pointer;
      int64_t before = 0;
      for (unsigned i = 0; i < round.tileCount; ++i) {
        Value tile = b.at(tiles[round.firstTile + i], int32_t(-before));
        pointer = i ? b.select(b.less(threads.thread, before / chunk), pointer, tile) : tile;
        before += tileBytes[round.firstTile + i];
      }
      carried.push_back(b.at(pointer, b.shl(threads.thread, 4)));
    }
    return carried;
  }

  SmallVector<Value> advance(KernelBuilder &b, const CopyingThreads &threads,
                             const TileStream &stream, ValueRange carried) const override {
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    SmallVector<Value> next;
    for (auto [pointer, round] : llvm::zip(carried, rounds(tileBytes, threads.count))) {
      // Tiles share a round only if they are of one size, so every thread's step is that.
      next.push_back(b.at(pointer, int32_t(tileBytes[round.firstTile])));
    }
    return next;
  }

  SmallVector<Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream, ValueRange carried, Value,
                           Value stage) const override {
    SmallVector<int64_t, 4> tileBytes = stream.copiedBytes();
    for (auto [pointer, round] : llvm::zip(carried, rounds(tileBytes, threads.count))) {
      Value target = b.at(stage, int32_t(round.stageOffset));
      if (!round.isShared(threads.count)) {
        target = b.at(target, runOffset(b, threads, round));
        int64_t step = threads.warpSize * chunk;
        for (int64_t i = 0, n = round.bytes / (threads.count * chunk); i < n; ++i) {
          int32_t offset = i * step - middle(threads, round);
          copy(b, b.at(target, offset), b.at(pointer, offset));
        }
        continue;
      }
      target = b.at(target, b.shl(threads.thread, 4));
      if (round.bytes == threads.count * chunk) {
        copy(b, target, pointer);
        continue;
      }
      auto some = scf::IfOp::create(b, b.less(threads.thread, round.bytes / chunk),
                                    /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(some.thenBlock());
      copy(b, target, pointer);
    }
    return {};
  }

  void commit(KernelBuilder &b) const override { NVVM::CpAsyncCommitGroupOp::create(b); }
  void wait(KernelBuilder &b, const TileStream &, unsigned pending, Value, Value) const override {
    NVVM::CpAsyncWaitGroupOp::create(b, pending);
  }
  void end(KernelBuilder &b) const override {
    // Groups past the last step are empty, and still not to be left behind.
    NVVM::CpAsyncWaitGroupOp::create(b, 0);
  }

private:
  static void copy(KernelBuilder &b, Value target, Value source) {
    // Past L1: a tile is read once by a block.
    NVVM::CpAsyncOp::create(b, target, source, chunk, NVVM::LoadCacheModifierKind::CG, Value());
  }

  /// Where a thread's pointer lies in a tile cut into one run a warp: its first 16 bytes, moved to
  /// the run's middle. Its copies then are immediates away, of which the instruction has 12 bits
  /// with a sign.
  static Value runOffset(KernelBuilder &b, const CopyingThreads &threads, const Round &round) {
    return b.add(b.add(b.mul(threads.warp, runBytes(threads, round)), b.shl(threads.lane, 4)),
                 middle(threads, round));
  }
  static int64_t runBytes(const CopyingThreads &threads, const Round &round) {
    return round.bytes / (threads.count / threads.warpSize);
  }
  static int64_t middle(const CopyingThreads &threads, const Round &round) {
    static constexpr int64_t farthest = 1 << 11;
    int64_t run = runBytes(threads, round);
    return run > farthest ? run / 2 : 0;
  }

  static SmallVector<Round> rounds(llvm::ArrayRef<int64_t> tileBytes, unsigned threads) {
    SmallVector<Round> all;
    int64_t offset = 0;
    for (auto [tile, bytes] : llvm::enumerate(tileBytes)) {
      bool isSmall = bytes < threads * chunk;
      if (isSmall && tile && tileBytes[tile - 1] == bytes &&
          all.back().bytes + bytes <= threads * chunk) {
        ++all.back().tileCount;
        all.back().bytes += bytes;
      } else {
        all.push_back({unsigned(tile), 1, offset, bytes});
      }
      offset += bytes;
    }
    return all;
  }
};
} // namespace

const Transport &ufp4::target::groupedCopies() {
  static const GroupedCopies transport;
  return transport;
}
