//===- BulkCopies.cpp - cp.async.bulk -------------------------------------===//
//
// One thread tells the stage's mbarrier how many bytes are to come and issues one copy a tile; the
// copies tell it when they have come (PTX ISA, "cp.async.bulk").
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/NVPTX/MBarriers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class BulkCopies final : public Transport {
public:
  llvm::StringRef name() const override { return "bulk"; }
  bool runsOn(const Chip &chip) const override { return chip.has(Feature::BulkCopy); }
  const OperandStorage *source(const OperandStorage &tiles) const override { return &tiles; }
  unsigned alignment() const override { return chunk; }
  unsigned depthGranule(const numerics::Scheme &) const override { return 1; }
  bool completesByGroup() const override { return false; }
  bool fillsWithZeros() const override { return false; }
  /// Eight of them are the mbarrier; tiles stay as aligned as the ring.
  unsigned barrierBytes() const override { return 128; }

  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned,
                                    unsigned) const override {
    int64_t all = 0;
    for (int64_t bytes : tileBytes) {
      if (bytes % chunk)
        return llvm::formatv("a tile of {0} bytes is no multiple of {1}", bytes, chunk).str();
      all += bytes;
    }
    if (all > mostBytes)
      return llvm::formatv("an mbarrier counts up to {0} bytes, and the tiles of a step have {1}",
                           mostBytes, all)
          .str();
    return std::nullopt;
  }

  void prepare(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
               Value ring, unsigned stages) const override {
    initBarriers(b, threads, stream, ring, stages, stream.bytes() + barrierBytes(), 1);
  }

  /// A pointer for each tile, to that of the first step.
  SmallVector<Value> begin(KernelBuilder &b, const CopyingThreads &,
                           const TileStream &stream) const override {
    return llvm::to_vector_of<Value>(locateFirstTiles(b, stream));
  }

  SmallVector<Value> advance(KernelBuilder &, const CopyingThreads &, const TileStream &,
                             ValueRange carried) const override {
    return llvm::to_vector(carried);
  }

  SmallVector<Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream, ValueRange carried, Value step,
                           Value stage) const override {
    emitByOneThread(b, threads, 1, [&] {
      Value barrier = barrierOf(b, stream, stage);
      expectBytes(b, barrier, stream.bytes());
      Value noHint = arith::ConstantOp::create(b, b.getI64IntegerAttr(0)),
            isHinted = arith::ConstantOp::create(b, b.getBoolAttr(false));
      int32_t offset = 0;
      for (auto [pointer, bytes] : llvm::zip(carried, stream.copiedBytes())) {
        Value tile = b.at(pointer, b.mul(b.widen(step), bytes));
        callIntrinsic(b, "llvm.nvvm.cp.async.bulk.global.to.shared.cta",
                      {b.at(stage, offset), barrier, tile, b.i32(bytes), noHint, isHinted});
        offset += bytes;
      }
    });
    return {};
  }

  void commit(KernelBuilder &) const override {}

  void wait(KernelBuilder &b, const TileStream &stream, unsigned, Value stage,
            Value parity) const override {
    waitForPhase(b, barrierOf(b, stream, stage), parity);
  }

  void end(KernelBuilder &) const override {}

private:
  static constexpr int64_t chunk = 16, mostBytes = (1 << 20) - 1;
};
} // namespace

const Transport &ufp4::target::bulkCopies() {
  static const BulkCopies transport;
  return transport;
}
