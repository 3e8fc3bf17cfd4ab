//===- PlaceTest.cpp - Parts of a view ------------------------------------===//

#include "Oracle.h"

using namespace oracle;

namespace {

/// A view whose R and K are each merged from two tensor dimensions.
struct Whole {
  std::vector<int64_t> of[3];
  std::vector<float> x;
  ViewShape shape;

  Whole(std::vector<int64_t> g, std::vector<int64_t> r, std::vector<int64_t> k) {
    of[0] = std::move(g);
    of[1] = std::move(r);
    of[2] = std::move(k);
    const auto product = [](const std::vector<int64_t> &sizes) {
      int64_t result = 1;
      for (int64_t size : sizes)
        result *= size;
      return result;
    };
    shape = {product(of[0]), product(of[1]), product(of[2])};
    x = Noise(20).gauss(shape.g * shape.r * shape.k);
  }
};

/// All (offset, size) pairs along one dimension, in steps.
std::vector<std::pair<int64_t, int64_t>> intervals(int64_t size, int64_t step) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (int64_t begin = 0; begin < size; begin += step)
    for (int64_t end = begin + step; end - step < size; end += step)
      result.push_back({begin, std::min(end, size) - begin});
  return result;
}

/// Q8 as it is written: every aligned run of local positions is an aligned run
/// of global ones, zero-padded at the global end only.
bool legal(const Place &place, int dimension, int64_t size, int64_t length) {
  for (int64_t begin = 0; begin < size; begin += length)
    for (int64_t i = 0; i < length; ++i) {
      const int64_t first = globalPosition(&place, dimension, begin);
      if (first % length)
        return false;
      if (begin + i < size) {
        if (globalPosition(&place, dimension, begin + i) != first + i)
          return false;
      } else if (first + i < globalSize(&place, dimension, size)) {
        return false;
      }
    }
  return true;
}

int legalPlaces = 0, illegalPlaces = 0;

void expectPart(const Whole &whole, const Place &place, const Scheme &scheme, const Draw *draw,
                const Quantized &expected, float amaxTensor) {
  ViewShape shape{1, 1, 1};
  for (int64_t part : place.part[0])
    shape.g *= part;
  for (int64_t part : place.part[1])
    shape.r *= part;
  for (int64_t part : place.part[2])
    shape.k *= part;
  const int64_t run = std::max(scheme.block, scheme.rotation.size);
  const bool isLegal = legal(place, 2, shape.k, run) && legal(place, 1, shape.r, scheme.blockRows);
  const std::optional<std::string> problem = verifyPlace(place, shape, scheme, true);
  ASSERT_EQ(!problem, isLegal) << problem.value_or("accepted") << describe(scheme);
  ++(isLegal ? legalPlaces : illegalPlaces);
  if (!isLegal)
    return;

  std::vector<float> x;
  for (int64_t g = 0; g < shape.g; ++g)
    for (int64_t r = 0; r < shape.r; ++r)
      for (int64_t k = 0; k < shape.k; ++k)
        x.push_back(
            whole.x[(globalPosition(&place, 0, g) * whole.shape.r + globalPosition(&place, 1, r)) *
                        whole.shape.k +
                    globalPosition(&place, 2, k)]);
  const Quantized part = quantize(x.data(), Element::F32, shape, scheme, draw, &amaxTensor, &place);
  const int64_t kp = paddedK(scheme, shape.k), globalKp = paddedK(scheme, whole.shape.k);
  for (int64_t g = 0; g < shape.g; ++g)
    for (int64_t r = 0; r < shape.r; ++r)
      for (int64_t k = 0; k < kp; ++k) {
        const int64_t gg = globalPosition(&place, 0, g), gr = globalPosition(&place, 1, r),
                      gk = globalPosition(&place, 2, k / run * run) + k % run;
        ASSERT_EQ(part.codes[(g * shape.r + r) * kp + k],
                  expected.codes[(gg * whole.shape.r + gr) * globalKp + gk]);
        const int64_t here =
            ((g * scaleRows(scheme, shape.r) + r / scheme.blockRows) * kp + k) / scheme.block;
        const int64_t there =
            ((gg * scaleRows(scheme, whole.shape.r) + gr / scheme.blockRows) * globalKp + gk) /
            scheme.block;
        ASSERT_EQ(scaleValue(part, scheme, here), scaleValue(expected, scheme, there));
      }
}

void expectAllParts(const Whole &whole, const Scheme &scheme, const Draw *draw, int64_t stepK,
                    int64_t stepR) {
  const float amaxTensor = amax(whole.x.data(), Element::F32, whole.shape, scheme);
  const Quantized expected =
      quantize(whole.x.data(), Element::F32, whole.shape, scheme, draw, &amaxTensor);
  for (auto [k0, k0Size] : intervals(whole.of[2][0], 1))
    for (auto [k1, k1Size] : intervals(whole.of[2][1], stepK))
      for (auto [r0, r0Size] : intervals(whole.of[1][0], 1))
        for (auto [r1, r1Size] : intervals(whole.of[1][1], stepR)) {
          Place place;
          place.at[0] = {1};
          place.of[0] = whole.of[0];
          place.part[0] = {1};
          place.at[1] = {r0, r1};
          place.of[1] = whole.of[1];
          place.part[1] = {r0Size, r1Size};
          place.at[2] = {k0, k1};
          place.of[2] = whole.of[2];
          place.part[2] = {k0Size, k1Size};
          expectPart(whole, place, scheme, draw, expected, amaxTensor);
          if (testing::Test::HasFatalFailure())
            return;
        }
}

} // namespace

