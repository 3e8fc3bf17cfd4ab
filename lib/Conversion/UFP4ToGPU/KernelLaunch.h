//===- KernelLaunch.h - Launches from manifest entries ----------*- C++ -*-===//
//
// The host's half of a kernel: its grid and arguments are computed as its manifest entry says, from
// values that go by the entry's names. It knows no more of a kernel than a stranger does.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_KERNELLAUNCH_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_KERNELLAUNCH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "ufp4/Target/Manifest.h"
#include "llvm/ADT/StringMap.h"

namespace ufp4 {

struct LaunchOperands {
  /// Sizes and strides: index values.
  llvm::StringMap<mlir::Value> sizes;
  /// Scalars in the kernel's own types.
  llvm::StringMap<mlir::Value> scalars;
  /// Memrefs.
  llvm::StringMap<mlir::Value> buffers;
};

/// Emits the launch of `function` at the insertion point, under a guard where the grid may be
/// empty. Returns false, and emits nothing, where it is known to be.
bool emitLaunch(mlir::OpBuilder &builder, mlir::Location loc, const target::KernelEntry &kernel,
                mlir::gpu::GPUFuncOp function, const LaunchOperands &operands);

/// The memref that a launch's pointer operand was made of; null for another.
mlir::Value getLaunchedBuffer(mlir::Value pointer);

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_KERNELLAUNCH_H
