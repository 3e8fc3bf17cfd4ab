//===- GroupTable.h - Reading the table of groups ---------------*- C++ -*-===//
//
// A block's tile is a tile of C; which, and how deep, is all that groups change of a GEMM.
//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_GROUPTABLE_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_GROUPTABLE_H

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/GroupKernel.h"
#include "ufp4/Target/Emission.h"

namespace ufp4 {

/// The fields of a record (GroupField).
struct GroupRecord {
  mlir::Value group, begin, size, firstTile;
};

GroupRecord loadGroupRecord(target::KernelBuilder &b, mlir::Value table, mlir::Value index);

/// What is computed of a tile of C.
struct TileWork {
  /// i32: the product among those of C; the rows of C that the tile begins with and that it ends
  /// before; its matrix among those of A and of B; steps along K.
  mlir::Value product, firstRow, rowEnd, matrixA, matrixB, steps;
  /// The first step's tile along K; null for 0.
  mlir::Value firstStep;
  /// The group whose S counts, and whether there is one; null for none.
  mlir::Value group, isGroup;
};

/// Of the tile in a row of tiles of product number `batch`; `m` rows, `depthTiles` tiles along K.
TileWork locateWork(target::KernelBuilder &b, const GemmKernelSpec &spec,
                    const target::GemmSchedule &schedule, mlir::Value row, mlir::Value batch,
                    mlir::Value m, mlir::Value depthTiles, mlir::Value groups,
                    mlir::Value groupCount);

/// S of an operand, or of its group, from its argument; null where there is none.
mlir::Value loadGlobal(target::KernelBuilder &b, mlir::Value place, const TileWork &work);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_GROUPTABLE_H
