//===- Groups.cpp - Groups that are quantized alone -----------------------===//

#include "ufp4/Numerics/Groups.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace ufp4::numerics {

std::vector<GroupRange> groupRanges(const int32_t *sizes, int64_t groups, int64_t extent) {
  std::vector<GroupRange> ranges;
  int64_t begin = 0;
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t size = std::min(std::max<int64_t>(sizes[g], 0), extent - begin);
    ranges.push_back({begin, size});
    begin += size;
  }
  return ranges;
}

bool fitsExtent(const int32_t *sizes, int64_t groups, int64_t extent) {
  int64_t sum = 0;
  for (int64_t g = 0; g < groups; ++g) {
    if (sizes[g] < 0)
      return false;
    sum += sizes[g];
  }
  return sum == extent;
}

int64_t groupedPaddedK(const Scheme &scheme, int64_t k, int64_t groups) {
  const int64_t length = runLength(scheme);
  // Every group that is there adds less than a run; no more groups than rows are there.
  return (k + std::min(groups, k) * (length - 1)) / length * length;
}

namespace {

/// The rows [G, R, size] that hold positions [begin, begin + size) of K.
template <typename T>
std::vector<T> takeAlongK(const T *x, int64_t rows, int64_t k, int64_t begin, int64_t size) {
  std::vector<T> part;
  part.reserve(rows * size);
  for (int64_t row = 0; row < rows; ++row)
    part.insert(part.end(), x + row * k + begin, x + row * k + begin + size);
  return part;
}

template <typename T>
void putAlongK(std::vector<T> &whole, const std::vector<T> &part, int64_t k, int64_t begin,
               int64_t size) {
  for (size_t row = 0; size && row < part.size() / size; ++row)
    std::copy_n(part.begin() + row * size, size, whole.begin() + row * k + begin);
}

int64_t byteSize(Element element) { return element == Element::F32 ? 4 : 2; }

/// A group of rows or of stacked views: neighbours in memory.
Quantized quantizeOne(const void *x, int64_t row, Element element, ViewShape shape,
                      const Scheme &scheme, const Draw *draw) {
  const char *first = static_cast<const char *>(x) + row * shape.k * byteSize(element);
  return quantize(shape.r * shape.k ? first : nullptr, element, shape, scheme, draw);
}

} // namespace

QuantizedGroups quantizeGroups(const void *x, Element element, ViewShape shape, Grouping grouping,
                               const int32_t *sizes, int64_t groups, const Scheme &scheme,
                               const Draw *draw, uint64_t firstGroup) {
  assert((grouping == Grouping::Stacked ? shape.g == groups : shape.g == 1) && "no such view");
  assert((grouping != Grouping::Rows || scheme.blockRows == 1) && "2-D blocks cross groups");
  const bool isF32 = scheme.scale == ScaleKind::F32;
  const bool isContracted = grouping == Grouping::Contracted;
  const int64_t padded =
      isContracted ? groupedPaddedK(scheme, shape.k, groups) : paddedK(scheme, shape.k);
  const int64_t blocks = padded / scheme.block;
  const int64_t rowsOfScales = scaleRows(scheme, shape.r);
  QuantizedGroups result;
  result.codes.resize(shape.g * shape.r * padded);
  if (isF32)
    result.scalesF32.resize(shape.g * rowsOfScales * blocks);
  else
    result.scaleBytes.resize(shape.g * rowsOfScales * blocks);
  if (scheme.scale == ScaleKind::UE4M3)
    result.globals.resize(groups);

  std::vector<GroupRange> ranges;
  if (grouping == Grouping::Stacked)
    for (int64_t g = 0; g < groups; ++g)
      ranges.push_back({g * shape.r, shape.r});
  else
    ranges = groupRanges(sizes, groups, isContracted ? shape.k : shape.r);
  int64_t position = 0;
  for (int64_t g = 0; g < groups; ++g) {
    const GroupRange range = ranges[g];
    Draw own;
    if (draw) {
      own = *draw;
      own.seed = foldIn(draw->seed, firstGroup + g);
    }
    const Draw *drawn = draw ? &own : nullptr;
    Quantized group;
    if (isContracted) {
      const ViewShape part{1, shape.r, range.size};
      if (element == Element::F32)
        group = quantize(
            takeAlongK(static_cast<const float *>(x), shape.r, shape.k, range.begin, range.size)
                .data(),
            element, part, scheme, drawn);
      else
        group = quantize(
            takeAlongK(static_cast<const uint16_t *>(x), shape.r, shape.k, range.begin, range.size)
                .data(),
            element, part, scheme, drawn);
      const int64_t length = paddedK(scheme, range.size);
      putAlongK(result.codes, group.codes, padded, position, length);
      putAlongK(result.scalesF32, group.scalesF32, blocks, position / scheme.block,
                length / scheme.block);
      putAlongK(result.scaleBytes, group.scaleBytes, blocks, position / scheme.block,
                length / scheme.block);
      position += length;
    } else {
      group = quantizeOne(x, range.begin, element, {1, range.size, shape.k}, scheme, drawn);
      const int64_t firstScale =
          grouping == Grouping::Stacked ? g * rowsOfScales * blocks : range.begin * blocks;
      std::copy(group.codes.begin(), group.codes.end(),
                result.codes.begin() + range.begin * padded);
      std::copy(group.scalesF32.begin(), group.scalesF32.end(),
                result.scalesF32.begin() + (isF32 ? firstScale : 0));
      std::copy(group.scaleBytes.begin(), group.scaleBytes.end(),
                result.scaleBytes.begin() + (isF32 ? 0 : firstScale));
    }
    if (scheme.scale == ScaleKind::UE4M3)
      result.globals[g] = group.global;
  }
  return result;
}

