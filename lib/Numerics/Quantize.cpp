//===- Quantize.cpp - Block quantization ----------------------------------===//

#include "ufp4/Numerics/Quantize.h"
#include "PlaceMap.h"
#include "ufp4/Numerics/FloatEnvironment.h"

#include <algorithm>
#include <cassert>

namespace ufp4::numerics {

namespace {

/// Positions along K that are worked on together: a multiple of every run, and
/// 32 rows of it fit the first-level cache.
constexpr int64_t chunk = 256;
constexpr int64_t maxRows = 32;

/// Inner loops run over this many elements, a divisor of both block sizes, so
/// that compilers see a constant trip count.
constexpr int64_t lanes = 16;

constexpr uint32_t magnitudeMask = 0x7FFFFFFF;
constexpr uint32_t infinityBits = 0x7F800000;
/// 2^-120: a block below it is a zero block (Q4).
constexpr uint32_t leastMaximumBits = (127 - 120) << 23;

/// Rows that share scales, times a chunk of K: x' and the blocks' maxima.
struct Tile {
  int64_t g, row, rows, k, count;
  float values[maxRows * chunk];
  /// As bit patterns, which order magnitudes with infinities and NaNs on top.
  uint32_t maxima[chunk / lanes];
};

void findMaxima(Tile &tile, unsigned block) {
  std::fill_n(tile.maxima, tile.count / block, 0u);
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t k = 0; k < tile.count; k += lanes) {
      const float *x = tile.values + row * chunk + k;
      uint32_t maximum = 0;
      for (int64_t i = 0; i < lanes; ++i)
        maximum = std::max(maximum, bitsOf(x[i]) & magnitudeMask);
      tile.maxima[k / block] = std::max(tile.maxima[k / block], maximum);
    }
}

/// Q1 to Q4: calls `visit` on every tile of the view, in row-major order.
template <typename Visit>
void visitTiles(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                Visit visit) {
  const int64_t padded = paddedK(scheme, shape.k);
  Tile tile;
  for (tile.g = 0; tile.g < shape.g; ++tile.g)
    for (tile.row = 0; tile.row < shape.r; tile.row += scheme.blockRows) {
      tile.rows = std::min<int64_t>(scheme.blockRows, shape.r - tile.row);
      for (tile.k = 0; tile.k < padded; tile.k += chunk) {
        tile.count = std::min(chunk, padded - tile.k);
        const int64_t given = std::clamp<int64_t>(shape.k - tile.k, 0, tile.count);
        for (int64_t i = 0; i < tile.rows; ++i) {
          float *values = tile.values + i * chunk;
          const int64_t row = tile.g * shape.r + tile.row + i;
          detail::widen(x, element, row * shape.k + tile.k, given, tile.count, values);
          // Past the rotation's own padding this rotates zeros into zeros.
          detail::rotate(values, tile.count, scheme.rotation);
        }
        findMaxima(tile, scheme.block);
        visit(tile);
      }
    }
}

/// amax_tensor (Q5).
UFP4_NOINLINE void findAmax(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                            float *result) {
  uint32_t maximum = 0;
  visitTiles(x, element, shape, scheme, [&](const Tile &tile) {
    for (int64_t b = 0; b < tile.count / scheme.block; ++b)
      if (tile.maxima[b] < infinityBits)
        maximum = std::max(maximum, tile.maxima[b]);
  });
  *result = floatOf(maximum);
}

/// S (Q5).
UFP4_NOINLINE void findGlobalScale(const float *amaxTensor, Format format, float *result) {
  // Also false for a NaN.
  const bool legal = *amaxTensor >= 0 && bitsOf(*amaxTensor) != infinityBits;
  const float scale = *amaxTensor / (gMax(format) * maxE4M3);
  *result = legal ? std::max(scale, 0x1p-100f) : floatOf(canonicalNaN);
}

/// What encoding a block needs of its scale: e of Q6, and a mask that blanks
/// the codes of zero and poisoned blocks.
struct Factor {
  float reciprocal;
  uint32_t mask;
};
constexpr Factor blank{0, 0};

/// Q4 and Q5 for one block: stores its scale.
struct ScaleChooser {
  const Scheme &scheme;
  float global;
  float inverseGlobal;
  void *scales;

  ScaleChooser(const Scheme &scheme, float global, void *scales)
      : scheme(scheme), global(global), inverseGlobal(1.0f / global), scales(scales) {}

