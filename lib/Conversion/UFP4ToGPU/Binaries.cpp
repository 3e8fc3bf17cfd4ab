//===- Binaries.cpp - From a module of kernels to objects -----------------===//

#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace ufp4 {
#define GEN_PASS_DEF_UFP4EMITBINARIES
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

llvm::Expected<KernelObjects> ufp4::compileKernels(gpu::GPUModuleOp module,
                                                   const target::Chip &chip,
                                                   const target::PtxasOptions &options,
                                                   bool toBinary) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateKernelModule(module, context, chip);
  if (!code)
    return llvm::createStringError(std::errc::invalid_argument,
                                   "the kernels cannot be translated to LLVM IR");
  llvm::Expected<target::PTX> assembly = target::emitPTX(*code, chip);
  if (!assembly)
    return assembly.takeError();
  KernelObjects objects;
  llvm::raw_string_ostream(objects.code) << *code;
  objects.assembly = std::move(*assembly);
  if (!toBinary)
    return objects;
  llvm::Expected<target::Cubin> binary = target::assemble(objects.assembly.text, chip, options);
  if (binary) {
    objects.binary = std::move(*binary);
    return objects;
  }
  // One that was asked for by name must be there.
  if (!options.path.empty())
    return binary.takeError();
  llvm::Error other = llvm::handleErrors(binary.takeError(), [&](target::PtxasNotFound &missing) {
    llvm::raw_string_ostream os(objects.note);
    missing.log(os);
  });
  if (other)
    return std::move(other);
  return objects;
}

void ufp4::addUsage(target::Manifest &manifest, const KernelObjects &objects) {
  if (!objects.binary)
    return;
  for (target::KernelEntry &kernel : manifest.kernels)
    for (const target::KernelUsage &usage : objects.binary->kernels)
      if (usage.name == kernel.name) {
        kernel.registers = usage.registers;
        kernel.staticSharedBytes = usage.sharedBytes;
      }
}

namespace {

struct UFP4EmitBinariesPass : ufp4::impl::UFP4EmitBinariesBase<UFP4EmitBinariesPass> {
  using UFP4EmitBinariesBase::UFP4EmitBinariesBase;

  void runOnOperation() override {
    const target::Chip *chip = target::findChip(target);
    if (!chip) {
      getOperation().emitError() << "ufp4-emit-binaries: target: "
                                 << target::explainUnknownChip(target);
      return signalPassFailure();
    }
    target::PtxasOptions options;
    options.path = ptxas;
    for (auto module : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(emit(module, *chip, options)))
        return signalPassFailure();
  }

private:
  static LogicalResult emit(gpu::GPUModuleOp module, const target::Chip &chip,
                            const target::PtxasOptions &options) {
    llvm::Expected<KernelObjects> objects = compileKernels(module, chip, options);
    if (!objects)
      return module.emitError(llvm::toString(objects.takeError()));
    OpBuilder b(module);
    MLIRContext *context = module.getContext();
    auto nvvm =
        NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3, chip.triple, chip.name, chip.features);
    SmallVector<Attribute> all;
    auto add = [&](gpu::CompilationTarget kind, StringRef bytes) {
      all.push_back(gpu::ObjectAttr::get(context, nvvm, kind, b.getStringAttr(bytes),
                                         /*properties=*/nullptr, /*kernels=*/nullptr));
    };
    if (objects->binary)
      add(gpu::CompilationTarget::Binary,
          {objects->binary->bytes.data(), objects->binary->bytes.size()});
    else
      module.emitRemark("kernels remain PTX: ") << objects->note;
    add(gpu::CompilationTarget::Assembly, objects->assembly.text);
    gpu::BinaryOp::create(b, module.getLoc(), module.getName(), /*offloadingHandler=*/nullptr, all);
    module.erase();
    return success();
  }
};

} // namespace
