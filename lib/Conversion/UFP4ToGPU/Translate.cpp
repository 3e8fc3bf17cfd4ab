//===- Translate.cpp - Kernels to LLVM IR ---------------------------------===//

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "ufp4/Target/NVPTX/Binary.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace ufp4;

void ufp4::loadKernelDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, gpu::GPUDialect, NVVM::NVVMDialect, scf::SCFDialect>();
}

LogicalResult ufp4::lowerKernelModule(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  // The interfaces by which dialects take part in the conversion.
  DialectRegistry registry;
  registerAllExtensions(registry);
  context->appendDialectRegistry(registry);

  PassManager pm(context, gpu::GPUModuleOp::getOperationName());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  ConvertGpuOpsToNVVMOpsOptions options;
  options.indexBitwidth = 32;
  pm.addPass(createConvertGpuOpsToNVVMOps(options));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCSEPass());
  return pm.run(module);
}

std::unique_ptr<llvm::Module> ufp4::translateKernelModule(gpu::GPUModuleOp module,
                                                          llvm::LLVMContext &context,
                                                          const target::Chip &chip) {
  OwningOpRef<ModuleOp> parent(ModuleOp::create(module.getLoc()));
  gpu::GPUModuleOp lowered = module.clone();
  parent->push_back(lowered);
  if (failed(lowerKernelModule(lowered)))
    return nullptr;
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  module.getContext()->appendDialectRegistry(registry);
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(lowered, context, module.getName());
  if (!translated)
    return nullptr;
  if (llvm::Error error = target::prepareModule(*translated, chip)) {
    module.emitError(llvm::toString(std::move(error)));
    return nullptr;
  }
  return translated;
}
