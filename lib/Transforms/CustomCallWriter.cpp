//===- CustomCallWriter.cpp - quantized GEMMs as StableHLO custom calls ---===//
//
// docs/custom-call.md is the contract.
//
//===----------------------------------------------------------------------===//

#include "ShardPlaces.h"
#include "StableHLOBuilder.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "ufp4/Transforms/ModelWriter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace ufp4;

namespace {

constexpr int64_t kCallVersion = 2;

bool isNamed(Operation *op, StringRef name) { return op->getName().getStringRef() == name; }

/// A value that an operand is a view of, what its dimensions are, and how it lies on a mesh.
struct OperandView {
  Value value;
  OperandLayout layout;
  Shard shard;
};

/// How a call reads an operand: `value` under another shape, and what the contract says of it.
struct CallOperand {
  Value value;
  SmallVector<int64_t> shape, view;
  int64_t groups[3] = {0, 0, 0};
  /// For each dimension, the mesh axes that split it, outermost first.
  SmallVector<SmallVector<unsigned, 2>> axes;
  uint64_t varying = 0;

  uint64_t getSplitAxes() const {
    uint64_t bits = 0;
    for (ArrayRef<unsigned> dim : axes)
      for (unsigned axis : dim)
        bits |= uint64_t(1) << axis;
    return bits;
  }
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

/// The shard of a step's source, given its result's.
Shard followShard(const ViewStep &step, const Shard &shard, ArrayRef<int64_t> sourceShape) {
  if (step.isReshape())
    return reshapeShard(shard, sourceShape);
  Shard source = getWholeShard(sourceShape);
  uint64_t all = shard.getAxes();
  for (auto [dim, from] : llvm::enumerate(step.dims))
    if (from >= 0)
      source.dims[from] = shard.dims[dim];
  source.varying = all & ~source.getSplitAxes();
  return source;
}

/// How an operand of a contraction lies on a mesh, each digit in its group of the GEMM's view.
Shard getOperandShard(const ContractionView &view, const ContractionShards *shards, unsigned side) {
  Shard shard = getWholeShard(view.getOperandType(side).getShape());
  if (shards && shards->problem.empty())
    shard = shards->operands[side];
  for (const ContractionDim &dim : view.dims) {
    int64_t own = ContractionView::getOperandDim(dim, side);
    if (own >= 0)
      for (Digit &digit : shard.dims[own])
        digit.group = dim.group == DimGroup::Contracted                               ? 2
                      : dim.group == DimGroup::Batch || dim.group == DimGroup::Expert ? 0
                                                                                      : 1;
  }
  return shard;
}

/// The value that a call reads: the view root, or a value below it where a barrier or a sharding
/// constraint between the two would be lost and nothing wider has to be read for it.
OperandView findCallOperand(const Frontends &frontends, const ContractionView &view,
                            const ViewRoot &root, ArrayRef<const Factors *> order, unsigned side,
                            const ContractionShards *shards) {
  OperandView current{view.getOperand(side), getLayout(view, side),
                      getOperandShard(view, shards, side)},
      best = current;
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
                           /*acrossGroups=*/false),
               followShard(step, current.shard, sourceType.getShape())};
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
      : module(module), frontends(frontends), places(module, frontends) {}

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

  bool canWrite(Operation *op) const override {
    return isNamed(op, "stablehlo.dot_general") || frontends.getDecomposition(op);
  }

  std::optional<std::string> getShapeObstacle(const ContractionView &view) const override {
    if (llvm::any_of(view.dims,
                     [](const ContractionDim &dim) { return ShapedType::isDynamic(dim.extent); }))
      return "an extent is symbolic; export the model with concrete shapes";
    return std::nullopt;
  }

