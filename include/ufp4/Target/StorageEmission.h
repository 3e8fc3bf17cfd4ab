//===- StorageEmission.h - Storage formulas as code -------------*- C++ -*-===//
//
// What OperandStorage.h says of single places, as code on i32 values; quantize kernels and matrix
// instructions share it.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_STORAGEEMISSION_H
#define UFP4_TARGET_STORAGEEMISSION_H

#include "ufp4/Target/Emission.h"
#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

/// TileMajorStorage::swizzle.
inline mlir::Value emitSwizzle(KernelBuilder &b, const TileMajorStorage &storage, mlir::Value row) {
  if (storage.order == TileMajorStorage::LineOrder::Fours)
    return b.bitAnd(b.shr(row, 2), 7);
  mlir::Value low = storage.foldedBit ? b.bitXor(row, b.shr(row, storage.foldedBit)) : row;
  return b.bitOr(b.bitAnd(b.shr(row, 2), 6), b.bitAnd(low, 1));
}

/// TileMajorStorage::line.
inline mlir::Value emitLine(KernelBuilder &b, const TileMajorStorage &storage, mlir::Value row) {
  if (storage.order == TileMajorStorage::LineOrder::Rows)
    return row;
  return b.bitOr(b.shl(b.bitAnd(row, 3), 5), b.shr(row, 2));
}

} // namespace ufp4::target

#endif // UFP4_TARGET_STORAGEEMISSION_H
