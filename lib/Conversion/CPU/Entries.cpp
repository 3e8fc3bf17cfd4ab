//===- Entries.cpp - The module's two ends: its entries, its lowered form -===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUPREPAREENTRIES
#define GEN_PASS_DEF_CPUDROPATTRIBUTES
#define GEN_PASS_DEF_CPUVERIFYLOWERED
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

struct CPUPrepareEntriesPass : public ufp4::impl::CPUPrepareEntriesBase<CPUPrepareEntriesPass> {
  void runOnOperation() override {
    Builder b(&getContext());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isDeclaration())
        continue;
      function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), b.getUnitAttr());
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (isa<TensorType>(function.getArgument(i).getType()))
          function.setArgAttr(i, bufferization::BufferizationDialect::kWritableAttrName,
                              b.getBoolAttr(false));
    }
  }
};

struct CPUDropAttributesPass : public ufp4::impl::CPUDropAttributesBase<CPUDropAttributesPass> {
  void runOnOperation() override {
    auto keep = [](DictionaryAttr attrs) {
      NamedAttrList kept;
      for (NamedAttribute attr : attrs)
        if (isa_and_nonnull<LLVM::LLVMDialect>(attr.getNameDialect()))
          kept.append(attr);
      return kept.getDictionary(attrs.getContext());
    };
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (DictionaryAttr attrs = function.getArgAttrDict(i))
          function.setArgAttrs(i, keep(attrs));
      for (unsigned i = 0; i < function.getNumResults(); ++i)
        if (DictionaryAttr attrs = function.getResultAttrDict(i))
          function.setResultAttrs(i, keep(attrs));
    }
  }
};

struct CPUVerifyLoweredPass : public ufp4::impl::CPUVerifyLoweredBase<CPUVerifyLoweredPass> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](Operation *op) {
      if (isa<ModuleOp>(op) || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      emitError(op->getLoc()) << "cannot be lowered to the CPU: no pass knows '" << op->getName()
                              << "' of dialect '" << op->getName().getDialectNamespace()
                              << "' in this form";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
