//===- Schedule.h - Tiles, warps and stages of a GEMM -----------*- C++ -*-===//
//
// A schedule is plain data: rows of one table, checked against a chip with numbers in the messages.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_SCHEDULE_H
#define UFP4_TARGET_SCHEDULE_H

#include "ufp4/Target/Mma.h"
#include "ufp4/Target/Transport.h"

namespace ufp4::target {

struct GemmSchedule {
  const Mma *mma;
  const Transport *transport;
  /// The block's tile of C, and the depth of one step of the ring.
  unsigned tileM, tileN, tileK;
  /// Warps along M and along N.
  unsigned warpsM, warpsN;
  /// Stages of the shared-memory ring, at least 2.
  unsigned stages;

  /// How operands lie in global memory.
  const OperandStorage &storage() const { return *transport->source(mma->storage()); }
  unsigned warpRows() const { return tileM / warpsM; }
  unsigned warpColumns() const { return tileN / warpsN; }
  unsigned threads(unsigned warpSize) const { return warpsM * warpsN * warpSize; }
  /// What one step brings, in the order in which it lies in a stage: codes of A and of B, scales of
  /// A and of B.
  std::array<int64_t, 4> tileBytes(const numerics::Scheme &scheme) const;
  /// Of these, and of the transport's barrier.
  int64_t stageBytes(const numerics::Scheme &scheme) const;
  int64_t sharedBytes(const numerics::Scheme &scheme) const { return stages * stageBytes(scheme); }
  /// An estimate from below of the 32-bit registers of a thread.
  unsigned registers() const;
  /// `128x128x64, 2x4 warps, 4 stages, mma_m16n8k16_bf16, cp_async`.
  std::string describe() const;
};

/// The table, better schedules first.
llvm::ArrayRef<GemmSchedule> gemmSchedules();

/// Nothing where the chip can run the schedule on operands of a scheme; otherwise a sentence.
std::optional<std::string> verifySchedule(const GemmSchedule &schedule, const Chip &chip,
                                          const numerics::Scheme &scheme);

/// The first schedule of the table that passes. On `path`, or without one on whichever comes first:
/// documented block-scaled instructions, then scales folded into bf16, which leaves nothing beside
/// the products where f32 scaling takes eight f32 operations for each, then that. Of operands in
/// `storage`, or without one in the storage that suits the instruction best. Null with the reasons
/// in `why`.
const GemmSchedule *chooseSchedule(const Chip &chip, const numerics::Scheme &scheme,
                                   std::optional<Path> path, std::string &why,
                                   const OperandStorage *storage = nullptr);

/// A better path that the chip's table has for a scheme, and why it was not taken.
struct PassedOver {
  Path path;
  std::string why;
  /// Otherwise nobody expects it to be taken unless asked for.
  bool isDocumented;
};
/// The same, which tells what was passed over before the path that it took.
const GemmSchedule *chooseSchedule(const Chip &chip, const numerics::Scheme &scheme,
                                   std::optional<Path> path, std::string &why,
                                   llvm::SmallVectorImpl<PassedOver> &passedOver,
                                   const OperandStorage *storage = nullptr);

} // namespace ufp4::target

#endif // UFP4_TARGET_SCHEDULE_H
