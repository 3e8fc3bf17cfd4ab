//===- CPULibrary.cpp - Modules as shared libraries for C -----------------===//

#include "ufp4/Driver/CPULibrary.h"

#include "EntryExtents.h"

#include "ufp4/Analysis/LayerNames.h"
#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Driver/CInterface.h"
#include "ufp4/Driver/Driver.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Target/CPU/Codegen.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ufp4 {

/// JAX's attribute for a result's place in what the step returns.
static constexpr StringRef kResultInfoAttr = "jax.result_info";

static std::string getResultName(func::FuncOp function, unsigned result) {
  for (StringRef attribute : {StringRef(kArgumentNameAttr), kResultInfoAttr})
    if (auto name = function.getResultAttrOfType<StringAttr>(result, attribute))
      return getPlainPath(name.getValue());
  return ("out" + Twine(result)).str();
}

/// The signatures of every public function, with the names of what they take and give.
static Expected<std::vector<EntrySignature>> readEntries(ModuleOp module) {
  std::vector<EntrySignature> signatures;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isDeclaration())
      continue;
    Expected<EntrySignature> signature = readSignature(function);
    if (!signature)
      return signature.takeError();
    for (auto [i, argument] : llvm::enumerate(signature->arguments))
      argument.name = getArgumentName(function, i);
    for (auto [i, result] : llvm::enumerate(signature->results))
      result.name = getResultName(function, i);
    signatures.push_back(std::move(*signature));
  }
  if (signatures.empty())
    return fail("expected a public function with a body, found none");
  return signatures;
}

/// Whether a function's signature has an extent that is not static.
static bool hasDynamicShapes(ModuleOp module) {
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && shaped.hasRank() && !shaped.hasStaticShape();
  };
  return llvm::any_of(module.getOps<func::FuncOp>(), [&](func::FuncOp function) {
    return llvm::any_of(function.getArgumentTypes(), isDynamic) ||
           llvm::any_of(function.getResultTypes(), isDynamic);
  });
}

Expected<CPULibrary> compileCPULibrary(ModuleOp module, StringRef input,
                                       const CPULibraryOptions &options) {
  auto failHere = [&](Error error) {
    return fail(input + ": " + llvm::toString(std::move(error)));
  };
  std::string name = options.name.empty() ? "step" : options.name;
  if (!isCIdentifier(name))
    return fail("--name: expected an identifier of C, found '" + name + "'");
  auto processor = target::findProcessor(options.processor);
  if (!processor)
    return fail("--mcpu: " + llvm::toString(processor.takeError()));
  // Of any address: the object becomes part of a shared library.
  processor->setRelocationModel(llvm::Reloc::PIC_);
  auto machine = processor->createTargetMachine();
  if (!machine)
    return machine.takeError();

  noteEntryExtents(module);
  Expected<std::vector<EntrySignature>> signatures = readEntries(module);
  if (!signatures)
    return failHere(signatures.takeError());
  if (Error error = verifyBodies(module, input))
    return std::move(error);
  CInterface interface(name, std::move(*signatures));

  PassManager pm(module.getContext());
  CPUPipelineOptions pipeline;
  // Only static results can be written in place, by private functions too.
  pipeline.outParams = !hasDynamicShapes(module);
  pipeline.renameEntries = true;
  pipeline.cpu = options.processor == "native" ? "" : options.processor;
  buildToCPUPipeline(pm, pipeline);
  if (failed(pm.run(module)))
    return fail(input + ": cannot be lowered to the CPU");

  llvm::LLVMContext context;
  Expected<std::unique_ptr<llvm::Module>> code =
      target::translateForProcessor(module, context, **machine);
  if (!code)
    return failHere(code.takeError());
  (*code)->setPICLevel(llvm::PICLevel::BigPIC);
  if (Error error = interface.addFunctions(**code, pipeline.outParams))
    return failHere(std::move(error));
  target::optimizeForProcessor(**code, **machine);
  Expected<llvm::SmallVector<char, 0>> object = target::emitObject(**code, **machine);
  if (!object)
    return failHere(object.takeError());

  CPULibrary library;
  library.name = name;
  library.object = std::move(*object);
  library.header = interface.header();
  library.manifest["target"] =
      llvm::json::Object{{"triple", (*machine)->getTargetTriple().str()},
                         {"cpu", (*machine)->getTargetCPU().str()},
                         {"features", (*machine)->getTargetFeatureString().str()}};
  library.manifest["statuses"] = interface.statusesToJSON();
  library.manifest["entries"] = interface.entriesToJSON();
  library.entryCount = interface.functions().size();
  library.processor = (*machine)->getTargetCPU().str();
  return library;
}

} // namespace ufp4
