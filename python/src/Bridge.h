//===- Bridge.h - The compiler as Python's bindings see it ------*- C++ -*-===//
//
// Bindings need exceptions and run-time type information, LLVM's headers neither; what crosses is
// of standard types alone. Nothing here touches Python, so every call may run without the GIL.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_PYTHON_BRIDGE_H
#define UFP4_PYTHON_BRIDGE_H

#include "ufp4/Execution/Array.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace ufp4::python {

struct Diagnostic {
  /// `error`, `warning` or `remark`; a note has none of its own.
  std::string severity;
  /// `file:line:column` or a name stack; empty where nothing is known.
  std::string location;
  std::string message;
  std::vector<Diagnostic> notes;
};

/// What a call could not do: one sentence, and what the compiler said on the way.
struct Failure {
  std::string message;
  std::vector<Diagnostic> diagnostics;
};

template <typename T> using Result = std::variant<T, Failure>;

/// `ufp4 0.1.0`'s number.
std::string version();

/// The compiler's tables as JSON.
std::string describeRecipes();
std::string describeCapabilities();
std::string describeFormats();

struct PrintOptions {
  bool generic = false, debugInfo = false;
};

/// Runs a textual pass pipeline over a module's text; `name` stands for it in locations.
Result<std::string> runPipeline(const std::string &text, const std::string &name,
                                const std::string &pipeline, PrintOptions print);

/// The options of --ufp4-quantize-training.
struct RewriteOptions {
  std::string recipe;
  std::vector<std::string> params;
  std::string exclude;
  unsigned skipFirst = 0, skipLast = 0;
  bool includeF32 = false, failOnMiss = false;
};

struct Rewritten {
  std::string text;
  /// decisions.json.
  std::string decisions;
};

/// Rewrites a module by a recipe.
Result<Rewritten> rewrite(const std::string &text, const std::string &name,
                          const RewriteOptions &options, PrintOptions print);

/// A dense row-major array that `owner`, if any, keeps alive.
struct Buffer {
  ElementType type;
  std::vector<int64_t> shape;
  const void *data;
  std::shared_ptr<void> owner;
};

struct ReportTexts {
  std::string json, html;
};

/// A function compiled for this machine's CPU. Safe to call from any number of threads.
class Program {
public:
  virtual ~Program() = default;

  /// Compiles a module of upstream dialects and UFP4's; an empty `entry` is its only public
  /// function. A program that records quantizes (for `report`) is slower.
  static Result<std::shared_ptr<Program>> compile(const std::string &text, const std::string &name,
                                                  const std::string &entry, bool record);

  /// name, arguments and results (name, type, shape), the rng argument's number or null; JSON.
  virtual std::string signature() const = 0;

  /// Calls it on so many threads with the inputs, the rng argument left out, which it neither
  /// copies nor changes.
  virtual Result<std::vector<Buffer>> call(const std::vector<Buffer> &inputs, uint64_t seed,
                                           uint32_t step, unsigned threads) = 0;

  /// What quantizing did to each GEMM in one call, and what the recipes of `compare` would have
  /// done (they need `decisions`, decisions.json's text or empty). Only where it records.
  virtual Result<ReportTexts> report(const std::vector<Buffer> &inputs, uint64_t seed,
                                     uint32_t step, const std::vector<std::string> &compare,
                                     const std::string &decisions) = 0;
};

/// One operand of a custom call (docs/custom-call.md); `at` and `amax` are null where there is
/// none.
struct CallOperand {
  Buffer buffer;
  std::string_view scheme, rounding;
  int64_t bits, stream;
  const int64_t *view;
  size_t viewSize;
  const int64_t *groups;
  size_t groupsSize;
  const int64_t *of = nullptr;
  size_t ofSize = 0;
  const int64_t *at = nullptr;
  const float *amax = nullptr;
  /// Which rows of how many the operand is, where it is gathered; its shape is then that of the
  /// rows.
  const int32_t *rows = nullptr;
  int64_t sourceRows = 0;
};

/// Where a call runs that does not run on the CPU; its arrays are that device's.
struct CallStream {
  enum { CUDA, ROCm } platform;
  int ordinal;
  void *stream;
  /// Memory of the device that lives until the call is done; null where there is none.
  std::function<void *(size_t bytes)> allocate;
};

/// The groups of a `ufp4.grouped_gemm`.
struct CallGroups {
  const int32_t *sizes;
  size_t count;
  bool cutsContraction;
  const int64_t *first;
};

/// Computes a `ufp4.gemm`, or a grouped one, on the CPU or on a stream; an empty string, or what is
/// wrong. `rng` is null where nothing is stochastic, `groups` where the call is not grouped.
std::string runGemmCall(const CallOperand &lhs, const CallOperand &rhs, const CallGroups *groups,
                        const void *rng, ElementType resultType, int64_t resultCount, void *result,
                        const CallStream *stream);

/// Computes a `ufp4.amax`.
std::string runAmaxCall(const CallOperand &operand, float *result, const CallStream *stream);

/// How many functions have been compiled for custom calls.
size_t compiledGemmCalls();

} // namespace ufp4::python

#endif // UFP4_PYTHON_BRIDGE_H
