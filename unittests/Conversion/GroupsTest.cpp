//===- GroupsTest.cpp - Grouped operations against the library ------------===//
//
// docs/spec.md G4: codes, scales and S of each group, bit for bit, and products, by every lowering.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Numerics/Groups.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace ufp4;
using namespace ufp4::test;
using numerics::Element;
using numerics::Grouping;
using numerics::ScaleKind;
using numerics::Scheme;

namespace {

using Sizes = std::vector<int32_t>;

const Sizes kAllSizes = {0, 1, 15, 16, 17, 31, 127, 128, 129, 300};
constexpr int64_t kRows = 764;

/// The ten sizes in many orders, one group that takes all, and none that takes any.
std::vector<Sizes> sizeLists() {
  std::vector<Sizes> lists;
  std::mt19937_64 random(1);
  Sizes order = kAllSizes;
  for (int turn = 0; turn < 5; ++turn) {
    lists.push_back(order);
    std::shuffle(order.begin(), order.end(), random);
  }
  for (size_t all : {0, 4, 9}) {
    lists.push_back(Sizes(10, 0));
    lists.back()[all] = kRows;
  }
  lists.push_back(Sizes(10, 0));
  // Rows of no group; a size that counts as 0, and one that is cut.
  lists.push_back({3, 0, 100, 17, 0, 0, 1, 2, 16, 5});
  lists.push_back({3, -5, 100, 17, 0, 0, 700, 2, 16, 5});
  return lists;
}

Array asArray(const Sizes &sizes) {
  Array array = Array::zeros(ElementType::Int32, {int64_t(sizes.size())});
  std::copy(sizes.begin(), sizes.end(), array.as<int32_t>());
  return array;
}

std::vector<Scheme> schemes() {
  std::vector<Scheme> all(3);
  all[0].rotation = numerics::presetRotation(16);
  all[1].rotation = numerics::presetRotation(16);
  all[1].scale = ScaleKind::UE4M3;
  all[2].rotation = numerics::presetRotation(32);
  all[2].scale = ScaleKind::UE8M0;
  all[2].block = 32;
  return all;
}

std::string nameOf(Grouping grouping) {
  return grouping == Grouping::Rows         ? "rows"
         : grouping == Grouping::Contracted ? "contracted"
                                            : "stacked";
}

std::string quantizedType(const std::string &dims, const Scheme &scheme, int64_t along,
                          int64_t groups, Grouping grouping) {
  return "!ufp4.tensor<" + dims + ", " + spell(scheme) + ", along = " + std::to_string(along) +
         ", groups = <" + std::to_string(groups) + " " + nameOf(grouping) + ">>";
}

std::string sizesType(int64_t groups) { return "tensor<" + std::to_string(groups) + "xi32>"; }

/// A grouped quantize of bf16, rows by `along`.
struct QuantizeText {
  Scheme scheme;
  Grouping grouping;
  std::string dims;
  int64_t along, groups;
  unsigned bits;
  /// Of the tensor whose rows are gathered, if they are.
  int64_t sourceRows = 0;

