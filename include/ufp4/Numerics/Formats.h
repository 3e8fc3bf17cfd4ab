//===- Formats.h - The 4-bit element formats ---------------------*- C++ -*-===//
//
// docs/spec.md F1: what the sixteen codes of a format mean, how two of them
// share a byte, and how two's-complement INT4 enters and leaves.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_FORMATS_H
#define UFP4_NUMERICS_FORMATS_H

#include <cstdint>
#include <optional>

namespace ufp4::numerics {

/// F1. E1M2 is the uniform grid (also known as E0M3 and sign-magnitude INT4);
/// E2M1 that of NVFP4 and MXFP4 (OCP MX v1.0).
enum class Format : uint8_t { E1M2, E2M1 };

/// Number of magnitudes; a code is a magnitude index with the sign in bit 3.
constexpr unsigned levelCount = 8;
constexpr uint8_t signBit = 8;

/// Twice the magnitudes, so that both grids are integers.
constexpr int8_t doubledLevels[2][levelCount] = {{0, 2, 4, 6, 8, 10, 12, 14},
                                                 {0, 1, 2, 3, 4, 6, 8, 12}};

/// Magnitude q_m of F1's table, m in 0..7.
constexpr float level(Format format, unsigned m) {
  return float(doubledLevels[unsigned(format)][m]) * 0.5f;
}

/// The greatest magnitude: 7 for E1M2, 6 for E2M1.
constexpr float gMax(Format format) { return level(format, levelCount - 1); }

/// The value of a code (bits 3..0 count). Code 8 reads as +0.
constexpr float decodeCode(Format format, uint8_t code) {
  const float magnitude = level(format, code & 7);
  return code & signBit && magnitude != 0 ? -magnitude : magnitude;
}

/// `e1m2` or `e2m1`.
const char *name(Format format);

/// Two's-complement INT4, sign-extended, to an E1M2 code; nothing for a value
/// outside -7..7: the grid has no -8 (F1).
constexpr std::optional<uint8_t> codeFromInt4(int8_t value) {
  if (value < -7 || value > 7)
    return std::nullopt;
  return uint8_t(value < 0 ? signBit | -value : value);
}

/// An E1M2 code to two's-complement INT4, sign-extended; code 8 becomes 0.
constexpr int8_t int4FromCode(uint8_t code) {
  return int8_t(code & signBit ? -(code & 7) : code & 7);
}

/// Converts `count` INT4 values, each sign-extended in a byte. Returns the
/// index of the first that is refused (`codes` then holds those before it).
std::optional<int64_t> codesFromInt4(const int8_t *values, int64_t count, uint8_t *codes);

/// Natural storage: two codes to a byte, the even one in the low nibble; an odd
/// count leaves the last high nibble 0. `packed` holds ceil(count / 2) bytes.
void packCodes(const uint8_t *codes, int64_t count, uint8_t *packed);
void unpackCodes(const uint8_t *packed, int64_t count, uint8_t *codes);

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_FORMATS_H
