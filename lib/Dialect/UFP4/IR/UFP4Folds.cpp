//===- UFP4Folds.cpp - constant folding by the numerics library -----------===//
//
// Folding is nearest only and for small constants: the numerics library computes, so a folded value
// has the bits that every lowering has.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/IR/Builders.h"
#include "ufp4/Numerics/Philox.h"
#include "ufp4/Numerics/Rotate.h"

using namespace mlir;
using namespace ufp4;

/// Constants up to this many elements, padding included, are folded: every bf16 value, as two
/// blocks each, fits.
static constexpr int64_t kMaxFoldedElements = 1 << 21;

namespace {
/// A constant in the order of the view [leading.., K], with its element kind.
struct View {
  SmallVector<char> bytes;
  numerics::Element element;
  numerics::ViewShape shape;
};
} // namespace

/// Moves dimension `along` to the end of a row-major array (or back), elements of `size` bytes.
static void moveToEnd(const char *from, char *to, ArrayRef<int64_t> shape, int64_t along,
                      size_t size, bool back) {
  int64_t outer = ShapedType::getNumElements(shape.take_front(along));
  int64_t k = shape[along];
  int64_t inner = ShapedType::getNumElements(shape.drop_front(along + 1));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < inner; ++j) {
        int64_t natural = (o * k + i) * inner + j, view = (o * inner + j) * k + i;
        std::memcpy(to + (back ? natural : view) * size, from + (back ? view : natural) * size,
                    size);
      }
}

/// The view of a constant operand, where it is small. `length`: what K is padded to a multiple of.
static std::optional<View> getView(Attribute operand, int64_t along, int64_t length) {
  auto dense = dyn_cast_or_null<DenseFPElementsAttr>(operand);
  if (!dense || dense.getNumElements() > kMaxFoldedElements)
    return std::nullopt;
  int64_t k = dense.getType().getShape()[along];
  if (k && dense.getNumElements() / k * static_cast<int64_t>(llvm::alignTo(k, length)) >
               kMaxFoldedElements)
    return std::nullopt;
  ShapedType type = dense.getType();
  View view;
  view.element = *getElement(type.getElementType());
  size_t size = type.getElementTypeBitWidth() / 8;
  SmallVector<char> natural(dense.getNumElements() * size);
  for (auto [i, value] : llvm::enumerate(dense.getValues<APFloat>())) {
    uint64_t bits = value.bitcastToAPInt().getZExtValue();
    std::memcpy(natural.data() + i * size, &bits, size);
  }
  view.bytes.resize(natural.size());
  moveToEnd(natural.data(), view.bytes.data(), type.getShape(), along, size, /*back=*/false);
  SmallVector<int64_t> leading(type.getShape());
  view.shape.k = leading[along];
  leading.erase(leading.begin() + along);
  view.shape.r = leading.empty() ? 1 : leading.pop_back_val();
  view.shape.g = ShapedType::getNumElements(leading);
  return view;
}

/// The dense attribute whose elements, with `along` last, are `bytes`.
static DenseElementsAttr getNatural(RankedTensorType type, int64_t along, ArrayRef<char> bytes) {
  SmallVector<char> natural(bytes.size());
  moveToEnd(bytes.data(), natural.data(), type.getShape(), along, type.getElementTypeBitWidth() / 8,
            /*back=*/true);
  return DenseElementsAttr::getFromRawBuffer(type, natural);
}

