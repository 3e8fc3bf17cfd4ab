//===- UFP4Ops.cpp - syntax and verifiers ---------------------------------===//

#include "Verify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace ufp4;

#define GET_OP_CLASSES
#include "ufp4/Dialect/UFP4/IR/UFP4Ops.cpp.inc"

LogicalResult ufp4::verifyLogicalShape(Operation *op, StringRef what, ShapedType real,
                                       QuantizedTensorType quantized) {
  // V8: what is quantized has the type's logical shape.
  if (failed(verifyCompatibleShape(real.getShape(), quantized.getShape())) ||
      real.getRank() != quantized.getRank())
    return op->emitOpError() << what << " of type " << real << " does not have the shape of "
                             << quantized;
  return success();
}

FailureOr<ShapedType> ufp4::getGathered(Operation *op, ShapedType input, Value rows) {
  if (!rows)
    return input;
  // V55: an index is cut to rows that there are, and each is a row of one dimension.
  if (input.getRank() != 2)
    return op->emitOpError() << "gathers rows of a tensor of rank 2, found " << input;
  if (input.isDynamicDim(0) || input.getDimSize(0) == 0)
    return op->emitOpError() << "gathers from a static number of rows, one at least, found "
                             << input;
  return input.clone({cast<ShapedType>(rows.getType()).getDimSize(0), input.getDimSize(1)});
}

LogicalResult ufp4::verifyAlong(Operation *op, ShapedType type, int64_t along) {
  // V9: `along` names a static dimension.
  if (along < 0 || along >= type.getRank())
    return op->emitOpError() << "along " << along << " is not a dimension of " << type;
  if (type.isDynamicDim(along))
    return op->emitOpError() << "needs a static extent along " << along << ", found " << type;
  return success();
}

LogicalResult ufp4::verifyEvaluation(Operation *op, ShapedType input, RotationAttr rotation) {
  // V10: `evaluation = mma` is exact enough on bf16 inputs alone (Q2).
  if (rotation && rotation.getEvaluation() == Evaluation::Mma && !input.getElementType().isBF16())
    return op->emitOpError() << "evaluation = mma needs a bf16 input, found "
                             << input.getElementType();
  return success();
}

LogicalResult ufp4::verifyPlaceOfPart(Operation *op, PlaceAttr place, QuantizedTensorType type,
                                      bool hasAmax) {
  // V15: a part meets Q8, or its codes would differ from the whole's.
  FailureOr<numerics::ViewShape> view = type.getViewShape();
  if (failed(view))
    return op->emitOpError() << "a part needs a static shape";
  if (std::optional<std::string> error = numerics::verifyPlace(
          place.getNumerics(), *view, type.getScheme().getNumerics(), hasAmax))
    return op->emitOpError() << *error;
  return success();
}

/// V47: where groups are runs, and only there, each has a size.
static LogicalResult verifyGroupSizes(Operation *op, Value sizes, GroupsAttr groups) {
  if (static_cast<bool>(sizes) != (groups && groups.isRagged()))
    return op->emitOpError() << (sizes ? "has group sizes, but no groups that are runs"
                                       : "needs group sizes: groups(%sizes : tensor<")
                             << (sizes ? "" : std::to_string(groups.getCount()) + "xi32>)");
  if (sizes && cast<ShapedType>(sizes.getType()).getShape() != ArrayRef(groups.getCount()))
    return op->emitOpError() << "needs the sizes of " << groups.getCount() << " groups, found "
                             << sizes.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// QuantizeOp
//===----------------------------------------------------------------------===//

void QuantizeOp::build(OpBuilder &builder, OperationState &state, Type result, Value input,
                       Value amax, Value seed, Value step, Value dynamicStream, ValueRange offsets,
                       IntegerAttr stream, IntegerAttr bits, PlaceAttr place, Value rows) {
  build(builder, state, result, input, rows, amax, seed, step, dynamicStream, offsets,
        /*group_sizes=*/Value(), /*first_group=*/Value(), stream, bits, place);
}

/// Parses `[[%a, 0], [4]]`: each value a constant or an operand.
static ParseResult parseOffsets(OpAsmParser &parser, SmallVectorImpl<DenseI64ArrayAttr> &lists,
                                SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SmallVector<int64_t> values;
    auto parseOne = [&]() -> ParseResult {
      OpAsmParser::UnresolvedOperand operand;
      OptionalParseResult parsed = parser.parseOptionalOperand(operand);
      if (!parsed.has_value())
        return parser.parseInteger(values.emplace_back());
      values.push_back(ShapedType::kDynamic);
      operands.push_back(operand);
      return *parsed;
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
      return failure();
    lists.push_back(parser.getBuilder().getDenseI64ArrayAttr(values));
    return success();
  });
}

