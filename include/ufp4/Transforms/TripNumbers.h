//===- TripNumbers.h - which trip of a loop runs ----------------*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_TRIPNUMBERS_H
#define UFP4_TRANSFORMS_TRIPNUMBERS_H

#include "mlir/IR/Builders.h"

namespace ufp4 {

/// Gives every `scf.while` around one of `ops` a counter of its trips: the last argument of both
/// its regions. The operations are moved, not copied.
void addTripCounters(llvm::ArrayRef<mlir::Operation *> ops);

/// The number of the running trip, an i64 from 0, in the body of a `scf.for` or of a `scf.while`
/// that `addTripCounters` has seen.
mlir::Value getTripNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Region &body);

} // namespace ufp4

#endif // UFP4_TRANSFORMS_TRIPNUMBERS_H
