//===- QuantizeFastPairs.cpp - Two runs at once ---------------------------===//
//
// Values are pairs of f32: an element of one run, and the element of the same number of the next.
// Both runs' signs are the same, so that a sign is one of the whole pair, which packed instructions
// take with their operands.
//
// Of maxima by instructions that leave NaNs out: a number that is no longer finite before the last
// two stages of a rotation of n leaves none finite at places that differ in n/4 and n/2 alone;
// later than that some infinity is left beside each NaN, if the block has all of a rotation. So
// among elements with neither of these bits, a sum finds what maxima do not; in a part of a
// rotation it must be one of all elements.
//
//===----------------------------------------------------------------------===//

#include "QuantizeFast.h"

#include "ufp4/Conversion/NumericsEmitter.h"

#include <cmath>

using namespace mlir;
using namespace ufp4;
using namespace ufp4::target;
using numerics::Element;
using numerics::ScaleKind;

/// At 2^23 the last place of an f32 is 1, also of what is added to half as much again, of either
/// sign.
static constexpr float oneIsLast = 0x1.8p23f;
/// Of a code, the bits below the one's place that random words are added to.
static constexpr unsigned fractionBits = 16;

namespace {
class PairEmitter final : public FastRunEmitter {
public:
  PairEmitter(KernelBuilder &b, const Chip &chip, Element element,
              const QuantizeDestination &destination, CodeForm form, Value global)
      : FastRunEmitter(b, chip, element, destination, form), isFnuz(hasFnuz(chip)) {
    if (destination.randomBits)
      unit = std::ldexp(1.0f, fractionBits);
    else if (form == CodeForm::Split)
      unit = e2m3Unit;
    else if (form != CodeForm::Products)
      unit = isFnuz ? e4m3Unit / 2 : e4m3Unit;
    // What is added to products with a power of two is 2^24 times as large.
    if (form == CodeForm::Products && !destination.randomBits)
      greatestPowerMaximum = 0x1p104f;
    if (!global)
      return;
    // Where S is out of its range, so is this, and nothing is made of it.
    inverseGlobal = refine(global, emitReciprocalSeed(b, global), b.f32(1));
    // A byte of the fnuz form is half the number.
    if (isFnuz)
      inverseGlobal = b.mulF(inverseGlobal, b.f32(0.5f));
    scaledGlobal = b.mulF(global, b.f32(foldedFactor / unit));
    globalIsInRange = isGlobalInRange(global);
  }

  unsigned runsAtOnce() const override { return 2; }

  SmallVector<FastRun, 2> emit(ArrayRef<SmallVector<RunElement>> runs, Draws draws) override {
    width = runs.size();
    SmallVector<Value> x;
    SmallVector<int> signs;
    rotate(runs, x, signs);
    SmallVector<FastRun, 2> results(width);
    SmallVector<Value> random[2];
    for (unsigned lane = 0; lane < width && destination.randomBits; ++lane)
      for (unsigned number = 0; number < run * destination.randomBits / 128; ++number)
        for (Value word : draws(lane, number))
          random[lane].push_back(
              b.bitOr(word, b.i32(destination.randomBits == 16 ? 0x00010001 : 0x01010101)));
    for (unsigned first = 0; first < run; first += scheme.block) {
      Block block = chooseScale(findMaximum(x, first), results);
      ArrayRef<Value> values = ArrayRef(x).slice(first, scheme.block);
      ArrayRef<int> ofBlock = ArrayRef(signs).slice(first, scheme.block);
      if (form == CodeForm::Products && !destination.randomBits) {
        encodeProducts(values, ofBlock, block, results);
        continue;
      }
      SmallVector<Value> t;
      for (auto [value, sign] : llvm::zip(values, ofBlock))
        t.push_back(
            usesE2M3() ? scaleEach(value, sign, block.inverse)
                       : b.fma(value, sign > 0 ? block.inverse : negated(block.inverse), splat(0)));
      for (unsigned lane = 0; lane < width; ++lane)
        encode(t, lane, first, random[lane], results[lane].words);
      if (form == CodeForm::Products)
        encodeRandomProducts(t, first, random, block, results);
    }
    return results;
  }

private:
  /// What a block is multiplied by; pairs.
  struct Block {
    Value inverse;
    /// Of scales of one byte: their values, and of powers of two 1.5 · 2^23 times them.
    Value scale, origin;
  };

