//===- Codegen.cpp - Machine code for processors --------------------------===//

#include "../Analyses.h"
#include "../CodegenOptions.h"

#include "ufp4/Target/CPU/Codegen.h"

#include "ufp4/Support/Error.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace ufp4;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::orc::JITTargetMachineBuilder;

static void initializeTarget() {
  static const bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    return true;
  }();
  (void)once;
}

/// Whether the processor runs 64-bit code; x86's list begins with those that do not.
static bool is64Bit(const llvm::MCSubtargetInfo &processor) {
  return !processor.getTargetTriple().isX86() || processor.checkFeatures("+64bit");
}

/// Why LLVM, which would take a name that it does not know for a generic processor, is not asked.
static Error verifyProcessor(StringRef cpu, const llvm::Triple &triple) {
  std::string problem;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return fail(problem);
  auto describe = [&](StringRef name) {
    return std::unique_ptr<llvm::MCSubtargetInfo>(target->createMCSubtargetInfo(triple, name, ""));
  };
  std::unique_ptr<llvm::MCSubtargetInfo> all = describe("");
  StringRef nearest;
  for (const llvm::SubtargetSubTypeKV &known : all->getAllProcessorDescriptions()) {
    StringRef name = known.Key;
    if (name == cpu && is64Bit(*describe(cpu)))
      return Error::success();
    if (name != cpu && (nearest.empty() || cpu.edit_distance(name) < cpu.edit_distance(nearest)) &&
        is64Bit(*describe(name)))
      nearest = name;
  }
  return fail("LLVM knows no 64-bit processor '" + cpu + "' of " + triple.getArchName() +
              ", did you mean " + nearest + "? `native` is this machine's, " +
              llvm::sys::getHostCPUName() + "; `llc -mcpu=help` lists them all");
}

Expected<JITTargetMachineBuilder> target::findProcessor(StringRef cpu) {
  initializeTarget();
  auto processor = JITTargetMachineBuilder::detectHost();
  if (!processor)
    return processor.takeError();
  if (!cpu.empty() && cpu != "native") {
    if (Error error = verifyProcessor(cpu, processor->getTargetTriple()))
      return std::move(error);
    processor->setCPU(cpu.str());
    processor->setFeatures("");
  }
  processor->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  processor->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return processor;
}

Expected<std::unique_ptr<llvm::Module>>
target::translateForProcessor(mlir::ModuleOp module, llvm::LLVMContext &context,
                              const llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> code = mlir::translateModuleToLLVMIR(module, context);
  if (!code)
    return fail("the module cannot be translated to LLVM IR");
  code->setDataLayout(machine.createDataLayout());
  code->setTargetTriple(machine.getTargetTriple());
  return std::move(code);
}

/// The optimizer makes a bf16's choice between 1 and 0 a conversion of the condition, which
/// processors without bf16 do by a call of a library that need not be there.
static void expandConditions(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *conversion = llvm::dyn_cast<llvm::UIToFPInst>(&instruction);
      if (!conversion || !conversion->getType()->getScalarType()->is16bitFPTy() ||
          !conversion->getSrcTy()->isIntOrIntVectorTy(1))
        continue;
      llvm::IRBuilder<> b(conversion);
      llvm::Type *integer = conversion->getType()->getWithNewType(b.getInt16Ty());
      auto *one = llvm::ConstantExpr::getBitCast(llvm::ConstantFP::get(conversion->getType(), 1.0),
                                                 integer);
      llvm::Value *mask = b.CreateSExt(conversion->getOperand(0), integer);
      conversion->replaceAllUsesWith(
          b.CreateBitCast(b.CreateAnd(mask, one), conversion->getType()));
      conversion->eraseFromParent();
    }
}

void target::optimizeForProcessor(llvm::Module &module, llvm::TargetMachine &machine) {
  UnchangedCodegenOptions options;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  // A training step is one long chain of loops: copies of their bodies cost seconds of compilation
  // and gain nothing. The GEMM kernel comes unrolled.
  tuning.LoopUnrolling = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  // Loops come with canonical counters, and in a step's one long function this pass alone would
  // take most of the time.
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](llvm::StringRef pass, llvm::Any) { return pass != "IndVarSimplifyPass"; });
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  Analyses analyses(builder);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, analyses.modules);
  expandConditions(module);
}

Expected<llvm::SmallVector<char, 0>> target::emitObject(llvm::Module &module,
                                                        llvm::TargetMachine &machine) {
  UnchangedCodegenOptions options;
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, llvm::CodeGenFileType::ObjectFile))
    return fail("LLVM writes no object files for " + machine.getTargetTriple().str());
  passes.run(module);
  return bytes;
}
