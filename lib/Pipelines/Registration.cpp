//===- Registration.cpp - everything UFP4 registers -----------------------===//

#include "ufp4/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Transforms/Passes.h"

void ufp4::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<UFP4Dialect>();
}

void ufp4::buildToCPUPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options) {
  pm.addPass(createOutlineQuantizes());
  pm.addPass(createUFP4ToVector());
  buildUFP4ToCPUPipeline(pm, options);
}

void ufp4::registerAllPasses() {
  registerUFP4CPUPasses();
  registerUFP4ToLinalgPasses();
  registerUFP4TransformsPasses();
  registerTestGemmKernelPass();
  mlir::PassPipelineRegistration<CPUPipelineOptions>(
      "ufp4-to-cpu",
      "From IR on tensors, rewritten or not, to the LLVM dialect: vectorised quantizes and GEMMs, "
      "entry points that set their own floating-point mode",
      buildToCPUPipeline);
}
