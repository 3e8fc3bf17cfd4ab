//===- Pipeline.cpp - From linalg on tensors to the LLVM dialect ----------===//

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace ufp4 {

/// Tensors: sums in f32, GEMMs as kernels, elementwise ops fused.
static void addTensorPasses(OpPassManager &pm, const CPUPipelineOptions &options) {
  CPUPrepareEntriesOptions entries;
  entries.renameEntries = options.renameEntries;
  pm.addPass(createCPUPrepareEntries(entries));
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createWidenAccumulators());
  CPULowerContractionsOptions contractions;
  contractions.cpu = options.cpu;
  contractions.rows = options.rows;
  contractions.columns = options.columns;
  pm.addPass(createCPULowerContractions(contractions));
  pm.addPass(createCPUFuseElementwise());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCPUSplitReductions());
  pm.addPass(createCPUExpandNarrowFloats());
  pm.addPass(createCPUApproximateMath());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Tensors become buffers with identity layouts at function boundaries, and are freed.
static void addBufferPasses(OpPassManager &pm, const CPUPipelineOptions &options) {
  pm.addPass(createCPUReplaceEmptyMerges());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion = bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCPURepairCasts());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  if (options.outParams) {
    bufferization::BufferResultsToOutParamsPassOptions outParams;
    outParams.addResultAttribute = true;
    outParams.hoistStaticAllocs = true;
    outParams.modifyPublicFunctions = true;
    pm.addPass(bufferization::createBufferResultsToOutParamsPass(outParams));
  }
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  pm.addPass(createCPUDropAttributes());
}

void buildTensorsToBuffersPipeline(OpPassManager &pm, const CPUPipelineOptions &options) {
  addTensorPasses(pm, options);
  addBufferPasses(pm, options);
}

void buildBuffersToLLVMPipeline(OpPassManager &pm, const CPUPipelineOptions &options) {
  pm.addPass(createCPULowerCopies());
  pm.addPass(createCPULinalgToLoops());
  if (options.threads)
    pm.addPass(createCPUOutlineParallel());
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createLoopInvariantCodeMotionPass());
  function.addPass(createConvertVectorToSCFPass());
  function.addPass(createSCFToControlFlowPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  function.addPass(arith::createArithExpandOpsPass(expand));
  function.addPass(createCPULowerExpandShapes());
  function.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCPUMoveNarrowFloats());
  if (options.threads)
    pm.addPass(createCPULaunchParallel());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCPUVerifyLowered());
  pm.addPass(createCPUGuardFloatEnvironment());
}

void buildUFP4ToCPUPipeline(OpPassManager &pm, const CPUPipelineOptions &options) {
  buildTensorsToBuffersPipeline(pm, options);
  buildBuffersToLLVMPipeline(pm, options);
}

void buildUFP4ToCPUPipeline(OpPassManager &pm) { buildUFP4ToCPUPipeline(pm, CPUPipelineOptions()); }

namespace {
/// What LLVM's call of an intrinsic does to memory: unknown upstream, which deallocation refuses.
struct IntrinsicEffects
    : MemoryEffectOpInterface::ExternalModel<IntrinsicEffects, LLVM::CallIntrinsicOp> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) const {
    auto isVector = [](Type type) { return isa<VectorType>(type); };
    // An x86 intrinsic from vectors to vectors computes.
    if (cast<LLVM::CallIntrinsicOp>(op).getIntrin().starts_with("llvm.x86.") &&
        llvm::all_of(op->getOperandTypes(), isVector) && op->getNumResults() == 1)
      return;
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
};
} // namespace

void registerIntrinsicModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LLVM::LLVMDialect *) {
    LLVM::CallIntrinsicOp::attachInterface<IntrinsicEffects>(*context);
  });
}

void registerCPUPipelineDialects(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerIntrinsicModels(registry);
}

} // namespace ufp4
