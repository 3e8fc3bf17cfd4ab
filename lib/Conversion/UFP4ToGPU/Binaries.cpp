//===- Binaries.cpp - From a module of kernels to objects -----------------===//

#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Target/AMDGPU/Binary.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace ufp4 {
#define GEN_PASS_DEF_UFP4EMITBINARIES
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

static bool isAMD(const target::Chip &chip) { return chip.vendor == target::Vendor::AMD; }

StringRef ufp4::getAssemblyFile(const target::Chip &chip) {
  return isAMD(chip) ? "kernels.amdgcn" : "kernels.ptx";
}

StringRef ufp4::getBinaryFile(const target::Chip &chip) {
  return isAMD(chip) ? "kernels.hsaco" : "kernels.cubin";
}

llvm::Expected<KernelObjects> ufp4::compileKernels(gpu::GPUModuleOp module,
                                                   const target::Chip &chip,
                                                   const target::PtxasOptions &options,
                                                   bool toBinary) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateKernelModule(module, context, chip);
  if (!code)
    return llvm::createStringError(std::errc::invalid_argument,
                                   "the kernels cannot be translated to LLVM IR");
  llvm::Expected<target::Assembly> assembly =
      isAMD(chip) ? target::emitAMDGCN(*code, chip) : target::emitPTX(*code, chip);
  if (!assembly)
    return assembly.takeError();
  KernelObjects objects;
  llvm::raw_string_ostream(objects.code) << *code;
  objects.assembly = std::move(*assembly);
  if (!toBinary)
    return objects;
  llvm::Expected<target::Binary> binary =
      isAMD(chip) ? target::linkCodeObject(objects.assembly, chip)
                  : target::assemble(objects.assembly.text, chip, options);
  if (binary) {
    objects.binary = std::move(*binary);
    return objects;
  }
  // One that was asked for by name must be there.
  if (!isAMD(chip) && !options.path.empty())
    return binary.takeError();
  auto note = [&](const llvm::ErrorInfoBase &missing) {
    llvm::raw_string_ostream os(objects.note);
    missing.log(os);
  };
  llvm::Error other = llvm::handleErrors(
      binary.takeError(), [&](const target::PtxasNotFound &missing) { note(missing); },
      [&](const target::LinkerNotFound &missing) { note(missing); });
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
    Attribute target =
        isAMD(chip) ? Attribute(ROCDL::ROCDLTargetAttr::get(context, /*optLevel=*/3, chip.triple,
                                                            chip.name, chip.features))
                    : NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3, chip.triple, chip.name,
                                                chip.features);
    SmallVector<Attribute> all;
    auto add = [&](gpu::CompilationTarget kind, StringRef bytes) {
      all.push_back(gpu::ObjectAttr::get(context, target, kind, b.getStringAttr(bytes),
                                         /*properties=*/nullptr, /*kernels=*/nullptr));
    };
    if (objects->binary)
      add(gpu::CompilationTarget::Binary,
          {objects->binary->bytes.data(), objects->binary->bytes.size()});
    else
      module.emitRemark("kernels remain assembly: ") << objects->note;
    add(gpu::CompilationTarget::Assembly, objects->assembly.text);
    gpu::BinaryOp::create(b, module.getLoc(), module.getName(), /*offloadingHandler=*/nullptr, all);
    module.erase();
    return success();
  }
};

} // namespace
