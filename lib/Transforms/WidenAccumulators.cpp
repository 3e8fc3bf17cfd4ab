//===- WidenAccumulators.cpp - bf16 and f16 sums in f32 -------------------===//

#include "ufp4/Transforms/WidenAccumulators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "ufp4/Transforms/CastElements.h"
#include "ufp4/Transforms/Passes.h"

namespace ufp4 {
#define GEN_PASS_DEF_WIDENACCUMULATORS
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

bool isNarrow(Type type) { return type.isBF16() || type.isF16(); }

/// One output of the op that sums in a narrow type.
struct NarrowSum {
  unsigned output;
  arith::AddFOp add;
  Value summand;
  /// The product of a contraction, which must not round before it is added.
  arith::MulFOp product;
};

/// The input that feeds `value` through ops of the body alone; null if none or several do.
BlockArgument onlySource(Value value) {
  while (!isa<BlockArgument>(value)) {
    Operation *op = value.getDefiningOp();
    if (op->getNumOperands() != 1)
      return nullptr;
    value = op->getOperand(0);
  }
  return cast<BlockArgument>(value);
}

/// Whether the op multiplies two inputs and adds along a dimension that both have.
bool isMatmulLike(linalg::LinalgOp op, arith::MulFOp mul) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  BlockArgument a = onlySource(mul.getLhs()), b = onlySource(mul.getRhs());
  if (!a || !b || a.getOwner() != op.getBlock() || b.getOwner() != op.getBlock() ||
      a.getArgNumber() + b.getArgNumber() != 1)
    return false;
  return llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); });
}

std::optional<NarrowSum> matchSum(linalg::LinalgOp op, unsigned output) {
  Block *body = op.getBlock();
  BlockArgument accumulator = op.getRegionOutputArgs()[output];
  if (!isNarrow(accumulator.getType()))
    return std::nullopt;
  // An output that every loop indexes is written once: nothing accumulates.
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(output));
  auto iterators = op.getIteratorTypesArray();
  bool reduces = false;
  for (unsigned d = 0; d < op.getNumLoops(); ++d)
    reduces |= iterators[d] == utils::IteratorType::reduction && !map.isFunctionOfDim(d);
  if (!reduces)
    return std::nullopt;
  auto add = body->getTerminator()->getOperand(output).getDefiningOp<arith::AddFOp>();
  if (!add || add->getBlock() != body || !accumulator.hasOneUse())
    return std::nullopt;
  if ((add.getLhs() == accumulator) == (add.getRhs() == accumulator))
    return std::nullopt;
  NarrowSum sum{output, add, add.getLhs() == accumulator ? add.getRhs() : add.getLhs(), {}};
  Value product = sum.summand;
  if (auto rounded = product.getDefiningOp<arith::TruncFOp>();
      rounded && rounded->hasOneUse() && rounded.getIn().getType().isF32())
    product = rounded.getIn();
  if (auto mul = product.getDefiningOp<arith::MulFOp>())
    if (mul->getBlock() == body && mul->hasOneUse() && isMatmulLike(op, mul))
      sum.product = mul;
  return sum;
}

Value widen(OpBuilder &b, Location loc, Value v) {
  return arith::ExtFOp::create(b, loc, b.getF32Type(), v);
}

/// The init in f32; a fill stays a fill, so that later passes still see the zero.
Value widenInit(OpBuilder &b, Location loc, Value init) {
  FloatAttr value;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    if (matchPattern(fill.getInputs()[0], m_Constant(&value))) {
      Value wide =
          arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value.getValue().convertToFloat()));
      Value empty =
          tensor::EmptyOp::create(b, loc, tensor::getMixedSizes(b, loc, init), b.getF32Type());
      return linalg::FillOp::create(b, loc, wide, empty).getResult(0);
    }
  return castElements(b, loc, init, b.getF32Type());
}

void rewrite(RewriterBase &rewriter, linalg::LinalgOp op, WidenedSums &counts) {
  auto anySum = [&] {
    for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
      if (matchSum(op, i))
        return true;
    return false;
  };
  if (!anySum())
    return;
  rewriter.setInsertionPoint(op);
  if (!isa<linalg::GenericOp>(op)) {
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    op = *generic;
    rewriter.setInsertionPoint(op);
  }
  SmallVector<NarrowSum> sums;
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
    if (std::optional<NarrowSum> sum = matchSum(op, i))
      sums.push_back(*sum);

  auto generic = cast<linalg::GenericOp>(op.getOperation());
  Location loc = op.getLoc();
  SmallVector<Value> inits(generic.getOutputs());
  for (const NarrowSum &sum : sums)
    inits[sum.output] = widenInit(rewriter, loc, inits[sum.output]);

  // The body changes in place, then moves to an op with the widened outputs.
  for (NarrowSum &sum : sums) {
    ++(sum.product ? counts.contractions : counts.reductions);
    BlockArgument accumulator = op.getRegionOutputArgs()[sum.output];
    rewriter.setInsertionPoint(sum.add);
    Value summand;
    bool isWide = sum.product && sum.product.getType().isF32();
    if (isWide) {
      summand = sum.product;
    } else if (sum.product) {
      Value a = widen(rewriter, loc, sum.product.getLhs());
      Value b = widen(rewriter, loc, sum.product.getRhs());
      summand = arith::MulFOp::create(rewriter, loc, a, b);
    } else {
      summand = widen(rewriter, loc, sum.summand);
    }
    accumulator.setType(rewriter.getF32Type());
    Value total = arith::AddFOp::create(rewriter, loc, accumulator, summand);
    rewriter.replaceOp(sum.add, total);
    if (isWide)
      rewriter.eraseOp(sum.summand.getDefiningOp());
    else if (sum.product)
      rewriter.eraseOp(sum.product);
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Type> types;
  for (Value init : inits)
    types.push_back(init.getType());
  auto wide =
      linalg::GenericOp::create(rewriter, loc, types, generic.getInputs(), inits,
                                generic.getIndexingMapsArray(), generic.getIteratorTypesArray());
  for (NamedAttribute attribute : linalg::getPrunedAttributeList(generic))
    wide->setAttr(attribute.getName(), attribute.getValue());
  rewriter.inlineRegionBefore(generic.getRegion(), wide.getRegion(), wide.getRegion().end());
  SmallVector<Value> results(wide->getResults());
  for (const NarrowSum &sum : sums)
    results[sum.output] =
        castElements(rewriter, loc, results[sum.output],
                     getElementTypeOrSelf(generic->getResult(sum.output).getType()));
  rewriter.replaceOp(generic, results);
}

struct WidenAccumulatorsPass : public ufp4::impl::WidenAccumulatorsBase<WidenAccumulatorsPass> {
  void runOnOperation() override {
    WidenedSums counts = widenAccumulators(getOperation());
    numContractions += counts.contractions;
    numReductions += counts.reductions;
  }
};

} // namespace

WidenedSums ufp4::widenAccumulators(Operation *root) {
  SmallVector<linalg::LinalgOp> ops;
  root->walk([&](linalg::LinalgOp op) {
    if (op.hasPureTensorSemantics() && op.getNumReductionLoops() > 0)
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  WidenedSums counts;
  for (linalg::LinalgOp op : ops)
    rewrite(rewriter, op, counts);
  return counts;
}
