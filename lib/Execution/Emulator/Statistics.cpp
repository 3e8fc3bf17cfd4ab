//===- Statistics.cpp - Requests of warps to memory ------------------------===//

#include "Statistics.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace ufp4::emulator {

/// Requests that wait for more lanes before the oldest is counted as it is.
static constexpr size_t kMaximumWaiting = 4096;

/// Passes over 32 banks of 4 bytes that these words take: each bank serves one word per pass.
static uint64_t wavefronts(llvm::SmallVectorImpl<uint64_t> &words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::array<unsigned, 32> perBank{};
  for (uint64_t word : words)
    ++perBank[word % 32];
  return *std::max_element(perBank.begin(), perBank.end());
}

void RequestRecorder::count(size_t site, const Queue &queue, const Request &request) {
  Counts &counts = queue.isShared ? shared[site] : global[site];
  ++counts.requests;
  llvm::SmallVector<uint64_t, 64> units;
  if (!queue.isShared) {
    uint64_t bytes = 0;
    for (unsigned lane = 0; lane < kMaximumLanes; ++lane)
      if (request.lanes >> lane & 1) {
        for (uint64_t sector = request.addresses[lane] / 32;
             sector <= (request.addresses[lane] + queue.size - 1) / 32; ++sector)
          units.push_back(sector);
        bytes += queue.size;
      }
    std::sort(units.begin(), units.end());
    uint64_t used = std::unique(units.begin(), units.end()) - units.begin();
    counts.used += used;
    counts.ideal += std::min(used, (bytes + 31) / 32);
    return;
  }
  // 8-byte accesses go in halves of 32 lanes, 16-byte ones in quarters.
  unsigned phases = queue.size <= 4 ? 1 : queue.size <= 8 ? 2 : 4, lanes = 32 / phases;
  for (unsigned phase = 0; phase < kMaximumLanes / lanes; ++phase) {
    units.clear();
    for (unsigned lane = phase * lanes; lane < (phase + 1) * lanes; ++lane)
      if (request.lanes >> lane & 1)
        for (uint64_t word = request.addresses[lane] / 4;
             word <= (request.addresses[lane] + queue.size - 1) / 4; ++word)
          units.push_back(word);
    if (units.empty())
      continue;
    counts.used += wavefronts(units);
    ++counts.ideal;
  }
}

void RequestRecorder::record(size_t site, unsigned warp, unsigned lane, LaneMask liveLanes,
                             bool isShared, uint64_t address, unsigned size) {
  auto &warps = queues[2 * site + isShared];
  if (warps.empty())
    warps.resize(warpCount);
  Queue &queue = warps[warp];
  queue.isShared = isShared;
  queue.size = size;
  uint64_t &next = queue.next[lane];
  next = std::max(next, queue.first);
  size_t position = next++ - queue.first;
  if (position >= queue.requests.size())
    queue.requests.emplace_back();
  Request &request = queue.requests[position];
  request.lanes |= LaneMask(1) << lane;
  request.addresses[lane] = address;
  while (!queue.requests.empty() && ((queue.requests.front().lanes & liveLanes) == liveLanes ||
                                     queue.requests.size() > kMaximumWaiting)) {
    count(site, queue, queue.requests.front());
    queue.requests.pop_front();
    ++queue.first;
  }
}

void RequestRecorder::recordRows(size_t site, llvm::ArrayRef<uint64_t> rows) {
  llvm::SmallVector<uint64_t, 64> words;
  for (uint64_t row : rows)
    for (unsigned i = 0; i < 4; ++i)
      words.push_back(row / 4 + i);
  ++shared[site].requests;
  shared[site].used += wavefronts(words);
  ++shared[site].ideal;
}

void RequestRecorder::flush() {
  for (size_t i = 0; i < queues.size(); ++i) {
    for (Queue &queue : queues[i])
      for (const Request &request : queue.requests)
        count(i / 2, queue, request);
    queues[i].clear();
  }
}

} // namespace ufp4::emulator
