//===- QuantizeFast.cpp - Runs quantized by a chip's conversions ----------===//

#include "QuantizeFast.h"

#include "ufp4/Conversion/NumericsEmitter.h"

#include <cmath>

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;
using numerics::Element;
using numerics::Format;
using numerics::ScaleKind;

/// The longest run that fits registers beside what this needs.
static constexpr unsigned longestRun = 32;
/// S where every step from a ratio in the range to the reciprocal stays normal.
static constexpr float leastGlobal = 0x1p-90f, greatestGlobal = 0x1p90f;
/// At 2^23 the last place of an f32 is 1. At 192 it is that of a bf16, and the last 16 bits of an
/// f32 are those below 1, where a random word goes.
static constexpr float oneIsLast = 0x1p23f;
static constexpr uint32_t bitsOf192 = 0x43400000;
/// Plus t, its last place is 1, and its lower half 192 + t as bf16.
static constexpr float originOfBF16 = 1.5f * oneIsLast + float(bitsOf192 >> 16);

//===----------------------------------------------------------------------===//
// What emitters have in common
//===----------------------------------------------------------------------===//

FastRunEmitter::~FastRunEmitter() = default;

bool FastRunEmitter::exists(const Chip &chip, const QuantizeDestination &destination,
                            CodeForm form) {
  const numerics::Scheme &scheme = destination.scheme;
  // Lanes that share a block must find its maximum together.
  if (scheme.blockRows != 1 || numerics::runLength(scheme) > longestRun)
    return false;
  if (scheme.scale == ScaleKind::UE4M3 && !chip.has(Feature::ConvertE4M3))
    return false;
  if (chip.vendor == Vendor::AMD) {
    bool hasForm = form == CodeForm::Nibbles || form == CodeForm::FP8 ||
                   form == CodeForm::Products ||
                   (form == CodeForm::Split && chip.has(Feature::ConvertE2M3));
    return hasForm && scheme.format == Format::E1M2 && chip.has(Feature::ConvertE4M3) &&
           chip.has(Feature::PackedF32);
  }
  if (scheme.format == Format::E1M2)
    return form == CodeForm::Nibbles || form == CodeForm::BF16 || form == CodeForm::Products;
  return form == CodeForm::Nibbles && !destination.randomBits && chip.has(Feature::ConvertE2M1);
}

FastRunEmitter::FastRunEmitter(KernelBuilder &b, const Chip &chip, Element element,
                               const QuantizeDestination &destination, CodeForm form)
    : b(b), chip(chip), element(element), destination(destination), scheme(destination.scheme),
      form(form), run(numerics::runLength(scheme)) {
  unsigned n = scheme.rotation.size;
  if (n && llvm::Log2_32(n) % 2 == 0 && element != Element::F32)
    foldedFactor = std::ldexp(1.0f, llvm::Log2_32(n) / 2);
}

Value FastRunEmitter::isGlobalInRange(Value global) {
  return isBetween(global, leastGlobal, greatestGlobal);
}

FastRunEmitter::PowerOfTwo FastRunEmitter::choosePowerOfTwo(Value maximum, float unit) {
  PowerOfTwo scale;
  Value isZero = b.less(bits(maximum), 1);
  // As NumericsEmitter::chooseScale: 2^k is 4 times the stored power of two or, by rule `ceil`,
  // the next one where the mantissa is above that of g_max.
  scale.isInRange = isZeroOrBetween(maximum, leastMaximum * foldedFactor, greatestPowerMaximum);
  unsigned factorBits = llvm::Log2_32(unsigned(foldedFactor));
  int64_t carry = -(int64_t(2 + factorBits) << 23);
  if (scheme.rule == numerics::ScaleRule::Ceil)
    carry += 0x7FFFFF - (numerics::bitsOf(numerics::gMax(scheme.format)) & 0x7FFFFF);
  scale.bits = b.add(bits(maximum), carry);
  Value exponent = b.shr(scale.bits, 23);
  Value inverse = b.shl(b.sub(b.i32(254 + std::ilogb(unit)), exponent), 23);
  scale.inverse = real(b.select(isZero, b.i32(0), inverse));
  // Byte 0 stands for 2^-127, half of the least normal number.
  scale.value = real(b.select(isZero, b.i32(1 << 22), b.shl(exponent, 23)));
  scale.byte = b.select(isZero, b.i32(0), exponent);
  return scale;
}

