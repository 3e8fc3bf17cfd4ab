//===- Backend.h - Running an LLVM backend in this process ------*- C++ -*-===//

#ifndef UFP4_LIB_TARGET_BACKEND_H
#define UFP4_LIB_TARGET_BACKEND_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace ufp4::target {

/// The assembly that a machine makes of a copy of a module; `chip` is for messages. Call it under
/// the CodegenOptions that the machine was made with. Errors: the module was not prepared for the
/// machine or does not verify, or the backend cannot select an instruction (its words).
llvm::Expected<std::string> emitAssembly(llvm::Module &module,
                                         std::unique_ptr<llvm::TargetMachine> machine,
                                         llvm::StringRef chip);

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_BACKEND_H
