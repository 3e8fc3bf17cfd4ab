//===- Codegen.h - Machine code for processors ------------------*- C++ -*-===//
//
// What the JIT and ahead-of-time compilation share: a processor, and the way from the LLVM dialect
// to optimised code for it.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_CPU_CODEGEN_H
#define UFP4_TARGET_CPU_CODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace ufp4::target {

/// The processor called `cpu`, as LLVM spells it, of this machine's architecture and operating
/// system; empty or `native`: this machine's own, with the features that it has. Code for it is at
/// -O3 and contracts no floating-point operations. Error: LLVM knows no 64-bit processor of that
/// name.
llvm::Expected<llvm::orc::JITTargetMachineBuilder> findProcessor(llvm::StringRef cpu);

/// LLVM IR for `machine` of a module in the LLVM dialect.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateForProcessor(mlir::ModuleOp module, llvm::LLVMContext &context,
                      const llvm::TargetMachine &machine);

/// LLVM's pipeline at -O3, without what costs a step's long functions seconds and gains nothing.
void optimizeForProcessor(llvm::Module &module, llvm::TargetMachine &machine);

/// The bytes of a relocatable object file.
llvm::Expected<llvm::SmallVector<char, 0>> emitObject(llvm::Module &module,
                                                      llvm::TargetMachine &machine);

} // namespace ufp4::target

#endif // UFP4_TARGET_CPU_CODEGEN_H
