//===- Bridge.cpp - The compiler as Python's bindings see it --------------===//

#include "Bridge.h"

#include "ufp4/Driver/CustomCall.h"
#include "ufp4/Driver/DeviceCall.h"
#include "ufp4/Driver/Driver.h"
#include "ufp4/Driver/Rivals.h"
#include "ufp4/Execution/Recorder.h"
#include "ufp4/Execution/Threads.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Support/SchemeJSON.h"
#include "ufp4/Support/Version.h"
#include "ufp4/Target/Capabilities.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <mutex>

using namespace mlir;
namespace json = llvm::json;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4::python {
namespace {

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

Diagnostic convert(mlir::Diagnostic &diagnostic) {
  Diagnostic result;
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    result.severity = "error";
    break;
  case DiagnosticSeverity::Warning:
    result.severity = "warning";
    break;
  case DiagnosticSeverity::Remark:
    result.severity = "remark";
    break;
  case DiagnosticSeverity::Note:
    result.severity = "note";
    break;
  }
  result.location = getLocationText(diagnostic.getLocation());
  result.message = diagnostic.str();
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back(convert(note));
  return result;
}

/// A context with every dialect, what it says, and the module that it reads.
class Session {
public:
  Session()
      : context(registry()), handler(&context, [this](mlir::Diagnostic &diagnostic) {
          std::lock_guard<std::mutex> lock(mutex);
          diagnostics.push_back(convert(diagnostic));
          return success();
        }) {
    // An operation of a training step prints as pages.
    context.printOpOnDiagnostic(false);
    loadDriverDialects(context);
  }

  /// Reads `text`; false after a failure.
  bool parse(StringRef text, StringRef name, bool readOnlyToo) {
    auto sources = std::make_shared<llvm::SourceMgr>();
    sources->AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, name), llvm::SMLoc());
    Expected<OwningOpRef<ModuleOp>> parsed = parseModule(context, sources, name, readOnlyToo);
    if (!parsed) {
      message = llvm::toString(parsed.takeError());
      return false;
    }
    module = std::move(*parsed);
    return true;
  }

  std::string print(PrintOptions options) {
    std::string text;
    llvm::raw_string_ostream os(text);
    OpPrintingFlags flags;
    flags.printGenericOpForm(options.generic);
    if (options.debugInfo)
      flags.enableDebugInfo();
    (*module)->print(os, flags);
    return text;
  }

  /// What went wrong: the first error, unless `otherwise` says more.
  Failure fail(const Twine &otherwise = "") {
    std::string text = otherwise.str();
    if (text.empty())
      text = message;
    for (const Diagnostic &diagnostic : diagnostics)
      if (diagnostic.severity == "error") {
        text = (diagnostic.location.empty() ? "" : diagnostic.location + ": ") + diagnostic.message;
        break;
      }
    return {std::move(text), diagnostics};
  }

  static const DialectRegistry &registry() {
    static const DialectRegistry *registry = [] {
      auto *all = new DialectRegistry;
      registerDriverDialects(*all);
      return all;
    }();
    return *registry;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;

private:
  std::mutex mutex;
  std::vector<Diagnostic> diagnostics;
  std::string message;
  ScopedDiagnosticHandler handler;
};

std::string toText(json::Value value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

} // namespace

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

std::string version() { return kVersion.str(); }

std::string describeRecipes() {
  static constexpr StringRef kRoles[] = {"fprop", "dgrad", "wgrad"};
  static constexpr StringRef kMembers[3][2] = {{"x", "w"}, {"dy", "w"}, {"x", "dy"}};
  json::Object all;
  for (const auto &[recipe, summary] : getRecipes()) {
    json::Object roles;
    for (auto [role, name, members] : llvm::zip_equal(recipe.roles, kRoles, kMembers)) {
      if (!role) {
        roles[name] = nullptr;
        continue;
      }
      json::Object plans;
      for (auto [plan, member] : llvm::zip_equal(*role, members)) {
        json::Object fields = toJSON(plan.scheme);
        fields["evaluation"] = stringifyEvaluation(plan.evaluation);
        fields["rounding"] = stringifyRounding(plan.rounding);
        if (plan.rounding == Rounding::Stochastic)
          fields["bits"] = plan.bits;
        plans[member] = std::move(fields);
      }
      roles[name] = std::move(plans);
    }
    all[recipe.name] =
        json::Object{{"summary", summary}, {"hash", recipe.getHash()}, {"roles", std::move(roles)}};
  }
  return toText(std::move(all));
}

