//===- ufp4-run.cpp - Run a module on tensors -----------------------------===//

#include "Run.h"

#include "ufp4/Driver/TrainingFlags.h"
#include "ufp4/Pipelines/Tables.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (ufp4::printRequestedTables(argc, argv))
    return 0;
  ufp4::run::RunOptions options;
  cl::OptionCategory category("ufp4-run options");
  auto text = [&](llvm::StringRef name, std::string &value, const char *meta, const char *help) {
    return std::make_unique<cl::opt<std::string, true>>(name, cl::location(value), cl::desc(help),
                                                        cl::value_desc(meta), cl::cat(category));
  };
  cl::opt<std::string, true> input(cl::Positional, cl::location(options.input),
                                   cl::desc("<module>"), cl::cat(category));
  cl::list<std::string> inputs(
      "inputs", cl::CommaSeparated, cl::cat(category),
      cl::value_desc("a.npy,b.npy,… | X.npz | random:SEED"),
      cl::desc("One array per argument, the rng argument not counted; of a .npz, i0, i1, …"));
  auto entry =
      text("entry", options.entry, "NAME", "Function to run (default: the only public one)");
  auto output = text("output-dir", options.outputDir, "DIR",
                     "Folder for out0.npy, out1.npy, …, from which those of an earlier run go");
  auto target = text("target", options.target, "NAME",
                     "Where to run: cpu, or a chip whose kernels are emulated");
  auto e1m2 = text("e1m2", options.e1m2, "PATH",
                   "How e1m2 GEMMs are computed: auto (default), native, container, post or fold");
  auto dump = text("dump-quantized", options.dumpQuantized, "DIR",
                   "Write every quantized operand and index.json to this folder");
  auto replay = text("replay", options.replay, "DIR",
                     "Judge this target's kernels on a dump; exit code 1 at the first difference");
  cl::opt<std::string, true> report("report", cl::location(options.report), cl::ValueOptional,
                                    cl::value_desc("text|json|html"), cl::cat(category),
                                    cl::desc("Report quantization errors per GEMM; html writes "
                                             "report.html into the output folder"));
  auto compare = text("compare", options.compare, "NAME[,NAME…]",
                      "Recipes that the report judges on the same tensors");
  cl::opt<uint64_t, true> seed("seed", cl::location(options.seed), cl::cat(category),
                               cl::desc("Seed for the rng argument (default 0)"));
  cl::opt<uint32_t, true> step("step", cl::location(options.step), cl::cat(category),
                               cl::desc("Step for the rng argument (default 0)"));
  ufp4::TrainingFlags training(category);
  cl::opt<bool, true> listLayers("list-layers", cl::location(options.listLayers), cl::cat(category),
                                 cl::desc("Print what becomes of each matmul; run nothing"));
  cl::opt<unsigned, true> threads("num-threads", cl::location(options.threads), cl::init(1),
                                  cl::cat(category), cl::value_desc("N"),
                                  cl::desc("Threads that the step's loops run on (default: 1)"));
  cl::opt<bool, true> emulatorStats(
      "emulator-stats", cl::location(options.emulatorStats), cl::cat(category),
      cl::desc("Print what emulated kernels took: instructions, memory sectors, bank conflicts"));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Runs a function on tensors and writes its results\n");
  options.training = training.get();
  options.inputs.assign(inputs.begin(), inputs.end());
  if (report.getNumOccurrences() && options.report.empty())
    options.report = "text";

  llvm::Error error = training.verify();
  if (!error)
    error = ufp4::run::run(options);
  if (error) {
    llvm::WithColor::error(llvm::errs(), "ufp4-run") << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
