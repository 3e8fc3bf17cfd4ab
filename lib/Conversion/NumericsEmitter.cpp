//===- NumericsEmitter.cpp - the numerics as arith operations -------------===//

#include "ufp4/Conversion/NumericsEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace ufp4;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using numerics::Format;
using numerics::ScaleKind;
using numerics::ScaleRule;

namespace ufp4 {
struct SmallFloat {
  unsigned mantissa;
  int bias;
  float max;

  unsigned dropped() const { return 23 - mantissa; }
  /// The least normal number and the unit of the subnormal ones, both powers of two.
  float leastNormal() const { return std::ldexp(1.0f, 1 - bias); }
  float unit() const { return std::ldexp(1.0f, 1 - bias - int(mantissa)); }
  /// What an f32's exponent and mantissa exceed this format's code by, after dropping bits.
  uint32_t rebias() const { return uint32_t(127 - bias) << mantissa; }
};
} // namespace ufp4

static constexpr SmallFloat e4m3{3, 7, numerics::maxE4M3};
static constexpr SmallFloat e2m1{1, 1, 6.0f};

static constexpr uint32_t infinityBits = 0x7F800000;
/// 2^-120: a block below it is a zero block (Q4).
static constexpr uint32_t leastMaximumBits = (127 - 120) << 23;

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

Type NumericsEmitter::like(Type element) {
  return lanes ? VectorType::get({lanes}, element) : element;
}

static Value createConstant(ImplicitLocOpBuilder &b, Type type, TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, Attribute(value));
  return arith::ConstantOp::create(b, value);
}

Value NumericsEmitter::f32(float value) {
  return createConstant(b, like(b.getF32Type()), b.getF32FloatAttr(value));
}
Value NumericsEmitter::i32(uint32_t value) {
  return createConstant(b, like(b.getI32Type()), b.getI32IntegerAttr(int32_t(value)));
}
Value NumericsEmitter::i64(int64_t value) {
  return createConstant(b, like(b.getI64Type()), b.getI64IntegerAttr(value));
}
Value NumericsEmitter::splat(Value scalar) {
  return lanes ? vector::BroadcastOp::create(b, like(scalar.getType()), scalar).getResult()
               : scalar;
}

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

Value NumericsEmitter::bitsOf(Value x) {
  return arith::BitcastOp::create(b, like(b.getI32Type()), x);
}
Value NumericsEmitter::floatOf(Value bits) {
  return arith::BitcastOp::create(b, like(b.getF32Type()), bits);
}
Value NumericsEmitter::toI32(Value condition) {
  return arith::ExtUIOp::create(b, like(b.getI32Type()), condition);
}
Value NumericsEmitter::isNaN(Value x) { return arith::CmpFOp::create(b, CmpFPredicate::UNO, x, x); }
/// min(x, limit); the limit where x is a NaN. Compilers know this form as one instruction.
Value NumericsEmitter::least(Value x, float limit) {
  Value bound = f32(limit);
  Value below = arith::CmpFOp::create(b, CmpFPredicate::OLT, x, bound);
  return arith::SelectOp::create(b, below, x, bound);
}

Value NumericsEmitter::widen(Value x) {
  if (getElementTypeOrSelf(x.getType()).isF32())
    return x;
  return arith::ExtFOp::create(b, like(b.getF32Type()), x);
}

Value NumericsEmitter::rotationFactor(Value x, unsigned n) {
  // f32(1 / sqrt(n)): a power of two, times the rounded square root of 2 where n is no square.
  float factor = std::ldexp(llvm::Log2_32(n) % 2 ? 0x1.6a09e6p0f : 1.0f,
                            -int(llvm::divideCeil(llvm::Log2_32(n), 2)));
  return arith::MulFOp::create(b, x, f32(factor));
}

Value NumericsEmitter::magnitude(Value x) {
  return arith::AndIOp::create(b, bitsOf(x), i32(0x7FFFFFFF));
}

Value NumericsEmitter::magnitudeForAmax(Value maximum) {
  Value poisoned = arith::CmpIOp::create(b, CmpIPredicate::uge, maximum, i32(infinityBits));
  return arith::SelectOp::create(b, poisoned, i32(0), maximum);
}

