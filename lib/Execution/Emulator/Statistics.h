//===- Statistics.h - Requests of warps to memory ---------------*- C++ -*-===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_STATISTICS_H
#define UFP4_LIB_EXECUTION_EMULATOR_STATISTICS_H

#include "Operations.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ufp4::emulator {

/// Puts the accesses of single threads together to requests of warps: the n-th execution of a place
/// by each lane is one request.
class RequestRecorder {
public:
  struct Counts {
    uint64_t requests = 0, used = 0, ideal = 0;
  };

  RequestRecorder(size_t siteCount, unsigned warpCount)
      : warpCount(warpCount), shared(siteCount), global(siteCount), queues(2 * siteCount) {}

  void record(size_t site, unsigned warp, unsigned lane, LaneMask liveLanes, bool isShared,
              uint64_t address, unsigned size);
  /// One group of 16-byte rows that a matrix load or store moves in one pass at best.
  void recordRows(size_t site, llvm::ArrayRef<uint64_t> rows);
  /// The block ended: what is waiting for more lanes counts as it is.
  void flush();

  llvm::ArrayRef<Counts> sharedCounts() const { return shared; }
  llvm::ArrayRef<Counts> globalCounts() const { return global; }

private:
  struct Request {
    LaneMask lanes = 0;
    std::array<uint64_t, kMaximumLanes> addresses;
  };
  struct Queue {
    bool isShared = false;
    unsigned size = 0;
    uint64_t first = 0;
    std::array<uint64_t, kMaximumLanes> next{};
    std::deque<Request> requests;
  };
  void count(size_t site, const Queue &queue, const Request &request);

  unsigned warpCount;
  std::vector<Counts> shared, global;
  std::vector<std::vector<Queue>> queues;
};

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_STATISTICS_H
