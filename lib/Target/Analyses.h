//===- Analyses.h - What LLVM's passes ask for ------------------*- C++ -*-===//

#ifndef UFP4_LIB_TARGET_ANALYSES_H
#define UFP4_LIB_TARGET_ANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace ufp4::target {

/// The managers of all analyses that a builder knows, at every level.
struct Analyses {
  explicit Analyses(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_ANALYSES_H