//===----------------------------------------------------------------------===//
// E4M3 and E2M1
//===----------------------------------------------------------------------===//

/// The code of x >= 0, nearest even, saturating, as an i32.
Value NumericsEmitter::roundSmall(const SmallFloat &format, Value x) {
  Value limited = least(x, format.max);
  // Normal numbers: round the f32's bits, whose exponent takes the carry, and rebias.
  Value bits = bitsOf(limited);
  unsigned dropped = format.dropped();
  Value odd = arith::AndIOp::create(b, arith::ShRUIOp::create(b, bits, i32(dropped)), i32(1));
  Value rounded =
      arith::AddIOp::create(b, arith::AddIOp::create(b, bits, i32((1u << (dropped - 1)) - 1)), odd);
  Value normal = arith::SubIOp::create(b, arith::ShRUIOp::create(b, rounded, i32(dropped)),
                                       i32(format.rebias()));
  // Subnormal ones: at this magic number an f32's last place is their unit, so the sum rounds.
  float magic = std::ldexp(format.unit(), 23);
  Value sum = arith::AddFOp::create(b, limited, f32(magic));
  Value subnormal = arith::SubIOp::create(b, bitsOf(sum), i32(numerics::bitsOf(magic)));
  Value isSubnormal =
      arith::CmpFOp::create(b, CmpFPredicate::OLT, limited, f32(format.leastNormal()));
  return arith::SelectOp::create(b, isSubnormal, subnormal, normal);
}

/// The f32 value of a code without sign, an i32.
Value NumericsEmitter::valueOfSmall(const SmallFloat &format, Value code) {
  Value normal = floatOf(arith::ShLIOp::create(
      b, arith::AddIOp::create(b, code, i32(format.rebias())), i32(format.dropped())));
  Value subnormal = arith::MulFOp::create(b, arith::SIToFPOp::create(b, like(b.getF32Type()), code),
                                          f32(format.unit()));
  Value isSubnormal =
      arith::CmpIOp::create(b, CmpIPredicate::ult, code, i32(1u << format.mantissa));
  return arith::SelectOp::create(b, isSubnormal, subnormal, normal);
}

//===----------------------------------------------------------------------===//
// Scales (Q5)
//===----------------------------------------------------------------------===//

Value NumericsEmitter::globalScale(Value amax, Format format) {
  Value divisor = f32(numerics::gMax(format) * numerics::maxE4M3);
  return globalScale(amax, arith::DivFOp::create(b, amax, divisor).getResult());
}

Value NumericsEmitter::globalScale(Value amax, Value scale) {
  Value floor = f32(0x1p-100f);
  Value above = arith::CmpFOp::create(b, CmpFPredicate::OGT, scale, floor);
  Value bounded = arith::SelectOp::create(b, above, scale, floor);
  Value positive = arith::CmpFOp::create(b, CmpFPredicate::OGE, amax, f32(0.0f));
  Value finite = arith::CmpIOp::create(b, CmpIPredicate::ne, bitsOf(amax), i32(infinityBits));
  Value legal = arith::AndIOp::create(b, positive, finite);
  return arith::SelectOp::create(b, legal, bounded, floatOf(i32(numerics::canonicalNaN)));
}

