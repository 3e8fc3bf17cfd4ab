//===- QuantizeTest.cpp - Codes and scales --------------------------------===//

#include "Oracle.h"

using namespace oracle;

static const Element elements[] = {Element::F32, Element::BF16, Element::F16};

/// Values of a type as the library takes them, and what they widen to.
struct Input {
  std::vector<float> values;
  std::vector<uint16_t> words;
  Element element;

  Input(std::vector<float> x, Element element) : values(std::move(x)), element(element) {
    if (element == Element::F32)
      return;
    for (float &value : values) {
      words.push_back(element == Element::BF16 ? f32ToBF16(value) : f32ToF16(value));
      value = widen(words.back(), element);
    }
  }
  const void *data() const {
    return element == Element::F32 ? static_cast<const void *>(values.data()) : words.data();
  }
};

/// Gaussian data with outliers, zeros of both signs, tiny and huge values.
static std::vector<float> mixed(int64_t count, uint64_t seed) {
  Noise noise(seed);
  std::vector<float> x = noise.gauss(count);
  for (float &value : x)
    switch (noise.next() % 64) {
    case 0:
      value = 0.0f;
      break;
    case 1:
      value = -0.0f;
      break;
    case 2:
      value *= 100;
      break;
    case 3:
      value *= 0x1p-130f;
      break;
    case 4:
      value = std::round(value * 4) / 2;
      break;
    default:
      break;
    }
  return x;
}

// Breaks if any legal scheme differs from the rules on any element type, on
// ragged or empty shapes, nearest or stochastic with 16 or 8 bits.
TEST(Q6, EverySchemeBitForBit) {
  const Draw draws[] = {{0xFEDCBA9876543210, 9, 1234, 16}, {42, 0xFFFFFFFF, 0xFFFFFFFF, 8}};
  for (const Scheme &scheme : allSchemes())
    for (Element element : elements)
      for (ViewShape shape :
           {ViewShape{1, 5, 300}, ViewShape{2, 33, 47}, ViewShape{1, 1, 1}, ViewShape{3, 2, 0},
            ViewShape{1, 0, 64}, ViewShape{0, 4, 64}, ViewShape{1, 2, 513}}) {
        const int64_t count = shape.g * shape.r * shape.k;
        const Input x(mixed(count, count + scheme.block), element);
        EXPECT_TRUE(same(quantize(x.data(), element, shape, scheme),
                         oracle::quantize(x.values, shape, scheme), scheme))
            << describe(scheme) << " nearest";
        if (scheme.blockRows != 1)
          continue;
        for (const Draw &draw : draws)
          EXPECT_TRUE(same(quantize(x.data(), element, shape, scheme, &draw),
                           oracle::quantize(x.values, shape, scheme, &draw), scheme))
              << describe(scheme) << " " << draw.bits << " bits";
      }
}

/// Unrotated 1-D schemes with blocks of 16.
static std::vector<Scheme> plainSchemes() {
  std::vector<Scheme> schemes;
  for (const Scheme &scheme : allSchemes())
    if (!scheme.rotation && scheme.blockRows == 1 && scheme.block == 16)
      schemes.push_back(scheme);
  return schemes;
}

// Breaks if a bf16 value as a block's maximum gives another scale: all 2^16,
// NaNs, infinities and denormals among them.
TEST(Q5, EveryBf16AsBlockMaximum) {
  Noise noise(6);
  std::vector<float> fractions = noise.gauss(16);
  std::vector<float> x(16 << 16);
  for (uint32_t word = 0; word < 0x10000; ++word) {
    const float maximum = bf16ToF32(uint16_t(word));
    x[16 * word + word % 16] = maximum;
    for (unsigned i = 0; i < 16; ++i)
      if (i != word % 16 && std::isfinite(maximum))
        x[16 * word + i] = std::fmod(fractions[i], 1.0f) * maximum;
  }
  for (const Scheme &scheme : plainSchemes())
    for (float amaxTensor : {448.0f * 7, 1.0f, 0x1.fp127f}) {
      EXPECT_TRUE(
          same(quantize(x.data(), Element::F32, {1, 1 << 16, 16}, scheme, nullptr, &amaxTensor),
               oracle::quantize(x, {1, 1 << 16, 16}, scheme, nullptr, &amaxTensor), scheme))
          << describe(scheme);
      if (scheme.scale != ScaleKind::UE4M3)
        break;
    }
}

