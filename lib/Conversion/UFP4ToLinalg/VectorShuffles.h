//===- VectorShuffles.h - vectors joined, interleaved, transposed -*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOLINALG_VECTORSHUFFLES_H
#define UFP4_LIB_CONVERSION_UFP4TOLINALG_VECTORSHUFFLES_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ufp4 {

int64_t lanesOf(mlir::Value vector);
/// The first elements of a power of two of vectors, then the second ones, ..
mlir::Value interleave(mlir::ImplicitLocOpBuilder &b, llvm::SmallVector<mlir::Value> vectors);
/// Vectors side by side until they have `lanes` elements. Result i of r holds i, i + r, i + 2r, ..
llvm::SmallVector<mlir::Value> joinRows(mlir::ImplicitLocOpBuilder &b,
                                        llvm::ArrayRef<mlir::Value> rows, int64_t lanes);
/// Rows of a matrix to its columns: `lanes` vectors of 2^c elements become 2^c of `lanes`.
llvm::SmallVector<mlir::Value> transpose(mlir::ImplicitLocOpBuilder &b,
                                         llvm::SmallVector<mlir::Value> rows);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOLINALG_VECTORSHUFFLES_H
