//===- Prepare.cpp - From what was read to what the back end takes --------===//

#include "Prepare.h"

#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Transforms/QuantizeTraining.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

namespace ufp4::run {

void registerDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllToLLVMIRTranslations(registry);
}

/// Rewrites model IR by the recipe that the options name; tells `list` each decision.
static LogicalResult quantize(ModuleOp module, const RunOptions &options, DecisionList &list) {
  QuantizeTrainingOptions training;
  training.recipe = options.recipe;
  SmallVector<StringRef> params;
  StringRef(options.params).split(params, ',', -1, /*KeepEmpty=*/false);
  for (StringRef param : params)
    training.params.push_back(param.str());
  training.exclude = options.exclude;
  training.skipFirst = options.skipFirst;
  training.skipLast = options.skipLast;
  training.includeF32 = options.includeF32;
  training.failOnMiss = options.failOnMiss;
  std::unique_ptr<DecisionObserver> remarks = createRemarkObserver();
  return quantizeTraining(module, training, {&list, remarks.get()});
}

/// Describes each quantize in pre-order, the order of the ids that recording passes.
static std::vector<QuantizeSite> describeSites(ModuleOp module) {
  llvm::DenseMap<Operation *, int64_t> ordinals;
  module.walk<WalkOrder::PreOrder>([&](MatmulOp op) { ordinals[op] = ordinals.size(); });
  std::vector<QuantizeSite> sites;
  module.walk<WalkOrder::PreOrder>([&](QuantizeOp op) {
    QuantizeSite &site = sites.emplace_back();
    site.scheme = op.getQuantizedType().getScheme().getNumerics();
    site.stochastic = op.isStochastic();
    if (site.stochastic) {
      site.bits = op.getRandomBits();
      site.stream = *op.getStream();
    }
    // The GEMMs that read it, by their place in the input module where the rewriting left it.
    SmallVector<std::tuple<int64_t, unsigned, StringRef>> uses;
    for (OpOperand &use : op->getUses())
      if (auto matmul = dyn_cast<MatmulOp>(use.getOwner())) {
        auto gemm = matmul->getAttrOfType<DictionaryAttr>(kGemmAttr);
        auto index = gemm ? gemm.getAs<IntegerAttr>("index") : IntegerAttr();
        auto role = gemm ? gemm.getAs<StringAttr>("role") : StringAttr();
        uses.push_back({index ? index.getInt() : ordinals[matmul], use.getOperandNumber(),
                        role ? role.getValue() : stringifyRole(Role::None)});
      }
    llvm::sort(uses);
    if (uses.empty())
      return;
    site.gemm = std::get<0>(uses.front());
    site.operand = std::get<1>(uses.front());
    site.role = std::get<2>(uses.front()).str();
    for (auto [gemm, operand, role] : ArrayRef(uses).drop_front())
      site.uses.push_back(gemm);
  });
  return sites;
}

LogicalResult prepareModule(ModuleOp module, const RunOptions &options,
                            std::vector<QuantizeSite> &sites) {
  DecisionList list;
  if (!options.recipe.empty() && failed(quantize(module, options, list)))
    return failure();
  if (options.listLayers) {
    printDecisions(llvm::outs(), list.decisions);
    return success();
  }
  PassManager pm(module.getContext());
  if (!options.dumpQuantized.empty() || !options.report.empty()) {
    sites = describeSites(module);
    pm.addPass(createRecordQuantizes());
  }
  pm.addPass(createOutlineQuantizes());
  pm.addPass(createUFP4ToVector());
  return pm.run(module);
}

} // namespace ufp4::run
