//===- EmitAMDGCN.cpp - LLVM modules to AMDGCN assembly -------------------===//

#include "../Analyses.h"
#include "../Backend.h"
#include "../CodegenOptions.h"
#include "Machine.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Target/AMDGPU/Binary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

extern "C" {
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser();
}

/// Code objects that every ROCm since 5.6 loads.
static constexpr unsigned codeObjectVersion = 500;

Expected<std::unique_ptr<llvm::TargetMachine>> ufp4::target::createAMDMachine(const Chip &chip) {
  static const bool once = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    return true;
  }();
  (void)once;
  if (chip.vendor != Vendor::AMD)
    return fail("AMDGCN is for AMD's chips, and " + StringRef(chip.name) + " is " +
                stringify(chip.vendor) + "'s");
  return createMachine(chip, "AMDGPU");
}

/// Kernels order memory for the "device"; AMD's backend calls that an agent.
static void renameScopes(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::SyncScope::ID device = context.getOrInsertSyncScopeID("device"),
                      agent = context.getOrInsertSyncScopeID("agent");
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *rmw = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
          rmw && rmw->getSyncScopeID() == device)
        rmw->setSyncScopeID(agent);
}

/// Matrix instructions write to vector registers, whose values FMAs read; accumulation registers
/// would cost a move for each. Two waves for each SIMD leave 256 of them.
static void keepSumsInVectorRegisters(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &instruction) {
          auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
          return callee && callee->getName().starts_with("llvm.amdgcn.mfma.");
        })) {
      function.addFnAttr("amdgpu-agpr-alloc", "0");
      function.addFnAttr("amdgpu-waves-per-eu", "2,2");
    }
}

/// Products with powers of two are shifts: the backend would make multiply-adds of them, each with
/// the product in it, or 24-bit multiplications.
static void shiftForPowers(llvm::Module &module) {
  using namespace llvm::PatternMatch;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Value *x;
      const llvm::APInt *factor;
      if (!match(&instruction, m_Mul(m_Value(x), m_Power2(factor))))
        continue;
      llvm::IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(builder.CreateShl(x, factor->logBase2()));
      instruction.eraseFromParent();
    }
}

/// Conversions of two times sixteen numbers write results before they have read all of those, and
/// LLVM 22 does not know: something behind each uses both, so that they share no registers.
static void keepSourcesApart(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with("llvm.amdgcn.cvt.scalef32.2xpk16."))
      continue;
    for (llvm::User *user : function.users()) {
      auto *call = llvm::cast<llvm::CallInst>(user);
      llvm::Value *uses[] = {call, call->getArgOperand(0), call->getArgOperand(1)};
      llvm::IRBuilder<> builder(call->getNextNode());
      auto *type = llvm::FunctionType::get(
          builder.getVoidTy(), {uses[0]->getType(), uses[1]->getType(), uses[2]->getType()}, false);
      builder.CreateCall(type, llvm::InlineAsm::get(type, "", "v,v,v", /*hasSideEffects=*/true),
                         uses);
    }
  }
}

/// Loops end where they go on, or not. One that is left from its head lets the values that it
/// carries meet there with those of the way out, in registers of their own: a copy for each
/// accumulator.
static void rotateLoops(llvm::Module &module) {
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, analyses.functions);
}

Error ufp4::target::prepareAMDModule(llvm::Module &module, const Chip &chip) {
  CodegenOptions options;
  auto machine = createAMDMachine(chip);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  renameScopes(module);
  shiftForPowers(module);
  rotateLoops(module);
  keepSumsInVectorRegisters(module);
  keepSourcesApart(module);
  module.setModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", codeObjectVersion);
  return Error::success();
}

Expected<Assembly> ufp4::target::emitAMDGCN(llvm::Module &module, const Chip &chip) {
  CodegenOptions options;
  auto machine = createAMDMachine(chip);
  if (!machine)
    return machine.takeError();
  return emitAssembly(module, std::move(*machine), chip);
}
