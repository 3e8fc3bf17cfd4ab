//===- Passes.h - the storage level to kernels ------------------*- C++ -*-===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_PASSES_H
#define UFP4_CONVERSION_UFP4TOGPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "ufp4/Target/Manifest.h"

#include <memory>

namespace ufp4 {

#define GEN_PASS_DECL
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"

/// On a launch, where all of them are known: the extents that its kernel's manifest entry names.
inline constexpr llvm::StringLiteral kLaunchExtentsAttr = "ufp4.launch_extents";

/// The pass `--ufp4-to-gpu`, which also describes the kernels that it builds, without their files.
std::unique_ptr<mlir::Pass> createUFP4ToGPU(llvm::StringRef target, target::Manifest &manifest);

#define GEN_PASS_REGISTRATION
#include "ufp4/Conversion/UFP4ToGPU/Passes.h.inc"

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_PASSES_H
