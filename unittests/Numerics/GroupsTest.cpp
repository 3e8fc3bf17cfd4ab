//===- GroupsTest.cpp - Groups that are quantized alone -------------------===//

#include "Oracle.h"

#include "ufp4/Numerics/Groups.h"

#include <algorithm>

using namespace oracle;

static const std::vector<int32_t> allSizes = {0, 1, 15, 16, 17, 31, 127, 128, 129, 300};

/// Group sizes in many orders, one group taking all, all empty, 64 groups.
static std::vector<std::vector<int32_t>> sizeLists() {
  std::vector<std::vector<int32_t>> lists;
  Noise noise(50);
  std::vector<int32_t> order = allSizes;
  for (int turn = 0; turn < 3; ++turn) {
    lists.push_back(order);
    for (size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[noise.next() % i]);
  }
  lists.push_back({0, 0, 300, 0});
  lists.push_back({300, 0, 0});
  lists.push_back({0, 0, 129});
  lists.push_back({0, 0, 0});
  std::vector<int32_t> many;
  for (int i = 0; i < 64; ++i)
    many.push_back(allSizes[noise.next() % 7]);
  lists.push_back(many);
  return lists;
}

static int64_t sum(const std::vector<int32_t> &sizes) {
  int64_t total = 0;
  for (int32_t size : sizes)
    total += size;
  return total;
}

static std::vector<Scheme> schemes() {
  std::vector<Scheme> all;
  for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0})
    for (unsigned rotation : {0u, 16u, 64u}) {
      Scheme scheme;
      scheme.scale = scale;
      scheme.block = scale == ScaleKind::UE8M0 ? 32 : 16;
      if (rotation)
        scheme.rotation = presetRotation(rotation);
      all.push_back(scheme);
    }
  return all;
}

/// One group as the oracle, which knows no groups, quantizes it.
static Result alone(const std::vector<float> &x, ViewShape shape, const Scheme &scheme,
                    const Draw *draw, uint64_t group) {
  if (!draw)
    return oracle::quantize(x, shape, scheme);
  Draw own = *draw;
  own.seed = foldIn(draw->seed, group);
  return oracle::quantize(x, shape, scheme, &own);
}

/// The library's group as what quantizing it alone returns.
static Quantized take(const QuantizedGroups &all, const Scheme &scheme, int64_t rows, int64_t row,
                      int64_t padded, int64_t position, int64_t length, int64_t group) {
  Quantized one;
  const int64_t blocks = padded / scheme.block;
  for (int64_t r = row; r < row + rows; ++r) {
    one.codes.insert(one.codes.end(), all.codes.begin() + r * padded + position,
                     all.codes.begin() + r * padded + position + length);
    const int64_t first = r * blocks + position / scheme.block, count = length / scheme.block;
    if (scheme.scale == ScaleKind::F32)
      one.scalesF32.insert(one.scalesF32.end(), all.scalesF32.begin() + first,
                           all.scalesF32.begin() + first + count);
    else
      one.scaleBytes.insert(one.scaleBytes.end(), all.scaleBytes.begin() + first,
                            all.scaleBytes.begin() + first + count);
  }
  one.global = all.globals.empty() ? 0 : all.globals[group];
  return one;
}

// Breaks if a group of rows has other codes, scales or S than the same rows
// alone, drawn with the seed of its global index.
TEST(G4, RowsAreGemmsOfTheirOwn) {
  const Draw draw{0xFEDCBA9876543210, 9, 1234, 16};
  const int64_t k = 17;
  for (const std::vector<int32_t> &sizes : sizeLists())
    for (const Scheme &scheme : schemes()) {
      const int64_t m = sum(sizes);
      const std::vector<float> x = Noise(m + 1).gauss(m * k);
      for (const Draw *drawn : {static_cast<const Draw *>(nullptr), &draw}) {
        const QuantizedGroups found =
            quantizeGroups(x.data(), Element::F32, {1, m, k}, Grouping::Rows, sizes.data(),
                           sizes.size(), scheme, drawn, 5);
        int64_t row = 0;
        for (size_t g = 0; g < sizes.size(); row += sizes[g++]) {
          const std::vector<float> rows(x.begin() + row * k, x.begin() + (row + sizes[g]) * k);
          const int64_t padded = paddedK(scheme, k);
          ASSERT_TRUE(same(take(found, scheme, sizes[g], row, padded, 0, padded, g),
                           alone(rows, {1, sizes[g], k}, scheme, drawn, 5 + g), scheme))
              << describe(scheme) << " group " << g << " of " << sizes[g];
        }
      }
    }
}