// Breaks if a bf16 value as a member of a block gives another code.
TEST(Q6, EveryBf16AsMember) {
  std::vector<uint16_t> words(16 << 12);
  std::vector<float> x(words.size());
  for (float maximum : {7.0f, 6.0f, 1.0f, 5.3f}) {
    // 15 members to a block: 2^16 values in 4370 blocks of 16.
    words.assign(16 * 4370, 0);
    x.resize(words.size());
    uint32_t next = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      words[i] = i % 16 == 3 ? f32ToBF16(maximum) : uint16_t(std::min(next++, 0xFFFFu));
      // Keep the maximum: greater values, which have their own test, at 1/256.
      while (std::fabs(widen(words[i], Element::BF16)) > maximum)
        words[i] = uint16_t(words[i] - 0x400);
      if (std::isnan(widen(words[i], Element::BF16)))
        words[i] = 0x8000;
      x[i] = widen(words[i], Element::BF16);
    }
    const ViewShape shape{1, 4370, 16};
    for (const Scheme &scheme : plainSchemes())
      EXPECT_TRUE(same(quantize(words.data(), Element::BF16, shape, scheme),
                       oracle::quantize(x, shape, scheme), scheme))
          << describe(scheme) << " " << maximum;
  }
}

// Breaks if a tie, or a value next to one, goes the wrong way under any E4M3
// scale: every midpoint of both grids under all 126 scales.
TEST(Q6, TiesUnderEveryE4m3Scale) {
  for (Format format : {Format::E1M2, Format::E2M1}) {
    Scheme scheme;
    scheme.format = format;
    scheme.scale = ScaleKind::UE4M3;
    for (float global : {1.0f, 0x1p-9f, 0.7f}) {
      const float amaxTensor = global * gMax(format) * 448;
      std::vector<float> x;
      for (int byte = 1; byte < 0x7F; ++byte) {
        const float scale = f32(decodeE4M3(uint8_t(byte)) * global);
        for (int direction : {-1, 0, 1})
          for (int member = 0; member < 16; ++member) {
            const int i = member % 8;
            float value = gMax(format) * scale;
            if (i) {
              value = f32((levels[int(format)][i - 1] + levels[int(format)][i]) / 2 * scale);
              if (direction)
                value = std::nextafter(value, direction < 0 ? 0.0f : 1e30f);
            }
            x.push_back(member < 8 ? value : -value);
          }
      }
      const ViewShape shape{1, int64_t(x.size() / 16), 16};
      const Quantized q = quantize(x.data(), Element::F32, shape, scheme, nullptr, &amaxTensor);
      EXPECT_TRUE(same(q, oracle::quantize(x, shape, scheme, nullptr, &amaxTensor), scheme));
      if (global == 0.7f)
        continue;
      // Powers of two keep ties exact where 1/d is: there to the even index.
      for (size_t block = 1; block < q.scaleBytes.size(); block += 3) {
        EXPECT_EQ(q.scaleBytes[block], 1 + block / 3);
        if (q.scaleBytes[block] % 8)
          continue;
        for (int i = 1; i < 8; ++i)
          EXPECT_EQ(q.codes[16 * block + i], i / 2 * 2);
      }
    }
  }
}

