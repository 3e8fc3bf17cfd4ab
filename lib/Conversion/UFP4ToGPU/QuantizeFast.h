//===- QuantizeFast.h - Runs quantized by a chip's conversions --*- C++ -*-===//
//
// A shorter way to the bits of docs/spec.md Q2 to Q6 than that of NumericsEmitter, for blocks whose
// maximum lies in a range in which it is exact, or is 0. Others are told apart by one condition,
// and quantized by the other way. What is shorter, and why it is exact:
//
//   signs      of a rotation cost nothing: (p·a, q·b) -> p (a ± p·q·b), and p is carried to the
//              reciprocal. Rounding is symmetric; a zero's sign does not matter (Q6).
//   factor     1/√n, where it is a power of two and the input has 16 bits, whose sums are multiples
//              of 2^-133: folded into the division and the reciprocal.
//   division   by g_max: with c = 1/g_max rounded and q = x·c, q + c·(x - q·g_max) is x / g_max
//              rounded, since the rest is exact where nothing is subnormal.
//   codes      of e1m2 are subnormal numbers of E4M3, n·2^-9, so its conversion rounds t (times
//              2^-9) to them; where a chip has none, and with random words, a sum whose last place
//              is 1 (or that of a random word) leaves the code in some byte. A product that is
//              added to +0 has the sign of x', or is +0 where x' is a zero.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZEFAST_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZEFAST_H

#include "QuantizeStore.h"
#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Target/LaneInstructions.h"

namespace ufp4 {

/// An element of the input as it was loaded: a word of 32 bits or, of 16-bit elements, its lower or
/// upper half.
struct RunElement {
  mlir::Value word;
  unsigned half = 0;
};

/// Q1: an element's value, f32.
mlir::Value widen(target::KernelBuilder &b, numerics::Element element, const RunElement &source);

/// One run, quantized.
struct FastRun {
  /// Codes as the writer's words (RunWriter::storeWords), and a scale of each block as
  /// RunWriter::storeScaleWords takes it.
  llvm::SmallVector<mlir::Value> words, scales;
  /// An i1: all blocks are in the range; otherwise words and scales mean nothing.
  mlir::Value isInRange;
};

class FastRunEmitter {
public:
  /// Whether the chip has it for runs of this destination, whose codes become `form`.
  static bool exists(const target::Chip &chip, const QuantizeDestination &destination,
                     CodeForm form);

  /// Emits what runs share; `global` is S, null unless scales are ue4m3.
  FastRunEmitter(target::KernelBuilder &b, const target::Chip &chip, numerics::Element element,
                 const QuantizeDestination &destination, CodeForm form, mlir::Value global);

  /// The four random words of the run's draw of this number (Q7).
  using Draws = llvm::function_ref<std::array<mlir::Value, 4>(unsigned)>;
  FastRun emit(llvm::ArrayRef<RunElement> elements, Draws draws);

  /// An i1, or null for true: whether any block can be in the range.
  mlir::Value canBeInRange() const { return globalIsInRange; }

private:
  using Value = mlir::Value;

  /// x' times `foldedFactor`, and times a sign each.
  struct Rotated {
    llvm::SmallVector<Value> values;
    llvm::SmallVector<int> signs;
  };
  struct Scale {
    Value stored, inverse, isInRange;
  };

  Rotated rotate(llvm::ArrayRef<RunElement> elements);
  template <typename Step> void butterfly(Rotated &x, unsigned stride, Step step);
  Scale chooseScale(Value maximum);
  Value isBetween(Value x, float low, float high);
  Value isZeroOrBetween(Value x, float low, float high);
  llvm::SmallVector<Value> multiply(const Rotated &x, unsigned first, Value inverse);
  Value addRandom(Value t, unsigned i, llvm::ArrayRef<Value> odd);
  void encode(llvm::ArrayRef<Value> t, unsigned first, llvm::ArrayRef<Value> odd,
              llvm::SmallVectorImpl<Value> &words);
  Value encodeByE4M3(llvm::ArrayRef<Value> t);
  Value encodeBySums(llvm::ArrayRef<Value> t, llvm::ArrayRef<Value> sums, unsigned byte);
  Value encodeBF16(Value low, Value high, Value lowSum, Value highSum);

  Value bits(Value x) { return mlir::arith::BitcastOp::create(b, b.getI32Type(), x); }
  Value real(Value x) { return mlir::arith::BitcastOp::create(b, b.getF32Type(), x); }
  Value magnitude(Value x) { return target::emitMagnitude(b, x); }
  Value negated(Value x) { return mlir::arith::NegFOp::create(b, x); }
  Value subF(Value x, Value y) { return mlir::arith::SubFOp::create(b, x, y); }
  /// (x & mask) | (y & ~mask): one instruction of three inputs.
  Value merge(Value x, Value y, uint32_t mask) {
    return b.bitOr(b.bitAnd(x, int32_t(mask)), b.bitAnd(y, int32_t(~mask)));
  }
  /// A pair of f32 that instructions take as one operand.
  Value constantPair(float low, float high);

  target::KernelBuilder &b;
  const target::Chip &chip;
  const numerics::Element element;
  const QuantizeDestination &destination;
  const numerics::Scheme &scheme;
  const CodeForm form;
  const unsigned run;
  /// Whether values are kept in pairs (Feature::PackedF32).
  const bool isPaired;
  /// Whether E4M3 rounds; t is then times 2^-9.
  bool usesE4M3 = false;
  /// √n where it is folded, or 1.
  float foldedFactor = 1;
  /// What 1 / d is multiplied by, a power of two: of the units of t over foldedFactor.
  float inverseUnit = 1;
  Value inverseGlobal, scaledGlobal, globalIsInRange;
};

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZEFAST_H