ParseResult QuantizeOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  OpAsmParser::UnresolvedOperand input, rows, amax, seed, step, stream, groupSizes, firstGroup;
  SmallVector<OpAsmParser::UnresolvedOperand> offsets;
  int64_t along;
  bool hasRows = false, hasAmax = false, stochastic = false, hasStream = false, hasSizes = false,
       hasFirst = false;
  Type rowsType, groupSizesType;
  auto parseTyped = [&](OpAsmParser::UnresolvedOperand &operand, Type &type) -> ParseResult {
    return failure(parser.parseLParen() || parser.parseOperand(operand) ||
                   parser.parseColonType(type) || parser.parseRParen());
  };
  if (parser.parseOperand(input))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("rows"))) {
    hasRows = true;
    if (parseTyped(rows, rowsType))
      return failure();
  }
  if (parser.parseKeyword("along"))
    return failure();
  SMLoc alongLoc = parser.getCurrentLocation();
  if (parser.parseInteger(along))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("amax"))) {
    hasAmax = true;
    if (parser.parseLParen() || parser.parseOperand(amax) || parser.parseRParen())
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("stochastic"))) {
    stochastic = true;
    if (parser.parseLParen() || parser.parseOperand(seed) || parser.parseComma() ||
        parser.parseOperand(step))
      return failure();
    hasStream = succeeded(parser.parseOptionalComma());
    if ((hasStream && parser.parseOperand(stream)) || parser.parseRParen())
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("groups"))) {
    hasSizes = true;
    if (parseTyped(groupSizes, groupSizesType))
      return failure();
  }
  if (succeeded(parser.parseOptionalKeyword("from"))) {
    hasFirst = true;
    if (parser.parseOperand(firstGroup))
      return failure();
  }
  PlaceAttr place;
  SMLoc placeLoc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("at"))) {
    SmallVector<DenseI64ArrayAttr> at, of, part;
    SmallVector<OpAsmParser::UnresolvedOperand> none;
    if (parseOffsets(parser, at, offsets) || parser.parseKeyword("of") ||
        parseOffsets(parser, of, offsets) || parser.parseKeyword("part") ||
        parseOffsets(parser, part, none))
      return failure();
    if (!none.empty())
      return parser.emitError(placeLoc, "the extents of a part are constants");
    place = PlaceAttr::getChecked([&] { return parser.emitError(placeLoc); }, parser.getContext(),
                                  ArrayRef(at), ArrayRef(of), ArrayRef(part));
    if (!place)
      return failure();
    result.getOrAddProperties<Properties>().place = place;
  }
  RankedTensorType inputType;
  QuantizedTensorType resultType;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(inputType) ||
      parser.parseArrow() || parser.parseType(resultType))
    return failure();
  // V11: one source of truth: the type says along what.
  if (resultType.getAlong() != along)
    return parser.emitError(alongLoc) << "quantizes along " << along
                                      << ", but the type says along = " << resultType.getAlong();
  result.addTypes(resultType);
  auto &sizes = result.getOrAddProperties<Properties>().operandSegmentSizes;
  sizes = {1,
           hasRows,
           hasAmax,
           stochastic,
           stochastic,
           hasStream,
           static_cast<int32_t>(offsets.size()),
           hasSizes,
           hasFirst};
  if (parser.resolveOperand(input, inputType, result.operands) ||
      (hasRows && parser.resolveOperand(rows, rowsType, result.operands)) ||
      (hasAmax && parser.resolveOperand(amax, builder.getF32Type(), result.operands)) ||
      (stochastic && (parser.resolveOperand(seed, builder.getI64Type(), result.operands) ||
                      parser.resolveOperand(step, builder.getI32Type(), result.operands))) ||
      (hasStream && parser.resolveOperand(stream, builder.getI32Type(), result.operands)))
    return failure();
  if (parser.resolveOperands(offsets, builder.getI64Type(), result.operands) ||
      (hasSizes && parser.resolveOperand(groupSizes, groupSizesType, result.operands)))
    return failure();
  return failure(hasFirst &&
                 parser.resolveOperand(firstGroup, builder.getI64Type(), result.operands));
}

void QuantizeOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getInput();
  if (getRows())
    printer << " rows(" << getRows() << " : " << getRows().getType() << ')';
  printer << " along " << getQuantizedType().getAlong();
  if (getAmax())
    printer << " amax(" << getAmax() << ')';
  if (isStochastic()) {
    printer << " stochastic(" << getSeed() << ", " << getStep();
    if (getDynamicStream())
      printer << ", " << getDynamicStream();
    printer << ')';
  }
  if (getGroupSizes())
    printer << " groups(" << getGroupSizes() << " : " << getGroupSizes().getType() << ')';
  if (getFirstGroup())
    printer << " from " << getFirstGroup();
  if (PlaceAttr place = getPlaceAttr()) {
    auto offset = getOffsets().begin();
    auto print = [&](StringRef keyword, ArrayRef<DenseI64ArrayAttr> lists) {
      printer << ' ' << keyword << " [";
      llvm::interleaveComma(lists, printer, [&](DenseI64ArrayAttr list) {
        printer << '[';
        llvm::interleaveComma(list.asArrayRef(), printer, [&](int64_t value) {
          if (ShapedType::isDynamic(value))
            printer << *offset++;
          else
            printer << value;
        });
        printer << ']';
      });
      printer << ']';
    };
    print("at", place.getAt());
    print("of", place.getOf());
    print("part", place.getPart());
  }
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {getOperandSegmentSizesAttrName(), getPlaceAttrName()});
  printer << " : " << getInput().getType() << " -> " << getType();
}

LogicalResult QuantizeOp::verify() {
  QuantizedTensorType type = getQuantizedType();
  SchemeAttr scheme = type.getScheme();
  // V12, first: without one input, getInput() would read an operand of another group.
  if (getProperties().operandSegmentSizes[0] != 1)
    return emitOpError() << "needs one input, found " << getProperties().operandSegmentSizes[0];
  RankedTensorType input = getInput().getType();
  FailureOr<ShapedType> quantized = getGathered(*this, input, getRows());
  if (failed(quantized) || failed(verifyLogicalShape(*this, "the input", *quantized, type)) ||
      failed(verifyEvaluation(*this, input, scheme.getRotation())))
    return failure();
  // V12: a draw is (seed, stream, step, index); nearest draws nothing (Q6, Q7, Q9).
  if (static_cast<bool>(getSeed()) != static_cast<bool>(getStep()))
    return emitOpError() << "stochastic rounding needs a seed and a step";
  if (isStochastic() && !getStream() && !getDynamicStream())
    return emitOpError() << "stochastic rounding needs a stream";
  if (getStream() && getDynamicStream())
    return emitOpError() << "a stream is an attribute or an operand, found both";
  if (!isStochastic() && (getStream() || getDynamicStream() || getBits()))
    return emitOpError() << "nearest rounding carries no stream and no bits";
  if (getStream() && *getStream() > UINT32_MAX)
    return emitOpError() << "a stream is a word of 32 bits, found "
                         << static_cast<int64_t>(*getStream());
  if (getBits() && *getBits() != 16 && *getBits() != 8)
    return emitOpError() << "stochastic rounding draws 16 or 8 bits, found "
                         << static_cast<int64_t>(*getBits());
  // V13: 2-D blocks round to nearest (Q3).
  if (isStochastic() && scheme.getBlockRows() != 1)
    return emitOpError() << "2-D blocks need nearest rounding";
  // V14: only two-level scales have a tensor maximum (Q5).
  if (getAmax() && !scheme.hasGlobalScale())
    return emitOpError() << "amax belongs to ue4m3 scales, found " << stringify(scheme.getScale());
  if (failed(verifyGroupSizes(*this, getGroupSizes(), type.getGroups())))
    return failure();
  // V48: a group is whole, wherever it lies, and its maximum its own (G4).
  if (getFirstGroup() && !type.isGrouped())
    return emitOpError() << "counts groups from an operand, but its result is in no groups";
  if (type.isGrouped() && (getAmax() || getPlaceAttr()))
    return emitOpError() << "a tensor in groups has neither a place nor a maximum given";
  // V15: the offsets left open are operands.
  PlaceAttr place = getPlaceAttr();
  if (!place) {
    if (!getOffsets().empty())
      return emitOpError() << "offsets need a place";
    return success();
  }
  if (place.getNumDynamicOffsets() + place.hasDynamicK() != getOffsets().size())
    return emitOpError() << "the place has " << place.getNumDynamicOffsets() + place.hasDynamicK()
                         << " offsets that are operands, found " << getOffsets().size();
  return verifyPlaceOfPart(*this, place, type, static_cast<bool>(getAmax()));
}

