//===- ApproximateMath.cpp - Functions as polynomials ---------------------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUAPPROXIMATEMATH
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

/// Those whose polynomials are good for every f32: for others upstream's fail on denormals (log,
/// cbrt), on large angles (sin, cos), or are not as near (atan).
bool isGoodEverywhere(StringRef name) {
  return llvm::is_contained({math::ExpOp::getOperationName(), math::ExpM1Op::getOperationName(),
                             math::ErfOp::getOperationName(), math::Log1pOp::getOperationName(),
                             math::TanhOp::getOperationName()},
                            name);
}

struct CPUApproximateMathPass : public ufp4::impl::CPUApproximateMathBase<CPUApproximateMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, isGoodEverywhere);
    SmallVector<Operation *> functions;
    getOperation()->walk([&](Operation *op) {
      if (isGoodEverywhere(op->getName().getStringRef()))
        functions.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(functions, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
