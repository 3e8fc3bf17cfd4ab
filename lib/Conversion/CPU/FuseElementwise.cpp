//===- FuseElementwise.cpp - Elementwise fusion that duplicates nothing ---===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUFUSEELEMENTWISE
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

/// Whether recomputing the producer per use costs no more than reading what it stored.
bool isCheap(linalg::LinalgOp producer) {
  return llvm::all_of(producer.getBlock()->without_terminator(), [](Operation &op) {
    return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::ConstantOp>(op);
  });
}

/// Whether the consumer's loops visit each element of the fused operand exactly once.
bool visitsOnce(OpOperand *fused) {
  auto consumer = cast<linalg::LinalgOp>(fused->getOwner());
  AffineMap map = consumer.getMatchingIndexingMap(fused);
  return map.isPermutation();
}

bool shouldFuse(OpOperand *fused) {
  auto producer = fused->get().getDefiningOp<linalg::LinalgOp>();
  if (!producer)
    return false;
  if (isCheap(producer))
    return true;
  bool onlyUser = llvm::all_of(producer->getUsers(),
                               [&](Operation *user) { return user == fused->getOwner(); });
  return onlyUser && visitsOnce(fused);
}

struct CPUFuseElementwisePass : public ufp4::impl::CPUFuseElementwiseBase<CPUFuseElementwisePass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::LinalgOp> named;
    root->walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::GenericOp, linalg::FillOp>(op) &&
          op.getNumLoops() == op.getNumParallelLoops())
        named.push_back(op);
    });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }

    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(root, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
