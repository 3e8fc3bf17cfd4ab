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

/// A module compiled for this machine at -O3: no fast math, no contraction.
class JitModule {
public:
  /// Compiles a module in the LLVM dialect, as `buildUFP4ToCPUPipeline` makes it with results
  /// returned. `symbols` are visible to it beside those of the process.
  static llvm::Expected<std::unique_ptr<JitModule>> create(mlir::ModuleOp module,
                                                           llvm::ArrayRef<JitSymbol> symbols = {});

  ~JitModule();

  /// Calls the entry with one array per argument, of which it changes none, under the default
  /// floating-point environment.
  llvm::Expected<std::vector<Array>> call(const EntrySignature &entry,
                                          llvm::ArrayRef<Array> arguments);

private:
  explicit JitModule(std::unique_ptr<llvm::orc::LLJIT> jit);

  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace ufp4

#endif // UFP4_EXECUTION_JIT_H
