//===- GemmTest.cpp - The exact product and its bound ---------------------===//

#include "Oracle.h"

using namespace oracle;

static QuantizedView view(const Quantized &q, ViewShape shape, const Scheme &scheme) {
  return {q.codes.data(), q.scales(), q.global, shape, scheme};
}

static Real valueAt(const Quantized &q, ViewShape shape, const Scheme &scheme, int64_t g, int64_t r,
                    int64_t k) {
  const int64_t kp = paddedK(scheme, shape.k);
  const int64_t index =
      ((g * scaleRows(scheme, shape.r) + r / scheme.blockRows) * kp + k) / scheme.block;
  return codeValue(scheme.format, q.codes[(g * shape.r + r) * kp + k]) *
         scaleValue(q, scheme, index);
}

// Breaks if an index, a scale or S is misplaced in the sum over the padded K,
// for any scheme; and if a plain f32 accumulation does not meet the bound.
TEST(G1, SumOverDequantizedValues) {
  for (const Scheme &scheme : allSchemes()) {
    const ViewShape aShape{2, 5, 150}, bShape{2, 18, 150};
    const std::vector<float> x = Noise(30).gauss(2 * 5 * 150), y = Noise(31).gauss(2 * 18 * 150),
                             c0 = Noise(32).gauss(2 * 5 * 18);
    Scheme flat = scheme;
    flat.blockRows = 1;
    const Quantized a = quantize(x.data(), Element::F32, aShape, flat);
    const Quantized b = quantize(y.data(), Element::F32, bShape, scheme);
    ASSERT_EQ(verifyOperands(flat, aShape, scheme, bShape), std::nullopt);
    std::vector<GemmBound> out(2 * 5 * 18);
    gemmExact(view(a, aShape, flat), view(b, bShape, scheme), c0.data(), out.data());
    const GemmBound *bound = out.data();
    for (int64_t g = 0; g < 2; ++g)
      for (int64_t m = 0; m < 5; ++m)
        for (int64_t n = 0; n < 18; ++n, ++bound) {
          Real sum = c0[bound - out.data()], magnitude = std::fabs(sum);
          float plain = c0[bound - out.data()];
          for (int64_t k = 0; k < paddedK(scheme, 150); ++k) {
            const Real p = valueAt(a, aShape, flat, g, m, k);
            const Real q = valueAt(b, bShape, scheme, g, n, k);
            sum += p * q;
            magnitude += std::fabs(p * q);
            plain += f32(p) * f32(q);
          }
          ASSERT_NEAR(bound->exact, double(sum), 1e-15 * double(magnitude)) << describe(scheme);
          ASSERT_NEAR(bound->magnitude, double(magnitude), 1e-13 * double(magnitude));
          ASSERT_TRUE(bound->inRange);
          ASSERT_EQ(bound->k, 150);
          ASSERT_EQ(checkBound(*bound, plain, Element::F32), Conformance::Conforms);
          ASSERT_EQ(checkBound(*bound, bf16ToF32(f32ToBF16(plain)), Element::BF16),
                    Conformance::Conforms);
        }
  }
}

// Breaks if cancellation across blocks of very different scales loses bits, or
// the product of two f32 scales and a block's sum does: against 128-bit integers.
TEST(G1, ExactUnderCancellation) {
  Noise noise(33);
  Scheme scheme;
  scheme.format = Format::E2M1;
  const ViewShape shape{1, 8, 64 * 16};
  const auto randomOperand = [&](std::vector<int64_t> &scales) {
    Quantized q;
    for (int64_t i = 0; i < codeCount(scheme, shape); ++i)
      q.codes.push_back(noise.next() & 15);
    for (int64_t i = 0; i < scaleCount(scheme, shape); ++i) {
      const unsigned exponent = noise.next() % 20;
      const int64_t mantissa =
          scheme.scale == ScaleKind::F32 ? 0x800000 | (noise.next() & 0x7FFFFF) : 1;
      scales.push_back(mantissa << exponent);
      q.scalesF32.push_back(float(scales.back()));
      q.scaleBytes.push_back(uint8_t(127 + exponent));
    }
    if (scheme.scale != ScaleKind::F32)
      q.scalesF32.clear();
    return q;
  };
  for (int trial = 0; trial < 20; ++trial) {
    scheme.scale = trial % 2 ? ScaleKind::F32 : ScaleKind::UE8M0;
    std::vector<int64_t> aScales, bScales;
    const Quantized a = randomOperand(aScales), b = randomOperand(bScales);
    std::vector<GemmBound> out(64);
    gemmExact(view(a, shape, scheme), view(b, shape, scheme), nullptr, out.data());
    for (int64_t m = 0; m < 8; ++m)
      for (int64_t n = 0; n < 8; ++n) {
        __int128 quarters = 0;
        for (int64_t k = 0; k < shape.k; ++k) {
          const int p = int(2 * codeValue(scheme.format, a.codes[m * shape.k + k]));
          const int q = int(2 * codeValue(scheme.format, b.codes[n * shape.k + k]));
          quarters +=
              __int128(p * q) * aScales[(m * shape.k + k) / 16] * bScales[(n * shape.k + k) / 16];
        }
        ASSERT_EQ(out[m * 8 + n].exact, std::ldexp(double(quarters), -2));
      }
  }
}

