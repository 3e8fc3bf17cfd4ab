//===- CPU.h - The CPU as a target of ufp4-run ------------------*- C++ -*-===//

#ifndef UFP4_TOOLS_UFP4_RUN_CPU_H
#define UFP4_TOOLS_UFP4_RUN_CPU_H

#include "ufp4/Execution/QuantizedDump.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace ufp4::run {

/// The CPU's kernels for a replay. Both borrow the context.
ReplayKernels cpuReplayKernels(mlir::MLIRContext &context);

} // namespace ufp4::run

#endif // UFP4_TOOLS_UFP4_RUN_CPU_H
