//===- Files.cpp - What files hold ----------------------------------------===//

#include "ufp4/Support/Files.h"

#include "ufp4/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
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

llvm::Error ufp4::verifyIR(llvm::StringRef path, llvm::StringRef bytes, IRForm form) {
  bool isMLIR = form == IRForm::MLIR;
  if (bytes.starts_with(isMLIR ? "ML\xEFR" : "BC\xC0\xDE"))
    return llvm::Error::success();
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(bytes.begin()), *end = begin;
  // Stops at what is no character.
  llvm::isLegalUTF8String(&end, begin + bytes.size());
  size_t offset = std::min<size_t>(bytes.find('\0'), end - begin);
  if (offset >= bytes.size())
    return llvm::Error::success();
  return fail(path + ": expected " +
              (isMLIR ? "a module, MLIR's text or bytecode" : "LLVM IR, text or bitcode") +
              ", found a binary file: byte 0x" + llvm::utohexstr(uint8_t(bytes[offset]), true, 2) +
              " at offset " + llvm::Twine(offset));
}