// Breaks if operands that mean different things are multiplied.
TEST(G1, OperandsMustAgree) {
  const Scheme base{Format::E2M1, 32, 1, ScaleKind::UE8M0, ScaleRule::Ceil, presetRotation(32)};
  const ViewShape shape{1, 4, 64};
  EXPECT_EQ(verifyOperands(base, shape, base, {1, 9, 64}), std::nullopt);
  const auto refused = [&](auto change) {
    Scheme other = base;
    ViewShape otherShape = shape;
    change(other, otherShape);
    return verifyOperands(base, shape, other, otherShape).has_value();
  };
  EXPECT_TRUE(refused([](Scheme &s, ViewShape &) { s.format = Format::E1M2; }));
  EXPECT_TRUE(refused([](Scheme &s, ViewShape &) { s.scale = ScaleKind::F32; }));
  EXPECT_TRUE(refused([](Scheme &s, ViewShape &) { s.block = 16; }));
  EXPECT_TRUE(refused([](Scheme &s, ViewShape &) { s.rotation = {}; }));
  EXPECT_TRUE(refused([](Scheme &s, ViewShape &) { s.rotation = presetRotation(64); }));
  EXPECT_TRUE(refused([](Scheme &s, ViewShape &) { s.rotation.signs[0] ^= 1; }));
  EXPECT_TRUE(refused([](Scheme &, ViewShape &v) { v.k = 63; }));
  EXPECT_TRUE(refused([](Scheme &, ViewShape &v) { v.g = 2; }));
  // How scales were chosen does not matter to the product.
  EXPECT_FALSE(refused([](Scheme &s, ViewShape &) { s.rule = ScaleRule::OcpFloor; }));
}

// Breaks if K = 0 is not C0 or zeros, or an empty M or N touches the result.
TEST(G1, EmptyShapes) {
  const Scheme scheme;
  const QuantizedView a{nullptr, nullptr, 0, {1, 2, 0}, scheme};
  const QuantizedView b{nullptr, nullptr, 0, {1, 1, 0}, scheme};
  GemmBound out[2];
  const float c0[2] = {3, -4};
  gemmExact(a, b, c0, out);
  EXPECT_EQ(out[0].exact, 3);
  EXPECT_EQ(out[1].exact, -4);
  EXPECT_TRUE(out[0].inRange);
  gemmExact(a, b, nullptr, out);
  EXPECT_EQ(out[1].exact, 0);
  EXPECT_EQ(checkBound(out[1], 0.0f, Element::F32), Conformance::Conforms);
  out[0].exact = 42;
  gemmExact({nullptr, nullptr, 0, {1, 0, 64}, scheme}, b, nullptr, out);
  EXPECT_EQ(out[0].exact, 42);
}

// Breaks if poison does not reach every element that reads it, and those only.
TEST(Q4, PoisonReachesTheProduct) {
  for (ScaleKind kind : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
    Scheme scheme;
    scheme.scale = kind;
    std::vector<float> x = Noise(34).gauss(3 * 64);
    x[64 + 20] = NAN;
    const ViewShape shape{1, 3, 64};
    const Quantized q = quantize(x.data(), Element::F32, shape, scheme);
    GemmBound out[9];
    gemmExact(view(q, shape, scheme), view(q, shape, scheme), nullptr, out);
    for (int i = 0; i < 9; ++i) {
      const bool reads = i / 3 == 1 || i % 3 == 1;
      EXPECT_EQ(std::isnan(out[i].exact), reads);
      EXPECT_EQ(checkBound(out[i], NAN, Element::F32),
                reads ? Conformance::Conforms : Conformance::Violates);
      EXPECT_EQ(checkBound(out[i], float(out[i].exact), Element::F32), Conformance::Conforms);
    }
  }
}