namespace {

/// One group of an operand as an operand of its own.
struct GroupOperand {
  Quantized values;
  QuantizedView view;

  GroupOperand(const QuantizedGroupsView &operand, GroupRange range, int64_t position,
               int64_t groups, int64_t g) {
    const Scheme &scheme = operand.scheme;
    const QuantizedGroups &all = *operand.values;
    view.scheme = scheme;
    view.global = all.globals.empty() ? 0 : all.globals[g];
    if (operand.grouping == Grouping::Contracted) {
      view.shape = {1, operand.shape.r, range.size};
      const int64_t padded = groupedPaddedK(scheme, operand.shape.k, groups);
      const int64_t length = paddedK(scheme, range.size);
      const int64_t rows = scaleRows(scheme, operand.shape.r);
      values.codes = takeAlongK(all.codes.data(), operand.shape.r, padded, position, length);
      const int64_t blocks = padded / scheme.block, first = position / scheme.block;
      if (!all.scalesF32.empty())
        values.scalesF32 =
            takeAlongK(all.scalesF32.data(), rows, blocks, first, length / scheme.block);
      if (!all.scaleBytes.empty())
        values.scaleBytes =
            takeAlongK(all.scaleBytes.data(), rows, blocks, first, length / scheme.block);
      view.codes = values.codes.data();
      view.scales = values.scales();
      return;
    }
    const bool isStacked = operand.grouping == Grouping::Stacked;
    view.shape = {1, isStacked ? operand.shape.r : range.size, operand.shape.k};
    const int64_t padded = paddedK(scheme, operand.shape.k), blocks = padded / scheme.block;
    const int64_t firstRow = isStacked ? g * operand.shape.r : range.begin;
    const int64_t firstScaleRow = isStacked ? g * scaleRows(scheme, operand.shape.r) : range.begin;
    view.codes = all.codes.data() + firstRow * padded;
    if (scheme.scale == ScaleKind::F32)
      view.scales = all.scalesF32.data() + firstScaleRow * blocks;
    else
      view.scales = all.scaleBytes.data() + firstScaleRow * blocks;
  }
};

} // namespace

void gemmGroupsExact(const QuantizedGroupsView &a, const QuantizedGroupsView &b,
                     const int32_t *sizes, int64_t groups, const float *c0, GemmBound *out) {
  const bool isContracted = a.grouping == Grouping::Contracted;
  const int64_t m = a.shape.r, n = b.shape.r;
  const std::vector<GroupRange> ranges =
      groupRanges(sizes, groups, isContracted ? a.shape.k : a.shape.r);
  int64_t position = 0, end = 0;
  for (int64_t g = 0; g < groups; ++g) {
    const GroupRange range = ranges[g];
    const GroupOperand lhs(a, range, position, groups, g), rhs(b, range, position, groups, g);
    const int64_t first = (isContracted ? g * m : range.begin) * n;
    gemmExact(lhs.view, rhs.view, c0 ? c0 + first : nullptr, out + first);
    position += paddedK(a.scheme, range.size);
    end = range.begin + range.size;
  }
  if (isContracted)
    return;
  for (int64_t i = end * n; i < m * n; ++i) {
    out[i] = GemmBound();
    out[i].k = a.shape.k;
    if (c0) {
      out[i].exact = c0[i];
      out[i].magnitude = std::abs(double(c0[i]));
    }
  }
}

} // namespace ufp4::numerics
