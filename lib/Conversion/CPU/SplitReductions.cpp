//===- SplitReductions.cpp - Reductions that vectorise --------------------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUSPLITREDUCTIONS
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

struct CPUSplitReductionsPass : public ufp4::impl::CPUSplitReductionsBase<CPUSplitReductionsPass> {
  using CPUSplitReductionsBase::CPUSplitReductionsBase;

  void runOnOperation() override {
    if (lanes < 1) {
      emitError(getOperation()->getLoc())
          << "ufp4-cpu-split-reductions: lanes must be positive, got " << int64_t(lanes);
      return signalPassFailure();
    }
    SmallVector<linalg::GenericOp> reductions;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0 && op.getNumDpsInits() == 1)
        reductions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : reductions) {
      rewriter.setInsertionPoint(op);
      if (readsAlongReduction(op))
        split(rewriter, op);
      else
        moveReductionsOut(rewriter, op);
    }
  }

private:
  /// Whether some input has a reduction dimension innermost.
  static bool readsAlongReduction(linalg::GenericOp op) {
    auto iterators = op.getIteratorTypesArray();
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      if (map.getNumResults() == 0)
        continue;
      for (unsigned d = 0; d < map.getNumDims(); ++d)
        if (map.getResults().back().isFunctionOfDim(d) &&
            iterators[d] == utils::IteratorType::reduction)
          return true;
    }
    return false;
  }

  void split(RewriterBase &rewriter, linalg::GenericOp op) {
    auto iterators = op.getIteratorTypesArray();
    if (iterators.back() != utils::IteratorType::reduction || op.getNumReductionLoops() != 1)
      return;
    int64_t extent = op.getStaticLoopRanges().back();
    if (ShapedType::isDynamic(extent) || extent % lanes != 0 || extent < 2 * lanes)
      return;
    if (!isa<Float32Type, Float64Type>(getElementTypeOrSelf(op->getResult(0).getType())))
      return;
    // Upstream's splitting mistakes a constant index (a broadcast unit dimension) for a loop.
    if (!llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); }))
      return;
    unsigned rank = op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getNumResults();
    (void)linalg::splitReduction(rewriter, op, [&](linalg::LinalgOp) {
      return linalg::SplitReductionOptions{lanes, rank, /*innerParallel=*/true};
    });
  }

  static void moveReductionsOut(RewriterBase &rewriter, linalg::GenericOp op) {
    auto iterators = op.getIteratorTypesArray();
    SmallVector<unsigned> order;
    for (auto kind : {utils::IteratorType::reduction, utils::IteratorType::parallel})
      for (auto [d, iterator] : llvm::enumerate(iterators))
        if (iterator == kind)
          order.push_back(d);
    (void)linalg::interchangeGenericOp(rewriter, op, order);
  }
};

} // namespace
