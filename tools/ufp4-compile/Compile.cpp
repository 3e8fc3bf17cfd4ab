//===- Compile.cpp - What ufp4-compile does -------------------------------===//

#include "Compile.h"

#include "ufp4/Analysis/TrainingRoles.h"
#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"
#include "ufp4/Conversion/UFP4ToGPU/Passes.h"
#include "ufp4/Conversion/UFP4ToStorage/Passes.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Driver/Driver.h"
#include "ufp4/Driver/Kernels.h"
#include "ufp4/Execution/OutputDirectory.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Support/Version.h"
#include "ufp4/Target/CPU/Link.h"
#include "ufp4/Target/Roofline.h"
#include "ufp4/Target/Schedule.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using llvm::Error;
using llvm::Expected;

namespace ufp4::compile {

namespace {
/// Notes the path of each GEMM of the input module, by its place there, and why, when storages have
/// been materialized.
class PathReader : public PassInstrumentation {
public:
  explicit PathReader(std::vector<Decision> &decisions) : decisions(decisions) {}

  void runAfterPass(Pass *pass, Operation *module) override {
    if (pass->getArgument() != "ufp4-materialize-storage")
      return;
    module->walk([&](Operation *op) {
      auto gemm = op->getAttrOfType<DictionaryAttr>(kGemmAttr);
      auto index = gemm ? gemm.getAs<IntegerAttr>("index") : IntegerAttr();
      if (!index || size_t(index.getInt()) >= decisions.size())
        return;
      Decision &decision = decisions[index.getInt()];
      if (auto lowered = dyn_cast<BlockGemmOp>(op)) {
        decision.path = target::stringify(lowered.getPath().getValue()).str();
        if (auto fallback = op->getAttrOfType<PathAttr>(target::kFallbackAttr))
          decision.path += ", else " + target::stringify(fallback.getValue()).str();
      }
      if (auto reason = op->getAttrOfType<StringAttr>(kPathReasonAttr))
        decision.pathReason = reason.str();
    });
  }

private:
  std::vector<Decision> &decisions;
};
} // namespace

namespace {
/// What the rewriting said, if there was one.
struct Rewriting {
  DecisionList list;
  std::optional<Recipe> recipe;
};

/// The recipe by which a module was rewritten, now or earlier; empty where it was not.
struct RecipeName {
  explicit RecipeName(ModuleOp module) {
    auto attr = module->getAttrOfType<DictionaryAttr>(kRecipeAttr);
    auto text = [&](StringRef key) {
      auto value = attr ? attr.getAs<StringAttr>(key) : StringAttr();
      return value ? value.str() : std::string();
    };
    name = text("name");
    hash = text("hash");
  }