Value FastRunEmitter::constantPair(float low, float high) {
  auto type = b.vector(2, b.getF32Type());
  return arith::ConstantOp::create(b, DenseFPElementsAttr::get(type, ArrayRef<float>{low, high}));
}

/// Whether a number that is not negative lies in [low, high]; false for infinities and NaNs.
Value FastRunEmitter::isBetween(Value x, float low, float high) {
  uint32_t first = numerics::bitsOf(low), last = numerics::bitsOf(high);
  return b.less(b.add(bits(x), -int64_t(first)), int64_t(last - first + 1));
}

/// The same, or whether it is 0, whose bits less 1 are the greatest.
Value FastRunEmitter::isZeroOrBetween(Value x, float low, float high) {
  Value isLarge = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, b.add(bits(x), -1),
                                        b.i32(numerics::bitsOf(low) - 1));
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, x, b.f32(high));
  return b.both(isLarge, isSmall);
}

Value ufp4::widen(KernelBuilder &b, Element element, const RunElement &source) {
  auto real = [&](Value bits) -> Value {
    return arith::BitcastOp::create(b, b.getF32Type(), bits);
  };
  switch (element) {
  case Element::F32:
    return real(source.word);
  case Element::BF16:
    return real(source.half ? b.bitAnd(source.word, int32_t(0xFFFF0000)) : b.shl(source.word, 16));
  case Element::F16: {
    Value half = arith::TruncIOp::create(b, b.getI16Type(), b.shr(source.word, 16 * source.half));
    return NumericsEmitter(b, b.getLoc()).widen(arith::BitcastOp::create(b, b.getF16Type(), half));
  }
  }
  llvm_unreachable("a closed set");
}

//===----------------------------------------------------------------------===//
// One run at a time
//===----------------------------------------------------------------------===//

namespace {
/// Values one by one or, where the chip has instructions for them, neighbours in pairs.
class OneRunEmitter final : public FastRunEmitter {
public:
  OneRunEmitter(KernelBuilder &b, const Chip &chip, Element element,
                const QuantizeDestination &destination, CodeForm form, Value global);

  llvm::SmallVector<FastRun, 2> emit(llvm::ArrayRef<llvm::SmallVector<RunElement>> runs,
                                     Draws draws) override {
    return {emitRun(runs[0], draws)};
  }

private:
  /// x' times `foldedFactor`, and times a sign each.
  struct Rotated {
    llvm::SmallVector<Value> values;
    llvm::SmallVector<int> signs;
  };
  /// `value` is null of f32.
  struct Scale {
    Value stored, value, inverse, isInRange;
  };

  FastRun emitRun(llvm::ArrayRef<RunElement> elements, Draws draws);
  Rotated rotate(llvm::ArrayRef<RunElement> elements);
  template <typename Step> void butterfly(Rotated &x, unsigned stride, Step step);
  Scale chooseScale(Value maximum);
  llvm::SmallVector<Value> multiply(const Rotated &x, unsigned first, Value inverse, float addend);
  Value addRandom(Value t, unsigned i, llvm::ArrayRef<Value> odd);
  void encode(llvm::ArrayRef<Value> t, unsigned first, llvm::ArrayRef<Value> odd, Value scale,
              llvm::SmallVectorImpl<Value> &words);
  Value encodeByE4M3(llvm::ArrayRef<Value> t);
  Value encodeBySums(llvm::ArrayRef<Value> t, llvm::ArrayRef<Value> sums, unsigned byte);
  Value encodeBF16(Value low, Value high, Value lowSum, Value highSum, Value factor, Value shift);
  Value pairOfBF16(Value word);
  Value constantBF16(uint32_t half) { return b.i32(int32_t(half << 16 | half)); }

