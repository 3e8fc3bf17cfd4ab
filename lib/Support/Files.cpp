//===- Files.cpp - Writing whole files ------------------------------------===//

#include "ufp4/Support/Files.h"

#include "ufp4/Support/Error.h"
#include "llvm/Support/FileSystem.h"
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

llvm::Error ufp4::replaceFile(llvm::StringRef path, llvm::StringRef bytes) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (!fs::status(path, status, /*follow=*/false) && !fs::is_regular_file(status))
    return writeFile(path, bytes);
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << bytes;
    return llvm::Error::success();
  });
}