/// Puts t exactly at, and just below, the threshold that each element's own
/// random word sets in each interval of the grid, until every word has met all.
static void expectThresholds(Format format, unsigned b, int64_t rows) {
  const ViewShape shape{1, rows, 1024};
  const Draw draw{77, 4, 5, b};
  Scheme scheme;
  scheme.format = format;
  std::vector<float> x(shape.r * shape.k);
  std::vector<uint8_t> expected(x.size());
  std::vector<uint8_t> visits(1u << b);
  Words words{};
  for (size_t index = 0; index < x.size(); ++index) {
    const unsigned lanes = 128 / b, lane = index % lanes;
    if (lane == 0)
      words = philox(index / lanes, draw.stream, draw.step, draw.seed);
    if (index % 16 == 0) {
      // Makes the scale 1.
      x[index] = gMax(format);
      expected[index] = 7;
      continue;
    }
    const uint32_t r = words.word[lane * b / 32] >> lane * b % 32 & ((1u << b) - 1);
    const unsigned visit = visits[r] % 14;
    visits[r] = uint8_t(std::min(visits[r] + 1, 14 * 8));
    const int i = 1 + visit / 2;
    const Real *q = levels[int(format)];
    const Real threshold = q[i] - (q[i] - q[i - 1]) * std::ldexp(Real(r | 1), -int(b));
    ASSERT_EQ(f32(threshold), threshold);
    x[index] = visit % 2 ? std::nextafter(f32(threshold), 0.0f) : f32(threshold);
    expected[index] = uint8_t(visit % 2 ? i - 1 : i);
    if (index % 3 == 0 && x[index] != 0) {
      x[index] = -x[index];
      expected[index] |= 8;
    }
  }
  for (uint8_t count : visits)
    ASSERT_GE(count, 14) << "a word has not met every interval";
  const Quantized library = quantize(x.data(), Element::F32, shape, scheme, &draw);
  for (size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(library.codes[i], expected[i]) << i << " " << x[i];
}

// Breaks if u is r/2^b, if t >= becomes t >, or if n + u is summed in f32: all
// 2^16 words times the 7 intervals of each grid, at the threshold and below.
TEST(Q6, EveryWordTimesEveryInterval) {
  expectThresholds(Format::E1M2, 16, 1 << 12);
  expectThresholds(Format::E2M1, 16, 1 << 12);
}
TEST(Q6, EveryByteTimesEveryInterval) {
  expectThresholds(Format::E1M2, 8, 64);
  expectThresholds(Format::E2M1, 8, 64);
}

// Breaks if stochastic rounding is biased: over all 2^16 words the mean is the
// value itself, to the half step that r | 1 leaves.
TEST(Q6, StochasticIsUnbiased) {
  Scheme scheme;
  const ViewShape shape{1, 1 << 16, 16};
  for (Format format : {Format::E1M2, Format::E2M1}) {
    scheme.format = format;
    std::vector<float> x(16 << 16);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = i % 16 ? gMax(format) * float(i % 16) / 16 : gMax(format);
    const Draw draw{3, 1, 0, 16};
    const Quantized q = quantize(x.data(), Element::F32, shape, scheme, &draw);
    for (int member = 1; member < 16; ++member) {
      double sum = 0;
      for (size_t i = member; i < x.size(); i += 16)
        sum += decodeCode(format, q.codes[i]);
      // Five standard deviations of the widest interval.
      EXPECT_NEAR(sum / (1 << 16), x[member], 5 * 1.0 / 256);
    }
  }
}

// Breaks if the sign of -0 is kept, or that of a negative value which rounds
// to zero is lost.
TEST(Q6, CodeEightIsANegativeThatRoundsToZero) {
  std::vector<float> x(16);
  x[0] = 7;
  x[1] = -0.0f;
  x[2] = -0.4f;
  x[3] = -1e-45f;
  x[4] = 0.4f;
  for (const Scheme &scheme : plainSchemes()) {
    const Quantized q = quantize(x.data(), Element::F32, {1, 1, 16}, scheme);
    EXPECT_EQ(q.codes[1], 0);
    EXPECT_EQ(q.codes[3], 8);
    if (scheme.format == Format::E1M2) {
      EXPECT_EQ(q.codes[2], 8);
      EXPECT_EQ(q.codes[4], 0);
    }
  }
}

// Breaks if views of one row differ from the same row inside a larger view, or
// blocks cross G: the order is [G, R, K], K innermost.
TEST(Q1, ViewIsRowMajorGRK) {
  for (const Scheme &scheme : allSchemes()) {
    const ViewShape shape{3, 32, 80};
    const std::vector<float> x = mixed(3 * 32 * 80, 8);
    const float amaxTensor = amax(x.data(), Element::F32, shape, scheme);
    const Quantized whole = quantize(x.data(), Element::F32, shape, scheme);
    const int64_t kp = paddedK(scheme, 80);
    for (int64_t g = 0; g < 3; ++g) {
      const Quantized one =
          quantize(x.data() + g * 32 * 80, Element::F32, {1, 32, 80}, scheme, nullptr, &amaxTensor);
      EXPECT_TRUE(std::equal(one.codes.begin(), one.codes.end(), whole.codes.begin() + g * 32 * kp))
          << describe(scheme);
    }
  }
}

// Breaks if padding rows or columns count in a 2-D maximum, blocks of rows
// cross G, or a row past the last is written.
TEST(Q3, TwoDimensionalBlocksShareAScale) {
  Scheme scheme;
  scheme.blockRows = 16;
  const ViewShape shape{2, 17, 20};
  const std::vector<float> x = mixed(2 * 17 * 20, 9);
  const Quantized q = quantize(x.data(), Element::F32, shape, scheme);
  ASSERT_EQ(q.scalesF32.size(), 2u * 2 * 2);
  float maximum = 0;
  for (int k = 16; k < 20; ++k)
    maximum = std::max(maximum, std::fabs(x[(17 + 16) * 20 + k]));
  EXPECT_EQ(q.scalesF32[7], maximum / 7);
}

// Breaks if the border of a zero block is not exactly 2^-120, or a zero block
// keeps signs or a scale.
TEST(Q4, ZeroBlocksBelowTwoToMinus120) {
  for (const Scheme &scheme : plainSchemes()) {
    const float below = std::nextafter(0x1p-120f, 0.0f);
    std::vector<float> x(48);
    x[0] = -below;
    x[1] = below;
    x[16] = 0x1p-120f;
    x[17] = -0x1p-120f;
    // 0x1p-120 as the tensor's maximum makes S its least, 2^-100.
    const ViewShape shape{1, 3, 16};
    const Quantized q = quantize(x.data(), Element::F32, shape, scheme);
    EXPECT_TRUE(same(q, oracle::quantize(x, shape, scheme), scheme)) << describe(scheme);
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(q.codes[i], 0);
    EXPECT_EQ(oracle::bits(f32(scheme.scale == ScaleKind::UE8M0 ? 0 : scaleValue(q, scheme, 0))),
              0u);
    if (scheme.scale == ScaleKind::UE4M3) {
      EXPECT_EQ(q.global, 0x1p-100f);
      continue;
    }
    EXPECT_GT(q.codes[16], 0);
    EXPECT_GT(q.codes[17], 8);
  }
}

// Breaks if a NaN or an infinity is lost, spreads past its run, or counts in
// the tensor's maximum.
TEST(Q4, PoisonStaysInItsRun) {
  for (const Scheme &scheme : allSchemes())
    for (float poison : {std::nanf(""), -std::nanf(""), INFINITY, -INFINITY}) {
      const ViewShape shape{1, 40, 300};
      std::vector<float> x = mixed(40 * 300, 10);
      const Quantized clean = quantize(x.data(), Element::F32, shape, scheme);
      const int64_t row = 33, k = 150;
      x[row * 300 + k] = poison;
      const float amaxTensor = amax(x.data(), Element::F32, shape, scheme);
      EXPECT_TRUE(std::isfinite(amaxTensor));
      const Quantized q = quantize(x.data(), Element::F32, shape, scheme);
      EXPECT_TRUE(same(q, oracle::quantize(x, shape, scheme), scheme)) << describe(scheme);
      const int64_t kp = paddedK(scheme, 300), blocks = kp / scheme.block;
      const int64_t run = std::max(scheme.rotation.size, scheme.block);
      for (int64_t r = 0; r < 40; ++r)
        for (int64_t b = 0; b < blocks; ++b) {
          const int64_t index = r / scheme.blockRows * blocks + b;
          const bool meets =
              r / scheme.blockRows == row / scheme.blockRows && b * scheme.block / run == k / run;
          const Real scale = scaleValue(q, scheme, index);
          ASSERT_EQ(std::isnan(scale), meets) << describe(scheme) << " " << r << " " << b;
          for (int64_t i = b * scheme.block; i < (b + 1) * scheme.block; ++i)
            if (meets || scheme.scale != ScaleKind::UE4M3) {
              ASSERT_EQ(q.codes[r * kp + i], meets ? 0 : clean.codes[r * kp + i]);
            }
        }
      std::vector<float> values(40 * 300);
      dequantizeInto(q.codes.data(), q.scales(), q.global, shape, scheme, Element::F32,
                     values.data());
      EXPECT_EQ(bits(values[row * 300 + k]), 0x7FC00000u);
    }
}

// Breaks if the power of two is not the least that is enough, at the exact
// border g_max 2^k and one unit to both sides.
TEST(Q5, Ue8m0CeilIsLeastPowerOfTwo) {
  for (Format format : {Format::E1M2, Format::E2M1})
    for (int k = -120; k <= 125; ++k) {
      const float border = std::ldexp(gMax(format), k);
      for (float amax : {border, std::nextafter(border, 0.0f), std::nextafter(border, INFINITY)}) {
        if (std::isinf(amax))
          continue;
        const Real s = decodeE8M0(encodeUE8M0(amax, format, ScaleRule::Ceil));
        EXPECT_GE(s * gMax(format), amax);
        EXPECT_LT(s / 2 * gMax(format), amax);
      }
    }
  EXPECT_EQ(encodeUE8M0(0x1p-149f, Format::E1M2, ScaleRule::Ceil), 0);
  EXPECT_EQ(encodeUE8M0(std::numeric_limits<float>::max(), Format::E1M2, ScaleRule::Ceil),
            127 + 126);
}

// Breaks if ocp-floor depends on the mantissa: 2^(floor(log2 amax) - 2).
TEST(Q5, OcpFloorIsExponentMinusTwo) {
  for (int k = -120; k <= 127; ++k)
    for (float mantissa : {1.0f, 1.5f, 1.9999999f})
      EXPECT_EQ(encodeUE8M0(std::ldexp(mantissa, k), Format::E2M1, ScaleRule::OcpFloor),
                k - 2 + 127);
}

// Breaks if amax_tensor is taken before the rotation or with poisoned blocks,
// or is not 0 for an empty tensor.
TEST(Q5, TensorMaximum) {
  for (const Scheme &scheme : allSchemes()) {
    EXPECT_EQ(bits(amax(nullptr, Element::F32, {1, 0, 64}, scheme)), 0u);
    EXPECT_EQ(bits(amax(nullptr, Element::BF16, {1, 4, 0}, scheme)), 0u);
    std::vector<float> x(256);
    x[0] = NAN;
    x[200] = -4;
    const float expected = scheme.rotation ? 4 * f32(1 / std::sqrt(Real(scheme.rotation.size))) : 4;
    const float found = amax(x.data(), Element::F32, {1, 1, 256}, scheme);
    EXPECT_EQ(bits(found), bits(expected)) << describe(scheme);
    const std::vector<float> poisoned(256, INFINITY);
    EXPECT_EQ(amax(poisoned.data(), Element::F32, {1, 1, 256}, scheme), 0);
  }
}

// Breaks if S is not clamped at 2^-100, if an illegal maximum does not poison
// every block, or a small operand overflows rather than saturates.
TEST(Q5, GlobalScaleFromAnOperand) {
  Scheme scheme;
  scheme.scale = ScaleKind::UE4M3;
  const ViewShape shape{1, 4, 64};
  std::vector<float> x = mixed(256, 11);
  std::fill(x.begin() + 64, x.begin() + 80, 0.0f);
  for (Format format : {Format::E1M2, Format::E2M1}) {
    scheme.format = format;
    for (float operand :
         {0.0f, -0.0f, 1e-38f, 0x1p-88f, 0.5f, 3e38f, INFINITY, -1.0f, NAN, -1e-45f, 0x1p-20f}) {
      const Quantized q = quantize(x.data(), Element::F32, shape, scheme, nullptr, &operand);
      const bool legal = operand >= 0 && std::isfinite(operand);
      EXPECT_EQ(bits(q.global), legal ? bits(tensorScale(operand, format)) : 0x7FC00000u);
      EXPECT_EQ(bits(globalScale(operand, format)), bits(q.global));
      EXPECT_TRUE(same(q, oracle::quantize(x, shape, scheme, nullptr, &operand), scheme));
      for (size_t i = 0; !legal && i < q.scaleBytes.size(); ++i)
        EXPECT_EQ(q.scaleBytes[i], 0x7F);
    }
    EXPECT_EQ(quantize(nullptr, Element::F32, {1, 0, 64}, scheme).global, 0x1p-100f);
  }
}

// Breaks if a dequantized value is rounded twice, flushed or given -0: 256
// scale bytes x 16 codes x both formats, and f32 scales, to all result types.
TEST(F4, EveryScaleTimesEveryCode) {
  Noise noise(12);
  for (Format format : {Format::E1M2, Format::E2M1})
    for (ScaleKind kind : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0})
      for (float global : {1.0f, 0.3f, 0x1.fffffep-100f, 0x1.8p100f, std::nanf("")}) {
        Scheme scheme;
        scheme.format = format;
        scheme.scale = kind;
        const int64_t rows = kind == ScaleKind::F32 ? 4096 : 256;
        const ViewShape shape{1, rows, 16};
        Quantized q;
        q.global = global;
        for (int64_t row = 0; row < rows; ++row) {
          q.scaleBytes.push_back(uint8_t(row));
          uint32_t word = uint32_t(noise.next()) & 0x7FFFFFFF;
          float scale;
          std::memcpy(&scale, &word, 4);
          q.scalesF32.push_back(row == 0 ? 0 : row == 1 ? 0x1p-149f : scale);
          for (uint8_t code = 0; code < 16; ++code)
            q.codes.push_back(code);
        }
        const void *scales = kind == ScaleKind::F32 ? static_cast<const void *>(q.scalesF32.data())
                                                    : q.scaleBytes.data();
        std::vector<float> single(rows * 16);
        std::vector<uint16_t> bf16(rows * 16), f16(rows * 16);
        dequantizeInto(q.codes.data(), scales, global, shape, scheme, Element::F32, single.data());
        dequantizeInto(q.codes.data(), scales, global, shape, scheme, Element::BF16, bf16.data());
        dequantizeInto(q.codes.data(), scales, global, shape, scheme, Element::F16, f16.data());
        for (int64_t i = 0; i < rows * 16; ++i) {
          const Real value = codeValue(format, q.codes[i]) * scaleValue(q, scheme, i / 16);
          if (std::isnan(value)) {
            ASSERT_EQ(bits(single[i]), 0x7FC00000u);
            ASSERT_EQ(bf16[i], 0x7FC0);
            ASSERT_EQ(f16[i], 0x7E00);
            continue;
          }
          if (std::isinf(value))
            continue; // An infinite scale is never stored.
          const Real real = value == 0 ? 0 : value;
          ASSERT_EQ(bits(single[i]), bits(f32(real))) << i;
          ASSERT_EQ(bf16[i], encodeIeee(real, 8, 7)) << i;
          ASSERT_EQ(f16[i], encodeIeee(real, 5, 10)) << i;
        }
      }
}