  /// Whether values are kept in pairs (Feature::PackedF32).
  const bool isPaired;
  /// Whether E4M3 rounds; t is then times 2^-9.
  bool usesE4M3 = false;
  /// Whether t is exact, and what rounds it is added to the product as one instruction.
  bool roundsAtOnce = false;
  /// What 1 / d is multiplied by, a power of two: of the units of t over foldedFactor.
  float inverseUnit = 1;
  Value inverseGlobal, scaledGlobal;
};
} // namespace

OneRunEmitter::OneRunEmitter(KernelBuilder &b, const Chip &chip, Element element,
                             const QuantizeDestination &destination, CodeForm form, Value global)
    : FastRunEmitter(b, chip, element, destination, form), isPaired(chip.has(Feature::PackedF32)) {
  usesE4M3 = form == CodeForm::Nibbles && scheme.format == Format::E1M2 &&
             !destination.randomBits && chip.has(Feature::ConvertE4M3);
  roundsAtOnce =
      form != CodeForm::Nibbles && scheme.scale == ScaleKind::UE8M0 && !destination.randomBits;
  inverseUnit = (usesE4M3 ? e4m3Unit : 1) / foldedFactor;
  if (!global)
    return;
  // Where S is out of its range, so is this, and nothing is made of it.
  inverseGlobal = emitReciprocal(b, global);
  scaledGlobal = b.mulF(global, b.f32(1 / inverseUnit));
  globalIsInRange = isGlobalInRange(global);
}

//===----------------------------------------------------------------------===//
// Q1 and Q2
//===----------------------------------------------------------------------===//

/// Stages of `stride` values; `step` replaces two of them by their sum and difference.
template <typename Step> void OneRunEmitter::butterfly(Rotated &x, unsigned stride, Step step) {
  for (unsigned i = 0; i < x.values.size(); ++i)
    if (!(i & stride))
      step(i, i + stride);
}

OneRunEmitter::Rotated OneRunEmitter::rotate(ArrayRef<RunElement> elements) {
  unsigned n = scheme.rotation.size;
  Rotated x;
  x.signs.assign(run, 1);
  if (!n) {
    for (const RunElement &source : elements)
      x.values.push_back(widen(b, element, source));
  } else {
    x.values.resize(run);
    for (unsigned i = 0; i < run; ++i)
      if (scheme.rotation.signs[0] >> i % n & 1)
        x.signs[i] = -1;
    butterfly(x, 1, [&](unsigned i, unsigned j) {
      Value low = widen(b, element, elements[i]), sum, difference;
      int sign = x.signs[i], ofDifference = sign;
      if (element == Element::BF16 && chip.has(Feature::MixedAdd)) {
        Value half = arith::TruncIOp::create(b, b.getI16Type(),
                                             b.shr(elements[j].word, 16 * elements[j].half));
        sum = emitMixedAdd(b, half, low, /*subtracts=*/false);
        // Only the second may be subtracted: minus the difference.
        difference = emitMixedAdd(b, half, low, /*subtracts=*/true);
        ofDifference = -sign;
      } else {
        Value high = widen(b, element, elements[j]);
        sum = b.addF(low, high);
        difference = subF(low, high);
      }
      bool isSwapped = x.signs[j] != sign;
      x.values[i] = isSwapped ? difference : sum;
      x.values[j] = isSwapped ? sum : difference;
      x.signs[i] = isSwapped ? ofDifference : sign;
      x.signs[j] = isSwapped ? sign : ofDifference;
    });
  }
  if (isPaired) {
    SmallVector<Value> pairs;
    for (unsigned i = 0; i < run; i += 2)
      pairs.push_back(b.join({x.values[i], x.values[i + 1]}));
    x.values = pairs;
  }
  unsigned width = isPaired ? 2 : 1;
  for (unsigned stride = 2; stride < n; stride *= 2)
    butterfly(x, stride / width, [&](unsigned i, unsigned j) {
      Value low = x.values[i], high = x.values[j];
      int *ofLow = &x.signs[i * width], *ofHigh = &x.signs[j * width];
      int first = ofLow[0] * ofHigh[0], second = ofLow[width - 1] * ofHigh[width - 1];
      if (first == second) {
        Value sum = b.addF(low, high), difference = subF(low, high);
        x.values[i] = first > 0 ? sum : difference;
        x.values[j] = first > 0 ? difference : sum;
      } else {
        x.values[i] = b.fma(high, constantPair(first, second), low);
        x.values[j] = b.fma(high, constantPair(-first, -second), low);
      }
      std::copy(ofLow, ofLow + width, ofHigh);
    });
  if (n && foldedFactor == 1)
    for (Value &value : x.values)
      value = NumericsEmitter(b, b.getLoc(), isPaired ? 2 : 0).rotationFactor(value, n);
  return x;
}

