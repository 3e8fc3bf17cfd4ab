//===- Driver.h - From a module's text to a function that runs --*- C++ -*-===//
//
// The steps that every user of the compiler in one process takes: ufp4-run, the Python package,
// custom-call handlers. Diagnostics of a module go to the context's handlers; errors say the rest.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_DRIVER_DRIVER_H
#define UFP4_DRIVER_DRIVER_H

#include "ufp4/Execution/Jit.h"
#include "ufp4/Execution/QuantizedDump.h"
#include "ufp4/Target/Capabilities.h"
#include "ufp4/Transforms/QuantizeTraining.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/SourceMgr.h"

namespace ufp4 {

/// The dialects that a module to run may use, and their translations.
void registerDriverDialects(mlir::DialectRegistry &registry);

/// Loads what the rewriting makes, since it runs outside a pass.
void loadDriverDialects(mlir::MLIRContext &context);

/// Parses the main file of `sources`; `name` stands for it in errors. Dialects that are not
/// registered are an error that names them, unless `readOnlyToo`: what runs nothing may hold them.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
parseModule(mlir::MLIRContext &context, const std::shared_ptr<llvm::SourceMgr> &sources,
            llvm::StringRef name, bool readOnlyToo = false);

/// Takes UFP4 ops down to upstream dialects on tensors; those that have kernels on `chip`, if one
/// is given, to the storage level, those of e1m2 by the path that `e1m2` names. Where `sites` is
/// given, the module records its quantizes, and `sites` describes each in the order of the record
/// ids it passes.
llvm::LogicalResult lowerQuantizes(mlir::ModuleOp module,
                                   std::vector<QuantizeSite> *sites = nullptr,
                                   const target::Chip *chip = nullptr,
                                   llvm::StringRef e1m2 = "auto");

/// Why the module cannot run: an operation of a dialect that the CPU pipeline does not lower.
llvm::Error verifyExecutable(mlir::ModuleOp module, llvm::StringRef name);

/// A function without a body, other than a recorder's, is an error.
llvm::Error verifyBodies(mlir::ModuleOp module, llvm::StringRef name);

/// Leaves only the entry and what it calls, so that nothing else is compiled, and verifies bodies.
llvm::Error keepOnly(mlir::ModuleOp module, mlir::func::FuncOp entry, llvm::StringRef name);

/// Lowers a module on tensors in place, and compiles it. With `outParams`, results of static shape
/// are written to buffers that follow the arguments (`JitModule::callInto`).
llvm::Expected<std::unique_ptr<JitModule>> compileForCPU(mlir::ModuleOp module,
                                                         bool outParams = false);

} // namespace ufp4

#endif // UFP4_DRIVER_DRIVER_H
