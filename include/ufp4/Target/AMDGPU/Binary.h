//===- Binary.h - From LLVM IR to AMDGCN and hsaco --------------*- C++ -*-===//
//
// LLVM module -> AMDGCN assembly by the AMDGPU backend -> object by LLVM's assembler, both in this
// process -> code object (hsaco) by LLVM's ld.lld in a process of its own. No ROCm installation
// takes part. Emission is a function of the module and the chip.
//
// Sources: LLVM's "User Guide for AMDGPU Backend" (code object version 5, metadata).
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_AMDGPU_BINARY_H
#define UFP4_TARGET_AMDGPU_BINARY_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Objects.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace ufp4::target {

/// Gives a module the triple, data layout and code object version that `emitAMDGCN` expects, and
/// loops and products with powers of two the form that the backend does best with.
llvm::Error prepareAMDModule(llvm::Module &module, const Chip &chip);

/// Generates code at -O3 with no middle-end passes, of a copy of the module. Errors: the chip is
/// not AMD's, the module was not prepared for it or does not verify, or the backend cannot select
/// an instruction (its words).
llvm::Expected<Assembly> emitAMDGCN(llvm::Module &module, const Chip &chip);

/// What the assembly's metadata says of its kernels.
llvm::Expected<std::vector<KernelUsage>> readUsage(llvm::StringRef assembly);

/// The ld.lld to run: `path` if it is not empty, else of the LLVM that this was built with, else on
/// the PATH, first under the name with that LLVM's version. `ToolNotFound` lists where it was
/// looked for.
llvm::Expected<std::string> findDeviceLinker(llvm::StringRef path = {});

/// Assembles and links. Errors: `ToolNotFound`, what the assembler or the linker says.
llvm::Expected<Binary> linkCodeObject(const Assembly &assembly, const Chip &chip,
                                      llvm::StringRef linker = {});

} // namespace ufp4::target

#endif // UFP4_TARGET_AMDGPU_BINARY_H
