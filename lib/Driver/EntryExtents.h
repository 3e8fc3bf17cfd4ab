//===- EntryExtents.h - Which extents of arguments must agree ---*- C++ -*-===//

#ifndef UFP4_DRIVER_ENTRYEXTENTS_H
#define UFP4_DRIVER_ENTRYEXTENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace ufp4 {

/// Notes on every public function, as `ufp4.extents`, which dynamic extents of its arguments must
/// equal one another or a number for its operations to be defined; `readSignature` reads them.
/// Seen are operations that run on every call, on tensors whose extents are those of arguments.
void noteEntryExtents(mlir::ModuleOp module);

} // namespace ufp4

#endif // UFP4_DRIVER_ENTRYEXTENTS_H
