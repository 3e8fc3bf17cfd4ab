//===- QuantizeTraining.cpp - GEMMs of linear layers become quantized -----===//

#include "ufp4/Transforms/QuantizeTraining.h"

#include "ufp4/Frontends/Frontends.h"
#include "ufp4/Support/Files.h"
#include "ufp4/Transforms/ModelWriter.h"
#include "ufp4/Transforms/RngThreading.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"

#include <deque>
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

/// The writer for a module's dialect: one StableHLO operation makes it StableHLO.
std::unique_ptr<ModelWriter> createWriter(ModuleOp module, const Frontends &frontends) {
  bool isStableHLO = module
                         .walk([](Operation *op) {
                           return op->getName().getDialectNamespace() == "stablehlo"
                                      ? WalkResult::interrupt()
                                      : WalkResult::advance();
                         })
                         .wasInterrupted();
  return isStableHLO ? createCustomCallWriter(module, frontends) : createTensorWriter();
}

/// Rewrites one module.
class Quantizer {
public:
  Quantizer(ModuleOp module, Recipe recipe, RngSource source)
      : module(module), recipe(std::move(recipe)), frontends(createAllFrontends()),
        writer(createWriter(module, frontends)), rng(module, source, frontends, *writer) {}

  LogicalResult decide(const QuantizeTrainingOptions &options);
  LogicalResult rewrite();
  void report(ArrayRef<DecisionObserver *> observers);
  bool hasMisses() const;

  const Recipe &getRecipe() const { return recipe; }
  unsigned getNumQuantizes() const { return quantizes.size(); }

private:
  /// The value, the view, the scheme, the bits drawn, the seed and the sizes of groups.
  using QuantizeKey = std::tuple<void *, SmallVector<int64_t>, void *, unsigned, void *, void *>;

  std::optional<std::pair<Reason, std::string>> findObstacle(const GemmInfo &info,
                                                             const QuantizeTrainingOptions &options,
                                                             const SkippedLayers &skipped,
                                                             llvm::Regex *exclude);
  void rewrite(const GemmInfo &info);
  SharedQuantize *share(const GemmInfo &info, const GemmLayout &layout, unsigned side);

  ModuleOp module;
  Recipe recipe;
  Frontends frontends;
  std::unique_ptr<ModelWriter> writer;
  RngThreading rng;
  std::vector<GemmInfo> gemms;
  std::vector<Decision> decisions;
  std::map<QuantizeKey, SmallVector<SharedQuantize *>> shared;
  /// In the order in which they are made; they do not move.
  std::deque<SharedQuantize> quantizes;
};

/// The element type that an operand has for the recipe: its view root's.
Type getRootElementType(const Frontends &frontends, const ContractionView &view, unsigned side) {
  if (Type rounding = side ? view.rhsRounding : view.lhsRounding)
    return rounding;
  return findViewRoot(frontends, view, side).elementType;
}

std::optional<std::pair<Reason, std::string>>
Quantizer::findObstacle(const GemmInfo &info, const QuantizeTrainingOptions &options,
                        const SkippedLayers &skipped, llvm::Regex *exclude) {
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
  if (std::optional<std::string> obstacle = writer->getShapeObstacle(view))
    return std::make_pair(Reason::Shape, *obstacle);
  for (unsigned side : {0, 1}) {
    const OperandPlan &plan = *recipe.getPlan(info.role, info.members[side]);
    if (plan.evaluation == Evaluation::Mma && !(side ? rhs : lhs).isBF16())
      return std::make_pair(Reason::OperandType, describe("evaluation = mma needs bf16 operands"));
    if (plan.rounding != Rounding::Stochastic)
      continue;
    if (std::optional<std::string> obstacle = rng.getObstacle(view.op))
      return std::make_pair(Reason::Shape, *obstacle);
  }
  if (view.readOnly || !writer->canWrite(view.op))
    return std::make_pair(Reason::ReadOnlyDialect, "'" + view.op->getName().getStringRef().str() +
                                                       "' is read, not rewritten");
  const OperandPlan *plans[] = {recipe.getPlan(info.role, info.members[0]),
                                recipe.getPlan(info.role, info.members[1])};
  if (std::optional<std::string> obstacle = writer->getPartObstacle(info, plans))
    return std::make_pair(Reason::Shard, *obstacle);
  return std::nullopt;
}

