//===- UFP4StorageAttributes.cpp - how operands lie in memory -------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "ufp4/Numerics/Groups.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4;

//===----------------------------------------------------------------------===//
// StorageAttr
//===----------------------------------------------------------------------===//

const target::OperandStorage &StorageAttr::getStorage() const {
  return *target::findStorage(getName());
}

LogicalResult StorageAttr::verify(function_ref<InFlightDiagnostic()> emitError, StringRef name) {
  // V30: a storage that exists.
  if (target::findStorage(name))
    return success();
  InFlightDiagnostic diag = emitError() << "unknown storage '" << name << "': expected ";
  llvm::interleaveComma(target::storages(), diag,
                        [&](const target::OperandStorage *known) { diag << known->name(); });
  return diag;
}

//===----------------------------------------------------------------------===//
// StoredAttr
//===----------------------------------------------------------------------===//

SmallVector<int64_t> StoredAttr::getBatchShape() const {
  SmallVector<int64_t> shape = getType().getLeadingShape();
  shape.truncate(getBatch());
  return shape;
}

SmallVector<int64_t> StoredAttr::getFreeShape() const {
  SmallVector<int64_t> shape = getType().getLeadingShape();
  shape.erase(shape.begin(), shape.begin() + getBatch());
  return shape;
}

FailureOr<target::OperandType> StoredAttr::getOperandType() const {
  if (ShapedType::isDynamicShape(getType().getShape()))
    return failure();
  numerics::ViewShape shape{ShapedType::getNumElements(getBatchShape()),
                            ShapedType::getNumElements(getFreeShape()), getType().getK()};
  if (GroupsAttr groups = getType().getGroups(); groups && groups.isRagged()) {
    int64_t &divided = groups.getGrouping() == numerics::Grouping::Rows ? shape.r : shape.k;
    divided = numerics::groupedTiles(divided, getGroupTile(), groups.getCount()) * getGroupTile();
  }
  return target::OperandType{getType().getScheme().getNumerics(), shape};
}

int64_t StoredAttr::getGroupTile() const {
  target::StorageTile tile = *getStorage().getStorage().tile(getType().getScheme().getNumerics());
  return getType().isGrouped(numerics::Grouping::Rows) ? tile.rows : tile.depth;
}

std::array<int64_t, target::planeCount> StoredAttr::getPlaneBytes() const {
  std::array<int64_t, target::planeCount> bytes;
  bytes.fill(ShapedType::kDynamic);
  FailureOr<target::OperandType> type = getOperandType();
  if (succeeded(type))
    for (auto [plane, size] : llvm::zip_equal(getStorage().getStorage().buffers(*type), bytes))
      size = plane.bytes;
  return bytes;
}

unsigned StoredAttr::getNumBuffers() const {
  return target::planeCount + getType().getScheme().hasGlobalScale();
}

namespace {
/// What is between the brackets of `#ufp4.stored` and `#ufp4.destination`.
struct StoredSyntax {
  QuantizedTensorType type;
  StorageAttr storage;
  unsigned batch = 0;
  /// A destination's alone.
  Rounding rounding = Rounding::Nearest;
  std::optional<unsigned> bits;
  std::optional<int64_t> stream;
  PlaceAttr place;
};
} // namespace

