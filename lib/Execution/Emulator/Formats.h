//===- Formats.h - Small numbers, as the emulated chips read them -*- C++ -*-===//
//
// The emulator's own decoding and encoding, written from the definitions of the formats: it judges
// the compiler and shares no table with it.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_FORMATS_H
#define UFP4_LIB_EXECUTION_EMULATOR_FORMATS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace ufp4::emulator {

enum class Format {
  F32,
  TF32,
  F16,
  BF16,
  E5M2,
  E4M3,
  E3M2,
  E2M3,
  E2M1,
  E0M3,
  UE8M0,
  UE4M3,
  S8,
  U8,
  S4,
  U4
};

enum class Rounding { NearestEven, NearestAway, Zero, Down, Up };

/// The format that PTX spells so: "bf16", "e2m1", "s8", …
std::optional<Format> parseFormat(llvm::StringRef name);

/// Bits of a packed element.
unsigned bitWidth(Format format);
bool isInteger(Format format);

/// The number that the low bits of `code` mean; exact.
double decode(Format format, uint32_t code);

/// The sum of products, each of them exact, in four partial sums that need not wait for each other.
inline double dot(const double *x, const double *y, unsigned count) {
  double partial[4] = {0, 0, 0, 0};
  unsigned i = 0;
  for (; i + 4 <= count; i += 4)
    for (unsigned j = 0; j < 4; ++j)
      partial[j] += x[i + j] * y[i + j];
  for (; i < count; ++i)
    partial[i % 4] += x[i] * y[i];
  return (partial[0] + partial[1]) + (partial[2] + partial[3]);
}

/// The code of `value` rounded. Beyond the range: the largest finite number if `saturate` or if the
/// format has neither infinity nor NaN; otherwise infinity, or NaN in formats without it.
uint32_t encode(Format format, double value, Rounding rounding, bool saturate);

/// `exact + rest` rounded, where `rest` is too small to be seen in `exact` but decides ties.
uint32_t encodeWithRest(Format format, double exact, double rest, Rounding rounding, bool saturate);

template <typename To, typename From> To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

inline float asFloat(uint32_t bits) { return bitCast<float>(bits); }
inline uint32_t asBits(float value) { return bitCast<uint32_t>(value); }

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_FORMATS_H
