//===- Compile.cpp - What ufp4-compile does -------------------------------===//

#include "Compile.h"

#include "ufp4/Analysis/TrainingRoles.h"
#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Driver/Driver.h"
#include "ufp4/Driver/Kernels.h"
#include "ufp4/Execution/OutputDirectory.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ufp4::compile {

/// The path of each GEMM of the input module, by its place there, once storages are materialized.
static void notePaths(ModuleOp module, std::vector<Decision> &decisions) {
  module.walk([&](BlockGemmOp op) {
    auto gemm = op->getAttrOfType<DictionaryAttr>(kGemmAttr);
    auto index = gemm ? gemm.getAs<IntegerAttr>("index") : IntegerAttr();
    if (index && size_t(index.getInt()) < decisions.size())
      decisions[index.getInt()].path = target::stringify(op.getPath().getValue()).str();
  });
}

namespace {
/// What the rewriting said, if there was one.
struct Rewriting {
  DecisionList list;
  std::optional<Recipe> recipe;
};
} // namespace

/// A clone of the module for one target, and its files in `directory`.
static Error compileFor(const target::Chip &chip, ModuleOp original, const Rewriting &rewriting,
                        const CompileOptions &options, StringRef directory) {
  OwningOpRef<ModuleOp> module = original.clone();
  MLIRContext *context = module->getContext();
  PassManager toStorage(context);
  buildToStoragePipeline(toStorage, chip.name, options.e1m2, options.failOnFallback);
  if (failed(toStorage.run(*module)))
    return fail(options.input + ": cannot be brought to storages of " + chip.name);
  std::vector<Decision> decisions = rewriting.list.decisions;
  notePaths(*module, decisions);

  target::Manifest manifest;
  Expected<gpu::GPUModuleOp> kernels = makeKernels(*module, chip, manifest);
  if (!kernels)
    return fail(options.input + ": " + llvm::toString(kernels.takeError()));
  if (!*kernels)
    return fail(
        options.input + ": no GEMM has a kernel on " + chip.name +
        (options.training.recipe.empty() ? "; give --recipe=NAME to quantize model IR" : ""));
  target::PtxasOptions ptxas;
  ptxas.path = options.ptxas;
  Expected<KernelObjects> objects = compileKernels(*kernels, chip, ptxas);
  if (!objects)
    return objects.takeError();
  if (!objects->binary)
    llvm::WithColor::warning(llvm::errs(), "ufp4-compile")
        << chip.name << ": kernels remain PTX: " << objects->note << '\n';

  if (auto attr = original->getAttrOfType<DictionaryAttr>(kRecipeAttr)) {
    auto text = [&](StringRef key) {
      auto value = attr.getAs<StringAttr>(key);
      return value ? value.str() : std::string();
    };
    manifest.recipe = text("name");
    manifest.recipeHash = text("hash");
  }
  Expected<OutputDirectory> out = OutputDirectory::create(directory);
  if (!out)
    return out.takeError();
  if (Error error = writeKernels(*out, manifest, *objects))
    return error;
  if (rewriting.recipe) {
    std::string text = llvm::formatv("{0:2}\n", toJSON(decisions, *rewriting.recipe));
    if (Error error = writeFile(out->path("decisions.json"), text))
      return error;
  }
  if (Error error = out->commit())
    return error;
  llvm::outs() << directory << ": " << manifest.kernels.size() << " kernels for " << chip.name
               << (objects->binary ? ", assembled by " + objects->binary->ptxas : ", PTX only")
               << '\n';
  return Error::success();
}

static Expected<std::vector<const target::Chip *>> findChips(const CompileOptions &options) {
  if (options.targets.empty())
    return fail("expected --target=CHIP[,CHIP…]; --print-capabilities lists them");
  std::vector<const target::Chip *> chips;
  for (const std::string &name : options.targets) {
    if (name == "cpu")
      return fail("--target=cpu: no objects are made for the CPU yet; ufp4-run compiles and runs "
                  "there, and ufp4-opt --ufp4-to-cpu gives the LLVM dialect");
    if (llvm::is_contained(chips, target::findChip(name)))
      return fail("--target: '" + name + "' is named twice");
    chips.push_back(target::findChip(name));
    if (!chips.back())
      return fail("--target: " + target::explainUnknownChip(name));
    if (chips.back()->vendor != target::Vendor::NVIDIA)
      return fail("--target=" + name + ": no kernels are built for " +
                  target::stringify(chips.back()->vendor) + " chips yet");
  }
  return chips;
}

Error compile(const CompileOptions &options) {
  if (options.input.empty())
    return fail("expected a module: ufp4-compile IN --recipe=NAME --target=CHIP -o DIR");
  if (options.outputDir.empty())
    return fail("expected -o DIR, the folder for kernels and manifest.json");
  Expected<std::vector<const target::Chip *>> chips = findChips(options);
  if (!chips)
    return chips.takeError();

  DialectRegistry registry;
  registerDriverDialects(registry);
  MLIRContext context(registry);
  loadDriverDialects(context);
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(options.input, &problem);
  if (!buffer)
    return fail(problem);
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  Expected<OwningOpRef<ModuleOp>> module = parseModule(context, sources, options.input);
  if (!module)
    return module.takeError();

  Rewriting rewriting;
  if (!options.training.recipe.empty()) {
    std::unique_ptr<DecisionObserver> remarks = createRemarkObserver();
    FailureOr<QuantizeTrainingResult> result =
        quantizeTraining(**module, options.training, {&rewriting.list, remarks.get()});
    if (failed(result))
      return fail(options.input + ": cannot be rewritten");
    rewriting.recipe = result->recipe;
  }
  for (const target::Chip *chip : *chips) {
    std::string directory = options.outputDir;
    if (chips->size() > 1)
      directory += "/" + chip->name.str();
    if (Error error = compileFor(*chip, **module, rewriting, options, directory))
      return error;
  }
  return Error::success();
}

} // namespace ufp4::compile