  const bool isFnuz;
  Value inverseGlobal, scaledGlobal;
  /// What stands for 1 in t.
  float unit = 1;
  /// Runs that are emitted: 2, or 1.
  unsigned width = 2;

  bool usesE2M3() const { return form == CodeForm::Split && !destination.randomBits; }

  Value splat(float value) {
    if (width == 1)
      return b.f32(value);
    return constantPair(value, value);
  }
  Value pair(ArrayRef<Value> lanes) { return width == 1 ? lanes[0] : b.join(lanes); }
  Value laneOf(Value value, unsigned lane) { return width == 1 ? value : b.element(value, lane); }
  Value joinScalar(llvm::function_ref<Value(unsigned)> ofLane) {
    SmallVector<Value, 2> lanes;
    for (unsigned lane = 0; lane < width; ++lane)
      lanes.push_back(ofLane(lane));
    return pair(lanes);
  }

  //===--------------------------------------------------------------------===//
  // Q1, Q2 and Q4
  //===--------------------------------------------------------------------===//

  /// x' · foldedFactor, times a sign each.
  void rotate(ArrayRef<SmallVector<RunElement>> runs, SmallVectorImpl<Value> &x,
              SmallVectorImpl<int> &signs) {
    unsigned n = scheme.rotation.size;
    for (unsigned i = 0; i < run; ++i) {
      x.push_back(joinScalar([&](unsigned lane) { return widen(b, element, runs[lane][i]); }));
      signs.push_back(n && scheme.rotation.signs[0] >> i % n & 1 ? -1 : 1);
    }
    for (unsigned stride = 1; stride < n; stride *= 2)
      for (unsigned i = 0; i < run; ++i) {
        if (i & stride)
          continue;
        Value low = x[i], high = x[i + stride];
        bool isSwapped = signs[i] != signs[i + stride];
        x[i + isSwapped * stride] = b.addF(low, high);
        x[i + !isSwapped * stride] = subF(low, high);
        signs[i + stride] = signs[i];
      }
    if (n && foldedFactor == 1)
      for (Value &value : x)
        value = NumericsEmitter(b, b.getLoc(), width == 2 ? 2 : 0).rotationFactor(value, n);
  }

  /// Pairs: of a block's magnitudes, times foldedFactor; NaNs where there is one.
  Value findMaximum(ArrayRef<Value> x, unsigned first) {
    unsigned n = scheme.rotation.size;
    Value found = joinScalar([&](unsigned lane) {
      Value greatest;
      for (unsigned i = first; i < first + scheme.block; ++i) {
        Value value = laneOf(x[i], lane);
        if (n) {
          value = magnitude(value);
          greatest = greatest ? LLVM::MaxNumOp::create(b, greatest, value).getResult() : value;
        } else {
          value = b.bitAnd(bits(value), INT32_MAX);
          greatest = greatest ? arith::MaxUIOp::create(b, greatest, value).getResult() : value;
        }
      }
      return n ? greatest : real(greatest);
    });
    if (!n)
      return found;
    Value sum;
    for (unsigned i = first; i < first + scheme.block; ++i)
      if (n > scheme.block || !(i & (n / 4 | n / 2)))
        sum = sum ? b.addF(sum, x[i]) : x[i];
    return b.fma(sum, splat(0), found);
  }

  //===--------------------------------------------------------------------===//
  // Q5
  //===--------------------------------------------------------------------===//

