//===- Verify.h - rules that several operations share -----------*- C++ -*-===//

#ifndef UFP4_LIB_DIALECT_UFP4_IR_VERIFY_H
#define UFP4_LIB_DIALECT_UFP4_IR_VERIFY_H

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

namespace ufp4 {

/// V8: what is quantized has the type's logical shape.
mlir::LogicalResult verifyLogicalShape(mlir::Operation *op, llvm::StringRef what,
                                       mlir::ShapedType real, QuantizedTensorType quantized);
/// V55: what rows are gathered from has rank 2 and rows. What is quantized then: the gathered
/// tensor's type, or the input's own where no rows are given.
mlir::FailureOr<mlir::ShapedType> getGathered(mlir::Operation *op, mlir::ShapedType input,
                                              mlir::Value rows);
/// V9: `along` names a static dimension.
mlir::LogicalResult verifyAlong(mlir::Operation *op, mlir::ShapedType type, int64_t along);
/// V10: `evaluation = mma` is exact enough on bf16 inputs alone (Q2).
mlir::LogicalResult verifyEvaluation(mlir::Operation *op, mlir::ShapedType input,
                                     RotationAttr rotation);
/// V15: a part meets Q8.
mlir::LogicalResult verifyPlaceOfPart(mlir::Operation *op, PlaceAttr place,
                                      QuantizedTensorType type, bool hasAmax);
/// V20 to V24: the operands of a GEMM agree (G1).
mlir::LogicalResult verifyAgreement(mlir::Operation *op, QuantizedTensorType lhs,
                                    QuantizedTensorType rhs);
/// V50: rows meet stacked matrices, runs of K meet runs of K (G4). The shape of the product.
mlir::FailureOr<llvm::SmallVector<int64_t>>
getGroupedShape(mlir::Operation *op, QuantizedTensorType lhs, QuantizedTensorType rhs);

} // namespace ufp4

#endif // UFP4_LIB_DIALECT_UFP4_IR_VERIFY_H