template <typename T> static ArrayRef<char> asBytes(const std::vector<T> &values) {
  return ArrayRef(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

/// Codes and scales as a constant of the type.
static QuantizedAttr getQuantized(QuantizedTensorType type, const std::vector<uint8_t> &codes,
                                  const std::vector<float> &scalesF32,
                                  const std::vector<uint8_t> &scaleBytes, FloatAttr global) {
  bool isF32 = type.getScheme().getScale() == numerics::ScaleKind::F32;
  return QuantizedAttr::get(
      type.getContext(),
      cast<DenseIntElementsAttr>(
          DenseElementsAttr::getFromRawBuffer(type.getCodesType(), asBytes(codes))),
      DenseElementsAttr::getFromRawBuffer(type.getScalesType(),
                                          isF32 ? asBytes(scalesF32) : asBytes(scaleBytes)),
      global);
}

OpFoldResult QuantizeOp::fold(FoldAdaptor adaptor) {
  QuantizedTensorType type = getQuantizedType();
  // A stochastic draw is no constant, and `mma` may differ in its last bits. Codes of a dynamic
  // shape have no constant either, and indices seldom are one.
  RotationAttr rotation = type.getScheme().getRotation();
  if (isStochastic() || getRows() || getPlaceAttr() ||
      ShapedType::isDynamicShape(type.getShape()) || (getAmax() && !adaptor.getAmax()) ||
      (rotation && rotation.getEvaluation() == Evaluation::Mma))
    return {};
  std::optional<View> view = getView(adaptor.getInput(), type.getAlong(),
                                     numerics::runLength(type.getScheme().getNumerics()));
  if (!view)
    return {};
  if (GroupsAttr groups = type.getGroups()) {
    auto sizes = dyn_cast_or_null<DenseIntElementsAttr>(adaptor.getGroupSizes());
    // Each group's S is no part of a constant.
    if (type.getScheme().hasGlobalScale() || (groups.isRagged() && !sizes))
      return {};
    SmallVector<int32_t> numbers;
    if (sizes)
      llvm::append_range(numbers, sizes.getValues<int32_t>());
    numerics::QuantizedGroups quantized = numerics::quantizeGroups(
        view->bytes.data(), view->element, view->shape, groups.getGrouping(), numbers.data(),
        groups.getCount(), type.getScheme().getNumerics());
    return getQuantized(type, quantized.codes, quantized.scalesF32, quantized.scaleBytes, {});
  }
  std::optional<float> amax;
  if (auto value = dyn_cast_or_null<FloatAttr>(adaptor.getAmax()))
    amax = value.getValue().convertToFloat();
  numerics::Quantized quantized =
      numerics::quantize(view->bytes.data(), view->element, view->shape,
                         type.getScheme().getNumerics(), nullptr, amax ? &*amax : nullptr);
  FloatAttr global;
  if (type.getScheme().hasGlobalScale())
    global = FloatAttr::get(Float32Type::get(getContext()), APFloat(quantized.global));
  return getQuantized(type, quantized.codes, quantized.scalesF32, quantized.scaleBytes, global);
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

OpFoldResult DequantizeOp::fold(FoldAdaptor adaptor) {
  auto value = dyn_cast_or_null<QuantizedAttr>(adaptor.getInput());
  auto type = cast<QuantizedTensorType>(getInput().getType());
  FailureOr<numerics::ViewShape> view = type.getViewShape();
  RankedTensorType result = getResult().getType();
  if (!value || failed(view) || !result.hasStaticShape() ||
      value.getCodes().getNumElements() > kMaxFoldedElements)
    return {};
  SmallVector<uint8_t> codes(
      llvm::map_range(value.getCodes(), [](const APInt &code) { return code.getZExtValue(); }));
  SmallVector<char> scales;
  size_t scaleSize = type.getScheme().getScale() == numerics::ScaleKind::F32 ? 4 : 1;
  scales.resize(value.getScales().getNumElements() * scaleSize);
  auto store = [&](size_t i, uint64_t bits) {
    std::memcpy(scales.data() + i * scaleSize, &bits, scaleSize);
  };
  if (scaleSize == 4)
    for (auto [i, scale] : llvm::enumerate(value.getScales().getValues<APFloat>()))
      store(i, scale.bitcastToAPInt().getZExtValue());
  else
    for (auto [i, scale] : llvm::enumerate(value.getScales().getValues<APInt>()))
      store(i, scale.getZExtValue());
  float global = value.getGlobal() ? value.getGlobal().getValue().convertToFloat() : 0.0f;
  SmallVector<char> out(result.getNumElements() * (result.getElementTypeBitWidth() / 8));
  numerics::dequantizeInto(codes.data(), scales.data(), global, *view,
                           type.getScheme().getNumerics(), *getElement(result.getElementType()),
                           out.data());
  return getNatural(result, type.getAlong(), out);
}

OpFoldResult RotateOp::fold(FoldAdaptor adaptor) {
  if (getRotation().getEvaluation() == Evaluation::Mma || !getResult().getType().hasStaticShape())
    return {};
  std::optional<View> view = getView(adaptor.getInput(), getAlong(), getRotation().getSize());
  if (!view)
    return {};
  RankedTensorType result = getResult().getType();
  std::vector<float> out(result.getNumElements());
  numerics::rotateInto(view->bytes.data(), view->element, view->shape, getRotation().getNumerics(),
                       out.data());
  return getNatural(result, getAlong(), asBytes(out));
}

OpFoldResult AmaxOp::fold(FoldAdaptor adaptor) {
  RotationAttr rotation = getScheme().getRotation();
  if (getRows() || (rotation && rotation.getEvaluation() == Evaluation::Mma))
    return {};
  std::optional<View> view =
      getView(adaptor.getInput(), getAlong(), numerics::runLength(getScheme().getNumerics()));
  if (!view)
    return {};
  float value =
      numerics::amax(view->bytes.data(), view->element, view->shape, getScheme().getNumerics());
  return FloatAttr::get(getType(), APFloat(value));
}

OpFoldResult FoldInOp::fold(FoldAdaptor adaptor) {
  auto seed = dyn_cast_or_null<IntegerAttr>(adaptor.getSeed());
  auto value = dyn_cast_or_null<IntegerAttr>(adaptor.getValue());
  if (!seed || !value)
    return {};
  uint64_t folded =
      numerics::foldIn(seed.getValue().getZExtValue(), value.getValue().getZExtValue());
  return IntegerAttr::get(getType(), APInt(64, folded));
}
