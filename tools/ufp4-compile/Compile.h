//===- Compile.h - What ufp4-compile does -----------------------*- C++ -*-===//

#ifndef UFP4_TOOLS_UFP4_COMPILE_COMPILE_H
#define UFP4_TOOLS_UFP4_COMPILE_COMPILE_H

#include "ufp4/Driver/CPULibrary.h"
#include "ufp4/Transforms/QuantizeTraining.h"

namespace ufp4::compile {

struct CompileOptions {
  std::string input;
  /// How to rewrite model IR; without a recipe the module is rewritten already.
  QuantizeTrainingOptions training;
  std::vector<std::string> targets;
  std::string outputDir;
  /// The path of e1m2 GEMMs: auto, native, container, post or fold.
  std::string e1m2;
  bool failOnFallback = false;
  /// Whether to predict what each launch on a chip takes.
  bool roofline = false;
  /// The assembler; searched for when empty.
  std::string ptxas;
  /// What the CPU's library and its functions are called, and the processor, if one was named.
  CPULibraryOptions library;
  /// The CPU's linker; searched for when empty.
  std::string linker;
};

/// Writes each target's files: into the folder, or where there are several targets into one folder
/// each below it. For a chip kernels.ll (which ufp4-emulate runs), kernels.ptx, and kernels.cubin
/// where ptxas is found; for the CPU a shared library, its object and its header; for each
/// manifest.json, for a recipe decisions.json, and where it was asked for roofline.json. Nothing is
/// written unless all of a target's files are.
llvm::Error compile(const CompileOptions &options);

} // namespace ufp4::compile

#endif // UFP4_TOOLS_UFP4_COMPILE_COMPILE_H
