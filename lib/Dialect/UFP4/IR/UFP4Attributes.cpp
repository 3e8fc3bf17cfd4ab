//===- UFP4Attributes.cpp - schemes and what they are made of -------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;

#define GET_ATTRDEF_CLASSES
#include "ufp4/Dialect/UFP4/IR/UFP4Attributes.cpp.inc"

void UFP4Dialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ufp4/Dialect/UFP4/IR/UFP4Attributes.cpp.inc"
      >();
}

/// Parses one of a closed set of keywords; names the set where it is none of them.
template <typename T>
static FailureOr<T> parseName(AsmParser &parser, StringRef what, StringRef known,
                              std::optional<T> (*symbolize)(StringRef)) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (std::optional<T> value = symbolize(name))
    return *value;
  parser.emitError(loc) << "unknown " << what << " '" << name << "': expected " << known;
  return failure();
}

//===----------------------------------------------------------------------===//
// RotationAttr
//===----------------------------------------------------------------------===//

/// The inverse of APInt's array constructor, for masks of at most 128 bits.
static std::array<uint64_t, 2> getMaskWords(const APInt &signs) {
  APInt wide = signs.zext(std::max(128u, signs.getBitWidth()));
  return {wide.extractBitsAsZExtValue(64, 0), wide.extractBitsAsZExtValue(64, 64)};
}

numerics::Rotation RotationAttr::getNumerics() const {
  return numerics::Rotation{getSize(), getMaskWords(getSigns())};
}

/// V1: the sizes of F3.
static LogicalResult verifySize(function_ref<InFlightDiagnostic()> emitError, unsigned size) {
  if (size != 16 && size != 32 && size != 64 && size != 128)
    return emitError() << "a rotation's size is 16, 32, 64 or 128, found " << size;
  return success();
}

Attribute RotationAttr::parse(AsmParser &parser, Type) {
  unsigned size = 0;
  APInt signs;
  Evaluation evaluation = Evaluation::Butterfly;
  if (parser.parseLess() || parser.parseKeyword("size") || parser.parseEqual())
    return {};
  SMLoc sizeLoc = parser.getCurrentLocation();
  if (parser.parseInteger(size))
    return {};
  // A mask has as many bits as the size says: refuse sizes before making one.
  if (failed(verifySize([&] { return parser.emitError(sizeLoc); }, size)) || parser.parseComma() ||
      parser.parseKeyword("signs") || parser.parseEqual())
    return {};
  SMLoc signsLoc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalInteger(signs);
  if (!parsed.has_value() || failed(*parsed) || signs.isNegative())
    return parser.emitError(signsLoc, "expected an integer mask of ") << size << " bits",
           Attribute();
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("evaluation") || parser.parseEqual())
      return {};
    auto value = parseName<Evaluation>(
        parser, "evaluation", "butterfly or mma",
        +[](StringRef name) { return symbolizeEvaluation(name); });
    if (failed(value))
      return {};
    evaluation = *value;
  }
  if (parser.parseGreater())
    return {};
  if (signs.getActiveBits() > size)
    return parser.emitError(signsLoc, "the mask has ")
               << signs.getActiveBits() << " bits, but the rotation's size is " << size,
           Attribute();
  return parser.getChecked<RotationAttr>(signsLoc, parser.getContext(), size,
                                         signs.zextOrTrunc(size), evaluation);
}

void RotationAttr::print(AsmPrinter &printer) const {
  llvm::SmallString<40> signs;
  getSigns().toString(signs, 16, /*Signed=*/false, /*formatAsCLiteral=*/true);
  printer << "<size = " << getSize() << ", signs = " << signs;
  if (getEvaluation() != Evaluation::Butterfly)
    printer << ", evaluation = " << stringifyEvaluation(getEvaluation());
  printer << '>';
}

LogicalResult RotationAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned size,
                                   APInt signs, Evaluation evaluation) {
  // V1: a size of F3, a sign for each element.
  if (failed(verifySize(emitError, size)))
    return failure();
  if (signs.getBitWidth() != size)
    return emitError() << "a rotation of size " << size << " has a mask of " << size
                       << " bits, found " << signs.getBitWidth();
  // V2: a matrix unit keeps Q2's tolerance up to size 32.
  if (evaluation == Evaluation::Mma && size > 32)
    return emitError() << "evaluation = mma needs a rotation of at most 32, found " << size;
  return success();
}

//===----------------------------------------------------------------------===//
// SchemeAttr
//===----------------------------------------------------------------------===//

numerics::Scheme SchemeAttr::getNumerics() const {
  numerics::Scheme scheme;
  scheme.format = getFormat();
  scheme.block = getBlock();
  scheme.blockRows = getBlockRows();
  scheme.scale = getScale();
  scheme.rule = getRule();
  if (getRotation())
    scheme.rotation = getRotation().getNumerics();
  return scheme;
}

