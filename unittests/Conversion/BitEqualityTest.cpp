//===- BitEqualityTest.cpp - Lowered code against the library -------------===//
//
// Each test compiles small modules by every lowering and compares bits with ufp4/Numerics.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Numerics/Gemm.h"

#include "gtest/gtest.h"

#include <thread>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

using namespace ufp4;
using namespace ufp4::test;
using numerics::Element;
using numerics::Format;
using numerics::ScaleKind;
using numerics::ScaleRule;
using numerics::Scheme;

namespace {

constexpr Lowering lowerings[] = {Lowering::Linalg, Lowering::Vector, Lowering::Vector8,
                                  Lowering::Vector4};

Scheme makeScheme(Format format, ScaleKind scale, unsigned block, unsigned rotation,
                  ScaleRule rule = ScaleRule::Ceil, unsigned rows = 1) {
  Scheme scheme;
  scheme.format = format;
  scheme.scale = scale;
  scheme.block = block;
  scheme.rule = rule;
  scheme.blockRows = rows;
  if (rotation)
    scheme.rotation = numerics::presetRotation(rotation);
  return scheme;
}

/// Every format and scale.
std::vector<Scheme> allKinds(unsigned block, unsigned rotation, unsigned rows = 1) {
  std::vector<Scheme> schemes;
  for (Format format : {Format::E1M2, Format::E2M1})
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0})
      schemes.push_back(makeScheme(format, scale, block, rotation, ScaleRule::Ceil, rows));
  schemes.push_back(
      makeScheme(Format::E2M1, ScaleKind::UE8M0, block, rotation, ScaleRule::OcpFloor, rows));
  return schemes;
}

void check(const Case &test, uint64_t seed = 0x0123456789ABCDEF, float amax = 3000.0f) {
  for (Lowering lowering : lowerings) {
    // Each case is vectorised; the portable lowering and other lanes take turns.
    if ((lowering == Lowering::Linalg && seed % 3 != 0) ||
        (lowering == Lowering::Vector8 && seed % 6 != 4) ||
        (lowering == Lowering::Vector4 && seed % 12 != 8))
      continue;
    QuantizeProgram program(test, lowering);
    for (Fill kind : allFills) {
      Array x = fill(kind, test.element, test.shape, seed + unsigned(kind));
      EXPECT_EQ(program.compare(x, seed, 11, amax), "")
          << name(lowering) << " " << test.describe() << " fill " << unsigned(kind);
    }
  }
}

// Every scheme, with rounding, element type and position of `along` going round.
TEST(Quantize, Schemes) {
  unsigned turn = 0;
  constexpr unsigned roundings[] = {0, 16, 8};
  constexpr Element elements[] = {Element::F32, Element::BF16, Element::F16};
  for (unsigned block : {16u, 32u})
    for (unsigned rotation : {0u, 16u, 32u, 64u, 128u})
      for (const Scheme &scheme : allKinds(block, rotation)) {
        Case test;
        test.scheme = scheme;
        test.bits = roundings[turn % 3];
        test.element = elements[turn / 3 % 3];
        test.along = turn / 2 % 3;
        test.shape = {3, 5, 7};
        test.shape[test.along] = turn % 2 ? 150 : 256;
        if (test.along != 2)
          test.shape[2] = 17 + turn % 5;
        test.amaxOperand = scheme.scale == ScaleKind::UE4M3 && turn % 2;
        check(test, turn);
        ++turn;
      }
}

// Q3: 2-D blocks pad rows for the maximum alone.
TEST(Quantize, Blocks2D) {
  unsigned turn = 0;
  for (unsigned block : {16u, 32u})
    for (const Scheme &scheme : allKinds(block, 0, block)) {
      Case test;
      test.scheme = scheme;
      test.element = turn % 2 ? Element::BF16 : Element::F32;
      test.shape = turn % 3 ? std::vector<int64_t>{2, 37, 50} : std::vector<int64_t>{64, 40};
      test.along = turn / 2 % test.shape.size();
      test.dynamic = turn % 4 == 1;
      check(test, turn++);
    }
}

