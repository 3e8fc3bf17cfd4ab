//===- CPULibrary.h - Modules as shared libraries for C ---------*- C++ -*-===//

#ifndef UFP4_DRIVER_CPULIBRARY_H
#define UFP4_DRIVER_CPULIBRARY_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace ufp4 {

struct CPULibraryOptions {
  /// An identifier of C, after which the library's functions and files are called; empty: step.
  std::string name;
  /// As `target::findProcessor` takes it.
  std::string processor;
};

/// What C needs to call every public function of a module.
struct CPULibrary {
  std::string name;
  llvm::SmallVector<char, 0> object;
  std::string header;
  /// The fields `target`, `statuses` and `entries` of a manifest.
  llvm::json::Object manifest;
  size_t entryCount = 0;
  /// The processor's name, as LLVM spells it.
  std::string processor;
};

/// Compiles a module on tensors, rewritten or not, in place; `input` stands for it in errors.
llvm::Expected<CPULibrary> compileCPULibrary(mlir::ModuleOp module, llvm::StringRef input,
                                             const CPULibraryOptions &options);

} // namespace ufp4

#endif // UFP4_DRIVER_CPULIBRARY_H
