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
//              2^-9) to them, and E2M3's to bytes of its own; where a chip has none, and with
//              random words, a sum whose last place is 1 (or that of a random word) leaves the code
//              in some byte, or fixed point does. A product that is added to +0 has the sign of x',
//              or is +0 where x' is a zero.
//   products   of codes and scales: a sum's last place is the scale, or what was added to t is
//              taken off times the scale. They are exact, and no zero of them has a sign.
//   levels     of e2m1, where nothing converts to them: two significant bits, of units that a power
//              of two at t gives, by a sum whose last place is the unit.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZEFAST_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZEFAST_H

#include "QuantizeStore.h"
#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Target/LaneInstructions.h"

#include <memory>

namespace ufp4 {

/// An element of the input as it was loaded: a word of 32 bits or, of 16-bit elements, its lower or
/// upper half. Where a matrix unit has rotated, an f32.
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

/// Emits runs of one destination the short way. What differs between chips is how values are kept:
/// those of a run one by one or neighbours in pairs, or those of two runs in pairs.
class FastRunEmitter {
public:
  virtual ~FastRunEmitter();
  /// Whether the chip has it for runs of this destination, whose codes become `form`.
  static bool exists(const target::Chip &chip, const QuantizeDestination &destination,
                     CodeForm form);
  /// Emits what runs share; `global` is S, null unless scales are ue4m3.
  static std::unique_ptr<FastRunEmitter> create(target::KernelBuilder &b, const target::Chip &chip,
                                                numerics::Element element,
                                                const QuantizeDestination &destination,
                                                CodeForm form, mlir::Value global);

  /// Runs that `emit` takes at most.
  virtual unsigned runsAtOnce() const { return 1; }
  /// The four random words of a run's draw of this number (Q7).
  using Draws = llvm::function_ref<std::array<mlir::Value, 4>(unsigned run, unsigned number)>;
  virtual llvm::SmallVector<FastRun, 2> emit(llvm::ArrayRef<llvm::SmallVector<RunElement>> runs,
                                             Draws draws) = 0;

  /// An i1, or null for true: whether any block can be in the range.
  mlir::Value canBeInRange() const { return globalIsInRange; }

protected:
  using Value = mlir::Value;

  FastRunEmitter(target::KernelBuilder &b, const target::Chip &chip, numerics::Element element,
                 const QuantizeDestination &destination, CodeForm form);

  /// E4M3's subnormal unit.
  static constexpr float e4m3Unit = 0x1p-9f;
  /// And E2M3's.
  static constexpr float e2m3Unit = 0x1p-3f;
  /// Blocks with a maximum (of x') in this range divide by g_max without a subnormal number or an
  /// overflow, and the reciprocal and its power of two stay normal; it lies above 2^-120 (Q4).
  static constexpr float leastMaximum = 0x1p-100f, greatestMaximum = 0x1p110f;
  /// A maximum of ue4m3's ratio at which t stays below 7.5, so that e1m2 needs no clamp: s is 448.
  static constexpr float greatestRatio = 464;

  /// The least ratio of ue4m3: t passes 7.5 of e1m2 or 7 of e2m1 below the normal numbers of E4M3;
  /// a conversion to e2m1 saturates.
  float leastRatio() const {
    bool saturates = form == CodeForm::Nibbles && scheme.format == numerics::Format::E2M1;
    return saturates ? 0x1p-9f : 0x1p-6f;
  }
  /// Whether S is where every step from a ratio in the range to the reciprocal stays normal.
  Value isGlobalInRange(Value global);

  /// A ue8m0 scale of a maximum that is times foldedFactor: its byte as an i32, 1 / d · `unit`, and
  /// its value; of a maximum that is not 0 also the value's bits, with others below the exponent.
  struct PowerOfTwo {
    Value byte, inverse, value, bits, isInRange;
  };
  PowerOfTwo choosePowerOfTwo(Value maximum, float unit);

  Value isBetween(Value x, float low, float high);
  Value isZeroOrBetween(Value x, float low, float high);
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
  /// √n where it is folded, or 1.
  float foldedFactor = 1;
  /// greatestMaximum where scales are powers of two.
  float greatestPowerMaximum = greatestMaximum;
  /// Null for true.
  Value globalIsInRange;
};

/// The emitter of two runs at once.
std::unique_ptr<FastRunEmitter>
createPairEmitter(target::KernelBuilder &b, const target::Chip &chip, numerics::Element element,
                  const QuantizeDestination &destination, CodeForm form, mlir::Value global);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_QUANTIZEFAST_H