NumericsEmitter::BlockScale NumericsEmitter::chooseScale(const numerics::Scheme &scheme,
                                                         Value maximum, Value global) {
  Value poisoned = arith::CmpIOp::create(b, CmpIPredicate::uge, maximum, i32(infinityBits));
  Value zero = arith::CmpIOp::create(b, CmpIPredicate::ult, maximum, i32(leastMaximumBits));
  Value amax = floatOf(maximum);
  Value gMax = f32(numerics::gMax(scheme.format));
  Value stored, divisor, nan;
  switch (scheme.scale) {
  case ScaleKind::F32:
    divisor = arith::DivFOp::create(b, amax, gMax);
    stored = arith::SelectOp::create(b, zero, f32(0.0f), divisor);
    nan = floatOf(i32(numerics::canonicalNaN));
    break;
  case ScaleKind::UE4M3: {
    Value inverse = arith::DivFOp::create(b, f32(1.0f), global);
    Value ratio = arith::MulFOp::create(b, arith::DivFOp::create(b, amax, gMax), inverse);
    Value code = arith::SelectOp::create(b, zero, i32(0), roundSmall(e4m3, ratio));
    zero = arith::CmpIOp::create(b, CmpIPredicate::eq, code, i32(0));
    poisoned = arith::OrIOp::create(b, poisoned, isNaN(global));
    divisor = arith::MulFOp::create(b, valueOfSmall(e4m3, code), global);
    stored = code;
    nan = i32(numerics::nanUE4M3);
    break;
  }
  case ScaleKind::UE8M0: {
    Value exponent = arith::SubIOp::create(b, arith::ShRUIOp::create(b, maximum, i32(23)), i32(2));
    if (scheme.rule == ScaleRule::Ceil) {
      // g_max is 1.75 or 1.5 times 4, so amax <= g_max 2^k compares mantissas.
      uint32_t mantissaOfGMax = numerics::bitsOf(numerics::gMax(scheme.format)) & 0x7FFFFF;
      Value mantissa = arith::AndIOp::create(b, maximum, i32(0x7FFFFF));
      Value above = arith::CmpIOp::create(b, CmpIPredicate::ugt, mantissa, i32(mantissaOfGMax));
      exponent = arith::AddIOp::create(b, exponent, toI32(above));
    }
    // No clamp: a live block has 2^-120 <= amax < 2^128, hence an exponent of 5 to 253.
    stored = arith::SelectOp::create(b, zero, i32(0), exponent);
    divisor = floatOf(arith::ShLIOp::create(b, exponent, i32(23)));
    nan = i32(numerics::nanUE8M0);
    break;
  }
  }
  stored = arith::SelectOp::create(b, poisoned, nan, stored);
  if (scheme.scale != ScaleKind::F32)
    stored = arith::TruncIOp::create(b, like(b.getI8Type()), stored);
  Value blank = arith::OrIOp::create(b, poisoned, zero);
  Value reciprocal = arith::DivFOp::create(b, f32(1.0f), divisor);
  return {stored, arith::SelectOp::create(b, blank, f32(0.0f), reciprocal)};
}

//===----------------------------------------------------------------------===//
// Codes (Q6)
//===----------------------------------------------------------------------===//

/// The number of levels that t >= 0 passes; u is null for nearest rounding.
Value NumericsEmitter::levelsPassed(Format format, Value t, Value u, Value threshold) {
  Type i32Type = like(b.getI32Type()), f32Type = like(b.getF32Type());
  if (format == Format::E1M2) {
    Value limited = least(t, 7.0f);
    if (!u && !threshold) {
      // At 2^23 an f32's last place is 1: the sum rounds, ties to even, into its low bits.
      Value sum = arith::AddFOp::create(b, limited, f32(0x1p23f));
      return arith::AndIOp::create(b, bitsOf(sum), i32(7));
    }
    Value floor = arith::FPToSIOp::create(b, i32Type, limited);
    Value rest = arith::SubFOp::create(b, limited, arith::SIToFPOp::create(b, f32Type, floor));
    if (!threshold)
      threshold = arith::SubFOp::create(b, f32(1.0f), u);
    Value up = arith::CmpFOp::create(b, CmpFPredicate::OGE, rest, threshold);
    return arith::AddIOp::create(b, floor, toI32(up));
  }
  if (!u)
    return roundSmall(e2m1, t);
  Value passed;
  for (unsigned m = 1; m < numerics::levelCount; ++m) {
    float level = numerics::level(format, m), width = level - numerics::level(format, m - 1);
    Value step = width == 1.0f ? u : arith::MulFOp::create(b, u, f32(width)).getResult();
    Value threshold = arith::SubFOp::create(b, f32(level), step);
    Value passes = toI32(arith::CmpFOp::create(b, CmpFPredicate::OGE, t, threshold));
    passed = passed ? arith::AddIOp::create(b, passed, passes).getResult() : passes;
  }
  return passed;
}