//===----------------------------------------------------------------------===//
// DequantizeOp, ConstantOp, RotateOp, AmaxOp
//===----------------------------------------------------------------------===//

LogicalResult DequantizeOp::verify() {
  auto type = cast<QuantizedTensorType>(getInput().getType());
  if (failed(verifyLogicalShape(*this, "the result", getResult().getType(), type)))
    return failure();
  // V49: without sizes a group's scale is not known.
  if (type.isGrouped())
    return emitOpError() << "a tensor in groups is not dequantized, found " << type;
  // V16: the padding of a rotated run carries values that a logical shape has no place for.
  if (RotationAttr rotation = type.getScheme().getRotation())
    if (type.getK() % rotation.getSize())
      return emitOpError() << "needs K a multiple of the rotation's size " << rotation.getSize()
                           << ", found " << type.getK();
  return success();
}

LogicalResult ConstantOp::verify() {
  auto type = cast<QuantizedTensorType>(getType());
  QuantizedAttr value = getValue();
  // V17: a constant's parts are the type's parts.
  if (value.getCodes().getType() != type.getCodesType())
    return emitOpError() << "needs codes of type " << type.getCodesType() << ", found "
                         << value.getCodes().getType();
  if (value.getScales().getType() != type.getScalesType())
    return emitOpError() << "needs scales of type " << type.getScalesType() << ", found "
                         << value.getScales().getType();
  if (type.isGrouped() && type.getScheme().hasGlobalScale())
    return emitOpError() << "a tensor in groups with ue4m3 scales is no constant";
  if (static_cast<bool>(value.getGlobal()) != type.getScheme().hasGlobalScale())
    return emitOpError() << "a global scale belongs to ue4m3 scales and only to them";
  if (value.getGlobal() && !value.getGlobal().getType().isF32())
    return emitOpError() << "needs a global scale of type 'f32', found "
                         << value.getGlobal().getType();
  for (const APInt &code : value.getCodes())
    if (code.ugt(15))
      return emitOpError() << "a code is 0 to 15, found " << code.getZExtValue();
  return success();
}

LogicalResult UnpackOp::verify() {
  SmallVector<Type> expected = cast<QuantizedTensorType>(getInput().getType()).getPartTypes();
  // V29: the parts are the type's parts.
  if (TypeRange(expected) != getParts().getTypes())
    return emitOpError() << "needs results of types " << expected << ", found "
                         << getParts().getTypes();
  return success();
}

LogicalResult PackOp::verify() {
  SmallVector<Type> expected = cast<QuantizedTensorType>(getType()).getPartTypes();
  // V29: the parts are the type's parts.
  if (TypeRange(expected) != getParts().getTypes())
    return emitOpError() << "needs operands of types " << expected << ", found "
                         << getParts().getTypes();
  return success();
}

LogicalResult RotateOp::verify() {
  RankedTensorType input = getInput().getType(), result = getResult().getType();
  int64_t along = getAlong();
  if (failed(verifyAlong(*this, input, along)) ||
      failed(verifyEvaluation(*this, input, getRotation())))
    return failure();
  // V18: K is padded to whole runs (Q2).
  SmallVector<int64_t> expected(input.getShape());
  if (expected[along] > std::numeric_limits<int64_t>::max() - getRotation().getSize())
    return emitOpError() << "an extent of " << expected[along] << " is too large to be padded";
  expected[along] = llvm::alignTo(expected[along], getRotation().getSize());
  if (result.getShape() != ArrayRef(expected))
    return emitOpError() << "needs a result of type "
                         << RankedTensorType::get(expected, result.getElementType()) << ", found "
                         << result;
  return success();
}