// Breaks if the padding is not left out, or the Kp variant leaves it out.
TEST(F4, DequantizeWithAndWithoutPadding) {
  for (const Scheme &scheme : allSchemes()) {
    const ViewShape shape{2, 3, 37};
    const std::vector<float> x = mixed(2 * 3 * 37, 13);
    const Quantized q = quantize(x.data(), Element::F32, shape, scheme);
    const int64_t kp = paddedK(scheme, 37);
    std::vector<float> plain(6 * 37 + 1, 42), padded(6 * kp + 1, 42);
    dequantizeInto(q.codes.data(), q.scales(), q.global, shape, scheme, Element::F32, plain.data());
    dequantizePaddedInto(q.codes.data(), q.scales(), q.global, shape, scheme, Element::F32,
                         padded.data());
    for (int64_t row = 0; row < 6; ++row)
      for (int64_t k = 0; k < 37; ++k)
        ASSERT_EQ(bits(plain[row * 37 + k]), bits(padded[row * kp + k]));
    EXPECT_EQ(plain.back(), 42);
    EXPECT_EQ(padded.back(), 42);
  }
}

// Breaks if a draw depends on anything but seed, stream, step and index: rows
// one at a time, in another order, give the codes of the whole.
TEST(Q7, DrawsDoNotDependOnTiling) {
  Scheme scheme;
  scheme.rotation = presetRotation(64);
  const std::vector<float> x = mixed(7 * 500, 14);
  const Draw draw{11, 12, 13, 16};
  const Quantized whole = quantize(x.data(), Element::F32, {1, 7, 500}, scheme, &draw);
  for (int64_t row = 6; row >= 0; --row) {
    Place place;
    place.at[1] = {row};
    place.of[1] = {7};
    place.part[1] = {1};
    const Quantized one =
        quantize(x.data() + row * 500, Element::F32, {1, 1, 500}, scheme, &draw, nullptr, &place);
    EXPECT_TRUE(std::equal(one.codes.begin(), one.codes.end(), whole.codes.begin() + row * 512));
  }
  for (Draw other : {Draw{10, 12, 13, 16}, Draw{11 + (1ull << 32), 12, 13, 16},
                     Draw{11, 13, 13, 16}, Draw{11, 12, 14, 16}, Draw{11, 12, 13, 8}})
    EXPECT_NE(quantize(x.data(), Element::F32, {1, 7, 500}, scheme, &other).codes, whole.codes);
}

// Breaks if a group's codes depend on another group's rows, or on where its own
// lie; an empty group is legal.
TEST(G4, GroupsAreQuantizedAlone) {
  Scheme scheme;
  scheme.scale = ScaleKind::UE4M3;
  std::vector<float> x = mixed(30 * 48, 15);
  const uint64_t seed = foldIn(99, 1);
  const Draw draw{seed, 3, 0, 16};
  // The group's 8 rows, first behind 10 rows of another and then in front.
  const Quantized behind = quantize(x.data() + 10 * 48, Element::F32, {1, 8, 48}, scheme, &draw);
  std::vector<float> moved(x.begin() + 10 * 48, x.begin() + 18 * 48);
  moved.resize(30 * 48, 1e30f);
  const Quantized front = quantize(moved.data(), Element::F32, {1, 8, 48}, scheme, &draw);
  EXPECT_EQ(behind.codes, front.codes);
  EXPECT_EQ(behind.scaleBytes, front.scaleBytes);
  EXPECT_EQ(bits(behind.global), bits(front.global));
  EXPECT_TRUE(quantize(nullptr, Element::F32, {1, 0, 48}, scheme, &draw).codes.empty());
}
