//===- MmaScaledLanes.h - Block-scaled MFMA and WMMA ------------*- C++ -*-===//
//
// What the block-scaled instructions of AMD's chips have in common: a lane loads its codes, and
// makes E2M3 of them where they are not what the instruction reads, and its scales, a line for all
// steps of a tile, as they lie. A result's rows are registers and its columns lanes; so columns of
// C are put there as rows, and a lane has runs of neighbours in a row of C.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TARGET_AMDGPU_MMASCALEDLANES_H
#define UFP4_LIB_TARGET_AMDGPU_MMASCALEDLANES_H

#include "AMDEmission.h"

#include "ufp4/Target/LaneMajorScaledStorage.h"
#include "ufp4/Target/Mma.h"

namespace ufp4::target {

class MmaScaledLanes : public FragmentMma {
public:
  llvm::StringRef name() const override { return spelling; }
  Path path() const override { return way; }
  llvm::StringRef instruction() const override { return rowOfTable; }
  bool takes(const numerics::Scheme &scheme) const override;
  unsigned m() const override { return shape.rows; }
  unsigned n() const override { return shape.rows; }
  unsigned k() const override { return shape.depth; }
  const OperandStorage &storage() const override { return codes; }
  unsigned rowGranule() const override { return shape.rows; }
  unsigned columnGranule() const override { return shape.rows; }
  unsigned productDepth(unsigned) const override { return shape.depth; }
  unsigned scalesDepth(unsigned) const override { return codes.depth; }
  unsigned accumulatorRegisters(unsigned rows, unsigned columns) const override {
    return rows * columns / shape.lanes;
  }
  unsigned operandRegisters(unsigned rows, unsigned columns) const override {
    return (rows + columns) / shape.rows * (wordsOfFragment() + 1);
  }
  /// Codes of e1m2 are eighths in E2M3.
  float factor(const numerics::Scheme &scheme) const override;

  FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile, mlir::Value codes,
                            mlir::Value scales) const override;
  llvm::SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                            const FragmentAddresses &addresses, mlir::Value stage,
                                            unsigned step) const override;
  llvm::SmallVector<mlir::Value> loadScales(KernelBuilder &b, Side side, const WarpTile &tile,
                                            const FragmentAddresses &addresses, mlir::Value stage,
                                            unsigned group) const override;
  Fragment zero(KernelBuilder &b) const override;
  Accumulators runs(KernelBuilder &b, const WarpTile &tile,
                    llvm::ArrayRef<Fragment> sums) const override {
    return runsOfColumns(b, tile, sums, shape.rows, runLength());
  }

protected:
  MmaScaledLanes(llvm::StringLiteral name, Path path, llvm::StringLiteral instruction,
                 const LaneMajorScaledStorage &storage, unsigned block)
      : codes(storage), shape(storage.shape), block(block), spelling(name), way(path),
        rowOfTable(instruction) {}

  /// Of E2M3 in 6 bits, or E2M1 in 4.
  bool isContainer() const { return codes.form != LaneForm::Nibbles; }
  unsigned wordsOfFragment() const { return shape.codesOfLane() * (isContainer() ? 6 : 4) / 32; }

  const LaneMajorScaledStorage &codes;
  const LaneShape &shape;
  /// Of a scale.
  const unsigned block;

private:
  const llvm::StringLiteral spelling;
  const Path way;
  const llvm::StringLiteral rowOfTable;
};

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_AMDGPU_MMASCALEDLANES_H
