//===- CustomCallWriter.cpp - quantized GEMMs as StableHLO custom calls ---===//
//
// docs/custom-call.md is the contract.
//
//===----------------------------------------------------------------------===//

#include "StableHLOBuilder.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "ufp4/Transforms/ModelWriter.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace ufp4;

namespace {

constexpr int64_t kCallVersion = 1;

bool isNamed(Operation *op, StringRef name) { return op->getName().getStringRef() == name; }

/// A value that an operand is a view of, and what its dimensions are.
struct OperandView {
  Value value;
  OperandLayout layout;
};

/// Whether a layout and the order of a GEMM's factors can be cut alike.
bool agrees(const OperandLayout &layout, ArrayRef<const Factors *> order) {
  Factors factors, wanted;
  for (const Factors &dim : layout.dims)
    llvm::append_range(factors, dim);
  for (const Factors *group : order)
    llvm::append_range(wanted, *group);
  std::optional<Factors> a = cutLike(factors, wanted), b = cutLike(wanted, factors);
  return a && b && a->size() == b->size() &&
         llvm::all_of(*a, [&](const Factor &factor) { return llvm::is_contained(*b, factor); });
}

/// The value that a call reads: the view root, or a value below it where a barrier or a sharding
/// constraint between the two would be lost and nothing wider has to be read for it.
OperandView findCallOperand(const Frontends &frontends, const ContractionView &view,
                            const ViewRoot &root, ArrayRef<const Factors *> order, unsigned side) {
  OperandView current{view.getOperand(side), getLayout(view, side)}, best = current;
  auto getWidth = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getElementTypeBitWidth();
  };
  bool crossed = false;
  while (current.value != root.value) {
    ViewStep step = *frontends.matchView(current.value);
    crossed |= step.identity && !isNamed(current.value.getDefiningOp(), "stablehlo.convert");
    auto type = cast<RankedTensorType>(current.value.getType());
    auto sourceType = cast<RankedTensorType>(step.source.getType());
    current = {step.source,
               *followStep(view, step, current.layout, sourceType.getShape(), type.getShape(),
                           /*acrossGroups=*/false)};
    if ((crossed && getWidth(current.value) >= getWidth(best.value)) ||
        !agrees(current.layout, order))
      continue;
    best = current;
    crossed = false;
  }
  return best;
}

/// The factors of `order` cut wherever one of `dims` begins inside them; they agree.
Factors cutOrder(const Factors &order, ArrayRef<Factors> dims) {
  Factors flat;
  for (const Factors &dim : dims)
    llvm::append_range(flat, dim);
  std::optional<Factors> cut = cutLike(order, flat);
  assert(cut && "the layouts agree");
  return *cut;
}

class CustomCallWriter : public ModelWriter {
public:
  CustomCallWriter(ModuleOp module, const Frontends &frontends)
      : module(module), frontends(frontends) {}

  //===--------------------------------------------------------------------===//
  // Seeds
  //===--------------------------------------------------------------------===//

  SmallVector<Type> getSeedTypes(MLIRContext *context) const override {
    return {RankedTensorType::get({3}, IntegerType::get(context, 32))};
  }

  // StableHLO's portable form has no unit attributes on arguments.
  Attribute getRngMark(MLIRContext *context) const override { return BoolAttr::get(context, true); }

  SeedState unpack(OpBuilder &, Location, Value rng) override { return {rng}; }
  Value pack(OpBuilder &, Location, const SeedState &state) override { return state.front(); }

  SeedState getConstant(OpBuilder &builder, Location loc, uint64_t seed, uint32_t step) override {
    auto type = cast<RankedTensorType>(getSeedTypes(builder.getContext()).front());
    int32_t words[3] = {static_cast<int32_t>(seed), static_cast<int32_t>(seed >> 32),
                        static_cast<int32_t>(step)};
    return {StableHLOBuilder(builder, loc)
                .constant(DenseElementsAttr::get(type, ArrayRef<int32_t>(words)))};
  }

  SeedState foldIn(OpBuilder &builder, Location loc, const SeedState &state,
                   int64_t ordinal) override {
    return foldIn(builder, loc, state,
                  StableHLOBuilder(builder, loc).scalar(builder.getI64Type(), ordinal));
  }

  Scope getScope(Operation *op) const override {
    if (isNamed(op, "stablehlo.while"))
      return Scope::Own;
    if (isNamed(op, "sdy.manual_computation"))
      return getMesh(op).empty() ? Scope::None : Scope::Own;
    return isNamed(op, "stablehlo.if") || isNamed(op, "stablehlo.case") ? Scope::Parents
                                                                        : Scope::None;
  }

  void addTripCounters(ArrayRef<Operation *> ops) override;
  SeedState enter(Region &region, const SeedState &outer) override;