SchemeAttr SchemeAttr::get(MLIRContext *context, const numerics::Scheme &scheme,
                           Evaluation evaluation) {
  RotationAttr rotation;
  if (scheme.rotation)
    rotation = RotationAttr::get(context, scheme.rotation.size,
                                 APInt(scheme.rotation.size, scheme.rotation.signs), evaluation);
  return get(context, scheme.format, scheme.block, scheme.blockRows, scheme.scale, scheme.rule,
             rotation);
}

Type SchemeAttr::getScaleType() const {
  if (getScale() == numerics::ScaleKind::F32)
    return Float32Type::get(getContext());
  return IntegerType::get(getContext(), 8);
}

Attribute SchemeAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned block = 0, rows = 1;
  std::optional<numerics::ScaleRule> rule;
  RotationAttr rotation;
  if (parser.parseLess())
    return {};
  auto format = parseName<numerics::Format>(parser, "format", "e1m2 or e2m1", symbolizeFormat);
  if (failed(format) || parser.parseComma() || parser.parseKeyword("block") ||
      parser.parseEqual() || parser.parseInteger(block) || parser.parseComma())
    return {};
  if (succeeded(parser.parseOptionalKeyword("rows")))
    if (parser.parseEqual() || parser.parseInteger(rows) || parser.parseComma())
      return {};
  if (parser.parseKeyword("scale") || parser.parseEqual())
    return {};
  auto scale =
      parseName<numerics::ScaleKind>(parser, "scale", "f32, ue4m3 or ue8m0", symbolizeScaleKind);
  if (failed(scale))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    if (!rule && !rotation && succeeded(parser.parseOptionalKeyword("rule"))) {
      if (parser.parseEqual())
        return {};
      auto parsed = parseName<numerics::ScaleRule>(parser, "scale rule", "ceil or ocp_floor",
                                                   symbolizeScaleRule);
      if (failed(parsed))
        return {};
      rule = *parsed;
      continue;
    }
    // Each at most once, in the order in which they are printed.
    if (rotation)
      return parser.emitError(parser.getCurrentLocation(), "expected '>' after the rotation"),
             Attribute();
    if (parser.parseKeyword("rotation", rule ? "" : " or 'rule'") || parser.parseEqual())
      return {};
    rotation = dyn_cast_or_null<RotationAttr>(RotationAttr::parse(parser, {}));
    if (!rotation)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SchemeAttr>(loc, parser.getContext(), *format, block, rows, *scale,
                                       rule.value_or(numerics::ScaleRule::Ceil), rotation);
}

void SchemeAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringify(getFormat()) << ", block = " << getBlock();
  if (getBlockRows() != 1)
    printer << ", rows = " << getBlockRows();
  printer << ", scale = " << stringify(getScale());
  if (getRule() != numerics::ScaleRule::Ceil)
    printer << ", rule = ocp_floor";
  if (getRotation()) {
    printer << ", rotation = ";
    getRotation().print(printer);
  }
  printer << '>';
}

LogicalResult SchemeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 numerics::Format format, unsigned block, unsigned blockRows,
                                 numerics::ScaleKind scale, numerics::ScaleRule rule,
                                 RotationAttr rotation) {
  numerics::Scheme scheme;
  scheme.format = format;
  scheme.block = block;
  scheme.blockRows = blockRows;
  scheme.scale = scale;
  scheme.rule = rule;
  if (rotation)
    scheme.rotation = rotation.getNumerics();
  // V3: the legal combinations of F3, Q3 and Q5.
  if (std::optional<std::string> error = numerics::verifyScheme(scheme))
    return emitError() << *error;
  return success();
}

//===----------------------------------------------------------------------===//
// PlaceAttr
//===----------------------------------------------------------------------===//

unsigned PlaceAttr::getNumDynamicOffsets() const {
  unsigned count = 0;
  for (DenseI64ArrayAttr list : getAt())
    count += llvm::count(list.asArrayRef(), ShapedType::kDynamic);
  return count;
}

bool PlaceAttr::hasDynamicK() const {
  return llvm::is_contained(getOf().back().asArrayRef(), ShapedType::kDynamic);
}

numerics::Place PlaceAttr::getNumerics() const {
  numerics::Place place;
  // A view of two dimensions is R, K.
  unsigned first = 3 - getAt().size();
  for (auto [i, at, of, part] : llvm::enumerate(getAt(), getOf(), getPart())) {
    place.of[first + i].assign(of.asArrayRef().begin(), of.asArrayRef().end());
    place.part[first + i].assign(part.asArrayRef().begin(), part.asArrayRef().end());
    for (int64_t offset : at.asArrayRef())
      place.at[first + i].push_back(ShapedType::isDynamic(offset) ? 0 : offset);
    for (auto [extent, own] : llvm::zip_equal(place.of[first + i], part.asArrayRef()))
      extent = ShapedType::isDynamic(extent) ? own : extent;
  }
  return place;
}

