//===- Scales.cpp - Block scales ------------------------------------------===//

#include "ufp4/Numerics/Scales.h"
#include "ufp4/Numerics/Elements.h"

namespace ufp4::numerics {

const char *name(ScaleKind kind) {
  switch (kind) {
  case ScaleKind::F32:
    return "f32";
  case ScaleKind::UE4M3:
    return "ue4m3";
  case ScaleKind::UE8M0:
    return "ue8m0";
  }
  return "";
}

const char *name(ScaleRule rule) { return rule == ScaleRule::Ceil ? "ceil" : "ocp-floor"; }

// E4M3 is laid out as an IEEE format whose top exponent holds numbers, so its
// magnitudes follow those of f32 in order; only the bias and the ends differ.
float decodeUE4M3(uint8_t byte) {
  if (byte >= nanUE4M3)
    return floatOf(canonicalNaN);
  if (byte >= 8)
    return floatOf((uint32_t(byte) << 20) + ((127 - 7) << 23));
  return float(byte) * 0x1p-9f;
}

uint8_t encodeUE4M3(float value) {
  const uint32_t bits = bitsOf(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000)
    return nanUE4M3;
  if (bits >> 31)
    return 0;
  // Saturation. 448 is also what values up to its upper midpoint round to.
  if (bits >= bitsOf(maxE4M3))
    return nanUE4M3 - 1;
  // Drop what lies below E4M3's last place: 20 bits of a normal number, and of
  // a subnormal one as many as it takes to count in units of 2^-9.
  const uint32_t exponent = bits >> 23;
  uint32_t significand = bits;
  unsigned shift = 20;
  uint32_t rebias = (127 - 7) << 3;
  if (exponent < 127 - 6) {
    significand = (bits & 0x7FFFFF) | 0x800000;
    shift += 127 - 6 - exponent;
    rebias = 0;
    if (shift > 24)
      return 0;
  }
  uint32_t kept = significand >> shift;
  const uint32_t rest = significand & ((1u << shift) - 1);
  const uint32_t half = 1u << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  return uint8_t(kept - rebias);
}

float decodeUE8M0(uint8_t byte) {
  if (byte == nanUE8M0)
    return floatOf(canonicalNaN);
  return floatOf(byte ? uint32_t(byte) << 23 : 1u << 22);
}

uint8_t encodeUE8M0(float amax, Format format, ScaleRule rule) {
  const uint32_t bits = bitsOf(amax);
  int byte = int(bits >> 23) - 2;
  // g_max is 1.75 or 1.5 times 4, so amax <= g_max 2^k is a comparison of
  // mantissas; a denormal is below the least scale whatever its mantissa.
  const uint32_t mantissaOfGMax = bitsOf(gMax(format)) & 0x7FFFFF;
  if (rule == ScaleRule::Ceil && (bits & 0x7FFFFF) > mantissaOfGMax)
    ++byte;
  return uint8_t(byte < 0 ? 0 : byte > 254 ? 254 : byte);
}

} // namespace ufp4::numerics
