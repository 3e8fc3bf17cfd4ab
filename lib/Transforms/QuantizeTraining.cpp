//===- QuantizeTraining.cpp - GEMMs of linear layers become quantized -----===//

#include "ufp4/Transforms/QuantizeTraining.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "ufp4/Frontends/Frontends.h"
#include "ufp4/Transforms/Arrange.h"
#include "ufp4/Transforms/CastElements.h"
#include "ufp4/Transforms/RngThreading.h"
#include "ufp4/Transforms/WidenAccumulators.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

#include <map>
#include <set>

namespace ufp4 {
#define GEN_PASS_DEF_QUANTIZETRAINING
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {

/// The layers that `skip-first` and `skip-last` leave alone, in the order of their first fprop.
class SkippedLayers {
public:
  SkippedLayers(ArrayRef<GemmInfo> gemms, unsigned first, unsigned last) {
    std::map<Layer, unsigned> order;
    for (Role role : {Role::Fprop, Role::Dgrad, Role::Wgrad})
      for (const GemmInfo &info : gemms)
        if (info.role == role)
          order.try_emplace({info.parameter, info.layer}, order.size());
    for (auto &[layer, position] : order)
      if (position < first || position + last >= order.size())
        skipped.insert(layer);
  }
  bool contains(const GemmInfo &info) const { return skipped.count({info.parameter, info.layer}); }

private:
  using Layer = std::pair<int, std::string>;
  std::set<Layer> skipped;
};

/// Rewrites one module.
class Quantizer {
public:
  Quantizer(ModuleOp module, Recipe recipe, RngSource source)
      : module(module), recipe(std::move(recipe)), rng(module, source),
        frontends(createAllFrontends()) {}

  LogicalResult decide(const QuantizeTrainingOptions &options);
  LogicalResult rewrite();
  void report(ArrayRef<DecisionObserver *> observers);
  bool hasMisses() const;

  const Recipe &getRecipe() const { return recipe; }
  unsigned getNumQuantizes() const { return quantizes.size(); }

private:
  /// A quantize is shared by everything that reads the same value in the same way.
  using QuantizeKey = std::tuple<void *, SmallVector<int64_t>, void *, unsigned, void *>;

  std::optional<std::pair<Reason, std::string>> findObstacle(const GemmInfo &info,
                                                             const QuantizeTrainingOptions &options,
                                                             const SkippedLayers &skipped,
                                                             llvm::Regex *exclude) const;
  void rewrite(const GemmInfo &info);
  Value quantize(OpBuilder &builder, const GemmInfo &info, const GemmLayout &layout, unsigned side,
                 bool &hasBatch);

  ModuleOp module;
  Recipe recipe;
  RngThreading rng;
  Frontends frontends;
  std::vector<GemmInfo> gemms;
  std::vector<Decision> decisions;
  std::map<QuantizeKey, SmallVector<QuantizeOp>> made;
  llvm::SetVector<Operation *> quantizes;
};

/// The element type that an operand has for the recipe: its view root's.
Type getRootElementType(const Frontends &frontends, const ContractionView &view, unsigned side) {
  if (Type rounding = side ? view.rhsRounding : view.lhsRounding)
    return rounding;
  return findViewRoot(frontends, view, side).elementType;
}

std::optional<std::pair<Reason, std::string>>
Quantizer::findObstacle(const GemmInfo &info, const QuantizeTrainingOptions &options,
                        const SkippedLayers &skipped, llvm::Regex *exclude) const {
  if (info.role == Role::None)
    return std::make_pair(info.reason, info.message);
  if (exclude && (exclude->match(info.layer) || exclude->match(info.parameterName)))
    return std::make_pair(Reason::Excluded, "exclude='" + options.exclude + "'");
  if (skipped.contains(info))
    return std::make_pair(Reason::Excluded, std::string("skip-first or skip-last"));
  if (!recipe.getPlan(info.role, info.members[0]))
    return std::make_pair(Reason::Excluded, "recipe " + recipe.name + " leaves " +
                                                stringifyRole(info.role).str() + " alone");
  const ContractionView &view = info.view;
  Type lhs = getRootElementType(frontends, view, 0), rhs = getRootElementType(frontends, view, 1);
  auto describe = [&](const Twine &what) {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << what << ", found " << lhs << " and " << rhs;
    return text;
  };
  auto isNarrow = [](Type type) { return type.isBF16() || type.isF16(); };
  if (!getElement(lhs) || !getElement(rhs))
    return std::make_pair(Reason::OperandType, describe("operands of bf16, f16 or f32"));
  if (!isNarrow(lhs) && !isNarrow(rhs) && !options.includeF32)
    return std::make_pair(Reason::OperandType,
                          describe("an operand of bf16 or f16 (or include-f32)"));
  Type result = cast<RankedTensorType>(view.op->getResult(0).getType()).getElementType();
  if (!view.readOnly && !getElement(result)) {
    std::string text;
    llvm::raw_string_ostream(text) << "a result of bf16, f16 or f32, found " << result;
    return std::make_pair(Reason::OperandType, text);
  }
  if (!view.obstacle.empty())
    return std::make_pair(Reason::Shape, view.obstacle);
  if (ShapedType::isDynamic(view.getExtent(DimGroup::Contracted)))
    return std::make_pair(Reason::Shape,
                          std::string("a contracted extent is dynamic; rotation and blocks need "
                                      "it at compile time"));
  for (DimGroup group : {DimGroup::Batch, DimGroup::LhsFree, DimGroup::RhsFree})
    if (llvm::count_if(view.dims, [&](const ContractionDim &dim) {
          return dim.group == group && ShapedType::isDynamic(dim.extent);
        }) > 1)
      return std::make_pair(Reason::Shape,
                            std::string("two dynamic extents would be merged into one"));
  for (unsigned side : {0, 1}) {
    const OperandPlan &plan = *recipe.getPlan(info.role, info.members[side]);
    if (plan.evaluation == Evaluation::Mma && !(side ? rhs : lhs).isBF16())
      return std::make_pair(Reason::OperandType, describe("evaluation = mma needs bf16 operands"));
    if (plan.rounding != Rounding::Stochastic)
      continue;
    if (std::optional<std::string> obstacle = RngThreading::getObstacle(view.op))
      return std::make_pair(Reason::Shape, *obstacle);
  }
  if (view.readOnly)
    return std::make_pair(Reason::ReadOnlyDialect,
                          "'" + view.op->getName().getStringRef().str() +
                              "' is read, not rewritten; lower the model to linalg first");
  return std::nullopt;
}

LogicalResult Quantizer::decide(const QuantizeTrainingOptions &options) {
  bool rewrittenBefore = false;
  module.walk([&](Operation *op) {
    if (!isa_and_nonnull<UFP4Dialect>(op->getDialect()) || isa<RecipeOp>(op))
      return WalkResult::advance();
    op->emitError() << "the module is rewritten already: '" << op->getName()
                    << "' is not model IR; run it without a recipe";
    rewrittenBefore = true;
    return WalkResult::interrupt();
  });
  if (rewrittenBefore)
    return failure();
  SmallVector<std::string> params(options.params.begin(), options.params.end());
  FailureOr<std::vector<GemmInfo>> found = analyzeTraining(module, frontends, params);
  if (failed(found))
    return failure();
  gemms = std::move(*found);

  std::optional<llvm::Regex> exclude;
  if (!options.exclude.empty()) {
    exclude.emplace(options.exclude);
    std::string error;
    if (!exclude->isValid(error))
      return emitError(module.getLoc()) << "exclude='" << options.exclude
                                        << "' is no POSIX extended regular expression: " << error;
  }
  if (exclude && llvm::none_of(gemms, [&](const GemmInfo &info) {
        return exclude->match(info.layer) || exclude->match(info.parameterName);
      }))
    emitWarning(module.getLoc()) << "exclude='" << options.exclude
                                 << "' finds no layer and no parameter";
  SkippedLayers skipped(gemms, options.skipFirst, options.skipLast);
  for (const GemmInfo &info : gemms) {
    auto obstacle = findObstacle(info, options, skipped, exclude ? &*exclude : nullptr);
    const ContractionView &view = info.view;
    Decision decision{view.op->getLoc(),
                      view.op->getName().getStringRef().str(),
                      view.getExtent(DimGroup::Batch),
                      view.getExtent(DimGroup::LhsFree),
                      view.getExtent(DimGroup::RhsFree),
                      view.getExtent(DimGroup::Contracted),
                      info.role,
                      info.parameter,
                      info.parameterName,
                      info.layer,
                      !obstacle,
                      obstacle ? obstacle->first : Reason::None,
                      obstacle ? obstacle->second : "",
                      {info.members[0], info.members[1]},
                      {},
                      {2 * info.streamIndex, 2 * info.streamIndex + 1}};
    for (unsigned side : {0, 1})
      if (const OperandPlan *plan = recipe.getPlan(info.role, info.members[side]))
        decision.plans[side] = *plan;
    decisions.push_back(std::move(decision));
  }
  return success();
}

/// A misses' only cures are the user's: it is left, and nobody asked for that.
bool Quantizer::hasMisses() const {
  bool missed = false;
  for (const Decision &decision : decisions) {
    if (decision.rewritten || decision.reason == Reason::NoParameter ||
        decision.reason == Reason::Excluded)
      continue;
    missed = true;
    emitError(decision.location) << "fail-on-miss: " << decision.op << " of layer '"
                                 << decision.layer
                                 << "' is left: " << stringifyReason(decision.reason) << ": "
                                 << decision.message;
  }
  return missed;
}

void Quantizer::report(ArrayRef<DecisionObserver *> observers) {
  for (const Decision &decision : decisions)
    for (DecisionObserver *observer : observers)
      observer->observe(decision);
}

/// The elements of a root that each factor runs over, as (dimension, stride) pairs, one list per
/// dimension of the arrangement: two arrangements with equal descriptions are equal.
SmallVector<int64_t> describe(const OperandLayout &layout, ArrayRef<Factors> dims) {
  SmallVector<int64_t> text;
  for (const Factors &factors : dims) {
    for (const Factor &factor : factors)
      for (auto [rootDim, rootFactors] : llvm::enumerate(layout.dims)) {
        int64_t inner = 1;
        for (const Factor &root : llvm::reverse(rootFactors)) {
          if (root.contains(factor))
            llvm::append_range(text, ArrayRef<int64_t>{static_cast<int64_t>(rootDim),
                                                       inner * (factor.stride / root.stride),
                                                       factor.extent});
          inner *= std::max<int64_t>(root.extent, 1);
        }
      }
    text.push_back(-1);
  }
  return text;
}

/// The dimensions [G, R, K] (or [R, K]) of an operand; `along` is K's place. K comes earlier where
/// the root has it there, so that no transpose is needed: the view is the same (Q1).
SmallVector<Factors> chooseDims(const GemmLayout &layout, unsigned side, int64_t &along) {
  SmallVector<Factors> leading;
  if (!layout.batch.empty())
    leading.push_back(layout.batch);
  leading.push_back(layout.free[side]);
  // Where a factor begins in the root's memory: the root's factor, then the place in it.
  auto place = [&](const Factor &factor) {
    int64_t position = 0;
    for (const Factors &dim : layout.roots[side].layout.dims)
      for (const Factor &root : dim) {
        ++position;
        if (root.contains(factor))
          return std::make_pair(position, -factor.stride);
      }
    llvm_unreachable("every factor lies in the root");
  };
  for (along = leading.size(); along >= 0; --along) {
    SmallVector<Factors> dims(leading);
    dims.insert(dims.begin() + along, layout.contracted);
    SmallVector<std::pair<int64_t, int64_t>> places;
    for (const Factors &dim : dims)
      for (const Factor &factor : dim)
        places.push_back(place(factor));
    if (llvm::is_sorted(places))
      return dims;
  }
  along = leading.size();
  leading.push_back(layout.contracted);
  return leading;
}

Value Quantizer::quantize(OpBuilder &builder, const GemmInfo &info, const GemmLayout &layout,
                          unsigned side, bool &hasBatch) {
  const OperandPlan &plan = *recipe.getPlan(info.role, info.members[side]);
  const ViewRoot &root = layout.roots[side];
  Location loc = info.view.op->getLoc();
  int64_t along;
  SmallVector<Factors> dims = chooseDims(layout, side, along);
  hasBatch = !layout.batch.empty();
  bool stochastic = plan.rounding == Rounding::Stochastic;
  RngThreading::State state;
  if (stochastic)
    state = rng.getState(info.view.op);
  SchemeAttr scheme = plan.getSchemeAttr(builder.getContext());
  uint32_t stream = 2 * info.streamIndex + side;

  SmallVector<int64_t> description = describe(root.layout, dims);
  description.push_back(along);
  QuantizeKey key{root.value.getAsOpaquePointer(), std::move(description),
                  const_cast<void *>(scheme.getAsOpaquePointer()), stochastic ? plan.bits : 0,
                  state.seed ? state.seed.getAsOpaquePointer() : nullptr};
  SmallVector<QuantizeOp> &known = made[key];
  for (QuantizeOp op : known)
    // An earlier one in this block or around it dominates.
    if (op->getBlock()->findAncestorOpInBlock(*info.view.op)) {
      if (stochastic)
        op.setStream(std::min<uint64_t>(*op.getStream(), stream));
      return op;
    }

  Value value = castElements(builder, loc, root.value, root.elementType);
  value = arrange(builder, loc, value, root.layout.dims, dims);
  auto type = QuantizedTensorType::get(
      builder.getContext(), cast<RankedTensorType>(value.getType()).getShape(), scheme, along);
  auto op = QuantizeOp::create(builder, loc, type, value, /*amax=*/Value(), state.seed, state.step,
                               /*dynamic_stream=*/Value(), ValueRange{},
                               stochastic ? builder.getI64IntegerAttr(stream) : IntegerAttr(),
                               stochastic && plan.bits != 16 ? builder.getI64IntegerAttr(plan.bits)
                                                             : IntegerAttr(),
                               PlaceAttr());
  known.push_back(op);
  quantizes.insert(op);
  return op;
}

/// The same tensor with other extents known at compile time.
Value castShape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return value;
  return tensor::CastOp::create(builder, loc, type.clone(shape), value);
}

void Quantizer::rewrite(const GemmInfo &info) {
  // Earlier rewrites have replaced values that the analysis saw.
  Operation *op = info.view.op;
  ContractionView view = *frontends.matchContraction(op);
  Location loc = op->getLoc();
  OpBuilder builder(op);
  if (view.lhsRounding)
    view.lhs = castElements(builder, loc, view.lhs, view.lhsRounding);
  if (view.rhsRounding)
    view.rhs = castElements(builder, loc, view.rhs, view.rhsRounding);
  GemmLayout layout = getGemmLayout(frontends, view);

  bool hasBatch = false;
  Value lhs = quantize(builder, info, layout, 0, hasBatch);
  Value rhs = quantize(builder, info, layout, 1, hasBatch);

  // The batch dimension is the first of each operand's that K does not precede.
  auto getBatch = [&](Value operand) -> SmallVector<int64_t> {
    if (!hasBatch)
      return {};
    return {cast<QuantizedTensorType>(operand.getType()).getAlong() == 0 ? 1 : 0};
  };
  SmallVector<int64_t> lhsBatch = getBatch(lhs), rhsBatch = getBatch(rhs);
  SmallVector<Factors> dims;
  if (hasBatch)
    dims.push_back(layout.batch);
  dims.push_back(layout.free[0]);
  dims.push_back(layout.free[1]);
  SmallVector<int64_t> shape;
  auto leading = [](Value operand) {
    return cast<QuantizedTensorType>(operand.getType()).getLeadingShape();
  };
  llvm::append_range(shape, leading(lhs));
  shape.push_back(leading(rhs).back());

  OperandLayout resultLayout = getLayout(view, 2);
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  Value accumulator;
  if (view.accumulator) {
    accumulator = castElements(builder, loc, view.accumulator, builder.getF32Type());
    accumulator = arrange(builder, loc, accumulator, resultLayout.dims, dims);
    accumulator = castShape(builder, loc, accumulator, shape);
  }
  auto matmul =
      MatmulOp::create(builder, loc, RankedTensorType::get(shape, resultType.getElementType()), lhs,
                       rhs, accumulator, lhsBatch, rhsBatch);
  NamedAttrList attrs;
  attrs.append("index", builder.getI64IntegerAttr(info.index));
  attrs.append("layer", builder.getStringAttr(info.layer));
  attrs.append("role", builder.getStringAttr(stringifyRole(info.role)));
  matmul->setAttr(kGemmAttr, attrs.getDictionary(builder.getContext()));
  Value result = arrange(builder, loc, matmul, dims, resultLayout.dims);
  result = castShape(builder, loc, result, resultType.getShape());
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

LogicalResult Quantizer::rewrite() {
  SmallVector<Operation *> sites;
  for (auto [info, decision] : llvm::zip_equal(gemms, decisions))
    if (decision.rewritten && llvm::any_of(decision.plans, [](const auto &plan) {
          return plan && plan->rounding == Rounding::Stochastic;
        }))
      sites.push_back(info.view.op);
  if (failed(rng.prepare(sites)))
    return failure();
  for (auto [info, decision] : llvm::zip_equal(gemms, decisions))
    if (decision.rewritten)
      rewrite(info);
  widenAccumulators(module);
  IRRewriter rewriter(module.getContext());
  (void)runRegionDCE(rewriter, module->getRegions());
  return success();
}

/// Parses SEED:STEP.
FailureOr<RngSource> getRngSource(const QuantizeTrainingOptions &options, ModuleOp module) {
  RngSource source;
  source.seedArg = options.seedArg;
  if (options.seedArg < -1)
    return emitError(module.getLoc())
           << "seed-arg=" << options.seedArg << ": expected the number of an argument";
  if (options.rngArg != "auto" && options.rngArg != "always")
    return emitError(module.getLoc())
           << "rng-arg='" << options.rngArg << "': expected auto or always";
  source.always = options.rngArg == "always";
  if (options.fixedSeed.empty())
    return source;
  auto [seedText, stepText] = StringRef(options.fixedSeed).split(':');
  int64_t seed, step;
  uint64_t unsignedSeed;
  if (!seedText.getAsInteger(0, unsignedSeed))
    seed = static_cast<int64_t>(unsignedSeed);
  else if (seedText.getAsInteger(0, seed))
    return emitError(module.getLoc())
           << "fixed-seed='" << options.fixedSeed << "': expected SEED:STEP";
  if (stepText.getAsInteger(0, step))
    return emitError(module.getLoc())
           << "fixed-seed='" << options.fixedSeed << "': expected SEED:STEP";
  if (options.seedArg >= 0)
    return emitError(module.getLoc()) << "seed-arg and fixed-seed exclude each other";
  source.fixed = {static_cast<uint64_t>(seed), static_cast<uint32_t>(step)};
  return source;
}

} // namespace

FailureOr<QuantizeTrainingResult> ufp4::quantizeTraining(ModuleOp module,
                                                         const QuantizeTrainingOptions &options,
                                                         ArrayRef<DecisionObserver *> observers) {
  FailureOr<Recipe> recipe = findRecipe(options.recipe, module);
  FailureOr<RngSource> source = getRngSource(options, module);
  if (failed(recipe) || failed(source))
    return failure();
  Quantizer quantizer(module, std::move(*recipe), *source);
  if (failed(quantizer.decide(options)) || (options.failOnMiss && quantizer.hasMisses()) ||
      failed(quantizer.rewrite()))
    return failure();
  quantizer.report(observers);
  Builder builder(module.getContext());
  module->setAttr(
      kRecipeAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("hash", builder.getStringAttr(quantizer.getRecipe().getHash())),
           builder.getNamedAttr("name", builder.getStringAttr(quantizer.getRecipe().name))}));
  return QuantizeTrainingResult{quantizer.getRecipe(), quantizer.getNumQuantizes()};
}

