//===- ufp4-compile.cpp - A module's code, ahead of time ------------------===//

#include "Compile.h"

#include "ufp4/Driver/TrainingFlags.h"
#include "ufp4/Pipelines/Tables.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (ufp4::printRequestedTables(argc, argv))
    return 0;
  ufp4::compile::CompileOptions options;
  cl::OptionCategory category("ufp4-compile options");
  cl::opt<std::string, true> input(cl::Positional, cl::location(options.input),
                                   cl::desc("<module>"), cl::cat(category));
  cl::list<std::string> targets("target", cl::CommaSeparated, cl::cat(category),
                                cl::value_desc("cpu,CHIP,…"),
                                cl::desc("What to compile for: this machine's processors, chips"));
  cl::opt<std::string, true> output("o", cl::location(options.outputDir), cl::value_desc("DIR"),
                                    cl::desc("Folder for the code and manifest.json"),
                                    cl::cat(category));
  cl::opt<std::string, true> e1m2(
      "e1m2", cl::location(options.e1m2), cl::init("auto"), cl::cat(category),
      cl::value_desc("PATH"),
      cl::desc("How e1m2 GEMMs are computed: auto, native, container, post or fold"));
  cl::opt<bool, true> failOnFallback("fail-on-fallback", cl::location(options.failOnFallback),
                                     cl::cat(category),
                                     cl::desc("Fail if a quantized GEMM has no kernel"));
  cl::opt<bool, true> roofline(
      "roofline", cl::location(options.roofline), cl::cat(category),
      cl::desc("Print what each launch takes and what binds it, and write roofline.json"));
  cl::opt<std::string, true> ptxas("ptxas", cl::location(options.ptxas), cl::cat(category),
                                   cl::value_desc("FILE"),
                                   cl::desc("The assembler (default: searched for)"));
  cl::opt<std::string, true> name(
      "name", cl::location(options.library.name), cl::cat(category), cl::value_desc("NAME"),
      cl::desc("What the CPU's library and its functions are called (default: step)"));
  cl::opt<std::string, true> processor(
      "mcpu", cl::location(options.library.processor), cl::cat(category), cl::value_desc("NAME"),
      cl::desc("The processor, as LLVM spells it (default: native, this machine's)"));
  cl::opt<std::string, true> linker("linker", cl::location(options.linker), cl::cat(category),
                                    cl::value_desc("FILE"),
                                    cl::desc("The linker or compiler that makes the CPU's library "
                                             "(default: searched for)"));
  ufp4::TrainingFlags training(category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Compiles a step to a library for C, or its GEMMs to kernels\n");
  options.targets.assign(targets.begin(), targets.end());
  options.training = training.get();

  llvm::Error error = training.verify();
  if (!error)
    error = ufp4::compile::compile(options);
  if (error) {
    llvm::WithColor::error(llvm::errs(), "ufp4-compile")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
