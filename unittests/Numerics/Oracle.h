//===- Oracle.h - docs/spec.md, slowly --------------------------*- C++ -*-===//
//
// The rules of docs/spec.md once more, straight from the text and without any
// of the library's code (its plain structs aside): reals are long doubles, all
// of whose operations below are exact or, with 64 bits against f32's 24, round
// to the same f32 as the real number would; choices are searches.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_UNITTESTS_NUMERICS_ORACLE_H
#define UFP4_UNITTESTS_NUMERICS_ORACLE_H

#include "ufp4/Numerics/Gemm.h"
#include "ufp4/Numerics/Quantize.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace oracle {

using namespace ufp4::numerics;
using Real = long double;

static_assert(std::numeric_limits<Real>::digits >= 2 * 24 + 2,
              "the oracle needs a long double in which rounding twice is harmless");

inline float f32(Real value) { return float(value); }

inline uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

/// The value of an IEEE format with so many exponent and mantissa bits.
inline Real decodeIeee(uint32_t word, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int exponent = word >> mantissaBits & ((1 << exponentBits) - 1);
  const int mantissa = word & ((1 << mantissaBits) - 1);
  const Real sign = word >> (exponentBits + mantissaBits) & 1 ? -1 : 1;
  if (exponent == 2 * bias + 1)
    return mantissa ? std::numeric_limits<Real>::quiet_NaN()
                    : sign * std::numeric_limits<Real>::infinity();
  if (exponent == 0)
    return sign * std::ldexp(Real(mantissa), 1 - bias - mantissaBits);
  return sign * std::ldexp(Real(mantissa + (1 << mantissaBits)), exponent - bias - mantissaBits);
}

/// Rounds a finite real to such a format, nearest even, overflow to infinity.
inline uint32_t encodeIeee(Real value, int exponentBits, int mantissaBits) {
  const int bias = (1 << (exponentBits - 1)) - 1;
  const uint32_t sign = std::signbit(value) ? 1u << (exponentBits + mantissaBits) : 0;
  const Real magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  const int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  const Real units = std::nearbyint(std::ldexp(magnitude, mantissaBits - exponent));
  // Units of a binade run from 2^M to 2^(M+1), the end being the next binade.
  const uint32_t word = uint32_t(exponent + bias - 1) * (1u << mantissaBits) + uint32_t(units);
  return sign | std::min(word, ((1u << exponentBits) - 1) << mantissaBits);
}

inline float widen(uint16_t word, Element element) {
  return element == Element::BF16 ? f32(decodeIeee(word, 8, 7)) : f32(decodeIeee(word, 5, 10));
}

// F1.
inline const Real levels[2][8] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, .5L, 1, 1.5L, 2, 3, 4, 6}};
inline Real greatest(Format format) { return levels[int(format)][7]; }
inline Real codeValue(Format format, uint8_t code) {
  const Real magnitude = levels[int(format)][code & 7];
  return code & 8 ? -magnitude : magnitude;
}

// F2.
inline Real decodeE4M3(uint8_t byte) {
  if (byte >= 0x7F)
    return std::numeric_limits<Real>::quiet_NaN();
  const int exponent = byte >> 3, mantissa = byte & 7;
  return exponent ? std::ldexp(Real(8 + mantissa), exponent - 10) : std::ldexp(Real(mantissa), -9);
}
inline Real decodeE8M0(uint8_t byte) {
  return byte == 0xFF ? std::numeric_limits<Real>::quiet_NaN() : std::ldexp(Real(1), byte - 127);
}

/// Nearest E4M3, ties to the even byte, saturating.
inline uint8_t encodeE4M3(Real value) {
  if (value >= 448)
    return 0x7E;
  uint8_t best = 0;
  for (int byte = 1; byte < 0x7F; ++byte) {
    const Real old = std::fabs(value - decodeE4M3(best));
    const Real now = std::fabs(value - decodeE4M3(uint8_t(byte)));
    if (now < old || (now == old && byte % 2 == 0))
      best = uint8_t(byte);
  }
  return best;
}

