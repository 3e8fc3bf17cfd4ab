//===- QuantizeTraining.h - the rewriting, as a function --------*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_QUANTIZETRAINING_H
#define UFP4_TRANSFORMS_QUANTIZETRAINING_H

#include "ufp4/Transforms/Decisions.h"
#include "ufp4/Transforms/Passes.h"

namespace ufp4 {

/// The argument attribute of the tensor<3xi32> of seed (low, high) and step.
inline constexpr llvm::StringLiteral kRngAttr = "ufp4.rng";

/// The module attribute that names the recipe of a rewritten module: a dictionary of hash and name.
inline constexpr llvm::StringLiteral kRecipeAttr = "ufp4.recipe";

/// What the rewriting did, beside its decisions.
struct QuantizeTrainingResult {
  Recipe recipe;
  unsigned numQuantizes = 0;
};

/// Rewrites a module by `options` (those of --ufp4-quantize-training; `decisions` is the pass's
/// own) and reports each decision, in the order of Q9.
mlir::FailureOr<QuantizeTrainingResult>
quantizeTraining(mlir::ModuleOp module, const QuantizeTrainingOptions &options,
                 llvm::ArrayRef<DecisionObserver *> observers);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_QUANTIZETRAINING_H