/// Parses options, each after a comma and at most once, in the order in which they are printed.
static ParseResult parseStoredSyntax(AsmParser &parser, StoredSyntax &syntax, bool isDestination) {
  if (parser.parseLess() || parser.parseType(syntax.type) || parser.parseComma())
    return failure();
  SMLoc nameLoc = parser.getCurrentLocation();
  std::string name;
  if (parser.parseString(&name))
    return failure();
  syntax.storage = parser.getChecked<StorageAttr>(nameLoc, parser.getContext(), StringRef(name));
  if (!syntax.storage)
    return failure();

  static constexpr StringLiteral destinationOptions[] = {"batch", "stochastic", "bits", "stream",
                                                         "place"};
  ArrayRef<StringLiteral> expected(destinationOptions);
  if (!isDestination)
    expected = expected.take_front();
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (failed(parser.parseOptionalKeyword(&keyword)) || !llvm::is_contained(expected, keyword)) {
      InFlightDiagnostic diag = parser.emitError(loc, "expected ");
      if (expected.empty())
        return diag << "'>'";
      llvm::interleave(
          expected, diag, [&](StringRef option) { diag << '\'' << option << '\''; }, " or ");
      return diag;
    }
    expected = expected.drop_front(llvm::find(expected, keyword) - expected.begin() + 1);
    if (keyword == "stochastic") {
      syntax.rounding = Rounding::Stochastic;
      continue;
    }
    if (parser.parseEqual())
      return failure();
    if (keyword == "batch") {
      if (parser.parseInteger(syntax.batch))
        return failure();
    } else if (keyword == "bits") {
      if (parser.parseInteger(syntax.bits.emplace()))
        return failure();
    } else if (keyword == "stream") {
      if (succeeded(parser.parseOptionalKeyword("dynamic")))
        syntax.stream = ShapedType::kDynamic;
      else if (parser.parseInteger(syntax.stream.emplace()))
        return failure();
    } else {
      syntax.place = dyn_cast_or_null<PlaceAttr>(PlaceAttr::parse(parser, {}));
      if (!syntax.place)
        return failure();
    }
  }
  return parser.parseGreater();
}

static void printStored(AsmPrinter &printer, StoredAttr stored) {
  printer << stored.getType() << ", ";
  printer.printString(stored.getStorage().getName());
  if (stored.getBatch())
    printer << ", batch = " << stored.getBatch();
}

Attribute StoredAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StoredSyntax syntax;
  if (parseStoredSyntax(parser, syntax, /*isDestination=*/false))
    return {};
  return parser.getChecked<StoredAttr>(loc, parser.getContext(), syntax.type, syntax.storage,
                                       syntax.batch);
}

void StoredAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printStored(printer, *this);
  printer << '>';
}

std::string StoredAttr::explainMisfit(QuantizedTensorType type, StorageAttr storage,
                                      unsigned batch) {
  std::string why;
  llvm::raw_string_ostream os(why);
  SmallVector<int64_t> leading = type.getLeadingShape();
  if (batch > leading.size()) {
    os << "batch = " << batch << ", but " << type << " has " << leading.size()
       << " dimensions that are not contracted";
    return why;
  }
  if (type.getScheme().getBlockRows() != 1 && batch + 1 != leading.size()) {
    os << "2-D blocks lie in one dimension of rows, found " << leading.size() - batch
       << " beside batch = " << batch << " in " << type;
    return why;
  }
  // Elements can be counted (V6); where tiles are padded, bytes may be many more.
  numerics::Scheme scheme = type.getScheme().getNumerics();
  std::optional<target::StorageTile> tile = storage.getStorage().tile(scheme);
  if (type.isGrouped()) {
    unsigned expected = type.getGroups().isRagged() ? 0 : 1;
    if (batch != expected)
      os << "groups of " << stringify(type.getGroups().getGrouping())
         << " have batch = " << expected << ", found batch = " << batch;
    else if (!tile)
      os << "groups begin at tiles, and storage " << storage.getName() << " has none";
    else if (type.isGrouped(numerics::Grouping::Contracted) &&
             numerics::runLength(scheme) > tile->depth)
      os << "groups of K begin at tiles, " << tile->depth << " deep in storage "
         << storage.getName() << ", and a run of " << numerics::runLength(scheme) << " is longer";
    else if (type.getGroups().isRagged() && scheme.blockRows > 1)
      os << "2-D blocks are not combined with ragged groups in a storage";
    if (!why.empty())
      return why;
  }
  if (!tile || ShapedType::isDynamicShape(leading))
    return why;
  auto tiles = [](int64_t extent, int64_t by) { return extent / by + (extent % by != 0); };
  int64_t bytes = tiles(type.getPaddedK(), tile->depth);
  bool overflows = llvm::MulOverflow(
      bytes, tiles(ShapedType::getNumElements(ArrayRef(leading).drop_front(batch)), tile->rows),
      bytes);
  overflows |= llvm::MulOverflow(
      bytes, ShapedType::getNumElements(ArrayRef(leading).take_front(batch)), bytes);
  overflows |= llvm::MulOverflow(bytes, *llvm::max_element(tile->bytes), bytes);
  if (overflows)
    os << type << " takes 2^63 bytes or more in storage " << storage.getName();
  return why;
}

