//===- QuantizedDump.h - Quantized operands on disk -------------*- C++ -*-===//
//
// What `--dump-quantized` writes and `--replay` judges: one record per execution of a quantize, in
// index.json, with the arrays in .npy files beside it.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_QUANTIZEDDUMP_H
#define UFP4_EXECUTION_QUANTIZEDDUMP_H

#include "ufp4/Execution/Array.h"
#include "ufp4/Execution/OutputDirectory.h"
#include "ufp4/Numerics/Quantize.h"
#include "ufp4/Support/SchemeJSON.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace ufp4 {

/// What the compiler knows of a quantize.
struct QuantizeSite {
  /// The GEMM's place in pre-order over the input module, its role, and which operand this is.
  int64_t gemm = 0;
  std::string role;
  unsigned operand = 0;
  /// Further GEMMs that read the same quantized value.
  std::vector<int64_t> uses;
  numerics::Scheme scheme;
  bool stochastic = false;
  /// Zero when nearest.
  unsigned bits = 0;
  uint32_t stream = 0;
};

/// One execution of a quantize.
struct QuantizeRecord {
  QuantizeSite site;
  /// After every fold_in; zero when nearest.
  uint64_t seed = 0;
  uint32_t step = 0;
  /// The trip number of each loop around it, outermost first.
  std::vector<int64_t> trips;
  /// The view before rotation, [R, K] or [G, R, K]; one code per byte; scales as stored.
  Array input, codes, scales;
  /// S; absent unless the scales are `ue4m3`.
  std::optional<float> global;

  numerics::ViewShape viewShape() const;
  /// The input's element type.
  numerics::Element element() const;
  /// `gemm 3 (fprop) operand 1, trips [0, 2]`.
  std::string describe() const;
};

/// The inverse of `toJSON` of a scheme; `where` names the place in errors.
llvm::Expected<numerics::Scheme> schemeFromJSON(const llvm::json::Value &value,
                                                llvm::StringRef where);

/// A regular expression of the names of a dump's files.
inline constexpr llvm::StringLiteral kDumpFiles =
    "^(index[.]json|q[0-9]+_g[0-9]+_[01]_(input|codes|scales|global)[.]npy)$";
/// Writes index.json and the arrays.
llvm::Error writeQuantizedDump(const OutputDirectory &out, llvm::ArrayRef<QuantizeRecord> records);

/// Reads a dump and checks every record's shapes against its scheme.
llvm::Expected<std::vector<QuantizeRecord>> readQuantizedDump(llvm::StringRef directory);

/// The kernels that a replay judges.
struct ReplayKernels {
  /// Quantizes a record's input by its scheme, rounding, seed and step; nothing where the target
  /// has no kernel for it.
  std::function<llvm::Expected<std::optional<numerics::Quantized>>(const QuantizeRecord &)>
      quantize;
  /// C[g, m, n] in f32 of two records' codes, without epilogue or accumulator.
  std::function<llvm::Expected<std::vector<float>>(const QuantizeRecord &lhs,
                                                   const QuantizeRecord &rhs)>
      gemm;
};

/// The definition itself, as a quantize kernel.
llvm::Expected<std::optional<numerics::Quantized>>
quantizeByDefinition(const QuantizeRecord &record);

/// What a replay found to agree, and quantizes that the target has no kernel for.
struct ReplayCounts {
  size_t quantizes = 0, gemms = 0, skipped = 0;
};

/// Judges `kernels` on the records: codes, scales and S bit for bit, and each GEMM of which both
/// operands were dumped against the exact sum (G2). The error is the first difference.
llvm::Expected<ReplayCounts> replay(llvm::ArrayRef<QuantizeRecord> records,
                                    const ReplayKernels &kernels);

} // namespace ufp4

#endif // UFP4_EXECUTION_QUANTIZEDDUMP_H
