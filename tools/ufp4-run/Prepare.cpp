//===- Prepare.cpp - From what was read to what the back end takes --------===//

#include "Prepare.h"

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Target/LLVMIR/Dialect/All.h"

namespace ufp4::run {

void registerDialects(mlir::DialectRegistry &registry) {
  registerCPUPipelineDialects(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
}

llvm::LogicalResult prepareModule(mlir::ModuleOp module, const RunOptions &options,
                                  std::vector<QuantizeSite> &sites) {
  if (options.recipe.empty())
    return mlir::success();
  return module.emitError() << "unknown recipe '" << options.recipe << "'; known: none";
}

} // namespace ufp4::run
