//===- my-opt.cpp - An optimizer with UFP4's passes among its own ---------===//
//
// Upstream's dialects and passes, UFP4's, and one pass of this project, which looks at what the
// rewriting made of a step.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Transforms/QuantizeTraining.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {
/// Remarks how many operands a module quantizes, how many of them stochastically, and its recipe.
struct CountQuantizes : PassWrapper<CountQuantizes, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountQuantizes)

  StringRef getArgument() const override { return "my-count-quantizes"; }
  StringRef getDescription() const override { return "Count what UFP4 quantizes"; }

  void runOnOperation() override {
    unsigned all = 0, stochastic = 0;
    getOperation().walk([&](ufp4::QuantizeOp op) {
      ++all;
      stochastic += op.isStochastic();
    });
    auto recipe = getOperation()->getAttrOfType<DictionaryAttr>(ufp4::kRecipeAttr);
    getOperation().emitRemark() << all << " quantizes, " << stochastic << " stochastic, recipe "
                                << (recipe ? recipe.get("name") : StringAttr());
  }
};
} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  ufp4::registerAllDialects(registry);
  registerTransformsPasses();
  ufp4::registerAllPasses();
  PassRegistration<CountQuantizes>();
  return asMainReturnCode(MlirOptMain(argc, argv, "my optimizer\n", registry));
}
