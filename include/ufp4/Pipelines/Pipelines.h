//===- Pipelines.h - everything UFP4 registers ------------------*- C++ -*-===//

#ifndef UFP4_PIPELINES_PIPELINES_H
#define UFP4_PIPELINES_PIPELINES_H

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace ufp4 {
/// Adds the dialects, extensions and interface models that UFP4's passes read, make or lower to.
void registerAllDialects(mlir::DialectRegistry &registry);

struct CPUPipelineOptions;

/// Appends the road from rewritten (or plain) IR on tensors to the LLVM dialect: `--ufp4-to-cpu`.
void buildToCPUPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options);

/// Registers every pass and every named pipeline of UFP4.
void registerAllPasses();
} // namespace ufp4

#endif // UFP4_PIPELINES_PIPELINES_H