/// Parses `[[1, 2], [3]]`; `?` stands for an operand where `dynamic` allows it.
static ParseResult parseLists(AsmParser &parser, SmallVectorImpl<DenseI64ArrayAttr> &lists,
                              bool dynamic) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    SmallVector<int64_t> values;
    auto parseOne = [&]() -> ParseResult {
      if (dynamic && succeeded(parser.parseOptionalQuestion()))
        return values.push_back(ShapedType::kDynamic), success();
      return parser.parseInteger(values.emplace_back());
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
      return failure();
    lists.push_back(DenseI64ArrayAttr::get(parser.getContext(), values));
    return success();
  });
}

static void printLists(AsmPrinter &printer, ArrayRef<DenseI64ArrayAttr> lists) {
  printer << '[';
  llvm::interleaveComma(lists, printer, [&](DenseI64ArrayAttr list) {
    printer << '[';
    llvm::interleaveComma(list.asArrayRef(), printer, [&](int64_t value) {
      if (ShapedType::isDynamic(value))
        printer << '?';
      else
        printer << value;
    });
    printer << ']';
  });
  printer << ']';
}

Attribute PlaceAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<DenseI64ArrayAttr> at, of, part;
  if (parser.parseLess() || parser.parseKeyword("at") || parseLists(parser, at, true) ||
      parser.parseKeyword("of") || parseLists(parser, of, true) || parser.parseKeyword("part") ||
      parseLists(parser, part, false) || parser.parseGreater())
    return {};
  return parser.getChecked<PlaceAttr>(loc, parser.getContext(), at, of, part);
}

void PlaceAttr::print(AsmPrinter &printer) const {
  printer << "<at ";
  printLists(printer, getAt());
  printer << " of ";
  printLists(printer, getOf());
  printer << " part ";
  printLists(printer, getPart());
  printer << '>';
}

LogicalResult PlaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                ArrayRef<DenseI64ArrayAttr> at, ArrayRef<DenseI64ArrayAttr> of,
                                ArrayRef<DenseI64ArrayAttr> part) {
  // V4: a place has the structure of a view (Q8).
  if (at.size() < 2 || at.size() > 3)
    return emitError() << "a place has one list per view dimension (2 or 3), found " << at.size();
  if (of.size() != at.size() || part.size() != at.size())
    return emitError() << "at, of and part have as many lists each, found " << at.size() << ", "
                       << of.size() << " and " << part.size();
  for (auto [a, o, p] : llvm::zip_equal(at, of, part)) {
    if (a.size() != o.size() || a.size() != p.size())
      return emitError() << "at, of and part have as many values per view dimension, found "
                         << a.size() << ", " << o.size() << " and " << p.size();
    // The whole of K alone can be known at run time alone, and then it is one extent.
    if (llvm::is_contained(o.asArrayRef(), ShapedType::kDynamic)) {
      if (o != of.back() || o.size() != 1)
        return emitError()
               << "only K, as one extent, can be an operand among the extents of a whole";
      continue;
    }
    int64_t product = 1;
    for (int64_t extent : o.asArrayRef())
      if (llvm::MulOverflow(product, extent, product))
        return emitError() << "a view dimension has 2^63 - 1 positions at most";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// GroupsAttr
//===----------------------------------------------------------------------===//

Attribute GroupsAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  int64_t count;
  if (parser.parseLess() || parser.parseInteger(count))
    return {};
  auto grouping = parseName<numerics::Grouping>(parser, "grouping", "rows, contracted or stacked",
                                                symbolizeGrouping);
  if (failed(grouping) || parser.parseGreater())
    return {};
  return parser.getChecked<GroupsAttr>(loc, parser.getContext(), count, *grouping);
}

void GroupsAttr::print(AsmPrinter &printer) const {
  printer << '<' << getCount() << ' ' << stringify(getGrouping()) << '>';
}

LogicalResult GroupsAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t count,
                                 numerics::Grouping) {
  // V45: a grouped GEMM has a group.
  if (count < 1)
    return emitError() << "there are groups, at least one, found " << count;
  return success();
}

//===----------------------------------------------------------------------===//
// PlanAttr
//===----------------------------------------------------------------------===//

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError, SchemeAttr scheme,
                               Rounding rounding, unsigned bits) {
  // V5: the random words of Q6, and Q3's nearest rounding of 2-D blocks.
  if (bits != 16 && bits != 8)
    return emitError() << "stochastic rounding draws 16 or 8 bits, found " << bits;
  if (rounding == Rounding::Stochastic && scheme.getBlockRows() != 1)
    return emitError() << "2-D blocks need nearest rounding";
  return success();
}
