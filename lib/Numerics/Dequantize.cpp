//===- Dequantize.cpp - From codes back to values -------------------------===//

#include "ufp4/Numerics/FloatEnvironment.h"
#include "ufp4/Numerics/Quantize.h"

#include <algorithm>
#include <cassert>

namespace ufp4::numerics {

namespace {

template <Element E> struct Result;
template <> struct Result<Element::F32> {
  using Bits = uint32_t;
  static constexpr Bits nan = canonicalNaN;
  // Hardware rounds this one, in the guarded environment.
  static Bits round(double value) { return bitsOf(float(value)); }
};
template <> struct Result<Element::BF16> {
  using Bits = uint16_t;
  static constexpr Bits nan = 0x7FC0;
  static Bits round(double value) { return f64ToBF16(value); }
};
template <> struct Result<Element::F16> {
  using Bits = uint16_t;
  static constexpr Bits nan = 0x7E00;
  static Bits round(double value) { return f64ToF16(value); }
};

/// The values of the sixteen codes under one scale. q s S has at most 31
/// significant bits and q s 27, so the product in double is the real number and
/// is rounded once.
template <Element E> void tabulate(Format format, double scale, typename Result<E>::Bits *table) {
  using Bits = typename Result<E>::Bits;
  constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  for (unsigned m = 0; m < levelCount; ++m) {
    const double value = double(level(format, m)) * scale;
    const Bits bits = value != value ? Result<E>::nan : Result<E>::round(value);
    table[m] = bits;
    table[m | signBit] = value != value || value == 0 ? bits : Bits(bits ^ sign);
  }
}

template <Element E>
void dequantizeAs(const uint8_t *codes, const void *scales, float global, ViewShape shape,
                  const Scheme &scheme, int64_t kept, void *out) {
  using Bits = typename Result<E>::Bits;
  const int64_t padded = paddedK(scheme, shape.k);
  const int64_t rowsOfScales = scaleRows(scheme, shape.r);
  const int64_t blocks = padded / scheme.block;
  auto *to = static_cast<Bits *>(out);
  for (int64_t g = 0; g < shape.g; ++g)
    for (int64_t r = 0; r < shape.r; ++r, codes += padded, to += kept)
      for (int64_t b = 0; b < blocks; ++b) {
        const int64_t index = (g * rowsOfScales + r / scheme.blockRows) * blocks + b;
        double scale = 0;
        switch (scheme.scale) {
        case ScaleKind::F32:
          scale = static_cast<const float *>(scales)[index];
          break;
        case ScaleKind::UE4M3:
          scale = double(decodeUE4M3(static_cast<const uint8_t *>(scales)[index])) * double(global);
          break;
        case ScaleKind::UE8M0:
          scale = decodeUE8M0(static_cast<const uint8_t *>(scales)[index]);
          break;
        }
        Bits table[16];
        tabulate<E>(scheme.format, scale, table);
        const int64_t end = std::min<int64_t>((b + 1) * scheme.block, kept);
        for (int64_t k = b * scheme.block; k < end; ++k)
          to[k] = table[codes[k] & 15];
      }
}

UFP4_NOINLINE void dequantizeGuarded(const uint8_t *codes, const void *scales, float global,
                                     ViewShape shape, const Scheme &scheme, int64_t kept,
                                     Element result, void *out) {
  switch (result) {
  case Element::F32:
    return dequantizeAs<Element::F32>(codes, scales, global, shape, scheme, kept, out);
  case Element::BF16:
    return dequantizeAs<Element::BF16>(codes, scales, global, shape, scheme, kept, out);
  case Element::F16:
    return dequantizeAs<Element::F16>(codes, scales, global, shape, scheme, kept, out);
  }
}

} // namespace

void dequantizeInto(const uint8_t *codes, const void *scales, float global, ViewShape shape,
                    const Scheme &scheme, Element result, void *out) {
  assert(!verifyScheme(scheme) && "illegal scheme");
  FloatEnvironment environment;
  dequantizeGuarded(codes, scales, global, shape, scheme, shape.k, result, out);
}

void dequantizePaddedInto(const uint8_t *codes, const void *scales, float global, ViewShape shape,
                          const Scheme &scheme, Element result, void *out) {
  assert(!verifyScheme(scheme) && "illegal scheme");
  FloatEnvironment environment;
  dequantizeGuarded(codes, scales, global, shape, scheme, paddedK(scheme, shape.k), result, out);
}

} // namespace ufp4::numerics
