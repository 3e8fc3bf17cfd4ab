//===- Kernels.cpp - Steps whose GEMMs run as a chip's kernels ------------===//

#include "ufp4/Driver/Kernels.h"

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"
#include "ufp4/Execution/Recorder.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using llvm::Expected;

namespace ufp4 {

static llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", message.str().c_str());
}

Expected<std::unique_ptr<EmulatedDevice>> loadKernels(gpu::GPUModuleOp kernels,
                                                      const target::Chip &chip,
                                                      std::vector<target::KernelEntry> entries) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code = translateKernelModule(kernels, *context, chip);
  if (!code)
    return fail("the kernels cannot be translated for " + chip.name);
  return EmulatedDevice::create(std::move(code), std::move(context), chip, std::move(entries));
}

Expected<EmulatedStep> compileForEmulator(ModuleOp module, const target::Chip &chip) {
  target::Manifest manifest;
  PassManager toKernels(module.getContext());
  buildTensorsToBuffersPipeline(toKernels, CPUPipelineOptions());
  toKernels.addPass(createUFP4ToGPU(chip.name, manifest));
  if (failed(toKernels.run(module)))
    return fail("the module cannot be lowered to kernels for " + chip.name);

  EmulatedStep step;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    if (step.device)
      return fail("the module has kernels of its own, '" + kernels.getName() + "'");
    Expected<std::unique_ptr<EmulatedDevice>> device =
        loadKernels(kernels, chip, std::move(manifest.kernels));
    if (!device)
      return device.takeError();
    step.device = std::move(*device);
  }

  PassManager toLLVM(module.getContext());
  toLLVM.addPass(createUFP4LowerLaunches());
  buildBuffersToLLVMPipeline(toLLVM);
  if (failed(toLLVM.run(module)))
    return fail("the module cannot be lowered to the CPU");
  std::vector<JitSymbol> symbols = recorderSymbols();
  llvm::append_range(symbols, launchSymbols());
  Expected<std::unique_ptr<JitModule>> code = JitModule::create(module, symbols);
  if (!code)
    return code.takeError();
  step.code = std::move(*code);
  return step;
}

} // namespace ufp4
