//===- Link.h - Object files to shared libraries ----------------*- C++ -*-===//

#ifndef UFP4_TARGET_CPU_LINK_H
#define UFP4_TARGET_CPU_LINK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ufp4::target {

/// The program that links: `choice`, a path or a name on the PATH, else the first compiler driver
/// there (cc, gcc, clang), else LLVM's lld, of the PATH or beside this LLVM. Error: there is none.
llvm::Expected<std::string> findLinker(llvm::StringRef choice);

/// Links one object into the shared library `library`, whose name for the loader is its file's. It
/// may need the C library and its mathematics, nothing else; an undefined symbol is an error.
llvm::Error linkSharedLibrary(llvm::StringRef linker, llvm::StringRef object,
                              llvm::StringRef library);

} // namespace ufp4::target

#endif // UFP4_TARGET_CPU_LINK_H
