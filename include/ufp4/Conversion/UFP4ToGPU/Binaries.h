//===- Binaries.h - From a module of kernels to objects ---------*- C++ -*-===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_BINARIES_H
#define UFP4_CONVERSION_UFP4TOGPU_BINARIES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "ufp4/Target/Manifest.h"
#include "ufp4/Target/NVPTX/Binary.h"

namespace ufp4 {

/// What kernels are compiled to.
struct KernelObjects {
  /// LLVM IR, as the backend took it.
  std::string code;
  /// Of the kernels that a driver may compile.
  target::Assembly assembly;
  /// Of those that exist in the binary alone, as they are before it is rewritten; their names end
  /// in `target::kUnpatchedSuffix`. It computes something else.
  target::Assembly unpatched;
  /// Those kernels.
  std::vector<target::MarkedKernel> rewritten;
  /// Nothing where no assembler was found: `note` says where it was looked for.
  std::optional<target::Binary> binary;
  std::string note;
};

/// Compiles a module of kernels, whose IR is not changed; not to a binary where the driver is to do
/// that. Errors: what the backend or the assembler says; kernels on the uniform grid that there is
/// no assembler for, or that cannot be rewritten.
llvm::Expected<KernelObjects> compileKernels(mlir::gpu::GPUModuleOp module,
                                             const target::Chip &chip,
                                             const target::PtxasOptions &options = {},
                                             bool toBinary = true);

/// Fills in what an assembled kernel takes: registers and its own shared memory.
void addUsage(target::Manifest &manifest, const KernelObjects &objects);

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_BINARIES_H
