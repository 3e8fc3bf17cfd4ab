//===- Backend.h - Running an LLVM backend in this process ------*- C++ -*-===//

#ifndef UFP4_LIB_TARGET_BACKEND_H
#define UFP4_LIB_TARGET_BACKEND_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Objects.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace ufp4::target {

/// The machine of LLVM's backend for a chip, whose targets the caller has initialised. Products and
/// sums are not contracted: roundings are the kernels' own. Errors: LLVM has none for the chip.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createMachine(const Chip &chip,
                                                                   llvm::StringRef backend);

/// The assembly that a machine makes of a copy of a module. Call it under the CodegenOptions that
/// the machine was made with. Errors: the module was not prepared for the machine or does not
/// verify, or the backend cannot select an instruction (its words).
llvm::Expected<Assembly>
emitAssembly(llvm::Module &module, std::unique_ptr<llvm::TargetMachine> machine, const Chip &chip);

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_BACKEND_H
