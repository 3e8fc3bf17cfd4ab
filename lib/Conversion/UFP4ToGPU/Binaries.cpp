//===- Binaries.cpp - From a module of kernels to objects -----------------===//

#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Target/Toolchain.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace ufp4 {
#define GEN_PASS_DEF_UFP4EMITBINARIES
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

/// Keeps of the assembly what a driver may compile, and apart from it kernels that are rewritten
/// once assembled.
static void split(const target::Assembly &all, KernelObjects &objects) {
  auto isRewritten = [&](StringRef name) {
    return llvm::any_of(objects.rewritten,
                        [&](const target::MarkedKernel &kernel) { return kernel.name == name; });
  };
  objects.assembly = target::selectKernels(
      all, [&](StringRef name) { return isRewritten(name) ? "" : name.str(); });
  objects.unpatched = target::selectKernels(all, [&](StringRef name) {
    return isRewritten(name) ? (name + target::kUnpatchedSuffix).str() : "";
  });
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
  const target::Toolchain &toolchain = target::getToolchain(chip);
  llvm::Expected<target::Assembly> all = toolchain.emit(*code, chip);
  if (!all)
    return all.takeError();
  llvm::raw_string_ostream(objects.code) << *code;
  // What is assembled has every kernel under its own name; what is kept has not.
  if (objects.rewritten.empty())
    objects.assembly = *all;
  else if (!toBinary)
    return explainNoBinary(objects, "a driver cannot do that");
  else
    split(*all, objects);
  if (!toBinary)
    return objects;
  llvm::Expected<target::Binary> binary = toolchain.assemble(*all, chip, options);
  if (binary) {
    if (!objects.rewritten.empty())
      if (llvm::Error error = target::rewriteCubin(binary->bytes, chip, objects.rewritten))
        return std::move(error);
    objects.binary = std::move(*binary);
    return objects;
  }
  llvm::Error other =
      llvm::handleErrors(binary.takeError(), [&](const target::ToolNotFound &missing) {
        llvm::raw_string_ostream os(objects.note);
        missing.log(os);
      });
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
      emitError(getOperation().getLoc())
          << "ufp4-emit-binaries: target: " << target::explainUnknownChip(target);
      return signalPassFailure();
    }
    target::PtxasOptions options;
    options.path = ptxas;
    if (failed(verifyLaunches()))
      return signalPassFailure();
    for (auto module : llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(emit(module, *chip, options)))
        return signalPassFailure();
  }

private:
  /// Host code passes addresses, and knows no more.
  LogicalResult verifyLaunches() {
    WalkResult result = getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto kernel =
          SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
      for (unsigned i = 0; kernel && i < kernel.getNumArguments(); ++i)
        if (kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName())) {
          launch.emitOpError() << "is of a kernel that takes a tensor map as argument " << i
                               << ", which only the launcher makes: compile by ufp4-compile, or "
                                  "quantize into a storage of tiles";
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  static LogicalResult emit(gpu::GPUModuleOp module, const target::Chip &chip,
                            const target::PtxasOptions &options) {
    llvm::Expected<KernelObjects> objects = compileKernels(module, chip, options);
    if (!objects)
      return module.emitError(llvm::toString(objects.takeError()));
    OpBuilder b(module);
    MLIRContext *context = module.getContext();
    Attribute target = chip.vendor == target::Vendor::AMD
                           ? Attribute(ROCDL::ROCDLTargetAttr::get(
                                 context, /*optLevel=*/3, chip.triple, chip.name, chip.features))
                           : NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3, chip.triple,
                                                       chip.name, chip.features);
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
