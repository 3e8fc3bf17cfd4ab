//===- Prepare.cpp - From what was read to what the back end takes --------===//

#include "Prepare.h"

#include "ufp4/Driver/Driver.h"
#include "ufp4/Driver/Rivals.h"
#include "ufp4/Transforms/QuantizeTraining.h"

#include "llvm/Support/Path.h"

using namespace mlir;

namespace ufp4::run {

LogicalResult prepareModule(ModuleOp module, const RunOptions &options,
                            std::vector<QuantizeSite> &sites, ReportedRun &reported) {
  // Before the rewriting, which takes the module's own recipes away.
  std::string own;
  if (!options.compare.empty()) {
    FailureOr<Recipe> recipe = findRecipe(options.training.recipe, module);
    if (failed(recipe))
      return failure();
    own = recipe->name;
  }
  FailureOr<std::vector<RivalRecipe>> rivals =
      findRivals(splitRecipes(options.compare), own, module);
  if (failed(rivals))
    return failure();
  DecisionList list;
  if (!options.training.recipe.empty()) {
    std::unique_ptr<DecisionObserver> remarks = createRemarkObserver();
    FailureOr<QuantizeTrainingResult> result =
        quantizeTraining(module, options.training, {&list, remarks.get()});
    if (failed(result))
      return failure();
    reported.decisions = toJSON(list.decisions, result->recipe);
  }
  if (options.listLayers) {
    printDecisions(llvm::outs(), list.decisions);
    return success();
  }
  reported.module = llvm::sys::path::filename(options.input).str();
  std::tie(reported.recipe, reported.recipeHash) = getRecipeOf(module);
  reported.seed = options.seed;
  reported.step = options.step;
  reported.rivals = std::move(*rivals);
  bool recording = !options.dumpQuantized.empty() || !options.report.empty();
  return lowerQuantizes(module, recording ? &sites : nullptr, target::findChip(options.target));
}

} // namespace ufp4::run
