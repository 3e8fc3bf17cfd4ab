//===- Translate.cpp - Kernels to LLVM IR ---------------------------------===//

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"
#include "mlir/Transforms/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Target/Toolchain.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace ufp4;

void ufp4::loadKernelDialects(MLIRContext &context) {
  context.loadDialect<arith::ArithDialect, gpu::GPUDialect, NVVM::NVVMDialect, ROCDL::ROCDLDialect,
                      scf::SCFDialect, UFP4Dialect>();
}

namespace {
/// Marks of MMAs whose codes lie on the uniform grid become metadata.
struct MarkTranslation : LLVMTranslationDialectInterface {
  using LLVMTranslationDialectInterface::LLVMTranslationDialectInterface;

  LogicalResult amendOperation(Operation *op, ArrayRef<llvm::Instruction *> instructions,
                               NamedAttribute attribute,
                               LLVM::ModuleTranslation &translation) const override {
    if (attribute.getName() != target::kUniformCodesMark)
      return success();
    llvm::LLVMContext &context = translation.getLLVMContext();
    auto *mark = llvm::MDNode::get(
        context, {llvm::MDString::get(context, "A"), llvm::MDString::get(context, "B")});
    bool isMarked = false;
    for (llvm::Instruction *instruction : instructions)
      if (isa<llvm::CallInst>(instruction)) {
        instruction->setMetadata(target::kUniformCodesMark, mark);
        isMarked = true;
      }
    return isMarked ? success() : op->emitError("is marked and becomes no call");
  }
};
} // namespace

/// The conversion of GPU operations to the vendor's dialect.
static std::unique_ptr<Pass> createConvertGPUOps(const target::Chip &chip) {
  static constexpr unsigned indexBits = 32;
  if (chip.vendor == target::Vendor::AMD) {
    ConvertGpuOpsToROCDLOpsOptions options;
    options.chipset = chip.name;
    options.indexBitwidth = indexBits;
    return createConvertGpuOpsToROCDLOps(options);
  }
  ConvertGpuOpsToNVVMOpsOptions options;
  options.indexBitwidth = indexBits;
  return createConvertGpuOpsToNVVMOps(options);
}

LogicalResult ufp4::lowerKernelModule(gpu::GPUModuleOp module, const target::Chip &chip) {
  MLIRContext *context = module.getContext();
  // The interfaces by which dialects take part in the conversion.
  DialectRegistry registry;
  registerAllExtensions(registry);
  context->appendDialectRegistry(registry);

  PassManager pm(context, gpu::GPUModuleOp::getOperationName());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertGPUOps(chip));
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCSEPass());
  // What kernels take by value they only read: it stays where it is, as tensor maps must. The
  // conversion drops such attributes, and of a GPU function there is none that says the latter.
  using ByValue = std::tuple<StringAttr, unsigned, Attribute>;
  SmallVector<ByValue> byValue;
  for (auto function : module.getOps<gpu::GPUFuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (Attribute type = function.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
        byValue.push_back({function.getNameAttr(), i, type});
  if (failed(pm.run(module)))
    return failure();
  // The conversion leaves loops' annotations where translation does not look.
  module.walk([](LLVM::BrOp branch) {
    if (Attribute annotation = branch->removeDiscardableAttr("llvm.loop_annotation"))
      branch.setLoopAnnotationAttr(cast<LLVM::LoopAnnotationAttr>(annotation));
  });
  for (auto &[name, i, type] : byValue) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    function.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), type);
    function.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), UnitAttr::get(context));
  }
  return success();
}

std::unique_ptr<llvm::Module> ufp4::translateKernelModule(gpu::GPUModuleOp module,
                                                          llvm::LLVMContext &context,
                                                          const target::Chip &chip) {
  OwningOpRef<ModuleOp> parent(ModuleOp::create(module.getLoc()));
  gpu::GPUModuleOp lowered = module.clone();
  parent->push_back(lowered);
  if (failed(lowerKernelModule(lowered, chip)))
    return nullptr;
  DialectRegistry registry;
  registerAllToLLVMIRTranslations(registry);
  registry.addExtension(
      +[](MLIRContext *, UFP4Dialect *dialect) { dialect->addInterfaces<MarkTranslation>(); });
  module.getContext()->appendDialectRegistry(registry);
  module.getContext()->getOrLoadDialect<UFP4Dialect>();
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(lowered, context, module.getName());
  if (!translated)
    return nullptr;
  if (llvm::Error error = target::getToolchain(chip).prepare(*translated, chip)) {
    module.emitError(llvm::toString(std::move(error)));
    return nullptr;
  }
  return translated;
}