  Factor operator()(uint32_t maximum, int64_t index) const {
    auto *bytes = static_cast<uint8_t *>(scales);
    const bool poisoned = maximum >= infinityBits;
    const bool zero = maximum < leastMaximumBits;
    const float amax = floatOf(maximum);
    switch (scheme.scale) {
    case ScaleKind::F32: {
      float &stored = static_cast<float *>(scales)[index];
      if (poisoned || zero) {
        stored = poisoned ? floatOf(canonicalNaN) : 0.0f;
        return blank;
      }
      stored = amax / gMax(scheme.format);
      return {1.0f / stored, ~0u};
    }
    case ScaleKind::UE4M3: {
      if (poisoned || global != global) {
        bytes[index] = nanUE4M3;
        return blank;
      }
      const float ratio = amax / gMax(scheme.format) * inverseGlobal;
      bytes[index] = zero ? 0 : encodeUE4M3(ratio);
      if (!bytes[index])
        return blank;
      return {1.0f / (decodeUE4M3(bytes[index]) * global), ~0u};
    }
    case ScaleKind::UE8M0:
      if (poisoned || zero) {
        bytes[index] = poisoned ? nanUE8M0 : 0;
        return blank;
      }
      bytes[index] = encodeUE8M0(amax, scheme.format, scheme.rule);
      return {1.0f / decodeUE8M0(bytes[index]), ~0u};
    }
    return blank;
  }
};

/// Q6, nearest: the number of levels that t passes. Branch-free.
template <Format F> uint32_t nearest(float t) {
  if constexpr (F == Format::E1M2) {
    // At 2^23 an f32's last place is 1, so adding rounds to an integer, ties to
    // even, and leaves it in the low bits.
    const float limited = t < 7.0f ? t : 7.0f;
    return bitsOf(limited + 0x1p23f) & 7;
  }
  return (t > 0.25f) + (t >= 0.75f) + (t > 1.25f) + (t >= 1.75f) + (t > 2.5f) + (t >= 3.5f) +
         (t > 5.0f);
}

/// Q6, stochastic. All sums with u are exact.
template <Format F> uint32_t stochastic(float t, float u) {
  if constexpr (F == Format::E1M2) {
    const float limited = t < 7.0f ? t : 7.0f;
    const int32_t floor = int32_t(limited);
    return uint32_t(floor + (limited - float(floor) >= 1.0f - u));
  }
  const float half = 0.5f * u;
  return (t >= 0.5f - half) + (t >= 1.0f - half) + (t >= 1.5f - half) + (t >= 2.0f - half) +
         (t >= 3.0f - u) + (t >= 4.0f - u) + (t >= 6.0f - 2.0f * u);
}

/// Q6 for one row of a tile. `round(t, k)` gives the magnitude's code.
template <typename Round>
void encodeRow(const float *x, int64_t count, unsigned block, const Factor *factors, uint8_t *codes,
               Round round) {
  for (int64_t k = 0; k < count; k += lanes) {
    const Factor factor = factors[k / block];
    for (int64_t i = k; i < k + lanes; ++i) {
      const uint32_t bits = bitsOf(x[i]);
      const float t = floatOf(bits & magnitudeMask) * factor.reciprocal;
      const uint32_t sign = bits > 0x80000000u ? signBit : 0;
      codes[i] = uint8_t((round(t, i) | sign) & factor.mask);
    }
  }
}

/// Q7 and Q8: the random words of one row of a tile.
class WordSource {
public:
  WordSource(const Draw *draw, ViewShape shape, const Scheme &scheme, const Place *place)
      : draw(draw), run(runLength(scheme)), g(place, 0, shape.g), r(place, 1, shape.r),
        k(place, 2, shape.k), globalPadded(paddedK(scheme, k.size())) {}

  /// u of Q6 is the word times this.
  float unit() const { return draw->bits == 16 ? 0x1p-16f : 0x1p-8f; }

