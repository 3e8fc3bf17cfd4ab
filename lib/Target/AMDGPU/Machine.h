//===- Machine.h - LLVM's target machine for a chip -------------*- C++ -*-===//

#ifndef UFP4_LIB_TARGET_AMDGPU_MACHINE_H
#define UFP4_LIB_TARGET_AMDGPU_MACHINE_H

#include "ufp4/Target/Capabilities.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace ufp4::target {

/// Fails where the chip is not AMD's or this LLVM has no backend for it. Call it under
/// CodegenOptions: the machine reads some switches when it is made.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createAMDMachine(const Chip &chip);

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_AMDGPU_MACHINE_H
