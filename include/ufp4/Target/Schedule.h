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

struct ChipRates;

struct GemmSchedule {
  const Mma *mma;
  const Transport *transport;
  /// The block's tile of C, and the depth of one step of the ring.
  unsigned tileM, tileN, tileK;
  /// Warps along M and along N that accumulators are spread over.
  unsigned warpsM, warpsN;
  /// Stages of the shared-memory ring, at least 2.
  unsigned stages;
  /// Blocks of a cluster that multiply together, 1 or 2. Their tiles of C are below each other;
  /// each has its own rows of A in shared memory, and of the columns of B, which both multiply, its
  /// share.
  unsigned blocks = 1;

  /// Where a kernel orders the tiles of C that its blocks compute: rows of tiles of a band. A chip
  /// that computes some 150 at a time reads least for them where they are about so many high.
  static constexpr unsigned bandRows = 16;

  /// How operands lie in global memory.
  const OperandStorage &storage() const { return *transport->source(mma->storage()); }
  unsigned warpRows() const { return tileM / warpsM; }
  unsigned warpColumns() const { return tileN / warpsN; }
  unsigned threads(unsigned warpSize) const {
    return (warpsM * warpsN + mma->helperWarps()) * warpSize;
  }
  /// What one step brings, in the order in which it lies in a stage: codes of A and of B, scales of
  /// A and of B.
  std::array<int64_t, 4> tileBytes(const numerics::Scheme &scheme) const;
  /// Of these, and of the transport's barrier, up to where a stage may begin.
  int64_t stageBytes(const numerics::Scheme &scheme) const;
  int64_t sharedBytes(const numerics::Scheme &scheme) const { return stages * stageBytes(scheme); }
  /// Columns of tensor memory; a power of two from 32 on is allocated, or none.
  unsigned tensorColumns() const;
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

/// A better path that the chip's table has for a scheme, and why it was not taken.
struct PassedOver {
  Path path;
  std::string why;
  /// Otherwise nobody expects it to be taken unless asked for.
  bool isExpected;
};

/// The first schedule of the table that passes. On `path`, or without one on whichever comes first:
/// block-scaled instructions that are documented, first on codes and then on containers of them;
/// then scales folded into bf16, which leaves nothing beside the products where f32 scaling takes
/// eight f32 operations for each; then that. Where `storage` is given only those that read it, and
/// where `depth` is, those whose copies Kp allows. Null with the reasons in `why`. `passedOver`
/// takes what came before the path taken.
const GemmSchedule *chooseSchedule(const Chip &chip, const numerics::Scheme &scheme,
                                   std::optional<Path> path, std::string &why,
                                   const OperandStorage *storage = nullptr,
                                   llvm::SmallVectorImpl<PassedOver> *passedOver = nullptr,
                                   int64_t depth = 0);

/// Sizes of a GEMM: C [g, m, n], and K as operands have it, padded.
struct GemmExtents {
  int64_t g, m, n, k;
};
/// What stands for one that is known only when the GEMM runs: many tiles.
inline constexpr int64_t kUnknownExtent = 8192;

/// Clocks of the busiest multiprocessor for the tiles of a GEMM: of each step along K those of its
/// products or of what they read of shared memory, whichever takes longer. What crosses the
/// device's memory is the same by every schedule.
double estimateTiles(const GemmSchedule &schedule, const numerics::Scheme &scheme,
                     const GemmExtents &extents, const ChipRates &rates);

/// Of the schedules that run the instruction of `first` on operands in its storage, the one whose
/// tiles waste least (estimateTiles), where it is clearly better than those before it in the table;
/// `first` without sizes or the chip's rates. Pairs of blocks are chosen where both have
/// rows, and not for groups, of which tiles below each other may be two.
const GemmSchedule &chooseTiles(const GemmSchedule &first, const Chip &chip,
                                const numerics::Scheme &scheme,
                                const std::optional<GemmExtents> &extents, bool isGrouped = false);
/// How much better than one before it a schedule must be: what the estimate leaves out, issue slots
/// and caches, is in the table's order.
inline constexpr double kWorthwhile = 0.95;

/// A schedule that rests on an undocumented encoding and a documented one whose kernel can be
/// launched in its place, from the same grid and on the same operands; both null, or neither.
struct SchedulePair {
  const GemmSchedule *schedule = nullptr, *fallback = nullptr;
};

/// The first schedule of an instruction that has a fallback, or by sizes another one that has
/// (chooseTiles): on `path`, or on whichever comes first. None with the reasons in `why`.
SchedulePair choosePair(const Chip &chip, const numerics::Scheme &scheme, const Mma &mma,
                        std::optional<Path> path, std::string &why,
                        const std::optional<GemmExtents> &extents = std::nullopt,
                        bool isGrouped = false);

/// The attribute of a `ufp4.block_gemm` by which it has a fallback: the `#ufp4.path` of its kernel.
inline constexpr llvm::StringLiteral kFallbackAttr = "ufp4.fallback";

/// What GEMMs of a scheme run by.
struct GemmChoice {
  /// Null where nothing fits.
  const GemmSchedule *schedule = nullptr;
  /// Where `schedule` rests on an undocumented encoding that nobody asked for: a documented one
  /// that reads the same storage, for devices that do not understand it.
  const GemmSchedule *fallback = nullptr;
  /// Why there is none, or why a better one was left out; else empty.
  std::string why;
  /// What comes before `schedule` in the chip's table.
  llvm::SmallVector<PassedOver, 2> passedOver;
};

/// With a path, the schedule that it has. Without one an undocumented instruction and its fallback
/// where there are both, else the best that is documented. `canRewrite`: whether assembled kernels
/// can be rewritten, which some instructions need.
GemmChoice chooseSchedules(const Chip &chip, const numerics::Scheme &scheme,
                           std::optional<Path> path, bool canRewrite);

} // namespace ufp4::target

#endif // UFP4_TARGET_SCHEDULE_H
