//===- CustomCall.h - What custom calls compute, on the CPU -----*- C++ -*-===//
//
// docs/custom-call.md is the contract. One function is compiled per description of a call; seeds,
// steps and streams are its arguments.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_DRIVER_CUSTOMCALL_H
#define UFP4_DRIVER_CUSTOMCALL_H

#include "ufp4/Execution/Array.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace ufp4 {

/// One operand of a call; what it refers to outlives the call.
struct GemmCallOperand {
  ElementType type;
  llvm::ArrayRef<int64_t> shape;
  /// The text of a `#ufp4.scheme` attribute; `nearest` or `stochastic`; bits of a random word.
  llvm::StringRef scheme, rounding;
  int64_t bits;
  int64_t stream;
  /// A permutation of the dimensions: those merged into G, into R, into K; how many each group has.
  llvm::ArrayRef<int64_t> view, groups;
  /// The extents of the tensor that the operand is a part of, and where the part begins in each; no
  /// offsets where it is the whole.
  llvm::ArrayRef<int64_t> of, at;
  /// The maximum that sets a per-tensor scale; null: the operand's own.
  const float *amax = nullptr;
  /// Of a grouped call's tokens: which rows of how many the operand is, where it is gathered; null:
  /// it lies there itself.
  const int32_t *rows = nullptr;
  int64_t sourceRows = 0;

  bool isStochastic() const { return rounding == "stochastic"; }
  bool isPart() const { return of != shape; }
};

/// The groups of a grouped call (`ufp4.grouped_gemm`).
struct GemmCallGroups {
  /// One for each; on a device in its memory.
  llvm::ArrayRef<int32_t> sizes;
  /// Whether they cut K of both operands, or else the lhs's rows.
  bool cutsContraction;
  /// The global index of the first, where the sizes are; null for 0.
  const int64_t *first;
};

struct GemmCall {
  GemmCallOperand operands[2];
  ElementType resultType;
  /// Elements of the result: G M N, or M N where groups are rows.
  int64_t resultCount;
  /// Nothing where the call is not grouped.
  std::optional<GemmCallGroups> groups = std::nullopt;

  llvm::StringRef target() const { return groups ? "ufp4.grouped_gemm" : "ufp4.gemm"; }
};

/// Functions compiled for calls. Safe to use from any number of threads: each description is
/// compiled once, while other descriptions run.
class GemmCalls {
public:
  GemmCalls();
  ~GemmCalls();

  /// Computes a call on dense row-major buffers, without copying them, in the definition's
  /// floating-point environment whatever the caller's is. `rng` is the tensor<3xi32>, null where
  /// both operands round to nearest.
  llvm::Error run(const GemmCall &call, const void *lhs, const void *rhs, const void *rng,
                  void *result);

  /// Computes the maximum that sets the per-tensor scale of an operand (`ufp4.amax`).
  llvm::Error runAmax(const GemmCallOperand &operand, const void *input, float *result);

  /// How many functions have been compiled.
  size_t size();

private:
  struct Function;

  std::shared_ptr<Function> get(const std::string &key);

  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<Function>> functions;
};

} // namespace ufp4

#endif // UFP4_DRIVER_CUSTOMCALL_H
