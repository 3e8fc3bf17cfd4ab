//===- Elements.h - f32, bf16 and f16 values ---------------------*- C++ -*-===//
//
// The element types that tensors come in and go out as (Q1, F4), and their
// conversions: widening is exact, narrowing rounds once to nearest even.
// Integer arithmetic throughout, so no floating-point environment matters.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_ELEMENTS_H
#define UFP4_NUMERICS_ELEMENTS_H

#include <cstdint>
#include <cstring>

namespace ufp4::numerics {

/// Element type of a plain (not quantized) tensor.
enum class Element : uint8_t { F32, BF16, F16 };

/// `f32`, `bf16` or `f16`.
constexpr const char *name(Element element) {
  return element == Element::F32 ? "f32" : element == Element::BF16 ? "bf16" : "f16";
}

/// Size of one element in bytes.
constexpr unsigned elementBytes(Element element) { return element == Element::F32 ? 4 : 2; }

template <typename To, typename From> To bitCast(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "bitCast keeps the size");
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

inline uint32_t bitsOf(float value) { return bitCast<uint32_t>(value); }
inline float floatOf(uint32_t bits) { return bitCast<float>(bits); }

/// The one NaN that UFP4 writes as an f32, be it a scale or a value (F2).
constexpr uint32_t canonicalNaN = 0x7FC00000;

namespace detail {

/// An IEEE 754 binary interchange format.
template <typename BitsT, unsigned ExponentBits, unsigned MantissaBits> struct Ieee {
  using Bits = BitsT;
  static constexpr unsigned mantissa = MantissaBits;
  static constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  static constexpr Bits sign = Bits(Bits(1) << (ExponentBits + MantissaBits));
  static constexpr Bits infinity = Bits(((Bits(1) << ExponentBits) - 1) << MantissaBits);
  static constexpr Bits quiet = Bits(Bits(1) << (MantissaBits - 1));
};
using IeeeF64 = Ieee<uint64_t, 11, 52>;
using IeeeF32 = Ieee<uint32_t, 8, 23>;
using IeeeBF16 = Ieee<uint16_t, 8, 7>;
using IeeeF16 = Ieee<uint16_t, 5, 10>;

/// Rounds a value of format From once, to nearest even, to the narrower format
/// To. Overflow gives an infinity; a NaN stays one, quiet, with its sign.
template <typename From, typename To> typename To::Bits narrow(typename From::Bits bits) {
  using Bits = typename From::Bits;
  constexpr unsigned dropped = From::mantissa - To::mantissa;
  const Bits magnitude = bits & Bits(From::sign - 1);
  const auto sign = typename To::Bits(bits & From::sign ? To::sign : 0);
  if (magnitude > From::infinity) {
    const auto payload =
        typename To::Bits((magnitude >> dropped) & ((Bits(1) << To::mantissa) - 1));
    return typename To::Bits(sign | To::infinity | To::quiet | payload);
  }
  int exponent = int(magnitude >> From::mantissa);
  Bits significand = magnitude & ((Bits(1) << From::mantissa) - 1);
  if (exponent)
    significand |= Bits(1) << From::mantissa;
  else
    exponent = 1;
  exponent += To::bias - From::bias;
  if (exponent > 2 * To::bias)
    return typename To::Bits(sign | To::infinity);
  // Below the least normal number the unit stays and more bits are dropped;
  // with mantissa + 2 of them gone nothing can round up any more.
  unsigned shift = dropped;
  if (exponent < 1) {
    const int extra = 1 - exponent;
    const int most = int(From::mantissa) + 2 - int(dropped);
    shift += unsigned(extra < most ? extra : most);
    exponent = 1;
  }
  Bits kept = significand >> shift;
  const Bits rest = significand & ((Bits(1) << shift) - 1);
  const Bits half = Bits(1) << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry out of the mantissa lands in the exponent, and at the top in
  // infinity, which is where it belongs.
  return typename To::Bits(sign + (Bits(exponent - 1) << To::mantissa) + kept);
}

} // namespace detail

inline float bf16ToF32(uint16_t bits) { return floatOf(uint32_t(bits) << 16); }

/// Branch-free so that loops over it vectorise.
inline float f16ToF32(uint16_t bits) {
  const uint32_t magnitude = uint32_t(bits & 0x7FFF) << 13;
  const uint32_t normal = magnitude + (112u << 23);
  // 2^-14 + m 2^-24 - 2^-14: all terms are f32 normals and the difference is
  // exact, hence independent of rounding and flushing but for a zero's sign.
  constexpr uint32_t leastNormal = 113u << 23;
  const uint32_t subnormal =
      bitsOf(floatOf(leastNormal + magnitude) - floatOf(leastNormal)) & 0x7FFFFFFF;
  const uint32_t special = magnitude | 0x7F800000;
  uint32_t result = magnitude < (1u << 23) ? subnormal : normal;
  result = magnitude >= (31u << 23) ? special : result;
  return floatOf(result | uint32_t(bits & 0x8000) << 16);
}

inline uint16_t f32ToBF16(float value) {
  return detail::narrow<detail::IeeeF32, detail::IeeeBF16>(bitsOf(value));
}
inline uint16_t f32ToF16(float value) {
  return detail::narrow<detail::IeeeF32, detail::IeeeF16>(bitsOf(value));
}
inline float f64ToF32(double value) {
  return floatOf(detail::narrow<detail::IeeeF64, detail::IeeeF32>(bitCast<uint64_t>(value)));
}
inline uint16_t f64ToBF16(double value) {
  return detail::narrow<detail::IeeeF64, detail::IeeeBF16>(bitCast<uint64_t>(value));
}
inline uint16_t f64ToF16(double value) {
  return detail::narrow<detail::IeeeF64, detail::IeeeF16>(bitCast<uint64_t>(value));
}

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_ELEMENTS_H