std::string describeCapabilities() {
  json::Object all;
  for (const target::Chip &chip : target::getChips()) {
    json::Array features, paths;
    for (unsigned bit = 0; bit < 16; ++bit) {
      auto feature = static_cast<target::Feature>(1u << bit);
      if (chip.has(feature))
        features.push_back(target::stringify(feature));
    }
    for (const target::PathCapability &row : chip.paths) {
      json::Array formats, scales;
      for (numerics::Format format : {numerics::Format::E1M2, numerics::Format::E2M1})
        if (row.formats & 1u << unsigned(format))
          formats.push_back(numerics::name(format));
      for (numerics::ScaleKind kind :
           {numerics::ScaleKind::F32, numerics::ScaleKind::UE4M3, numerics::ScaleKind::UE8M0})
        if (row.scales & 1u << unsigned(kind))
          scales.push_back(numerics::name(kind));
      json::Value base = nullptr, rate = nullptr;
      if (row.base != target::RateBase::Unknown) {
        base = row.base == target::RateBase::E2M1 ? "e2m1" : "bf16";
        rate = row.rate;
      }
      paths.push_back(json::Object{{"path", target::stringify(row.path)},
                                   {"formats", std::move(formats)},
                                   {"scales", std::move(scales)},
                                   {"block", row.block ? json::Value(int64_t(row.block)) : nullptr},
                                   {"instruction", row.instruction},
                                   {"permission", target::stringify(row.permission)},
                                   {"rate", std::move(rate)},
                                   {"rate_base", std::move(base)},
                                   {"emitted", row.ptxVersion <= chip.ptxVersion}});
    }
    all[chip.name] = json::Object{{"vendor", target::stringify(chip.vendor)},
                                  {"wave_size", int64_t(chip.waveSize)},
                                  {"shared_memory_bytes", int64_t(chip.sharedMemoryBytes)},
                                  {"max_registers", int64_t(chip.maxRegisters)},
                                  {"tensor_memory_columns", int64_t(chip.tensorMemoryColumns)},
                                  {"features", std::move(features)},
                                  {"paths", std::move(paths)}};
  }
  return toText(std::move(all));
}

std::string describeFormats() {
  json::Object formats, scales;
  for (numerics::Format format : {numerics::Format::E1M2, numerics::Format::E2M1}) {
    json::Array magnitudes;
    for (unsigned m = 0; m < numerics::levelCount; ++m)
      magnitudes.push_back(numerics::level(format, m));
    formats[numerics::name(format)] = std::move(magnitudes);
  }
  for (numerics::ScaleKind kind :
       {numerics::ScaleKind::F32, numerics::ScaleKind::UE4M3, numerics::ScaleKind::UE8M0})
    scales[numerics::name(kind)] = json::Object{{"bytes", int64_t(numerics::scaleBytes(kind))},
                                                {"global", kind == numerics::ScaleKind::UE4M3}};
  json::Array blocks, rotations;
  for (unsigned size = 1; size <= 256; ++size) {
    numerics::Scheme block, rotation;
    block.block = size;
    rotation.rotation.size = size;
    if (!numerics::verifyScheme(block))
      blocks.push_back(size);
    if (!numerics::verifyScheme(rotation))
      rotations.push_back(size);
  }
  return toText(json::Object{{"formats", std::move(formats)},
                             {"scales", std::move(scales)},
                             {"blocks", std::move(blocks)},
                             {"rotations", std::move(rotations)}});
}

//===----------------------------------------------------------------------===//
// Text to text
//===----------------------------------------------------------------------===//

Result<std::string> runPipeline(const std::string &text, const std::string &name,
                                const std::string &pipeline, PrintOptions print) {
  static const bool registered = [] {
    mlir::registerAllPasses();
    ufp4::registerAllPasses();
    return true;
  }();
  (void)registered;
  Session session;
  if (!session.parse(text, name, /*readOnlyToo=*/true))
    return session.fail();
  session.context.allowUnregisteredDialects(true);
  PassManager pm(&session.context);
  std::string problem;
  llvm::raw_string_ostream os(problem);
  StringRef passes(pipeline);
  passes = passes.trim();
  if (passes.consume_front("builtin.module(") && !passes.consume_back(")"))
    return Failure{"the pipeline '" + pipeline + "' ends without its ')'", {}};
  if (failed(parsePassPipeline(passes, pm, os)))
    return Failure{"the pipeline '" + pipeline + "' is not one: " +
                       StringRef(problem).trim().str() + "; expected PASS{OPTION=VALUE},PASS,…",
                   {}};
  if (failed(pm.run(*session.module)))
    return session.fail("the pipeline '" + pipeline + "' failed");
  return session.print(print);
}