  std::string get() const {
    size_t first = dims.find('x');
    std::string rows = "tensor<" + dims.substr(0, first) + "xi32>", argument, gather;
    std::string real = "tensor<" + dims + "xbf16>";
    if (sourceRows) {
      real = "tensor<" + std::to_string(sourceRows) + dims.substr(first) + "xbf16>";
      argument = ", %rows: " + rows;
      gather = " rows(%rows : " + rows + ")";
    }
    std::string type = quantizedType(dims, scheme, along, groups, grouping);
    std::string clauses;
    if (bits)
      clauses += " stochastic(%seed, %step)";
    if (grouping != Grouping::Stacked)
      clauses += " groups(%sizes : " + sizesType(groups) + ")";
    if (bits)
      clauses += " from %first {stream = 7, bits = " + std::to_string(bits) + "}";
    return "func.func @main(%x: " + real + ", %sizes: " + sizesType(groups) +
           ", %seeds: tensor<i64>, %steps: tensor<i32>, %firsts: tensor<i64>" + argument + ") -> " +
           type +
           " {\n  %seed = tensor.extract %seeds[] : tensor<i64>\n"
           "  %step = tensor.extract %steps[] : tensor<i32>\n"
           "  %first = tensor.extract %firsts[] : tensor<i64>\n"
           "  %q = ufp4.quantize %x" +
           gather + " along " + std::to_string(along) + clauses + " : " + real + " -> " + type +
           "\n  return %q : " + type + "\n}\n";
  }
};

std::string differ(const char *what, const void *expected, size_t bytes, const Array &found) {
  if (bytes != found.data.size())
    return std::string(what) + ": " + std::to_string(bytes) + " bytes expected, found " +
           std::to_string(found.data.size());
  for (size_t i = 0; i < bytes; ++i)
    if (static_cast<const char *>(expected)[i] != found.data.data()[i])
      return std::string(what) + " differ at byte " + std::to_string(i);
  return "";
}

std::string compare(const Program &program, const QuantizeText &text, const Array &x,
                    const Sizes &sizes) {
  const uint64_t seed = 0xFEDCBA9876543210;
  const int64_t first = 5;
  std::vector<Array> arguments = {x, asArray(sizes), scalar(ElementType::Int64, seed),
                                  scalar(ElementType::Int32, 11),
                                  scalar(ElementType::Int64, first)};
  if (text.sourceRows) {
    Gathered gathered = scatter(x);
    arguments.front() = gathered.source;
    arguments.push_back(gathered.rows);
  }
  std::vector<Array> found = program.call(arguments);
  Array view = toView(x, text.along);
  numerics::Draw draw{seed, 7, 11, text.bits};
  numerics::QuantizedGroups expected = numerics::quantizeGroups(
      view.data.data(), Element::BF16, viewShape(x.shape, text.along), text.grouping, sizes.data(),
      text.groups, text.scheme, text.bits ? &draw : nullptr, first);
  bool isF32 = text.scheme.scale == ScaleKind::F32;
  std::string result =
      isF32 ? differ("scales", expected.scalesF32.data(), expected.scalesF32.size() * 4, found[1])
            : differ("scales", expected.scaleBytes.data(), expected.scaleBytes.size(), found[1]);
  if (result.empty() && text.scheme.scale == ScaleKind::UE4M3)
    result = differ("S", expected.globals.data(), expected.globals.size() * 4, found[2]);
  if (result.empty())
    result = differ("codes", expected.codes.data(), expected.codes.size(), found[0]);
  return result;
}

// Breaks if any group is blocked, rotated, padded, scaled or drawn otherwise than alone. Rows are
// dynamic, so that they may be any number.
TEST(Groups, Quantize) {
  unsigned turn = 0;
  for (Lowering lowering : {Lowering::Linalg, Lowering::Vector})
    for (const Scheme &scheme : schemes())
      for (unsigned bits : {0u, turn % 2 ? 8u : 16u})
        for (bool inColumns : {false, true}) {
          ++turn;
          // The slower lowering takes each choice now and then.
          if (lowering == Lowering::Linalg && turn % 3)
            continue;
          for (Grouping grouping : {Grouping::Rows, Grouping::Contracted}) {
            bool isRows = grouping == Grouping::Rows;
            QuantizeText text{scheme, grouping, "", 0, 10, bits};
            // K is the second dimension, or the first.
            text.along = !inColumns;
            std::string k = isRows ? "40" : std::to_string(kRows), r = isRows ? "?" : "19";
            text.dims = inColumns ? k + "x" + r : r + "x" + k;
            Program program(text.get(), lowering);
            for (const Sizes &sizes : sizeLists()) {
              std::vector<int64_t> shape = {isRows ? kRows : 19, isRows ? 40 : kRows};
              if (inColumns)
                std::swap(shape[0], shape[1]);
              Array x = fill(Fill::Normal, Element::BF16, shape, turn);
              EXPECT_EQ(compare(program, text, x, sizes), "")
                  << name(lowering) << " " << text.get() << sizes[0] << ", " << sizes[1];
            }
          }
        }
}

// Breaks if a group of tokens that are not sorted has other codes than that of sorted ones.
TEST(Groups, QuantizeGathered) {
  unsigned turn = 0;
  for (Lowering lowering : {Lowering::Vector, Lowering::Linalg})
    for (const Scheme &scheme : schemes())
      for (unsigned bits : {0u, 16u})
        for (bool inColumns : {false, true})
          for (Grouping grouping : {Grouping::Rows, Grouping::Contracted}) {
            if (lowering == Lowering::Linalg && ++turn % 5)
              continue;
            bool isRows = grouping == Grouping::Rows;
            std::vector<int64_t> shape = {isRows ? kRows : 19, isRows ? 40 : kRows};
            QuantizeText text{scheme, grouping, "", !inColumns, 10, bits};
            std::string k = std::to_string(shape[1]), r = isRows ? "?" : "19";
            text.dims = inColumns ? k + "x" + r : r + "x" + k;
            if (inColumns)
              std::swap(shape[0], shape[1]);
            Array x = fill(Fill::Normal, Element::BF16, shape, turn);
            text.sourceRows = scatter(x).source.shape[0];
            Program program(text.get(), lowering);
            std::vector<Sizes> lists = sizeLists();
            for (size_t i : {size_t(1), size_t(6), lists.size() - 1})
              EXPECT_EQ(compare(program, text, x, lists[i]), "") << name(lowering) << text.get();
          }
}

// Breaks if a weight's S or words are not its expert's own.
TEST(Groups, QuantizeStacked) {
  for (Lowering lowering : {Lowering::Linalg, Lowering::Vector})
    for (const Scheme &scheme : schemes())
      for (unsigned bits : {0u, 16u})
        for (int64_t along : {0, 1, 2}) {
          if (lowering == Lowering::Linalg && along != 1)
            continue;
          QuantizeText text{scheme, Grouping::Stacked, "", along, 5, bits};
          std::vector<int64_t> shape = {5, 7};
          shape.insert(shape.begin() + along, 40);
          for (int64_t extent : shape)
            text.dims += (text.dims.empty() ? "" : "x") + std::to_string(extent);
          Array x = fill(Fill::Normal, Element::BF16, shape, along);
          EXPECT_EQ(compare(Program(text.get(), lowering), text, x, Sizes(5, 0)), "")
              << name(lowering) << " " << text.get();
        }
}

// Breaks if many groups, most of them small, are not found.
TEST(Groups, SixtyFourGroups) {
  std::mt19937_64 random(2);
  Sizes sizes;
  for (int i = 0; i < 64; ++i)
    sizes.push_back(kAllSizes[random() % 7]);
  int64_t rows = std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
  for (const Scheme &scheme : schemes())
    for (Grouping grouping : {Grouping::Rows, Grouping::Contracted}) {
      QuantizeText text{
          scheme, grouping, std::to_string(rows) + "x32", grouping == Grouping::Rows ? 1 : 0,
          64,     16};
      Array x = fill(Fill::Normal, Element::BF16, {rows, 32}, 3);
      EXPECT_EQ(compare(Program(text.get(), Lowering::Vector), text, x, sizes), "") << text.get();
    }
}

/// Integers of which every block of 16 has a 7 in front, wherever groups begin: then its scale
/// is 1.
Array integers(std::vector<int64_t> shape, int64_t along, const Sizes *sizes, uint64_t seed) {
  std::mt19937_64 random(seed);
  Array array = Array::zeros(ElementType::F32, shape);
  std::vector<bool> leads(shape[along]);
  int64_t begin = 0;
  for (int32_t size : sizes ? *sizes : Sizes{int32_t(shape[along])})
    for (int64_t end = begin + size, i = 0; begin < end; ++begin, ++i)
      if (begin < shape[along])
        leads[begin] = i % 16 == 0;
  int64_t inner = 1;
  for (size_t dim = along + 1; dim < shape.size(); ++dim)
    inner *= shape[dim];
  for (int64_t i = 0; i < array.size(); ++i)
    array.as<float>()[i] = leads[i / inner % shape[along]] ? 7.0f : float(int(random() % 15) - 7);
  return array;
}

struct Operand {
  numerics::QuantizedGroups values;
  numerics::QuantizedGroupsView view;

