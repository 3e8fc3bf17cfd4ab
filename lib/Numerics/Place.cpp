//===- Place.cpp - Parts of a view ----------------------------------------===//

#include "PlaceMap.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ufp4::numerics {

static int64_t product(const std::vector<int64_t> &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
}

detail::PlaceMap::PlaceMap(const Place *place, unsigned dimension, int64_t localSize)
    : place(place && !place->of[dimension].empty() ? place : nullptr), dimension(dimension),
      globalSize(this->place ? product(place->of[dimension]) : localSize) {}

int64_t detail::PlaceMap::operator()(int64_t local) const {
  if (!place)
    return local;
  const std::vector<int64_t> &at = place->at[dimension];
  const std::vector<int64_t> &of = place->of[dimension];
  const std::vector<int64_t> &part = place->part[dimension];
  int64_t global = 0, stride = 1;
  for (size_t i = of.size(); i-- > 0;) {
    global += (at[i] + local % part[i]) * stride;
    local /= part[i];
    stride *= of[i];
  }
  return global;
}

/// Whether every aligned run of `length` local positions, cut short at the
/// global end only, is an aligned run of global positions. The time it takes
/// does not depend on the sizes.
static bool keepsRuns(const Place &place, unsigned dimension, int64_t length) {
  const std::vector<int64_t> &at = place.at[dimension];
  const std::vector<int64_t> &of = place.of[dimension];
  const std::vector<int64_t> &part = place.part[dimension];
  if (length == 1 || product(part) == 0)
    return true;
  // Positions follow each other in rows up to the innermost size that is cut.
  size_t cut = of.size();
  int64_t inner = 1;
  while (cut > 0 && part[cut - 1] == of[cut - 1])
    inner *= of[--cut];
  if (cut == 0)
    return true;
  --cut;
  const int64_t row = part[cut] * inner;
  int64_t stride = of[cut] * inner, begin = at[cut] * inner, rows = 1;
  for (size_t i = cut; i-- > 0;) {
    if (part[i] != 1 && stride % length)
      return false;
    begin += at[i] * stride;
    rows *= part[i];
    stride *= of[i];
  }
  return begin % length == 0 && (row % length == 0 || (rows == 1 && begin + row == stride));
}

std::optional<std::string> verifyPlace(const Place &place, ViewShape shape, const Scheme &scheme,
                                       bool amaxIsOperand) {
  static const char *const names[3] = {"G", "R", "K"};
  const int64_t sizes[3] = {shape.g, shape.r, shape.k};
  bool whole = true;
  for (unsigned d = 0; d < 3; ++d) {
    const std::vector<int64_t> &at = place.at[d], &of = place.of[d], &part = place.part[d];
    const std::string where = std::string("in dimension ") + names[d] + " ";
    if (at.size() != of.size() || part.size() != of.size())
      return where + "the place lists " + std::to_string(at.size()) + " offsets, " +
             std::to_string(of.size()) + " global and " + std::to_string(part.size()) +
             " local sizes, expected as many of each";
    for (size_t i = 0; i < of.size(); ++i) {
      // Subtract rather than add: the sum could overflow.
      if (at[i] < 0 || part[i] < 0 || of[i] < part[i] || at[i] > of[i] - part[i])
        return where + "the part is " + std::to_string(part[i]) + " at " + std::to_string(at[i]) +
               " of " + std::to_string(of[i]) + ", expected a part inside the whole";
      whole &= part[i] == of[i];
    }
    if (!of.empty() && product(part) != sizes[d])
      return where + "the part has " + std::to_string(product(part)) +
             " positions, expected the view's " + std::to_string(sizes[d]);
  }
  if (whole)
    return std::nullopt;
  const int64_t length = runLength(scheme);
  if (!keepsRuns(place, 2, length))
    return "the part cuts or moves a run of " + std::to_string(length) +
           " along K, expected whole aligned runs, padded at the global end "
           "only";
  if (!keepsRuns(place, 1, scheme.blockRows))
    return "the part cuts or moves a run of " + std::to_string(scheme.blockRows) +
           " rows, expected whole aligned 2-D blocks, padded at the global end "
           "only";
  if (scheme.scale == ScaleKind::UE4M3 && !amaxIsOperand)
    return "a part of a tensor with ue4m3 scales has no amax operand, expected "
           "the maximum over all parts";
  return std::nullopt;
}

} // namespace ufp4::numerics
