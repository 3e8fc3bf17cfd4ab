//===- RngThreading.h - brings the seed to where it is drawn from -*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_RNGTHREADING_H
#define UFP4_TRANSFORMS_RNGTHREADING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ufp4 {

/// Where a public function's seed and step come from.
struct RngSource {
  /// An argument that already is the tensor<3xi32>; -1: a new last argument.
  int seedArg = -1;
  /// Constants instead of an argument.
  std::optional<std::pair<uint64_t, uint32_t>> fixed;
  /// Every public function gains the argument, also those that draw nothing.
  bool always = false;
};

/// Threads seed and step from public functions through loops and private callees (Q10).
class RngThreading {
public:
  struct State {
    mlir::Value seed, step;
  };

  RngThreading(mlir::ModuleOp module, RngSource source) : module(module), source(source) {}

  /// Why an operation cannot draw: it stands in a loop whose trips have no number.
  static std::optional<std::string> getObstacle(mlir::Operation *op);

  /// Gives every function that reaches one of `sites` its seed; fails with an error where the
  /// source does not fit a function.
  mlir::LogicalResult prepare(llvm::ArrayRef<mlir::Operation *> sites);

  /// The seed and step at an operation, trips and calls folded in.
  State getState(mlir::Operation *op);

private:
  mlir::LogicalResult addArguments(mlir::func::FuncOp function);
  mlir::LogicalResult passArguments(mlir::func::CallOp call, mlir::func::FuncOp callee);

  mlir::ModuleOp module;
  RngSource source;
  llvm::SetVector<mlir::Operation *> functions;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::func::CallOp>> callers;
  /// By the first block of a function's or a loop's body.
  llvm::DenseMap<mlir::Block *, State> states;
};

} // namespace ufp4

#endif // UFP4_TRANSFORMS_RNGTHREADING_H
