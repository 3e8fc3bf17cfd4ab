//===- Scheme.cpp - How a tensor is quantized -----------------------------===//

#include "ufp4/Numerics/Scheme.h"

#include <algorithm>

namespace ufp4::numerics {

static int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

Rotation presetRotation(unsigned size) {
  constexpr uint64_t repeated = 0xD7E8D7E8D7E8D7E8;
  Rotation rotation;
  rotation.size = size;
  rotation.signs[0] = size >= 64 ? repeated : repeated & ((1ull << size) - 1);
  rotation.signs[1] = size == 128 ? repeated : 0;
  return rotation;
}

std::optional<std::string> verifyScheme(const Scheme &scheme) {
  // F3.
  if (scheme.block != 16 && scheme.block != 32)
    return "the block size is " + std::to_string(scheme.block) + ", expected 16 or 32";
  const Rotation &rotation = scheme.rotation;
  const unsigned n = rotation.size;
  if (n != 0 && n != 16 && n != 32 && n != 64 && n != 128)
    return "the rotation size is " + std::to_string(n) +
           ", expected 16, 32, 64 or 128, or no rotation";
  const bool highWord = n < 128 && rotation.signs[1];
  const bool lowWord = n < 64 && rotation.signs[0] >> n;
  if (highWord || lowWord)
    return n ? "the sign mask has bits beyond the " + std::to_string(n) +
                   " of the rotation, expected one bit for each element"
             : "there is a sign mask but no rotation, expected none";
  // Q3.
  if (scheme.blockRows != 1 && scheme.blockRows != scheme.block)
    return "a block has " + std::to_string(scheme.blockRows) + " rows, expected 1 or " +
           std::to_string(scheme.block) + ", the block size";
  if (scheme.blockRows != 1 && rotation)
    return "2-D blocks are combined with a rotation, expected no rotation";
  // Q5.
  if (scheme.rule == ScaleRule::OcpFloor && scheme.scale != ScaleKind::UE8M0)
    return std::string("the scale rule is ocp-floor with ") + name(scheme.scale) +
           " scales, expected ue8m0 scales";
  if (scheme.rule == ScaleRule::OcpFloor && scheme.format != Format::E2M1)
    return std::string("the scale rule is ocp-floor with format ") + name(scheme.format) +
           ", expected e2m1";
  return std::nullopt;
}

int64_t runLength(const Scheme &scheme) {
  // Both are powers of two.
  return std::max(scheme.block, scheme.rotation.size);
}

int64_t paddedK(const Scheme &scheme, int64_t k) { return roundUp(k, runLength(scheme)); }

int64_t codeCount(const Scheme &scheme, ViewShape shape) {
  return shape.g * shape.r * paddedK(scheme, shape.k);
}

int64_t scaleRows(const Scheme &scheme, int64_t r) {
  return roundUp(r, scheme.blockRows) / scheme.blockRows;
}

int64_t scaleCount(const Scheme &scheme, ViewShape shape) {
  return shape.g * scaleRows(scheme, shape.r) * (paddedK(scheme, shape.k) / scheme.block);
}

} // namespace ufp4::numerics