  //===--------------------------------------------------------------------===//
  // GEMMs
  //===--------------------------------------------------------------------===//

  bool canWrite(Operation *op) const override { return isNamed(op, "stablehlo.dot_general"); }

  std::optional<std::string> getShapeObstacle(const ContractionView &view) const override {
    if (llvm::any_of(view.dims,
                     [](const ContractionDim &dim) { return ShapedType::isDynamic(dim.extent); }))
      return "an extent is symbolic; export the model with concrete shapes";
    return std::nullopt;
  }

  void roundOperands(OpBuilder &, ContractionView &) override {}
  Value write(OpBuilder &builder, const QuantizedGemm &gemm) override;
  void finish(const SharedQuantize &quantize) override;
  void finish(ModuleOp) override;

private:
  SeedState foldIn(OpBuilder &builder, Location loc, const SeedState &state, Value number) {
    if (!foldInFunction)
      foldInFunction = createFoldInFunction(module);
    auto call =
        func::CallOp::create(builder, loc, foldInFunction, ValueRange{state.front(), number});
    return {call.getResult(0)};
  }

  static std::string getMesh(Operation *op);
  Value readOperand(OpBuilder &builder, const QuantizedGemm &gemm, unsigned side,
                    NamedAttrList &attrs);

  ModuleOp module;
  const Frontends &frontends;
  func::FuncOp foldInFunction;
  /// Which of a while's values counts its trips from 0 in steps of 1.
  llvm::DenseMap<Operation *, unsigned> counters;
  /// What only a rewritten GEMM may have read.
  llvm::SetVector<Operation *> candidates;
};

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Operation *getBodyReturn(Operation *loop) { return loop->getRegion(1).front().getTerminator(); }

/// The place of a value that a while carries from 0 in steps of 1: the number of the running trip.
std::optional<unsigned> findTripCounter(Operation *loop) {
  Region &body = loop->getRegion(1);
  for (unsigned i = 0; i < loop->getNumOperands(); ++i) {
    auto type = dyn_cast<RankedTensorType>(loop->getOperand(i).getType());
    if (!type || type.getRank() != 0 || !type.getElementType().isIntOrIndex() ||
        type.getElementTypeBitWidth() < 32 || !isStableHLOConstant(loop->getOperand(i), 0))
      continue;
    Operation *add = getBodyReturn(loop)->getOperand(i).getDefiningOp();
    if (!add || !isNamed(add, "stablehlo.add"))
      continue;
    Value argument = body.getArgument(i);
    for (unsigned side : {0, 1})
      if (add->getOperand(side) == argument && isStableHLOConstant(add->getOperand(1 - side), 1))
        return i;
  }
  return std::nullopt;
}

/// Gives a while a counter of its trips, its last value.
Operation *addTripCounter(Operation *loop) {
  OpBuilder builder(loop);
  Location loc = loop->getLoc();
  Type i64 = builder.getI64Type();
  SmallVector<Value> operands(loop->getOperands());
  operands.push_back(StableHLOBuilder(builder, loc).scalar(i64, 0));
  SmallVector<Type> types(loop->getResultTypes());
  types.push_back(operands.back().getType());
  OperationState state(loc, loop->getName().getStringRef(), operands, types,
                       llvm::to_vector(loop->getDiscardableAttrs()));
  state.propertiesAttr = loop->getPropertiesAsAttribute();
  for (unsigned i = 0; i < loop->getNumRegions(); ++i)
    state.addRegion();
  Operation *counted = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(loop->getRegions(), counted->getRegions())) {
    to.takeBody(from);
    to.addArgument(operands.back().getType(), loc);
  }
  Operation *terminator = getBodyReturn(counted);
  builder.setInsertionPoint(terminator);
  StableHLOBuilder b(builder, loc);
  Value next = b.createValue("stablehlo.add",
                             {counted->getRegion(1).getArguments().back(), b.scalar(i64, 1)},
                             operands.back().getType());
  terminator->insertOperands(terminator->getNumOperands(), next);
  loop->replaceAllUsesWith(counted->getResults().drop_back());
  loop->erase();
  return counted;
}

void CustomCallWriter::addTripCounters(ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> loops;
  for (Operation *op : ops)
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      if (isNamed(parent, "stablehlo.while"))
        loops.insert(parent);
  for (Operation *loop : loops) {
    std::optional<unsigned> counter = findTripCounter(loop);
    if (!counter) {
      counter = loop->getNumOperands();
      loop = addTripCounter(loop);
    }
    counters[loop] = *counter;
  }
}

/// The text of an attribute of Shardy's, which is opaque here.
StringRef getShardyText(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<OpaqueAttr>(name);
  return attr ? attr.getAttrData() : StringRef();
}

