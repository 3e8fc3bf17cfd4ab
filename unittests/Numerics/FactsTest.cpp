//===- FactsTest.cpp - What a reader will ask -----------------------------===//
//
// docs/spec.md, "Facts": measured, not derived. A rule that changed would move
// them.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"

using namespace oracle;

namespace {

struct Row {
  Format format;
  ScaleKind scale;
  double alpha, digit, sqnr;
};

} // namespace

// Breaks if a grid, a scale rule or a tie moves: shrinkage and noise on Gaussian
// data to the digits of the table, which 252 million draws settled.
TEST(Facts, GaussianShrinkageAndNoise) {
  const int64_t rows = 4096, k = 1024;
  const int parts = 4;
  const ViewShape shape{1, rows, k};
  std::vector<float> values(rows * k);
  const Row table[] = {
      {Format::E1M2, ScaleKind::F32, 1.0006, 1e-4, 21.4},
      {Format::E1M2, ScaleKind::UE4M3, 1.0002, 1e-4, 21.3},
      {Format::E1M2, ScaleKind::UE8M0, 1.0010, 1e-4, 16.8},
      {Format::E2M1, ScaleKind::F32, 0.9959, 1e-4, 20.5},
      {Format::E2M1, ScaleKind::UE4M3, 0.9955, 1e-4, 20.4},
      {Format::E2M1, ScaleKind::UE8M0, 0.990, 1e-3, 18.8},
  };
  double signal = 0, product[6] = {}, noise[6] = {};
  for (int part = 0; part < parts; ++part) {
    const std::vector<float> x = Noise(1000 + part).gauss(rows * k);
    for (float value : x)
      signal += double(value) * value;
    for (int i = 0; i < 6; ++i) {
      Scheme scheme;
      scheme.format = table[i].format;
      scheme.scale = table[i].scale;
      scheme.block = scheme.scale == ScaleKind::UE8M0 ? 32 : 16;
      const Quantized q = quantize(x.data(), Element::F32, shape, scheme);
      dequantizeInto(q.codes.data(), q.scales(), q.global, shape, scheme, Element::F32,
                     values.data());
      for (size_t j = 0; j < x.size(); ++j) {
        const double error = double(x[j]) - values[j];
        product[i] += double(x[j]) * values[j];
        noise[i] += error * error;
      }
    }
  }
  for (int i = 0; i < 6; ++i) {
    SCOPED_TRACE(std::string(name(table[i].format)) + " " + name(table[i].scale));
    // Half a digit, and as much again for a sample of 17 million.
    EXPECT_NEAR(product[i] / signal, table[i].alpha, table[i].digit);
    EXPECT_NEAR(10 * std::log10(signal / noise[i]), table[i].sqnr, 0.05);
  }
}

/// Share of scales and of codes, -0 aside, that quantizing once more changes.
static std::pair<double, double> changedByRequantizing(const std::vector<float> &x,
                                                       const Scheme &scheme) {
  const ViewShape shape{1, int64_t(x.size()) / 256, 256};
  const Quantized first = quantize(x.data(), Element::F32, shape, scheme);
  std::vector<float> values(x.size());
  dequantizeInto(first.codes.data(), first.scales(), first.global, shape, scheme, Element::F32,
                 values.data());
  const Quantized again = quantize(values.data(), Element::F32, shape, scheme);
  double scales = 0, codes = 0;
  for (int64_t i = 0; i < scaleCount(scheme, shape); ++i)
    scales += scaleValue(first, scheme, i) != scaleValue(again, scheme, i);
  for (size_t i = 0; i < first.codes.size(); ++i)
    codes += again.codes[i] != (first.codes[i] == 8 ? 0 : first.codes[i]);
  return {scales / double(scaleCount(scheme, shape)), codes / double(first.codes.size())};
}

// Breaks if requantizing f32-scaled e1m2 changes a code other than -0, or if it
// stops changing ue4m3's scales (some two in a hundred where blocks differ much
// in size, so that some scales are subnormal) and e2m1's under ue8m0.
TEST(Facts, Requantizing) {
  Noise noise(51);
  const std::vector<float> plain = noise.gauss(1 << 20);
  std::vector<float> wide = plain;
  for (size_t block = 0; block < wide.size(); block += 16) {
    const float size = std::exp(2 * noise.gauss());
    for (size_t i = block; i < block + 16; ++i)
      wide[i] *= size;
  }
  Scheme scheme;
  EXPECT_EQ(changedByRequantizing(plain, scheme).second, 0);
  EXPECT_EQ(changedByRequantizing(wide, scheme).second, 0);
  scheme.scale = ScaleKind::UE4M3;
  EXPECT_EQ(changedByRequantizing(plain, scheme).first, 0);
  EXPECT_NEAR(changedByRequantizing(wide, scheme).first, 0.02, 0.01);
  scheme.scale = ScaleKind::UE8M0;
  scheme.format = Format::E2M1;
  EXPECT_GT(changedByRequantizing(plain, scheme).second, 0);
}

// Breaks if the bias of nearest rounding is not (2 q_i - q_(i-1) - q_(i+1)) / 4
// for flat data: -0.125 at 2 and -0.25 at 4 of e2m1, none on the uniform grid.
TEST(Facts, ShrinkageBiasOfABin) {
  for (Format format : {Format::E1M2, Format::E2M1}) {
    Scheme scheme;
    scheme.format = format;
    const int64_t count = 1 << 16;
    double bias[8] = {};
    int64_t members[8] = {};
    std::vector<float> x(count);
    for (int64_t i = 0; i < count; ++i)
      x[i] = i % 16 ? gMax(format) * (float(i) + 0.5f) / float(count) : gMax(format);
    const Quantized q = quantize(x.data(), Element::F32, {1, 1, count}, scheme);
    for (int64_t i = 0; i < count; ++i)
      if (i % 16) {
        bias[q.codes[i]] += double(decodeCode(format, q.codes[i])) - x[i];
        ++members[q.codes[i]];
      }
    for (int i = 1; i < 7; ++i) {
      const Real *levels = oracle::levels[int(format)];
      EXPECT_NEAR(bias[i] / members[i], double(2 * levels[i] - levels[i - 1] - levels[i + 1]) / 4,
                  2e-3)
          << name(format) << " " << i;
    }
  }
}
