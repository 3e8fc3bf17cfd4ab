//===- UFP4StorageOps.cpp - verifiers and effects of the storage level ----===//

#include "Verify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ufp4;

//===----------------------------------------------------------------------===//
// What all of them share
//===----------------------------------------------------------------------===//

/// V34: an operation is on tensors or on memrefs, never on both.
static LogicalResult verifyOneLevel(DestinationStyleOpInterface op) {
  if (op.hasPureTensorSemantics() || op.hasPureBufferSemantics())
    return success();
  return op->emitOpError() << "has tensors and memrefs among its operands";
}

/// V35: a group of operands that has one member has exactly one; generic form can say otherwise,
/// and accessors would then read another group's.
static LogicalResult verifySingle(Operation *op, StringRef name, int32_t count, bool optional) {
  if (count == 1 || (optional && count == 0))
    return success();
  return op->emitOpError() << "needs one " << name << ", found " << count;
}

/// V36: buffers have the bytes that the storage says; a dynamic extent fits any.
static LogicalResult verifyPlanes(Operation *op, StringRef name, StoredAttr stored,
                                  ArrayRef<Value> planes) {
  static constexpr StringLiteral kinds[] = {"codes", "scales"};
  for (auto [plane, bytes, kind] : llvm::zip_equal(planes, stored.getPlaneBytes(), kinds)) {
    int64_t found = cast<ShapedType>(plane.getType()).getDimSize(0);
    if (failed(verifyCompatibleShape(ArrayRef(found), ArrayRef(bytes))))
      return op->emitOpError() << "the " << kind << " of the " << name << " take " << bytes
                               << " bytes in storage " << stored.getStorage().getName()
                               << ", found " << plane.getType();
  }
  return success();
}

/// On tensors there is nothing to see; on memrefs, inputs are read and outputs written.
static void
getStorageEffects(DestinationStyleOpInterface op, bool readsOutputs,
                  SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isOutput = op.isDpsInit(&operand);
    if (!isOutput || readsOutputs)
      effects.emplace_back(MemoryEffects::Read::get(), &operand,
                           SideEffects::DefaultResource::get());
    if (isOutput)
      effects.emplace_back(MemoryEffects::Write::get(), &operand,
                           SideEffects::DefaultResource::get());
  }
}

