//===- TensorMma.h - tcgen05 ------------------------------------*- C++ -*-===//
//
// Products whose operands are read from shared memory and whose accumulators and scales are in
// tensor memory: 128 lanes of 512 columns (PTX ISA, "Tensorcore 5th Generation Family
// Instructions"). One thread issues them; they are done when a commit arrives at an mbarrier, and
// four warps read the sums, each its quarter of the lanes.
//
// Of a tile in the order of fours (OperandStorage.h) the lines are rows of 128 bytes swizzled as
// the instruction reads them, so line i of A is lane i, and line j of B column j.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_NVPTX_TENSORMMA_H
#define UFP4_TARGET_NVPTX_TENSORMMA_H

#include "ufp4/Target/Mma.h"

namespace ufp4::target {

/// What products read of the ring's first stage: descriptors (i64) of codes and of scales.
struct TensorOperands {
  std::array<mlir::Value, 2> codes, scales;
};

class TensorMma : public Mma {
public:
  /// What an instruction's name and descriptor say.
  struct Instruction {
    llvm::StringLiteral name, spelling, intrinsic;
    Path path;
    unsigned block;
    /// Bits 9:7 and 12:10 of its descriptor, and bit 23.
    unsigned element;
    bool isUE8M0;
    /// Codes lie on the uniform grid, which no document says of these elements.
    bool uniformCodes = false;
  };

  TensorMma(const TileMajorStorage &tiles, const Instruction &operation)
      : tiles(tiles), operation(operation) {}

  const TensorMma *asTensor() const override { return this; }
  llvm::StringRef name() const override { return operation.name; }
  Path path() const override { return operation.path; }
  llvm::StringRef instruction() const override { return operation.spelling; }
  unsigned m() const override { return TileMajorStorage::rows; }
  unsigned n() const override { return TileMajorStorage::rows; }
  unsigned k() const override { return tiles.chunkDepth * chunksOfProduct; }
  const OperandStorage &storage() const override { return tiles; }
  float factor(const numerics::Scheme &scheme) const override;
  unsigned rowGranule() const override { return lanesOfWarp; }
  unsigned columnGranule() const override { return n(); }
  unsigned runLength() const override { return 16; }
  unsigned productDepth(unsigned) const override { return k(); }
  unsigned scalesDepth(unsigned) const override { return tiles.depth; }
  /// Runs are stored one by one.
  unsigned accumulatorRegisters(unsigned, unsigned) const override { return runLength(); }
  unsigned operandRegisters(unsigned, unsigned) const override { return 0; }
  /// One that copies and one that multiplies.
  unsigned helperWarps() const override { return 2; }
  /// After which the swizzle repeats.
  unsigned stageAlignment() const override { return 1024; }
  unsigned tensorColumns(unsigned rows, unsigned columns, unsigned stages) const override {
    return columns + sumsShift + scaleStages(rows, columns, stages) * scaleColumns(rows, columns);
  }
  /// Stages that have columns for their scales, a divisor of all; as many as fit.
  unsigned scaleStages(unsigned rows, unsigned columns, unsigned stages) const {
    unsigned free = memoryColumns - columns - sumsShift, count = stages;
    while (count > 1 && (stages % count || count * scaleColumns(rows, columns) > free))
      --count;
    return count;
  }
  /// Of one stage.
  unsigned scaleColumns(unsigned rows, unsigned columns) const {
    return wordsOfRow() * (rows + columns) / lanesOfWarp;
  }

  /// Of the ring's first stage, whose tiles lie one behind the other: codes of A and of B, scales
  /// of A and of B.
  TensorOperands describe(KernelBuilder &b, mlir::Value ring,
                          const std::array<int64_t, 4> &tileBytes) const;
  /// Adds the products of a stage's tiles, of so many columns, to accumulators: by one thread.
  /// `stage`: where the stage begins, an i64 in units of 16 bytes; `sums` and `scales`: i32, places
  /// in tensor memory; `continues`: i1, whether anything has been accumulated yet. Two `blocks` of
  /// a cluster have all of this in the same places, each with its rows of A and of the sums and
  /// with its half of the columns' codes.
  void accumulate(KernelBuilder &b, const TensorOperands &operands, unsigned columns,
                  mlir::Value stage, mlir::Value sums, mlir::Value scales, mlir::Value continues,
                  unsigned blocks = 1) const;

  /// Neighbouring columns of C that `load` brings of a lane's row, a tile of B's, as vectors of
  /// `sumsType`; `warp`: i32, which quarter of the lanes it is.
  static constexpr unsigned columnsAtOnce = TileMajorStorage::rows;
  /// From the columns of one tile's sums to those of the next, whose next are the first's again: of
  /// two that follow each other wide tiles share some, for which the next waits.
  static constexpr unsigned sumsShift = columnsAtOnce;
  llvm::SmallVector<mlir::Value> load(KernelBuilder &b, mlir::Value warp, mlir::Value sums) const;
  /// Where they are in C.
  Accumulators runs(KernelBuilder &b, mlir::Value warp, mlir::Value lane,
                    llvm::ArrayRef<mlir::Value> sums) const;
  static constexpr unsigned lanesOfWarp = 32, quarters = TileMajorStorage::rows / lanesOfWarp;
  static mlir::VectorType sumsType(KernelBuilder &b) {
    return b.vector(columnsAtOnce / quarters, b.getF32Type());
  }

private:
  static constexpr unsigned memoryColumns = 512, chunksOfProduct = 2;
  unsigned wordsOfRow() const {
    return tiles.scaleTileBytes(operation.block) / TileMajorStorage::rows / 4;
  }

  const TileMajorStorage &tiles;
  const Instruction operation;
};

/// By a whole warp: allocates columns and stores at `slot` in shared memory where they begin, and
/// leaves allocating to others; frees them. Two `blocks` of a cluster both do so.
void emitTensorAllocation(KernelBuilder &b, mlir::Value slot, unsigned columns,
                          unsigned blocks = 1);
void emitTensorRelease(KernelBuilder &b, mlir::Value first, unsigned columns, unsigned blocks = 1);
/// An mbarrier's arrival, in each of the `blocks`, once all is done that the thread has issued.
void emitTensorCommit(KernelBuilder &b, mlir::Value barrier, unsigned blocks = 1);
/// Orders what threads do with tensor memory by what synchronises them next, or did last.
void emitTensorFence(KernelBuilder &b, bool isBefore);

} // namespace ufp4::target

#endif // UFP4_TARGET_NVPTX_TENSORMMA_H
