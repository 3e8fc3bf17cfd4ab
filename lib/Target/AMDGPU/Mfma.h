//===- Mfma.h - What MFMAs of 32 x 32 have in common ------------*- C++ -*-===//
//
// A result's rows are registers and its columns lanes; so columns of C are put there as rows, and a
// lane has runs of four in a row of C.
//
// Lane l holds of an operand row l % 32 and, of 16 positions, 8 (l / 32) to 8 (l / 32) + 7, and of
// a result column l % 32 and rows 8 (r / 4) + 4 (l / 32) + r % 4 (AMD, CDNA 3 ISA, "Matrix
// Arithmetic Instructions").
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TARGET_AMDGPU_MFMA_H
#define UFP4_LIB_TARGET_AMDGPU_MFMA_H

#include "AMDEmission.h"

#include "ufp4/Target/LaneMajorStorage.h"
#include "ufp4/Target/Mma.h"

namespace ufp4::target {

class Mfma32 : public FragmentMma {
public:
  unsigned m() const override { return 32; }
  unsigned n() const override { return 32; }
  /// Of instructions whose operands are one load of 16 bytes.
  unsigned k() const override { return tiles.depthOfPiece; }
  const OperandStorage &storage() const override { return tiles; }
  unsigned rowGranule() const override { return 32; }
  unsigned columnGranule() const override { return 32; }
  unsigned runLength() const override { return 4; }
  unsigned accumulatorRegisters(unsigned rows, unsigned columns) const override {
    return rows * columns / 64;
  }
  Fragment zero(KernelBuilder &b) const override { return {zeros(b, 16)}; }
  Accumulators runs(KernelBuilder &b, const WarpTile &tile,
                    llvm::ArrayRef<Fragment> sums) const override {
    return runsOfColumns(b, tile, sums, 32, runLength());
  }

protected:
  explicit Mfma32(const LaneMajorStorage &tiles) : tiles(tiles) {}

  /// FragmentAddresses::codes.
  mlir::Value addressCodes(KernelBuilder &b, Side side, const WarpTile &tile,
                           mlir::Value codes) const;
  /// A lane's 16 bytes of each fragment of a step.
  llvm::SmallVector<mlir::Value> loadPieces(KernelBuilder &b, Side side, const WarpTile &tile,
                                            const FragmentAddresses &addresses, mlir::Value stage,
                                            unsigned step, mlir::Type type) const;
  static mlir::Value zeros(KernelBuilder &b, int64_t count);
  /// Columns of C are the rows of the result: `columns` is the first operand.
  static mlir::Value emitMfma(KernelBuilder &b, llvm::StringRef name, mlir::Value columns,
                              mlir::Value rows, mlir::Value sum);

private:
  const LaneMajorStorage &tiles;
};

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_AMDGPU_MFMA_H
