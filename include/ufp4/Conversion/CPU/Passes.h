//===- Passes.h - Passes and pipeline of the road to the CPU ----*- C++ -*-===//
//
// From linalg on tensors, without UFP4 ops, down to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_CPU_PASSES_H
#define UFP4_CONVERSION_CPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

#include <memory>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace ufp4 {

#define GEN_PASS_DECL
#include "ufp4/Conversion/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ufp4/Conversion/CPU/Passes.h.inc"

/// What the CPU pipeline can be told.
struct CPUPipelineOptions : mlir::PassPipelineOptions<CPUPipelineOptions> {
  Option<bool> outParams{
      *this, "out-params",
      llvm::cl::desc("Write results of static shape to buffers that the caller passes after the "
                     "inputs, instead of returning fresh allocations that the caller frees"),
      llvm::cl::init(false)};
  Option<std::string> cpu{
      *this, "cpu", llvm::cl::desc("The CPU to compile for, as in -mcpu= (default: the host)"),
      llvm::cl::init("")};
  Option<bool> threads{
      *this, "threads",
      llvm::cl::desc("Let the runtime (Support/Runtime.h) share loops between threads"),
      llvm::cl::init(false)};
  Option<bool> renameEntries{
      *this, "rename-entries",
      llvm::cl::desc("Call public functions `model.<name>`, so that none is one of a library"),
      llvm::cl::init(false)};
  Option<int64_t> rows{*this, "rows",
                       llvm::cl::desc("Rows of the f32 GEMM's register block (0: the CPU's)"),
                       llvm::cl::init(0)};
  Option<int64_t> columns{*this, "columns",
                          llvm::cl::desc("Columns of the f32 GEMM's register block (0: the CPU's)"),
                          llvm::cl::init(0)};
};

/// Appends the passes that take a module of upstream dialects (func, linalg, tensor, arith, math,
/// scf, cf, vector) on tensors to the LLVM dialect. Every public function gets the C interface
/// `_mlir_ciface_<name>`, `_mlir_ciface_model.<name>` with `renameEntries`, and guards its
/// floating-point environment. Without `outParams` the caller owns every returned buffer and frees
/// its allocated pointer with free().
void buildUFP4ToCPUPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options);
void buildUFP4ToCPUPipeline(mlir::OpPassManager &pm);

/// Its two halves, between which other targets make kernels: tensors to buffers that are allocated
/// and freed, and buffers and loops to the LLVM dialect.
void buildTensorsToBuffersPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options);
void buildBuffersToLLVMPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options);

/// Registers what LLVM's calls of vector intrinsics do to memory: nothing.
void registerIntrinsicModels(mlir::DialectRegistry &registry);

/// Registers the dialects, and the bufferization and inlining models, that the pipeline needs of
/// a context.
void registerCPUPipelineDialects(mlir::DialectRegistry &registry);

} // namespace ufp4

#endif // UFP4_CONVERSION_CPU_PASSES_H