// Breaks if a run of K that is a group is blocked, rotated, padded or drawn
// otherwise than alone.
TEST(G4, ContractionsAreGemmsOfTheirOwn) {
  const Draw draw{42, 0xFFFFFFFF, 7, 8};
  const int64_t r = 3;
  for (const std::vector<int32_t> &sizes : sizeLists())
    for (const Scheme &scheme : schemes()) {
      const int64_t k = sum(sizes);
      const std::vector<float> x = Noise(k + 2).gauss(r * k);
      for (const Draw *drawn : {static_cast<const Draw *>(nullptr), &draw}) {
        const QuantizedGroups found =
            quantizeGroups(x.data(), Element::F32, {1, r, k}, Grouping::Contracted, sizes.data(),
                           sizes.size(), scheme, drawn);
        const int64_t padded = groupedPaddedK(scheme, k, sizes.size());
        int64_t first = 0, position = 0;
        for (size_t g = 0; g < sizes.size(); first += sizes[g++]) {
          std::vector<float> part;
          for (int64_t row = 0; row < r; ++row)
            part.insert(part.end(), x.begin() + row * k + first,
                        x.begin() + row * k + first + sizes[g]);
          const int64_t length = paddedK(scheme, sizes[g]);
          ASSERT_LE(position + length, padded);
          ASSERT_TRUE(same(take(found, scheme, r, 0, padded, position, length, g),
                           alone(part, {1, r, sizes[g]}, scheme, drawn, g), scheme))
              << describe(scheme) << " group " << g << " of " << sizes[g];
          position += length;
        }
        for (int64_t row = 0; row < r; ++row)
          for (int64_t i = position; i < padded; ++i)
            ASSERT_EQ(found.codes[row * padded + i], 0);
      }
    }
}

// Breaks if a weight's S or words are not its expert's own.
TEST(G4, StackedViewsAreGemmsOfTheirOwn) {
  const Draw draw{1, 2, 3, 16};
  for (const Scheme &scheme : schemes())
    for (const Draw *drawn : {static_cast<const Draw *>(nullptr), &draw}) {
      const ViewShape shape{5, 7, 50};
      const std::vector<float> x = Noise(60).gauss(5 * 7 * 50);
      const QuantizedGroups found = quantizeGroups(x.data(), Element::F32, shape, Grouping::Stacked,
                                                   nullptr, 5, scheme, drawn);
      const int64_t padded = paddedK(scheme, 50);
      for (int64_t g = 0; g < 5; ++g) {
        const std::vector<float> one(x.begin() + g * 350, x.begin() + (g + 1) * 350);
        ASSERT_TRUE(same(take(found, scheme, 7, 7 * g, padded, 0, padded, g),
                         alone(one, {1, 7, 50}, scheme, drawn, g), scheme));
      }
    }
}

// Breaks if a change of one group, or a move of another, is seen in a group's
// codes. Each group has its own index wherever it lies.
TEST(G4, NothingElseIsSeen) {
  Scheme scheme;
  scheme.scale = ScaleKind::UE4M3;
  scheme.rotation = presetRotation(16);
  const Draw draw{7, 8, 9, 16};
  const int64_t k = 48;
  std::vector<float> x = Noise(61).gauss(64 * k), y(64 * k, 1e30f);
  // Group 1 has the same 17 rows behind 15 rows, and behind 31 of others.
  const int32_t before[] = {15, 17, 32}, after[] = {31, 17, 16};
  std::copy_n(x.begin() + 15 * k, 17 * k, y.begin() + 31 * k);
  const auto run = [&](const std::vector<float> &values, const int32_t *sizes, int64_t row) {
    const QuantizedGroups all = quantizeGroups(values.data(), Element::F32, {1, 64, k},
                                               Grouping::Rows, sizes, 3, scheme, &draw);
    return take(all, scheme, 17, row, k, 0, k, 1);
  };
  const Quantized a = run(x, before, 15), b = run(y, after, 31);
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.scaleBytes, b.scaleBytes);
  EXPECT_EQ(bits(a.global), bits(b.global));
}

