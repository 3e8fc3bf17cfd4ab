//===- ufp4-plugin.cpp - UFP4 inside another MLIR tool --------------------===//

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "ufp4/Pipelines/Pipelines.h"
#include "ufp4/Support/Version.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ufp4", ufp4::kVersion.data(),
          [](mlir::DialectRegistry *registry) { ufp4::registerDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "ufp4", ufp4::kVersion.data(),
          [] { ufp4::registerAllPasses(); }};
}
