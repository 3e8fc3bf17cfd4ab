//===- Rewrite.h - From the device's module to one of the host --*- C++ -*-===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_REWRITE_H
#define UFP4_LIB_EXECUTION_EMULATOR_REWRITE_H

#include "Launch.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace ufp4::emulator {

/// Where a piece of rewritten code comes from.
struct Origin {
  std::string instruction, location, function;
  UniformCodes codes;
};

llvm::Error makeFault(FaultKind kind, std::string message, const Origin &origin);

/// Rewrites a module so that the host can run it: target instructions, assembly and memory accesses
/// become calls of the runtime, address spaces become flat, shared variables become constants in
/// `program.sharedBase`, and every kernel gets an entry that takes pointers to its arguments.
class Rewriter {
public:
  Rewriter(llvm::Module &module, Program &program) : module(module), program(program) {}

  llvm::Error run();

  /// A call of the named operation. `result` may be void, a scalar, or a struct.
  llvm::Expected<llvm::Value *> emit(llvm::IRBuilder<> &b, llvm::StringRef name,
                                     llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *result,
                                     const Origin &origin);
  llvm::Value *emitSpecial(llvm::IRBuilder<> &b, Special special, llvm::Type *type);
  /// The value's bits in another type: truncated or extended by zeros.
  llvm::Value *coerce(llvm::IRBuilder<> &b, llvm::Value *value, llvm::Type *type);

  void setOrigin(const llvm::Instruction *instruction, Origin origin) {
    origins[instruction] = std::move(origin);
  }
  const Origin &originOf(const llvm::Instruction *instruction) { return origins[instruction]; }

  static std::string entryName(llvm::StringRef kernel) {
    return ("ufp4.emulator.entry." + kernel).str();
  }
  static constexpr llvm::StringRef kOperation = "ufp4.emulator.operation";
  static constexpr llvm::StringRef kAccess = "ufp4.emulator.access";
  static constexpr llvm::StringRef kSpecial = "ufp4.emulator.special";
  static constexpr llvm::StringRef kBlocks = "ufp4.emulator.blocks";

private:
  llvm::Error checkFunction(const llvm::Function &function);
  llvm::Error checkTensorLoads(llvm::Function &function);
  void recordKernel(llvm::Function &function);
  void recordOrigins(llvm::Function &function);
  void countBlocks();
  llvm::Error placeSharedVariables();
  llvm::Error rewriteFunction(llvm::Function &function);
  llvm::Error rewriteCall(llvm::CallInst &call);
  llvm::Error rewriteIntrinsic(llvm::CallInst &call);
  llvm::Error rewriteFence(llvm::FenceInst &fence);
  void instrument(llvm::Instruction &instruction);
  void emitAccess(llvm::IRBuilder<> &b, llvm::Value *pointer, llvm::Value *bytes, Site site);
  llvm::Value *buffer(llvm::IRBuilder<> &b, bool isInput, unsigned words);
  void moveAlloca(llvm::AllocaInst &alloca);
  void addEntry(llvm::Function &kernel);
  void stripAttributes(llvm::Function &function);
  llvm::Expected<unsigned> addSite(llvm::StringRef name, const Origin &origin);

  llvm::Module &module;
  Program &program;
  llvm::DenseMap<const llvm::Instruction *, Origin> origins;
  llvm::StringMap<std::shared_ptr<const Operation>> operations;
  std::vector<llvm::Function *> kernels;
  /// The words that the current function passes to and gets from the runtime.
  llvm::AllocaInst *inputs = nullptr, *outputs = nullptr;
  unsigned inputWords = 0, outputWords = 0;
  llvm::DenseMap<llvm::Function *, std::vector<unsigned>> byValue;
};

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_REWRITE_H