Value NumericsEmitter::encode(Format format, Value x, Value reciprocal, Value word, unsigned bits) {
  Value u, threshold;
  if (word && lanes && format == Format::E1M2) {
    // 1 - (r | 1)/2^b is (~r | 1)/2^b, whose numerator of b bits is the fraction of a number from 1
    // on: cheaper in lanes than a conversion.
    unsigned shift = 23 - bits;
    Value shifted = arith::ShLIOp::create(b, word, i32(shift));
    Value flipped = arith::XOrIOp::create(b, shifted, i32(((1u << bits) - 1) << shift));
    Value fromOne = arith::OrIOp::create(b, flipped, i32(0x3F800000 | 1u << shift));
    threshold = arith::SubFOp::create(b, floatOf(fromOne), f32(1.0f));
  } else if (word) {
    Value odd = arith::OrIOp::create(b, word, i32(1));
    u = arith::MulFOp::create(b, arith::SIToFPOp::create(b, like(b.getF32Type()), odd),
                              f32(std::ldexp(1.0f, -int(bits))));
  }
  Value t = arith::MulFOp::create(b, floatOf(magnitude(x)), reciprocal);
  Value passed = levelsPassed(format, t, u, threshold);
  // An exact zero gives code 0, whatever its sign.
  Value negative = arith::CmpIOp::create(b, CmpIPredicate::ugt, bitsOf(x), i32(0x80000000));
  Value sign = arith::SelectOp::create(b, negative, i32(numerics::signBit), i32(0));
  Value live = arith::CmpFOp::create(b, CmpFPredicate::UNE, reciprocal, f32(0.0f));
  return arith::SelectOp::create(b, live, arith::OrIOp::create(b, passed, sign), i32(0));
}

//===----------------------------------------------------------------------===//
// Values (F4)
//===----------------------------------------------------------------------===//

Value NumericsEmitter::decodeCode(Format format, Value code) {
  Value wide = arith::ExtUIOp::create(b, like(b.getI32Type()), code);
  Value m = arith::AndIOp::create(b, wide, i32(7));
  Value negative = arith::CmpIOp::create(
      b, CmpIPredicate::ne, arith::AndIOp::create(b, wide, i32(numerics::signBit)), i32(0));
  if (format == Format::E1M2) {
    Value minus = arith::SubIOp::create(b, i32(0), m);
    return arith::SIToFPOp::create(b, like(b.getF32Type()),
                                   arith::SelectOp::create(b, negative, minus, m));
  }
  // 0 - x and not -x, so that code 8 reads as +0.
  Value value = valueOfSmall(e2m1, m);
  Value minus = arith::SubFOp::create(b, f32(0.0f), value);
  return arith::SelectOp::create(b, negative, minus, value);
}

Value NumericsEmitter::decodeScale(ScaleKind kind, Value stored) {
  if (kind == ScaleKind::F32)
    return stored;
  Value byte = arith::ExtUIOp::create(b, like(b.getI32Type()), stored);
  Value nan = floatOf(i32(numerics::canonicalNaN));
  if (kind == ScaleKind::UE4M3) {
    Value isNaN = arith::CmpIOp::create(b, CmpIPredicate::uge, byte, i32(numerics::nanUE4M3));
    return arith::SelectOp::create(b, isNaN, nan, valueOfSmall(e4m3, byte));
  }
  Value normal = arith::ShLIOp::create(b, byte, i32(23));
  Value isZero = arith::CmpIOp::create(b, CmpIPredicate::eq, byte, i32(0));
  Value bits = arith::SelectOp::create(b, isZero, i32(1u << 22), normal);
  Value isNaN = arith::CmpIOp::create(b, CmpIPredicate::eq, byte, i32(numerics::nanUE8M0));
  return arith::SelectOp::create(b, isNaN, nan, floatOf(bits));
}

Value NumericsEmitter::integerOfCode(Format format, Value code) {
  Type type = like(b.getI8Type());
  auto i8 = [&](int8_t value) { return createConstant(b, type, b.getI8IntegerAttr(value)); };
  Value m = arith::AndIOp::create(b, code, i8(7));
  if (format == Format::E2M1) {
    // 0, 1, 2, 3, 4, 6, 8, 12.
    Value magnitude = m;
    for (auto [from, step] : {std::pair(5, 1), std::pair(6, 1), std::pair(7, 3)}) {
      Value reached = arith::CmpIOp::create(b, CmpIPredicate::uge, m, i8(from));
      Value added = arith::SelectOp::create(b, reached, i8(step), i8(0));
      magnitude = arith::AddIOp::create(b, magnitude, added);
    }
    m = magnitude;
  }
  Value sign = arith::AndIOp::create(b, code, i8(numerics::signBit));
  Value negative = arith::CmpIOp::create(b, CmpIPredicate::ne, sign, i8(0));
  return arith::SelectOp::create(b, negative, arith::SubIOp::create(b, i8(0), m), m);
}

