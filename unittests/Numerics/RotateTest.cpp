//===- RotateTest.cpp - The random Hadamard transform ---------------------===//

#include "Oracle.h"

using namespace oracle;

static Rotation randomRotation(unsigned n, Noise &noise) {
  Rotation rotation;
  rotation.size = n;
  rotation.signs = {noise.next(), n == 128 ? noise.next() : 0};
  if (n < 64)
    rotation.signs[0] &= (1ull << n) - 1;
  return rotation;
}

// Breaks if strides run in another order, a sign is misplaced, the factor is
// not f32(1/sqrt(n)) or K is not padded with zeros.
TEST(Q2, ButterfliesBitForBit) {
  Noise noise(2);
  for (unsigned n : {0u, 16u, 32u, 64u, 128u})
    for (int64_t k : {0, 1, 100, 128, 300}) {
      const ViewShape shape{2, 3, k};
      const Rotation rotation = n ? randomRotation(n, noise) : Rotation();
      Scheme scheme;
      scheme.rotation = rotation;
      std::vector<float> x = noise.gauss(6 * k);
      for (float &value : x)
        value = std::ldexp(value, int(noise.next() % 40));
      const int64_t padded = n ? (k + n - 1) / n * n : k;
      std::vector<float> out(6 * padded + 1, 42);
      rotateInto(x.data(), Element::F32, shape, rotation, out.data());
      for (int64_t row = 0; row < 6; ++row) {
        const std::vector<float> expected =
            rotateRow({x.begin() + row * k, x.begin() + (row + 1) * k}, scheme);
        for (int64_t i = 0; i < padded; ++i)
          ASSERT_EQ(bits(out[row * padded + i]), bits(expected[i])) << n << " " << row << " " << i;
      }
      EXPECT_EQ(out.back(), 42);
    }
}

// Breaks if H is not the Walsh-Hadamard matrix of (-1)^popcount(i & j): rotates
// unit vectors in double.
TEST(Q2, MatrixOfTheTransform) {
  Noise noise(3);
  for (unsigned n : {16u, 32u, 64u, 128u}) {
    const Rotation rotation = randomRotation(n, noise);
    for (unsigned i = 0; i < n; ++i) {
      std::vector<double> x(n);
      x[i] = 1;
      rotateF64(x.data(), 1, rotation);
      for (unsigned j = 0; j < n; ++j) {
        const bool negative = (__builtin_popcount(i & j) + (rotation.signs[i / 64] >> i % 64)) & 1;
        EXPECT_NEAR(x[j], (negative ? -1 : 1) / std::sqrt(double(n)), 1e-16);
      }
    }
  }
}

// Breaks if the two operands' rotations do not cancel in the product.
TEST(Q2, ProductsKeepTheirValueInF64) {
  Noise noise(4);
  for (unsigned n : {16u, 32u, 64u, 128u})
    for (int trial = 0; trial < 50; ++trial) {
      const Rotation rotation = randomRotation(n, noise);
      std::vector<double> a(4 * n), b(4 * n);
      Real plain = 0, rotated = 0, magnitude = 0;
      for (size_t i = 0; i < a.size(); ++i) {
        a[i] = noise.gauss();
        b[i] = noise.gauss();
        plain += Real(a[i]) * b[i];
        magnitude += std::fabs(Real(a[i]) * b[i]);
      }
      rotateF64(a.data(), 4, rotation);
      rotateF64(b.data(), 4, rotation);
      for (size_t i = 0; i < a.size(); ++i)
        rotated += Real(a[i]) * b[i];
      EXPECT_NEAR(double(plain), double(rotated), 1e-12 * double(magnitude));
    }
}

// Breaks if some order of summation could differ from the butterflies where
// they are the capability `mma`'s definition: there every partial sum is exact.
TEST(Q2, ExactWithinElevenBinades) {
  Noise noise(5);
  for (unsigned n : {16u, 32u})
    for (int trial = 0; trial < 2000; ++trial) {
      const Rotation rotation = randomRotation(n, noise);
      std::vector<uint16_t> x(n);
      for (uint16_t &value : x)
        // Magnitudes in [2^-5, 2^6], both ends met.
        value = uint16_t((noise.next() & 0x8000) | (0x3D00 + noise.next() % (11 * 128 + 1)));
      std::vector<float> out(n);
      rotateInto(x.data(), Element::BF16, {1, 1, int64_t(n)}, rotation, out.data());
      for (unsigned j = 0; j < n; ++j) {
        Real sum = 0;
        for (unsigned i = 0; i < n; ++i) {
          const bool negative =
              (__builtin_popcount(i & j) + (rotation.signs[i / 64] >> i % 64)) & 1;
          sum += (negative ? -1 : 1) * decodeIeee(x[i], 8, 7);
        }
        ASSERT_EQ(f32(sum), sum);
        ASSERT_EQ(out[j], f32(sum * f32(1 / std::sqrt(Real(n)))));
      }
    }
}

// Breaks if an overflow inside the butterflies is lost, or spreads past the
// blocks that hold what it made.
TEST(Q4, OverflowInsideTheRotation) {
  Scheme scheme;
  scheme.rotation.size = 32;
  std::vector<float> x(64, 1.0f);
  // The last stage adds elements 0 and 16 of the run: the sum overflows in the
  // first block, the difference stays finite in the second.
  for (int i = 0; i < 32; ++i)
    x[i] = i % 16 ? 0 : 0x1p127f;
  const Quantized q = quantize(x.data(), Element::F32, {1, 1, 64}, scheme);
  EXPECT_TRUE(same(q, oracle::quantize(x, {1, 1, 64}, scheme), scheme));
  EXPECT_EQ(bits(q.scalesF32[0]), 0x7FC00000u);
  EXPECT_EQ(bits(q.scalesF32[1]), 0u);
  EXPECT_TRUE(std::isfinite(q.scalesF32[2]));
  EXPECT_GT(q.scalesF32[2], 0);
}