static Speculation::Speculatability getStorageSpeculatability(DestinationStyleOpInterface op) {
  return op.hasPureTensorSemantics() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

#define UFP4_STORAGE_OP_INTERFACES(OP)                                                             \
  void OP::getEffects(                                                                             \
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {              \
    getStorageEffects(*this, readsOutputs(), effects);                                             \
  }                                                                                                \
  Speculation::Speculatability OP::getSpeculatability() { return getStorageSpeculatability(*this); }
UFP4_STORAGE_OP_INTERFACES(GroupTableIntoOp)
UFP4_STORAGE_OP_INTERFACES(QuantizeIntoOp)
UFP4_STORAGE_OP_INTERFACES(AmaxIntoOp)
UFP4_STORAGE_OP_INTERFACES(BlockGemmOp)
#undef UFP4_STORAGE_OP_INTERFACES

/// V51: a maximum, or an S, is of the tensor, or one of each group.
static LogicalResult verifyNumbers(Operation *op, StringRef name, Value numbers,
                                   GroupsAttr groups) {
  SmallVector<int64_t> expected;
  if (groups)
    expected.push_back(groups.getCount());
  auto type = cast<ShapedType>(numbers.getType());
  if (type.getElementType().isF32() && type.getRank() == int64_t(expected.size()) &&
      succeeded(verifyCompatibleShape(type.getShape(), expected)))
    return success();
  InFlightDiagnostic diag = op->emitOpError() << name << " needs ";
  if (groups)
    diag << groups.getCount() << " f32";
  else
    diag << "an f32";
  return diag << " for its maximum or scale S, found " << type;
}

/// V52: ragged groups have a table, others none.
static LogicalResult verifyTable(Operation *op, Value table, GroupsAttr groups) {
  bool isRagged = groups && groups.isRagged();
  if (static_cast<bool>(table) == isRagged)
    return success();
  return op->emitOpError() << "ragged groups have a table, and nothing else has";
}

//===----------------------------------------------------------------------===//
// GroupTableIntoOp
//===----------------------------------------------------------------------===//

LogicalResult GroupTableIntoOp::verify() {
  if (failed(verifyOneLevel(*this)))
    return failure();
  // V53: tiles are powers of two, and there are records for groups and tiles.
  if (getTile() <= 0 || !llvm::isPowerOf2_64(getTile()))
    return emitOpError() << "needs tiles of a power of two, found " << getTile();
  ShapedType output = getOutput().getType();
  if (output.getDimSize(1) != kFields)
    return emitOpError() << "writes records of " << kFields << " numbers, found " << output;
  return success();
}

//===----------------------------------------------------------------------===//
// QuantizeIntoOp
//===----------------------------------------------------------------------===//

SmallVector<QuantizeIntoOp::Destination, 2> QuantizeIntoOp::getEach() {
  SmallVector<Destination, 2> each;
  ValueRange amaxes = getAmaxes(), seeds = getSeeds(), steps = getSteps(), streams = getStreams(),
             offsets = getOffsets(), outputs = getOutputs();
  auto take = [](ValueRange &from, bool present) {
    Value first = present ? from.front() : Value();
    from = from.drop_front(present);
    return first;
  };
  unsigned output = 0;
  for (auto attr : getDestinations().getAsRange<DestinationAttr>()) {
    Destination destination{};
    destination.attr = attr;
    destination.firstOutput = output;
    output += attr.getStored().getNumBuffers();
    bool hasGlobal = attr.getScheme().hasGlobalScale(), draws = attr.isStochastic();
    destination.amax = take(amaxes, hasGlobal);
    destination.seed = take(seeds, draws);
    destination.step = take(steps, draws);
    destination.stream = take(streams, attr.hasDynamicStream());
    destination.offsets = offsets.take_front(attr.getNumDynamicOffsets());
    offsets = offsets.drop_front(attr.getNumDynamicOffsets());
    destination.codes = take(outputs, true);
    destination.scales = take(outputs, true);
    destination.global = take(outputs, hasGlobal);
    each.push_back(destination);
  }
  return each;
}

LogicalResult QuantizeIntoOp::verify() {
  if (failed(verifySingle(*this, "input", getProperties().operandSegmentSizes[0], false)) ||
      failed(verifyOneLevel(*this)))
    return failure();
  // V37: one destination, or two along different dimensions.
  auto attrs = llvm::to_vector(getDestinations().getAsRange<DestinationAttr>());
  if (attrs.empty() || attrs.size() > 2)
    return emitOpError() << "has one or two destinations, found " << attrs.size();
  if (attrs.size() == 2 && attrs[0].getType().getAlong() == attrs[1].getType().getAlong())
    return emitOpError() << "two destinations are along different dimensions, found along = "
                         << attrs[0].getType().getAlong() << " twice";
  // V38: as many operands as the destinations need.
  size_t amaxes = 0, draws = 0, streams = 0, offsets = 0, outputs = 0;
  for (DestinationAttr attr : attrs) {
    amaxes += attr.getScheme().hasGlobalScale();
    draws += attr.isStochastic();
    streams += attr.hasDynamicStream();
    offsets += attr.getNumDynamicOffsets();
    outputs += attr.getStored().getNumBuffers();
  }
  std::tuple<StringRef, size_t, size_t> counts[] = {
      {"amax", amaxes, getAmaxes().size()}, {"seed", draws, getSeeds().size()},
      {"step", draws, getSteps().size()},   {"stream", streams, getStreams().size()},
      {"at", offsets, getOffsets().size()}, {"outs", outputs, getOutputs().size()}};
  for (auto [name, expected, found] : counts)
    if (expected != found)
      return emitOpError() << "the destinations need " << expected << " values in '" << name
                           << "', found " << found;
  GroupsAttr groups = attrs[0].getType().getGroups();
  if (failed(verifyTable(*this, getGroups(), groups)))
    return failure();
  // V54: destinations lie in the same groups, and ragged ones are alone.
  if (attrs.size() == 2 && (groups != attrs[1].getType().getGroups() || getGroups()))
    return emitOpError() << "two destinations are in no groups or in the same stacked ones";
  if (getFirstGroup() && !groups)
    return emitOpError() << "only groups count from an operand";
  FailureOr<ShapedType> input = getGathered(*this, getInput().getType(), getRows());
  if (failed(input))
    return failure();
  for (auto [i, destination] : llvm::enumerate(getEach())) {
    QuantizedTensorType type = destination.attr.getType();
    std::string name = "destination " + std::to_string(i);
    if (failed(verifyLogicalShape(*this, "the input", *input, type)) ||
        failed(verifyEvaluation(*this, *input, type.getScheme().getRotation())))
      return failure();
    // V39: the buffers of a destination are codes, scales and, with ue4m3, the tensor's scale.
    for (Value plane : {destination.codes, destination.scales})
      if (!getElementTypeOrSelf(plane).isInteger(8))
        return emitOpError() << name << " needs bytes for its codes and scales, found "
                             << plane.getType();
    for (Value numbers : {destination.global, destination.amax})
      if (numbers && failed(verifyNumbers(*this, name, numbers, type.getGroups())))
        return failure();
    if (failed(verifyPlanes(*this, name, destination.attr.getStored(),
                            {destination.codes, destination.scales})))
      return failure();
    // The amax operand is always there, so a part may have ue4m3 scales.
    if (PlaceAttr place = destination.attr.getPlace())
      if (failed(verifyPlaceOfPart(*this, place, type, /*hasAmax=*/true)))
        return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// AmaxIntoOp
//===----------------------------------------------------------------------===//

LogicalResult AmaxIntoOp::verify() {
  if (failed(verifySingle(*this, "input", getProperties().operandSegmentSizes[0], false)) ||
      failed(verifySingle(*this, "output", getProperties().operandSegmentSizes[3], false)))
    return failure();
  FailureOr<ShapedType> input = getGathered(*this, getInput().getType(), getRows());
  if (failed(input) || failed(verifyOneLevel(*this)) ||
      failed(verifyAlong(*this, *input, getAlong())) ||
      failed(verifyTable(*this, getTable(), getGroupsAttr())) ||
      failed(verifyNumbers(*this, "the output", getOutput(), getGroupsAttr())))
    return failure();
  return verifyEvaluation(*this, *input, getScheme().getRotation());
}

//===----------------------------------------------------------------------===//
// BlockGemmOp
//===----------------------------------------------------------------------===//

/// The product of extents, kDynamic where one is.
static int64_t merge(ArrayRef<int64_t> shape) {
  return ShapedType::isDynamicShape(shape) ? ShapedType::kDynamic
                                           : ShapedType::getNumElements(shape);
}

int64_t BlockGemmOp::getG() {
  int64_t lhs = merge(getLhs().getBatchShape());
  return ShapedType::isDynamic(lhs) ? merge(getRhs().getBatchShape()) : lhs;
}
int64_t BlockGemmOp::getM() { return merge(getLhs().getFreeShape()); }
int64_t BlockGemmOp::getN() { return merge(getRhs().getFreeShape()); }

LogicalResult BlockGemmOp::verify() {
  static constexpr std::pair<StringLiteral, bool> groups[] = {
      {"lhs_codes", false},  {"lhs_scales", false}, {"lhs_global", true}, {"rhs_codes", false},
      {"rhs_scales", false}, {"rhs_global", true},  {"alpha", true},      {"bias", true},
      {"groups", true},      {"output", false}};
  for (auto [group, count] : llvm::zip_equal(groups, getProperties().operandSegmentSizes))
    if (failed(verifySingle(*this, group.first, count, group.second)))
      return failure();
  if (failed(verifyOneLevel(*this)))
    return failure();
  StoredAttr lhs = getLhs(), rhs = getRhs();
  if (failed(verifyAgreement(*this, lhs.getType(), rhs.getType())))
    return failure();
  if (failed(verifyTable(*this, getGroups(), lhs.getType().getGroups())))
    return failure();
  SmallVector<int64_t> shape;
  if (getGroups()) {
    FailureOr<SmallVector<int64_t>> grouped = getGroupedShape(*this, lhs.getType(), rhs.getType());
    if (failed(grouped))
      return failure();
    shape = *grouped;
  } else if (lhs.getBatch() != rhs.getBatch()) {
    // V40: batches pair up.
    return emitOpError() << "as many batch dimensions on both sides, found " << lhs.getBatch()
                         << " and " << rhs.getBatch();
  } else {
    for (auto [l, r] : llvm::zip_equal(lhs.getBatchShape(), rhs.getBatchShape())) {
      if (failed(verifyCompatibleShape(ArrayRef(l), ArrayRef(r))))
        return emitOpError() << "batch extents differ: " << l << " and " << r;
      shape.push_back(ShapedType::isDynamic(l) ? r : l);
    }
    llvm::append_range(shape, lhs.getFreeShape());
    llvm::append_range(shape, rhs.getFreeShape());
  }
  // V36
  if (failed(verifyPlanes(*this, "lhs", lhs, {getLhsCodes(), getLhsScales()})) ||
      failed(verifyPlanes(*this, "rhs", rhs, {getRhsCodes(), getRhsScales()})))
    return failure();
  for (auto [global, stored] : {std::pair(getLhsGlobal(), lhs), std::pair(getRhsGlobal(), rhs)})
    if (global && failed(verifyNumbers(*this, "an operand", global, stored.getType().getGroups())))
      return failure();
  // V41: a tensor's scale belongs to ue4m3 scales (F2).
  bool needsGlobal = lhs.getType().getScheme().hasGlobalScale();
  if (static_cast<bool>(getLhsGlobal()) != needsGlobal ||
      static_cast<bool>(getRhsGlobal()) != needsGlobal)
    return emitOpError() << "both operands have a scale S with ue4m3 scales, and only then";
  // V42: batch, lhs free, rhs free.
  ShapedType output = getOutput().getType();
  if (output.getRank() != static_cast<int64_t>(shape.size()) ||
      failed(verifyCompatibleShape(output.getShape(), shape))) {
    return emitOpError() << "needs an output of type "
                         << RankedTensorType::get(shape, output.getElementType()) << ", found "
                         << output;
  }
  // V43: C0 is f32 (G3).
  if (getAccumulate() && !output.getElementType().isF32())
    return emitOpError() << "accumulates in f32 only, found an output of type " << output;
  // V44: a bias has a number for each column.
  if (getBias()) {
    int64_t found = getBias().getType().getDimSize(0), expected = getN();
    if (failed(verifyCompatibleShape(ArrayRef(found), ArrayRef(expected))))
      return emitOpError() << "needs a bias of " << expected << " numbers, found "
                           << getBias().getType();
  }
  return success();
}
