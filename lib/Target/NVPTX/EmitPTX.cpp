//===- EmitPTX.cpp - LLVM modules to PTX ----------------------------------===//

#include "../Backend.h"
#include "../CodegenOptions.h"

#include "ufp4/Target/NVPTX/Binary.h"

#include "ufp4/Support/Error.h"

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace ufp4;
using namespace ufp4::target;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

/// Under the options' mutex: the machine reads some switches when it is made.
static Expected<std::unique_ptr<llvm::TargetMachine>> createNVMachine(const Chip &chip,
                                                                      CodegenOptions &options) {
  static const bool once = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    return true;
  }();
  (void)once;
  if (chip.vendor != Vendor::NVIDIA)
    return fail("PTX is for NVIDIA's chips, and " + StringRef(chip.name) + " is " +
                stringify(chip.vendor) + "'s");
  // Loop strength reduction costs a quarter of the instructions beside the MMAs in a GEMM's loop.
  if (Error error = options.set("disable-lsr", true))
    return std::move(error);
  // A shared-memory address of 64 bits costs two instructions where 32 bits cost one.
  if (Error error = options.set("nvptx-short-ptr", true))
    return std::move(error);
  return createMachine(chip, "NVPTX");
}

Error ufp4::target::prepareModule(llvm::Module &module, const Chip &chip) {
  CodegenOptions options;
  auto machine = createNVMachine(chip, options);
  if (!machine)
    return machine.takeError();
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  return Error::success();
}

Expected<PTX> ufp4::target::emitPTX(llvm::Module &module, const Chip &chip) {
  CodegenOptions options;
  auto machine = createNVMachine(chip, options);
  if (!machine)
    return machine.takeError();
  return emitAssembly(module, std::move(*machine), chip);
}

PTX ufp4::target::selectKernels(const PTX &ptx, llvm::function_ref<std::string(StringRef)> nameOf) {
  constexpr StringRef entryDirective = ".entry ", announcement = "\t// .globl\t", end = "\n}\n";
  PTX selected;
  selected.chip = ptx.chip;
  for (StringRef rest = ptx.text; !rest.empty();) {
    auto [line, following] = rest.split('\n');
    rest = following;
    if (line.starts_with(announcement))
      continue;
    auto [before, after] = line.split(entryDirective);
    if (after.empty()) {
      selected.text += (line + "\n").str();
      continue;
    }
    // The kernel's own braces alone are in the first column.
    size_t size = rest.find(end) + end.size();
    StringRef body = rest.take_front(size), name = after.split('(').first;
    rest = rest.drop_front(body.size());
    std::string given = nameOf(name);
    if (given.empty())
      continue;
    selected.kernels.push_back(given);
    selected.text +=
        (before + entryDirective + given + after.drop_front(name.size()) + "\n" + body).str();
  }
  return selected;
}
