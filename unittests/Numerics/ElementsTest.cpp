//===- ElementsTest.cpp - bf16, f16 and f32 -------------------------------===//

#include "Oracle.h"

using namespace oracle;

// Breaks if a widening is inexact for any of the 2^16 values of either type.
TEST(Q1, WideningIsExact) {
  for (uint32_t word = 0; word < 0x10000; ++word) {
    const Real bf16 = decodeIeee(word, 8, 7), f16 = decodeIeee(word, 5, 10);
    if (std::isnan(bf16))
      EXPECT_TRUE(std::isnan(bf16ToF32(uint16_t(word))));
    else
      ASSERT_EQ(bits(bf16ToF32(uint16_t(word))), bits(f32(bf16))) << word;
    if (std::isnan(f16))
      EXPECT_TRUE(std::isnan(f16ToF32(uint16_t(word))));
    else
      ASSERT_EQ(bits(f16ToF32(uint16_t(word))), bits(f32(f16))) << word;
  }
}

static void expectNarrowing(double value) {
  ASSERT_EQ(f64ToBF16(value), encodeIeee(value, 8, 7)) << value;
  ASSERT_EQ(f64ToF16(value), encodeIeee(value, 5, 10)) << value;
  ASSERT_EQ(bits(f64ToF32(value)), bits(f32(value))) << value;
  const float single = float(value);
  if (std::isinf(single))
    return;
  ASSERT_EQ(f32ToBF16(single), encodeIeee(single, 8, 7)) << value;
  ASSERT_EQ(f32ToF16(single), encodeIeee(single, 5, 10)) << value;
}

// Breaks if a narrowing rounds twice, rounds ties away, flushes a denormal or
// overflows too early: every value, midpoint and neighbour of a midpoint.
TEST(F4, NarrowingRoundsOnce) {
  for (int exponentBits : {8, 5}) {
    const int mantissaBits = 15 - exponentBits;
    const uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
    for (uint32_t word = 0; word < infinity; ++word) {
      const double low = double(decodeIeee(word, exponentBits, mantissaBits));
      const double next = word + 1 == infinity
                              ? 2 * low - double(decodeIeee(word - 1, exponentBits, mantissaBits))
                              : double(decodeIeee(word + 1, exponentBits, mantissaBits));
      const double middle = (low + next) / 2;
      for (double value : {low, middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300)})
        for (double sign : {1.0, -1.0}) {
          expectNarrowing(sign * value);
          if (HasFatalFailure())
            return;
        }
    }
  }
}

// Breaks if a random double, far outside f32 included, is narrowed otherwise.
TEST(F4, NarrowingOfRandomDoubles) {
  Noise noise(1);
  for (int i = 0; i < 300000; ++i) {
    const double value = std::ldexp(noise.uniform() - 0.5, int(noise.next() % 320) - 170);
    expectNarrowing(value);
    if (HasFatalFailure())
      return;
  }
  EXPECT_EQ(f64ToBF16(-INFINITY), 0xFF80);
  EXPECT_EQ(f64ToF16(1e300), 0x7C00);
  EXPECT_EQ(f32ToF16(std::nanf("")), 0x7E00);
}
