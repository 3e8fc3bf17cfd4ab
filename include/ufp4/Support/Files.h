//===- Files.h - Writing whole files ----------------------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_FILES_H
#define UFP4_SUPPORT_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ufp4 {
/// Errors name the path and say why, also where only closing the file fails.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);
} // namespace ufp4

#endif // UFP4_SUPPORT_FILES_H