/// Sizes of groups that the program says are those of the rows that they divide (G4).
LogicalResult verifyGroupSizes(const ContractionView &view) {
  Operation *op = view.isGrouped() ? view.groupSizes.getDefiningOp() : nullptr;
  auto sizes = op ? op->getAttrOfType<DenseIntElementsAttr>("value") : DenseIntElementsAttr();
  int64_t rows = view.getExtent(view.cutsContraction() ? DimGroup::Contracted : DimGroup::LhsFree);
  if (!sizes || !view.obstacle.empty() || ShapedType::isDynamic(rows))
    return success();
  int64_t sum = 0;
  for (const APInt &size : sizes) {
    if (size.isNegative())
      return emitError(view.op->getLoc()) << "a group has a negative size, " << size.getSExtValue();
    sum += size.getSExtValue();
  }
  if (sum != rows)
    return emitError(view.op->getLoc()) << "the sizes of the groups add up to " << sum
                                        << ", expected " << rows << ", the rows that they divide";
  return success();
}

LogicalResult Quantizer::decide(const QuantizeTrainingOptions &options) {
  bool rewrittenBefore = false;
  module.walk([&](Operation *op) {
    auto target = op->getAttrOfType<StringAttr>("call_target_name");
    bool isCall = target && target.getValue().starts_with("ufp4.");
    if (!isCall && (!isa_and_nonnull<UFP4Dialect>(op->getDialect()) || isa<RecipeOp>(op)))
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
  for (const GemmInfo &info : gemms)
    if (failed(verifyGroupSizes(info.view)))
      return failure();

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
    if (view.isGrouped())
      decision.groups = view.getExtent(DimGroup::Expert);
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

SharedQuantize *Quantizer::share(const GemmInfo &info, const GemmLayout &layout, unsigned side) {
  const OperandPlan &plan = *recipe.getPlan(info.role, info.members[side]);
  const ViewRoot &root = layout.roots[side];
  bool stochastic = plan.rounding == Rounding::Stochastic;
  SeedState state;
  if (stochastic)
    state = rng.getState(info.view.op);
  uint32_t stream = 2 * info.streamIndex + side;
  SchemeAttr scheme = plan.getSchemeAttr(module.getContext());
  QuantizeKey key{root.value.getAsOpaquePointer(),
                  describe(root.layout, {layout.getBatch(info.view, side), layout.free[side],
                                         layout.contracted}),
                  const_cast<void *>(scheme.getAsOpaquePointer()),
                  stochastic ? plan.bits : 0,
                  stochastic ? state.front().getAsOpaquePointer() : nullptr,
                  info.view.groupSizes.getAsOpaquePointer()};
  SmallVector<SharedQuantize *> &known = shared[key];
  for (SharedQuantize *quantize : known)
    // An earlier one in this block or around it dominates.
    if (quantize->block->findAncestorOpInBlock(*info.view.op)) {
      quantize->stream = std::min(quantize->stream, stream);
      return quantize;
    }
  quantizes.push_back({&plan, state, stream, info.view.op->getBlock(), {}});
  return known.emplace_back(&quantizes.back());
}

void Quantizer::rewrite(const GemmInfo &info) {
  // Earlier rewrites have replaced values that the analysis saw.
  Operation *op = info.view.op;
  ContractionView view = *frontends.matchContraction(op);
  OpBuilder builder(op);
  writer->roundOperands(builder, view);
  GemmLayout layout = getGemmLayout(frontends, view);
  SharedQuantize *lhs = share(info, layout, 0), *rhs = share(info, layout, 1);
  Value result = writer->write(builder, {info, view, layout, recipe.name, {lhs, rhs}});
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
  for (const SharedQuantize &quantize : quantizes)
    writer->finish(quantize);
  writer->finish(module);
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
    std::string text = llvm::formatv("{0:2}\n", toJSON(list.decisions, result->recipe));
    if (llvm::Error error = replaceFile(decisions, text)) {
      emitError(getOperation().getLoc())
          << "decisions=" << decisions
          << " cannot be written: " << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
