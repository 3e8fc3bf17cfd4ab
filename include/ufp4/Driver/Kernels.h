//===- Kernels.h - Steps whose GEMMs run as a chip's kernels ----*- C++ -*-===//

#ifndef UFP4_DRIVER_KERNELS_H
#define UFP4_DRIVER_KERNELS_H

#include "ufp4/Conversion/UFP4ToGPU/Binaries.h"
#include "ufp4/Execution/EmulatedDevice.h"
#include "ufp4/Execution/OutputDirectory.h"
#include "ufp4/Pipelines/Pipelines.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace ufp4 {

/// Makes kernels of the quantizes and GEMMs of a module on tensors, in place, which are at the
/// storage level, and describes them in `manifest`, without files. Null where there are none. With
/// `outParams`, results of static shape are buffers that follow the arguments.
llvm::Expected<mlir::gpu::GPUModuleOp> makeKernels(mlir::ModuleOp module, const target::Chip &chip,
                                                   target::Manifest &manifest,
                                                   bool outParams = false);

/// A regular expression of the names of what writeKernels writes.
inline constexpr llvm::StringLiteral kKernelFiles =
    "^(kernels([.]unpatched)?[.](ll|ptx|cubin|amdgcn|hsaco)|manifest[.]json)$";
/// Completes a manifest by what was compiled, and writes both: kernels.ll, which ufp4-emulate runs,
/// the chip's assembly, its binary where there is one, kernels.unpatched.ptx where kernels of that
/// were rewritten, and manifest.json.
llvm::Error writeKernels(const OutputDirectory &out, target::Manifest &manifest,
                         const KernelObjects &objects);

/// Says of each kernel which files it is in and what the assembler gave it.
void describeObjects(target::Manifest &manifest, const KernelObjects &objects);

/// Kernels of a module on the emulated chip.
llvm::Expected<std::unique_ptr<EmulatedDevice>>
loadKernels(mlir::gpu::GPUModuleOp kernels, const target::Chip &chip,
            std::vector<target::KernelEntry> entries);

/// A step whose quantizes and GEMMs are launches on an emulated device; the rest runs on this
/// machine. Call it within a LaunchScope.
struct EmulatedStep {
  std::unique_ptr<JitModule> code;
  /// Null where the module has no kernels.
  std::unique_ptr<EmulatedDevice> device;
};

/// Compiles a module on tensors, in place, whose quantizes and GEMMs are at the storage level.
llvm::Expected<EmulatedStep> compileForEmulator(mlir::ModuleOp module, const target::Chip &chip);

} // namespace ufp4

#endif // UFP4_DRIVER_KERNELS_H
