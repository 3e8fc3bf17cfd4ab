//===- Files.cpp - Writing whole files ------------------------------------===//

#include "ufp4/Support/Files.h"

#include "ufp4/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

llvm::Error ufp4::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os << bytes;
    os.close();
    code = os.error();
    os.clear_error();
  }
  return code ? fail(path + ": cannot write: " + code.message()) : llvm::Error::success();
}