LogicalResult AmaxOp::verify() {
  FailureOr<ShapedType> input = getGathered(*this, getInput().getType(), getRows());
  if (failed(input) || failed(verifyAlong(*this, *input, getAlong())))
    return failure();
  return verifyEvaluation(*this, *input, getScheme().getRotation());
}

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

void MatmulOp::build(OpBuilder &builder, OperationState &state, Type result, Value lhs, Value rhs,
                     Value accumulator, ArrayRef<int64_t> lhsBatch, ArrayRef<int64_t> rhsBatch,
                     Value groupSizes) {
  build(builder, state, result, lhs, rhs, accumulator, groupSizes,
        builder.getDenseI64ArrayAttr(lhsBatch), builder.getDenseI64ArrayAttr(rhsBatch));
}

/// The free dimensions of an operand: neither batch nor contracted, in order; fails on a batch list
/// that is not a set of such dimensions.
static FailureOr<SmallVector<int64_t>>
getFreeDims(MatmulOp op, StringRef name, QuantizedTensorType type, ArrayRef<int64_t> batch) {
  llvm::SmallBitVector taken(type.getRank());
  taken.set(type.getAlong());
  for (int64_t dim : batch) {
    // V19
    if (dim < 0 || dim >= type.getRank() || taken.test(dim))
      return op.emitOpError() << "batch dimension " << dim << " of the " << name
                              << " is out of range, repeated or the contracted one";
    taken.set(dim);
  }
  SmallVector<int64_t> free;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!taken.test(dim))
      free.push_back(dim);
  return free;
}

LogicalResult ufp4::verifyAgreement(Operation *op, QuantizedTensorType lhs,
                                    QuantizedTensorType rhs) {
  SchemeAttr a = lhs.getScheme(), b = rhs.getScheme();
  // V20 to V24: without agreement the sum has no meaning (G1).
  if (a.getFormat() != b.getFormat())
    return op->emitOpError() << "the operands' formats differ: " << stringify(a.getFormat())
                             << " and " << stringify(b.getFormat());
  if (a.getScale() != b.getScale())
    return op->emitOpError() << "the operands' scales differ: " << stringify(a.getScale())
                             << " and " << stringify(b.getScale());
  if (a.getBlock() != b.getBlock())
    return op->emitOpError() << "the operands' blocks along K differ: " << a.getBlock() << " and "
                             << b.getBlock();
  RotationAttr ra = a.getRotation(), rb = b.getRotation();
  if (static_cast<bool>(ra) != static_cast<bool>(rb) || (ra && !ra.isSameBasis(rb))) {
    InFlightDiagnostic diag = op->emitOpError() << "the operands' rotations differ: ";
    auto describe = [&](RotationAttr rotation) {
      if (rotation)
        diag << rotation;
      else
        diag << "none";
    };
    describe(ra);
    diag << " and ";
    describe(rb);
    return diag;
  }
  if (lhs.getK() != rhs.getK())
    return op->emitOpError() << "the contracted extents differ: " << lhs.getK() << " and "
                             << rhs.getK();
  return success();
}

/// The result and the accumulator of a matmul.
static LogicalResult verifyResult(MatmulOp op, ArrayRef<int64_t> shape) {
  // V26: batch, lhs free, rhs free.
  RankedTensorType result = op.getResult().getType();
  auto expected = RankedTensorType::get(shape, result.getElementType());
  if (result.getRank() != expected.getRank() ||
      failed(verifyCompatibleShape(result.getShape(), expected.getShape())))
    return op.emitOpError() << "needs a result of type " << expected << ", found " << result;
  // V27: C0 is f32 of the result's shape (G3).
  if (Value accumulator = op.getAccumulator())
    if (cast<RankedTensorType>(accumulator.getType()).getShape() != result.getShape())
      return op.emitOpError() << "needs an accumulator of type "
                              << RankedTensorType::get(result.getShape(),
                                                       Float32Type::get(op.getContext()))
                              << ", found " << accumulator.getType();
  return success();
}