  Block chooseScale(Value maximum, MutableArrayRef<FastRun> results) {
    auto note = [&](unsigned lane, Value isInRange) {
      Value &all = results[lane].isInRange;
      all = all ? b.both(all, isInRange) : isInRange;
    };
    Block block;
    if (scheme.scale == ScaleKind::UE8M0) {
      SmallVector<PowerOfTwo, 2> chosen;
      for (unsigned lane = 0; lane < width; ++lane) {
        PowerOfTwo scale = choosePowerOfTwo(laneOf(maximum, lane), unit / foldedFactor);
        chosen.push_back(scale);
        note(lane, scale.isInRange);
        if (form == CodeForm::Nibbles || form == CodeForm::Split)
          results[lane].scales.push_back(arith::TruncIOp::create(b, b.getI8Type(), scale.byte));
        else if (form == CodeForm::FP8)
          results[lane].scales.push_back(scale.value);
      }
      block.inverse = joinScalar([&](unsigned lane) { return chosen[lane].inverse; });
      block.scale = joinScalar([&](unsigned lane) { return chosen[lane].value; });
      // 1.5 · 2^23 times the scale; of a maximum of 0 some number that is small.
      block.origin = joinScalar([&](unsigned lane) {
        Value raised = b.bitAnd(b.add(chosen[lane].bits, 23 << 23), int32_t(0xFF800000));
        return real(b.bitOr(raised, b.i32(1 << 22)));
      });
      return block;
    }
    float gMax = numerics::gMax(scheme.format), reciprocal = 1 / gMax;
    Value quotient = b.mulF(maximum, splat(reciprocal / foldedFactor));
    Value rest = b.fma(negated(quotient), splat(gMax * foldedFactor), maximum);
    quotient = b.fma(rest, splat(reciprocal / foldedFactor), quotient);
    Value divisor;
    if (scheme.scale == ScaleKind::F32) {
      for (unsigned lane = 0; lane < width; ++lane) {
        results[lane].scales.push_back(laneOf(quotient, lane));
        note(lane,
             isZeroOrBetween(laneOf(maximum, lane), leastMaximum * foldedFactor, greatestMaximum));
      }
      divisor = b.mulF(quotient, splat(foldedFactor / unit));
    } else {
      // In the chip's units of E4M3.
      float half = isFnuz ? 0.5f : 1;
      Value ratio = b.mulF(quotient, pairOfScalar(inverseGlobal));
      for (unsigned lane = 0; lane < width; ++lane)
        note(lane, isZeroOrBetween(laneOf(ratio, lane), leastRatio() * half, greatestRatio * half));
      Value codes = emitPackE4M3(b, {laneOf(ratio, 0), laneOf(ratio, width - 1)});
      Value decoded = emitUnpackE4M3(b, codes);
      if (width == 1)
        decoded = b.element(decoded, 0);
      if (isFnuz)
        decoded = b.mulF(decoded, splat(2));
      for (unsigned lane = 0; lane < width; ++lane)
        if (form == CodeForm::Nibbles)
          results[lane].scales.push_back(
              arith::TruncIOp::create(b, b.getI8Type(), b.shr(codes, 8 * lane)));
        else if (form == CodeForm::FP8)
          results[lane].scales.push_back(laneOf(decoded, lane));
      block.scale = decoded;
      divisor = b.mulF(decoded, pairOfScalar(scaledGlobal));
    }
    Value seed =
        joinScalar([&](unsigned lane) { return emitReciprocalSeed(b, laneOf(divisor, lane)); });
    Value inverse = refine(divisor, seed, splat(1));
    // Of a divisor of 0 it is a NaN, and the greatest of a NaN and a number is the number: codes 0.
    block.inverse = LLVM::MaxNumOp::create(b, inverse, splat(0));
    return block;
  }
  /// 1 / x rounded, by a step of Newton's from a seed within one last place. Of a mantissa of ones
  /// it must be the greater neighbour, as LLVM's division takes for granted too.
  Value refine(Value x, Value seed, Value one) {
    return b.fma(b.fma(negated(x), seed, one), seed, seed);
  }
  Value pairOfScalar(Value scalar) {
    return joinScalar([&](unsigned) { return scalar; });
  }

  //===--------------------------------------------------------------------===//
  // Q6
  //===--------------------------------------------------------------------===//

  /// Upper halves of f32 as a word.
  Value packBF16(Value low, Value high) {
    return emitPermuteBytes(b, bits(high), bits(low), 0x07060302);
  }

