//===- Files.h - Writing whole files ----------------------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_FILES_H
#define UFP4_SUPPORT_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ufp4 {
/// Errors name the path and say why, also where only closing the file fails.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);
/// The same, but what stood in a file stays until all is written. What is no file of its own (a link,
/// a pipe, a device) is written through.
llvm::Error replaceFile(llvm::StringRef path, llvm::StringRef bytes);
} // namespace ufp4

#endif // UFP4_SUPPORT_FILES_H
