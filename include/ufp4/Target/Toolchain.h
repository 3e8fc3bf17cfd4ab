//===- Toolchain.h - What a vendor's kernels are made by --------*- C++ -*-===//

#ifndef UFP4_TARGET_TOOLCHAIN_H
#define UFP4_TARGET_TOOLCHAIN_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/NVPTX/Binary.h"
#include "ufp4/Target/Objects.h"

namespace ufp4::target {

/// One row for each vendor.
struct Toolchain {
  /// The files that kernels go to.
  llvm::StringLiteral assemblyFile, binaryFile;
  /// Makes a module one that `emit` takes.
  llvm::Error (*prepare)(llvm::Module &module, const Chip &chip);
  llvm::Expected<Assembly> (*emit)(llvm::Module &module, const Chip &chip);
  /// Assembles and links. `ToolNotFound` where a program for that was looked for and is not there.
  llvm::Expected<Binary> (*assemble)(const Assembly &assembly, const Chip &chip,
                                     const PtxasOptions &options);
};

const Toolchain &getToolchain(const Chip &chip);

} // namespace ufp4::target

#endif // UFP4_TARGET_TOOLCHAIN_H
