//===- Run.cpp - What ufp4-run does ---------------------------------------===//

#include "Run.h"

#include "CPU.h"
#include "GPU.h"
#include "Prepare.h"

#include "ufp4/Driver/Driver.h"
#include "ufp4/Driver/Kernels.h"
#include "ufp4/Driver/Rivals.h"
#include "ufp4/Execution/Entry.h"
#include "ufp4/Execution/Npy.h"
#include "ufp4/Execution/OutputDirectory.h"
#include "ufp4/Execution/Recorder.h"
#include "ufp4/Execution/Report.h"
#include "ufp4/Execution/Threads.h"
#include "ufp4/Support/Error.h"
#include "ufp4/Support/Files.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4::run {

//===----------------------------------------------------------------------===//
// Reading the module
//===----------------------------------------------------------------------===//

static Expected<OwningOpRef<ModuleOp>> readModule(MLIRContext &context, const RunOptions &options,
                                                  const std::shared_ptr<llvm::SourceMgr> &sources) {
  StringRef path = options.input;
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &problem);
  if (!buffer)
    return fail(problem);
  sources->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());

  // Listing runs nothing, so that dialects that are only read are welcome.
  return parseModule(context, sources, path, /*readOnlyToo=*/options.listLayers);
}

//===----------------------------------------------------------------------===//
// Reading the inputs
//===----------------------------------------------------------------------===//

static Expected<std::vector<Array>> readNpzInputs(StringRef path, unsigned count) {
  auto isInput = [](StringRef key) {
    unsigned index;
    return key.consume_front("i") && !key.getAsInteger(10, index);
  };
  auto arrays = readNpz(path, isInput);
  if (!arrays)
    return arrays.takeError();
  std::vector<Array> inputs;
  for (unsigned i = 0; i < count; ++i) {
    auto it = arrays->find("i" + std::to_string(i));
    if (it == arrays->end())
      return fail(path + ": expected the arrays i0 to i" + Twine(count - 1) + ", found no i" +
                  Twine(i));
    inputs.push_back(std::move(it->second));
  }
  return inputs;
}

