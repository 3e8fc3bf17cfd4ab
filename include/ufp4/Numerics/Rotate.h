//===- Rotate.h - The random Hadamard transform ------------------*- C++ -*-===//
//
// docs/spec.md Q2: x' = x diag(signs) H / sqrt(n) on runs of n along K, as in
// arXiv 2509.25149. Its own inverse up to the signs, so a product of two
// operands in one rotation is the product without it.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_ROTATE_H
#define UFP4_NUMERICS_ROTATE_H

#include "ufp4/Numerics/Elements.h"
#include "ufp4/Numerics/Scheme.h"

namespace ufp4::numerics {

/// Rotates a [G, R, K] view into [G, R, ceil(K / n) n] f32 values, each rounded
/// exactly as the butterfly evaluation of Q2 says; without a rotation, widens.
/// `x` is aligned to its element; `out` must not overlap it.
void rotateInto(const void *x, Element element, ViewShape shape, const Rotation &rotation,
                float *out);

/// The same transform in double, in place on `runs` consecutive runs: what the
/// f32 rotation approximates. For tests and reports.
void rotateF64(double *x, int64_t runs, const Rotation &rotation);

namespace detail {

/// Widens `count` elements from index `offset` of x and zeroes the rest of the
/// `padded` ones.
void widen(const void *x, Element element, int64_t offset, int64_t count, int64_t padded,
           float *out);

/// Q2 in place; count is a multiple of the rotation's size.
void rotate(float *x, int64_t count, const Rotation &rotation);

} // namespace detail
} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_ROTATE_H