// Q7.
struct Words {
  uint32_t word[4];
};
inline Words philox(uint64_t counter, uint32_t stream, uint32_t step, uint64_t seed) {
  uint32_t c[4] = {uint32_t(counter), uint32_t(counter >> 32), stream, step};
  uint32_t k[2] = {uint32_t(seed), uint32_t(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    if (round) {
      k[0] += 0x9E3779B9u;
      k[1] += 0xBB67AE85u;
    }
    const uint64_t p0 = 0xD2511F53ull * c[0], p1 = 0xCD9E8D57ull * c[2];
    const uint32_t next[4] = {uint32_t(p1 >> 32) ^ c[1] ^ k[0], uint32_t(p1),
                              uint32_t(p0 >> 32) ^ c[3] ^ k[1], uint32_t(p0)};
    std::memcpy(c, next, sizeof(c));
  }
  return {{c[0], c[1], c[2], c[3]}};
}
/// The word of an element: bits lane * b and up of the 128-bit little number.
inline uint32_t word(const Draw &draw, uint64_t index) {
  // floor(index * b / 128) without the overflow.
  const uint64_t lanes = 128 / draw.bits;
  const Words words = philox(index / lanes, draw.stream, draw.step, draw.seed);
  uint32_t result = 0;
  for (unsigned bit = 0; bit < draw.bits; ++bit) {
    const unsigned position = unsigned(index % lanes) * draw.bits + bit;
    result |= (words.word[position / 32] >> position % 32 & 1) << bit;
  }
  return result;
}

// Q2.
inline std::vector<float> rotateRun(const std::vector<float> &run, const Rotation &rotation) {
  const unsigned n = rotation.size;
  std::vector<float> now(n), next(n);
  for (unsigned i = 0; i < n; ++i)
    now[i] = rotation.signs[i / 64] >> i % 64 & 1 ? -run[i] : run[i];
  for (unsigned stride = 1; stride < n; stride *= 2) {
    for (unsigned i = 0; i < n; ++i)
      next[i] =
          i & stride ? f32(Real(now[i - stride]) - now[i]) : f32(Real(now[i]) + now[i + stride]);
    now = next;
  }
  for (float &value : now)
    value = f32(Real(value) * f32(1 / std::sqrt(Real(n))));
  return now;
}

/// A row of K values, padded and rotated: Kp values.
inline std::vector<float> rotateRow(std::vector<float> row, const Scheme &scheme) {
  const unsigned n = scheme.rotation.size;
  if (n)
    while (row.size() % n)
      row.push_back(0);
  for (size_t begin = 0; n && begin < row.size(); begin += n) {
    const std::vector<float> run(row.begin() + begin, row.begin() + begin + n);
    const std::vector<float> rotated = rotateRun(run, scheme.rotation);
    std::copy(rotated.begin(), rotated.end(), row.begin() + begin);
  }
  while (row.size() % scheme.block)
    row.push_back(0);
  return row;
}

// Q6.
inline uint8_t encode(float x, float d, Format format, const Draw *draw, uint64_t index) {
  if (x == 0)
    return 0;
  const float e = f32(1 / Real(d));
  const float t = f32(std::fabs(Real(x)) * e);
  const Real *q = levels[int(format)];
  uint8_t m = 0;
  for (int i = 1; i < 8; ++i) {
    if (!draw) {
      const Real middle = (q[i - 1] + q[i]) / 2;
      m += t > middle || (t == middle && i % 2 == 0);
    } else {
      const Real u = std::ldexp(Real(word(*draw, index) | 1), -int(draw->bits));
      m += t >= q[i] - (q[i] - q[i - 1]) * u;
    }
  }
  return uint8_t(m | (x < 0 ? 8 : 0));
}

// Q8: one index per merged dimension, outermost first.
inline int64_t globalPosition(const Place *place, int dimension, int64_t local) {
  if (!place || place->of[dimension].empty())
    return local;
  const auto &at = place->at[dimension], &of = place->of[dimension], &part = place->part[dimension];
  std::vector<int64_t> index(of.size());
  for (size_t i = of.size(); i-- > 0; local /= part[i])
    index[i] = local % part[i] + at[i];
  int64_t global = 0;
  for (size_t i = 0; i < of.size(); ++i)
    global = global * of[i] + index[i];
  return global;
}
inline int64_t globalSize(const Place *place, int dimension, int64_t local) {
  if (!place || place->of[dimension].empty())
    return local;
  int64_t size = 1;
  for (int64_t part : place->of[dimension])
    size *= part;
  return size;
}

struct Result {
  std::vector<uint8_t> codes;
  /// As bit patterns: of f32 or bytes.
  std::vector<uint32_t> scales;
  float global = 0;
};

inline float tensorScale(float amaxTensor, Format format) {
  if (!(amaxTensor >= 0) || std::isinf(amaxTensor))
    return std::nanf("");
  return std::max(f32(amaxTensor / (greatest(format) * 448)), f32(std::ldexp(Real(1), -100)));
}

/// Quantizes f32 values of shape [G, R, K].
inline Result quantize(const std::vector<float> &x, ViewShape shape, const Scheme &scheme,
                       const Draw *draw = nullptr, const float *amaxOperand = nullptr,
                       const Place *place = nullptr) {
  const Real g = greatest(scheme.format);
  std::vector<std::vector<float>> rows;
  for (int64_t row = 0; row < shape.g * shape.r; ++row)
    rows.push_back(rotateRow(
        std::vector<float>(x.begin() + row * shape.k, x.begin() + (row + 1) * shape.k), scheme));
  int64_t padded = shape.k;
  if (scheme.rotation)
    padded = (padded + scheme.rotation.size - 1) / scheme.rotation.size * scheme.rotation.size;
  padded = (padded + scheme.block - 1) / scheme.block * scheme.block;

  // Blocks in the order of their scales, each with its members' rows.
  struct Block {
    int64_t g, firstRow, lastRow, k;
    float amax = 0;
    bool poisoned = false;
  };
  std::vector<Block> blocks;
  float amaxTensor = 0;
  for (int64_t gi = 0; gi < shape.g; ++gi)
    for (int64_t r = 0; r < shape.r; r += scheme.blockRows)
      for (int64_t k = 0; k < padded; k += scheme.block) {
        Block block{gi, r, std::min<int64_t>(shape.r, r + scheme.blockRows), k};
        for (int64_t row = r; row < block.lastRow; ++row)
          for (int64_t i = k; i < k + scheme.block; ++i) {
            const float value = rows[gi * shape.r + row][i];
            block.poisoned |= !std::isfinite(value);
            block.amax = std::max(block.amax, std::fabs(value));
          }
        if (!block.poisoned)
          amaxTensor = std::max(amaxTensor, block.amax);
        blocks.push_back(block);
      }

  Result result;
  result.codes.assign(shape.g * shape.r * padded, 0);
  const bool twoLevels = scheme.scale == ScaleKind::UE4M3;
  if (twoLevels)
    result.global = tensorScale(amaxOperand ? *amaxOperand : amaxTensor, scheme.format);
  const int64_t globalR = globalSize(place, 1, shape.r);
  int64_t globalPadded = globalSize(place, 2, shape.k);
  if (scheme.rotation)
    while (globalPadded % scheme.rotation.size)
      ++globalPadded;
  while (globalPadded % scheme.block)
    ++globalPadded;

  for (const Block &block : blocks) {
    const bool zero = Real(block.amax) < std::ldexp(Real(1), -120);
    float d = 0;
    if (block.poisoned || (twoLevels && std::isnan(result.global))) {
      result.scales.push_back(scheme.scale == ScaleKind::F32 ? 0x7FC00000u
                              : twoLevels                    ? 0x7Fu
                                                             : 0xFFu);
      continue;
    }
    if (zero) {
      result.scales.push_back(0);
      continue;
    }
    switch (scheme.scale) {
    case ScaleKind::F32:
      d = f32(block.amax / g);
      result.scales.push_back(bits(d));
      break;
    case ScaleKind::UE4M3: {
      const float ratio = f32(Real(f32(block.amax / g)) * f32(1 / Real(result.global)));
      const uint8_t byte = encodeE4M3(ratio);
      result.scales.push_back(byte);
      if (byte == 0)
        continue;
      d = f32(decodeE4M3(byte) * result.global);
      break;
    }
    case ScaleKind::UE8M0: {
      int byte = 0;
      if (scheme.rule == ScaleRule::Ceil) {
        while (byte < 254 && decodeE8M0(uint8_t(byte)) * g < block.amax)
          ++byte;
      } else {
        int log = -149;
        while (std::ldexp(Real(1), log + 1) <= block.amax)
          ++log;
        byte = std::min(std::max(log - 2 + 127, 0), 254);
      }
      result.scales.push_back(uint32_t(byte));
      d = f32(decodeE8M0(uint8_t(byte)));
      break;
    }
    }
    for (int64_t row = block.firstRow; row < block.lastRow; ++row)
      for (int64_t k = block.k; k < block.k + scheme.block; ++k) {
        // Padding that follows the last position is counted on from the start
        // of its run, which is aligned in both views.
        const int64_t length = std::max(scheme.block, scheme.rotation.size);
        const int64_t globalK = globalPosition(place, 2, k / length * length) + k % length;
        const uint64_t index = (uint64_t(globalPosition(place, 0, block.g)) * globalR +
                                globalPosition(place, 1, row)) *
                                   globalPadded +
                               globalK;
        result.codes[(block.g * shape.r + row) * padded + k] =
            encode(rows[block.g * shape.r + row][k], d, scheme.format, draw, index);
      }
  }
  return result;
}

/// The real value of a stored scale, S included.
inline Real scaleValue(const Quantized &q, const Scheme &scheme, int64_t index) {
  switch (scheme.scale) {
  case ScaleKind::F32:
    return q.scalesF32[index];
  case ScaleKind::UE4M3:
    return decodeE4M3(q.scaleBytes[index]) * Real(q.global);
  case ScaleKind::UE8M0:
    return decodeE8M0(q.scaleBytes[index]);
  }
  return 0;
}

/// Bit for bit, naming the first difference only.
inline ::testing::AssertionResult same(const Quantized &library, const Result &expected,
                                       const Scheme &scheme) {
  if (library.codes.size() != expected.codes.size())
    return ::testing::AssertionFailure()
           << library.codes.size() << " codes, expected " << expected.codes.size();
  const bool isF32 = scheme.scale == ScaleKind::F32;
  const size_t scales = isF32 ? library.scalesF32.size() : library.scaleBytes.size();
  if (scales != expected.scales.size())
    return ::testing::AssertionFailure()
           << scales << " scales, expected " << expected.scales.size();
  if (bits(library.global) != bits(expected.global))
    return ::testing::AssertionFailure()
           << "S is " << library.global << ", expected " << expected.global;
  for (size_t i = 0; i < scales; ++i) {
    const uint32_t found = isF32 ? bits(library.scalesF32[i]) : library.scaleBytes[i];
    if (found != expected.scales[i])
      return ::testing::AssertionFailure()
             << "scale " << i << " is " << std::hex << found << ", expected " << expected.scales[i];
  }
  for (size_t i = 0; i < library.codes.size(); ++i)
    if (library.codes[i] != expected.codes[i])
      return ::testing::AssertionFailure() << "code " << i << " is " << int(library.codes[i])
                                           << ", expected " << int(expected.codes[i]);
  return ::testing::AssertionSuccess();
}

/// SplitMix64: data for tests, unrelated to Philox.
class Noise {
public:
  explicit Noise(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
  }
  double uniform() { return (double(next() >> 11) + 0.5) * 0x1p-53; }
  float gauss() {
    return float(std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()));
  }
  std::vector<float> gauss(int64_t count) {
    std::vector<float> result(count);
    for (float &value : result)
      value = gauss();
    return result;
  }

private:
  uint64_t state;
};

