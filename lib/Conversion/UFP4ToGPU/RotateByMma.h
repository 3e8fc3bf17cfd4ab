//===- RotateByMma.h - Rotations by a matrix unit ---------------*- C++ -*-===//
//
// Q2 with `evaluation = mma`: 16 runs are the rows of A, and diag(ε)·H is B. Products by ±1 are
// exact, and so are all sums of a run whose magnitudes lie within a factor 2^11.
//
// A lane has a run of its own, before and after, and goes by shared memory: matrix loads bring runs
// as fragments, and sums are stored as they come, rows g and g + 8, columns 2t and 2t + 1 of lane
// 4g + t.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_ROTATEBYMMA_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_ROTATEBYMMA_H

#include "ufp4/Numerics/Rotate.h"
#include "ufp4/Target/Emission.h"

namespace ufp4 {

/// Rotates a run of each lane of a warp at once. All lanes come to it.
class MatrixRotation {
public:
  /// `shared` is the warp's, `bytesOf` bytes.
  MatrixRotation(target::KernelBuilder &b, const numerics::Rotation &rotation, mlir::Value lane,
                 mlir::Value shared);

  static bool takes(const numerics::Rotation &rotation) {
    return rotation.size == 16 || rotation.size == 32;
  }
  static unsigned bytesOf(unsigned size) { return lanes * size * 4; }

  /// Of the lane's run, words of two bf16, its x' without the factor 1/√n, f32 as i32.
  llvm::SmallVector<mlir::Value> rotate(llvm::ArrayRef<mlir::Value> words);

  static constexpr unsigned lanes = 32;

private:
  mlir::Value placeOfInput(mlir::Value run, mlir::Value chunk);
  mlir::Value placeOfSums(mlir::Value run, mlir::Value chunk);
  void storeSums(llvm::ArrayRef<llvm::SmallVector<mlir::Value, 4>> fragment, unsigned offset);

  target::KernelBuilder &b;
  const unsigned size;
  mlir::Value lane, shared;
  /// Words of B in its first eight columns, by step and register.
  llvm::SmallVector<std::array<mlir::Value, 2>, 2> signs;
};

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_ROTATEBYMMA_H
