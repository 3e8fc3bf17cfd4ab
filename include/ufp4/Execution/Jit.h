//===- Jit.h - Running LLVM-dialect modules in this process -----*- C++ -*-===//

#ifndef UFP4_EXECUTION_JIT_H
#define UFP4_EXECUTION_JIT_H

#include "ufp4/Execution/Entry.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace ufp4 {

/// A function of this process that compiled code may call by name.
struct JitSymbol {
  std::string name;
  void *address;
};

/// A result where compiled code left it: `owner` keeps the bytes alive.
struct OwnedResult {
  ElementType type;
  std::vector<int64_t> shape;
  const void *data;
  std::shared_ptr<void> owner;
};

/// A module compiled for this machine at -O3: no fast math, no contraction.
class JitModule {
public:
  /// Compiles a module in the LLVM dialect, as `buildUFP4ToCPUPipeline` makes it with results
  /// returned. `symbols` are visible to it beside those of the process; its memory is
  /// BufferPool.h's.
  static llvm::Expected<std::unique_ptr<JitModule>> create(mlir::ModuleOp module,
                                                           llvm::ArrayRef<JitSymbol> symbols = {});

  ~JitModule();

  /// Generates an entry's machine code now, not at its first call.
  llvm::Error prepare(llvm::StringRef entry);

  /// Calls the entry with one array per argument, of which it changes none, under the default
  /// floating-point environment.
  llvm::Expected<std::vector<Array>> call(const EntrySignature &entry,
                                          llvm::ArrayRef<Array> arguments);

  /// The same without copies: a result that is an argument is the only one copied.
  llvm::Expected<std::vector<OwnedResult>> callOnViews(const EntrySignature &entry,
                                                       llvm::ArrayRef<ArrayView> arguments);

  /// Calls an entry that was compiled with out-params: `results` are buffers that it writes, one
  /// per result, of its type and shape.
  llvm::Error callInto(llvm::StringRef entry, llvm::ArrayRef<ArrayView> arguments,
                       llvm::ArrayRef<ArrayView> results);

private:
  explicit JitModule(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace ufp4

#endif // UFP4_EXECUTION_JIT_H