/// Every legal combination of format, block, scale, rule and rotation.
inline std::vector<Scheme> allSchemes() {
  std::vector<Scheme> schemes;
  for (Format format : {Format::E1M2, Format::E2M1})
    for (unsigned block : {16u, 32u})
      for (ScaleKind kind : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0})
        for (ScaleRule rule : {ScaleRule::Ceil, ScaleRule::OcpFloor})
          for (unsigned n : {0u, 16u, 32u, 64u, 128u})
            for (unsigned rows : {1u, block}) {
              Scheme scheme;
              scheme.format = format;
              scheme.block = block;
              scheme.blockRows = rows;
              scheme.scale = kind;
              scheme.rule = rule;
              scheme.rotation = presetRotation(n);
              if (!n)
                scheme.rotation = {};
              const bool flat = rows == 1 || !n;
              const bool floor =
                  rule == ScaleRule::Ceil || (kind == ScaleKind::UE8M0 && format == Format::E2M1);
              if (flat && floor)
                schemes.push_back(scheme);
            }
  return schemes;
}

inline std::string describe(const Scheme &s) {
  return std::string(name(s.format)) + " " + std::to_string(s.blockRows) + "x" +
         std::to_string(s.block) + " " + name(s.scale) + " " + name(s.rule) +
         " n=" + std::to_string(s.rotation.size);
}

} // namespace oracle

#endif // UFP4_UNITTESTS_NUMERICS_ORACLE_H
