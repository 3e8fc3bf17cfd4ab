//===- Groups.h - Groups that are quantized alone ----------------*- C++ -*-===//
//
// docs/spec.md G4: the operands of a grouped (ragged, expert) GEMM. Each group
// is a GEMM of its own: its blocks, rotation, padding, tensor scale and seed
// are those of its own rows, whatever the other groups hold.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_NUMERICS_GROUPS_H
#define UFP4_NUMERICS_GROUPS_H

#include "ufp4/Numerics/Gemm.h"
#include "ufp4/Numerics/Quantize.h"

#include <cstdint>
#include <vector>

namespace ufp4::numerics {

/// How groups lie in a view.
enum class Grouping : uint8_t {
  /// [R, K]: R is cut into runs of rows, one after another.
  Rows,
  /// [R, K]: K is. In codes each run is padded on its own.
  Contracted,
  /// [G, R, K]: each G is a group.
  Stacked,
};

struct GroupRange {
  int64_t begin, size;
};

/// Where each group lies among `extent` rows. A negative size counts as 0, and
/// what would reach beyond the extent is cut off.
std::vector<GroupRange> groupRanges(const int32_t *sizes, int64_t groups, int64_t extent);

/// Whether sizes are what they should be: none negative, their sum the extent.
bool fitsExtent(const int32_t *sizes, int64_t groups, int64_t extent);

/// Positions along K in the codes of Grouping::Contracted, whatever the sizes:
/// the greatest sum of padded runs. Those behind the last run hold zeros.
int64_t groupedPaddedK(const Scheme &scheme, int64_t k, int64_t groups);

/// Tiles along a dimension of `extent` that `groups` divide, where each group and what is behind
/// them begins a tile, whatever the sizes: those of the extent, and one more for each group.
inline int64_t groupedTiles(int64_t extent, int64_t tile, int64_t groups) {
  return (extent + tile - 1) / tile + groups;
}

/// What quantizeGroups returns. Codes: [R, Kp] by rows, [R, groupedPaddedK]
/// contracted, [G, R, Kp] stacked; scales as codes, a block each. Rows of no
/// group have codes 0 and scales 0. `globals` has an S for each group with
/// UE4M3, nothing with other kinds.
struct QuantizedGroups {
  std::vector<uint8_t> codes;
  std::vector<float> scalesF32;
  std::vector<uint8_t> scaleBytes;
  std::vector<float> globals;
};

/// Quantizes each group as a view of its own. `shape` is the whole view's, with
/// g = 1 unless stacked; `sizes` is not read where it is. The seed of group g
/// is fold_in(draw->seed, firstGroup + g). 2-D blocks are not combined with
/// Grouping::Rows.
QuantizedGroups quantizeGroups(const void *x, Element element, ViewShape shape, Grouping grouping,
                               const int32_t *sizes, int64_t groups, const Scheme &scheme,
                               const Draw *draw = nullptr, uint64_t firstGroup = 0);

/// A grouped operand of a GEMM.
struct QuantizedGroupsView {
  const QuantizedGroups *values = nullptr;
  ViewShape shape;
  Scheme scheme;
  Grouping grouping = Grouping::Rows;
};

/// G1 in each group: rows by stacked to `out` [M, N], where rows of no group
/// are C0 or zeros; contracted by contracted to `out` [G, M, N]. `c0`, if not
/// null, has the shape of `out`.
void gemmGroupsExact(const QuantizedGroupsView &a, const QuantizedGroupsView &b,
                     const int32_t *sizes, int64_t groups, const float *c0, GemmBound *out);

} // namespace ufp4::numerics

#endif // UFP4_NUMERICS_GROUPS_H
