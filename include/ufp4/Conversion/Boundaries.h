//===- Boundaries.h - quantized values across functions and loops -*- C++ -*-===//
//
// Every lowering of `!ufp4.tensor` makes several values of one. These patterns carry them through
// func, scf, cf and arith.select, whatever the several values are.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_BOUNDARIES_H
#define UFP4_CONVERSION_BOUNDARIES_H

#include "mlir/Transforms/DialectConversion.h"

namespace ufp4 {

/// Converts functions, calls, returns, scf.for, scf.if, scf.while, branches and selects 1:N.
void populateBoundaryPatterns(mlir::RewritePatternSet &patterns,
                              const mlir::TypeConverter &converter);

/// Whether all types of an operation, its regions and its signature are legal.
bool hasLegalTypes(mlir::Operation *op, const mlir::TypeConverter &converter);

/// Whether the patterns convert an operation. Yields and branches are converted with the operation
/// that they belong to.
bool isBoundary(mlir::Operation *op);

/// Whether a boundary hands on this value: it is a result or a block argument of one.
bool comesFromBoundary(mlir::Value value);

} // namespace ufp4

#endif // UFP4_CONVERSION_BOUNDARIES_H