// Breaks if the tolerance is not (K + 16) 2^-24 of the magnitude plus 2^-126,
// with half a unit more for a bf16 store.
TEST(G2, ToleranceToTheLetter) {
  GemmBound bound;
  bound.exact = 1;
  bound.magnitude = 8;
  bound.k = 48;
  EXPECT_EQ(bound.tolerance(1, Element::F32), 64 * 8 * 0x1p-24 + 0x1p-126);
  EXPECT_EQ(bound.tolerance(1, Element::BF16), 64 * 8 * 0x1p-24 + 0x1p-126 + 0x1p-8);
  EXPECT_EQ(bound.tolerance(0, Element::BF16), 64 * 8 * 0x1p-24 + 0x1p-126 + 0x1p-134);
  const float edge = 1 + 64 * 8 * 0x1p-24f;
  EXPECT_EQ(checkBound(bound, edge, Element::F32), Conformance::Conforms);
  EXPECT_EQ(checkBound(bound, std::nextafter(edge, 2.0f), Element::F32), Conformance::Violates);
  EXPECT_EQ(checkBound(bound, std::nextafter(edge, 2.0f), Element::BF16), Conformance::Conforms);
  EXPECT_EQ(checkBound(bound, 1.0078125f, Element::BF16), Conformance::Violates);
  EXPECT_EQ(checkBound(bound, INFINITY, Element::F32), Conformance::Violates);
  EXPECT_EQ(checkBound(bound, NAN, Element::F32), Conformance::Violates);
  bound.exact = 70000;
  EXPECT_EQ(checkBound(bound, INFINITY, Element::F16), Conformance::Conforms);
  EXPECT_EQ(checkBound(bound, -INFINITY, Element::F16), Conformance::Violates);
}

// Breaks if a proviso is not looked at: sums and values below 2^127, nonzero
// products of scales in [2^-126, 2^120], zeros not counted.
TEST(G2, Provisos) {
  const Scheme scheme;
  const ViewShape shape{1, 1, 16};
  const auto inRange = [&](float aScale, float bScale, uint8_t code) {
    Quantized a, b;
    a.codes.assign(16, code);
    b.codes.assign(16, 1);
    a.scalesF32 = {aScale};
    b.scalesF32 = {bScale};
    GemmBound out;
    gemmExact(view(a, shape, scheme), view(b, shape, scheme), nullptr, &out);
    return out.inRange;
  };
  EXPECT_TRUE(inRange(1, 1, 7));
  EXPECT_TRUE(inRange(0, 0x1p-149f, 7));
  EXPECT_TRUE(inRange(0x1p-63f, 0x1p-63f, 1));
  EXPECT_FALSE(inRange(0x1p-63f, 0x1p-64f, 1));
  EXPECT_TRUE(inRange(0x1p60f, 0x1p60f, 7));
  EXPECT_FALSE(inRange(0x1p60f, 0x1.000002p60f, 7));
  EXPECT_TRUE(inRange(0x1p126f, 0x1p-10f, 1));
  EXPECT_FALSE(inRange(0x1p126f, 0x1p-10f, 2));
}

// Breaks if small integers times powers of two are not equal: then C has one
// right value.
TEST(G2, IntegersAreEqual) {
  Scheme scheme;
  scheme.scale = ScaleKind::UE8M0;
  const ViewShape shape{1, 1, 512};
  Noise noise(35);
  std::vector<float> x(512), y(512);
  float sum = 0;
  for (int i = 0; i < 512; ++i) {
    x[i] = i % 16 ? float(int(noise.next() % 15) - 7) : 7;
    y[i] = i % 16 ? float(int(noise.next() % 15) - 7) : -7;
    sum += x[i] * y[i];
  }
  const Quantized a = quantize(x.data(), Element::F32, shape, scheme);
  const Quantized b = quantize(y.data(), Element::F32, shape, scheme);
  GemmBound out;
  gemmExact(view(a, shape, scheme), view(b, shape, scheme), nullptr, &out);
  EXPECT_EQ(out.exact, sum);
}
