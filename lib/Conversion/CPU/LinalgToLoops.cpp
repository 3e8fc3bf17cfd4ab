//===- LinalgToLoops.cpp - Linalg on buffers to loops ---------------------===//

#include "ufp4/Conversion/CPU/Passes.h"
#include "ufp4/Conversion/Parallel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPULINALGTOLOOPS
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

/// Whether each trip of the outermost loop writes elements of its own.
bool hasParallelTrips(linalg::LinalgOp op) {
  if (op.getNumLoops() == 0 || op.getIteratorTypesArray().front() != utils::IteratorType::parallel)
    return false;
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return map.isProjectedPermutation() && map.isFunctionOfDim(0);
  });
}

struct CPULinalgToLoopsPass : public ufp4::impl::CPULinalgToLoopsBase<CPULinalgToLoopsPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      bool isParallel = hasParallelTrips(op);
      FailureOr<linalg::LinalgLoops> loops = linalg::linalgOpToLoops(rewriter, op);
      if (failed(loops)) {
        op.emitError() << "ufp4-cpu-linalg-to-loops: expected an operation on buffers";
        return signalPassFailure();
      }
      if (isParallel)
        setParallel(loops->front());
      rewriter.eraseOp(op);
    }
  }
};

} // namespace
