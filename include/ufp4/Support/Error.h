//===- Error.h - Errors that are a sentence ---------------------*- C++ -*-===//

#ifndef UFP4_SUPPORT_ERROR_H
#define UFP4_SUPPORT_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace ufp4 {
inline llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", message.str().c_str());
}
} // namespace ufp4

#endif // UFP4_SUPPORT_ERROR_H
