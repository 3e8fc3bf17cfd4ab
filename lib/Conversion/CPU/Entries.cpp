//===- Entries.cpp - The module's two ends: its entries, its lowered form -===//

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Support/Runtime.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUPREPAREENTRIES
#define GEN_PASS_DEF_CPUDROPATTRIBUTES
#define GEN_PASS_DEF_CPUVERIFYLOWERED
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

struct CPUPrepareEntriesPass : public ufp4::impl::CPUPrepareEntriesBase<CPUPrepareEntriesPass> {
  using CPUPrepareEntriesBase::CPUPrepareEntriesBase;

  void runOnOperation() override {
    Builder b(&getContext());
    renameSymbols(b);
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

private:
  /// One walk for all of them, since a module may have thousands.
  void renameSymbols(Builder &b) {
    llvm::DenseSet<StringAttr> taken;
    SmallVector<SymbolOpInterface> symbols;
    for (Operation &op : *getOperation().getBody()) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (!symbol)
        continue;
      taken.insert(symbol.getNameAttr());
      if (isa<func::FuncOp, LLVM::LLVMFuncOp, LLVM::GlobalOp, memref::GlobalOp>(op) &&
          !symbol.isDeclaration() && (renameEntries || symbol.isPrivate()))
        symbols.push_back(symbol);
    }
    llvm::DenseMap<StringAttr, StringAttr> renamed;
    for (SymbolOpInterface symbol : symbols) {
      StringAttr old = symbol.getNameAttr(), name = old;
      do
        name = b.getStringAttr(ufp4::kModelPrefix + name.getValue());
      while (!renameEntries && taken.contains(name));
      renamed[old] = name;
      symbol.setName(name);
    }
    if (renamed.empty())
      return;
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](SymbolRefAttr reference) -> std::optional<Attribute> {
      auto found = renamed.find(reference.getRootReference());
      if (found == renamed.end())
        return std::nullopt;
      return SymbolRefAttr::get(found->second, reference.getNestedReferences());
    });
    replacer.recursivelyReplaceElementsIn(getOperation());
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
