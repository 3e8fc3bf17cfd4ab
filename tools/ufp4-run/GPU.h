//===- GPU.h - GPUs, emulated, as targets of ufp4-run -----------*- C++ -*-===//

#ifndef UFP4_TOOLS_UFP4_RUN_GPU_H
#define UFP4_TOOLS_UFP4_RUN_GPU_H

#include "ufp4/Execution/QuantizedDump.h"
#include "ufp4/Target/Capabilities.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace ufp4::run {

/// A chip's quantize and GEMM kernels, run in the emulator, for a replay; e1m2 GEMMs by the path
/// that `e1m2` names. Borrows the context.
ReplayKernels emulatedReplayKernels(mlir::MLIRContext &context, const target::Chip &chip,
                                    llvm::StringRef e1m2);

} // namespace ufp4::run

#endif // UFP4_TOOLS_UFP4_RUN_GPU_H
