//===- Kernels.cpp - Steps whose GEMMs run as a chip's kernels ------------===//

#include "ufp4/Driver/Kernels.h"

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"
#include "ufp4/Execution/Recorder.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Target/Toolchain.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ufp4 {

Expected<std::unique_ptr<EmulatedDevice>> loadKernels(gpu::GPUModuleOp kernels,
                                                      const target::Chip &chip,
                                                      std::vector<target::KernelEntry> entries) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code = translateKernelModule(kernels, *context, chip);
  if (!code)
    return fail("the kernels cannot be translated for " + chip.name);
  return EmulatedDevice::create(std::move(code), std::move(context), chip, std::move(entries));
}

Expected<gpu::GPUModuleOp> makeKernels(ModuleOp module, const target::Chip &chip,
                                       target::Manifest &manifest, bool outParams) {
  if (auto own = module.getOps<gpu::GPUModuleOp>(); !own.empty())
    return fail("the module has kernels of its own, '" + (*own.begin()).getName() + "'");
  PassManager pm(module.getContext());
  CPUPipelineOptions options;
  options.outParams = outParams;
  buildTensorsToBuffersPipeline(pm, options);
  pm.addPass(createUFP4ToGPU(chip.name, manifest));
  if (failed(pm.run(module)))
    return fail("the module cannot be lowered to kernels for " + chip.name);
  auto made = module.getOps<gpu::GPUModuleOp>();
  return made.empty() ? gpu::GPUModuleOp() : *made.begin();
}

void describeObjects(target::Manifest &manifest, const KernelObjects &objects) {
  addUsage(manifest, objects);
  for (target::KernelEntry &kernel : manifest.kernels) {
    bool isRewritten = llvm::any_of(objects.rewritten, [&](const target::MarkedKernel &rewritten) {
      return rewritten.name == kernel.name;
    });
    const target::Chip &chip = *target::findChip(kernel.chip);
    kernel.assembly = isRewritten ? "" : target::getToolchain(chip).assemblyFile;
    kernel.binary = objects.binary ? target::getToolchain(chip).binaryFile : "";
  }
}

Error writeKernels(const OutputDirectory &out, target::Manifest &manifest,
                   const KernelObjects &objects) {
  describeObjects(manifest, objects);
  if (Error error = writeFile(out.path("kernels.ll"), objects.code))
    return error;
  const target::Chip &chip = *target::findChip(objects.assembly.chip);
  if (Error error =
          writeFile(out.path(target::getToolchain(chip).assemblyFile), objects.assembly.text))
    return error;
  if (!objects.rewritten.empty())
    if (Error error = writeFile(out.path("kernels.unpatched.ptx"), objects.unpatched.text))
      return error;
  if (objects.binary)
    if (Error error = writeFile(out.path(target::getToolchain(chip).binaryFile),
                                {objects.binary->bytes.data(), objects.binary->bytes.size()}))
      return error;
  return target::writeManifest(manifest, out.path("manifest.json"));
}

Expected<EmulatedStep> compileForEmulator(ModuleOp module, const target::Chip &chip) {
  target::Manifest manifest;
  Expected<gpu::GPUModuleOp> kernels = makeKernels(module, chip, manifest);
  if (!kernels)
    return kernels.takeError();

  EmulatedStep step;
  if (*kernels) {
    Expected<std::unique_ptr<EmulatedDevice>> device =
        loadKernels(*kernels, chip, std::move(manifest.kernels));
    if (!device)
      return device.takeError();
    step.device = std::move(*device);
  }

  PassManager toLLVM(module.getContext());
  toLLVM.addPass(createUFP4LowerLaunches());
  buildBuffersToLLVMPipeline(toLLVM, CPUPipelineOptions());
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