// Extents that are dynamic, ragged, zero, shorter than a vector or many.
TEST(Quantize, Shapes) {
  struct Shape {
    std::vector<int64_t> shape;
    int64_t along;
  };
  const Shape shapes[] = {
      {{40}, 0},          {{1, 16}, 1},       {{16, 1}, 0},         {{0, 48}, 1},
      {{48, 0}, 0},       {{5, 0}, 1},        {{0, 5}, 0},          {{3, 0, 4}, 1},
      {{2, 3, 4, 33}, 3}, {{2, 33, 3, 4}, 1}, {{100, 2, 3, 16}, 0}, {{33, 1}, 1},
      {{17, 320}, 1},     {{320, 31}, 0},     {{31, 96}, 1},        {{1, 15, 64}, 2},
      {{9, 4096}, 1},     {{2, 0, 3, 16}, 3}, {{75, 300}, 0},       {{3, 75, 300}, 1}};
  unsigned turn = 0;
  for (const Shape &shape : shapes)
    for (bool dynamic : {false, true}) {
      Case test;
      test.scheme =
          makeScheme(turn % 3 ? Format::E1M2 : Format::E2M1,
                     turn % 2 ? ScaleKind::UE4M3 : ScaleKind::F32, 16, turn % 5 == 4 ? 0 : 16);
      test.shape = shape.shape;
      test.along = shape.along;
      test.dynamic = dynamic;
      test.bits = turn % 3 == 0 ? 16 : turn % 3 == 1 ? 0 : 8;
      test.element = turn % 4 == 3 ? Element::F32 : Element::BF16;
      check(test, turn++);
    }
}

// Every bf16 as the maximum of a block, and every one as a member of a block.
TEST(Quantize, EveryBF16) {
  for (const Scheme &scheme : allKinds(16, 0)) {
    Case test;
    test.scheme = scheme;
    test.element = Element::BF16;
    test.shape = {1 << 16, 16};
    test.along = 1;
    Array maxima = Array::zeros(ElementType::BF16, test.shape);
    Array members = Array::zeros(ElementType::BF16, test.shape);
    for (unsigned i = 0; i < 1 << 16; ++i)
      for (unsigned j = 0; j < 16; ++j) {
        maxima.as<uint16_t>()[16 * i + j] = j == i % 16 ? i : numerics::f32ToBF16(0.0f);
        // Under maxima from 2^-8 to 2^8.
        members.as<uint16_t>()[16 * i + j] = j == 0            ? 0x3B80 + (i % 17 << 7)
                                             : j == 1 + i % 15 ? i & 0xFF7F
                                                               : 0x8000 | (j << 3);
        members.as<uint16_t>()[16 * i + 15 - i % 15] = uint16_t(i);
      }
    for (Lowering lowering : lowerings) {
      QuantizeProgram program(test, lowering);
      EXPECT_EQ(program.compare(maxima, 0, 0, 1.0f), "") << test.describe();
      EXPECT_EQ(program.compare(members, 0, 0, 1.0f), "") << test.describe();
    }
  }
}

// Q5: every tie between two E4M3 values, its neighbours, and amax_tensor at its ends. With
// amax_tensor = g_max·448, S is 1 and the scale is E4M3 of amax_b / g_max.
TEST(Quantize, E4M3Ties) {
  for (Format format : {Format::E1M2, Format::E2M1}) {
    Case test;
    test.scheme = makeScheme(format, ScaleKind::UE4M3, 16, 0);
    test.element = Element::F32;
    test.amaxOperand = true;
    test.shape = {127 * 5, 16};
    test.along = 1;
    Array x = Array::zeros(ElementType::F32, test.shape);
    float gMax = numerics::gMax(format);
    for (int code = 0; code < 127; ++code) {
      float low = numerics::decodeUE4M3(code);
      float high = code == 126 ? 480.0f : numerics::decodeUE4M3(code + 1);
      float tie = (low + high) / 2 * gMax;
      const float values[] = {tie, std::nextafter(tie, 0.0f), std::nextafter(tie, 1e9f), low * gMax,
                              high * gMax};
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 16; ++j)
          x.as<float>()[(code * 5 + i) * 16 + j] = values[i] * float(j) / 15.0f;
    }
    for (Lowering lowering : lowerings) {
      QuantizeProgram program(test, lowering);
      for (float amax :
           {gMax * 448, 0.0f, -0.0f, 0x1p-149f, 0x1p-89f, 1.0f, 0x1.fffffep127f, -1.0f,
            std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
            std::numeric_limits<float>::quiet_NaN()})
        EXPECT_EQ(program.compare(x, 0, 0, amax), "") << test.describe() << " amax " << amax;
    }
  }
}

