//===- Quantize.h - Block quantization ---------------------------*- C++ -*-===//
//
// docs/spec.md Q1 to Q8 and F4: the definition of every bit that quantizing a
// tensor gives. Everything else in the compiler is measured against this.
//
// Shapes: a view is [G, R, K] row-major; codes are one to a byte, [G, R, Kp];
// scales are [G, R or ceil(R / B), Kp / B], floats or bytes by scale kind.
// Every function is pure and safe to call from any number of threads, in any
// floating-point environment.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_QUANTIZE_H
#define UFP4_NUMERICS_QUANTIZE_H

#include "ufp4/Numerics/Elements.h"
#include "ufp4/Numerics/Philox.h"
#include "ufp4/Numerics/Rotate.h"
#include "ufp4/Numerics/Scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ufp4::numerics {

/// Stochastic rounding (Q6) and where its random words come from (Q7). `bits`
/// is 16 or 8.
struct Draw {
  uint64_t seed;
  uint32_t stream;
  uint32_t step;
  unsigned bits = 16;
};

/// Q8: which part of a larger view this one is. For each view dimension (0 = G,
/// 1 = R, 2 = K) one number per tensor dimension merged into it, outermost
/// first: offset, global size, local size. Three empty lists mean that the
/// dimension is whole.
struct Place {
  std::vector<int64_t> at[3], of[3], part[3];
};

/// Nothing when stochastic rounding is legal with the scheme (Q3, Q7);
/// otherwise a sentence.
std::optional<std::string> verifyDraw(const Draw &draw, const Scheme &scheme);

/// Nothing when quantizing the part gives the codes and scales of the whole
/// (Q8); otherwise a sentence. `amaxIsOperand`: amax_tensor will be given.
std::optional<std::string> verifyPlace(const Place &place, ViewShape shape, const Scheme &scheme,
                                       bool amaxIsOperand);

/// What quantize returns. `scalesF32` is filled for ScaleKind::F32, otherwise
/// `scaleBytes`; `global` is S for UE4M3 and 0 for the others.
struct Quantized {
  std::vector<uint8_t> codes;
  std::vector<float> scalesF32;
  std::vector<uint8_t> scaleBytes;
  float global = 0;

  /// The scales, whatever their kind.
  const void *scales() const {
    return scalesF32.empty() ? static_cast<const void *>(scaleBytes.data()) : scalesF32.data();
  }
};

/// Quantizes a view: nearest, or stochastic where `draw` is given.
/// `amaxTensor` replaces the maximum that UE4M3 takes over the view (Q5);
/// other kinds ignore it. `place` says where a part lies (Q8). Scheme, draw and
/// place must have passed their verifiers. `x` is aligned to its element and
/// may be null when the view is empty.
Quantized quantize(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                   const Draw *draw = nullptr, const float *amaxTensor = nullptr,
                   const Place *place = nullptr);

/// The same into the caller's buffers: codeCount codes, scaleCount scales
/// (float or uint8_t by kind), and S (0 unless UE4M3) where `global` is not
/// null.
void quantizeInto(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                  const Draw *draw, const float *amaxTensor, const Place *place, uint8_t *codes,
                  void *scales, float *global);

/// amax_tensor of Q5: the greatest |x'| of all blocks that are not poisoned, 0
/// where there is none.
float amax(const void *x, Element element, ViewShape shape, const Scheme &scheme);

/// S of Q5 for an amax_tensor: NaN (0x7FC00000) when that is negative or not
/// finite, which poisons every block.
float globalScale(float amaxTensor, Format format);

/// F4: values [G, R, K] of codes and scales, the padding left out; the real
/// number rounded once to `result`. `shape.k` is K. A zero is written as +0, a
/// poisoned value as the positive quiet NaN without payload. `global` is read
/// for UE4M3 only.
void dequantizeInto(const uint8_t *codes, const void *scales, float global, ViewShape shape,
                    const Scheme &scheme, Element result, void *out);

/// The same with the padding: [G, R, Kp] values.
void dequantizePaddedInto(const uint8_t *codes, const void *scales, float global, ViewShape shape,
                          const Scheme &scheme, Element result, void *out);

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_QUANTIZE_H