std::array<Value, 2> NumericsEmitter::balance(Value globalA, Value globalB) {
  auto exponent = [&](Value scale) -> Value {
    Value shifted = arith::ShRUIOp::create(b, bitsOf(scale), i32(23));
    return arith::AndIOp::create(b, shifted, i32(255));
  };
  Value difference = arith::SubIOp::create(b, exponent(globalB), exponent(globalA));
  Value half = arith::ShRSIOp::create(b, difference, i32(1));
  // 2^±half is normal: S is at least 2^-100, and the exponent field of a NaN is 255. A product with
  // it, unlike an exchange of exponents, keeps the NaN.
  auto times = [&](Value scale, Value power) -> Value {
    Value biased = arith::AddIOp::create(b, power, i32(127));
    return arith::MulFOp::create(b, scale, floatOf(arith::ShLIOp::create(b, biased, i32(23))));
  };
  return {times(globalA, half), times(globalB, arith::SubIOp::create(b, i32(0), half))};
}

Value NumericsEmitter::dequantizeForGemm(const numerics::Scheme &scheme, Value code, Value stored,
                                         Value global) {
  Value value =
      arith::MulFOp::create(b, decodeCode(scheme.format, code), decodeScale(scheme.scale, stored));
  return global ? arith::MulFOp::create(b, value, global).getResult() : value;
}

/// An f64 to f32 towards zero, with the last bit set where inexact: rounding that to bf16 or f16
/// is rounding the f64 once.
Value NumericsEmitter::roundToOdd(Value wide) {
  Value near = arith::TruncFOp::create(b, like(b.getF32Type()), wide);
  Value back = arith::ExtFOp::create(b, wide.getType(), near);
  Type i64Type = like(b.getI64Type());
  Value mask = i64(INT64_MAX);
  auto magnitude64 = [&](Value x) -> Value {
    return arith::AndIOp::create(b, arith::BitcastOp::create(b, i64Type, x), mask);
  };
  Value was = magnitude64(wide), is = magnitude64(back);
  Value above = arith::CmpIOp::create(b, CmpIPredicate::ugt, is, was);
  Value inexact = arith::CmpIOp::create(b, CmpIPredicate::ne, is, was);
  Value truncated = arith::SubIOp::create(b, bitsOf(near), toI32(above));
  return floatOf(arith::OrIOp::create(b, truncated, toI32(inexact)));
}

Value NumericsEmitter::dequantize(const numerics::Scheme &scheme, Value code, Value stored,
                                  Value global, Type result) {
  // In f64 the product of at most 31 significant bits is the real number.
  Type f64Type = like(b.getF64Type());
  auto extend = [&](Value x) -> Value { return arith::ExtFOp::create(b, f64Type, x); };
  Value exact = arith::MulFOp::create(b, extend(decodeCode(scheme.format, code)),
                                      extend(decodeScale(scheme.scale, stored)));
  if (global)
    exact = arith::MulFOp::create(b, exact, extend(global));
  Value zero = createConstant(b, f64Type, b.getF64FloatAttr(0.0));
  Value isZero = arith::CmpFOp::create(b, CmpFPredicate::OEQ, exact, zero);
  exact = arith::SelectOp::create(b, isZero, zero, exact);
  Type type = like(result);
  Value rounded = result.isF32() ? arith::TruncFOp::create(b, type, exact).getResult()
                                 : arith::TruncFOp::create(b, type, roundToOdd(exact)).getResult();
  const llvm::fltSemantics &semantics = cast<FloatType>(result).getFloatSemantics();
  Value nan = createConstant(b, type, b.getFloatAttr(result, APFloat::getQNaN(semantics)));
  return arith::SelectOp::create(b, isNaN(exact), nan, rounded);
}

//===----------------------------------------------------------------------===//
// Random words (Q7, Q10)
//===----------------------------------------------------------------------===//