//===----------------------------------------------------------------------===//
// Q4 and Q5
//===----------------------------------------------------------------------===//

/// `maximum` is that of |x'| times foldedFactor, a NaN where one of them is.
OneRunEmitter::Scale OneRunEmitter::chooseScale(Value maximum) {
  float gMax = numerics::gMax(scheme.format);
  Scale scale;
  if (scheme.scale == ScaleKind::UE8M0) {
    PowerOfTwo chosen = choosePowerOfTwo(maximum, inverseUnit);
    scale.inverse = chosen.inverse;
    scale.isInRange = chosen.isInRange;
    scale.value = chosen.value;
    scale.stored = form == CodeForm::BF16
                       ? chosen.value
                       : arith::TruncIOp::create(b, b.getI8Type(), chosen.byte).getResult();
    return scale;
  }
  float reciprocal = 1 / gMax;
  Value quotient = b.mulF(maximum, b.f32(reciprocal / foldedFactor));
  Value rest = b.fma(negated(quotient), b.f32(gMax * foldedFactor), maximum);
  quotient = b.fma(rest, b.f32(reciprocal / foldedFactor), quotient);
  Value scaledDivisor;
  if (scheme.scale == ScaleKind::F32) {
    scale.stored = quotient;
    scale.isInRange = isZeroOrBetween(maximum, leastMaximum * foldedFactor, greatestMaximum);
    scaledDivisor = b.mulF(quotient, b.f32(1 / inverseUnit));
  } else {
    Value ratio = b.mulF(quotient, inverseGlobal);
    scale.isInRange = isZeroOrBetween(ratio, leastRatio(), greatestRatio);
    Value code = emitToE4M3(b, ratio, b.f32(0));
    scale.value = emitFromE4M3(b, code);
    scale.stored = form == CodeForm::BF16
                       ? scale.value
                       : arith::TruncIOp::create(b, b.getI8Type(), code).getResult();
    scaledDivisor = b.mulF(scale.value, scaledGlobal);
  }
  // Of a divisor of 0 it is a NaN, and the greatest of a NaN and a number is the number: codes 0.
  scale.inverse = LLVM::MaxNumOp::create(b, emitReciprocal(b, scaledDivisor), b.f32(0));
  return scale;
}

//===----------------------------------------------------------------------===//
// Q6
//===----------------------------------------------------------------------===//

/// t in its units plus `addend`, with the sign of x' where that is 0, for a block from element
/// `first` on.
SmallVector<Value> OneRunEmitter::multiply(const Rotated &x, unsigned first, Value inverse,
                                           float addend) {
  SmallVector<Value> t;
  Value minus = negated(inverse);
  auto signedInverse = [&](int sign) { return sign > 0 ? inverse : minus; };
  if (!isPaired) {
    for (unsigned i = first; i < first + scheme.block; ++i)
      t.push_back(b.fma(x.values[i], signedInverse(x.signs[i]), b.f32(addend)));
    return t;
  }
  Value pairs[4];
  for (unsigned i = first; i < first + scheme.block; i += 2) {
    Value &pair = pairs[(x.signs[i] > 0) + 2 * (x.signs[i + 1] > 0)];
    if (!pair)
      pair = b.join({signedInverse(x.signs[i]), signedInverse(x.signs[i + 1])});
    Value product = b.fma(x.values[i / 2], pair, constantPair(addend, addend));
    for (unsigned half = 0; half < 2; ++half)
      t.push_back(b.element(product, half));
  }
  return t;
}

