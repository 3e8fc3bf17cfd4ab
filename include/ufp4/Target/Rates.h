//===- Rates.h - What multiprocessors do in a clock -------------*- C++ -*-===//

#ifndef UFP4_TARGET_RATES_H
#define UFP4_TARGET_RATES_H

#include "ufp4/Target/Capabilities.h"

#include <utility>

namespace ufp4::target {

/// A product of a chip's kind. Rates are those of one multiprocessor in one clock.
struct ChipRates {
  llvm::StringLiteral chip, product;
  unsigned multiprocessors;
  /// What blocks on one multiprocessor share.
  unsigned sharedBytes, threads;
  /// Operations, an addition or a multiplication each, of dense bf16 products with f32 sums, and of
  /// block-scaled E2M1 products; 0 where it has none.
  unsigned bf16, e2m1;
  /// How much of `bf16` mma.sync reaches.
  float mmaSync;
  /// f32 operations of one lane.
  unsigned f32Lanes;
  /// Bytes of the device's memory, at the clock that the other rates are quoted at.
  float memoryBytes;
  llvm::StringLiteral source;
};

/// Null where the table has no product of the chip's kind.
const ChipRates *findRates(llvm::StringRef chip);

/// Operations of a clock on a kernel's path, and at best on that path.
std::pair<double, double> getMatrixRates(Path path, const ChipRates &rates);

/// Bytes of shared memory that a multiprocessor reads or writes in one clock.
inline constexpr int64_t kSharedBytesOfClock = 128;

} // namespace ufp4::target

#endif // UFP4_TARGET_RATES_H