Result<Rewritten> rewrite(const std::string &text, const std::string &name,
                          const RewriteOptions &options, PrintOptions print) {
  Session session;
  if (!session.parse(text, name, /*readOnlyToo=*/true))
    return session.fail();
  session.context.allowUnregisteredDialects(true);
  QuantizeTrainingOptions training;
  training.recipe = options.recipe;
  for (const std::string &param : options.params)
    training.params.push_back(param);
  training.exclude = options.exclude;
  training.skipFirst = options.skipFirst;
  training.skipLast = options.skipLast;
  training.includeF32 = options.includeF32;
  training.failOnMiss = options.failOnMiss;
  DecisionList list;
  FailureOr<QuantizeTrainingResult> result = quantizeTraining(*session.module, training, {&list});
  if (failed(result))
    return session.fail("the module cannot be rewritten by the recipe '" + options.recipe + "'");
  if (failed(verify(*session.module)))
    return session.fail("the rewritten module does not verify");
  return Rewritten{session.print(print), toText(toJSON(list.decisions, result->recipe))};
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static json::Array toJSON(const std::vector<TensorSignature> &tensors) {
  json::Array list;
  for (const TensorSignature &tensor : tensors) {
    json::Array shape;
    for (int64_t extent : tensor.shape)
      shape.push_back(ShapedType::isDynamic(extent) ? json::Value(nullptr) : json::Value(extent));
    list.push_back(json::Object{
        {"name", tensor.name}, {"type", ufp4::name(tensor.type)}, {"shape", std::move(shape)}});
  }
  return list;
}

/// A team of its size for the whole process; null for one thread.
static std::shared_ptr<Executor> getThreadTeam(unsigned threads) {
  // Never destroyed: a thread may still be in a call at exit.
  static auto &teams = *new std::map<unsigned, std::shared_ptr<Executor>>;
  static auto &mutex = *new std::mutex;
  std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<Executor> &team = teams[threads];
  if (!team)
    team = makeThreadTeam(threads);
  return team;
}

namespace {

class CPUProgram : public Program {
public:
  std::string signature() const override {
    return toText(
        json::Object{{"name", entry.name},
                     {"arguments", toJSON(entry.arguments)},
                     {"results", toJSON(entry.results)},
                     {"rng", entry.rng ? json::Value(int64_t(*entry.rng)) : json::Value(nullptr)}});
  }

  Result<std::vector<Buffer>> call(const std::vector<Buffer> &inputs, uint64_t seed, uint32_t step,
                                   unsigned threads) override {
    std::vector<ArrayView> arguments;
    for (const Buffer &input : inputs)
      arguments.emplace_back(input.type, input.shape, input.data);
    if (Error error = verifyInputs(entry, arguments))
      return Failure{llvm::toString(std::move(error)), {}};
    std::array<uint32_t, 3> words = rngWords(seed, step);
    const int64_t count = words.size();
    if (entry.rng)
      arguments.insert(arguments.begin() + *entry.rng,
                       ArrayView(ElementType::Int32, count, words.data()));
    std::shared_ptr<Executor> team = getThreadTeam(threads);
    ExecutorScope scope(team.get());
    Expected<std::vector<OwnedResult>> results = jit->callOnViews(entry, arguments);
    if (!results)
      return Failure{llvm::toString(results.takeError()), {}};
    std::vector<Buffer> buffers;
    for (OwnedResult &result : *results)
      buffers.push_back({result.type, std::move(result.shape), result.data, result.owner});
    return buffers;
  }

  Result<ReportTexts> report(const std::vector<Buffer> &inputs, uint64_t seed, uint32_t step,
                             const std::vector<std::string> &compare,
                             const std::string &decisions) override {
    ReportedRun run = described;
    run.seed = seed;
    run.step = step;
    if (!decisions.empty()) {
      Expected<json::Value> parsed = json::parse(decisions);
      if (!parsed)
        return Failure{"decisions.json: " + llvm::toString(parsed.takeError()), {}};
      run.decisions = std::move(*parsed);
    }
    if (!compare.empty()) {
      // The module's own recipes are found in its text; what was compiled has none left.
      Session session;
      if (!session.parse(text, "<rewritten>", /*readOnlyToo=*/false))
        return session.fail();
      FailureOr<std::vector<RivalRecipe>> rivals = findRivals(compare, run.recipe, *session.module);
      if (failed(rivals))
        return session.fail("the report cannot compare with " + llvm::join(compare, ", "));
      run.rivals = std::move(*rivals);
    }
    // Compiled code reports to one recorder of the process.
    static std::mutex recording;
    std::lock_guard<std::mutex> lock(recording);
    QuantizeRecorder recorder(sites);
    RecordingScope scope(recorder);
    Result<std::vector<Buffer>> results = call(inputs, seed, step, /*threads=*/1);
    if (auto *failure = std::get_if<Failure>(&results))
      return std::move(*failure);
    Expected<std::vector<QuantizeRecord>> records = recorder.take();
    if (!records)
      return Failure{llvm::toString(records.takeError()), {}};
    Report report = makeReport(run, *records);
    ReportTexts texts;
    texts.json = toText(ufp4::toJSON(report));
    llvm::raw_string_ostream os(texts.html);
    writeReportHTML(report, os);
    return texts;
  }

  EntrySignature entry;
  std::unique_ptr<JitModule> jit;
  std::vector<QuantizeSite> sites;
  /// What a report says of the program, and its text; only where it records.
  ReportedRun described;
  std::string text;
};

} // namespace

Result<std::shared_ptr<Program>> Program::compile(const std::string &text, const std::string &name,
                                                  const std::string &entry, bool record) {
  Session session;
  if (!session.parse(text, name, /*readOnlyToo=*/false))
    return session.fail();
  ModuleOp module = *session.module;
  auto program = std::make_shared<CPUProgram>();
  if (record) {
    std::tie(program->described.recipe, program->described.recipeHash) = getRecipeOf(module);
    program->text = text;
  }
  auto failWith = [&](Error error) { return session.fail(llvm::toString(std::move(error))); };
  if (failed(lowerQuantizes(module, record ? &program->sites : nullptr)))
    return session.fail(name + ": cannot be prepared for execution");
  if (Error error = verifyExecutable(module, name))
    return failWith(std::move(error));
  Expected<func::FuncOp> function = findEntry(module, entry);
  if (!function)
    return failWith(function.takeError());
  Expected<EntrySignature> signature = readSignature(*function);
  if (!signature)
    return failWith(signature.takeError());
  program->entry = std::move(*signature);
  if (Error error = keepOnly(module, *function, name))
    return failWith(std::move(error));
  Expected<std::unique_ptr<JitModule>> jit = compileForCPU(module);
  if (!jit)
    return failWith(jit.takeError());
  program->jit = std::move(*jit);
  if (Error error = program->jit->prepare(program->entry.name))
    return failWith(std::move(error));
  return std::shared_ptr<Program>(std::move(program));
}

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

static GemmCalls &gemmCalls() {
  // Never destroyed: XLA's threads may still run at exit.
  static auto *calls = new GemmCalls;
  return *calls;
}

static GemmCallOperand convert(const CallOperand &operand) {
  return GemmCallOperand{operand.buffer.type,
                         operand.buffer.shape,
                         operand.scheme,
                         operand.rounding,
                         operand.bits,
                         operand.stream,
                         llvm::ArrayRef(operand.view, operand.viewSize),
                         llvm::ArrayRef(operand.groups, operand.groupsSize),
                         llvm::ArrayRef(operand.of, operand.ofSize),
                         llvm::ArrayRef(operand.at, operand.at ? operand.buffer.shape.size() : 0),
                         operand.amax,
                         operand.rows,
                         operand.sourceRows};
}

static DeviceCalls &deviceCalls(const CallStream &stream) {
  static auto *cuda = new DeviceCalls(target::Vendor::NVIDIA);
  static auto *rocm = new DeviceCalls(target::Vendor::AMD);
  return stream.platform == CallStream::CUDA ? *cuda : *rocm;
}

static DeviceStream convert(const CallStream &stream) {
  return {stream.ordinal, stream.stream, stream.allocate};
}

static std::string toText(Error error) {
  return error ? llvm::toString(std::move(error)) : std::string();
}

std::string runGemmCall(const CallOperand &lhs, const CallOperand &rhs, const CallGroups *groups,
                        const void *rng, ElementType resultType, int64_t resultCount, void *result,
                        const CallStream *stream) {
  GemmCall call{{convert(lhs), convert(rhs)}, resultType, resultCount};
  if (groups)
    call.groups = {{groups->sizes, groups->count}, groups->cutsContraction, groups->first};
  const void *left = lhs.buffer.data, *right = rhs.buffer.data;
  return toText(stream ? deviceCalls(*stream).run(call, left, right, rng, result, convert(*stream))
                       : gemmCalls().run(call, left, right, rng, result));
}

std::string runAmaxCall(const CallOperand &operand, float *result, const CallStream *stream) {
  const void *input = operand.buffer.data;
  return toText(
      stream ? deviceCalls(*stream).runAmax(convert(operand), input, result, convert(*stream))
             : gemmCalls().runAmax(convert(operand), input, result));
}

size_t compiledGemmCalls() { return gemmCalls().size(); }

} // namespace ufp4::python
