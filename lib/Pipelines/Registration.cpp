//===- Registration.cpp - everything UFP4 registers -----------------------===//

#include "ufp4/Pipelines/Pipelines.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"
#include "ufp4/Conversion/UFP4ToLinalg/Passes.h"
#include "ufp4/Conversion/UFP4ToStorage/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Dialect/UFP4/IR/UFP4Bufferization.h"
#include "ufp4/Frontends/Frontends.h"
#include "ufp4/Target/NVPTX/Binary.h"
#include "ufp4/Transforms/Passes.h"

void ufp4::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<UFP4Dialect>();
  registerStableHLODialects(registry);
  registerBufferizationModels(registry);
  registerIntrinsicModels(registry);
}

void ufp4::registerAllDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerDialects(registry);
}

void ufp4::buildToVectorPipeline(mlir::OpPassManager &pm, llvm::StringRef cpu, bool reportGroups) {
  pm.addPass(createFuseGathers());
  pm.addPass(createOutlineQuantizes());
  pm.addPass(createOutlineMatmuls());
  UFP4ToVectorOptions vectors;
  vectors.cpu = cpu.str();
  vectors.reportGroups = reportGroups;
  pm.addPass(createUFP4ToVector(vectors));
}

void ufp4::buildToCPUPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options) {
  buildToVectorPipeline(pm, options.cpu.getValue());
  buildUFP4ToCPUPipeline(pm, options);
}

void ufp4::buildToStoragePipeline(mlir::OpPassManager &pm, llvm::StringRef chip,
                                  llvm::StringRef e1m2, Fallback fallback, bool canRewrite) {
  MaterializeStorageOptions storage;
  storage.chipName = chip.str();
  storage.e1m2 = e1m2.str();
  storage.failOnFallback = fallback == Fallback::Refused;
  storage.failOnLeft = fallback == Fallback::ToLesserPath;
  storage.canRewrite = canRewrite;
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createFuseGathers());
  pm.addPass(createMaterializeStorage(storage));
  pm.addPass(createOutlineQuantizes());
  pm.addPass(createUFP4ToVector());
}

void ufp4::buildToNVIDIAPipeline(mlir::OpPassManager &pm, const KernelPipelineOptions &options) {
  buildToStoragePipeline(pm, options.chip, options.e1m2,
                         options.failOnFallback ? Fallback::Refused : Fallback::ToHost,
                         target::hasPtxas(options.ptxas));
  buildTensorsToBuffersPipeline(pm, CPUPipelineOptions());
  UFP4ToGPUOptions kernels;
  kernels.target = options.chip;
  pm.addPass(createUFP4ToGPU(kernels));
  UFP4EmitBinariesOptions binaries;
  binaries.target = options.chip;
  binaries.ptxas = options.ptxas;
  pm.addPass(createUFP4EmitBinaries(binaries));
}

namespace {
struct KernelPipeline {
  ufp4::target::Vendor vendor;
  llvm::StringLiteral name, description;
};
constexpr KernelPipeline kKernelPipelines[] = {
    {ufp4::target::Vendor::NVIDIA, "ufp4-to-nvidia",
     "From rewritten IR on tensors to host code on memrefs that launches kernels, and their "
     "binaries"},
    {ufp4::target::Vendor::AMD, "ufp4-to-rocm",
     "The same for AMD's chips: AMDGCN and code objects"},
};
} // namespace

/// With the chips of one vendor alone.
static void registerKernelPipeline(const KernelPipeline &pipeline) {
  using ErrorHandler = llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)>;
  mlir::registerPassPipeline(
      pipeline.name, pipeline.description,
      [&pipeline](mlir::OpPassManager &pm, llvm::StringRef text, ErrorHandler fail) {
        ufp4::KernelPipelineOptions options;
        std::string problem;
        llvm::raw_string_ostream os(problem);
        if (failed(options.parseFromString(text, os)))
          return fail(llvm::StringRef(problem).trim());
        const ufp4::target::Chip *chip = ufp4::target::findChip(options.chip);
        for (const KernelPipeline &other : kKernelPipelines)
          if (chip && chip->vendor == other.vendor && other.vendor != pipeline.vendor)
            return fail(pipeline.name + ": chip: " + chip->name + " is " + stringify(chip->vendor) +
                        "'s, for whose chips there is --" + other.name);
        buildToNVIDIAPipeline(pm, options);
        return llvm::success();
      },
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(ufp4::KernelPipelineOptions());
      });
}

void ufp4::registerAllPasses() {
  registerUFP4CPUPasses();
  registerUFP4ToGPUPasses();
  registerUFP4ToLinalgPasses();
  registerUFP4ToStoragePasses();
  registerUFP4TransformsPasses();
  registerTestGemmKernelPass();
  mlir::PassPipelineRegistration<CPUPipelineOptions>(
      "ufp4-to-cpu",
      "From IR on tensors, rewritten or not, to the LLVM dialect: vectorised quantizes and GEMMs, "
      "entry points that set their own floating-point mode",
      buildToCPUPipeline);
  llvm::for_each(kKernelPipelines, registerKernelPipeline);
}