/// The mesh that a manual computation's shardings name, as they spell it; empty: they name none.
std::string CustomCallWriter::getMesh(Operation *op) {
  for (StringRef name : {"in_shardings", "out_shardings"}) {
    StringRef text = getShardyText(op, name);
    if (text.consume_front("sharding_per_value<[<") && text.contains(", ["))
      return text.split(", [").first.str();
  }
  return "";
}

SeedState CustomCallWriter::enter(Region &region, const SeedState &outer) {
  Operation *op = region.getParentOp();
  Location loc = op->getLoc();
  if (isNamed(op, "stablehlo.while")) {
    OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
    Value trip = region.getArgument(counters.lookup(op));
    return foldIn(builder, loc, outer,
                  StableHLOBuilder(builder, loc).convert(trip, builder.getI64Type()));
  }
  // A manual computation is isolated: the seed is an operand, whole on every device.
  std::string mesh = getMesh(op);
  StringRef text = getShardyText(op, "in_shardings");
  std::string shardings = text.drop_back(2).str();
  shardings += (op->getNumOperands() ? ", <" : "<") + mesh + ", [{}]>]>";
  auto old = op->getAttrOfType<OpaqueAttr>("in_shardings");
  op->setAttr("in_shardings", OpaqueAttr::get(old.getDialectNamespace(), shardings, old.getType()));
  op->insertOperands(op->getNumOperands(), outer.front());
  return {region.addArgument(outer.front().getType(), loc)};
}

//===----------------------------------------------------------------------===//
// GEMMs
//===----------------------------------------------------------------------===//

/// The value that a call reads for one side, and the attributes that say how.
Value CustomCallWriter::readOperand(OpBuilder &builder, const QuantizedGemm &gemm, unsigned side,
                                    NamedAttrList &attrs) {
  const GemmLayout &layout = gemm.layout;
  StableHLOBuilder b(builder, gemm.view.op->getLoc());
  const Factors *groups[3] = {&layout.batch, &layout.free[side], &layout.contracted};
  OperandView operand = findCallOperand(frontends, gemm.view, layout.roots[side], groups, side);
  Value value = operand.value;
  // A view that mixes groups keeps a widening above it out of the root: its values are narrow.
  Type exact = layout.roots[side].elementType;
  if (exact.getIntOrFloatBitWidth() <
      cast<RankedTensorType>(value.getType()).getElementTypeBitWidth())
    value = b.convert(value, exact);

  // Each dimension is a run of the view's order, or is split into runs.
  Factors order;
  int64_t ends[3];
  for (auto [group, end] : llvm::zip_equal(groups, ends)) {
    llvm::append_range(order, cutOrder(*group, operand.layout.dims));
    end = order.size();
  }
  auto getPosition = [&](const Factor &factor) -> int64_t {
    return llvm::find(order, factor) - order.begin();
  };
  SmallVector<int64_t> shape, places;
  for (const Factors &dim : operand.layout.dims) {
    Factors fine = cutOrder(dim, order);
    if (fine.empty()) {
      // A unit dimension is as good as any other at the head of the free ones.
      shape.push_back(1);
      places.push_back(ends[0]);
    }
    for (auto [i, factor] : llvm::enumerate(fine)) {
      int64_t position = getPosition(factor);
      bool continues =
          i && position == getPosition(fine[i - 1]) + 1 && !llvm::is_contained(ends, position);
      if (continues) {
        shape.back() *= factor.extent;
        continue;
      }
      shape.push_back(factor.extent);
      places.push_back(position);
    }
  }
  value = b.reshape(value, shape);

  SmallVector<int64_t> view = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  llvm::sort(view, [&](int64_t x, int64_t y) {
    return std::make_tuple(places[x], shape[x] != 1, x) <
           std::make_tuple(places[y], shape[y] != 1, y);
  });
  int64_t counts[3] = {0, 0, 0};
  for (auto [place, extent] : llvm::zip_equal(places, shape)) {
    bool isUnit = extent == 1;
    ++counts[place < ends[0] ? 0 : isUnit || place < ends[1] ? 1 : 2];
  }

  const SharedQuantize &quantize = *gemm.operands[side];
  const OperandPlan &plan = *quantize.plan;
  std::string scheme;
  llvm::raw_string_ostream(scheme) << plan.getSchemeAttr(builder.getContext());
  StringRef prefix = side ? "rhs_" : "lhs_";
  auto set = [&](StringRef key, Attribute attr) { attrs.set((prefix + key).str(), attr); };
  set("scheme", builder.getStringAttr(scheme));
  set("rounding", builder.getStringAttr(stringifyRounding(plan.rounding)));
  set("bits", builder.getI64IntegerAttr(quantize.isStochastic() ? plan.bits : 0));
  set("stream", builder.getI64IntegerAttr(0));
  set("view", builder.getDenseI64ArrayAttr(view));
  set("groups", builder.getDenseI64ArrayAttr(counts));
  return value;
}

