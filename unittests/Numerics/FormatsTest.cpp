//===- FormatsTest.cpp - Formats, scales, legal schemes -------------------===//

#include "Oracle.h"

using namespace oracle;

// Breaks if a code's value differs from the table, or code 8 reads as -0.
TEST(F1, SixteenCodes) {
  for (Format format : {Format::E1M2, Format::E2M1}) {
    for (uint8_t code = 0; code < 16; ++code) {
      EXPECT_EQ(Real(decodeCode(format, code)), codeValue(format, code));
      EXPECT_EQ(decodeCode(format, code), decodeCode(format, uint8_t(code | 0xF0)));
    }
    EXPECT_FALSE(std::signbit(decodeCode(format, 8)));
  }
  EXPECT_EQ(gMax(Format::E1M2), 7);
  EXPECT_EQ(gMax(Format::E2M1), 6);
}

// Breaks if the odd element lands in the low nibble, or an odd count reads on.
TEST(F1, EvenElementInLowNibble) {
  const uint8_t codes[5] = {1, 2, 15, 8, 9};
  uint8_t packed[3], back[5];
  packCodes(codes, 5, packed);
  EXPECT_EQ(packed[0], 0x21);
  EXPECT_EQ(packed[1], 0x8F);
  EXPECT_EQ(packed[2], 0x09);
  unpackCodes(packed, 5, back);
  EXPECT_TRUE(std::equal(codes, codes + 5, back));
}

// Breaks if -8 gets a code, or two's complement is read as sign-magnitude.
TEST(F1, Int4MinusEightRefused) {
  for (int value = -128; value < 128; ++value) {
    const std::optional<uint8_t> code = codeFromInt4(int8_t(value));
    ASSERT_EQ(code.has_value(), value >= -7 && value <= 7) << value;
    if (!code)
      continue;
    EXPECT_EQ(decodeCode(Format::E1M2, *code), value);
    EXPECT_EQ(int4FromCode(*code), value);
  }
  EXPECT_EQ(int4FromCode(8), 0);
  const int8_t values[4] = {7, -7, -8, 0};
  uint8_t codes[4] = {};
  EXPECT_EQ(codesFromInt4(values, 4, codes), std::optional<int64_t>(2));
  EXPECT_EQ(codesFromInt4(values, 2, codes), std::nullopt);
  EXPECT_EQ(codes[1], 15);
}

// Breaks if any byte of either scale format has another value, NaN included.
TEST(F2, EveryScaleByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const Real e4m3 = decodeE4M3(uint8_t(byte)), e8m0 = decodeE8M0(uint8_t(byte));
    EXPECT_EQ(bits(decodeUE4M3(uint8_t(byte))), std::isnan(e4m3) ? 0x7FC00000 : bits(f32(e4m3)));
    EXPECT_EQ(bits(decodeUE8M0(uint8_t(byte))), std::isnan(e8m0) ? 0x7FC00000 : bits(f32(e8m0)));
  }
}

// Breaks if another size is let in, or a legal one is kept out.
TEST(F3, LegalSizes) {
  for (unsigned block = 0; block <= 64; ++block)
    for (unsigned n = 0; n <= 256; ++n) {
      Scheme scheme;
      scheme.block = block;
      scheme.rotation.size = n;
      const bool legal =
          (block == 16 || block == 32) && (n == 0 || n == 16 || n == 32 || n == 64 || n == 128);
      EXPECT_EQ(!verifyScheme(scheme), legal) << block << " " << n;
    }
  for (const Scheme &scheme : allSchemes())
    EXPECT_EQ(verifyScheme(scheme), std::nullopt) << describe(scheme);
}