// Q6: each element lies exactly at the threshold of the word it will draw, or one ulp below it.
// 2^20 draws of 16 bits meet nearly every word; of 8 bits, every word in every interval.
TEST(Quantize, StochasticThresholds) {
  for (Format format : {Format::E1M2, Format::E2M1})
    for (unsigned bits : {16u, 8u}) {
      Case test;
      test.scheme = makeScheme(format, ScaleKind::F32, 16, 0);
      test.element = Element::F32;
      test.shape = {1 << 16, 16};
      test.along = 1;
      test.bits = bits;
      const uint64_t seed = 0xFEDCBA9876543210;
      Array x = Array::zeros(ElementType::F32, test.shape);
      for (int64_t i = 0; i < x.size(); ++i) {
        // With g_max as its maximum, a block's scale is 1.
        if (i % 16 == 0) {
          x.as<float>()[i] = numerics::gMax(format);
          continue;
        }
        uint32_t word = numerics::randomWord(seed, test.stream, 3, i, bits) | 1;
        int m = 1 + i / 16 % 7;
        float high = numerics::level(format, m), low = numerics::level(format, m - 1);
        float threshold = high - (high - low) * std::ldexp(float(word), -int(bits));
        float value = i / 112 % 2 ? threshold : std::nextafter(threshold, 0.0f);
        x.as<float>()[i] = i % 3 ? value : -value;
      }
      for (Lowering lowering : lowerings)
        EXPECT_EQ(QuantizeProgram(test, lowering).compare(x, seed, 3, 0), "")
            << name(lowering) << " " << test.describe();
    }
}

// Q8: parts whose offsets are operands draw what the whole draws.
TEST(Quantize, Places) {
  numerics::Place place;
  place.at[0] = {1, 2};
  place.of[0] = {4, 6};
  place.part[0] = {3, 2};
  place.at[1] = {16};
  place.of[1] = {64};
  place.part[1] = {20};
  place.at[2] = {2, 64};
  place.of[2] = {5, 128};
  place.part[2] = {2, 64};
  Case test;
  test.scheme = makeScheme(Format::E1M2, ScaleKind::F32, 16, 16);
  test.shape = {3, 2, 20, 128};
  test.along = 3;
  test.place = place;
  for (unsigned bits : {16u, 8u, 0u}) {
    test.bits = bits;
    check(test);
  }
  // K not innermost, R split in two, two-level scales.
  Case other;
  other.scheme = makeScheme(Format::E2M1, ScaleKind::UE4M3, 16, 32);
  other.shape = {2, 96, 30};
  other.along = 1;
  other.amaxOperand = true;
  other.bits = 16;
  other.place = numerics::Place();
  other.place->at[1] = {1, 5};
  other.place->of[1] = {4, 20};
  other.place->part[1] = {3, 10};
  other.place->at[2] = {64};
  other.place->of[2] = {200};
  other.place->part[2] = {96};
  check(other);
}

