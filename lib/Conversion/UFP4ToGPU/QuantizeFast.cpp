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
/// At 2^23 the last place of an f32 is 1.
static constexpr float oneIsLast = 0x1p23f;
/// Above an origin, the last place of a bf16 is the unit of t, and the last 16 bits of an f32 are
/// those below it, where a random word goes. What saturates at 1 stops at 7 units.
struct Origin {
  float value, unit;
};
static constexpr Origin wholeNumbers = {192, 1}, untilSeven = {1 - 7 * 0x1p-8f, 0x1p-8f};
/// Of e2m1, times the power of two that is two units where t is.
static constexpr Origin wholePairs = {96, 1};
/// Plus t, its last place is 1, and its lower half 192 + t as bf16.
static constexpr float originOfBF16 = 1.5f * oneIsLast + 0x4340;

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
  if (form == CodeForm::BF16 || form == CodeForm::Products)
    return true;
  if (form == CodeForm::E2M3)
    return scheme.scale == ScaleKind::UE8M0 && chip.has(Feature::ConvertE2M1);
  return form == CodeForm::Nibbles &&
         (scheme.format == Format::E1M2 || chip.has(Feature::ConvertE2M1));
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
    /// Of two values one magnitude that is the greater of theirs, at the first's place; where the
    /// chip has no use for it, empty.
    llvm::SmallVector<Value> greater;
  };
  /// `value` is null of f32.
  struct Scale {
    Value stored, value, inverse, isInRange;
  };

  FastRun emitRun(llvm::ArrayRef<RunElement> elements, Draws draws);
  Rotated rotate(llvm::ArrayRef<RunElement> elements);
  template <typename Step> void butterfly(Rotated &x, unsigned stride, Step step);
  Value findMaximum(const Rotated &x, unsigned first);
  Scale chooseScale(Value maximum);
  llvm::SmallVector<Value> multiply(const Rotated &x, unsigned first, Value inverse, float addend);
  Value originWithRandom(unsigned i, llvm::ArrayRef<Value> odd);
  Value addRandom(Value t, unsigned i, llvm::ArrayRef<Value> odd);
  void encode(llvm::ArrayRef<Value> t, unsigned first, llvm::ArrayRef<Value> odd, Value scale,
              llvm::SmallVectorImpl<Value> &words);
  Value encodeByE4M3(llvm::ArrayRef<Value> t);
  Value encodeByE2M3(llvm::ArrayRef<Value> t);
  Value gather(llvm::ArrayRef<Value> from, unsigned first, unsigned stride, unsigned selector);
  Value encodeBySums(llvm::ArrayRef<Value> t, llvm::ArrayRef<Value> sums, unsigned byte);
  Value encodeBytesBySums(llvm::ArrayRef<Value> t, llvm::ArrayRef<Value> sums, unsigned byte);
  Value encodeBF16(Value low, Value high, Value lowSum, Value highSum, Value factor, Value shift);
  Value twoUnits(Value t);
  Value roundE2M1(Value low, Value high);
  Value roundRandomE2M1(Value low, Value high, unsigned i, llvm::ArrayRef<Value> odd);
  SmallVector<Value> roundRandomE2M1(llvm::ArrayRef<Value> t, unsigned first,
                                     llvm::ArrayRef<Value> odd);
  Value withSigns(Value low, Value high, Value factor);
  Value fmaBF16(Value x, Value y, Value z);
  Value pairOfBF16(Value word);
  Value constantBF16(float value);
  /// Of two f32, as a word.
  Value upperHalves(Value low, Value high) { return emitPermute(b, bits(low), bits(high), 0x7632); }

  /// Whether values are kept in pairs (Feature::PackedF32).
  const bool isPaired;
  /// Whether words are of bf16.
  const bool makesBF16 = form == CodeForm::BF16 || form == CodeForm::Products;
  /// Whether a conversion rounds e1m2; t is then times the unit of what is converted to.
  bool isConverted = false;
  /// Whether t is exact, and what rounds it is added to the product as one instruction.
  bool roundsAtOnce = false;
  /// What random words are added to.
  Origin origin = wholeNumbers;
  /// Whether t of e2m1 can become 8, and Q6 stops at 6.
  bool reachesEight = false;
  /// What 1 / d is multiplied by, a power of two: of the units of t over foldedFactor.
  float inverseUnit = 1;
  Value inverseGlobal, scaledGlobal;
};
} // namespace

