//===- Files.h - What files hold --------------------------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_FILES_H
#define UFP4_SUPPORT_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ufp4 {
/// Errors name the path and say why, also where only closing the file fails.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);
/// The same, but what stood in a file stays until all is written. What is no file of its own (a
/// link, a pipe, a device) is written through.
llvm::Error replaceFile(llvm::StringRef path, llvm::StringRef bytes);

enum class IRForm : uint8_t { MLIR, LLVM };
/// Bytes that are neither text nor the form's binary encoding are an error that says so: a parser
/// would print them.
llvm::Error verifyIR(llvm::StringRef path, llvm::StringRef bytes, IRForm form = IRForm::MLIR);
} // namespace ufp4

#endif // UFP4_SUPPORT_FILES_H
