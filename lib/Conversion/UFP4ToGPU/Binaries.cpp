//===- Binaries.cpp - From a module of kernels to objects -----------------===//

#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Target/AMDGPU/Binary.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

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

/// A copy of the module with some of its kernels.
static std::unique_ptr<llvm::Module>
copyKernels(const llvm::Module &module, llvm::function_ref<bool(const llvm::Function &)> isKept) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  for (llvm::Function &function : llvm::make_early_inc_range(*copy))
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel && !isKept(function))
      function.eraseFromParent();
  return copy;
}

/// The assembly that is kept of a module, some of whose kernels are rewritten once assembled.
static llvm::Error emitParts(const llvm::Module &module, const target::Chip &chip,
                             KernelObjects &objects) {
  auto isRewritten = [&](const llvm::Function &function) {
    return llvm::any_of(objects.rewritten, [&](const target::MarkedKernel &kernel) {
      return kernel.name == function.getName();
    });
  };
  auto emit = [&](target::Assembly &ptx, std::unique_ptr<llvm::Module> part) -> llvm::Error {
    llvm::Expected<target::Assembly> emitted = target::emitPTX(*part, chip);
    if (!emitted)
      return emitted.takeError();
    ptx = std::move(*emitted);
    return llvm::Error::success();
  };
  if (llvm::Error error = emit(objects.assembly,
                               copyKernels(module, [&](const auto &f) { return !isRewritten(f); })))
    return error;
  std::unique_ptr<llvm::Module> unpatched = copyKernels(module, isRewritten);
  for (llvm::Function &function : *unpatched)
    if (!function.isDeclaration())
      function.setName(function.getName() + target::kUnpatchedSuffix);
  return emit(objects.unpatched, std::move(unpatched));
}

/// Names the kernels that there can be only in a binary.
static llvm::Error explainNoBinary(const KernelObjects &objects, StringRef why) {
  return fail(
      "kernel " + objects.rewritten.front().name +
      " multiplies on the uniform grid, for which the assembled kernel is rewritten: " + why);
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
  KernelObjects objects;
  llvm::Expected<std::vector<target::MarkedKernel>> marked = target::findMarkedKernels(*code);
  if (!marked)
    return marked.takeError();
  objects.rewritten = std::move(*marked);
  llvm::Expected<target::Assembly> assembly =
      isAMD(chip) ? target::emitAMDGCN(*code, chip) : target::emitPTX(*code, chip);
  if (!assembly)
    return assembly.takeError();
  llvm::raw_string_ostream(objects.code) << *code;
  // What is assembled has every kernel under its own name; what is kept has not.
  target::Assembly all = std::move(*assembly);
  if (objects.rewritten.empty())
    objects.assembly = all;
  else if (!toBinary)
    return explainNoBinary(objects, "a driver cannot do that");
  else if (llvm::Error error = emitParts(*code, chip, objects))
    return std::move(error);
  if (!toBinary)
    return objects;
  llvm::Expected<target::Binary> binary =
      isAMD(chip) ? target::linkCodeObject(all, chip) : target::assemble(all.text, chip, options);
  if (binary) {
    if (!objects.rewritten.empty())
      if (llvm::Error error = target::rewriteCubin(binary->bytes, chip, objects.rewritten))
        return std::move(error);
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
  if (!objects.rewritten.empty())
    return explainNoBinary(objects, objects.note);
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
    auto add = [&](gpu::CompilationTarget kind, StringRef bytes, DictionaryAttr properties = {}) {
      all.push_back(gpu::ObjectAttr::get(context, target, kind, b.getStringAttr(bytes), properties,
                                         /*kernels=*/nullptr));
    };
    if (objects->binary)
      add(gpu::CompilationTarget::Binary,
          {objects->binary->bytes.data(), objects->binary->bytes.size()});
    else
      module.emitRemark("kernels remain assembly: ") << objects->note;
    add(gpu::CompilationTarget::Assembly, objects->assembly.text);
    if (!objects->rewritten.empty())
      add(gpu::CompilationTarget::Assembly, objects->unpatched.text,
          b.getDictionaryAttr(b.getNamedAttr("ufp4.unpatched", b.getUnitAttr())));
    gpu::BinaryOp::create(b, module.getLoc(), module.getName(), /*offloadingHandler=*/nullptr, all);
    module.erase();
    return success();
  }
};

} // namespace
