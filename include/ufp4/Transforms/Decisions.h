//===- Decisions.h - what became of each matmul -----------------*- C++ -*-===//
//
// The rewriting reports each decision to observers and knows nothing of where they go: remarks,
// decisions.json, a table for people.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TRANSFORMS_DECISIONS_H
#define UFP4_TRANSFORMS_DECISIONS_H

#include "ufp4/Transforms/Recipe.h"
#include "llvm/Support/JSON.h"

namespace ufp4 {

/// One matmul-like operation and what became of it.
struct Decision {
  mlir::Location location;
  std::string op;
  /// Extents; dynamic ones are ShapedType::kDynamic.
  int64_t batch, m, n, k;
  Role role;
  int parameter;
  std::string parameterName, layer;
  bool rewritten;
  Reason reason;
  std::string message;
  Member members[2];
  /// How each operand is quantized; nothing where the recipe has no plan for it.
  std::optional<OperandPlan> plans[2];
  /// The streams that the operands draw from, or would.
  uint32_t streams[2];
  /// How a target's kernel computes it (native, container, post, fold); empty where that is not
  /// known, or it has none.
  std::string path = {};
  /// Why it has none, or why not a better one that the chip's table has; empty where there is
  /// nothing to explain.
  std::string pathReason = {};
  /// The groups of a grouped GEMM; 0: it is none.
  int64_t groups = 0;
};

class DecisionObserver {
public:
  virtual ~DecisionObserver() = default;
  virtual void observe(const Decision &decision) = 0;
};

/// Emits a remark (passed or missed, category `ufp4`) for each decision.
std::unique_ptr<DecisionObserver> createRemarkObserver();

/// Collects decisions in order.
struct DecisionList : DecisionObserver {
  void observe(const Decision &decision) override { decisions.push_back(decision); }
  std::vector<Decision> decisions;
};

/// decisions.json (docs/spec.md, "Files"), in the order of Q9.
llvm::json::Value toJSON(llvm::ArrayRef<Decision> decisions, const Recipe &recipe);

/// A table for people: one line a matmul and the counts of each outcome.
void printDecisions(llvm::raw_ostream &os, llvm::ArrayRef<Decision> decisions);

/// A location as `file:line:column`, or its name stack where it has no file.
std::string getLocationText(mlir::Location location);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_DECISIONS_H