  /// Codes times scales by sums whose last place is 1.
  void encodeProducts(ArrayRef<Value> values, ArrayRef<int> signs, const Block &block,
                      MutableArrayRef<FastRun> results) {
    SmallVector<Value> products;
    for (auto [value, sign] : llvm::zip(values, signs)) {
      if (block.origin) {
        // What is added is as large as makes the scale the last place.
        Value scaled = sign > 0 ? value : negated(value);
        Value sum = foldedFactor == 1 ? b.addF(scaled, block.origin)
                                      : b.fma(scaled, splat(1 / foldedFactor), block.origin);
        products.push_back(subF(sum, block.origin));
        continue;
      }
      Value t = b.mulF(value, sign > 0 ? block.inverse : negated(block.inverse));
      Value sum = b.addF(t, splat(oneIsLast));
      products.push_back(b.fma(sum, block.scale, negated(b.mulF(block.scale, splat(oneIsLast)))));
    }
    for (unsigned lane = 0; lane < width; ++lane)
      for (unsigned i = 0; i < products.size(); i += 2)
        results[lane].words.push_back(
            packBF16(laneOf(products[i], lane), laneOf(products[i + 1], lane)));
  }

  /// |t| in fixed point plus a random word: the code is in the upper half.
  Value addRandom(Value t, unsigned i, ArrayRef<Value> random) {
    unsigned bitsOfWord = destination.randomBits, ofWord = 32 / bitsOfWord;
    Value fixed = arith::FPToUIOp::create(b, b.getI32Type(), magnitude(t));
    int place = int(i % ofWord * bitsOfWord) - int(fractionBits - bitsOfWord);
    Value word = random[i / ofWord];
    Value moved = place < 0 ? b.shl(word, -place) : b.shr(word, place);
    uint32_t mask = (1u << fractionBits) - (1u << (fractionBits - bitsOfWord));
    return b.add(fixed, b.bitAnd(moved, mask));
  }

  void encodeRandomProducts(ArrayRef<Value> t, unsigned first, ArrayRef<SmallVector<Value>> random,
                            const Block &block, MutableArrayRef<FastRun> results) {
    SmallVector<Value> products;
    for (unsigned i = 0; i < t.size(); ++i) {
      Value level = joinScalar([&](unsigned lane) {
        Value sum = addRandom(laneOf(t[i], lane), first + i, random[lane]);
        Value code = b.bitAnd(b.shr(sum, fractionBits), 0xFF);
        Value level = arith::UIToFPOp::create(b, b.getF32Type(), code);
        if (scheme.scale == ScaleKind::UE4M3)
          level = LLVM::MinNumOp::create(b, level, b.f32(7));
        return level;
      });
      Value factor = joinScalar([&](unsigned lane) -> Value {
        return LLVM::CopySignOp::create(b, laneOf(block.scale, lane), laneOf(t[i], lane));
      });
      // No zero has a sign.
      products.push_back(b.fma(level, factor, splat(0)));
    }
    for (unsigned lane = 0; lane < width; ++lane)
      for (unsigned i = 0; i < products.size(); i += 2)
        results[lane].words.push_back(
            packBF16(laneOf(products[i], lane), laneOf(products[i + 1], lane)));
  }

  /// t of each run by itself: the conversion takes a run's in registers that follow one another,
  /// and pairs would have to be copied there.
  Value scaleEach(Value value, int sign, Value inverse) {
    return joinScalar([&](unsigned lane) {
      Value factor = laneOf(inverse, lane);
      return b.fma(laneOf(value, lane), sign > 0 ? factor : negated(factor), b.f32(0));
    });
  }

  void encode(ArrayRef<Value> t, unsigned lane, unsigned first, ArrayRef<Value> random,
              SmallVectorImpl<Value> &words) {
    if (form == CodeForm::Products)
      return;
    if (usesE2M3()) {
      SmallVector<Value> ofLane;
      for (Value pair : t)
        ofLane.push_back(laneOf(pair, lane));
      return llvm::append_range(words, splitCodes(emitPackE2M3(b, ofLane)));
    }
    unsigned ofWord = form == CodeForm::FP8 ? 4 : 8;
    size_t before = words.size();
    for (unsigned i = 0; i < t.size(); i += ofWord) {
      SmallVector<Value, 8> ofLane, sums;
      for (unsigned j = 0; j < ofWord; ++j) {
        ofLane.push_back(laneOf(t[i + j], lane));
        if (destination.randomBits)
          sums.push_back(addRandom(ofLane.back(), first + i + j, random));
      }
      words.push_back(form == CodeForm::FP8 ? bytes(ofLane, sums) : nibbles(ofLane, sums));
    }
    if (form == CodeForm::Split) {
      SmallVector<Value> split =
          toLaneForm(b, static_cast<const LaneMajorScaledStorage &>(*destination.storage),
                     scheme.format, ArrayRef(words).drop_front(before));
      words.truncate(before);
      llvm::append_range(words, split);
    }
  }

