//===- PlaceMap.h - From local to global positions --------------*- C++ -*-===//
//
// docs/spec.md Q8, one view dimension at a time. Private to the library.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_NUMERICS_PLACEMAP_H
#define UFP4_LIB_NUMERICS_PLACEMAP_H

#include "ufp4/Numerics/Quantize.h"

namespace ufp4::numerics::detail {

/// Maps positions of one view dimension of a part to the global view. Without
/// a place, or with empty lists, the dimension is whole.
class PlaceMap {
public:
  PlaceMap(const Place *place, unsigned dimension, int64_t localSize);

  /// Global size of the dimension.
  int64_t size() const { return globalSize; }

  /// Global position of local position `local`.
  int64_t operator()(int64_t local) const;

private:
  const Place *place;
  unsigned dimension;
  int64_t globalSize;
};

} // namespace ufp4::numerics::detail

#endif // UFP4_LIB_NUMERICS_PLACEMAP_H
