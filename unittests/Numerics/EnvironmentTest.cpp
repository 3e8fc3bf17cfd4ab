//===- EnvironmentTest.cpp - Whatever state the caller is in --------------===//

#include "Oracle.h"
#include "ufp4/Numerics/FloatEnvironment.h"

#include <cfenv>
#include <thread>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

using namespace oracle;

namespace {

/// Everything the library computes from some data, in one string of bytes.
std::vector<uint8_t> computeAll(const std::vector<float> &x) {
  std::vector<uint8_t> bytes;
  const auto keep = [&](const void *data, size_t size) {
    const auto *from = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), from, from + size);
  };
  const ViewShape shape{1, 8, 100};
  for (const Scheme &scheme : allSchemes()) {
    const Draw draw{1, 2, 3, 16};
    const Quantized q =
        quantize(x.data(), Element::F32, shape, scheme, scheme.blockRows == 1 ? &draw : nullptr);
    keep(q.codes.data(), q.codes.size());
    keep(q.scalesF32.data(), q.scalesF32.size() * 4);
    keep(q.scaleBytes.data(), q.scaleBytes.size());
    keep(&q.global, 4);
    // A small S makes denormal values.
    const float global = scheme.scale == ScaleKind::UE4M3 ? 0x1.234p-130f : 0;
    std::vector<float> values(800);
    dequantizeInto(q.codes.data(), q.scales(), global, shape, scheme, Element::F32, values.data());
    keep(values.data(), 3200);
    dequantizeInto(q.codes.data(), q.scales(), global, shape, scheme, Element::BF16, values.data());
    keep(values.data(), 1600);
    const float maximum = amax(x.data(), Element::F32, shape, scheme);
    keep(&maximum, 4);
    GemmBound out[64];
    const QuantizedView view{q.codes.data(), q.scales(), q.global, shape, scheme};
    gemmExact(view, view, x.data(), out);
    for (const GemmBound &bound : out) {
      keep(&bound.exact, 8);
      const double tolerance = bound.tolerance(x[0], Element::BF16);
      keep(&tolerance, 8);
      const Conformance verdict = checkBound(bound, x[7], Element::F32);
      keep(&verdict, 1);
    }
  }
  std::vector<float> rotated(8 * 128);
  rotateInto(x.data(), Element::F32, shape, presetRotation(32), rotated.data());
  keep(rotated.data(), 4096);
  std::vector<double> wide(x.begin(), x.begin() + 128);
  rotateF64(wide.data(), 1, presetRotation(128));
  keep(wide.data(), 1024);
  for (float value : x) {
    const uint8_t scale = encodeUE4M3(std::fabs(value));
    const uint16_t half = f32ToF16(value), brain = f32ToBF16(value);
    const float back = f16ToF32(half), single = floatOf(bitsOf(value));
    keep(&scale, 1);
    keep(&half, 2);
    keep(&brain, 2);
    keep(&back, 4);
    keep(&single, 4);
  }
  const float s = globalScale(x[1], Format::E1M2);
  keep(&s, 4);
  return bytes;
}

std::vector<float> data() {
  std::vector<float> x = Noise(40).gauss(800);
  for (size_t i = 0; i < x.size(); i += 5)
    x[i] *= 0x1p-128f;
  for (size_t i = 0; i < x.size(); i += 7)
    x[i] *= 0x1p-16f;
  x[7] = 0x1p-140f;
  return x;
}

} // namespace

// Breaks if a result changes when the caller rounds another way.
TEST(Q, CallersRoundingModeDoesNotMatter) {
  const std::vector<float> x = data();
  const std::vector<uint8_t> expected = computeAll(x);
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const std::vector<uint8_t> found = computeAll(x);
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(found == expected, true) << mode;
    EXPECT_EQ(after, mode);
  }
}

#if defined(__SSE2__)
// Breaks if a denormal is flushed because the caller flushes them, or the
// caller's control and status bits are not as they were.
TEST(Q, CallersFlushToZeroDoesNotMatterAndIsKept) {
  const std::vector<float> x = data();
  const std::vector<uint8_t> expected = computeAll(x);
  const unsigned before = _mm_getcsr();
  // FTZ, DAZ, rounding upward, the divide-by-zero flag; traps as they are.
  const unsigned state = (before & ~0x3Fu) | 0x8040 | 0x4000 | 0x04;
  _mm_setcsr(state);
  const std::vector<uint8_t> found = computeAll(x);
  const unsigned after = _mm_getcsr();
  _mm_setcsr(state);
  // One call on its own: the flags it raises are not the caller's business.
  uint8_t codes[32];
  float scales[2];
  quantizeInto(x.data(), Element::F32, {1, 1, 32}, Scheme(), nullptr, nullptr, nullptr, codes,
               scales, nullptr);
  const unsigned afterOne = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(found == expected, true);
  EXPECT_EQ(after & ~0x3Fu, state & ~0x3Fu);
  EXPECT_EQ(afterOne, state);
}

// Breaks if the guard leaves a control bit other than the reset state.
TEST(Q, GuardSetsNearestAndKeepsDenormals) {
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040 | 0x6000);
  unsigned inside;
  {
    FloatEnvironment environment;
    inside = _mm_getcsr();
  }
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(inside, 0x1F80u);
  EXPECT_EQ(after, before | 0x8040 | 0x6000);
}
#endif

// Breaks if the library has state: two threads at once, one of them flushing.
TEST(Q, TwoThreadsAtOnce) {
  const std::vector<float> x = data();
  const std::vector<uint8_t> expected = computeAll(x);
  std::vector<uint8_t> found[2];
  const auto work = [&](int i) {
#if defined(__SSE2__)
    if (i)
      _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    for (int trial = 0; trial < 5; ++trial)
      found[i] = computeAll(x);
  };
  std::thread first(work, 0), second(work, 1);
  first.join();
  second.join();
  EXPECT_EQ(found[0] == expected, true);
  EXPECT_EQ(found[1] == expected, true);
}