  /// Of three words of E2M3 the gaps of two take the bits of the last.
  SmallVector<Value> splitCodes(ArrayRef<Value> container) {
    auto [first, second] = LaneMajorScaledStorage::splitMasks(2);
    SmallVector<Value> words;
    for (; !container.empty(); container = container.drop_front(3))
      for (auto [word, mask] : {std::pair(container[0], first), {container[1], second}})
        words.push_back(b.bitOr(word, b.bitAnd(container[2], int32_t(mask))));
    return words;
  }

  /// The sign of each t in the highest bit of its code, of as many bits.
  Value gatherSigns(ArrayRef<Value> t, unsigned bitsOfCode) {
    Value signs = b.shr(bits(t.back()), 32 - bitsOfCode);
    for (Value value : llvm::reverse(t.drop_back()))
      signs = funnelRight(signs, bits(value), 32 - bitsOfCode);
    return signs;
  }
  /// The lower word of (high, low) >> amount.
  Value funnelRight(Value high, Value low, unsigned amount) {
    return LLVM::FshrOp::create(b, high, low, b.i32(amount));
  }
  /// The upper halves of two sums, codes at most 7.
  Value gatherHalves(Value low, Value high) {
    Value halves = emitPermuteBytes(b, high, low, 0x07060302);
    if (scheme.scale != ScaleKind::UE4M3)
      return halves;
    // Random words take t of a scale that was rounded down to 8, and Q6 stops at 7.
    Type type = b.vector(2, b.getI16Type());
    Value sevens = arith::ConstantOp::create(
        b, DenseElementsAttr::get(cast<ShapedType>(type), b.getI16IntegerAttr(7).getValue()));
    Value least = arith::MinUIOp::create(b, LLVM::BitcastOp::create(b, type, halves), sevens);
    return LLVM::BitcastOp::create(b, b.getI32Type(), least);
  }

  /// Eight codes.
  Value nibbles(ArrayRef<Value> t, ArrayRef<Value> sums) {
    if (!sums.empty()) {
      Value codes;
      for (unsigned i = 0; i < 4; ++i) {
        Value placed = b.shl(gatherHalves(sums[i], sums[i + 4]), 4 * i);
        codes = codes ? b.bitOr(codes, placed) : placed;
      }
      return merge(codes, gatherSigns(t, 4), 0x77777777);
    }
    // Bytes of a sign, four zeros and a code.
    Value even = emitPackE4M3(b, {t[0], t[2], t[4], t[6]});
    Value odd = emitPackE4M3(b, {t[1], t[3], t[5], t[7]});
    if (isFnuz) // A zero has no sign there.
      return merge(b.bitOr(even, b.shl(odd, 4)), gatherSigns(t, 4), 0x77777777);
    Value low = merge(b.shr(even, 4), even, 0x08080808);
    Value high = merge(odd, b.shl(odd, 4), 0x80808080);
    return merge(low, high, 0x0F0F0F0F);
  }

  /// Four codes as LaneMajorFP8Storage has them: doubled, zeros without a sign.
  Value bytes(ArrayRef<Value> t, ArrayRef<Value> sums) {
    Value codes, signs;
    if (sums.empty()) {
      Value converted = emitPackE4M3(b, t);
      codes = b.bitAnd(converted, 0x07070707);
      signs = converted;
    } else {
      codes = b.bitOr(gatherHalves(sums[0], sums[2]), b.shl(gatherHalves(sums[1], sums[3]), 8));
      signs = gatherSigns(t, 8);
    }
    if (!isFnuz || !sums.empty())
      signs = b.both(signs, b.add(codes, 0x7F7F7F7F));
    return merge(signs, b.shl(codes, 1), 0x80808080);
  }
};
} // namespace

std::unique_ptr<FastRunEmitter> ufp4::createPairEmitter(KernelBuilder &b, const Chip &chip,
                                                        Element element,
                                                        const QuantizeDestination &destination,
                                                        CodeForm form, Value global) {
  return std::make_unique<PairEmitter>(b, chip, element, destination, form, global);
}
