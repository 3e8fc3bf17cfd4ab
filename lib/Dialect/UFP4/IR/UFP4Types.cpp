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
      parser.parseEqual() || parser.parseInteger(along) || parser.parseGreater())
    return {};
  auto schemeAttr = dyn_cast<SchemeAttr>(scheme);
  if (!schemeAttr) {
    parser.emitError(schemeLoc, "expected a #ufp4.scheme attribute");
    return {};
  }
  return parser.getChecked<QuantizedTensorType>(loc, parser.getContext(), shape, schemeAttr, along);
}

void QuantizedTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  printer << ", ";
  printer.printAttribute(getScheme());
  printer << ", along = " << getAlong() << '>';
}

LogicalResult QuantizedTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<int64_t> shape, SchemeAttr scheme,
                                          int64_t along) {
  int64_t rank = shape.size();
  // V6: K is a dimension of the tensor, known at compile time: rotation and padding depend on it.
  if (along < 0 || along >= rank)
    return emitError() << "along = " << along << " is not a dimension of a tensor of rank " << rank;
  if (ShapedType::isDynamic(shape[along]))
    return emitError() << "the dimension that is quantized along (" << along
                       << ") must be static, found ?";
  // The index that random words are drawn by (Q7) counts the codes in a signed word of 64 bits.
  int64_t length = numerics::runLength(scheme.getNumerics()), count;
  bool overflows = llvm::AddOverflow(shape[along], length - 1, count);
  count = count / length * length;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != along && !ShapedType::isDynamic(extent))
      overflows |= llvm::MulOverflow(count, extent, count);
  if (overflows)
    return emitError() << "a quantized tensor has less than 2^63 codes, padding included";
  // V7: 2-D blocks tile the rows R of a view [R, K] or [G, R, K] (Q3).
  if (scheme.getBlockRows() != 1 && (rank < 2 || rank > 3))
    return emitError() << "2-D blocks need a view [R, K] or [G, R, K], found rank " << rank;
  return success();
}
