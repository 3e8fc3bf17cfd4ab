//===- CustomCall.h - What `ufp4.gemm` computes, on the CPU -----*- C++ -*-===//
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

  bool isStochastic() const { return rounding == "stochastic"; }
};

struct GemmCall {
  GemmCallOperand operands[2];
  ElementType resultType;
  /// Elements of the result: G M N.
  int64_t resultCount;
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

  /// How many functions have been compiled.
  size_t size();

private:
  struct Function;

  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<Function>> functions;
};

} // namespace ufp4

#endif // UFP4_DRIVER_CUSTOMCALL_H