// Neither the caller's flushing of denormals nor another thread changes a bit.
TEST(Quantize, FlushingCallersAndThreads) {
  Case test;
  test.scheme = makeScheme(Format::E1M2, ScaleKind::UE8M0, 32, 32);
  test.element = Element::F32;
  test.shape = {64, 256};
  test.along = 1;
  test.bits = 16;
  for (Lowering lowering : lowerings) {
    QuantizeProgram program(test, lowering);
    auto work = [&] {
#if defined(__SSE__)
      unsigned saved = _mm_getcsr();
      // FTZ, DAZ and rounding towards zero.
      _mm_setcsr(saved | 0x8000 | 0x0040 | 0x6000);
      unsigned before = _mm_getcsr();
#endif
      for (Fill kind : allFills) {
        Array x = fill(kind, test.element, test.shape, 5);
        EXPECT_EQ(program.compare(x, 1, 2, 0), "") << name(lowering);
      }
#if defined(__SSE__)
      EXPECT_EQ(_mm_getcsr() & ~0x3Fu, before & ~0x3Fu);
      _mm_setcsr(saved);
#endif
    };
    work();
    std::thread first(work), second(work);
    first.join();
    second.join();
  }
}

//===----------------------------------------------------------------------===//
// The other operations
//===----------------------------------------------------------------------===//

std::string bytesDiffer(const void *expected, size_t bytes, const Array &found) {
  if (bytes != found.data.size())
    return "sizes " + std::to_string(bytes) + " and " + std::to_string(found.data.size());
  unsigned width = byteWidth(found.type);
  for (size_t i = 0; i < bytes; i += width)
    if (std::memcmp(static_cast<const char *>(expected) + i, found.data.data() + i, width))
      return "element " + std::to_string(i / width);
  return "";
}

// F4: every code under every scale byte, or under f32 scales of any bits, for each result type.
TEST(Dequantize, EveryScaleAndCode) {
  std::mt19937_64 random(3);
  for (const Scheme &scheme : allKinds(16, 0))
    for (Element element : {Element::F32, Element::BF16, Element::F16}) {
      std::string type = "!ufp4.tensor<4096x16, " + spell(scheme) + ", along = 1>";
      std::string real = "tensor<4096x16x" + spell(element) + ">";
      Program program("func.func @main(%q: " + type + ") -> " + real +
                          " {\n  %r = ufp4.dequantize %q : " + type + " -> " + real +
                          "\n  return %r : " + real + "\n}\n",
                      Lowering::Linalg);
      Array codes = Array::zeros(ElementType::Int8, {4096, 16});
      for (int64_t i = 0; i < codes.size(); ++i)
        codes.as<uint8_t>()[i] = i % 16;
      bool isF32 = scheme.scale == ScaleKind::F32;
      Array scales = Array::zeros(isF32 ? ElementType::F32 : ElementType::Int8, {4096, 1});
      // A scale whose product with q is within half an ulp of f32 of a tie between two bf16 or two
      // f16 values: rounding twice goes wrong on one side of it.
      auto nearTie = [&](unsigned q) {
        uint32_t tie = element == Element::F16 ? (random() & 0x3FF) << 13 | 0x1000
                                               : (random() & 0x7F) << 16 | 0x8000;
        return numerics::floatOf(0x40000000 | tie) / float(q);
      };
      for (int64_t i = 0; i < 4096; ++i) {
        if (!isF32)
          scales.as<uint8_t>()[i] = uint8_t(i);
        else if (i < 8)
          scales.as<uint32_t>()[i] = uint32_t(i);
        else if (i % 2)
          scales.as<float>()[i] = nearTie(3 + i / 2 % 5);
        else
          scales.as<uint32_t>()[i] = uint32_t(random()) & 0x7FFFFFFF;
      }
      for (float global :
           {1.0f, 0.37f, nearTie(3), nearTie(3), nearTie(7), 0x1p-100f, 0x1.234568p-126f,
            0x1.cp105f, 0.0f, numerics::floatOf(numerics::canonicalNaN)}) {
        std::vector<Array> arguments{codes, scales};
        if (scheme.scale == ScaleKind::UE4M3)
          arguments.push_back(scalar(ElementType::F32, global));
        Array found = program.call(arguments)[0];
        Array expected = found;
        numerics::dequantizeInto(codes.as<uint8_t>(), scales.data.data(), global, {1, 4096, 16},
                                 scheme, element, expected.data.data());
        EXPECT_EQ(bytesDiffer(expected.data.data(), expected.data.size(), found), "")
            << spell(scheme) << " " << spell(element) << " S " << global;
      }
    }
}

