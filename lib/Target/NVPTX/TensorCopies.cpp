//===- TensorCopies.cpp - cp.async.bulk.tensor ----------------------------===//
//
// The rows of an operand that lies row by row are a tensor of bytes, of which a tensor map knows
// where it ends: what a box has outside arrives as zeros (CUDA driver API, cuTensorMapEncodeTiled;
// PTX ISA, "Tensors", "cp.async.bulk.tensor"). A box is one step of every fourth row of a tile,
// which the copy's swizzle of 128 bytes brings to the places that a tile in the order of fours has
// for them. One thread of each of four warps copies one box of each operand. Batches are rows of
// one tensor, so rows behind the last one of a product are those of the next.
//
// Scales come by rows (RowCopies.h): theirs are too short for a tensor map, whose rows begin at
// multiples of 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "RowCopies.h"
#include "ufp4/Target/NVPTX/MBarriers.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;

namespace {
class TensorCopies final : public RowCopies {
public:
  llvm::StringRef name() const override { return "tensor_rows"; }
  bool runsOn(const Chip &chip) const override { return chip.has(Feature::TensorMap); }
  bool completesByGroup() const override { return false; }
  /// Eight of them are the mbarrier; a swizzle goes by addresses, and repeats after 1024 bytes.
  unsigned barrierBytes() const override { return swizzlePeriod; }
  /// A tensor's rows begin at multiples of 16 bytes.
  unsigned depthGranule(const numerics::Scheme &scheme) const override {
    return std::max(32u, scheme.block);
  }
  std::optional<TensorBox> codesBox() const override {
    return TensorBox{TileMajorStorage::rowBytes, TileMajorStorage::rows, rowStep,
                     TileMajorStorage::rowBytes};
  }

  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                    unsigned warpSize) const override {
    int64_t all = 0;
    for (int64_t bytes : tileBytes)
      all += bytes;
    if (all % swizzlePeriod)
      return llvm::formatv(
                 "the tiles of a step have {0} bytes, no multiple of {1}, after which the "
                 "swizzle repeats",
                 all, swizzlePeriod)
          .str();
    return RowCopies::verify(tileBytes, threads, warpSize);
  }

  void prepare(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
               Value ring, unsigned stages) const override {
    initBarriers(b, threads, stream, ring, stages, stream.bytes() + barrierBytes(),
                 issuers(threads));
  }

  SmallVector<Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream) const override {
    return RowCopies::begin(b, threads, stream, scalesPlane);
  }

  SmallVector<Value> advance(KernelBuilder &b, const CopyingThreads &, const TileStream &stream,
                             ValueRange carried) const override {
    return RowCopies::advance(b, stream, scalesPlane, carried);
  }

  SmallVector<Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                           const TileStream &stream, ValueRange carried, Value step,
                           Value stage) const override {
    emitByOneThread(b, threads, issuers(threads), [&] {
      Value barrier = barrierOf(b, stream, stage);
      unsigned boxes = rowStep / issuers(threads);
      expectBytes(b, barrier, 2 * boxes * boxBytes);
      Value byte = b.mul(step, TileMajorStorage::rowBytes);
      Value noHint = arith::ConstantOp::create(b, b.getI64IntegerAttr(0)),
            isHinted = arith::ConstantOp::create(b, b.getBoolAttr(false));
      for (unsigned i = 0; i < boxes; ++i) {
        Value box = b.add(threads.warp, i * issuers(threads));
        Value target = b.at(stage, b.mul(box, boxBytes));
        for (auto [side, operand] : llvm::enumerate(stream.operands)) {
          Value row = b.add(b.mul(stream.batch, operand.rows),
                            b.add(b.mul(operand.tile, TileMajorStorage::rows), box));
          callIntrinsic(b, "llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d",
                        {b.at(target, int32_t(side * stream.tileBytes[0])), barrier, operand.codes,
                         byte, row, noHint, isHinted});
        }
      }
    });
    RowCopies::issue(b, threads, stream, scalesPlane, carried, step, stage);
    return {};
  }

  void wait(KernelBuilder &b, const TileStream &stream, unsigned pending, Value stage,
            Value parity) const override {
    RowCopies::wait(b, stream, pending, stage, parity);
    waitForPhase(b, barrierOf(b, stream, stage), parity);
  }

private:
  static constexpr int64_t swizzlePeriod = 1024;
  static constexpr unsigned rowStep = 4;
  static constexpr int64_t boxBytes = TileMajorStorage::tileBytes / rowStep;

  /// Warps that copy boxes.
  static unsigned issuers(const CopyingThreads &threads) {
    return std::min(rowStep, threads.count / threads.warpSize);
  }
};
} // namespace

const Transport &ufp4::target::tensorCopies() {
  static const TensorCopies transport;
  return transport;
}
