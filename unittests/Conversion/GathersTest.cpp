//===- GathersTest.cpp - Quantizes of gathered rows against the library ---===//
//
// docs/spec.md Q1: the bits are those of the gathered tensor, by every lowering, the place of its
// random words included.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace ufp4;
using namespace ufp4::test;
using numerics::Element;
using numerics::ScaleKind;
using numerics::Scheme;

namespace {

std::vector<Scheme> schemes() {
  std::vector<Scheme> all(4);
  all[0].rotation = numerics::presetRotation(16);
  all[1].scale = ScaleKind::UE4M3;
  all[1].rotation = numerics::presetRotation(16);
  all[2].scale = ScaleKind::UE8M0;
  all[2].block = 32;
  all[2].rotation = numerics::presetRotation(32);
  all[3].blockRows = 16;
  return all;
}

std::string shapeOf(const Array &array, std::string element) {
  std::string text = "tensor<";
  for (int64_t extent : array.shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

// Breaks if a row is not the one that its index names, an index is cut otherwise, or a word is
// counted by the place of the row in the source.
TEST(Gathers, Quantize) {
  unsigned turn = 0;
  for (Lowering lowering :
       {Lowering::Vector, Lowering::Linalg, Lowering::Vector8, Lowering::Vector4})
    for (const Scheme &scheme : schemes())
      for (int64_t along : {0, 1})
        for (std::vector<int64_t> shape : {std::vector<int64_t>{97, 64}, {32, 21}, {1, 1}}) {
          ++turn;
          if (lowering != Lowering::Vector && turn % 5)
            continue;
          Element element = turn % 2 ? Element::BF16 : Element::F32;
          unsigned bits = scheme.blockRows > 1 ? 0 : 16;
          Array x = fill(Fill::Normal, element, shape, along);
          Gathered gathered = scatter(x);
          std::string source = shapeOf(gathered.source, spell(element)),
                      rows = shapeOf(gathered.rows, "i32"),
                      type = "!ufp4.tensor<" + std::to_string(shape[0]) + "x" +
                             std::to_string(shape[1]) + ", " + spell(scheme) +
                             ", along = " + std::to_string(along) + ">",
                      draws = bits ? " stochastic(%seed, %step) {stream = 7}" : "";
          Program program("func.func @main(%x: " + source + ", %rows: " + rows +
                              ", %seeds: tensor<i64>, %steps: tensor<i32>) -> " + type +
                              " {\n  %seed = tensor.extract %seeds[] : tensor<i64>\n"
                              "  %step = tensor.extract %steps[] : tensor<i32>\n"
                              "  %q = ufp4.quantize %x rows(%rows : " +
                              rows + ") along " + std::to_string(along) + draws + " : " + source +
                              " -> " + type + "\n  return %q : " + type + "\n}\n",
                          lowering);
          const uint64_t seed = 0xFEDCBA9876543210;
          std::vector<Array> found =
              program.call({gathered.source, gathered.rows, scalar(ElementType::Int64, seed),
                            scalar(ElementType::Int32, 11)});
          Array view = toView(x, along);
          numerics::Draw draw{seed, 7, 11, bits};
          numerics::Quantized expected = numerics::quantize(
              view.data.data(), element, viewShape(shape, along), scheme, bits ? &draw : nullptr);
          std::string where = std::string(name(lowering)) + " " + source + " to " + type;
          ASSERT_EQ(found[0].data.size(), expected.codes.size()) << where;
          EXPECT_EQ(std::memcmp(found[0].data.data(), expected.codes.data(), expected.codes.size()),
                    0)
              << where;
          EXPECT_EQ(std::memcmp(found[1].data.data(), expected.scales(), found[1].data.size()), 0)
              << where;
          if (scheme.scale == ScaleKind::UE4M3)
            EXPECT_EQ(*found[2].as<float>(), expected.global) << where;
        }
}

// Breaks if a maximum is of rows that no index names.
TEST(Gathers, Amax) {
  Array x = fill(Fill::Normal, Element::BF16, {37, 48}, 5);
  Gathered gathered = scatter(x);
  std::string source = shapeOf(gathered.source, "bf16"), rows = shapeOf(gathered.rows, "i32");
  Scheme scheme = schemes()[1];
  for (int64_t along : {0, 1}) {
    Program program("func.func @main(%x: " + source + ", %rows: " + rows +
                        ") -> tensor<f32> {\n  %a = ufp4.amax %x rows(%rows : " + rows +
                        ") along " + std::to_string(along) + " of " +
                        spell(scheme).substr(std::strlen("#ufp4.scheme")) + " : " + source +
                        "\n  %t = tensor.from_elements %a : tensor<f32>\n"
                        "  return %t : tensor<f32>\n}\n",
                    Lowering::Linalg);
    Array view = toView(x, along);
    EXPECT_EQ(*program.call({gathered.source, gathered.rows})[0].as<float>(),
              numerics::amax(view.data.data(), Element::BF16, viewShape(x.shape, along), scheme));
  }
}

} // namespace
