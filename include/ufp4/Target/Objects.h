//===- Objects.h - What kernels are compiled to -----------------*- C++ -*-===//

#ifndef UFP4_TARGET_OBJECTS_H
#define UFP4_TARGET_OBJECTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace ufp4::target {

/// There is no program that makes a binary: kernels remain assembly. A pipeline may go on; the
/// message says how to get one.
class ToolNotFound : public llvm::ErrorInfo<ToolNotFound> {
public:
  static char ID;
  explicit ToolNotFound(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::no_such_file_or_directory);
  }

private:
  std::string message;
};

/// PTX or AMDGCN.
struct Assembly {
  std::string text;
  /// The chip's name.
  std::string chip;
  /// Names of the entries, in the module's order.
  std::vector<std::string> kernels;
};

/// What the assembler says of one kernel.
struct KernelUsage {
  std::string name;
  /// 32-bit registers of a thread.
  unsigned registers = 0;
  unsigned barriers = 0;
  /// Bytes of a thread.
  unsigned stackBytes = 0, spillStoreBytes = 0, spillLoadBytes = 0;
  /// Bytes of static shared memory of a block.
  unsigned sharedBytes = 0;
};

/// A cubin or an hsaco.
struct Binary {
  llvm::SmallVector<char, 0> bytes;
  std::string chip;
  /// Kernels only, in the assembler's order.
  std::vector<KernelUsage> kernels;
  /// Lines that are no statistics, with the line of assembly that they speak of.
  std::vector<std::string> warnings;
  /// The program that assembled or linked it.
  std::string assembler;
};

} // namespace ufp4::target

#endif // UFP4_TARGET_OBJECTS_H
