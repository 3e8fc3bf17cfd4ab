//===- Programs.h - Running other programs ----------------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_PROGRAMS_H
#define UFP4_SUPPORT_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace ufp4 {

/// A folder of the system's for temporary files, gone when this is.
class TemporaryFolder {
public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  llvm::Error create();
  std::string file(llvm::StringRef name) const;

private:
  llvm::SmallString<128> folder;
};

/// Runs a program, arguments[0] being its name, with all that it prints in the file `output`; its
/// exit code. Errors: it cannot be started, crashes, or takes longer, and then it is ended.
llvm::Expected<int> runProgram(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
                               llvm::StringRef output, unsigned timeoutSeconds);

/// The text of a file; empty where it cannot be read.
std::string readText(llvm::StringRef file);

} // namespace ufp4

#endif // UFP4_SUPPORT_PROGRAMS_H
