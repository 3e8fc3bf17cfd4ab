//===- Pipelines.h - everything UFP4 registers ------------------*- C++ -*-===//

#ifndef UFP4_PIPELINES_PIPELINES_H
#define UFP4_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace ufp4 {
/// Adds the dialects and interface models that UFP4 brings: what a tool that knows upstream's
/// lacks.
void registerDialects(mlir::DialectRegistry &registry);

/// Adds the dialects, extensions and interface models that UFP4's passes read, make or lower to.
void registerAllDialects(mlir::DialectRegistry &registry);

struct CPUPipelineOptions;

/// Appends what takes UFP4's ops to loops over vectors for `cpu`, empty being this machine's; equal
/// quantizes and equal matmuls share a function. `reportGroups`: the runtime hears of sizes of
/// groups that are not those of their rows.
void buildToVectorPipeline(mlir::OpPassManager &pm, llvm::StringRef cpu, bool reportGroups = false);

/// Appends the road from rewritten (or plain) IR on tensors to the LLVM dialect: `--ufp4-to-cpu`.
void buildToCPUPipeline(mlir::OpPassManager &pm, const CPUPipelineOptions &options);

/// What the road to a GPU can be told.
struct KernelPipelineOptions : mlir::PassPipelineOptions<KernelPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("The chip, as LLVM spells it")};
  Option<std::string> e1m2{
      *this, "e1m2",
      llvm::cl::desc("The path of e1m2 GEMMs: auto, native, container, post or fold"),
      llvm::cl::init("auto")};
  Option<bool> failOnFallback{*this, "fail-on-fallback",
                              llvm::cl::desc("Whether what has no kernel, or not on the best "
                                             "path, is an error"),
                              llvm::cl::init(false)};
  Option<std::string> ptxas{*this, "ptxas",
                            llvm::cl::desc("The assembler; searched for when empty")};
};

/// What may become of a GEMM that has no kernel, or none on the best path of the chip's table.
enum class Fallback : uint8_t {
  /// The host computes it.
  ToHost,
  /// It takes a lesser path; without a kernel it is an error.
  ToLesserPath,
  /// Nothing: either is an error.
  Refused,
};

/// Appends the passes that take quantizes and GEMMs to the storage of the chip's kernels; what has
/// no kernel goes to upstream dialects. Still on tensors. `canRewrite`: whether the kernels'
/// binaries can be rewritten, which takes an assembler.
void buildToStoragePipeline(mlir::OpPassManager &pm, llvm::StringRef chip, llvm::StringRef e1m2,
                            Fallback fallback, bool canRewrite);

/// Appends the road from rewritten IR on tensors to host code on memrefs that launches kernels, and
/// their binaries: `--ufp4-to-nvidia`.
void buildToNVIDIAPipeline(mlir::OpPassManager &pm, const KernelPipelineOptions &options);

/// Registers every pass and every named pipeline of UFP4.
void registerAllPasses();
} // namespace ufp4

#endif // UFP4_PIPELINES_PIPELINES_H