  /// Words of `count` positions from `k0` in a local row, made odd (Q6).
  void fill(int64_t gLocal, int64_t rLocal, int64_t k0, int64_t count, uint16_t *words) const {
    const uint64_t row = (uint64_t(g(gLocal)) * r.size() + r(rLocal)) * globalPadded;
    const unsigned perGroup = 128 / draw->bits;
    uint64_t counters[detail::maxPhiloxGroups];
    unsigned groups = 0;
    // Within a run, global positions follow one another (Q8), and both its
    // ends are multiples of a group.
    for (int64_t start = k0; start < k0 + count; start += run) {
      const uint64_t first = (row + k(start)) / perGroup;
      for (int64_t i = 0; i < run / perGroup; ++i)
        counters[groups++] = first + i;
    }
    detail::randomWords(draw->seed, draw->stream, draw->step, draw->bits, counters, groups, words);
    for (int64_t i = 0; i < count; ++i)
      words[i] |= 1;
  }

private:
  const Draw *draw;
  int64_t run;
  detail::PlaceMap g, r, k;
  int64_t globalPadded;
};

template <Format F>
void quantizeAs(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                const Draw *draw, float global, const Place *place, uint8_t *codes, void *scales) {
  const ScaleChooser chooseScale(scheme, global, scales);
  const WordSource source(draw, shape, scheme, place);
  const int64_t padded = paddedK(scheme, shape.k);
  const int64_t rowsOfScales = scaleRows(scheme, shape.r);
  visitTiles(x, element, shape, scheme, [&](const Tile &tile) {
    Factor factors[chunk / lanes];
    const int64_t scaleIndex =
        ((tile.g * rowsOfScales + tile.row / scheme.blockRows) * padded + tile.k) / scheme.block;
    for (int64_t b = 0; b < tile.count / scheme.block; ++b)
      factors[b] = chooseScale(tile.maxima[b], scaleIndex + b);
    for (int64_t i = 0; i < tile.rows; ++i) {
      const float *values = tile.values + i * chunk;
      uint8_t *out = codes + (tile.g * shape.r + tile.row + i) * padded + tile.k;
      if (!draw) {
        encodeRow(values, tile.count, scheme.block, factors, out,
                  [](float t, int64_t) { return nearest<F>(t); });
        continue;
      }
      uint16_t words[chunk];
      source.fill(tile.g, tile.row + i, tile.k, tile.count, words);
      const float unit = source.unit();
      encodeRow(values, tile.count, scheme.block, factors, out, [&words, unit](float t, int64_t k) {
        return stochastic<F>(t, float(words[k]) * unit);
      });
    }
  });
}

UFP4_NOINLINE void quantizeGuarded(const void *x, Element element, ViewShape shape,
                                   const Scheme &scheme, const Draw *draw, const float *amaxTensor,
                                   const Place *place, uint8_t *codes, void *scales,
                                   float *global) {
  *global = 0;
  if (scheme.scale == ScaleKind::UE4M3) {
    float found = 0;
    if (!amaxTensor) {
      findAmax(x, element, shape, scheme, &found);
      amaxTensor = &found;
    }
    findGlobalScale(amaxTensor, scheme.format, global);
  }
  if (scheme.format == Format::E1M2)
    quantizeAs<Format::E1M2>(x, element, shape, scheme, draw, *global, place, codes, scales);
  else
    quantizeAs<Format::E2M1>(x, element, shape, scheme, draw, *global, place, codes, scales);
}

} // namespace

std::optional<std::string> verifyDraw(const Draw &draw, const Scheme &scheme) {
  if (draw.bits != 16 && draw.bits != 8)
    return "stochastic rounding draws " + std::to_string(draw.bits) + " bits, expected 16 or 8";
  if (scheme.blockRows != 1)
    return "2-D blocks are combined with stochastic rounding, expected nearest";
  return std::nullopt;
}

void quantizeInto(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                  const Draw *draw, const float *amaxTensor, const Place *place, uint8_t *codes,
                  void *scales, float *global) {
  assert(!verifyScheme(scheme) && "illegal scheme");
  assert((!draw || !verifyDraw(*draw, scheme)) && "illegal draw");
  assert((!place || !verifyPlace(*place, shape, scheme, amaxTensor)) && "illegal place");
  FloatEnvironment environment;
  float unused;
  quantizeGuarded(x, element, shape, scheme, draw, amaxTensor, place, codes, scales,
                  global ? global : &unused);
}

Quantized quantize(const void *x, Element element, ViewShape shape, const Scheme &scheme,
                   const Draw *draw, const float *amaxTensor, const Place *place) {
  Quantized result;
  const bool isF32 = scheme.scale == ScaleKind::F32;
  const int64_t count = scaleCount(scheme, shape);
  result.codes.resize(codeCount(scheme, shape));
  if (isF32)
    result.scalesF32.resize(count);
  else
    result.scaleBytes.resize(count);
  quantizeInto(x, element, shape, scheme, draw, amaxTensor, place, result.codes.data(),
               isF32 ? static_cast<void *>(result.scalesF32.data()) : result.scaleBytes.data(),
               &result.global);
  return result;
}

float amax(const void *x, Element element, ViewShape shape, const Scheme &scheme) {
  assert(!verifyScheme(scheme) && "illegal scheme");
  FloatEnvironment environment;
  float result;
  findAmax(x, element, shape, scheme, &result);
  return result;
}

float globalScale(float amaxTensor, Format format) {
  FloatEnvironment environment;
  float result;
  findGlobalScale(&amaxTensor, format, &result);
  return result;
}

} // namespace ufp4::numerics
