//===- Rotate.cpp - The random Hadamard transform -------------------------===//

#include "ufp4/Numerics/Rotate.h"
#include "ufp4/Numerics/FloatEnvironment.h"

#include <algorithm>
#include <cassert>

namespace ufp4::numerics {

namespace {

/// 1 / sqrt(n), rounded to nearest in both types.
template <typename T> constexpr T inverseRoot(unsigned n) {
  constexpr T root2 = sizeof(T) == sizeof(float) ? T(0x1.6a09e6p0f) : T(0x1.6a09e667f3bcdp0);
  switch (n) {
  case 16:
    return T(0x1p-2);
  case 32:
    return root2 * T(0x1p-3);
  case 64:
    return T(0x1p-3);
  default:
    return root2 * T(0x1p-4);
  }
}

/// One stage: butterflies on neighbours, sums to the lower half and differences
/// to the upper. That moves the index bit just used to the top, so after as
/// many stages as there are bits every stride 1, 2, 4, ... has had its turn in
/// that order, in loops without strides, and all elements are home again.
template <unsigned N, typename T> void stage(const T *__restrict from, T *__restrict to) {
  for (unsigned i = 0; i < N / 2; ++i) {
    to[i] = from[2 * i] + from[2 * i + 1];
    to[i + N / 2] = from[2 * i] - from[2 * i + 1];
  }
}

template <unsigned N, typename T> void rotateRuns(T *x, int64_t runs, const Rotation &rotation) {
  constexpr T scale = inverseRoot<T>(N);
  T sign[N], other[N];
  for (unsigned i = 0; i < N; ++i)
    sign[i] = rotation.signs[i / 64] >> i % 64 & 1 ? T(-1) : T(1);
  for (int64_t run = 0; run < runs; ++run, x += N) {
    for (unsigned i = 0; i < N; ++i)
      x[i] *= sign[i];
    // Two stages at a time, there and back.
    unsigned stride = 1;
    for (; 2 * stride < N; stride *= 4) {
      stage<N>(x, other);
      stage<N>(other, x);
    }
    if (stride < N) {
      stage<N>(x, other);
      std::copy(other, other + N, x);
    }
    for (unsigned i = 0; i < N; ++i)
      x[i] *= scale;
  }
}

template <typename T> void rotateAny(T *x, int64_t count, const Rotation &rotation) {
  switch (rotation.size) {
  case 0:
    return;
  case 16:
    return rotateRuns<16>(x, count / 16, rotation);
  case 32:
    return rotateRuns<32>(x, count / 32, rotation);
  case 64:
    return rotateRuns<64>(x, count / 64, rotation);
  case 128:
    return rotateRuns<128>(x, count / 128, rotation);
  }
  assert(false && "illegal rotation size");
}

UFP4_NOINLINE void rotateRows(const void *x, Element element, ViewShape shape,
                              const Rotation &rotation, float *out) {
  const int64_t n = std::max(rotation.size, 1u);
  const int64_t padded = (shape.k + n - 1) / n * n;
  for (int64_t row = 0; row < shape.g * shape.r; ++row, out += padded) {
    detail::widen(x, element, row * shape.k, shape.k, padded, out);
    detail::rotate(out, padded, rotation);
  }
}

} // namespace

void detail::widen(const void *x, Element element, int64_t offset, int64_t count, int64_t padded,
                   float *out) {
  switch (element) {
  case Element::F32:
    std::copy_n(static_cast<const float *>(x) + offset, count, out);
    break;
  case Element::BF16: {
    const uint16_t *from = static_cast<const uint16_t *>(x) + offset;
    for (int64_t i = 0; i < count; ++i)
      out[i] = bf16ToF32(from[i]);
    break;
  }
  case Element::F16: {
    const uint16_t *from = static_cast<const uint16_t *>(x) + offset;
    for (int64_t i = 0; i < count; ++i)
      out[i] = f16ToF32(from[i]);
    break;
  }
  }
  std::fill(out + count, out + padded, 0.0f);
}

void detail::rotate(float *x, int64_t count, const Rotation &rotation) {
  rotateAny(x, count, rotation);
}

void rotateInto(const void *x, Element element, ViewShape shape, const Rotation &rotation,
                float *out) {
  FloatEnvironment environment;
  rotateRows(x, element, shape, rotation, out);
}

UFP4_NOINLINE static void rotateF64Runs(double *x, int64_t runs, const Rotation &rotation) {
  rotateAny(x, runs * rotation.size, rotation);
}

void rotateF64(double *x, int64_t runs, const Rotation &rotation) {
  FloatEnvironment environment;
  rotateF64Runs(x, runs, rotation);
}

} // namespace ufp4::numerics