TEST(Dequantize, Shapes) {
  for (unsigned rows : {1u, 16u})
    for (int64_t along : {0, 1, 2}) {
      Scheme scheme = makeScheme(Format::E2M1, ScaleKind::UE4M3, 16, 0, ScaleRule::Ceil, rows);
      std::vector<int64_t> shape{3, 21, 18};
      Array x = fill(Fill::Normal, Element::F32, shape, 1);
      Array view = toView(x, along);
      numerics::ViewShape extents = viewShape(shape, along);
      numerics::Quantized quantized =
          numerics::quantize(view.data.data(), Element::F32, extents, scheme);
      std::string type =
          "!ufp4.tensor<3x21x18, " + spell(scheme) + ", along = " + std::to_string(along) + ">";
      std::string real = "tensor<3x21x18xf32>";
      Program program("func.func @main(%x: " + real + ") -> " + real +
                          " {\n  %q = ufp4.quantize %x along " + std::to_string(along) + " : " +
                          real + " -> " + type + "\n  %r = ufp4.dequantize %q : " + type + " -> " +
                          real + "\n  return %r : " + real + "\n}\n",
                      Lowering::Vector);
      Array expected = view;
      numerics::dequantizeInto(quantized.codes.data(), quantized.scales(), quantized.global,
                               extents, scheme, Element::F32, expected.data.data());
      Array found = toView(program.call({x})[0], along);
      EXPECT_EQ(bytesDiffer(expected.data.data(), expected.data.size(), found), "");
    }
}

// Q2, Q5 and Q10 as operations of their own.
TEST(Rotate, Sizes) {
  for (unsigned n : {16u, 32u, 64u, 128u})
    for (int64_t along : {0, 1, 2}) {
      std::vector<int64_t> shape{5, 6, 7}, padded(shape);
      shape[along] = n + 9;
      padded[along] = 2 * n;
      Array x = fill(Fill::Normal, Element::F16, shape, n);
      auto spellShape = [](const std::vector<int64_t> &shape, const char *element) {
        std::string text = "tensor<";
        for (int64_t extent : shape)
          text += std::to_string(extent) + "x";
        return text + element + ">";
      };
      numerics::Rotation rotation = numerics::presetRotation(n);
      std::string signs = n == 16 ? "0xD7E8" : n == 32 ? "0xD7E8D7E8" : "0xD7E8D7E8D7E8D7E8";
      if (n == 128)
        signs += "D7E8D7E8D7E8D7E8";
      std::string from = spellShape(shape, "f16"), to = spellShape(padded, "f32");
      Program program(
          "func.func @main(%x: " + from + ") -> (" + to +
              ", tensor<f32>) {\n  %r = ufp4.rotate %x along " + std::to_string(along) +
              " by <size = " + std::to_string(n) + ", signs = " + signs + "> : " + from + " -> " +
              to + "\n  %a = ufp4.amax %x along " + std::to_string(along) +
              " of <e2m1, block = 16, scale = ue4m3, rotation = <size = " + std::to_string(n) +
              ", signs = " + signs + ">> : " + from +
              "\n  %t = tensor.from_elements %a : tensor<f32>\n  return %r, %t : " + to +
              ", tensor<f32>\n}\n",
          Lowering::Linalg);
      std::vector<Array> found = program.call({x});
      Array view = toView(x, along), expected = toView(found[0], along);
      Array result = expected;
      numerics::rotateInto(view.data.data(), Element::F16, viewShape(shape, along), rotation,
                           expected.as<float>());
      EXPECT_EQ(bytesDiffer(expected.data.data(), expected.data.size(), result), "") << n;
      Scheme scheme = makeScheme(Format::E2M1, ScaleKind::UE4M3, 16, n);
      EXPECT_EQ(*found[1].as<float>(),
                numerics::amax(view.data.data(), Element::F16, viewShape(shape, along), scheme));
    }
}

