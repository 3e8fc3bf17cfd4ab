//===- NumericsEmitter.h - the numerics as arith operations -----*- C++ -*-===//
//
// docs/spec.md F2, F4 and Q4 to Q7 as arith ops, equal bit for bit to ufp4/Numerics, on scalars or
// on 1-D vectors. Every lowering of the value level emits its mathematics here and nowhere else.
// No op carries a fast-math flag, and no result needs one.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_NUMERICSEMITTER_H
#define UFP4_CONVERSION_NUMERICSEMITTER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "ufp4/Numerics/Quantize.h"

#include <array>

namespace ufp4 {

/// A float of few bits, without infinities: E4M3 and E2M1.
struct SmallFloat;

class NumericsEmitter {
public:
  /// Emits at the builder's insertion point, on vectors of `lanes` elements or, with 0, scalars.
  NumericsEmitter(mlir::OpBuilder &builder, mlir::Location loc, int64_t lanes = 0)
      : b(loc, builder), lanes(lanes) {}

  /// The scalar type itself, or a vector of it.
  mlir::Type like(mlir::Type element);
  mlir::Value f32(float value);
  mlir::Value i32(uint32_t value);
  mlir::Value i64(int64_t value);
  /// A scalar in every lane.
  mlir::Value splat(mlir::Value scalar);

  /// Q1: a bf16 or f16 value widened; an f32 as it is.
  mlir::Value widen(mlir::Value x);
  /// Q2: x times 1 / sqrt(n), the last step of a rotation.
  mlir::Value rotationFactor(mlir::Value x, unsigned n);
  /// Q4: |x| as bits, which order magnitudes with infinities and NaNs on top.
  mlir::Value magnitude(mlir::Value x);
  /// Q5: what an unpoisoned block adds to amax_tensor, as bits; 0 for a poisoned one.
  mlir::Value magnitudeForAmax(mlir::Value maximum);

  /// Q5: S of an amax_tensor, f32.
  mlir::Value globalScale(mlir::Value amax, numerics::Format format);
  /// The same, of amax and amax / (g_max·448), which may be anything up to 2^-100 where it is less.
  mlir::Value globalScale(mlir::Value amax, mlir::Value scale);

  /// Q4 and Q5 for one block: its stored scale, and e of Q6 or 0 where the block's codes are all 0.
  struct BlockScale {
    mlir::Value stored, reciprocal;
  };
  /// `maximum`: the greatest magnitude(). `global`: S; null unless UE4M3.
  BlockScale chooseScale(const numerics::Scheme &scheme, mlir::Value maximum, mlir::Value global);

  /// Q6: the code of x as an i32. `word`: a random word of `bits` bits; null rounds to nearest.
  mlir::Value encode(numerics::Format format, mlir::Value x, mlir::Value reciprocal,
                     mlir::Value word, unsigned bits);

  /// F1, F2: the f32 values of an i8 code and of a stored scale (without S).
  mlir::Value decodeCode(numerics::Format format, mlir::Value code);
  mlir::Value decodeScale(numerics::ScaleKind kind, mlir::Value stored);
  /// F1: an i8 code as an i8 integer, doubled for e2m1.
  mlir::Value integerOfCode(numerics::Format format, mlir::Value code);
  /// G1: two factors whose product is S_a · S_b and whose exponents are equal up to one, so that no
  /// product on the way is further out of range than the result.
  std::array<mlir::Value, 2> balance(mlir::Value globalA, mlir::Value globalB);
  /// F4: the value of a code under a scale and, unless null, S, rounded once to `result`.
  mlir::Value dequantize(const numerics::Scheme &scheme, mlir::Value code, mlir::Value stored,
                         mlir::Value global, mlir::Type result);
  /// The same in f32, first q·s, then times S: within half an ulp, which G2 allows a GEMM's
  /// operand.
  mlir::Value dequantizeForGemm(const numerics::Scheme &scheme, mlir::Value code,
                                mlir::Value stored, mlir::Value global);

  /// Philox4x32-10 on i32 words.
  std::array<mlir::Value, 4> philox(std::array<mlir::Value, 4> counter,
                                    std::array<mlir::Value, 2> key);
  /// The low and the high word of an i64.
  std::array<mlir::Value, 2> split(mlir::Value wide);
  /// Q10.
  mlir::Value foldIn(mlir::Value seed, mlir::Value value);
  /// Q7: the four words of the counter (i64) under seed (i64), stream and step (i32).
  std::array<mlir::Value, 4> drawWords(mlir::Value counter, mlir::Value seed, mlir::Value stream,
                                       mlir::Value step);
  /// A stream as an i32: the attribute's value, or else the operand.
  mlir::Value stream(std::optional<uint64_t> constant, mlir::Value dynamic);
  /// The `bits`-bit lane of a 32-bit word; `lane` is an i32.
  mlir::Value extractLane(mlir::Value word, mlir::Value lane, unsigned bits);

private:
  mlir::Value roundSmall(const SmallFloat &format, mlir::Value x);
  mlir::Value valueOfSmall(const SmallFloat &format, mlir::Value code);
  /// `threshold`, where it is known: 1 - u.
  mlir::Value levelsPassed(numerics::Format format, mlir::Value t, mlir::Value u,
                           mlir::Value threshold);
  std::array<mlir::Value, 4> philoxInLanes(mlir::Value counter, mlir::Value seed,
                                           mlir::Value stream, mlir::Value step);
  mlir::Value roundToOdd(mlir::Value wide);
  mlir::Value bitsOf(mlir::Value x);
  mlir::Value floatOf(mlir::Value bits);
  mlir::Value least(mlir::Value x, float limit);
  mlir::Value isNaN(mlir::Value x);
  mlir::Value toI32(mlir::Value condition);

  mlir::ImplicitLocOpBuilder b;
  int64_t lanes;
};

} // namespace ufp4

#endif // UFP4_CONVERSION_NUMERICSEMITTER_H