  Operand(const Array &x, int64_t along, Grouping grouping, const Sizes &sizes,
          const Scheme &scheme) {
    Array inView = toView(x, along);
    numerics::ViewShape shape = viewShape(x.shape, along);
    values = numerics::quantizeGroups(inView.data.data(), Element::F32, shape, grouping,
                                      sizes.data(), sizes.size(), scheme);
    view = {&values, shape, scheme, grouping};
  }
};

/// Whether a product is the definition's: equal where its operands are integers, else by G2.
void check(const Array &found, const std::vector<numerics::GemmBound> &expected, bool isExact) {
  ASSERT_EQ(found.size(), int64_t(expected.size()));
  for (int64_t i = 0; i < found.size(); ++i) {
    float value = found.as<float>()[i];
    if (isExact)
      ASSERT_EQ(value, float(expected[i].exact)) << i;
    else
      ASSERT_NE(numerics::checkBound(expected[i], value, Element::F32),
                numerics::Conformance::Violates)
          << i << ": " << value << " and " << expected[i].exact;
  }
}

// Breaks if a group meets another's weight, rows of no group are written, or a group's gradient has
// another group's rows in it. Accumulators are carried.
TEST(Groups, Matmul) {
  std::vector<Scheme> all = schemes();
  // Unrotated, integers stay integers.
  all.resize(5);
  all[4].scale = ScaleKind::UE8M0;
  unsigned turn = 0;
  for (Lowering lowering : {Lowering::Linalg, Lowering::Vector})
    for (const Scheme &scheme : all) {
      bool isExact = !scheme.rotation, accumulates = turn++ % 2;
      // The slower lowering takes rotated operands once.
      if (lowering == Lowering::Linalg && !isExact && accumulates)
        continue;
      std::string clause = " groups(%sizes : " + sizesType(10) + ")";
      std::string rows = quantizedType("?x48", scheme, 1, 10, Grouping::Rows);
      std::string stacked = quantizedType("10x48x21", scheme, 1, 10, Grouping::Stacked);
      std::string run = std::to_string(kRows);
      std::string left = quantizedType(run + "x13", scheme, 0, 10, Grouping::Contracted);
      std::string right = quantizedType(run + "x21", scheme, 0, 10, Grouping::Contracted);
      std::string add[2];
      if (accumulates) {
        add[0] = " accumulate(%c : tensor<?x21xf32>)";
        add[1] = " accumulate(%d : tensor<10x13x21xf32>)";
      }
      Program program(
          "func.func @main(%x: tensor<?x48xf32>, %w: tensor<10x48x21xf32>, %u: tensor<" + run +
              "x13xf32>, %v: tensor<" + run + "x21xf32>, %sizes: " + sizesType(10) +
              ", %c: tensor<?x21xf32>, %d: tensor<10x13x21xf32>)"
              " -> (tensor<?x21xf32>, tensor<10x13x21xf32>) {\n"
              "  %qx = ufp4.quantize %x along 1" +
              clause + " : tensor<?x48xf32> -> " + rows +
              "\n  %qw = ufp4.quantize %w along 1 : tensor<10x48x21xf32> -> " + stacked +
              "\n  %y = ufp4.matmul %qx, %qw" + clause + add[0] + " : " + rows + ", " + stacked +
              " -> tensor<?x21xf32>\n"
              "  %qu = ufp4.quantize %u along 0" +
              clause + " : tensor<" + run + "x13xf32> -> " + left +
              "\n  %qv = ufp4.quantize %v along 0" + clause + " : tensor<" + run + "x21xf32> -> " +
              right + "\n  %g = ufp4.matmul %qu, %qv" + clause + add[1] + " : " + left + ", " +
              right +
              " -> tensor<10x13x21xf32>\n"
              "  return %y, %g : tensor<?x21xf32>, tensor<10x13x21xf32>\n}\n",
          lowering);
      for (const Sizes &sizes : sizeLists()) {
        if (isExact && sizes[1] < 0)
          continue;
        Array x = integers({kRows, 48}, 1, nullptr, 1), w = integers({10, 48, 21}, 1, nullptr, 2);
        Array u = integers({kRows, 13}, 0, &sizes, 3), v = integers({kRows, 21}, 0, &sizes, 4);
        Array c = integers({kRows, 21}, 1, nullptr, 5), d = integers({10, 13, 21}, 1, nullptr, 6);
        std::vector<Array> found = program.call({x, w, u, v, asArray(sizes), c, d});
        Operand qx(x, 1, Grouping::Rows, sizes, scheme), qw(w, 1, Grouping::Stacked, sizes, scheme);
        Operand qu(u, 0, Grouping::Contracted, sizes, scheme);
        Operand qv(v, 0, Grouping::Contracted, sizes, scheme);
        std::vector<numerics::GemmBound> y(kRows * 21), g(10 * 13 * 21);
        numerics::gemmGroupsExact(qx.view, qw.view, sizes.data(), 10,
                                  accumulates ? c.as<float>() : nullptr, y.data());
        numerics::gemmGroupsExact(qu.view, qv.view, sizes.data(), 10,
                                  accumulates ? d.as<float>() : nullptr, g.data());
        check(found[0], y, isExact);
        check(found[1], g, isExact);
      }
    }
}

// Breaks if bf16 results are rounded more than once, or rows of no group are not zero.
TEST(Groups, NarrowResults) {
  Scheme scheme;
  std::string rows = quantizedType("?x48", scheme, 1, 3, Grouping::Rows);
  std::string stacked = quantizedType("3x48x21", scheme, 1, 3, Grouping::Stacked);
  std::string left = quantizedType("400x5", scheme, 0, 3, Grouping::Contracted);
  Program program(
      "func.func @main(%x: tensor<?x48xf32>, %w: tensor<3x48x21xf32>, "
      "%u: tensor<400x5xf32>, %sizes: tensor<3xi32>)"
      " -> (tensor<?x21xbf16>, tensor<3x5x5xbf16>) {\n"
      "  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<3xi32>)"
      " : tensor<?x48xf32> -> " +
          rows + "\n  %qw = ufp4.quantize %w along 1 : tensor<3x48x21xf32> -> " + stacked +
          "\n  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<3xi32>) : " + rows + ", " +
          stacked +
          " -> tensor<?x21xbf16>\n"
          "  %qu = ufp4.quantize %u along 0 groups(%sizes : tensor<3xi32>)"
          " : tensor<400x5xf32> -> " +
          left + "\n  %g = ufp4.matmul %qu, %qu groups(%sizes : tensor<3xi32>) : " + left + ", " +
          left +
          " -> tensor<3x5x5xbf16>\n"
          "  return %y, %g : tensor<?x21xbf16>, tensor<3x5x5xbf16>\n}\n",
      Lowering::Vector);
  Sizes sizes = {150, 0, 200};
  Array x = integers({400, 48}, 1, nullptr, 1), w = integers({3, 48, 21}, 1, nullptr, 2);
  Array u = integers({400, 5}, 0, &sizes, 3);
  std::vector<Array> found = program.call({x, w, u, asArray(sizes)});
  Operand qx(x, 1, Grouping::Rows, sizes, scheme), qw(w, 1, Grouping::Stacked, sizes, scheme);
  Operand qu(u, 0, Grouping::Contracted, sizes, scheme);
  std::vector<numerics::GemmBound> y(400 * 21), g(3 * 5 * 5);
  numerics::gemmGroupsExact(qx.view, qw.view, sizes.data(), 3, nullptr, y.data());
  numerics::gemmGroupsExact(qu.view, qu.view, sizes.data(), 3, nullptr, g.data());
  for (size_t i = 0; i < y.size(); ++i)
    ASSERT_EQ(found[0].as<uint16_t>()[i], numerics::f32ToBF16(float(y[i].exact))) << i;
  for (size_t i = 0; i < g.size(); ++i)
    ASSERT_EQ(found[1].as<uint16_t>()[i], numerics::f32ToBF16(float(g[i].exact))) << i;
}

} // namespace
