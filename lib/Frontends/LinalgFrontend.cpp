//===- LinalgFrontend.cpp - linalg, tensor, arith and scf -----------------===//

#include "ufp4/Frontends/Frontends.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// A value inside a body followed up through casts.
struct CastChain {
  Value source;
  /// The type that a cast on the way rounds to, and how many do.
  Type rounding;
  unsigned numRoundings = 0;
  /// A cast on the way is from or to integers.
  bool changesKind = false;
};

CastChain followCasts(Value value) {
  CastChain chain;
  chain.source = value;
  while (Operation *op = chain.source.getDefiningOp()) {
    if (isa<arith::TruncFOp>(op)) {
      chain.rounding = op->getResult(0).getType();
      ++chain.numRoundings;
    } else if (isa<arith::SIToFPOp, arith::UIToFPOp, arith::ExtSIOp, arith::ExtUIOp,
                   arith::FPToSIOp, arith::FPToUIOp, arith::TruncIOp>(op)) {
      chain.changesKind = true;
    } else if (!isa<arith::ExtFOp>(op)) {
      break;
    }
    chain.source = op->getOperand(0);
  }
  return chain;
}

/// The operands of the product that a body adds to its accumulator, if that is what it does, and
/// the product's own casts.
struct MultiplyAdd {
  CastChain lhs, rhs, product;
};

std::optional<MultiplyAdd> matchMultiplyAdd(Block &body) {
  if (body.getNumArguments() != 3)
    return std::nullopt;
  Operation *yield = body.getTerminator();
  if (yield->getNumOperands() != 1)
    return std::nullopt;
  Operation *add = yield->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp, arith::OrIOp>(add))
    return std::nullopt;
  Value accumulator = body.getArgument(2), product;
  if (add->getOperand(0) == accumulator)
    product = add->getOperand(1);
  else if (add->getOperand(1) == accumulator)
    product = add->getOperand(0);
  else
    return std::nullopt;
  CastChain productCasts = followCasts(product);
  Operation *mul = productCasts.source.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp, arith::AndIOp>(mul))
    return std::nullopt;
  CastChain a = followCasts(mul->getOperand(0)), b = followCasts(mul->getOperand(1));
  if (a.source == body.getArgument(1))
    std::swap(a, b);
  if (a.source != body.getArgument(0) || b.source != body.getArgument(1))
    return std::nullopt;
  return MultiplyAdd{a, b, productCasts};
}

/// Why a body's casts cannot be taken over by a GEMM over quantized operands; empty: they can.
StringRef findObstacle(const MultiplyAdd &body) {
  for (const CastChain &operand : {body.lhs, body.rhs}) {
    if (operand.numRoundings > 1)
      return "its body rounds an operand twice";
    if (operand.changesKind && isa<FloatType>(operand.source.getType()))
      return "its body casts an operand to integers and back";
  }
  // The sum is taken in f32, so a product that is rounded to bf16 or f16 only gains.
  if (body.product.changesKind ||
      (body.product.rounding && body.product.rounding.getIntOrFloatBitWidth() < 16))
    return "its body casts the product to integers or to fewer than 16 bits";
  return "";
}

/// Where a loop dimension stands among a map's results; -1: nowhere.
int64_t getPosition(AffineMap map, AffineExpr dim) {
  std::optional<unsigned> position = map.getResultPosition(dim);
  return position ? static_cast<int64_t>(*position) : -1;
}

bool isZero(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs().front(), m_AnyZeroFloat()) ||
           matchPattern(fill.getInputs().front(), m_Zero());
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