  std::string name, hash;
};
} // namespace

/// The launches of a module of kernels' host code, in its order.
static std::vector<target::LaunchSite> listLaunches(ModuleOp module) {
  std::vector<target::LaunchSite> sites;
  module.walk([&](gpu::LaunchFuncOp launch) {
    target::LaunchSite site;
    site.kernel = launch.getKernelName().str();
    site.location = getLocationText(launch.getLoc());
    site.isInLoop = launch->getParentOfType<LoopLikeOpInterface>() != nullptr;
    if (auto extents = launch->getAttrOfType<DictionaryAttr>(kLaunchExtentsAttr)) {
      site.extents.emplace();
      for (NamedAttribute extent : extents)
        (*site.extents)[extent.getName().str()] = cast<IntegerAttr>(extent.getValue()).getInt();
    }
    sites.push_back(std::move(site));
  });
  return sites;
}

/// Prints it and writes roofline.json.
static Error writeRoofline(const OutputDirectory &out, const target::Manifest &manifest,
                           const KernelObjects &objects, const target::Chip &chip,
                           llvm::ArrayRef<target::LaunchSite> sites, raw_ostream &os) {
  std::optional<target::CubinSummary> code;
  if (objects.binary) {
    Expected<target::CubinSummary> read = target::readCubin(objects.binary->bytes);
    if (!read)
      return read.takeError();
    code = std::move(*read);
  }
  const target::CubinSummary *known = code ? &*code : nullptr;
  Expected<target::Roofline> roofline = target::makeRoofline(manifest, known, chip, sites);
  if (!roofline)
    return roofline.takeError();
  target::printRoofline(os, *roofline, manifest);
  return writeFile(out.path("roofline.json"),
                   llvm::formatv("{0:2}\n", toJSON(*roofline, manifest, known)).str());
}

static Error writeDecisions(const OutputDirectory &out, const Rewriting &rewriting,
                            llvm::ArrayRef<Decision> decisions) {
  if (!rewriting.recipe)
    return Error::success();
  std::string text = llvm::formatv("{0:2}\n", toJSON(decisions, *rewriting.recipe));
  return writeFile(out.path("decisions.json"), text);
}

/// What to do where no GEMM came to a kernel, or why none is quantized.
static std::string explainNoGemm(const CompileOptions &options,
                                 llvm::ArrayRef<Decision> decisions) {
  if (options.training.recipe.empty())
    return "; give --recipe=NAME to quantize model IR";
  if (llvm::any_of(decisions, [](const Decision &decision) { return decision.rewritten; }))
    return "";
  if (decisions.empty())
    return ": there is no matmul";
  const Decision &first = decisions.front();
  return llvm::formatv(": the recipe rewrote none of {0}; the first was left, {1} ({2})",
                       decisions.size(), stringifyReason(first.reason), first.message);
}

namespace {
/// Where a target's files go.
struct Output {
  std::string folder;
  OutputDirectory files;
};
} // namespace

/// A clone of the module for one chip. `os` takes what there is to say when the files are in their
/// place.
static Error compileFor(const target::Chip &chip, ModuleOp original, const Rewriting &rewriting,
                        const CompileOptions &options, const Output &out, raw_ostream &os) {
  OwningOpRef<ModuleOp> module = original.clone();
  MLIRContext *context = module->getContext();
  PassManager toStorage(context);
  buildToStoragePipeline(toStorage, chip.name, options.e1m2,
                         options.failOnFallback ? Fallback::Refused : Fallback::ToHost,
                         target::hasPtxas(options.ptxas));
  std::vector<Decision> decisions = rewriting.list.decisions;
  toStorage.addInstrumentation(std::make_unique<PathReader>(decisions));
  if (failed(toStorage.run(*module)))
    return fail(options.input + ": cannot be brought to storages of " + chip.name);

  target::Manifest manifest;
  Expected<gpu::GPUModuleOp> kernels = makeKernels(*module, chip, manifest);
  if (!kernels)
    return fail(options.input + ": " + llvm::toString(kernels.takeError()));
  if (!*kernels)
    return fail(options.input + ": no GEMM has a kernel on " + chip.name +
                explainNoGemm(options, rewriting.list.decisions));
  target::PtxasOptions ptxas;
  ptxas.path = options.ptxas;
  Expected<KernelObjects> objects = compileKernels(*kernels, chip, ptxas);
  if (!objects)
    return objects.takeError();
  if (!objects->binary)
    llvm::WithColor::warning(llvm::errs(), "ufp4-compile")
        << chip.name << ": kernels remain assembly: " << objects->note << '\n';

  RecipeName recipe(original);
  manifest.recipe = recipe.name;
  manifest.recipeHash = recipe.hash;
  if (Error error = writeKernels(out.files, manifest, *objects))
    return error;
  if (Error error = writeDecisions(out.files, rewriting, decisions))
    return error;
  if (options.roofline)
    if (Error error = writeRoofline(out.files, manifest, *objects, chip, listLaunches(*module), os))
      return error;
  os << out.folder << ": " << manifest.kernels.size() << " kernels for " << chip.name
     << (objects->binary ? ", assembled by " + objects->binary->assembler : ", assembly only")
     << '\n';
  return Error::success();
}

/// The same as a shared library for C.
static Error compileLibrary(StringRef linker, ModuleOp original, const Rewriting &rewriting,
                            const CompileOptions &options, const Output &out, raw_ostream &os) {
  OwningOpRef<ModuleOp> module = original.clone();
  Expected<CPULibrary> library = compileCPULibrary(*module, options.input, options.library);
  if (!library)
    return library.takeError();
  const std::string &name = library->name;
  std::string object = name + ".o", header = name + ".h", shared = "lib" + name + ".so";
  if (Error error =
          writeFile(out.files.path(object), {library->object.data(), library->object.size()}))
    return error;
  if (Error error =
          target::linkSharedLibrary(linker, out.files.path(object), out.files.path(shared)))
    return error;
  if (Error error = writeFile(out.files.path(header), library->header))
    return error;
  llvm::json::Object manifest = std::move(library->manifest);
  RecipeName recipe(original);
  manifest["schema_version"] = kSchemaVersion;
  manifest["compiler"] = ("ufp4 " + kVersion).str();
  manifest["recipe"] = llvm::json::Object{{"name", recipe.name}, {"hash", recipe.hash}};
  manifest["library"] = shared;
  manifest["object"] = object;
  manifest["header"] = header;
  std::string text = llvm::formatv("{0:2}\n", llvm::json::Value(std::move(manifest)));
  if (Error error = writeFile(out.files.path("manifest.json"), text))
    return error;
  if (Error error = writeDecisions(out.files, rewriting, rewriting.list.decisions))
    return error;
  StringRef processor = options.library.processor;
  os << llvm::formatv(
      "{0}: {1} with {2} {3} for {4}{5}, linked by {6}\n", out.folder, shared, library->entryCount,
      library->entryCount == 1 ? "entry" : "entries", library->processor,
      processor.empty() || processor == "native" ? " (this machine's)" : "", linker);
  return Error::success();
}

namespace {
/// A place in --target: a chip, or none for the CPU.
struct CompileTarget {
  std::string name;
  const target::Chip *chip = nullptr;
};
} // namespace

static Expected<std::vector<CompileTarget>> findTargets(const CompileOptions &options) {
  if (options.targets.empty())
    return fail("expected --target=cpu or --target=CHIP[,CHIP…]; --print-capabilities lists chips");
  std::vector<CompileTarget> targets;
  for (const std::string &name : options.targets) {
    if (llvm::any_of(targets, [&](const CompileTarget &known) { return known.name == name; }))
      return fail("--target: '" + name + "' is named twice");
    targets.push_back({name, target::findChip(name)});
    if (name == "cpu")
      continue;
    const target::Chip *chip = targets.back().chip;
    if (!chip)
      return fail("--target: " + target::explainUnknownChip(name));
  }
  if (std::string why = target::explainPathOption(options.e1m2); !why.empty())
    return fail("--e1m2: " + why);
  if ((options.e1m2 != "auto" || options.roofline || options.failOnFallback ||
       !options.ptxas.empty()) &&
      llvm::none_of(targets, [](const CompileTarget &target) { return target.chip; }))
    return fail("--e1m2, --fail-on-fallback, --ptxas and --roofline are of a chip's kernels: give "
                "--target=CHIP");
  return targets;
}

/// The program that links the CPU's library, before anything is compiled; empty without that
/// target.
static Expected<std::string> findLinker(const CompileOptions &options,
                                        llvm::ArrayRef<CompileTarget> targets) {
  if (llvm::any_of(targets, [](const CompileTarget &target) { return !target.chip; }))
    return target::findLinker(options.linker);
  if (!options.library.processor.empty() || !options.library.name.empty() ||
      !options.linker.empty())
    return fail("--mcpu, --name and --linker say how to compile for the CPU: give --target=cpu");
  return std::string();
}

/// A folder for each target, judged before anything is compiled.
static Expected<std::vector<Output>> createOutputs(const CompileOptions &options,
                                                   llvm::ArrayRef<CompileTarget> targets) {
  std::vector<Output> outputs;
  for (const CompileTarget &target : targets) {
    std::string folder = options.outputDir;
    if (targets.size() > 1)
      folder += "/" + target.name;
    for (const Output &other : outputs)
      if (other.files.isAt(folder))
        return fail(folder + ": it is the same folder as " + other.folder +
                    ", and a target's files need their own");
    Expected<OutputDirectory> files = OutputDirectory::create(folder);
    if (!files)
      return files.takeError();
    outputs.push_back({std::move(folder), std::move(*files)});
  }
  return outputs;
}

Error compile(const CompileOptions &options) {
  if (options.input.empty())
    return fail("expected a module: ufp4-compile IN --recipe=NAME --target=cpu -o DIR");
  if (options.outputDir.empty())
    return fail("expected -o DIR, the folder for code and manifest.json");
  Expected<std::vector<CompileTarget>> targets = findTargets(options);
  if (!targets)
    return targets.takeError();
  Expected<std::string> linker = findLinker(options, *targets);
  if (!linker)
    return linker.takeError();
  Expected<std::vector<Output>> outputs = createOutputs(options, *targets);
  if (!outputs)
    return outputs.takeError();

  DialectRegistry registry;
  registerDriverDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
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
  // All or nothing: no target's files are put in their place before the last is compiled.
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const auto &[target, out] : llvm::zip_equal(*targets, *outputs))
    if (Error error = target.chip ? compileFor(*target.chip, **module, rewriting, options, out, os)
                                  : compileLibrary(*linker, **module, rewriting, options, out, os))
      return error;
  for (const Output &out : *outputs)
    if (Error error = out.files.verify())
      return error;
  static const std::string ours = (kKernelFiles + "|^(decisions|roofline)[.]json$").str();
  for (Output &out : *outputs)
    if (Error error = out.files.commit(ours))
      return error;
  llvm::outs() << text;
  return Error::success();
}

} // namespace ufp4::compile
