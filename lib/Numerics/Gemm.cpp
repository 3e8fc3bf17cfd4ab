//===- Gemm.cpp - The exact product and what may differ from it -----------===//

#include "ufp4/Numerics/Gemm.h"
#include "ufp4/Numerics/FloatEnvironment.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ufp4::numerics {

namespace {

/// An unevaluated sum of two doubles, about 106 significant bits.
struct DoubleDouble {
  double high = 0, low = 0;

  /// Knuth's exact sum.
  void add(double x) {
    const double sum = high + x;
    const double part = sum - high;
    low += (high - (sum - part)) + (x - part);
    high = sum;
  }
  /// The exact product of two doubles.
  void addProduct(double x, double y) {
    const double product = x * y;
    add(product);
    low += std::fma(x, y, -product);
  }
  DoubleDouble times(double x) const {
    const double product = high * x;
    return {product, std::fma(high, x, -product) + low * x};
  }
  double value() const { return high + low; }
};

/// An operand decoded for the inner loops: doubled integer values and one scale
/// for each block of each row, S left out.
struct Decoded {
  std::vector<int16_t> values;
  std::vector<double> scales;
  double global = 1;
  /// The greatest |value|, S included; NaNs are passed over.
  double greatest = 0;

  explicit Decoded(const QuantizedView &view) {
    const Scheme &scheme = view.scheme;
    const ViewShape shape = view.shape;
    const int64_t padded = paddedK(scheme, shape.k);
    const int64_t blocks = padded / scheme.block;
    const int64_t rowsOfScales = scaleRows(scheme, shape.r);
    if (scheme.scale == ScaleKind::UE4M3)
      global = view.global;
    values.resize(codeCount(scheme, shape));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = int16_t(2 * decodeCode(scheme.format, view.codes[i]));
    scales.reserve(shape.g * shape.r * blocks);
    for (int64_t g = 0; g < shape.g; ++g)
      for (int64_t r = 0; r < shape.r; ++r)
        for (int64_t b = 0; b < blocks; ++b) {
          const int64_t index = (g * rowsOfScales + r / scheme.blockRows) * blocks + b;
          const double scale = decode(view, index);
          const int16_t *block = values.data() + scales.size() * int64_t(scheme.block);
          int greatestCode = 0;
          for (unsigned i = 0; i < scheme.block; ++i)
            greatestCode = std::max(greatestCode, std::abs(int(block[i])));
          greatest = std::max(greatest, 0.5 * greatestCode * std::abs(scale * global));
          scales.push_back(scale);
        }
  }