// Breaks if a mask bit beyond n is ignored, or the presets' mask changes.
TEST(F3, SignMask) {
  EXPECT_EQ(presetRotation(16).signs[0], 0xD7E8u);
  EXPECT_EQ(presetRotation(32).signs[0], 0xD7E8D7E8u);
  EXPECT_EQ(presetRotation(64).signs[0], 0xD7E8D7E8D7E8D7E8u);
  EXPECT_EQ(presetRotation(64).signs[1], 0u);
  EXPECT_EQ(presetRotation(128).signs[1], 0xD7E8D7E8D7E8D7E8u);
  for (unsigned n : {0u, 16u, 32u, 64u, 128u})
    for (unsigned bit = 0; bit < 128; ++bit) {
      Scheme scheme;
      scheme.rotation.size = n;
      scheme.rotation.signs[bit / 64] = 1ull << bit % 64;
      EXPECT_EQ(!verifyScheme(scheme), bit < n) << n << " " << bit;
    }
}

// Breaks if 2-D blocks are let in with a rotation, with stochastic rounding or
// in another shape.
TEST(Q3, TwoDimensionalBlocksAreSquareNearestUnrotated) {
  Scheme scheme;
  scheme.block = scheme.blockRows = 32;
  EXPECT_EQ(verifyScheme(scheme), std::nullopt);
  const Draw draw{1, 2, 3, 16};
  EXPECT_NE(verifyDraw(draw, scheme), std::nullopt);
  scheme.rotation = presetRotation(16);
  EXPECT_NE(verifyScheme(scheme), std::nullopt);
  scheme.rotation = {};
  scheme.blockRows = 16;
  EXPECT_NE(verifyScheme(scheme), std::nullopt);
  scheme.blockRows = 1;
  EXPECT_EQ(verifyDraw(draw, scheme), std::nullopt);
}

// Breaks if ocp-floor is let in where it means nothing.
TEST(Q5, OcpFloorIsForE2m1WithUe8m0) {
  for (Format format : {Format::E1M2, Format::E2M1})
    for (ScaleKind kind : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
      Scheme scheme;
      scheme.format = format;
      scheme.scale = kind;
      scheme.rule = ScaleRule::OcpFloor;
      EXPECT_EQ(!verifyScheme(scheme), format == Format::E2M1 && kind == ScaleKind::UE8M0);
    }
}

// Breaks if K is padded to the block alone, the rotation alone or their product.
TEST(Q3, PaddingOfK) {
  for (const Scheme &scheme : allSchemes())
    for (int64_t k : {0, 1, 15, 16, 17, 31, 32, 33, 127, 128, 129}) {
      const int64_t kp = int64_t(rotateRow(std::vector<float>(k), scheme).size());
      EXPECT_EQ(paddedK(scheme, k), kp) << describe(scheme) << " K=" << k;
      const ViewShape shape{2, 33, k};
      EXPECT_EQ(codeCount(scheme, shape), 2 * 33 * kp);
      EXPECT_EQ(scaleCount(scheme, shape),
                2 * ((33 + scheme.blockRows - 1) / scheme.blockRows) * (kp / scheme.block));
    }
}

// Breaks if the rounding to E4M3 differs at a value, at a midpoint or next to
// one, saturates elsewhere than at 448, or flushes subnormals.
TEST(Q5, E4m3NearestEvenSaturating) {
  for (int byte = 0; byte < 0x7F; ++byte) {
    const float low = f32(decodeE4M3(uint8_t(byte)));
    const float next = byte == 0x7E ? 480 : f32(decodeE4M3(uint8_t(byte + 1)));
    const float middle = (low + next) / 2;
    for (float value : {low, std::nextafter(low, 0.0f), std::nextafter(low, 1e30f), middle,
                        std::nextafter(middle, 0.0f), std::nextafter(middle, 1e30f)})
      EXPECT_EQ(encodeUE4M3(value), encodeE4M3(value)) << value;
  }
  for (uint32_t word = 0; word < 0x7F80; ++word)
    ASSERT_EQ(encodeUE4M3(bf16ToF32(uint16_t(word))), encodeE4M3(decodeIeee(word, 8, 7))) << word;
  EXPECT_EQ(encodeUE4M3(INFINITY), 0x7E);
  EXPECT_EQ(encodeUE4M3(std::nanf("")), 0x7F);
  EXPECT_EQ(encodeUE4M3(-1.0f), 0);
}