FailureOr<SmallVector<int64_t>> ufp4::getGroupedShape(Operation *op, QuantizedTensorType lhs,
                                                      QuantizedTensorType rhs) {
  using numerics::Grouping;
  bool isContracted = lhs.isGrouped(Grouping::Contracted) && rhs.isGrouped(Grouping::Contracted);
  bool isRows = lhs.isGrouped(Grouping::Rows) && rhs.isGrouped(Grouping::Stacked);
  if (!isContracted && !isRows) {
    auto describe = [](QuantizedTensorType type) {
      return type.isGrouped() ? stringify(type.getGroups().getGrouping()) : StringRef("none");
    };
    return op->emitOpError()
           << "groups of rows by stacked ones, or contracted by contracted, found " << describe(lhs)
           << " and " << describe(rhs);
  }
  int64_t groups = lhs.getGroups().getCount();
  if (groups != rhs.getGroups().getCount())
    return op->emitOpError() << "the operands' groups differ: " << groups << " and "
                             << rhs.getGroups().getCount();
  SmallVector<int64_t> shape{lhs.getLeadingShape().back(), rhs.getLeadingShape().back()};
  if (isContracted)
    shape.insert(shape.begin(), groups);
  return shape;
}

static LogicalResult verifyGrouped(MatmulOp op, QuantizedTensorType lhs, QuantizedTensorType rhs) {
  FailureOr<SmallVector<int64_t>> shape = getGroupedShape(op, lhs, rhs);
  if (failed(shape))
    return failure();
  if (!op.getLhsBatch().empty() || !op.getRhsBatch().empty())
    return op.emitOpError() << "a grouped GEMM has no batch dimensions";
  return verifyResult(op, *shape);
}

LogicalResult MatmulOp::verify() {
  auto lhs = cast<QuantizedTensorType>(getLhs().getType());
  auto rhs = cast<QuantizedTensorType>(getRhs().getType());
  if (failed(verifyAgreement(*this, lhs, rhs)) ||
      failed(verifyGroupSizes(*this, getGroupSizes(), lhs.getGroups())))
    return failure();
  if (lhs.isGrouped() || rhs.isGrouped())
    return verifyGrouped(*this, lhs, rhs);
  // V25: batches pair up.
  ArrayRef<int64_t> lhsBatch = getLhsBatch(), rhsBatch = getRhsBatch();
  if (lhsBatch.size() != rhsBatch.size())
    return emitOpError() << "as many batch dimensions on both sides, found " << lhsBatch.size()
                         << " and " << rhsBatch.size();
  auto lhsFree = getFreeDims(*this, "lhs", lhs, lhsBatch);
  auto rhsFree = getFreeDims(*this, "rhs", rhs, rhsBatch);
  if (failed(lhsFree) || failed(rhsFree))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [l, r] : llvm::zip_equal(lhsBatch, rhsBatch)) {
    int64_t extent = lhs.getShape()[l], other = rhs.getShape()[r];
    if (failed(verifyCompatibleShape(ArrayRef(extent), ArrayRef(other))))
      return emitOpError() << "batch extents differ: " << extent << " and " << other;
    shape.push_back(ShapedType::isDynamic(extent) ? other : extent);
  }
  for (int64_t dim : *lhsFree)
    shape.push_back(lhs.getShape()[dim]);
  for (int64_t dim : *rhsFree)
    shape.push_back(rhs.getShape()[dim]);
  return verifyResult(*this, shape);
}

//===----------------------------------------------------------------------===//
// RecipeOp
//===----------------------------------------------------------------------===//

LogicalResult RecipeOp::verify() {
  // V28: a recipe never asks for a GEMM that V20 to V24 refuse.
  auto verifyRole = [&](StringRef role, PlanAttr a, PlanAttr b) -> LogicalResult {
    if (!a && !b)
      return success();
    if (!a || !b)
      return emitOpError() << role << " has one plan, expected both or none";
    SchemeAttr l = a.getScheme(), r = b.getScheme();
    bool sameRotation =
        l.getRotation() ? l.getRotation().isSameBasis(r.getRotation()) : !r.getRotation();
    if (l.getFormat() != r.getFormat() || l.getScale() != r.getScale() ||
        l.getBlock() != r.getBlock() || !sameRotation)
      return emitOpError() << "the operands of " << role << " could not meet in a GEMM: " << l
                           << " and " << r;
    return success();
  };
  return success(succeeded(verifyRole("fprop", getFpropXAttr(), getFpropWAttr())) &&
                 succeeded(verifyRole("dgrad", getDgradDyAttr(), getDgradWAttr())) &&
                 succeeded(verifyRole("wgrad", getWgradXAttr(), getWgradDyAttr())));
}
