//===- CastElements.h - casts a tensor element by element -------*- C++ -*-===//

#ifndef UFP4_TRANSFORMS_CASTELEMENTS_H
#define UFP4_TRANSFORMS_CASTELEMENTS_H

#include "mlir/IR/Builders.h"

namespace ufp4 {
/// A tensor of floats with its elements cast to `elementType`, by a `linalg.generic` of
/// arith.truncf or arith.extf; the tensor itself where that is its element type.
mlir::Value castElements(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                         mlir::Type elementType);
} // namespace ufp4

#endif // UFP4_TRANSFORMS_CASTELEMENTS_H