TEST(FoldIn, Words) {
  Program program("func.func @main(%s: tensor<i64>, %j: tensor<i64>) -> tensor<i64> {\n"
                  "  %a = tensor.extract %s[] : tensor<i64>\n"
                  "  %b = tensor.extract %j[] : tensor<i64>\n"
                  "  %c = ufp4.fold_in %a, %b\n"
                  "  %d = tensor.from_elements %c : tensor<i64>\n  return %d : tensor<i64>\n}\n",
                  Lowering::Linalg);
  std::mt19937_64 random(9);
  for (int i = 0; i < 1000; ++i) {
    uint64_t seed = random(), j = random() >> i % 64;
    Array found =
        program.call({scalar(ElementType::Int64, seed), scalar(ElementType::Int64, j)})[0];
    EXPECT_EQ(*found.as<uint64_t>(), numerics::foldIn(seed, j));
  }
}

// Canonicalization folds constants through the library; so does the lowering of what it folds to.
TEST(Fold, QuantizeOfConstants) {
  for (const Scheme &scheme : allKinds(16, 16))
    for (int64_t along : {0, 1}) {
      Array x = fill(Fill::Bits, Element::BF16, {20, 48}, 77);
      std::string hex = "0x";
      for (unsigned char byte : x.data) {
        static const char digits[] = "0123456789ABCDEF";
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
      }
      std::string type =
          "!ufp4.tensor<20x48, " + spell(scheme) + ", along = " + std::to_string(along) + ">";
      std::string text = "func.func @main() -> " + type + " {\n  %x = arith.constant dense<\"" +
                         hex + "\"> : tensor<20x48xbf16>\n  %q = ufp4.quantize %x along " +
                         std::to_string(along) + " : tensor<20x48xbf16> -> " + type +
                         "\n  return %q : " + type + "\n}\n";
      std::string folded = transform(text, "canonicalize");
      EXPECT_EQ(folded.find("ufp4.quantize"), std::string::npos);
      EXPECT_NE(folded.find("ufp4.constant"), std::string::npos);
      std::vector<Array> expected = Program(folded, Lowering::Linalg).call({});
      for (Lowering lowering : lowerings) {
        std::vector<Array> found = Program(text, lowering).call({});
        ASSERT_EQ(found.size(), expected.size());
        for (size_t i = 0; i < found.size(); ++i)
          EXPECT_EQ(bytesDiffer(expected[i].data.data(), expected[i].data.size(), found[i]), "")
              << spell(scheme) << " part " << i;
      }
    }
}

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

struct Operand {
  std::vector<int64_t> shape;
  int64_t along;
  std::vector<int64_t> batch;
};

/// A quantized operand: the parts that compiled code takes, and the [G, R, K] that G1 speaks of.
struct QuantizedOperand {
  std::vector<Array> parts;
  std::vector<uint8_t> codes;
  std::vector<char> scales;
  numerics::QuantizedView view;
  std::vector<int64_t> batchExtents, freeExtents;

