//===- CodegenOptions.cpp - LLVM switches without an API ------------------===//

#include "CodegenOptions.h"

#include "llvm/ADT/STLExtras.h"

using namespace ufp4::target;

static std::shared_mutex &getMutex() {
  static std::shared_mutex mutex;
  return mutex;
}

CodegenOptions::CodegenOptions() : lock(getMutex()) {}

CodegenOptions::~CodegenOptions() {
  // Last set, first restored: a switch set twice gets its first value back.
  for (const Saved &entry : llvm::reverse(saved))
    entry.option->setValue(entry.value);
}

llvm::Error CodegenOptions::set(llvm::StringRef name, bool value) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(name);
  if (found == options.end())
    return llvm::createStringError("this LLVM has no switch -" + name);
  // Every switch set here is a `static cl::opt<bool>` in LLVM's sources; there is no other way to
  // ask.
  auto *option = static_cast<llvm::cl::opt<bool> *>(found->second);
  saved.push_back({option, option->getValue()});
  option->setValue(value);
  return llvm::Error::success();
}

UnchangedCodegenOptions::UnchangedCodegenOptions() : lock(getMutex()) {}
