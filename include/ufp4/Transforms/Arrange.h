//===- Arrange.h - reorders a tensor's dimensions by factors ----*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_ARRANGE_H
#define UFP4_TRANSFORMS_ARRANGE_H

#include "mlir/IR/Builders.h"
#include "ufp4/Analysis/OperandLayout.h"

namespace ufp4 {

/// Brings a tensor whose dimensions are made of the factors `source` to dimensions made of the
/// factors `target`, which are the same factors, cut as finely or coarser: at most one expansion,
/// one transpose and one collapse, and none that changes nothing.
mlir::Value arrange(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                    llvm::ArrayRef<Factors> source, llvm::ArrayRef<Factors> target);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_ARRANGE_H
