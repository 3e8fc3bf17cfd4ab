//===- TensorSums.h - From tensor memory to the epilogue --------*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_TENSORSUMS_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_TENSORSUMS_H

#include "KernelParts.h"
#include "ufp4/Target/NVPTX/TensorMma.h"

namespace ufp4 {

/// Factors of sums as vectors of equal ones: neighbours in a vector are neighbours in registers,
/// which some chips multiply at once.
inline mlir::SmallVector<mlir::Value> widenFactors(target::KernelBuilder &b,
                                                   mlir::SmallVector<mlir::Value> factors) {
  for (mlir::Value &factor : factors)
    factor = b.join(
        mlir::SmallVector<mlir::Value>(target::TensorMma::sumsType(b).getNumElements(), factor));
  return factors;
}

/// What TensorMma::load brings from a place in tensor memory; zeros where nothing was summed.
inline mlir::SmallVector<mlir::Value> loadSums(target::KernelBuilder &b,
                                               const target::TensorMma &mma, mlir::Value warp,
                                               mlir::Value place, mlir::Value isEmpty) {
  const mlir::VectorType type = mma.sumsType(b);
  const mlir::SmallVector<mlir::Type> types(mma.quarters, type);
  const mlir::SmallVector<mlir::Value> zeros(
      mma.quarters, mlir::arith::ConstantOp::create(b, b.getZeroAttr(type)));
  return emitChoice(
      b, types, isEmpty, [&] { return zeros; }, [&] { return mma.load(b, warp, place); });
}

inline void scaleSums(target::KernelBuilder &b, llvm::MutableArrayRef<mlir::Value> sums,
                      llvm::ArrayRef<mlir::Value> wideFactors) {
  for (mlir::Value &some : sums)
    for (mlir::Value factor : wideFactors)
      some = b.mulF(some, factor);
}

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_TENSORSUMS_H