std::array<Value, 2> NumericsEmitter::split(Value wide) {
  Type i32Type = like(b.getI32Type());
  Value high = arith::ShRUIOp::create(b, wide, i64(32));
  return {arith::TruncIOp::create(b, i32Type, wide), arith::TruncIOp::create(b, i32Type, high)};
}

/// Words stay in the low halves of 64-bit lanes, whose high halves hold anything, as processors
/// multiply them: without a shuffle between lanes of 32 bits and of 64.
std::array<Value, 4> NumericsEmitter::philoxInLanes(Value counter, Value seed, Value stream,
                                                    Value step) {
  Type i32Type = like(b.getI32Type()), i64Type = like(b.getI64Type());
  auto high = [&](Value wide) -> Value { return arith::ShRUIOp::create(b, wide, i64(32)); };
  auto multiply = [&](Value wide, uint32_t factor) -> Value {
    Value low = arith::AndIOp::create(b, wide, i64(0xFFFFFFFF));
    return arith::MulIOp::create(b, low, i64(factor));
  };
  auto combine = [&](Value x, Value y, Value z) -> Value {
    return arith::XOrIOp::create(b, arith::XOrIOp::create(b, x, y), z);
  };
  std::array<Value, 4> c{counter, high(counter), arith::ExtUIOp::create(b, i64Type, stream),
                         arith::ExtUIOp::create(b, i64Type, step)};
  std::array<Value, 2> key{seed, high(seed)};
  for (unsigned round = 0; round < 10; ++round) {
    Value first = multiply(c[0], 0xD2511F53), second = multiply(c[2], 0xCD9E8D57);
    c = {combine(high(second), c[1], key[0]), second, combine(high(first), c[3], key[1]), first};
    key = {arith::AddIOp::create(b, key[0], i64(0x9E3779B9)),
           arith::AddIOp::create(b, key[1], i64(0xBB67AE85))};
  }
  for (Value &word : c)
    word = arith::TruncIOp::create(b, i32Type, word);
  return c;
}

std::array<Value, 4> NumericsEmitter::philox(std::array<Value, 4> c, std::array<Value, 2> key) {
  Type i64Type = like(b.getI64Type());
  auto multiply = [&](Value word, uint32_t factor) {
    Value wide = arith::ExtUIOp::create(b, i64Type, word);
    return split(arith::MulIOp::create(b, wide, i64(factor)));
  };
  auto combine = [&](Value x, Value y, Value z) -> Value {
    return arith::XOrIOp::create(b, arith::XOrIOp::create(b, x, y), z);
  };
  for (unsigned round = 0; round < 10; ++round) {
    auto [low0, high0] = multiply(c[0], 0xD2511F53);
    auto [low1, high1] = multiply(c[2], 0xCD9E8D57);
    c = {combine(high1, c[1], key[0]), low1, combine(high0, c[3], key[1]), low0};
    key = {arith::AddIOp::create(b, key[0], i32(0x9E3779B9)),
           arith::AddIOp::create(b, key[1], i32(0xBB67AE85))};
  }
  return c;
}

Value NumericsEmitter::foldIn(Value seed, Value value) {
  auto [low, high] = split(value);
  std::array<Value, 4> words = philox({low, high, i32(~0u), i32(~0u)}, split(seed));
  Type i64Type = like(b.getI64Type());
  Value upper = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64Type, words[1]), i64(32));
  return arith::OrIOp::create(b, arith::ExtUIOp::create(b, i64Type, words[0]), upper);
}

std::array<Value, 4> NumericsEmitter::drawWords(Value counter, Value seed, Value stream,
                                                Value step) {
  if (lanes)
    return philoxInLanes(counter, seed, stream, step);
  auto [low, high] = split(counter);
  return philox({low, high, stream, step}, split(seed));
}

Value NumericsEmitter::stream(std::optional<uint64_t> constant, Value dynamic) {
  return constant ? i32(static_cast<uint32_t>(*constant)) : splat(dynamic);
}

Value NumericsEmitter::extractLane(Value word, Value lane, unsigned bits) {
  Value shift = arith::MulIOp::create(b, lane, i32(bits));
  return arith::AndIOp::create(b, arith::ShRUIOp::create(b, word, shift), i32((1u << bits) - 1));
}
