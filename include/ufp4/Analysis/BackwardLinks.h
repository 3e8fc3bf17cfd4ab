//===- BackwardLinks.h - a step cut into forward and backward ---*- C++ -*-===//
//
// AOTAutograd gives a step as two functions, the second of which reads what the first saved.
// Attributes on the second say which of its arguments is what, so that the analysis sees the step
// as one.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_ANALYSIS_BACKWARDLINKS_H
#define UFP4_ANALYSIS_BACKWARDLINKS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace ufp4 {

/// On a backward function: the symbol of its forward.
inline constexpr llvm::StringLiteral kForwardAttr = "ufp4.forward";
/// On an argument of a backward function: the number of the forward's result that it is.
inline constexpr llvm::StringLiteral kSavedAttr = "ufp4.saved";
/// On an argument of a backward function: the number of the forward's result whose gradient it is.
inline constexpr llvm::StringLiteral kTangentAttr = "ufp4.tangent";

struct BackwardLink {
  mlir::func::FuncOp backward, forward;
  /// For each argument of the backward: the number of a result of the forward; -1: none.
  llvm::SmallVector<int> saved, tangents;
};

/// Reads a module's links; an error where one does not fit its functions.
mlir::FailureOr<llvm::SmallVector<BackwardLink, 1>> findBackwardLinks(mlir::ModuleOp module);

} // namespace ufp4

#endif // UFP4_ANALYSIS_BACKWARDLINKS_H