// Breaks if a part's codes or scales differ from the whole's, or another part
// than the rule's is accepted: every way to cut a view of merged dimensions.
TEST(Q8, ShardsEqualTheWhole) {
  const Draw draw{5, 6, 7, 16}, bytes{5, 6, 7, 8};
  for (unsigned n : {0u, 16u, 32u, 64u})
    for (unsigned block : {16u, 32u})
      for (ScaleKind kind : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
        Scheme scheme;
        scheme.block = block;
        scheme.scale = kind;
        if (n)
          scheme.rotation = presetRotation(n);
        for (int64_t inner : {32, 40, 64})
          expectAllParts(Whole({2}, {2, 2}, {2, inner}), scheme,
                         kind == ScaleKind::F32 ? &bytes : &draw, 8, 1);
        if (HasFatalFailure())
          return;
      }
  EXPECT_GT(legalPlaces, 1000);
  EXPECT_GT(illegalPlaces, 1000);
}

// Breaks if 2-D blocks are cut along rows, or rows are padded elsewhere than at
// the global end.
TEST(Q8, ShardsOfTwoDimensionalBlocks) {
  for (ScaleKind kind : {ScaleKind::F32, ScaleKind::UE8M0}) {
    Scheme scheme;
    scheme.blockRows = 16;
    scheme.scale = kind;
    for (int64_t rows : {16, 24, 32})
      expectAllParts(Whole({2}, {2, rows}, {1, 48}), scheme, nullptr, 8, 4);
    if (HasFatalFailure())
      return;
  }
}

// Breaks if the index is counted in 32 bits or in the part's own shape.
TEST(Q8, IndexCountsInTheGlobalView) {
  Scheme scheme;
  const Draw draw{1, 2, 3, 16};
  const std::vector<float> x = Noise(21).gauss(2 * 32);
  const ViewShape shape{1, 2, 32};
  Place place;
  place.at[0] = {3};
  place.of[0] = {5};
  place.part[0] = {1};
  place.at[1] = {int64_t(1) << 37};
  place.of[1] = {int64_t(1) << 40};
  place.part[1] = {2};
  place.at[2] = {64};
  place.of[2] = {100};
  place.part[2] = {32};
  ASSERT_EQ(verifyPlace(place, shape, scheme, false), std::nullopt);
  EXPECT_TRUE(same(quantize(x.data(), Element::F32, shape, scheme, &draw, nullptr, &place),
                   oracle::quantize(x, shape, scheme, &draw, nullptr, &place), scheme));
}

// Breaks if a malformed place, or a part of a two-level tensor without the
// maximum over all parts, is accepted.
TEST(Q8, IllegalPlacesRefused) {
  Scheme scheme;
  const ViewShape shape{1, 4, 32};
  const auto place = [](int64_t at, int64_t of, int64_t part) {
    Place result;
    result.at[2] = {at};
    result.of[2] = {of};
    result.part[2] = {part};
    return result;
  };
  EXPECT_EQ(verifyPlace({}, shape, scheme, false), std::nullopt);
  EXPECT_EQ(verifyPlace(place(32, 64, 32), shape, scheme, false), std::nullopt);
  EXPECT_NE(verifyPlace(place(8, 64, 32), shape, scheme, false), std::nullopt);
  EXPECT_NE(verifyPlace(place(48, 64, 32), shape, scheme, false), std::nullopt);
  EXPECT_NE(verifyPlace(place(-16, 64, 32), shape, scheme, false), std::nullopt);
  EXPECT_NE(verifyPlace(place(0, 64, 16), shape, scheme, false), std::nullopt);
  Place ragged = place(0, 64, 32);
  ragged.at[2].push_back(0);
  EXPECT_NE(verifyPlace(ragged, shape, scheme, false), std::nullopt);
  // Ends inside a run that the whole goes on with, and at the global end.
  EXPECT_NE(verifyPlace(place(0, 64, 20), {1, 4, 20}, scheme, false), std::nullopt);
  EXPECT_EQ(verifyPlace(place(32, 52, 20), {1, 4, 20}, scheme, false), std::nullopt);
  scheme.scale = ScaleKind::UE4M3;
  EXPECT_NE(verifyPlace(place(32, 64, 32), shape, scheme, false), std::nullopt);
  EXPECT_EQ(verifyPlace(place(32, 64, 32), shape, scheme, true), std::nullopt);
  EXPECT_EQ(verifyPlace(place(0, 32, 32), shape, scheme, false), std::nullopt);
}
