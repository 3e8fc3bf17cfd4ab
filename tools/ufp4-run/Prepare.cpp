//===- Prepare.cpp - From what was read to what the back end takes --------===//

#include "Prepare.h"

#include "ufp4/Driver/Driver.h"

using namespace mlir;

namespace ufp4::run {

LogicalResult prepareModule(ModuleOp module, const RunOptions &options,
                            std::vector<QuantizeSite> &sites) {
  DecisionList list;
  if (!options.training.recipe.empty()) {
    std::unique_ptr<DecisionObserver> remarks = createRemarkObserver();
    if (failed(quantizeTraining(module, options.training, {&list, remarks.get()})))
      return failure();
  }
  if (options.listLayers) {
    printDecisions(llvm::outs(), list.decisions);
    return success();
  }
  bool recording = !options.dumpQuantized.empty() || !options.report.empty();
  return lowerQuantizes(module, recording ? &sites : nullptr, target::findChip(options.target));
}

} // namespace ufp4::run