/// 192 + |t| + u, rounded down: its integer part is 192 + ⌊|t| + u⌋, since a sum that reaches an
/// integer keeps it. `odd` are random words with u's last bit set.
Value OneRunEmitter::addRandom(Value t, unsigned i, ArrayRef<Value> odd) {
  unsigned ofWord = 32 / destination.randomBits, lane = i % ofWord;
  // The lane goes right below the one's place, under the upper half of 192.
  unsigned selector = destination.randomBits == 16 ? (lane ? 0x7632 : 0x7610) : 0x7604 | lane << 4;
  Value random = emitPermute(b, odd[i / ofWord], b.i32(bitsOf192), selector);
  return emitAddDown(b, magnitude(t), real(random));
}

/// Eight t, of the subnormal numbers of E4M3.
Value OneRunEmitter::encodeByE4M3(ArrayRef<Value> t) {
  auto convertFour = [&](unsigned first) -> Value {
    Value low = emitToE4M3(b, t[first], t[first + 2]);
    Value high = emitToE4M3(b, t[first + 4], t[first + 6]);
    return LLVM::BitcastOp::create(b, b.getI32Type(), b.join({low, high}));
  };
  // Bytes of a sign, four zeros and a code.
  Value even = convertFour(0), odd = convertFour(1);
  Value low = merge(b.shr(even, 4), even, 0x08080808);
  Value high = merge(odd, b.shl(odd, 4), 0x80808080);
  return merge(low, high, 0x0F0F0F0F);
}

/// Eight codes, in the low bits of a byte of `sums`, and the signs of eight t.
Value OneRunEmitter::encodeBySums(ArrayRef<Value> t, ArrayRef<Value> sums, unsigned byte) {
  auto gather = [&](ArrayRef<Value> from, unsigned first, unsigned selector) {
    Value low = emitPermute(b, bits(from[first]), bits(from[first + 2]), selector);
    Value high = emitPermute(b, bits(from[first + 4]), bits(from[first + 6]), selector);
    return emitPermute(b, low, high, 0x5410);
  };
  unsigned selector = byte | (4 + byte) << 4;
  Value codes = merge(gather(sums, 0, selector), b.shl(gather(sums, 1, selector), 4), 0x0F0F0F0F);
  // Random words take t of a scale that was rounded down to 8, and Q6 stops at 7.
  if (destination.randomBits && scheme.scale == ScaleKind::UE4M3)
    codes = b.sub(codes, b.bitAnd(b.shr(codes, 3), 0x11111111));
  Value signs = merge(gather(t, 0, 0xFB), gather(t, 1, 0xFB), 0x0F0F0F0F);
  return merge(codes, signs, 0x77777777);
}

Value OneRunEmitter::pairOfBF16(Value word) {
  return LLVM::BitcastOp::create(b, b.vector(2, b.getBF16Type()), word);
}

/// Two levels, times a factor, as bf16, of which no zero has a sign: `factor` and `shift` are words
/// of the factor and -192 times it, twice. `lowSum` and `highSum` hold 192 + a level as bf16, in
/// the upper half of |t|'s with random words, else in the lower half of t's.
Value OneRunEmitter::encodeBF16(Value low, Value high, Value lowSum, Value highSum, Value factor,
                                Value shift) {
  static constexpr uint32_t greatest = 0x4347;
  Value sums;
  if (!destination.randomBits) {
    sums = emitPermute(b, bits(lowSum), bits(highSum), 0x5410);
  } else {
    sums = emitPermute(b, bits(lowSum), bits(highSum), 0x7632);
    Value signs = b.bitAnd(emitPermute(b, bits(low), bits(high), 0x7632), int32_t(0x80008000));
    factor = b.bitOr(signs, factor);
    shift = b.bitXor(signs, shift);
    if (scheme.scale == ScaleKind::UE4M3)
      sums = LLVM::BitcastOp::create(
          b, b.getI32Type(),
          LLVM::MinNumOp::create(b, pairOfBF16(sums), pairOfBF16(constantBF16(greatest))));
  }
  Value levels = b.fma(pairOfBF16(sums), pairOfBF16(factor), pairOfBF16(shift));
  return LLVM::BitcastOp::create(b, b.getI32Type(), levels);
}

