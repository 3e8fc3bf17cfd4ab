//===- FoldTest.cpp - folds are the library's bits, exhaustively ----------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace ufp4;

namespace {

template <typename T> ArrayRef<char> bytesOf(const std::vector<T> &values) {
  return ArrayRef(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

/// Every format and scale, blocks of 16.
std::vector<numerics::Scheme> schemes() {
  std::vector<numerics::Scheme> all;
  for (auto format : {numerics::Format::E1M2, numerics::Format::E2M1})
    for (auto scale :
         {numerics::ScaleKind::F32, numerics::ScaleKind::UE4M3, numerics::ScaleKind::UE8M0}) {
      numerics::Scheme scheme;
      scheme.format = format;
      scheme.scale = scale;
      all.push_back(scheme);
    }
  return all;
}

class Folder : public ::testing::Test {
protected:
  Folder() : builder(&context) {
    context.loadDialect<UFP4Dialect, arith::ArithDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  /// What an operation folds to on constant operands; null where it does not fold.
  Attribute fold(Operation *op, ArrayRef<Attribute> operands) {
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return {};
    return dyn_cast_if_present<Attribute>(results.front());
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

// Q5, Q6: every bf16 as the maximum of a block and as a member of one.
TEST_F(Folder, QuantizeOfEveryBF16) {
  auto inputType = RankedTensorType::get({1 << 16, 16}, builder.getBF16Type());
  for (bool maxima : {true, false}) {
    std::vector<uint16_t> x(1 << 20);
    for (unsigned i = 0; i < 1 << 16; ++i)
      for (unsigned j = 0; j < 16; ++j)
        x[16 * i + j] = j == i % 16 ? i : maxima || j != (i + 1) % 16 ? 0 : 0x3B80 + (i % 17 << 7);
    DenseElementsAttr constant = DenseElementsAttr::getFromRawBuffer(inputType, bytesOf(x));
    Location loc = builder.getUnknownLoc();
    Value input = arith::ConstantOp::create(builder, loc, constant);
    for (const numerics::Scheme &scheme : schemes()) {
      auto attr = SchemeAttr::get(&context, scheme);
      auto type = QuantizedTensorType::get(&context, inputType.getShape(), attr, 1);
      auto op = QuantizeOp::create(builder, loc, type, input, Value(), Value(), Value(), Value(),
                                   ValueRange(), IntegerAttr(), IntegerAttr(), PlaceAttr());
      auto folded = dyn_cast_if_present<QuantizedAttr>(fold(op, {constant, {}, {}, {}}));
      ASSERT_TRUE(folded);
      numerics::Quantized expected =
          numerics::quantize(x.data(), numerics::Element::BF16, {1, 1 << 16, 16}, scheme);
      EXPECT_EQ(folded.getCodes().getRawData(), bytesOf(expected.codes));
      EXPECT_EQ(folded.getScales().getRawData(), scheme.scale == numerics::ScaleKind::F32
                                                     ? bytesOf(expected.scalesF32)
                                                     : bytesOf(expected.scaleBytes));
      if (scheme.scale == numerics::ScaleKind::UE4M3)
        EXPECT_EQ(folded.getGlobal().getValue().bitcastToAPInt(),
                  APFloat(expected.global).bitcastToAPInt());
    }
  }
}

// F4: 256 scale bytes times 16 codes.
TEST_F(Folder, DequantizeOfEveryScaleAndCode) {
  std::vector<uint8_t> codes(256 * 16), scales(256);
  for (unsigned i = 0; i < codes.size(); ++i)
    codes[i] = i % 16;
  for (unsigned i = 0; i < scales.size(); ++i)
    scales[i] = i;
  Location loc = builder.getUnknownLoc();
  for (const numerics::Scheme &scheme : schemes()) {
    if (scheme.scale == numerics::ScaleKind::F32)
      continue;
    auto attr = SchemeAttr::get(&context, scheme);
    auto type = QuantizedTensorType::get(&context, {256, 16}, attr, 1);
    FloatAttr global;
    if (attr.hasGlobalScale())
      global = builder.getF32FloatAttr(0.37f);
    auto value = QuantizedAttr::get(
        &context,
        cast<DenseIntElementsAttr>(
            DenseElementsAttr::getFromRawBuffer(type.getCodesType(), bytesOf(codes))),
        DenseElementsAttr::getFromRawBuffer(type.getScalesType(), bytesOf(scales)), global);
    Value constant = ConstantOp::create(builder, loc, type, value);
    for (Type element :
         {Type(builder.getF32Type()), Type(builder.getBF16Type()), Type(builder.getF16Type())}) {
      auto resultType = RankedTensorType::get({256, 16}, element);
      auto op = DequantizeOp::create(builder, loc, resultType, constant);
      auto folded = dyn_cast_if_present<DenseElementsAttr>(fold(op, {value}));
      ASSERT_TRUE(folded);
      std::vector<char> expected(256 * 16 * (element.getIntOrFloatBitWidth() / 8));
      numerics::dequantizeInto(codes.data(), scales.data(), 0.37f, {1, 256, 16}, scheme,
                               *getElement(element), expected.data());
      EXPECT_EQ(folded.getRawData(), bytesOf(expected));
    }
  }
}

} // namespace
