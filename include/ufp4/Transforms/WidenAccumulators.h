//===- WidenAccumulators.h - bf16 and f16 sums in f32 -----------*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_WIDENACCUMULATORS_H
#define UFP4_TRANSFORMS_WIDENACCUMULATORS_H

#include "mlir/IR/Operation.h"

namespace ufp4 {

/// How many sums were widened.
struct WidenedSums {
  unsigned contractions = 0, reductions = 0;
};

/// Rewrites every linalg sum below `root` that accumulates in bf16 or f16 to accumulate in f32 and
/// round once (G3; --ufp4-widen-accumulators).
WidenedSums widenAccumulators(mlir::Operation *root);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_WIDENACCUMULATORS_H
