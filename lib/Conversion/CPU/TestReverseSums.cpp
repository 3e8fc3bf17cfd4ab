//===- TestReverseSums.cpp - The same sums, the other way round -----------===//
//
// What a step's results owe to the order of its sums: a run of the changed module shows how far two
// implementations that both conform (docs/spec.md G2) may lie apart.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace {

struct TestReverseSums : PassWrapper<TestReverseSums, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestReverseSums)

  StringRef getArgument() const override { return "ufp4-test-reverse-sums"; }
  StringRef getDescription() const override {
    return "Reverse both inputs of every contraction along the dimensions that it sums over";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> contractions;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (linalg::isaContractionOpInterface(op))
        contractions.push_back(op);
    });
    for (linalg::LinalgOp op : contractions) {
      SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
      for (OpOperand *input : op.getDpsInputOperands()) {
        AffineMap map = op.getMatchingIndexingMap(input);
        auto isSummed = [&](unsigned dimension) {
          auto loop = dyn_cast<AffineDimExpr>(map.getResult(dimension));
          return loop && iterators[loop.getPosition()] == utils::IteratorType::reduction;
        };
        input->set(reverse(op, input->get(), isSummed));
      }
    }
  }

private:
  static Value reverse(Operation *before, Value tensor, llvm::function_ref<bool(unsigned)> along) {
    ImplicitLocOpBuilder b(before->getLoc(), before);
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<AffineExpr> places;
    for (unsigned d = 0; d < type.getRank(); ++d) {
      AffineExpr loop = b.getAffineDimExpr(d);
      places.push_back(along(d) && !type.isDynamicDim(d) ? type.getDimSize(d) - 1 - loop : loop);
    }
    Value empty = tensor::EmptyOp::create(b, tensor::getMixedSizes(b, b.getLoc(), tensor),
                                          type.getElementType());
    AffineMap from = AffineMap::get(type.getRank(), 0, places, b.getContext());
    AffineMap to = b.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> parallel(type.getRank(), utils::IteratorType::parallel);
    return linalg::GenericOp::create(b, TypeRange(type), tensor, empty, ArrayRef({from, to}),
                                     parallel,
                                     [](OpBuilder &b, Location loc, ValueRange elements) {
                                       linalg::YieldOp::create(b, loc, elements.front());
                                     })
        .getResult(0);
  }
};

} // namespace

void ufp4::registerTestReverseSumsPass() { PassRegistration<TestReverseSums>(); }
