//===- RowCopies.h - cp.async of row-major operands -------------*- C++ -*-===//
//
// Operands made elsewhere lie row by row, and rows begin anywhere, so each row that a thread copies
// from costs a pointer, and each piece of a row behind Kp a question: a copy that takes no bytes of
// its source writes zeros. Two lanes take 32 bytes of a row, a sector, and go on along it; lanes of
// a warp take rows whose pieces have different banks. Rows behind the last one are copies of it,
// whose products nobody stores. A row's scales are one thread's; where Kp lets rows of them begin
// at odd multiples of one or two bytes, which no copy takes, they come through registers.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TARGET_NVPTX_ROWCOPIES_H
#define UFP4_LIB_TARGET_NVPTX_ROWCOPIES_H

#include "ufp4/Target/Transport.h"

namespace ufp4::target {

class RowCopies : public Transport {
public:
  llvm::StringRef name() const override { return "cp_async_rows"; }
  bool runsOn(const Chip &chip) const override { return chip.has(Feature::AsyncCopy); }
  const OperandStorage *source(const OperandStorage &tiles) const override {
    return &tiles == &tileMajor4BitStorage() ? &naturalStorage() : nullptr;
  }
  unsigned alignment() const override { return TileMajorStorage::chunkBytes; }
  unsigned depthGranule(const numerics::Scheme &scheme) const override { return scheme.block; }
  bool completesByGroup() const override { return true; }
  unsigned barrierBytes() const override { return 0; }
  bool fillsWithZeros() const override { return true; }
  std::optional<std::string> verify(llvm::ArrayRef<int64_t> tileBytes, unsigned threads,
                                    unsigned warpSize) const override;

  void prepare(KernelBuilder &, const CopyingThreads &, const TileStream &, mlir::Value,
               unsigned) const override {}
  /// A pointer for each row that a thread copies from.
  llvm::SmallVector<mlir::Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                                       const TileStream &stream) const override;
  llvm::SmallVector<mlir::Value> advance(KernelBuilder &b, const CopyingThreads &threads,
                                         const TileStream &stream,
                                         mlir::ValueRange carried) const override;
  llvm::SmallVector<mlir::Value> issue(KernelBuilder &b, const CopyingThreads &threads,
                                       const TileStream &stream, mlir::ValueRange carried,
                                       mlir::Value step, mlir::Value stage) const override;
  void commit(KernelBuilder &b) const override;
  void wait(KernelBuilder &b, const TileStream &stream, unsigned pending, mlir::Value stage,
            mlir::Value parity) const override;
  void end(KernelBuilder &b) const override;

protected:
  /// The same for the rows of one plane of both operands.
  static llvm::SmallVector<mlir::Value> begin(KernelBuilder &b, const CopyingThreads &threads,
                                              const TileStream &stream, PlaneIndex plane);
  static llvm::SmallVector<mlir::Value> advance(KernelBuilder &b, const TileStream &stream,
                                                PlaneIndex plane, mlir::ValueRange carried);
  static void issue(KernelBuilder &b, const CopyingThreads &threads, const TileStream &stream,
                    PlaneIndex plane, mlir::ValueRange pointers, mlir::Value step,
                    mlir::Value stage);
};

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_NVPTX_ROWCOPIES_H