class LinalgFrontend : public Frontend {
public:
  std::optional<ContractionView> matchContraction(Operation *op) const override {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || linalgOp.getNumDpsInputs() != 2 || linalgOp.getNumDpsInits() != 1 ||
        op->getNumResults() != 1)
      return std::nullopt;
    SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
    if (!llvm::all_of(maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      return std::nullopt;
    auto casts = matchMultiplyAdd(*linalgOp.getBlock());
    Value lhs = linalgOp.getDpsInputs()[0], rhs = linalgOp.getDpsInputs()[1];
    if (!casts || !isa<RankedTensorType>(lhs.getType()) || !isa<RankedTensorType>(rhs.getType()))
      return std::nullopt;

    ContractionView view;
    view.op = op;
    view.lhs = lhs;
    view.rhs = rhs;
    view.lhsRounding = casts->lhs.rounding;
    view.rhsRounding = casts->rhs.rounding;
    view.obstacle = findObstacle(*casts).str();
    Value init = linalgOp.getDpsInits()[0];
    if (!isZero(init))
      view.accumulator = init;
    SmallVector<int64_t> extents = linalgOp.getStaticLoopRanges();
    auto position = [&](unsigned operand, unsigned loop) -> int64_t {
      return getPosition(maps[operand], getAffineDimExpr(loop, op->getContext()));
    };
    for (auto [loop, extent] : llvm::enumerate(extents)) {
      ContractionDim dim;
      dim.extent = extent;
      dim.lhs = position(0, loop);
      dim.rhs = position(1, loop);
      dim.result = position(2, loop);
      bool hasLhs = dim.lhs >= 0, hasRhs = dim.rhs >= 0;
      if (dim.result < 0) {
        dim.group = DimGroup::Contracted;
        if (!hasLhs || !hasRhs)
          view.obstacle = "it sums along a dimension that only one operand has";
      } else {
        dim.group = hasLhs && hasRhs ? DimGroup::Batch
                    : hasLhs         ? DimGroup::LhsFree
                                     : DimGroup::RhsFree;
        if (!hasLhs && !hasRhs)
          view.obstacle = "its result repeats along a dimension that no operand has";
      }
      view.dims.push_back(dim);
    }
    auto has = [&](DimGroup group) {
      return llvm::any_of(view.dims, [&](const ContractionDim &dim) {
        return dim.group == group &&
               (group != DimGroup::Contracted || (dim.lhs >= 0 && dim.rhs >= 0));
      });
    };
    if (!has(DimGroup::Contracted) || (!has(DimGroup::LhsFree) && !has(DimGroup::RhsFree)))
      return std::nullopt;
    return view;
  }

  std::optional<ViewStep> matchView(OpResult result) const override {
    return TypeSwitch<Operation *, std::optional<ViewStep>>(result.getOwner())
        .Case<tensor::CollapseShapeOp>([](auto op) {
          return getReshape(op.getSrc(), op.getReassociationIndices(), /*collapse=*/true);
        })
        .Case<tensor::ExpandShapeOp>([](auto op) {
          return getReshape(op.getSrc(), op.getReassociationIndices(), /*collapse=*/false);
        })
        .Case<linalg::TransposeOp>([](auto op) {
          ViewStep step;
          step.source = op.getInput();
          step.dims.assign(op.getPermutation().begin(), op.getPermutation().end());
          return step;
        })
        .Case<linalg::BroadcastOp>([](auto op) {
          ViewStep step;
          step.source = op.getInput();
          ShapedType type = op.getInit().getType();
          int64_t next = 0;
          for (int64_t dim = 0; dim < type.getRank(); ++dim)
            step.dims.push_back(llvm::is_contained(op.getDimensions(), dim) ? -1 : next++);
          step.broadcasts = repeats(step, type);
          return step;
        })
        .Case<linalg::CopyOp>([](auto op) -> std::optional<ViewStep> {
          return getCast(op.getInputs()[0], op.getResult(0).getType());
        })
        .Case<tensor::CastOp>([](auto op) -> std::optional<ViewStep> {
          if (!isa<RankedTensorType>(op.getSource().getType()))
            return std::nullopt;
          return getSameShape(op.getSource(), true);
        })
        .Case<arith::ExtFOp>([](auto op) { return getSameShape(op.getIn(), false); })
        .Case<arith::TruncFOp>([](auto op) {
          ViewStep step = getSameShape(op.getIn(), false);
          step.rounds = true;
          return step;
        })
        .Case<tensor::ExtractSliceOp>([](auto op) {
          ViewStep step;
          step.source = op.getSource();
          llvm::SmallBitVector dropped = op.getDroppedDims();
          for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
            if (!dropped.test(dim))
              step.dims.push_back(dim);
          step.slices = true;
          return step;
        })
        .Case<linalg::GenericOp>([](linalg::GenericOp op) { return matchGenericView(op); })
        .Default(std::nullopt);
  }

  std::optional<UpdateStep> matchUpdate(Operation *op) const override {
    auto insert = dyn_cast<tensor::InsertSliceOp>(op);
    if (!insert)
      return std::nullopt;
    UpdateStep step{insert.getDest(), insert.getSource(), {}};
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    for (int64_t dim = 0; dim < insert.getDestType().getRank(); ++dim)
      if (!dropped.test(dim))
        step.dims.push_back(dim);
    return step;
  }

  std::optional<SmallVector<FlowEdge>> matchFlow(Operation *op) const override {
    SmallVector<FlowEdge> edges;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (auto [init, arg, yielded, result] :
           llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(),
                           loop.getResults())) {
        edges.push_back({arg, {init, yielded}});
        edges.push_back({result, {init, yielded}});
      }
      return edges;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      for (auto [init, arg, yielded] : llvm::zip_equal(loop.getInits(), loop.getBeforeArguments(),
                                                       loop.getYieldOp().getResults()))
        edges.push_back({arg, {init, yielded}});
      for (auto [passed, arg, result] : llvm::zip_equal(
               loop.getConditionOp().getArgs(), loop.getAfterArguments(), loop.getResults())) {
        edges.push_back({arg, {passed}});
        edges.push_back({result, {passed}});
      }
      return edges;
    }
    if (isa<scf::ExecuteRegionOp, scf::IndexSwitchOp>(op)) {
      for (OpResult result : op->getResults()) {
        FlowEdge edge{result, {}};
        for (Region &region : op->getRegions())
          for (Block &block : region)
            if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
              edge.sources.push_back(yield.getOperand(result.getResultNumber()));
        edges.push_back(std::move(edge));
      }
      return edges;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (OpResult result : branch.getResults())
        edges.push_back({result,
                         {branch.thenYield().getOperand(result.getResultNumber()),
                          branch.elseYield().getOperand(result.getResultNumber())}});
      return edges;
    }
    return std::nullopt;
  }

  bool isPure(Operation *op) const override { return op->isRegistered() && isMemoryEffectFree(op); }

