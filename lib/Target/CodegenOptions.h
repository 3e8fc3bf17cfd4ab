//===- CodegenOptions.h - LLVM switches without an API ----------*- C++ -*-===//

#ifndef UFP4_LIB_TARGET_CODEGENOPTIONS_H
#define UFP4_LIB_TARGET_CODEGENOPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <mutex>
#include <shared_mutex>
#include <string>

namespace ufp4::target {

/// Holds the process's switches for one piece of code generation: takes the mutex that all of it
/// goes through, sets switches, and gives every one its old value back.
class CodegenOptions {
public:
  CodegenOptions();
  ~CodegenOptions();
  CodegenOptions(const CodegenOptions &) = delete;
  CodegenOptions &operator=(const CodegenOptions &) = delete;

  /// A boolean switch of LLVM's, without its dashes. Fails if this LLVM has none of that name.
  llvm::Error set(llvm::StringRef name, bool value);

private:
  struct Saved {
    llvm::cl::opt<bool> *option;
    bool value;
  };

  std::lock_guard<std::shared_mutex> lock;
  llvm::SmallVector<Saved, 4> saved;
};

/// Code generation with every switch as the process has it: as many at once as there are threads,
/// but none while a CodegenOptions holds the switches.
class UnchangedCodegenOptions {
public:
  UnchangedCodegenOptions();

private:
  std::shared_lock<std::shared_mutex> lock;
};

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_CODEGENOPTIONS_H