  std::optional<std::string> getPartObstacle(const GemmInfo &info,
                                             ArrayRef<const OperandPlan *> plans) override;

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
  static Operation *getManualComputation(Operation *op) {
    while (op && !isNamed(op, "sdy.manual_computation"))
      op = op->getParentOp();
    return op;
  }
  std::optional<SmallVector<unsigned, 2>> getExpertAxes(const GemmInfo &info);
  Value getFirstGroup(StableHLOBuilder &b, const QuantizedGemm &gemm, const Mesh &mesh);
  CallOperand getCallOperand(const ContractionView &view, const GemmLayout &layout,
                             unsigned side) const;
  Value readOperand(OpBuilder &builder, const QuantizedGemm &gemm, unsigned side,
                    const CallOperand &operand, NamedAttrList &attrs);
  Value getOffsets(StableHLOBuilder &b, const Mesh &mesh, ArrayRef<const CallOperand *> operands);
  Value getMaximum(OpBuilder &builder, const QuantizedGemm &gemm, Value value, unsigned side,
                   const CallOperand &operand, const Mesh *mesh);

  void fuseGathers();

  ModuleOp module;
  const Frontends &frontends;
  /// Of the module as it was: asked by operation, never by value.
  ShardPlaces places;
  func::FuncOp foldInFunction;
  /// Which of a while's values counts its trips from 0 in steps of 1.
  llvm::DenseMap<Operation *, unsigned> counters;
  /// The mesh axes that split the experts of a parameter in a manual computation.
  std::map<std::pair<int, Operation *>, SmallVector<unsigned, 2>> expertAxes;
  /// What only a rewritten GEMM may have read.
  llvm::SetVector<Operation *> candidates;
  /// The calls of grouped GEMMs.
  SmallVector<Operation *> groupedCalls;
  /// The functions that say what rewritten grouped GEMMs compute.
  llvm::DenseSet<Attribute> decompositions;
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

CallOperand CustomCallWriter::getCallOperand(const ContractionView &view, const GemmLayout &layout,
                                             unsigned side) const {
  const Factors *groups[3] = {&layout.getBatch(view, side), &layout.free[side], &layout.contracted};
  OperandView found =
      findCallOperand(frontends, view, layout.roots[side], groups, side, places.find(view.op));

  // Each dimension is a run of the view's order, or is split into runs.
  Factors order;
  int64_t ends[3];
  for (auto [group, end] : llvm::zip_equal(groups, ends)) {
    llvm::append_range(order, cutOrder(*group, found.layout.dims));
    end = order.size();
  }
  auto getPosition = [&](const Factor &factor) -> int64_t {
    return llvm::find(order, factor) - order.begin();
  };
  SmallVector<int64_t> shape, places;
  for (const Factors &dim : found.layout.dims) {
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

  // A dimension that is split over a mesh in several runs is as many dimensions.
  CallOperand operand;
  operand.value = found.value;
  Shard shard = reshapeShard(found.shard, shape);
  operand.varying = shard.varying;
  SmallVector<std::pair<int64_t, int64_t>> keys;
  for (auto [digits, extent, place] : llvm::zip_equal(shard.dims, shape, places)) {
    int64_t group = extent == 1 || (place >= ends[0] && place < ends[1]) ? 1
                    : place < ends[0]                                    ? 0
                                                                         : 2;
    if (digits.size() < 2 || operand.varying) {
      bool isSplitUnit = extent == 1 && !digits.empty();
      operand.shape.push_back(extent);
      operand.axes.push_back(digits.empty() ? SmallVector<unsigned, 2>() : digits.front().axes);
      // A unit that is split stands where it lies in its group.
      keys.push_back(isSplitUnit ? std::make_pair(int64_t(digits.front().group), int64_t(-1))
                                 : std::make_pair(group, place));
      continue;
    }
    for (const Digit &digit : digits) {
      operand.shape.push_back(digit.extent);
      operand.axes.push_back(digit.axes);
      bool isElsewhere = digit.group >= 0 && digit.group != group;
      keys.push_back(isElsewhere ? std::make_pair(int64_t(digit.group), int64_t(-1))
                                 : std::make_pair(group, place));
    }
  }
  auto isWide = [&](int64_t dim) { return operand.shape[dim] != 1 || !operand.axes[dim].empty(); };
  for (size_t i = keys.size(); i-- > 0;) {
    if (keys[i].second >= 0)
      continue;
    keys[i].second = order.size();
    for (size_t next = i + 1; next < keys.size(); ++next)
      if (keys[next].first == keys[i].first && isWide(next)) {
        keys[i].second = keys[next].second;
        break;
      }
  }
  operand.view = llvm::to_vector(llvm::seq<int64_t>(0, operand.shape.size()));
  llvm::sort(operand.view, [&](int64_t x, int64_t y) {
    return std::make_tuple(keys[x], isWide(x), x) < std::make_tuple(keys[y], isWide(y), y);
  });
  for (auto [group, place] : keys)
    ++operand.groups[group];
  return operand;
}

/// A GEMM operand's part as Q8 writes it, every offset that is not zero being as small as can be.
numerics::Place getPlace(const CallOperand &operand, const Mesh &mesh, int64_t split) {
  numerics::Place place;
  int64_t next = 0, number = 0;
  for (unsigned group = 0; group < 3; ++group)
    for (int64_t i = 0; i < operand.groups[group]; ++i) {
      int64_t dim = operand.view[next++], extent = operand.shape[dim], devices = 1;
      for (unsigned axis : operand.axes[dim])
        devices *= mesh.axes[axis].size;
      place.at[group].push_back(devices != 1 && number++ == split ? extent : 0);
      place.of[group].push_back(extent * devices);
      place.part[group].push_back(extent);
    }
  return place;
}

/// The mesh axes, one bit each, that split what counts the groups of a grouped GEMM, and where they
/// are outermost first; nothing where that is not known.
std::optional<SmallVector<unsigned, 2>> CustomCallWriter::getExpertAxes(const GemmInfo &info) {
  std::pair<int, Operation *> key{info.parameter, getManualComputation(info.view.op)};
  if (!info.view.cutsContraction()) {
    CallOperand weights = getCallOperand(info.view, getGemmLayout(frontends, info.view), 1);
    if (weights.groups[0] == 1)
      expertAxes[key] = weights.axes[weights.view.front()];
  }
  auto found = expertAxes.find(key);
  return found == expertAxes.end() ? std::nullopt : std::make_optional(found->second);
}

std::optional<std::string> CustomCallWriter::getPartObstacle(const GemmInfo &info,
                                                             ArrayRef<const OperandPlan *> plans) {
  const ContractionView &view = info.view;
  const ContractionShards *shards = places.find(view.op);
  if (!shards)
    return std::nullopt;
  GemmLayout layout = getGemmLayout(frontends, view);
  // A group is a GEMM of its own: it is enough that all of it is here (G4).
  std::optional<SmallVector<unsigned, 2>> experts;
  uint64_t expertBits = 0;
  if (view.isGrouped() && shards->problem.empty()) {
    experts = getExpertAxes(info);
    for (unsigned axis : experts.value_or(SmallVector<unsigned, 2>()))
      expertBits |= uint64_t(1) << axis;
  }
  for (unsigned side : {0, 1}) {
    SchemeAttr scheme = plans[side]->getSchemeAttr(view.op->getContext());
    // Nearest rounding within blocks asks nothing of other devices.
    bool isAlone = plans[side]->rounding == Rounding::Nearest && !scheme.hasGlobalScale();
    std::string what = side ? "the rhs" : "the lhs";
    if (!shards->problem.empty()) {
      if (isAlone)
        continue;
      return "its place in the whole tensor is not known: " + shards->problem;
    }
    CallOperand operand = getCallOperand(view, layout, side);
    if (view.isGrouped() && !isAlone) {
      if (!experts)
        return std::string("which of the experts a device holds is not known");
      if (uint64_t others = (operand.varying | operand.getSplitAxes()) & ~expertBits)
        return what + " has rows of one group on several devices, along the mesh axis '" +
               shards->mesh->axes[llvm::countr_zero(others)].name + "'";
      continue;
    }
    if (operand.varying) {
      if (isAlone)
        continue;
      unsigned axis = llvm::countr_zero(operand.varying);
      return what + " differs along the mesh axis '" + shards->mesh->axes[axis].name +
             "', but is not seen to be a part of one tensor that is split along it";
    }
    numerics::ViewShape shape{1, 1, 1};
    int64_t *extents[3] = {&shape.g, &shape.r, &shape.k};
    int64_t next = 0, splits = 0;
    for (unsigned group = 0; group < 3; ++group)
      for (int64_t i = 0; i < operand.groups[group]; ++i)
        *extents[group] *= operand.shape[operand.view[next++]];
    for (ArrayRef<unsigned> axes : operand.axes)
      splits += !axes.empty();
    // Offsets are multiples of the least one, so that each dimension's decides alone.
    for (int64_t split = 0; split < splits; ++split)
      if (std::optional<std::string> error =
              numerics::verifyPlace(getPlace(operand, *shards->mesh, split), shape,
                                    scheme.getNumerics(), /*amaxIsOperand=*/true))
        return what + ": " + *error;
  }
  return std::nullopt;
}

/// The value that a call reads for one side, and the attributes that say how.
Value CustomCallWriter::readOperand(OpBuilder &builder, const QuantizedGemm &gemm, unsigned side,
                                    const CallOperand &operand, NamedAttrList &attrs) {
  StableHLOBuilder b(builder, gemm.view.op->getLoc());
  Value value = operand.value;
  // A view that mixes groups keeps a widening above it out of the root: its values are narrow.
  Type exact = gemm.layout.roots[side].elementType;
  if (exact.getIntOrFloatBitWidth() <
      cast<RankedTensorType>(value.getType()).getElementTypeBitWidth())
    value = b.convert(value, exact);
  value = b.reshape(value, operand.shape);

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
  set("view", builder.getDenseI64ArrayAttr(operand.view));
  set("groups", builder.getDenseI64ArrayAttr(operand.groups));
  return value;
}

/// The offsets of operands' parts, one for each dimension: tensor<nxi64>. Devices are numbered
/// row-major over the mesh.
Value CustomCallWriter::getOffsets(StableHLOBuilder &b, const Mesh &mesh,
                                   ArrayRef<const CallOperand *> operands) {
  int64_t count = 0;
  for (const CallOperand *operand : operands)
    count += operand->shape.size();
  // What one step along each axis adds to each offset.
  SmallVector<SmallVector<int64_t>> steps(mesh.axes.size(), SmallVector<int64_t>(count, 0));
  int64_t at = 0;
  uint64_t used = 0;
  for (const CallOperand *operand : operands) {
    used |= operand->getSplitAxes();
    for (auto [extent, axes] : llvm::zip_equal(operand->shape, operand->axes)) {
      int64_t step = extent;
      for (unsigned axis : llvm::reverse(axes)) {
        steps[axis][at] = step;
        step *= mesh.axes[axis].size;
      }
      ++at;
    }
  }
  Value id = b.partitionId(), sum;
  int64_t stride = 1;
  for (size_t axis = mesh.axes.size(); axis-- > 0;) {
    int64_t size = mesh.axes[axis].size;
    if (used >> axis & 1) {
      Type type = id.getType(), element = cast<RankedTensorType>(type).getElementType();
      Value rest = b.createValue("stablehlo.divide", {id, b.scalar(element, stride)}, type);
      Value index = b.splat(
          b.createValue("stablehlo.remainder", {rest, b.scalar(element, size)}, type), count);
      Value term =
          b.createValue("stablehlo.multiply", {index, b.vector(steps[axis])}, index.getType());
      sum = sum ? b.createValue("stablehlo.add", {sum, term}, term.getType()) : term;
    }
    stride *= size;
  }
  return sum;
}

/// Row-major, in XLA's minor-to-major terms.
Attribute getRowMajor(Builder &builder, Type type) {
  int64_t rank = cast<RankedTensorType>(type).getRank();
  SmallVector<APInt> dims;
  for (int64_t dim = rank; dim-- > 0;)
    dims.push_back(APInt(64, dim));
  return DenseElementsAttr::get(RankedTensorType::get({rank}, builder.getIndexType()), dims);
}

Operation *createCall(StableHLOBuilder &b, OpBuilder &builder, StringRef target,
                      ValueRange operands, Type type, const NamedAttrList &config) {
  SmallVector<Attribute> layouts;
  for (Value operand : operands)
    layouts.push_back(getRowMajor(builder, operand.getType()));
  NamedAttribute attrs[] = {
      builder.getNamedAttr("api_version", builder.getI32IntegerAttr(4)),
      builder.getNamedAttr("backend_config", config.getDictionary(builder.getContext())),
      builder.getNamedAttr("call_target_name", builder.getStringAttr(target)),
      builder.getNamedAttr("has_side_effect", builder.getBoolAttr(false)),
      builder.getNamedAttr("operand_layouts", builder.getArrayAttr(layouts)),
      builder.getNamedAttr("result_layouts", builder.getArrayAttr(getRowMajor(builder, type)))};
  return b.create("stablehlo.custom_call", operands, type, attrs);
}

/// The maximum that sets a per-tensor scale, over all devices that hold a part; null where this one
/// holds the whole.
Value CustomCallWriter::getMaximum(OpBuilder &builder, const QuantizedGemm &gemm, Value value,
                                   unsigned side, const CallOperand &operand, const Mesh *mesh) {
  SchemeAttr scheme = gemm.operands[side]->plan->getSchemeAttr(builder.getContext());
  uint64_t axes = operand.getSplitAxes();
  if (!scheme.hasGlobalScale() || !axes)
    return {};
  StableHLOBuilder b(builder, gemm.view.op->getLoc());
  std::string text;
  llvm::raw_string_ostream(text) << scheme;
  NamedAttrList config;
  config.set("version", builder.getI64IntegerAttr(kCallVersion));
  config.set("scheme", builder.getStringAttr(text));
  config.set("view", builder.getDenseI64ArrayAttr(operand.view));
  config.set("groups", builder.getDenseI64ArrayAttr(operand.groups));
  auto type = RankedTensorType::get({}, builder.getF32Type());
  Value local = createCall(b, builder, "ufp4.amax", value, type, config)->getResult(0);

  // One group for each choice of the other axes' coordinates.
  llvm::MapVector<int64_t, SmallVector<int64_t>> groups;
  int64_t devices = 1;
  for (const Mesh::Axis &axis : mesh->axes)
    devices *= axis.size;
  for (int64_t id = 0; id < devices; ++id) {
    int64_t first = id, stride = 1;
    for (size_t axis = mesh->axes.size(); axis-- > 0;) {
      if (axes >> axis & 1)
        first -= id / stride % mesh->axes[axis].size * stride;
      stride *= mesh->axes[axis].size;
    }
    groups[first].push_back(id);
  }
  return b.allReduceMax(local, llvm::to_vector(llvm::make_second_range(groups)));
}

/// The global index of the first group that a device holds, tensor<1xi64>; null where it holds all.
Value CustomCallWriter::getFirstGroup(StableHLOBuilder &b, const QuantizedGemm &gemm,
                                      const Mesh &mesh) {
  std::optional<SmallVector<unsigned, 2>> axes = getExpertAxes(gemm.info);
  if (!axes || axes->empty())
    return {};
  CallOperand experts;
  experts.shape.push_back(gemm.view.getExtent(DimGroup::Expert));
  experts.axes.push_back(*axes);
  return getOffsets(b, mesh, &experts);
}

Value CustomCallWriter::write(OpBuilder &builder, const QuantizedGemm &gemm) {
  const ContractionView &view = gemm.view;
  const GemmLayout &layout = gemm.layout;
  Operation *op = view.op;
  StableHLOBuilder b(builder, op->getLoc());
  for (Value operand : {view.lhs, view.rhs})
    if (Operation *producer = operand.getDefiningOp())
      candidates.insert(producer);

  if (FlatSymbolRefAttr decomposition = frontends.getDecomposition(op))
    decompositions.insert(decomposition.getAttr());
  NamedAttrList config;
  SmallVector<Value> operands;
  const ContractionShards *shards = places.find(op);
  const Mesh *mesh = shards ? shards->mesh : nullptr;
  CallOperand reads[2];
  for (unsigned side : {0, 1}) {
    reads[side] = getCallOperand(view, layout, side);
    operands.push_back(readOperand(builder, gemm, side, reads[side], config));
  }
  if (view.isGrouped())
    operands.push_back(b.convert(view.groupSizes, builder.getI32Type()));
  bool isStochastic = gemm.operands[0]->isStochastic() || gemm.operands[1]->isStochastic();
  if (isStochastic)
    operands.push_back(gemm.operands[gemm.operands[0]->isStochastic() ? 0 : 1]->state.front());
  if (view.isGrouped()) {
    Value first = isStochastic && mesh ? getFirstGroup(b, gemm, *mesh) : Value();
    if (first)
      operands.push_back(first);
    config.set("first", builder.getI64IntegerAttr(first ? 1 : 0));
    config.set("ragged", builder.getStringAttr(view.cutsContraction() ? "contracted" : "rows"));
  }
  // Only a random word asks where it is.
  SmallVector<const CallOperand *> parts;
  for (unsigned side : {0, 1}) {
    const CallOperand &read = reads[side];
    assert((!gemm.operands[side]->isStochastic() || !read.varying || view.isGrouped()) &&
           "left alone");
    bool isPart = gemm.operands[side]->isStochastic() && read.getSplitAxes() && !view.isGrouped();
    SmallVector<int64_t> whole(read.shape);
    if (isPart) {
      parts.push_back(&read);
      for (auto [extent, axes] : llvm::zip_equal(whole, read.axes))
        for (unsigned axis : axes)
          extent *= mesh->axes[axis].size;
    }
    config.set(side ? "rhs_of" : "lhs_of", builder.getDenseI64ArrayAttr(whole));
  }
  if (!parts.empty())
    operands.push_back(getOffsets(b, *mesh, parts));
  for (unsigned side : {0, 1}) {
    // Each group's maximum is its own.
    Value maximum = view.isGrouped()
                        ? Value()
                        : getMaximum(builder, gemm, operands[side], side, reads[side], mesh);
    if (maximum)
      operands.push_back(maximum);
    config.set(side ? "rhs_amax" : "lhs_amax", builder.getI64IntegerAttr(maximum ? 1 : 0));
  }
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
  const Factors *batch = view.cutsContraction() ? &layout.experts : &layout.batch;
  for (const Factors *group : {batch, &layout.free[0], &layout.free[1]})
    llvm::append_range(order, cutOrder(*group, resultLayout.dims));
  SmallVector<int64_t> shape, permutation;
  for (const Factor &factor : order)
    shape.push_back(factor.extent);
  for (const Factors &dim : resultLayout.dims)
    for (const Factor &factor : cutOrder(dim, order))
      permutation.push_back(llvm::find(order, factor) - order.begin());
  bool inOrder = llvm::is_sorted(permutation);
  RankedTensorType callType = inOrder ? resultType : resultType.clone(shape);

  StringRef target = view.isGrouped() ? "ufp4.grouped_gemm" : "ufp4.gemm";
  Operation *call = createCall(b, builder, target, operands, callType, config);
  if (view.isGrouped())
    groupedCalls.push_back(call);
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

/// Whether an operation gathers whole rows of a tensor of rank 2 by i32 indices [R, 1], which it
/// cuts to the rows that there are.
bool gathersRows(Operation *op) {
  // A sharding is asked of the rows themselves.
  if (!isNamed(op, "stablehlo.gather") || op->getNumOperands() != 2 ||
      op->hasAttr("mhlo.sharding") || op->hasAttr("sdy.sharding"))
    return false;
  auto input = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto indices = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  auto sizes = op->getAttrOfType<DenseI64ArrayAttr>("slice_sizes");
  if (!input || !indices || !sizes || !input.hasStaticShape() || !indices.hasStaticShape() ||
      input.getRank() != 2 || indices.getRank() != 2 || indices.getDimSize(1) != 1 ||
      !indices.getElementType().isInteger(32) || input.getDimSize(0) == 0 ||
      sizes.asArrayRef() != ArrayRef<int64_t>{1, input.getDimSize(1)})
    return false;
  std::string numbers;
  if (Attribute attr = op->getAttr("dimension_numbers"))
    llvm::raw_string_ostream(numbers) << attr;
  llvm::erase(numbers, ' ');
  return numbers ==
         "#stablehlo.gather<offset_dims=[1],collapsed_slice_dims=[0],start_index_map=[0],"
         "index_vector_dim=1>";
}

/// Calls read tokens where they lie, by the indices of a gather that they alone read.
void CustomCallWriter::fuseGathers() {
  auto getConfig = [](Operation *call) {
    return call->getAttrOfType<DictionaryAttr>("backend_config");
  };
  llvm::SmallPtrSet<Operation *, 8> calls(groupedCalls.begin(), groupedCalls.end());
  auto isTokens = [&](OpOperand &use) {
    Operation *call = use.getOwner();
    if (!calls.contains(call) || use.getOperandNumber() > 1)
      return false;
    return use.getOperandNumber() == 0 ||
           getConfig(call).getAs<StringAttr>("ragged") == "contracted";
  };
  // Indices, by the gather that they are given to.
  llvm::MapVector<Operation *, Value> gathers;
  llvm::SmallPtrSet<Operation *, 8> seen;
  for (Operation *call : groupedCalls)
    for (Operation *producer :
         {call->getOperand(0).getDefiningOp(), call->getOperand(1).getDefiningOp()})
      if (producer && seen.insert(producer).second && gathersRows(producer) &&
          llvm::all_of(producer->getUses(), isTokens))
        gathers.insert({producer, Value()});
  for (auto &[gather, rows] : gathers) {
    OpBuilder builder(gather);
    int64_t count = cast<RankedTensorType>(gather->getOperand(1).getType()).getDimSize(0);
    rows = StableHLOBuilder(builder, gather->getLoc()).reshape(gather->getOperand(1), count);
  }
  for (Operation *call : groupedCalls) {
    NamedAttrList config(getConfig(call));
    SmallVector<Attribute> layouts(call->getAttrOfType<ArrayAttr>("operand_layouts").getValue());
    Builder builder(module.getContext());
    for (unsigned side : {0, 1}) {
      auto found = gathers.find(call->getOperand(side).getDefiningOp());
      if (found == gathers.end())
        continue;
      auto [gather, rows] = *found;
      call->setOperand(side, gather->getOperand(0));
      call->insertOperands(call->getNumOperands(), rows);
      layouts.push_back(getRowMajor(builder, rows.getType()));
      config.set(side ? "rhs_rows" : "lhs_rows", builder.getI64IntegerAttr(1));
    }
    call->setAttr("backend_config", config.getDictionary(module.getContext()));
    call->setAttr("operand_layouts", builder.getArrayAttr(layouts));
  }
  for (auto &[gather, rows] : gathers)
    gather->erase();
}

/// Views and casts that only rewritten GEMMs read, and what grouped ones would have been made of.
void CustomCallWriter::finish(ModuleOp) {
  for (func::FuncOp function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (function.isPrivate() && decompositions.contains(function.getSymNameAttr()) &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      function.erase();

  while (!candidates.empty()) {
    Operation *op = candidates.pop_back_val();
    if (!op->use_empty() || !frontends.isPure(op) || frontends.matchContraction(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        candidates.insert(producer);
    op->erase();
  }
  fuseGathers();
}

} // namespace

std::unique_ptr<ModelWriter> ufp4::createCustomCallWriter(ModuleOp module,
                                                          const Frontends &frontends) {
  return std::make_unique<CustomCallWriter>(module, frontends);
}