private:
  /// Whether a new dimension of a view repeats elements: a new unit dimension does not.
  static bool repeats(const ViewStep &step, ShapedType type) {
    return llvm::any_of(llvm::enumerate(step.dims), [&](auto dim) {
      return dim.value() < 0 && type.getDimSize(dim.index()) != 1;
    });
  }

  static ViewStep getSameShape(Value source, bool identity) {
    ViewStep step;
    step.source = source;
    step.identity = identity;
    llvm::append_range(step.dims,
                       llvm::seq<int64_t>(0, cast<RankedTensorType>(source.getType()).getRank()));
    return step;
  }

  /// A cast of a tensor's elements, if it is one between floats.
  static std::optional<ViewStep> getCast(Value source, Type resultType) {
    Type from = getElementTypeOrSelf(source.getType()), to = getElementTypeOrSelf(resultType);
    if (from != to && !(isa<FloatType>(from) && isa<FloatType>(to)))
      return std::nullopt;
    ViewStep step = getSameShape(source, from == to);
    step.rounds = from != to && from.getIntOrFloatBitWidth() >= to.getIntOrFloatBitWidth();
    return step;
  }

  static ViewStep getReshape(Value source, ArrayRef<ReassociationIndices> groups, bool collapse) {
    ViewStep step;
    step.source = source;
    for (auto [i, group] : llvm::enumerate(groups)) {
      SmallVector<int64_t> one{static_cast<int64_t>(i)}, many(group.begin(), group.end());
      if (collapse)
        step.groups.push_back({many, one});
      else
        step.groups.push_back({one, many});
    }
    // A rank-0 side has no groups: all of the other side are units.
    if (groups.empty())
      step.groups.push_back({});
    return step;
  }

  /// A generic that only permutes, broadcasts or casts.
  static std::optional<ViewStep> matchGenericView(linalg::GenericOp op) {
    if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() ||
        !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
      return std::nullopt;
    CastChain chain = followCasts(op.getBody()->getTerminator()->getOperand(0));
    AffineMap in = op.getIndexingMapsArray()[0], out = op.getIndexingMapsArray()[1];
    if (chain.source != op.getBody()->getArgument(0) || chain.changesKind || !out.isPermutation() ||
        !in.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
    Value source = op.getDpsInputs()[0];
    ViewStep step;
    step.source = source;
    step.rounds = static_cast<bool>(chain.rounding);
    for (AffineExpr expr : out.getResults())
      step.dims.push_back(getPosition(in, expr));
    step.broadcasts = repeats(step, cast<ShapedType>(op.getResult(0).getType()));
    // A constant index reads one place of its dimension.
    for (auto [dim, expr] : llvm::enumerate(in.getResults()))
      step.slices |=
          isa<AffineConstantExpr>(expr) && cast<ShapedType>(source.getType()).getDimSize(dim) != 1;
    step.identity = !step.slices && source.getType() == op.getResult(0).getType() &&
                    llvm::equal(step.dims, llvm::seq<int64_t>(0, step.dims.size()));
    return step;
  }
};
} // namespace

std::unique_ptr<Frontend> ufp4::createLinalgFrontend() {
  return std::make_unique<LinalgFrontend>();
}

Frontends ufp4::createAllFrontends() {
  Frontends frontends;
  frontends.add(createLinalgFrontend());
  frontends.add(createStableHLOFrontend());
  return frontends;
}