  QuantizedOperand(const Operand &operand, const Scheme &scheme, uint64_t seed) {
    std::vector<int64_t> leading = operand.shape, order = operand.batch;
    Array x = toView(fill(Fill::Normal, Element::F32, operand.shape, seed), operand.along);
    // Scales near 1, as G2's provisos ask.
    std::mt19937_64 random(seed);
    for (int64_t i = 0; i < x.size(); ++i)
      x.as<float>()[i] = float(int(random() % 2001) - 1000) / 250.0f;
    numerics::ViewShape extents = viewShape(operand.shape, operand.along);
    numerics::Quantized quantized =
        numerics::quantize(x.data.data(), Element::F32, extents, scheme);
    int64_t padded = numerics::paddedK(scheme, extents.k);
    std::vector<int64_t> dims;
    for (int64_t dim = 0; dim < int64_t(operand.shape.size()); ++dim)
      if (dim != operand.along)
        dims.push_back(dim);
    std::vector<int64_t> extentsOfDims;
    for (int64_t dim : dims) {
      extentsOfDims.push_back(operand.shape[dim]);
      if (std::find(order.begin(), order.end(), dim) == order.end())
        order.push_back(dim);
    }
    std::vector<int64_t> codesShape = extentsOfDims, scalesShape = extentsOfDims;
    codesShape.push_back(padded);
    scalesShape.push_back(padded / scheme.block);
    if (scheme.blockRows != 1)
      scalesShape[scalesShape.size() - 2] = numerics::scaleRows(scheme, extents.r);
    parts.push_back(Array::zeros(ElementType::Int8, codesShape));
    std::copy(quantized.codes.begin(), quantized.codes.end(), parts[0].data.begin());
    bool isF32 = scheme.scale == ScaleKind::F32;
    parts.push_back(Array::zeros(isF32 ? ElementType::F32 : ElementType::Int8, scalesShape));
    std::copy_n(static_cast<const char *>(quantized.scales()), parts[1].data.size(),
                parts[1].data.begin());
    if (scheme.scale == ScaleKind::UE4M3)
      parts.push_back(scalar(ElementType::F32, quantized.global));

    // Rows in the order batch, free.
    view.shape = {1, 1, extents.k};
    for (int64_t dim : order) {
      bool isBatch =
          std::find(operand.batch.begin(), operand.batch.end(), dim) != operand.batch.end();
      (isBatch ? batchExtents : freeExtents).push_back(operand.shape[dim]);
      (isBatch ? view.shape.g : view.shape.r) *= operand.shape[dim];
    }
    if (scheme.blockRows != 1) {
      codes = quantized.codes;
      scales = parts[1].data;
    } else {
      int64_t rows = view.shape.g * view.shape.r, scaleRow = padded / scheme.block;
      unsigned width = numerics::scaleBytes(scheme.scale);
      for (int64_t row = 0; row < rows; ++row) {
        int64_t rest = row, source = 0;
        std::vector<int64_t> index(operand.shape.size());
        for (size_t i = order.size(); i-- > 0; rest /= operand.shape[order[i]])
          index[order[i]] = rest % operand.shape[order[i]];
        for (int64_t dim : dims)
          source = source * operand.shape[dim] + index[dim];
        codes.insert(codes.end(), quantized.codes.begin() + source * padded,
                     quantized.codes.begin() + (source + 1) * padded);
        const char *from = parts[1].data.data() + source * scaleRow * width;
        scales.insert(scales.end(), from, from + scaleRow * width);
      }
    }
    view.codes = codes.data();
    view.scales = scales.data();
    view.global = quantized.global;
    view.scheme = scheme;
  }
};

std::string spellTensor(const Operand &operand, const Scheme &scheme, bool dynamic) {
  std::string text = "!ufp4.tensor<";
  for (size_t i = 0; i < operand.shape.size(); ++i)
    text += (dynamic && int64_t(i) != operand.along ? "?" : std::to_string(operand.shape[i])) +
            (i + 1 < operand.shape.size() ? "x" : "");
  return text + ", " + spell(scheme) + ", along = " + std::to_string(operand.along) + ">";
}