static Expected<std::vector<Array>> readInputs(const RunOptions &options,
                                               const EntrySignature &signature) {
  if (options.inputs.empty() && signature.inputCount() > 0)
    return fail("'" + signature.name + "' expected " + Twine(signature.inputCount()) +
                " inputs, found none; give --inputs=a.npy,b.npy,… or X.npz or random:SEED");
  if (options.inputs.size() == 1) {
    StringRef only = options.inputs.front();
    if (only.consume_front("random:")) {
      uint64_t seed;
      if (only.getAsInteger(0, seed))
        return fail("--inputs=random:SEED: expected an unsigned integer, found '" + only + "'");
      return randomInputs(signature, seed);
    }
    if (only.ends_with(".npz"))
      return readNpzInputs(only, signature.inputCount());
  }
  std::vector<Array> inputs;
  for (const std::string &path : options.inputs) {
    Expected<Array> array = readNpy(path);
    if (!array)
      return array.takeError();
    inputs.push_back(std::move(*array));
  }
  return inputs;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static constexpr StringRef kPage = "report.html";
/// What writeResults calls its files.
static constexpr StringLiteral kResultFiles = "^(out[0-9]+[.]npy|report[.]html)$";

/// `page`: the report's, or empty.
static Error writeResults(const OutputDirectory &out, llvm::ArrayRef<Array> results,
                          StringRef page) {
  for (auto [i, result] : llvm::enumerate(results))
    if (Error error = writeNpy(out.path("out" + std::to_string(i) + ".npy"), result))
      return error;
  return page.empty() ? Error::success() : writeFile(out.path(kPage), page);
}

/// The report as it was asked for.
static std::string getReport(StringRef kind, const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (kind == "json")
    os << llvm::formatv("{0:2}\n", toJSON(report));
  else if (kind == "html")
    writeReportHTML(report, os);
  else
    writeReportText(report, os);
  return text;
}

/// A step allocates and frees the same megabytes over and over; giving them back to the system each
/// time costs more than the copies and sums that use them.
static void keepFreedMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

static Error checkOptions(const RunOptions &options) {
  if (options.target != "cpu" && !target::findChip(options.target))
    return fail("--target: expected cpu or a chip: " + target::explainUnknownChip(options.target));
  if (options.emulatorStats && (options.target == "cpu" || options.input.empty()))
    return fail("--emulator-stats tells of a step's emulated kernels: give a module and "
                "--target=CHIP");
  if (options.e1m2 != "auto" && options.target == "cpu")
    return fail("--e1m2 chooses between a chip's kernels: give --target=CHIP");
  if (std::string why = target::explainPathOption(options.e1m2); !why.empty())
    return fail("--e1m2: " + why);
  // More than any machine has; the system has room for about so many.
  constexpr unsigned mostThreads = 1024;
  if (options.threads == 0 || options.threads > mostThreads)
    return fail(
        llvm::formatv("--num-threads: expected 1 to {0}, found {1}", mostThreads, options.threads)
            .str());
  if (options.threads > 1 && options.target != "cpu")
    return fail("--num-threads: a device is emulated on one thread");
  if (!options.report.empty() && options.report != "json" && options.report != "text" &&
      options.report != "html")
    return fail("--report: expected text, json or html, found '" + options.report + "'");
  if (!options.compare.empty() && (options.report.empty() || options.training.recipe.empty()))
    return fail("--compare judges recipes beside the one that quantizes: give --report and "
                "--recipe=NAME");
  if (options.input.empty() && options.replay.empty())
    return fail("expected a module to run: ufp4-run IN --inputs=… --output-dir=DIR");
  if (options.input.empty() &&
      (!options.inputs.empty() || !options.training.recipe.empty() || !options.outputDir.empty() ||
       !options.dumpQuantized.empty() || !options.report.empty()))
    return fail("--inputs, --recipe, --output-dir, --dump-quantized and --report are of a run, and "
                "--replay alone runs nothing: give a module, or leave them out");
  if (options.listLayers && options.training.recipe.empty())
    return fail("--list-layers says what a recipe does to each matmul: give --recipe=NAME");
  if (!options.input.empty() && options.outputDir.empty() && !options.listLayers)
    return fail("expected --output-dir=DIR, the folder that out0.npy… are written to" +
                Twine(options.replay.empty() ? "" : "; --replay alone takes no module"));
  return Error::success();
}

/// For cpu a step without a device.
static Expected<EmulatedStep> compileFor(StringRef target, ModuleOp module) {
  if (const target::Chip *chip = target::findChip(target))
    return compileForEmulator(module, *chip);
  Expected<std::unique_ptr<JitModule>> code = compileForCPU(module);
  if (!code)
    return code.takeError();
  EmulatedStep step;
  step.code = std::move(*code);
  return step;
}

static Expected<std::vector<Array>> callStep(const EmulatedStep &step,
                                             const EntrySignature &signature, unsigned threads,
                                             llvm::ArrayRef<Array> arguments) {
  if (!step.device) {
    std::unique_ptr<Executor> team = makeThreadTeam(threads);
    ExecutorScope scope(team.get());
    return step.code->call(signature, arguments);
  }
  LaunchScope scope(*step.device);
  Expected<std::vector<Array>> results = step.code->call(signature, arguments);
  if (Error error = scope.take()) {
    llvm::consumeError(results.takeError());
    return std::move(error);
  }
  return results;
}

static Error execute(MLIRContext &context, const RunOptions &options) {
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  Expected<OwningOpRef<ModuleOp>> module = readModule(context, options, sources);
  if (!module)
    return module.takeError();
  std::vector<QuantizeSite> sites;
  ReportedRun reported;
  if (failed(prepareModule(**module, options, sites, reported)))
    return fail(options.input + ": cannot be prepared for execution");
  if (options.listLayers)
    return Error::success();
  if (sites.empty() && (!options.dumpQuantized.empty() || !options.report.empty()))
    return fail(options.input + ": --dump-quantized and --report have nothing to tell of: the "
                                "module quantizes nothing; give --recipe=NAME");
  if (Error error = verifyExecutable(**module, options.input))
    return error;
  Expected<func::FuncOp> entry = findEntry(**module, options.entry);
  if (!entry)
    return fail(options.input + ": " + llvm::toString(entry.takeError()));
  Expected<EntrySignature> signature = readSignature(*entry);
  if (!signature)
    return fail(options.input + ": " + llvm::toString(signature.takeError()));
  Expected<std::vector<Array>> inputs = readInputs(options, *signature);
  if (!inputs)
    return inputs.takeError();
  Expected<std::vector<Array>> arguments =
      bindInputs(*signature, std::move(*inputs), options.seed, options.step);
  if (!arguments)
    return arguments.takeError();

  // Judged before anything runs.
  Expected<OutputDirectory> out = OutputDirectory::create(options.outputDir);
  if (!out)
    return out.takeError();
  std::optional<OutputDirectory> dump;
  if (!options.dumpQuantized.empty() && !out->isAt(options.dumpQuantized)) {
    Expected<OutputDirectory> other = OutputDirectory::create(options.dumpQuantized);
    if (!other)
      return other.takeError();
    dump.emplace(std::move(*other));
  }

  keepFreedMemory();
  if (Error error = keepOnly(**module, *entry, options.input))
    return error;
  Expected<EmulatedStep> compiled = compileFor(options.target, **module);
  if (!compiled)
    return fail(options.input + ": " + llvm::toString(compiled.takeError()));
  if (compiled->device)
    compiled->device->countsRequests = options.emulatorStats;
  QuantizeRecorder recorder(std::move(sites));
  RecordingScope scope(recorder);
  Expected<std::vector<Array>> results =
      callStep(*compiled, *signature, options.threads, *arguments);
  if (!results)
    return results.takeError();
  Expected<std::vector<QuantizeRecord>> records = recorder.take();
  if (!records)
    return records.takeError();
  if (!options.dumpQuantized.empty())
    if (Error error = writeQuantizedDump(dump ? *dump : *out, *records))
      return error;
  std::string report;
  if (!options.report.empty())
    report = getReport(options.report, makeReport(reported, *records));
  bool isPage = options.report == "html";
  if (Error error = writeResults(*out, *results, isPage ? report : ""))
    return error;
  bool isShared = !options.dumpQuantized.empty() && !dump;
  std::string ours = isShared ? (kResultFiles + "|" + kDumpFiles).str() : kResultFiles.str();
  if (dump) {
    if (Error error = out->verify())
      return error;
    if (Error error = dump->commit(kDumpFiles))
      return error;
  }
  if (Error error = out->commit(ours))
    return error;
  if (isPage)
    llvm::outs() << "report: " << options.outputDir << '/' << kPage << '\n';
  else
    llvm::outs() << report;
  if (options.emulatorStats && compiled->device)
    printStats(*compiled->device, llvm::outs());
  return Error::success();
}

static Error judgeReplay(MLIRContext &context, const RunOptions &options) {
  Expected<std::vector<QuantizeRecord>> records = readQuantizedDump(options.replay);
  if (!records)
    return records.takeError();
  const target::Chip *chip = target::findChip(options.target);
  Expected<ReplayCounts> counts =
      replay(*records, chip ? emulatedReplayKernels(context, *chip, options.e1m2)
                            : cpuReplayKernels(context));
  if (!counts)
    return fail("replay of " + options.replay + ": " + llvm::toString(counts.takeError()));
  if (!counts->quantizes && !counts->gemms)
    return fail("replay of " + options.replay + ": expected records, found none");
  llvm::outs() << "replayed " << counts->quantizes << " quantizes and " << counts->gemms
               << " GEMMs: no difference";
  if (counts->skipped)
    llvm::outs() << "; " << counts->skipped << " quantizes have no kernel on " << options.target;
  llvm::outs() << '\n';
  return Error::success();
}

Error run(const RunOptions &options) {
  if (Error error = checkOptions(options))
    return error;
  DialectRegistry registry;
  registerDriverDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  loadDriverDialects(context);
  if (!options.replay.empty())
    if (Error error = judgeReplay(context, options))
      return error;
  if (options.input.empty() || (options.outputDir.empty() && !options.replay.empty()))
    return Error::success();
  return execute(context, options);
}

} // namespace ufp4::run