OneRunEmitter::OneRunEmitter(KernelBuilder &b, const Chip &chip, Element element,
                             const QuantizeDestination &destination, CodeForm form, Value global)
    : FastRunEmitter(b, chip, element, destination, form), isPaired(chip.has(Feature::PackedF32)) {
  bool isE1M2 = scheme.format == Format::E1M2;
  isConverted = isE1M2 && !makesBF16 && !destination.randomBits && chip.has(Feature::ConvertE4M3);
  roundsAtOnce = isE1M2 && makesBF16 && scheme.scale == ScaleKind::UE8M0 && !destination.randomBits;
  // Random words take t of a scale that was rounded down to 8, and Q6 stops at 7.
  if (isE1M2 && makesBF16 && scheme.scale == ScaleKind::UE4M3)
    origin = untilSeven;
  if (!isE1M2)
    origin = wholePairs;
  // A conversion saturates.
  reachesEight = makesBF16 && (scheme.rule == numerics::ScaleRule::OcpFloor ||
                               (destination.randomBits && scheme.scale == ScaleKind::UE4M3));
  float unit = destination.randomBits ? origin.unit : 1;
  if (isConverted)
    unit = form == CodeForm::E2M3 ? e2m3Unit : e4m3Unit;
  inverseUnit = unit / foldedFactor;
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
  } else if (destination.rotatesByMma) {
    for (const RunElement &source : elements)
      x.values.push_back(real(source.word));
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
  unsigned end = destination.rotatesByMma ? 0 : n;
  bool findsGreater = !isPaired && chip.has(Feature::MaximumOfThree) && end && n <= scheme.block;
  if (findsGreater)
    x.greater.resize(run);
  for (unsigned stride = 2; stride < end; stride *= 2)
    butterfly(x, stride / width, [&](unsigned i, unsigned j) {
      Value low = x.values[i], high = x.values[j];
      // Rounding is monotonic, and the same for both signs.
      if (findsGreater && stride == n / 2)
        x.greater[i] = b.addF(magnitude(low), magnitude(high));
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

/// That of a block's |x'| times foldedFactor; above all numbers where one of them is not finite.
Value OneRunEmitter::findMaximum(const Rotated &x, unsigned first) {
  Value maximum;
  if (!x.greater.empty()) {
    // The bits of what is not negative order as numbers do, with NaNs last.
    for (unsigned i = first; i < first + scheme.block; ++i)
      if (Value value = x.greater[i]) {
        value = bits(value);
        maximum = maximum ? arith::MaxUIOp::create(b, maximum, value).getResult() : value;
      }
    maximum = real(maximum);
    return foldedFactor == 1
               ? NumericsEmitter(b, b.getLoc()).rotationFactor(maximum, scheme.rotation.size)
               : maximum;
  }
  for (unsigned i = first; i < first + scheme.block; ++i) {
    Value value = magnitude(isPaired ? b.element(x.values[i / 2], i % 2) : x.values[i]);
    maximum = maximum ? arith::MaximumFOp::create(b, maximum, value).getResult() : value;
  }
  return maximum;
}

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
  Value quotient = emitQuotient(b, maximum, gMax * foldedFactor);
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

/// The origin plus u, in units that are the origin's last place as bf16. `odd` are random words
/// with u's last bit set.
Value OneRunEmitter::originWithRandom(unsigned i, ArrayRef<Value> odd) {
  unsigned ofWord = 32 / destination.randomBits, lane = i % ofWord;
  // The lane goes right below the unit's place, under the origin's upper half.
  unsigned selector = destination.randomBits == 16 ? (lane ? 0x7632 : 0x7610) : 0x7604 | lane << 4;
  Value upper = b.i32(numerics::bitsOf(origin.value));
  return real(emitPermute(b, odd[i / ofWord], upper, selector));
}

/// The origin plus |t| + u, rounded down: its upper half is the origin plus ⌊|t| + u⌋, since a sum
/// that reaches a whole number keeps it.
Value OneRunEmitter::addRandom(Value t, unsigned i, ArrayRef<Value> odd) {
  return emitAddDown(b, magnitude(t), originWithRandom(i, odd), /*saturates=*/origin.unit != 1);
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

/// Four t, of the subnormal numbers of E2M3.
Value OneRunEmitter::encodeByE2M3(ArrayRef<Value> t) {
  Value low = emitToE2M3(b, t[0], t[1]), high = emitToE2M3(b, t[2], t[3]);
  return LLVM::BitcastOp::create(b, b.getI32Type(), b.join({low, high}));
}

/// A byte of each of four, of which `selector` names the first two's.
Value OneRunEmitter::gather(ArrayRef<Value> from, unsigned first, unsigned stride,
                            unsigned selector) {
  auto two = [&](unsigned i) {
    return emitPermute(b, bits(from[i]), bits(from[i + stride]), selector);
  };
  return emitPermute(b, two(first), two(first + 2 * stride), 0x5410);
}

/// What selects a byte, and a sign in all bits of one.
static unsigned selectByte(unsigned byte) { return byte | (4 + byte) << 4; }
static constexpr unsigned selectSign = 0xFB;

/// Four codes, in the low bits of a byte of `sums`, and the signs of four t, as E2M3.
Value OneRunEmitter::encodeBytesBySums(ArrayRef<Value> t, ArrayRef<Value> sums, unsigned byte) {
  return b.bitOr(b.bitAnd(gather(sums, 0, 1, selectByte(byte)), 0x07070707),
                 b.bitAnd(gather(t, 0, 1, selectSign), 0x20202020));
}

/// Eight codes, in the low bits of a byte of `sums`, and the signs of eight t.
Value OneRunEmitter::encodeBySums(ArrayRef<Value> t, ArrayRef<Value> sums, unsigned byte) {
  unsigned selector = selectByte(byte);
  Value codes =
      merge(gather(sums, 0, 2, selector), b.shl(gather(sums, 1, 2, selector), 4), 0x0F0F0F0F);
  // Random words take t of a scale that was rounded down to 8, and Q6 stops at 7.
  if (destination.randomBits && scheme.scale == ScaleKind::UE4M3)
    codes = b.sub(codes, b.bitAnd(b.shr(codes, 3), 0x11111111));
  Value signs = merge(gather(t, 0, 2, selectSign), gather(t, 1, 2, selectSign), 0x0F0F0F0F);
  return merge(codes, signs, 0x77777777);
}

Value OneRunEmitter::pairOfBF16(Value word) {
  return LLVM::BitcastOp::create(b, b.vector(2, b.getBF16Type()), word);
}

/// Twice a number that is one of bf16, as a word.
Value OneRunEmitter::constantBF16(float value) {
  uint32_t half = numerics::bitsOf(value) >> 16;
  return b.i32(int32_t(half << 16 | half));
}

Value OneRunEmitter::fmaBF16(Value x, Value y, Value z) {
  Value sum = b.fma(pairOfBF16(x), pairOfBF16(y), pairOfBF16(z));
  return LLVM::BitcastOp::create(b, b.getI32Type(), sum);
}

/// A word of a factor that is not negative, twice, with the signs of two t.
Value OneRunEmitter::withSigns(Value low, Value high, Value factor) {
  return b.bitOr(b.bitAnd(upperHalves(low, high), int32_t(0x80008000)), factor);
}

/// Two levels of e1m2, times a factor, as bf16, of which no zero has a sign: `factor` and `shift`
/// are words of the factor and, without random words, -192 times it, twice. `lowSum` and `highSum`
/// hold 192 + a level as bf16 in the lower half or, with random words, the origin plus a magnitude
/// in the upper half; the factor is then over the origin's unit.
Value OneRunEmitter::encodeBF16(Value low, Value high, Value lowSum, Value highSum, Value factor,
                                Value shift) {
  if (!destination.randomBits)
    return fmaBF16(emitPermute(b, bits(lowSum), bits(highSum), 0x5410), factor, shift);
  Value magnitudes =
      fmaBF16(upperHalves(lowSum, highSum), constantBF16(1), constantBF16(-origin.value));
  return fmaBF16(magnitudes, withSigns(low, high, factor), b.i32(0));
}

/// The power of two at or below |t|, at least 1: two units of e2m1 there.
Value OneRunEmitter::twoUnits(Value t) {
  Value power = real(b.bitAnd(bits(t), 0x7F800000));
  return LLVM::MaxNumOp::create(b, power, b.f32(1));
}

/// Two levels of e2m1 as bf16, of which no zero has a sign. What is added to t has its unit as last
/// place, and is exact to take off.
Value OneRunEmitter::roundE2M1(Value low, Value high) {
  static constexpr float unitIsLast = 0.75f * oneIsLast;
  Value levels[2];
  Value ofLow = twoUnits(low), ofHigh = twoUnits(high);
  if (isPaired) {
    Value units = b.join({ofLow, ofHigh});
    Value sums = b.fma(units, constantPair(unitIsLast, unitIsLast), b.join({low, high}));
    Value pair = b.fma(units, constantPair(-unitIsLast, -unitIsLast), sums);
    levels[0] = b.element(pair, 0), levels[1] = b.element(pair, 1);
  } else {
    levels[0] = b.fma(ofLow, b.f32(-unitIsLast), b.fma(ofLow, b.f32(unitIsLast), low));
    levels[1] = b.fma(ofHigh, b.f32(-unitIsLast), b.fma(ofHigh, b.f32(unitIsLast), high));
  }
  Value word = upperHalves(levels[0], levels[1]);
  if (!reachesEight)
    return word;
  Value bounded = LLVM::MinNumOp::create(b, pairOfBF16(word), pairOfBF16(constantBF16(6)));
  bounded = LLVM::MaxNumOp::create(b, bounded, pairOfBF16(constantBF16(-6)));
  return LLVM::BitcastOp::create(b, b.getI32Type(), bounded);
}

/// The magnitudes of two levels of e2m1 as bf16. A unit's place is that of a bf16 as in addRandom.
Value OneRunEmitter::roundRandomE2M1(Value low, Value high, unsigned i, ArrayRef<Value> odd) {
  Value ofLow = twoUnits(low), ofHigh = twoUnits(high);
  Value word = upperHalves(emitFmaDown(b, originWithRandom(i, odd), ofLow, magnitude(low)),
                           emitFmaDown(b, originWithRandom(i + 1, odd), ofHigh, magnitude(high)));
  word = fmaBF16(upperHalves(ofLow, ofHigh), constantBF16(-origin.value), word);
  if (!reachesEight)
    return word;
  Value bounded = LLVM::MinNumOp::create(b, pairOfBF16(word), pairOfBF16(constantBF16(6)));
  return LLVM::BitcastOp::create(b, b.getI32Type(), bounded);
}

/// Eight levels of e2m1 as f32, with the signs of t: where there is another level behind one's
/// upper half, it is too little to round to another.
SmallVector<Value> OneRunEmitter::roundRandomE2M1(ArrayRef<Value> t, unsigned first,
                                                  ArrayRef<Value> odd) {
  SmallVector<Value> levels;
  for (unsigned i = 0; i < t.size(); i += 2) {
    Value word = roundRandomE2M1(t[i], t[i + 1], first + i, odd);
    levels.push_back(real(merge(bits(t[i]), b.shl(word, 16), 0x80000000)));
    levels.push_back(real(merge(bits(t[i + 1]), word, 0x80000000)));
  }
  return levels;
}

/// The words of a block whose t (where roundsAtOnce, plus originOfBF16) and scale are given, from
/// element `first` of the run on.
void OneRunEmitter::encode(ArrayRef<Value> t, unsigned first, ArrayRef<Value> odd, Value scale,
                           SmallVectorImpl<Value> &words) {
  SmallVector<Value> sums;
  if (roundsAtOnce)
    sums.assign(t.begin(), t.end());
  float added = makesBF16 ? originOfBF16 : oneIsLast;
  bool needsSums = !isConverted && !roundsAtOnce && scheme.format == Format::E1M2;
  for (unsigned i = 0; needsSums && i < t.size(); ++i) {
    if (destination.randomBits)
      sums.push_back(addRandom(t[i], first + i, odd));
    else if (!makesBF16)
      sums.push_back(b.addF(magnitude(t[i]), b.f32(added)));
    else if (!isPaired)
      sums.push_back(b.addF(t[i], b.f32(added)));
    else if (i % 2 == 0) {
      Value pair = b.addF(b.join({t[i], t[i + 1]}), constantPair(added, added));
      sums.append({b.element(pair, 0), b.element(pair, 1)});
    }
  }
  if (makesBF16) {
    float unit = destination.randomBits ? origin.unit : 1;
    Value factor = constantBF16(1 / unit), shift = constantBF16(-192);
    if (form == CodeForm::Products) {
      // A scale has at most four significant bits, and -192 times it six; -0 adds nothing.
      Value upper =
          b.element(pairOfBF16(bits(unit == 1 ? scale : b.mulF(scale, b.f32(1 / unit)))), 1);
      factor = LLVM::BitcastOp::create(b, b.getI32Type(), b.join({upper, upper}));
      Value scaled = b.fma(pairOfBF16(factor), pairOfBF16(shift), pairOfBF16(constantBF16(-0.0f)));
      shift = LLVM::BitcastOp::create(b, b.getI32Type(), scaled);
    }
    for (unsigned i = 0; i < t.size(); i += 2) {
      Value low = t[i], high = t[i + 1];
      if (scheme.format == Format::E1M2)
        words.push_back(encodeBF16(low, high, sums[i], sums[i + 1], factor, shift));
      else if (destination.randomBits)
        words.push_back(fmaBF16(roundRandomE2M1(low, high, first + i, odd),
                                withSigns(low, high, factor), b.i32(0)));
      else if (form == CodeForm::Products)
        words.push_back(fmaBF16(roundE2M1(low, high), factor, b.i32(0)));
      else
        words.push_back(roundE2M1(low, high));
    }
    return;
  }
  unsigned byte = destination.randomBits ? 2 : 0;
  for (unsigned i = 0; form == CodeForm::E2M3 && i < t.size(); i += 4)
    words.push_back(isConverted
                        ? encodeByE2M3(t.slice(i, 4))
                        : encodeBytesBySums(t.slice(i, 4), ArrayRef(sums).slice(i, 4), byte));
  for (unsigned i = 0; form == CodeForm::Nibbles && i < t.size(); i += 8) {
    ArrayRef<Value> eight = t.slice(i, 8);
    if (isConverted)
      words.push_back(encodeByE4M3(eight));
    else if (scheme.format == Format::E1M2)
      words.push_back(encodeBySums(eight, ArrayRef(sums).slice(i, 8), byte));
    else if (destination.randomBits)
      words.push_back(emitToE2M1(b, roundRandomE2M1(eight, first + i, odd)));
    else
      words.push_back(emitToE2M1(b, eight));
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
    Scale scale = chooseScale(findMaximum(x, first));
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
