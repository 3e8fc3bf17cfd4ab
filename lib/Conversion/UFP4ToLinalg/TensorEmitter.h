//===- TensorEmitter.h - tensors of any shape, step by step -----*- C++ -*-===//
//
// The few tensor and linalg shapes that the lowering is made of. Every extent may be dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOLINALG_TENSOREMITTER_H
#define UFP4_LIB_CONVERSION_UFP4TOLINALG_TENSOREMITTER_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ufp4 {

class TensorEmitter {
public:
  using Sizes = llvm::SmallVector<mlir::OpFoldResult>;
  /// Yields one element of each result from one element of each input.
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::OpBuilder &, mlir::Location,
                                                                 mlir::ValueRange)>;

  TensorEmitter(mlir::OpBuilder &builder, mlir::Location loc) : b(loc, builder) {}

  static mlir::RankedTensorType typeOf(mlir::Value tensor);
  Sizes sizesOf(mlir::Value tensor);
  mlir::Value asValue(mlir::OpFoldResult size);
  mlir::Value empty(const Sizes &sizes, mlir::Type element);
  mlir::Value filled(const Sizes &sizes, mlir::TypedAttr value);
  /// The same values under a type of the same shape, more or less static.
  mlir::Value cast(mlir::Value tensor, mlir::Type type);

  /// Zeros at the end of a dimension, up to a multiple of `multiple`.
  mlir::Value padTo(mlir::Value tensor, int64_t dim, int64_t multiple);
  /// The first `size` of a dimension.
  mlir::Value takeFront(mlir::Value tensor, int64_t dim, mlir::OpFoldResult size);
  /// A dimension, a multiple of `by`, as two; and two neighbours as one.
  mlir::Value split(mlir::Value tensor, int64_t dim, int64_t by);
  mlir::Value merge(mlir::Value tensor, int64_t dim);
  /// One position of the last dimension, which disappears.
  mlir::Value pickLast(mlir::Value tensor, int64_t position);
  /// Result dimension i is the input's dimension order[i].
  mlir::Value permute(mlir::Value tensor, llvm::ArrayRef<int64_t> order);

  /// The dimensions of a view in the input's terms: all but `along`, in order, then `along`.
  static llvm::SmallVector<int64_t> viewOrder(int64_t rank, int64_t along);

  /// A map from `rank` loops to some of them.
  mlir::AffineMap select(int64_t rank, llvm::ArrayRef<int64_t> dims);
  /// All of `rank` loops but the given ones, in order.
  static llvm::SmallVector<int64_t> allBut(int64_t rank, llvm::ArrayRef<int64_t> dims);

  /// An elementwise op over `sizes` whose inputs are read through maps.
  llvm::SmallVector<mlir::Value> map(const Sizes &sizes, mlir::ValueRange inputs,
                                     llvm::ArrayRef<mlir::AffineMap> maps,
                                     llvm::ArrayRef<mlir::Type> elements, Body body);
  /// The greatest of f(x), unsigned i32 and at least 0, over all dimensions but `kept`.
  mlir::Value
  maximum(mlir::Value tensor, llvm::ArrayRef<int64_t> kept,
          llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::Value)> f);
  /// The only element of a tensor of rank 0.
  mlir::Value extract(mlir::Value tensor);

  mlir::ImplicitLocOpBuilder &builder() { return b; }

private:
  mlir::ImplicitLocOpBuilder b;
};

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOLINALG_TENSOREMITTER_H