LogicalResult StoredAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 QuantizedTensorType type, StorageAttr storage, unsigned batch) {
  // V31: the batch is made of leading dimensions, 2-D blocks have the view of their type (Q3), and
  // buffers have a size.
  if (std::string why = explainMisfit(type, storage, batch); !why.empty())
    return emitError() << why;
  return success();
}

//===----------------------------------------------------------------------===//
// DestinationAttr
//===----------------------------------------------------------------------===//

QuantizedTensorType DestinationAttr::getType() const { return getStored().getType(); }
SchemeAttr DestinationAttr::getScheme() const { return getType().getScheme(); }

Attribute DestinationAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StoredSyntax syntax;
  if (parseStoredSyntax(parser, syntax, /*isDestination=*/true))
    return {};
  auto stored = parser.getChecked<StoredAttr>(loc, parser.getContext(), syntax.type, syntax.storage,
                                              syntax.batch);
  if (!stored)
    return {};
  bool stochastic = syntax.rounding == Rounding::Stochastic;
  if (stochastic && !syntax.stream)
    return parser.emitError(loc, "stochastic rounding needs a stream"), Attribute();
  return parser.getChecked<DestinationAttr>(loc, parser.getContext(), stored, syntax.rounding,
                                            syntax.bits.value_or(stochastic ? 16 : kNoBits),
                                            syntax.stream.value_or(kNoStream), syntax.place);
}

void DestinationAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printStored(printer, getStored());
  if (isStochastic()) {
    printer << ", stochastic";
    if (getBits() != 16)
      printer << ", bits = " << getBits();
    printer << ", stream = ";
    if (hasDynamicStream())
      printer << "dynamic";
    else
      printer << getStream();
  }
  if (getPlace()) {
    printer << ", place = ";
    getPlace().print(printer);
  }
  printer << '>';
}

LogicalResult DestinationAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                      StoredAttr stored, Rounding rounding, unsigned bits,
                                      int64_t stream, PlaceAttr place) {
  // V32: the draws of Q6 and Q7; a place counts in the view of the value level (Q8).
  if (rounding == Rounding::Nearest) {
    if (bits != kNoBits || stream != kNoStream)
      return emitError() << "nearest rounding carries no stream and no bits";
  } else {
    if (bits != 16 && bits != 8)
      return emitError() << "stochastic rounding draws 16 or 8 bits, found " << bits;
    if (!ShapedType::isDynamic(stream) && (stream < 0 || stream > UINT32_MAX))
      return emitError() << "a stream is a word of 32 bits, found " << stream;
    if (stored.getType().getScheme().getBlockRows() != 1)
      return emitError() << "2-D blocks need nearest rounding";
  }
  if (place && stored.getFreeShape().size() > 1)
    return emitError() << "a part's rows are one dimension, found " << stored.getFreeShape().size();
  return success();
}

//===----------------------------------------------------------------------===//
// PathAttr
//===----------------------------------------------------------------------===//

Attribute PathAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  std::optional<target::Path> path = target::parsePath(name);
  if (!path) {
    // V33: a path that exists.
    InFlightDiagnostic diag = parser.emitError(loc) << "unknown path '" << name << "': expected ";
    llvm::interleaveComma(target::kPaths, diag,
                          [&](target::Path known) { diag << target::stringify(known); });
    return {};
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *path);
}

void PathAttr::print(AsmPrinter &printer) const {
  printer << '<' << target::stringify(getValue()) << '>';
}
