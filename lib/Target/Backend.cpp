//===- Backend.cpp - Running an LLVM backend in this process --------------===//

#include "Backend.h"

#include "ufp4/Support/Error.h"
#include "ufp4/Target/Objects.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <csetjmp>

#if LLVM_ADDRESS_SANITIZER_BUILD
#include <sanitizer/lsan_interface.h>
#endif

using namespace ufp4;
using namespace ufp4::target;
using llvm::Expected;
using llvm::StringRef;

char ToolNotFound::ID;

namespace {
/// Turns the backend's fatal errors on this thread into messages: it ends the process otherwise.
struct FatalErrorTrap {
  std::jmp_buf back;
  std::string message;
};
} // namespace

static thread_local FatalErrorTrap *trap = nullptr;

static void handleFatalError(void *, const char *reason, bool) {
  if (!trap)
    return;
  trap->message = reason;
  std::longjmp(trap->back, 1);
}

namespace {
/// Keeps the first error that the backend reports.
struct Diagnostics : llvm::DiagnosticHandler {
  explicit Diagnostics(std::string &error) : error(error) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error && error.empty()) {
      llvm::raw_string_ostream os(error);
      llvm::DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
    }
    return true;
  }
  std::string &error;
};

/// All that the backend touches. It is leaked after a fatal error, as it then may be half changed.
struct Codegen {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<llvm::TargetMachine> machine;
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os{text};
  llvm::legacy::PassManager passes;
};
} // namespace

/// What a fatal error leaks on its way out of the backend is no finding of LeakSanitizer's.
static void ignoreLeaks(bool ignore) {
#if LLVM_ADDRESS_SANITIZER_BUILD
  ignore ? __lsan_disable() : __lsan_enable();
#endif
}

/// Apart from everything with a destructor that must run: a fatal error jumps back to here.
static bool runGuarded(FatalErrorTrap &guard, Codegen &codegen) {
  const void *stackTrace = llvm::SavePrettyStackState();
  trap = &guard;
  ignoreLeaks(true);
  if (setjmp(guard.back) == 0) {
    codegen.passes.run(*codegen.module);
    trap = nullptr;
    ignoreLeaks(false);
    return true;
  }
  trap = nullptr;
  ignoreLeaks(false);
  llvm::RestorePrettyStackState(stackTrace);
  return false;
}

/// Whether it is an entry, by its calling convention.
static bool isKernel(const llvm::Function &function) {
  return !function.isDeclaration() &&
         (function.getCallingConv() == llvm::CallingConv::PTX_Kernel ||
          function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL);
}

Expected<std::unique_ptr<llvm::TargetMachine>> ufp4::target::createMachine(const Chip &chip,
                                                                           StringRef backend) {
  llvm::Triple triple(chip.triple);
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return fail("this LLVM has no " + backend + " backend: " + message);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, chip.name, chip.features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  if (!machine)
    return fail("LLVM makes no target machine for " + StringRef(chip.name));
  return std::move(machine);
}

Expected<Assembly> ufp4::target::emitAssembly(llvm::Module &module,
                                              std::unique_ptr<llvm::TargetMachine> machine,
                                              const Chip &chip) {
  std::string layout = machine->createDataLayout().getStringRepresentation();
  if (module.getDataLayoutStr() != layout)
    return fail("module '" + module.getModuleIdentifier() + "' was not prepared for " + chip.name +
                ": expected the data layout '" + layout + "', found '" + module.getDataLayoutStr() +
                "'");
  std::string problem;
  llvm::raw_string_ostream problemStream(problem);
  if (llvm::verifyModule(module, &problemStream))
    return fail("module '" + module.getModuleIdentifier() +
                "' is not valid: " + StringRef(problem).rtrim());

  // By bitcode into a context of its own: the backend's passes change the copy alone, and a context
  // that another thread works in is never touched.
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream bitcodeStream(bitcode);
  llvm::WriteBitcodeToFile(module, bitcodeStream);
  auto codegen = std::make_unique<Codegen>();
  auto copy = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, module.getModuleIdentifier()),
                                     codegen->context);
  if (!copy)
    return copy.takeError();
  codegen->module = std::move(*copy);
  codegen->module->setTargetTriple(machine->getTargetTriple());
  codegen->machine = std::move(machine);
  std::string diagnosed;
  codegen->context.setDiagnosticHandler(std::make_unique<Diagnostics>(diagnosed));

  if (codegen->machine->addPassesToEmitFile(codegen->passes, codegen->os, nullptr,
                                            llvm::CodeGenFileType::AssemblyFile))
    return fail("LLVM's backend for " + chip.name + " writes no assembly");
  FatalErrorTrap guard;
  bool completed = false;
  {
    llvm::ScopedFatalErrorHandler handler(handleFatalError);
    completed = runGuarded(guard, *codegen);
  }
  if (!completed) {
    codegen->context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
    static std::vector<Codegen *> &abandoned = *new std::vector<Codegen *>;
    abandoned.push_back(codegen.release());
    return fail("LLVM cannot compile module '" + module.getModuleIdentifier() + "' for " +
                chip.name + ": " + StringRef(guard.message).rtrim());
  }
  if (!diagnosed.empty())
    return fail("LLVM cannot compile module '" + module.getModuleIdentifier() + "' for " +
                chip.name + ": " + StringRef(diagnosed).rtrim());
  Assembly assembly;
  assembly.text = codegen->text.str().str();
  assembly.chip = chip.name;
  for (const llvm::Function &function : module)
    if (isKernel(function))
      assembly.kernels.push_back(function.getName().str());
  return assembly;
}