/// Row-major, in XLA's minor-to-major terms.
Attribute getRowMajor(OpBuilder &builder, Type type) {
  int64_t rank = cast<RankedTensorType>(type).getRank();
  SmallVector<APInt> dims;
  for (int64_t dim = rank; dim-- > 0;)
    dims.push_back(APInt(64, dim));
  return DenseElementsAttr::get(RankedTensorType::get({rank}, builder.getIndexType()), dims);
}

Value CustomCallWriter::write(OpBuilder &builder, const QuantizedGemm &gemm) {
  const ContractionView &view = gemm.view;
  const GemmLayout &layout = gemm.layout;
  Operation *op = view.op;
  StableHLOBuilder b(builder, op->getLoc());
  for (Value operand : {view.lhs, view.rhs})
    if (Operation *producer = operand.getDefiningOp())
      candidates.insert(producer);

  NamedAttrList config;
  SmallVector<Value> operands;
  for (unsigned side : {0, 1})
    operands.push_back(readOperand(builder, gemm, side, config));
  for (SharedQuantize *quantize : gemm.operands)
    if (quantize->isStochastic() && operands.size() == 2)
      operands.push_back(quantize->state.front());
  config.set("version", builder.getI64IntegerAttr(kCallVersion));
  config.set("recipe", builder.getStringAttr(gemm.recipe));
  config.set("gemm", builder.getI64IntegerAttr(gemm.info.index));
  config.set("role", builder.getStringAttr(stringifyRole(gemm.info.role)));
  config.set("layer", builder.getStringAttr(gemm.info.layer));
  config.set("parameter", builder.getStringAttr(gemm.info.parameterName));

  // The order of the result's factors: batch, lhs free, rhs free.
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  OperandLayout resultLayout = getLayout(view, 2);
  Factors order;
  for (const Factors *group : {&layout.batch, &layout.free[0], &layout.free[1]})
    llvm::append_range(order, cutOrder(*group, resultLayout.dims));
  SmallVector<int64_t> shape, permutation;
  for (const Factor &factor : order)
    shape.push_back(factor.extent);
  for (const Factors &dim : resultLayout.dims)
    for (const Factor &factor : cutOrder(dim, order))
      permutation.push_back(llvm::find(order, factor) - order.begin());
  bool inOrder = llvm::is_sorted(permutation);
  RankedTensorType callType = inOrder ? resultType : resultType.clone(shape);

  SmallVector<Attribute> layouts;
  for (Value operand : operands)
    layouts.push_back(getRowMajor(builder, operand.getType()));
  NamedAttribute attrs[] = {
      builder.getNamedAttr("api_version", builder.getI32IntegerAttr(4)),
      builder.getNamedAttr("backend_config", config.getDictionary(builder.getContext())),
      builder.getNamedAttr("call_target_name", builder.getStringAttr("ufp4.gemm")),
      builder.getNamedAttr("has_side_effect", builder.getBoolAttr(false)),
      builder.getNamedAttr("operand_layouts", builder.getArrayAttr(layouts)),
      builder.getNamedAttr("result_layouts", builder.getArrayAttr(getRowMajor(builder, callType)))};
  Operation *call = b.create("stablehlo.custom_call", operands, callType, attrs);
  Value result = call->getResult(0);
  if (!inOrder)
    result = b.reshape(b.transpose(result, permutation), resultType.getShape());
  // What others say of the operation holds for the call; a sharding, for the result.
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    StringRef name = attr.getName().getValue();
    if (!name.contains('.') || name == kGemmAttr)
      continue;
    bool isSharding = name == "mhlo.sharding" || name == "sdy.sharding";
    (isSharding ? result.getDefiningOp() : call)
        ->setDiscardableAttr(attr.getName(), attr.getValue());
  }
  for (unsigned side : {0, 1})
    gemm.operands[side]->written.push_back({call, side});
  return result;
}

void CustomCallWriter::finish(const SharedQuantize &quantize) {
  if (!quantize.isStochastic())
    return;
  Builder builder(module.getContext());
  for (auto [call, side] : quantize.written) {
    NamedAttrList config(call->getAttrOfType<DictionaryAttr>("backend_config"));
    config.set(side ? "rhs_stream" : "lhs_stream", builder.getI64IntegerAttr(quantize.stream));
    call->setAttr("backend_config", config.getDictionary(module.getContext()));
  }
}

/// Views and casts that only rewritten GEMMs read.
void CustomCallWriter::finish(ModuleOp) {
  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (!op->use_empty() || !frontends.isPure(op) || frontends.matchContraction(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        candidates.insert(producer);
    op->erase();
  }
}

} // namespace

std::unique_ptr<ModelWriter> ufp4::createCustomCallWriter(ModuleOp module,
                                                          const Frontends &frontends) {
  return std::make_unique<CustomCallWriter>(module, frontends);
}
