//===- Scheme.h - How a tensor is quantized ----------------------*- C++ -*-===//
//
// A scheme is format, block, scale and rotation: everything but the rounding
// (docs/spec.md F3, Q2, Q3, Q5). Views and the sizes of what quantizing them
// gives.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_SCHEME_H
#define UFP4_NUMERICS_SCHEME_H

#include "ufp4/Numerics/Formats.h"
#include "ufp4/Numerics/Scales.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ufp4::numerics {

/// Q2. The random Hadamard transform of every run of `size` elements along K;
/// size 0 is none.
struct Rotation {
  unsigned size = 0;
  /// The n-bit sign mask, low word first: where bit i is set, element i of a
  /// run is negated.
  std::array<uint64_t, 2> signs{};

  explicit operator bool() const { return size; }
  bool operator==(const Rotation &other) const {
    return size == other.size && signs == other.signs;
  }
  bool operator!=(const Rotation &other) const { return !(*this == other); }
};

/// The presets' rotation of a size: the mask 0xD7E8 repeated per 16 bits (F3).
Rotation presetRotation(unsigned size);

struct Scheme {
  Format format = Format::E1M2;
  /// B, elements along K that share a scale: 16 or 32.
  unsigned block = 16;
  /// Rows that share it too: 1, or B for 2-D blocks.
  unsigned blockRows = 1;
  ScaleKind scale = ScaleKind::F32;
  ScaleRule rule = ScaleRule::Ceil;
  Rotation rotation{};

  bool operator==(const Scheme &other) const {
    return format == other.format && block == other.block && blockRows == other.blockRows &&
           scale == other.scale && rule == other.rule && rotation == other.rotation;
  }
  bool operator!=(const Scheme &other) const { return !(*this == other); }
};

/// Nothing when the scheme is legal (F3, Q3, Q5); otherwise a sentence that
/// says what was found and what is expected. Every other function of this
/// library takes a legal scheme for granted.
std::optional<std::string> verifyScheme(const Scheme &scheme);

/// Kp: K padded to a multiple of the rotation, then of the block (Q3).
int64_t paddedK(const Scheme &scheme, int64_t k);

/// L = lcm(n, B), the length of the aligned runs along K that nothing crosses:
/// neither a rotation, nor a block, nor the border of a shard (Q8).
int64_t runLength(const Scheme &scheme);

/// Q1. An operand seen as [G, R, K]: batch, free and contracted dimensions,
/// each merged into one. In row-major order, K innermost. G = 1 where the GEMM
/// has no batch. Any of them may be 0.
struct ViewShape {
  int64_t g = 1, r = 0, k = 0;
};

/// Number of codes, those of the padding included: [G, R, Kp].
int64_t codeCount(const Scheme &scheme, ViewShape shape);

/// Rows of scales in one G: R, or ceil(R / B) with 2-D blocks.
int64_t scaleRows(const Scheme &scheme, int64_t r);

/// Number of scales: [G, scaleRows(R), Kp / B].
int64_t scaleCount(const Scheme &scheme, ViewShape shape);

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_SCHEME_H
