//===- Version.h - what artifacts say of their maker ------------*- C++ -*-===//

#ifndef UFP4_VERSION_H
#define UFP4_VERSION_H

#include "llvm/ADT/StringRef.h"

namespace ufp4 {
inline constexpr llvm::StringLiteral kVersion = "0.1.0";
/// The version of every JSON file's schema.
inline constexpr int kSchemaVersion = 1;
} // namespace ufp4

#endif // UFP4_VERSION_H