std::string spellList(const std::vector<int64_t> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

void checkMatmul(const Operand &lhs, const Operand &rhs, const Scheme &lhsScheme,
                 const Scheme &rhsScheme, Element result, bool accumulate, bool dynamic) {
  QuantizedOperand a(lhs, lhsScheme, 1), b(rhs, rhsScheme, 2);
  std::vector<int64_t> shape = a.batchExtents;
  shape.insert(shape.end(), a.freeExtents.begin(), a.freeExtents.end());
  shape.insert(shape.end(), b.freeExtents.begin(), b.freeExtents.end());
  std::string dims;
  for (int64_t extent : shape)
    dims += (dynamic ? "?" : std::to_string(extent)) + "x";
  std::string aType = spellTensor(lhs, lhsScheme, dynamic);
  std::string bType = spellTensor(rhs, rhsScheme, dynamic);
  std::string real = "tensor<" + dims + spell(result) + ">", wide = "tensor<" + dims + "f32>";
  std::string batch =
      lhs.batch.empty() ? "" : " batch = " + spellList(lhs.batch) + " x " + spellList(rhs.batch);
  Program program("func.func @main(%a: " + aType + ", %b: " + bType + ", %c: " + wide + ") -> " +
                      real + " {\n  %r = ufp4.matmul %a, %b" + batch +
                      (accumulate ? " accumulate(%c : " + wide + ")" : "") + " : " + aType + ", " +
                      bType + " -> " + real + "\n  return %r : " + real + "\n}\n",
                  Lowering::Linalg);
  Array c0 = fill(Fill::Grid, Element::F32, shape, 3);
  std::vector<Array> arguments = a.parts;
  arguments.insert(arguments.end(), b.parts.begin(), b.parts.end());
  arguments.push_back(c0);
  Array found = program.call(arguments)[0];
  std::vector<numerics::GemmBound> bounds(found.size());
  numerics::gemmExact(a.view, b.view, accumulate ? c0.as<float>() : nullptr, bounds.data());
  for (int64_t i = 0; i < found.size(); ++i) {
    float stored = result == Element::F32    ? found.as<float>()[i]
                   : result == Element::BF16 ? numerics::bf16ToF32(found.as<uint16_t>()[i])
                                             : numerics::f16ToF32(found.as<uint16_t>()[i]);
    ASSERT_EQ(numerics::checkBound(bounds[i], stored, result), numerics::Conformance::Conforms)
        << aType << " " << bType << " element " << i << ": " << stored << ", exactly "
        << bounds[i].exact;
  }
}

// G1 to G3: each operand's `along`, batches, accumulators and result types.
TEST(Matmul, Layouts) {
  struct Layout {
    Operand lhs, rhs;
  };
  const Layout layouts[] = {{{{9, 40}, 1, {}}, {{11, 40}, 1, {}}},
                            {{{9, 40}, 1, {}}, {{40, 11}, 0, {}}},
                            {{{40, 9}, 0, {}}, {{40, 11}, 0, {}}},
                            {{{40, 9}, 0, {}}, {{11, 40}, 1, {}}},
                            {{{3, 9, 40}, 2, {0}}, {{3, 40, 11}, 1, {0}}},
                            {{{9, 3, 40}, 2, {1}}, {{40, 11, 3}, 0, {2}}},
                            {{{2, 9, 3, 40}, 3, {0, 2}}, {{3, 2, 40, 11}, 2, {1, 0}}},
                            {{{4, 5, 40}, 2, {}}, {{40, 2, 3}, 0, {}}},
                            {{{3, 40}, 1, {0}}, {{3, 40, 11}, 1, {0}}},
                            {{{40}, 0, {}}, {{40, 11}, 0, {}}},
                            {{{9, 0}, 1, {}}, {{11, 0}, 1, {}}},
                            {{{0, 40}, 1, {}}, {{11, 40}, 1, {}}}};
  unsigned turn = 0;
  for (const Layout &layout : layouts)
    for (unsigned rotation : {0u, 16u}) {
      std::vector<Scheme> kinds = allKinds(16, rotation);
      const Scheme &scheme = kinds[turn % kinds.size()];
      constexpr Element results[] = {Element::F32, Element::BF16, Element::F16};
      checkMatmul(layout.lhs, layout.rhs, scheme, scheme, results[turn % 3], turn % 2,
                  turn % 4 == 3);
      ++turn;
    }
}

TEST(Matmul, Blocks2D) {
  for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
    Scheme rows = makeScheme(Format::E2M1, scale, 16, 0);
    Scheme squares = makeScheme(Format::E2M1, scale, 16, 0, ScaleRule::Ceil, 16);
    checkMatmul({{9, 40}, 1, {}}, {{40, 37}, 0, {}}, rows, squares, Element::F32, false, false);
    checkMatmul({{2, 9, 40}, 2, {0}}, {{2, 40, 37}, 1, {0}}, rows, squares, Element::BF16, true,
                true);
  }
}

} // namespace