/// The words of a block whose t (where roundsAtOnce, plus originOfBF16) and scale are given, from
/// element `first` of the run on.
void OneRunEmitter::encode(ArrayRef<Value> t, unsigned first, ArrayRef<Value> odd, Value scale,
                           SmallVectorImpl<Value> &words) {
  SmallVector<Value> sums;
  if (roundsAtOnce)
    sums.assign(t.begin(), t.end());
  float origin = form == CodeForm::Nibbles ? oneIsLast : originOfBF16;
  bool needsSums = !usesE4M3 && !roundsAtOnce && scheme.format == Format::E1M2;
  for (unsigned i = 0; needsSums && i < t.size(); ++i) {
    if (destination.randomBits)
      sums.push_back(addRandom(t[i], first + i, odd));
    else if (form == CodeForm::Nibbles)
      sums.push_back(b.addF(magnitude(t[i]), b.f32(origin)));
    else if (!isPaired)
      sums.push_back(b.addF(t[i], b.f32(origin)));
    else if (i % 2 == 0) {
      Value pair = b.addF(b.join({t[i], t[i + 1]}), constantPair(origin, origin));
      sums.append({b.element(pair, 0), b.element(pair, 1)});
    }
  }
  if (form != CodeForm::Nibbles) {
    Value factor = constantBF16(0x3F80), shift = constantBF16(0xC340);
    if (form == CodeForm::Products) {
      // A scale has at most four significant bits, and -192 times it six; -0 adds nothing.
      Value upper = b.element(pairOfBF16(bits(scale)), 1);
      factor = LLVM::BitcastOp::create(b, b.getI32Type(), b.join({upper, upper}));
      Value scaled = b.fma(pairOfBF16(factor), pairOfBF16(shift), pairOfBF16(constantBF16(0x8000)));
      shift = LLVM::BitcastOp::create(b, b.getI32Type(), scaled);
    }
    for (unsigned i = 0; i < t.size(); i += 2)
      words.push_back(encodeBF16(t[i], t[i + 1], sums[i], sums[i + 1], factor, shift));
    return;
  }
  for (unsigned i = 0; i < t.size(); i += 8) {
    ArrayRef<Value> eight = t.slice(i, 8);
    if (usesE4M3)
      words.push_back(encodeByE4M3(eight));
    else if (scheme.format == Format::E2M1)
      words.push_back(emitToE2M1(b, eight));
    else
      words.push_back(
          encodeBySums(eight, ArrayRef(sums).slice(i, 8), destination.randomBits ? 2 : 0));
  }
}

FastRun OneRunEmitter::emitRun(ArrayRef<RunElement> elements, Draws draws) {
  Rotated x = rotate(elements);
  FastRun result;
  SmallVector<Value> odd;
  if (unsigned bitsOfWord = destination.randomBits)
    for (unsigned i = 0; i < run; i += 128 / bitsOfWord)
      for (Value word : draws(0, i * bitsOfWord / 128))
        odd.push_back(b.bitOr(word, b.i32(bitsOfWord == 16 ? 0x00010001 : 0x01010101)));
  for (unsigned first = 0; first < run; first += scheme.block) {
    Value maximum;
    for (unsigned i = first; i < first + scheme.block; ++i) {
      Value value = isPaired ? b.element(x.values[i / 2], i % 2) : x.values[i];
      value = magnitude(value);
      maximum = maximum ? arith::MaximumFOp::create(b, maximum, value).getResult() : value;
    }
    Scale scale = chooseScale(maximum);
    result.scales.push_back(scale.stored);
    result.isInRange =
        result.isInRange ? b.both(result.isInRange, scale.isInRange) : scale.isInRange;
    SmallVector<Value> t = multiply(x, first, scale.inverse, roundsAtOnce ? originOfBF16 : 0);
    encode(t, first, odd, scale.value, result.words);
  }
  return result;
}

std::unique_ptr<FastRunEmitter> FastRunEmitter::create(KernelBuilder &b, const Chip &chip,
                                                       Element element,
                                                       const QuantizeDestination &destination,
                                                       CodeForm form, Value global) {
  if (chip.vendor == Vendor::AMD)
    return createPairEmitter(b, chip, element, destination, form, global);
  return std::make_unique<OneRunEmitter>(b, chip, element, destination, form, global);
}