// Breaks if sizes that do not fit write elsewhere than they should: a negative
// one counts as 0, the last are cut, rows of no group keep zeros.
TEST(G4, SizesThatDoNotFit) {
  Scheme scheme;
  const std::vector<float> x = Noise(62).gauss(10 * 16);
  const int32_t negative[] = {3, -2, 4}, large[] = {6, 9, 2}, fitting[] = {3, 0, 7};
  EXPECT_FALSE(fitsExtent(negative, 3, 5));
  EXPECT_FALSE(fitsExtent(negative, 3, 10));
  EXPECT_FALSE(fitsExtent(large, 3, 10));
  EXPECT_TRUE(fitsExtent(fitting, 3, 10));
  const auto quantizeRows = [&](const int32_t *sizes) {
    return quantizeGroups(x.data(), Element::F32, {1, 10, 16}, Grouping::Rows, sizes, 3, scheme);
  };
  const QuantizedGroups whole = quantizeRows(fitting), less = quantizeRows(negative);
  EXPECT_EQ(quantizeRows(large).codes, whole.codes);
  EXPECT_TRUE(std::equal(less.codes.begin(), less.codes.begin() + 7 * 16, whole.codes.begin()));
  EXPECT_TRUE(std::all_of(less.codes.begin() + 7 * 16, less.codes.end(),
                          [](uint8_t code) { return code == 0; }));
  EXPECT_EQ(less.scalesF32[7], 0.0f);
}

// Breaks if the product of a group reads another group's rows, weight or S.
TEST(G4, ProductsOfGroups) {
  for (const Scheme &scheme : schemes()) {
    const std::vector<int32_t> sizes = {17, 0, 1, 31};
    const int64_t m = 52, k = 40, n = 5;
    const std::vector<float> x = Noise(63).gauss(m * k), w = Noise(64).gauss(4 * n * k),
                             c0 = Noise(65).gauss(m * n);
    const QuantizedGroups a =
        quantizeGroups(x.data(), Element::F32, {1, m, k}, Grouping::Rows, sizes.data(), 4, scheme);
    const QuantizedGroups b =
        quantizeGroups(w.data(), Element::F32, {4, n, k}, Grouping::Stacked, nullptr, 4, scheme);
    std::vector<GemmBound> out(m * n);
    gemmGroupsExact({&a, {1, m, k}, scheme, Grouping::Rows},
                    {&b, {4, n, k}, scheme, Grouping::Stacked}, sizes.data(), 4, c0.data(),
                    out.data());
    int64_t row = 0;
    for (int64_t g = 0; g < 4; ++g) {
      const ViewShape shape{1, sizes[g], k};
      const Quantized qa =
          ufp4::numerics::quantize(x.data() + row * k, Element::F32, shape, scheme);
      const Quantized qb =
          ufp4::numerics::quantize(w.data() + g * n * k, Element::F32, {1, n, k}, scheme);
      std::vector<GemmBound> one(sizes[g] * n);
      gemmExact({qa.codes.data(), qa.scales(), qa.global, shape, scheme},
                {qb.codes.data(), qb.scales(), qb.global, {1, n, k}, scheme}, c0.data() + row * n,
                one.data());
      for (size_t i = 0; i < one.size(); ++i)
        ASSERT_EQ(out[row * n + i].exact, one[i].exact) << describe(scheme);
      row += sizes[g];
    }
    // Rows of no group keep C0.
    for (int64_t i = 49 * n; i < m * n; ++i)
      ASSERT_EQ(out[i].exact, double(c0[i]));

    const std::vector<float> u = Noise(66).gauss(3 * m), v = Noise(67).gauss(2 * m);
    const QuantizedGroups p = quantizeGroups(u.data(), Element::F32, {1, 3, m},
                                             Grouping::Contracted, sizes.data(), 4, scheme);
    const QuantizedGroups q = quantizeGroups(v.data(), Element::F32, {1, 2, m},
                                             Grouping::Contracted, sizes.data(), 4, scheme);
    std::vector<GemmBound> dw(4 * 3 * 2);
    gemmGroupsExact({&p, {1, 3, m}, scheme, Grouping::Contracted},
                    {&q, {1, 2, m}, scheme, Grouping::Contracted}, sizes.data(), 4, nullptr,
                    dw.data());
    int64_t first = 0;
    for (int64_t g = 0; g < 4; first += sizes[g++]) {
      const auto part = [&](const std::vector<float> &from, int64_t rows) {
        std::vector<float> taken;
        for (int64_t r = 0; r < rows; ++r)
          taken.insert(taken.end(), from.begin() + r * m + first,
                       from.begin() + r * m + first + sizes[g]);
        return ufp4::numerics::quantize(taken.data(), Element::F32, {1, rows, sizes[g]}, scheme);
      };
      const Quantized pu = part(u, 3), qv = part(v, 2);
      GemmBound one[6];
      gemmExact({pu.codes.data(), pu.scales(), pu.global, {1, 3, sizes[g]}, scheme},
                {qv.codes.data(), qv.scales(), qv.global, {1, 2, sizes[g]}, scheme}, nullptr, one);
      for (int i = 0; i < 6; ++i)
        ASSERT_EQ(dw[g * 6 + i].exact, one[i].exact) << describe(scheme);
    }
  }
}