  static double decode(const QuantizedView &view, int64_t index) {
    switch (view.scheme.scale) {
    case ScaleKind::F32:
      return static_cast<const float *>(view.scales)[index];
    case ScaleKind::UE4M3:
      return decodeUE4M3(static_cast<const uint8_t *>(view.scales)[index]);
    case ScaleKind::UE8M0:
      return decodeUE8M0(static_cast<const uint8_t *>(view.scales)[index]);
    }
    return 0;
  }
};

UFP4_NOINLINE void multiply(const QuantizedView &aView, const QuantizedView &bView, const float *c0,
                            GemmBound *out) {
  const Decoded a(aView), b(bView);
  const unsigned block = aView.scheme.block;
  const int64_t blocks = paddedK(aView.scheme, aView.shape.k) / block;
  // Both operands' values are doubled; the global scales' product is exact.
  const double common = 0.25 * (a.global * b.global);
  const bool valuesInRange = a.greatest < 0x1p127 && b.greatest < 0x1p127;
  for (int64_t g = 0; g < aView.shape.g; ++g)
    for (int64_t m = 0; m < aView.shape.r; ++m)
      for (int64_t n = 0; n < bView.shape.r; ++n) {
        const int64_t aRow = (g * aView.shape.r + m) * blocks;
        const int64_t bRow = (g * bView.shape.r + n) * blocks;
        DoubleDouble sum;
        double magnitude = 0;
        double least = INFINITY, greatest = 0;
        for (int64_t i = 0; i < blocks; ++i) {
          const int16_t *x = a.values.data() + (aRow + i) * block;
          const int16_t *y = b.values.data() + (bRow + i) * block;
          int32_t dot = 0, absolute = 0;
          for (unsigned j = 0; j < block; ++j) {
            const int32_t product = int32_t(x[j]) * y[j];
            dot += product;
            absolute += std::abs(product);
          }
          const double scale = a.scales[aRow + i] * b.scales[bRow + i];
          sum.addProduct(dot, scale);
          magnitude += absolute * std::abs(scale);
          const double size = std::abs(scale * a.global * b.global);
          greatest = std::max(greatest, size);
          least = size == 0 ? least : std::min(least, size);
        }
        sum = sum.times(common);
        magnitude *= std::abs(common);
        if (c0) {
          sum.add(*c0);
          magnitude += std::abs(double(*c0++));
        }
        out->exact = sum.value();
        out->magnitude = magnitude;
        out->k = aView.shape.k;
        out->inRange =
            valuesInRange && magnitude < 0x1p127 && least >= 0x1p-126 && greatest <= 0x1p120;
        ++out;
      }
}

/// Half a unit in the last place of `stored` in a format with that many bits of
/// mantissa and that least normal exponent.
double halfUnit(double stored, int mantissa, int leastExponent) {
  int exponent = leastExponent;
  if (stored != 0)
    exponent = std::max(std::ilogb(stored), leastExponent);
  return std::ldexp(0.5, exponent - mantissa);
}

double findTolerance(const GemmBound &bound, double stored, Element result) {
  const double sum = double(bound.k + 16) * 0x1p-24 * bound.magnitude + 0x1p-126;
  switch (result) {
  case Element::F32:
    return sum;
  case Element::BF16:
    return sum + halfUnit(stored, 7, -126);
  case Element::F16:
    return sum + halfUnit(stored, 10, -14);
  }
  return sum;
}

bool conforms(const GemmBound &bound, double stored, Element result) {
  if (std::isnan(bound.exact))
    return std::isnan(stored);
  if (result == Element::F16 && std::isinf(stored)) {
    // What f32 holds may be too great for f16: then an infinity is the rounding.
    const double slack = findTolerance(bound, 0, Element::F32);
    return std::copysign(1.0, stored) * bound.exact + slack >= 65520;
  }
  return std::isfinite(stored) &&
         std::abs(stored - bound.exact) <= findTolerance(bound, stored, result);
}

UFP4_NOINLINE void storeTolerance(const GemmBound &bound, const double *stored, Element result,
                                  double *tolerance) {
  *tolerance = findTolerance(bound, *stored, result);
}

UFP4_NOINLINE void storeVerdict(const GemmBound &bound, const float *stored, Element result,
                                Conformance *verdict) {
  if (!bound.inRange && !std::isnan(bound.exact))
    *verdict = Conformance::OutOfRange;
  else
    *verdict = conforms(bound, *stored, result) ? Conformance::Conforms : Conformance::Violates;
}

} // namespace

std::optional<std::string> verifyOperands(const Scheme &a, ViewShape aShape, const Scheme &b,
                                          ViewShape bShape) {
  const auto differ = [](const char *what, const std::string &lhs, const std::string &rhs) {
    return std::string("the operands' ") + what + " differ, " + lhs + " and " + rhs +
           ", expected the same";
  };
  const auto differInSize = [&](const char *what, int64_t lhs, int64_t rhs) {
    return differ(what, std::to_string(lhs), std::to_string(rhs));
  };
  if (a.format != b.format)
    return differ("formats", name(a.format), name(b.format));
  if (a.scale != b.scale)
    return differ("scale kinds", name(a.scale), name(b.scale));
  if (a.block != b.block)
    return differInSize("block sizes along K", a.block, b.block);
  if (a.rotation.size != b.rotation.size)
    return differInSize("rotation sizes", a.rotation.size, b.rotation.size);
  if (a.rotation != b.rotation)
    return "the operands' sign masks differ, expected the same";
  if (aShape.k != bShape.k)
    return differInSize("contracted sizes", aShape.k, bShape.k);
  if (aShape.g != bShape.g)
    return differInSize("batch sizes", aShape.g, bShape.g);
  return std::nullopt;
}

void gemmExact(const QuantizedView &a, const QuantizedView &b, const float *c0, GemmBound *out) {
  FloatEnvironment environment;
  multiply(a, b, c0, out);
}

double GemmBound::tolerance(double stored, Element result) const {
  FloatEnvironment environment;
  double value;
  storeTolerance(*this, &stored, result, &value);
  return value;
}

Conformance checkBound(const GemmBound &bound, float stored, Element result) {
  Conformance verdict;
  checkBounds(&bound, &stored, 1, result, &verdict);
  return verdict;
}

void checkBounds(const GemmBound *bounds, const float *stored, int64_t count, Element result,
                 Conformance *verdicts) {
  FloatEnvironment environment;
  for (int64_t i = 0; i < count; ++i)
    storeVerdict(bounds[i], stored + i, result, verdicts + i);
}

} // namespace ufp4::numerics
