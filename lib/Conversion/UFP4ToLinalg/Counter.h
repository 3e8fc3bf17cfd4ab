//===- Counter.h - which random words an element draws ----------*- C++ -*-===//
//
// docs/spec.md Q7 and Q8: from local coordinates to the Philox counter.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOLINALG_COUNTER_H
#define UFP4_LIB_CONVERSION_UFP4TOLINALG_COUNTER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"

namespace ufp4 {

/// Elements that share one counter: 128 / b.
inline int64_t elementsPerDraw(QuantizeOp op) { return 128 / op.getRandomBits(); }

/// The counter (i64) of the draw that covers position `k` of a row of the view. `offsets`: the
/// place's dynamic ones; `extents`: the leading extents; all scalars, i64. `row`, the leading
/// coordinates, and `k` are i64 vectors of `lanes`, or scalars where it is 0.
mlir::Value emitCounter(mlir::OpBuilder &builder, mlir::Location loc, int64_t lanes, QuantizeOp op,
                        mlir::ValueRange offsets, mlir::ValueRange extents, mlir::ValueRange row,
                        mlir::Value k);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOLINALG_COUNTER_H
