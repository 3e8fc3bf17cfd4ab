//===- Report.h - What quantizing did to each GEMM --------------*- C++ -*-===//
//
// The operands that a run recorded, judged as the recipe quantized them and as rival recipes would
// have: docs/report.md defines the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_REPORT_H
#define UFP4_EXECUTION_REPORT_H

#include "ufp4/Execution/QuantizedDump.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <functional>
#include <optional>

namespace ufp4 {

/// How a recipe quantizes one operand; `bits` of a random word, 0 when nearest.
struct QuantizePlan {
  numerics::Scheme scheme;
  bool stochastic = false;
  unsigned bits = 0;

  bool operator==(const QuantizePlan &other) const {
    return scheme == other.scheme && stochastic == other.stochastic && bits == other.bits;
  }
};

/// A recipe that is judged on the tensors that another one's run recorded.
struct RivalRecipe {
  std::string name, hash;
  /// Its plan for a member (x, w, dy) of a role (fprop, dgrad, wgrad); nothing where it leaves the
  /// role in its own precision.
  std::function<std::optional<QuantizePlan>(llvm::StringRef role, llvm::StringRef member)> plan;
};

/// What a run was.
struct ReportedRun {
  /// The module's name, and the recipe that it was rewritten by; empty where that is not known.
  std::string module, recipe, recipeHash;
  uint64_t seed = 0;
  uint32_t step = 0;
  /// decisions.json; null where the module was rewritten before. Rivals need it.
  llvm::json::Value decisions = nullptr;
  std::vector<RivalRecipe> rivals;
};

/// The error of one operand, over all executions of its quantize, or of a GEMM, measured in f64 in
/// the rotated domain, where x' is what the codes approximate.
struct QuantizeError {
  /// Signal over error, in dB; infinite where the codes are exact. Of a GEMM: both errors added.
  double sqnr = 0;
  /// ⟨Q(x'), x'⟩ / ⟨x', x'⟩: below one the operand shrinks. Of a GEMM: the product.
  double alpha = 1;
  /// Share of elements whose t exceeds the grid's greatest magnitude by more than half a step, and
  /// share of nonzero elements that became zero. Of a GEMM: the greater of both.
  double clipped = 0, zeroed = 0;
};

struct OperandReport {
  /// 0: lhs.
  unsigned operand = 0;
  /// x, w or dy; empty where the decisions are not known.
  std::string member;
  /// The GEMM whose quantize this one reads; its own unless they share one.
  int64_t quantizedBy = 0;
  std::vector<int64_t> uses;
  size_t executions = 0;
  /// By recipe, the run's own first; nothing where a rival leaves the operand alone.
  struct Judgement {
    QuantizePlan plan;
    QuantizeError error;
  };
  std::vector<std::optional<Judgement>> recipes;
};

struct GemmReport {
  int64_t gemm = 0;
  std::string role, layer;
  /// batch, m, n, k; nothing where one is dynamic or not known.
  std::array<std::optional<int64_t>, 4> extents;
  /// Why it was left, and the same for people; empty where it was rewritten.
  std::string reason, message;
  /// None where it was left or did not run.
  std::vector<OperandReport> operands;
  struct Judgement {
    QuantizeError error;
    /// α of the GEMMs of this role up to this one, multiplied.
    double alphaProduct = 1;
  };
  /// As an operand's; empty without operands.
  std::vector<std::optional<Judgement>> recipes;
};

/// A recipe over the whole step.
struct RecipeReport {
  std::string name, hash;
  /// fprop, dgrad, wgrad: the mean of the GEMMs' SQNR in dB, the infinite ones left out; nothing
  /// where it quantizes none.
  std::array<std::optional<double>, 3> sqnr;
  /// fprop and dgrad: α of all GEMMs multiplied.
  std::array<std::optional<double>, 2> alphaProduct;
  /// The greatest of any operand.
  double clipped = 0, zeroed = 0;
};

struct Report {
  std::string module;
  uint64_t seed = 0;
  uint32_t step = 0;
  /// The run's own recipe, then its rivals.
  std::vector<RecipeReport> recipes;
  /// Every matmul of decisions.json; without it those that were quantized.
  std::vector<GemmReport> gemms;
};

/// Judges the records of a run, in time linear in the elements and the rivals.
Report makeReport(const ReportedRun &run, llvm::ArrayRef<QuantizeRecord> records);

/// docs/report.md describes the fields.
llvm::json::Value toJSON(const Report &report);

/// One line an operand and recipe; with rivals, a line a recipe at the end.
void writeReportText(const Report &report, llvm::raw_ostream &os);

/// One page that needs nothing else: tables, plots, and the JSON.
void writeReportHTML(const Report &report, llvm::raw_ostream &os);

} // namespace ufp4

#endif // UFP4_EXECUTION_REPORT_H
