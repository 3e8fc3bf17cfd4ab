//===- GroupTable.h - Reading the table of groups ---------------*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_GROUPTABLE_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_GROUPTABLE_H

#include "ufp4/Conversion/UFP4ToGPU/GroupKernel.h"
#include "ufp4/Target/Emission.h"

namespace ufp4 {

/// The fields of a record (GroupField).
struct GroupRecord {
  mlir::Value group, begin, size, firstTile;
};

GroupRecord loadGroupRecord(target::KernelBuilder &b, mlir::Value table, mlir::Value index);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_GROUPTABLE_H
