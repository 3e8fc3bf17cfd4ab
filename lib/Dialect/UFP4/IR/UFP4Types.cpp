//===- UFP4Types.cpp - the 4-bit block-scaled tensor ----------------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;

#define GET_TYPEDEF_CLASSES
#include "ufp4/Dialect/UFP4/IR/UFP4Types.cpp.inc"

void UFP4Dialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ufp4/Dialect/UFP4/IR/UFP4Types.cpp.inc"
      >();
}

SmallVector<int64_t> QuantizedTensorType::getLeadingShape() const {
  SmallVector<int64_t> shape(getShape());
  shape.erase(shape.begin() + getAlong());
  return shape;
}

int64_t QuantizedTensorType::getPaddedK() const {
  if (isGrouped(numerics::Grouping::Contracted))
    return numerics::groupedPaddedK(getScheme().getNumerics(), getK(), getGroups().getCount());
  return getScheme().getPaddedK(getK());
}

SmallVector<Type> QuantizedTensorType::getPartTypes() const {
  SmallVector<Type> parts{getCodesType(), getScalesType()};
  if (getScheme().hasGlobalScale()) {
    SmallVector<int64_t> shape;
    if (isGrouped())
      shape.push_back(getGroups().getCount());
    parts.push_back(RankedTensorType::get(shape, Float32Type::get(getContext())));
  }
  return parts;
}

RankedTensorType QuantizedTensorType::getCodesType() const {
  SmallVector<int64_t> shape = getLeadingShape();
  shape.push_back(getPaddedK());
  return RankedTensorType::get(shape, IntegerType::get(getContext(), 8));
}

RankedTensorType QuantizedTensorType::getScalesType() const {
  SmallVector<int64_t> shape = getLeadingShape();
  int64_t rows = getScheme().getBlockRows();
  if (rows != 1 && !ShapedType::isDynamic(shape.back()))
    shape.back() = llvm::divideCeil(shape.back(), rows);
  shape.push_back(getPaddedK() / getScheme().getBlock());
  return RankedTensorType::get(shape, getScheme().getScaleType());
}

FailureOr<numerics::ViewShape> QuantizedTensorType::getViewShape() const {
  if (ShapedType::isDynamicShape(getShape()))
    return failure();
  SmallVector<int64_t> leading = getLeadingShape();
  numerics::ViewShape view;
  view.k = getK();
  view.r = leading.empty() ? 1 : leading.pop_back_val();
  view.g = ShapedType::getNumElements(leading);
  return view;
}

Type QuantizedTensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Attribute scheme;
  int64_t along;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/true, /*withTrailingX=*/false) ||
      parser.parseComma())
    return {};
  SMLoc schemeLoc = parser.getCurrentLocation();
  if (parser.parseAttribute(scheme) || parser.parseComma() || parser.parseKeyword("along") ||
      parser.parseEqual() || parser.parseInteger(along))
    return {};
  GroupsAttr groups;
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("groups") || parser.parseEqual())
      return {};
    groups = dyn_cast_or_null<GroupsAttr>(GroupsAttr::parse(parser, {}));
    if (!groups)
      return {};
  }
  if (parser.parseGreater())
    return {};
  auto schemeAttr = dyn_cast<SchemeAttr>(scheme);
  if (!schemeAttr) {
    parser.emitError(schemeLoc, "expected a #ufp4.scheme attribute");
    return {};
  }
  return parser.getChecked<QuantizedTensorType>(loc, parser.getContext(), shape, schemeAttr, along,
                                                groups);
}

void QuantizedTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << ", ";
  printer.printAttribute(getScheme());
  printer << ", along = " << getAlong();
  if (getGroups()) {
    printer << ", groups = ";
    getGroups().print(printer);
  }
  printer << '>';
}

LogicalResult QuantizedTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<int64_t> shape, SchemeAttr scheme, int64_t along,
                                          GroupsAttr groups) {
  int64_t rank = shape.size();
  // V6: K is a dimension of the tensor, known at compile time: rotation and padding depend on it.
  if (along < 0 || along >= rank)
    return emitError() << "along = " << along << " is not a dimension of a tensor of rank " << rank;
  if (ShapedType::isDynamic(shape[along]))
    return emitError() << "the dimension that is quantized along (" << along
                       << ") must be static, found ?";
  // The index that random words are drawn by (Q7) counts the codes in a signed word of 64 bits.
  int64_t length = numerics::runLength(scheme.getNumerics()), count;
  // Where groups are runs of K, each may be padded.
  bool isContracted = groups && groups.getGrouping() == numerics::Grouping::Contracted;
  int64_t padding = length - 1;
  bool overflows = isContracted && llvm::MulOverflow(std::min(groups.getCount(), shape[along]),
                                                     length - 1, padding);
  overflows |= llvm::AddOverflow(shape[along], padding, count);
  count = count / length * length;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != along && !ShapedType::isDynamic(extent))
      overflows |= llvm::MulOverflow(count, extent, count);
  if (overflows)
    return emitError() << "a quantized tensor has less than 2^63 codes, padding included";
  // V7: 2-D blocks tile the rows R of a view [R, K] or [G, R, K] (Q3).
  if (scheme.getBlockRows() != 1 && (rank < 2 || rank > 3))
    return emitError() << "2-D blocks need a view [R, K] or [G, R, K], found rank " << rank;
  if (!groups)
    return success();
  // V45: groups cut a view [R, K], or are the G of a view [G, R, K] (G4).
  if (groups.isRagged() && rank != 2)
    return emitError() << "groups of " << stringify(groups.getGrouping())
                       << " cut a tensor of rank 2, found rank " << rank;
  if (groups.isRagged())
    // V46: 2-D blocks of one group would hold rows of the next (Q3).
    return scheme.getBlockRows() != 1 && !isContracted
               ? emitError() << "2-D blocks are not combined with groups of rows"
               : success();
  if (rank != 3 || shape[along == 0 ? 1 : 0] != groups.getCount())
    return emitError() << groups.getCount() << " stacked groups are a tensor of rank 3 whose first "
                       << "dimension that is not contracted is " << groups.getCount();
  return success();
}