namespace {
struct QuantizeTraining : ufp4::impl::QuantizeTrainingBase<QuantizeTraining> {
  using QuantizeTrainingBase::QuantizeTrainingBase;

  void runOnOperation() override {
    QuantizeTrainingOptions options;
    options.recipe = recipe;
    options.params.assign(params.begin(), params.end());
    options.exclude = exclude;
    options.skipFirst = skipFirst;
    options.skipLast = skipLast;
    options.includeF32 = includeF32;
    options.failOnMiss = failOnMiss;
    options.seedArg = seedArg;
    options.fixedSeed = fixedSeed;
    options.rngArg = rngArg;
    DecisionList list;
    std::unique_ptr<DecisionObserver> remarks = createRemarkObserver();
    auto result = quantizeTraining(getOperation(), options, {&list, remarks.get()});
    if (failed(result))
      return signalPassFailure();
    numMatmuls += list.decisions.size();
    numRewritten += llvm::count_if(list.decisions, [](const Decision &d) { return d.rewritten; });
    numQuantizes += result->numQuantizes;
    if (decisions.empty())
      return;
    auto write = [&](raw_ostream &os) {
      os << llvm::formatv("{0:2}", toJSON(list.decisions, result->recipe)) << '\n';
      return llvm::Error::success();
    };
    if (llvm::Error error = llvm::writeToOutput(decisions, write)) {
      emitError(getOperation().getLoc())
          << "decisions=" << decisions
          << " cannot be written: " << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
