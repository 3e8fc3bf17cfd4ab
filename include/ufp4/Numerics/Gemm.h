//===- Gemm.h - The exact product and what may differ from it ----*- C++ -*-===//
//
// docs/spec.md G1: C[m, n] = sum over k of A[m, k] B[n, k] over dequantized
// values as real numbers; G2: how near a lowering must come.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_GEMM_H
#define UFP4_NUMERICS_GEMM_H

#include "ufp4/Numerics/Elements.h"
#include "ufp4/Numerics/Quantize.h"
#include "ufp4/Numerics/Scheme.h"

#include <optional>
#include <string>

namespace ufp4::numerics {

/// A quantized operand as it lies in memory (see Quantize.h for the layouts).
struct QuantizedView {
  const uint8_t *codes = nullptr;
  const void *scales = nullptr;
  float global = 0;
  ViewShape shape;
  Scheme scheme;
};

/// Nothing when the operands may be multiplied (G1): same format, scale kind,
/// block along K, rotation, G and K. Otherwise a sentence.
std::optional<std::string> verifyOperands(const Scheme &a, ViewShape aShape, const Scheme &b,
                                          ViewShape bShape);

/// One element of the product and what G2 needs to judge a lowering's value.
struct GemmBound {
  /// The sum, C0 included: each block is summed exactly and blocks in
  /// double-double, so before its one rounding to double the sum is off by no
  /// more than (Kp / B) 2^-104 of `magnitude`. NaN where a poisoned block is read.
  double exact = 0;
  /// Sum of |A||B|, plus |C0|.
  double magnitude = 0;
  int64_t k = 0;
  /// Whether G2's provisos hold: magnitude and both operands' values below
  /// 2^127, nonzero products of two scales (S included) in [2^-126, 2^120].
  bool inRange = true;

  /// The greatest |stored - exact| that conforms.
  double tolerance(double stored, Element result) const;
};

enum class Conformance : uint8_t { Conforms, Violates, OutOfRange };

/// G2's verdict on a value that a lowering stored as `result` and that is
/// passed widened to f32. Where `exact` is NaN only a NaN conforms, in or out
/// of range.
Conformance checkBound(const GemmBound &bound, float stored, Element result);
/// The same of `count` values.
void checkBounds(const GemmBound *bounds, const float *stored, int64_t count, Element result,
                 Conformance *verdicts);

/// G1 for every element: `out` is [G, M, N] with M, N the operands' R. `c0`, if
/// not null, is [G, M, N] too. The operands must have passed verifyOperands.
void gemmExact(const QuantizedView &a, const QuantizedView &b, const float *c0, GemmBound *out);

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_GEMM_H
