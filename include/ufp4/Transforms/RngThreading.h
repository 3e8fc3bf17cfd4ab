//===- RngThreading.h - brings the seed to where it is drawn from -*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_RNGTHREADING_H
#define UFP4_TRANSFORMS_RNGTHREADING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Transforms/ModelWriter.h"
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
  RngThreading(mlir::ModuleOp module, RngSource source, const Frontends &frontends,
               ModelWriter &writer)
      : module(module), source(source), frontends(frontends), writer(writer) {}

  /// Why an operation cannot draw: it stands in a loop whose trips have no number.
  std::optional<std::string> getObstacle(mlir::Operation *op) const;

  /// Gives every function that reaches one of `sites` its seed; fails with an error where the
  /// source does not fit a function.
  mlir::LogicalResult prepare(llvm::ArrayRef<mlir::Operation *> sites);

  /// The seed and step at an operation, trips and calls folded in.
  SeedState getState(mlir::Operation *op);

private:
  mlir::LogicalResult addArguments(mlir::func::FuncOp function);
  mlir::LogicalResult passArguments(mlir::Operation *call, mlir::func::FuncOp callee);

  mlir::ModuleOp module;
  RngSource source;
  const Frontends &frontends;
  ModelWriter &writer;
  llvm::SetVector<mlir::Operation *> functions;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>> callers;
  /// By the first block of a function's or a loop's body.
  llvm::DenseMap<mlir::Block *, SeedState> states;
};

} // namespace ufp4

#endif // UFP4_TRANSFORMS_RNGTHREADING_H
