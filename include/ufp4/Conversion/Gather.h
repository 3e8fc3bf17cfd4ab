//===- Gather.h - rows by their indices -------------------------*- C++ -*-===//

#ifndef UFP4_CONVERSION_GATHER_H
#define UFP4_CONVERSION_GATHER_H

#include "mlir/IR/Builders.h"

namespace ufp4 {

/// Which row of an input of `count` row `position` of the gathered tensor is: the nearest to
/// `rows[position]` that there is.
mlir::Value emitRowIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value rows,
                         mlir::Value position, int64_t count);

/// The gathered tensor itself.
mlir::Value emitGather(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input,
                       mlir::Value rows);

} // namespace ufp4

#endif // UFP4_CONVERSION_GATHER_H
