//===- MBarrier.cpp - mbarriers and the bulk copies that they count --------===//
//
// PTX ISA, "mbarrier", "cp.async.bulk", "cp.async.bulk.tensor" and "Tensor Swizzling Modes". A
// phase is complete when no arrival and no byte is due; waiting for a phase orders what its
// arrivals released before what the waiting thread does next.
//
// A chip delivers bulk copies at any time between their issue and the end of their phase. Here they
// are delivered as late as that allows: once somebody waits for the phase, all else has come and a
// first question was answered with no, as a time limit may. So whoever does not wait, waits for
// another phase or does not repeat the question finds bytes that nobody has delivered, or that are
// not ordered before its reads. The same holds for commits (TensorMemory.cpp).
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace ufp4::emulator {

static constexpr unsigned kBarrierBytes = 8;
static constexpr int64_t kMostTransactions = (1 << 20) - 1, kMostArrivals = (1 << 20) - 1;

std::string Launch::describe(const MBarrier &barrier) const {
  int64_t underWay = 0;
  for (const AsyncCopy &copy : barrier.copies)
    underWay += copy.data.size();
  std::string text =
      formatv("the mbarrier at {0} in phase {1}: {2} of {3} arrivals and {4} bytes are due, {5} "
              "bytes are under way",
              shared.nameOf(barrier.address), barrier.phase, barrier.pending, barrier.expected,
              barrier.transactions, underWay);
  if (!barrier.commits.empty())
    text += formatv(", {0} commits too", barrier.commits.size());
  return text;
}

void Launch::initMBarrier(Thread &thread, uint64_t address, uint32_t count) {
  if (count == 0 || count > kMostArrivals)
    return fail(FaultKind::IllegalOperand, formatv("an mbarrier of {0} arrivals", count));
  auto found = mbarriers.find(address);
  if (found == mbarriers.end()) {
    if (!sharedAccess(thread, address, kBarrierBytes, kBarrierBytes, false, true))
      return;
    MBarrier fresh;
    fresh.agent = shared.order.addAgents();
    found = mbarriers.emplace(address, std::move(fresh)).first;
    shared.markBarrier(address, kBarrierBytes, true);
  } else {
    return fail(FaultKind::IllegalOperand,
                "an mbarrier is initialized that is one already: " + describe(found->second));
  }
  MBarrier &barrier = found->second;
  barrier.address = address;
  barrier.expected = barrier.pending = count;
}

MBarrier *Launch::findMBarrier(Thread &thread, uint64_t address) {
  auto found = mbarriers.find(address);
  if (found == mbarriers.end()) {
    fail(FaultKind::IllegalOperand,
         formatv("there is no initialized mbarrier at address {0:x}", address), &thread);
    return nullptr;
  }
  if (!isAlive(thread, address))
    return nullptr;
  if (auto complaint = shared.checkBarrierUse(thread.index, address)) {
    fail(complaint->kind, std::move(complaint->message), &thread);
    return nullptr;
  }
  return &found->second;
}

void Launch::invalidateMBarrier(Thread &thread, uint64_t address) {
  MBarrier *barrier = findMBarrier(thread, address);
  if (!barrier)
    return;
  if (!barrier->copies.empty() || !barrier->commits.empty() || !barrier->waiting.empty())
    return fail(FaultKind::IllegalOperand,
                "an mbarrier in use is invalidated: " + describe(*barrier));
  shared.markBarrier(address, kBarrierBytes, false);
  mbarriers.erase(address);
  sharedAccess(thread, address, kBarrierBytes, kBarrierBytes, false, true);
}

void Launch::wakeWaiting(MBarrier &barrier) {
  for (Thread *thread : barrier.waiting)
    wake(*thread);
  barrier.waiting.clear();
}

void Launch::completePhase(MBarrier &barrier) {
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completed.resize(std::max(barrier.completed.size(), barrier.arriving.size()), 0);
  for (size_t i = 0; i < barrier.arriving.size(); ++i)
    barrier.completed[i] = std::max(barrier.completed[i], barrier.arriving[i]);
  barrier.arriving.clear();
  barrier.denied.clear();
  wakeWaiting(barrier);
}

/// How many of the oldest copies bring the bytes that are due, if nothing else is but what commits
/// bring.
std::optional<size_t> Launch::countDeliverable(const MBarrier &barrier) const {
  if (barrier.pending > barrier.commits.size())
    return std::nullopt;
  int64_t bytes = 0;
  for (size_t i = 0; i <= barrier.copies.size(); ++i) {
    if (bytes == barrier.transactions)
      return i;
    if (i < barrier.copies.size())
      bytes += barrier.copies[i].data.size();
  }
  return std::nullopt;
}

bool Launch::addTransactions(MBarrier &barrier, int64_t bytes) {
  barrier.transactions += bytes;
  if (barrier.transactions <= kMostTransactions && barrier.transactions >= -kMostTransactions)
    return true;
  fail(FaultKind::IllegalOperand, "more bytes than an mbarrier counts: " + describe(barrier));
  return false;
}

void Launch::expectBytes(Thread &thread, uint64_t address, int64_t bytes) {
  MBarrier *barrier = findMBarrier(thread, address);
  if (!barrier || !addTransactions(*barrier, bytes))
    return;
  // Bytes that a thread counts as delivered are the last that are due.
  if (bytes < 0 && barrier->pending == 0 && barrier->transactions == 0)
    completePhase(*barrier);
  else
    wakeWaiting(*barrier);
}

uint64_t Launch::arriveAtMBarrier(Thread &thread, uint64_t address, uint32_t count, int64_t bytes) {
  MBarrier *barrier = findMBarrier(thread, address);
  if (!barrier || !addTransactions(*barrier, bytes))
    return 0;
  if (count > barrier->pending) {
    fail(FaultKind::IllegalOperand, formatv("{0} arrivals at {1}", count, describe(*barrier)));
    return 0;
  }
  uint64_t phase = barrier->phase;
  shared.order.release(thread.index, barrier->arriving);
  barrier->pending -= count;
  // Copies that nobody told the barrier to expect do not keep the phase from ending.
  if (barrier->pending == 0 && barrier->transactions == 0)
    completePhase(*barrier);
  else if (barrier->pending == 0)
    wakeWaiting(*barrier);
  return phase;
}

/// A commit's arrival.
void Launch::arriveFor(MBarrier &barrier, TensorQueue &queue) {
  barrier.commits.erase(llvm::find(barrier.commits, &queue));
  if (barrier.pending == 0)
    return fail(FaultKind::IllegalOperand, "a commit arrives at " + describe(barrier));
  for (unsigned agent : {queue.sharedAgent, queue.copyAgent, queue.productAgent})
    shared.order.release(agent, barrier.arriving);
  if (--barrier.pending == 0 && barrier.transactions == 0)
    completePhase(barrier);
  else
    wakeWaiting(barrier);
}

void Launch::deliver(MBarrier &barrier, size_t count) {
  for (uint64_t phase = barrier.phase; barrier.pending != 0 && !fault;) {
    executeUpToCommit(*barrier.commits.front(), barrier.address);
    if (barrier.phase != phase)
      return;
  }
  if (fault)
    return;
  for (size_t i = 0; i < count; ++i) {
    const AsyncCopy &copy = barrier.copies[i];
    if (!isAlive(*current, copy.address))
      return;
    shared.endCopy(barrier.agent, copy.address, copy.data);
    barrier.transactions -= copy.data.size();
  }
  barrier.copies.erase(barrier.copies.begin(), barrier.copies.begin() + count);
  shared.order.release(barrier.agent, barrier.arriving);
  completePhase(barrier);
}

bool Launch::askMBarrier(Thread &thread, uint64_t address, std::optional<unsigned> parity,
                         uint64_t phase, bool blocks) {
  if (shared.contains(address) && shared.rankOf(address) != thread.block->rank) {
    fail(FaultKind::OutOfBounds, "a wait for the mbarrier of another block");
    return false;
  }
  MBarrier *barrier = findMBarrier(thread, address);
  if (!barrier)
    return false;
  auto isComplete = [&] {
    return parity ? (barrier->phase & 1) != *parity : barrier->phase != phase;
  };
  if (!isComplete()) {
    bool isFirst = barrier->denied.insert(thread.index).second;
    std::optional<size_t> deliverable = countDeliverable(*barrier);
    if (deliverable && !isFirst) {
      deliver(*barrier, *deliverable);
      if (fault)
        return false;
    } else if (deliverable || !blocks) {
      yield(thread);
      return false;
    } else {
      barrier->waiting.push_back(&thread);
      thread.mbarrier = barrier;
      block(thread, ThreadState::MBarrier);
      return false;
    }
  }
  shared.order.acquire(thread.index, barrier->completed);
  return true;
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

bool Launch::readGlobalAsync(Thread &thread, uint64_t address, uint64_t size) {
  auto complaint = global.readAsync(shared.order, thread.index, runningCluster, address, size);
  if (complaint)
    fail(complaint->kind, std::move(complaint->message), &thread);
  return !complaint;
}

void Launch::beginBulkCopy(Thread &thread, MBarrier &barrier, uint64_t to,
                           llvm::SmallVector<char, 16> data) {
  if (!shared.contains(to))
    return fail(FaultKind::OutOfBounds,
                formatv("the target {0:x} of a bulk copy is not in shared memory", to));
  if (auto complaint = shared.beginCopy(thread.index, to, data.size(), Proxy::Async))
    return fail(complaint->kind, std::move(complaint->message));
  barrier.copies.push_back({to, std::move(data), thread.site});
  wakeWaiting(barrier);
}

llvm::SmallVector<uint64_t, 2> Launch::placesIn(Thread &thread, uint64_t address, uint32_t ranks) {
  if (!ranks)
    return {address};
  if (ranks >> blocks.size() || !shared.contains(address)) {
    fail(FaultKind::IllegalOperand,
         formatv("blocks {0:x} of a cluster of {1}", ranks, blocks.size()), &thread);
    return {};
  }
  llvm::SmallVector<uint64_t, 2> places;
  for (unsigned rank = 0; rank < blocks.size(); ++rank)
    if (ranks >> rank & 1)
      places.push_back(shared.placeIn(rank, address));
  return places;
}

void Launch::beginBulkCopies(Thread &thread, uint64_t to, uint64_t barrier,
                             const llvm::SmallVector<char, 16> &data, uint32_t ranks, bool isPair) {
  // A pair's one barrier is in the block that has the rank of `barrier` among the two.
  const unsigned inPair = shared.contains(barrier) ? shared.rankOf(barrier) & 1 : 0;
  for (uint64_t place : placesIn(thread, to, ranks)) {
    if (!shared.contains(place) || !shared.contains(barrier))
      return fail(FaultKind::OutOfBounds,
                  formatv("the target {0:x} or the barrier {1:x} of a bulk copy is not in shared "
                          "memory",
                          place, barrier));
    unsigned rank = shared.rankOf(place);
    uint64_t counted =
        ranks ? shared.placeIn(isPair ? (rank & ~1u) | inPair : rank, barrier) : barrier;
    if (!ranks && shared.rankOf(barrier) >> isPair != rank >> isPair)
      return fail(FaultKind::IllegalOperand, formatv("a copy to {0}, which {1} cannot count",
                                                     shared.nameOf(place), shared.nameOf(barrier)));
    MBarrier *found = findMBarrier(thread, counted);
    if (!found || !isAlive(thread, place))
      return;
    beginBulkCopy(thread, *found, place, data);
    if (fault)
      return;
  }
}

void Launch::copyBulk(Thread &thread, uint64_t to, uint64_t barrier, uint64_t from, uint32_t size,
                      uint32_t ranks) {
  if (size == 0 || size % 16 != 0 || to % 16 != 0 || from % 16 != 0)
    return fail(FaultKind::Misaligned,
                formatv("a bulk copy of {0} bytes from ...{1:x4} to ...{2:x4}: all three must be "
                        "multiples of 16",
                        size, from & 0xFFFF, to & 0xFFFF));
  if (!readGlobalAsync(thread, from, size))
    return;
  const char *source = reinterpret_cast<const char *>(from);
  beginBulkCopies(thread, to, barrier, llvm::SmallVector<char, 16>(source, source + size), ranks,
                  /*isPair=*/false);
}

void Launch::copyTensor(Thread &thread, uint64_t to, uint64_t barrier, uint64_t mapAddress,
                        int32_t x, int32_t y, uint32_t ranks, bool isPair) {
  if (mapAddress % 64 != 0)
    return fail(FaultKind::Misaligned,
                formatv("a tensor map lies at {0:x}, no multiple of 64", mapAddress));
  if (auto complaint = global.access(mapAddress, sizeof(EncodedTensorMap), true, false))
    return fail(complaint->kind, std::move(complaint->message));
  EncodedTensorMap map;
  std::memcpy(&map, reinterpret_cast<const void *>(mapAddress), sizeof(map));
  if (map.magic != EncodedTensorMap::kMagic)
    return fail(FaultKind::IllegalOperand, "the bytes are no tensor map");
  if (to % 128 != 0)
    return fail(FaultKind::Misaligned,
                formatv("a tensor copy to ...{0:x4}, no multiple of 128", to & 0xFFFF));
  unsigned rowBytes = map.boxWidth * map.elementBytes;
  // The steps that the box has room for.
  unsigned rows = (map.boxHeight + map.rowStep - 1) / map.rowStep;
  llvm::SmallVector<char, 16> data(size_t(rowBytes) * rows, 0);
  for (unsigned row = 0; row < rows; ++row) {
    int64_t line = int64_t(y) + int64_t(row) * map.rowStep;
    // What lies outside of the tensor arrives as zeros.
    int64_t first = std::clamp<int64_t>(x, 0, map.width),
            last = std::clamp<int64_t>(int64_t(x) + map.boxWidth, 0, map.width);
    if (line < 0 || line >= int64_t(map.height) || first >= last)
      continue;
    uint64_t from = map.address + line * map.pitch + first * map.elementBytes;
    size_t size = (last - first) * map.elementBytes;
    if (!readGlobalAsync(thread, from, size))
      return;
    const char *source = reinterpret_cast<const char *>(from);
    for (size_t i = 0; i < size; ++i) {
      uint64_t place = to + row * rowBytes + (first - x) * map.elementBytes + i;
      // Chunks of 16 bytes: their number in a line of `swizzle` bytes by the number of 128 bytes.
      if (map.swizzle)
        place ^= (place >> 7 & (map.swizzle / 16 - 1)) << 4;
      data[place - to] = source[i];
    }
  }
  beginBulkCopies(thread, to, barrier, data, ranks, isPair);
}

/// From shared memory, in groups: what they read may be written again behind a wait for the group.
void Launch::storeBulk(Thread &thread, uint64_t to, uint64_t from, uint32_t size) {
  if (size == 0 || size % 16 != 0 || to % 16 != 0 || from % 16 != 0)
    return fail(FaultKind::Misaligned,
                formatv("a bulk copy of {0} bytes from ...{1:x4} to ...{2:x4}: all three must be "
                        "multiples of 16",
                        size, from & 0xFFFF, to & 0xFFFF));
  if (!thread.bulkAgent)
    thread.bulkAgent = shared.order.addAgents();
  std::vector<uint32_t> known;
  shared.order.release(thread.index, known);
  shared.order.acquire(*thread.bulkAgent, known);
  auto complaint = shared.access(*thread.bulkAgent, from, size, true, false, false, Proxy::Async);
  if (!complaint)
    complaint = global.access(to, size, false, true);
  if (complaint)
    return fail(complaint->kind, std::move(complaint->message));
  std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), size);
  thread.uncommittedBulk = thread.site;
}

void Launch::commitBulk(Thread &thread) {
  thread.bulkGroups.emplace_back();
  if (thread.bulkAgent)
    shared.order.release(*thread.bulkAgent, thread.bulkGroups.back());
  thread.uncommittedBulk = nullptr;
}

void Launch::waitForBulk(Thread &thread, size_t groupsLeft) {
  for (; thread.bulkGroups.size() > groupsLeft; thread.bulkGroups.pop_front())
    shared.order.acquire(thread.index, thread.bulkGroups.front());
}

void Launch::fenceProxies(Thread &thread, unsigned released, bool acquires) {
  if (released)
    shared.order.fence(thread.index, released);
  if (acquires)
    shared.order.release(thread.index, thread.acquired);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

static uint64_t wide(const uint32_t *words) { return uint64_t(words[1]) << 32 | words[0]; }

/// Waits: (mbarrier, parity or phase, time limit).
static std::function<void(LaneCall &)> findWait(llvm::StringRef rest, bool blocks) {
  bool byParity = rest.consume_front(".parity");
  rest.consume_front(".tl");
  if (rest != ".shared" && rest != "" && rest != ".scope.cta.space.cta" &&
      rest != ".scope.cluster.space.cta")
    return nullptr;
  return [=](LaneCall &c) {
    std::optional<unsigned> parity;
    if (byParity)
      parity = c.in[2] & 1;
    c.out[0] =
        c.launch.askMBarrier(c.thread, wide(c.in), parity, byParity ? 0 : wide(c.in + 2), blocks);
  };
}

static bool isBlockSpace(llvm::StringRef rest) {
  return rest == ".scope.cta.space.cta" || rest == ".scope.cluster.space.cta";
}
static bool isClusterSpace(llvm::StringRef rest) {
  return rest == ".scope.cta.space.cluster" || rest == ".scope.cluster.space.cluster";
}

static std::function<void(LaneCall &)> findArrival(llvm::StringRef rest) {
  bool expects = rest.consume_front(".expect.tx"), counts = rest.consume_front(".noComplete");
  if (rest == ".shared" || rest == "") {
    if (expects)
      return nullptr;
  } else if (rest.starts_with(".scope.")) {
    counts = !expects;
  }
  // Of the phase at another block's barrier nobody learns.
  bool isRemote = isClusterSpace(rest);
  if (!isRemote && !isBlockSpace(rest) && rest != ".shared" && rest != "")
    return nullptr;
  return [=](LaneCall &c) {
    uint64_t phase = c.launch.arriveAtMBarrier(c.thread, wide(c.in), counts ? c.in[2] : 1,
                                               expects ? c.in[2] : 0);
    if (isRemote)
      return;
    c.out[0] = uint32_t(phase);
    c.out[1] = uint32_t(phase >> 32);
  };
}

/// A fence between the generic proxy and the asynchronous one: the memories for which it releases
/// what was done, and whether it lets shared memory be written that others released.
struct ProxyFence {
  unsigned released = 0;
  bool acquires = false;
};

static ProxyFence findProxyFence(llvm::StringRef name) {
  const unsigned shared = HappensBefore::SharedFenced, global = HappensBefore::GlobalFenced;
  const llvm::StringRef oneWay = "fence.proxy.async_generic.";
  if (name.starts_with(oneWay))
    return llvm::StringSwitch<ProxyFence>(name.drop_front(oneWay.size()))
        .Case("release.sync_restrict.space.cta.scope.cluster", {shared, false})
        .Case("acquire.sync_restrict.space.cluster.scope.cluster", {0, true})
        .Default({});
  return llvm::StringSwitch<ProxyFence>(name)
      .Case("fence.proxy.async", {shared | global, true})
      .Case("fence.proxy.async.global", {global, false})
      .Cases({"fence.proxy.async.shared_cta", "fence.proxy.async.shared_cluster"}, {shared, true})
      .Default({});
}

static std::function<void(LaneCall &)> findHandler(llvm::StringRef name) {
  if (llvm::StringRef rest = name; rest.consume_front("mbarrier.")) {
    if (rest == "init" || rest == "init.shared")
      return [](LaneCall &c) { c.launch.initMBarrier(c.thread, wide(c.in), c.in[2]); };
    if (rest == "inval" || rest == "inval.shared")
      return [](LaneCall &c) { c.launch.invalidateMBarrier(c.thread, wide(c.in)); };
    if (rest.consume_front("test.wait"))
      return findWait(rest, /*blocks=*/false);
    if (rest.consume_front("try.wait"))
      return findWait(rest, /*blocks=*/true);
    if (rest.consume_front("arrive"))
      return findArrival(rest);
    bool expects = rest.consume_front("expect.tx");
    if ((expects || rest.consume_front("complete.tx")) &&
        (isBlockSpace(rest) || isClusterSpace(rest)))
      return [=](LaneCall &c) {
        c.launch.expectBytes(c.thread, wide(c.in), expects ? int64_t(c.in[2]) : -int64_t(c.in[2]));
      };
    return nullptr;
  }
  if (name == "cp.async.bulk.shared.cta.to.global")
    return [](LaneCall &c) { c.launch.storeBulk(c.thread, wide(c.in), wide(c.in + 2), c.in[4]); };
  if (name == "cp.async.bulk.commit.group")
    return [](LaneCall &c) { c.launch.commitBulk(c.thread); };
  if (name == "cp.async.bulk.wait.group" || name == "cp.async.bulk.wait.group.read")
    return [](LaneCall &c) { c.launch.waitForBulk(c.thread, c.in[0]); };
  // The forms for a cluster have a mask of blocks in front of the cache hint, and a flag for it.
  if (name == "cp.async.bulk.global.to.shared.cta" ||
      name == "cp.async.bulk.global.to.shared.cluster")
    return [isCluster = name.ends_with("cluster")](LaneCall &c) {
      uint32_t ranks = isCluster && c.in[10] & 1 ? c.in[7] & 0xFFFF : 0;
      c.launch.copyBulk(c.thread, wide(c.in), wide(c.in + 2), wide(c.in + 4), c.in[6], ranks);
    };
  if (name == "cp.async.bulk.tensor.g2s.cta.tile.2d" || name == "cp.async.bulk.tensor.g2s.tile.2d")
    return [isCluster = !name.contains(".cta.")](LaneCall &c) {
      uint32_t ranks = isCluster && c.in[11] & 1 ? c.in[8] & 0xFFFF : 0;
      c.launch.copyTensor(c.thread, wide(c.in), wide(c.in + 2), wide(c.in + 4), c.in[6], c.in[7],
                          ranks, /*isPair=*/isCluster && c.in[13] == 2);
    };
  return nullptr;
}

std::optional<Operation> findBulkOperation(llvm::StringRef name) {
  Operation operation;
  operation.name = name.str();
  ProxyFence fence = findProxyFence(name);
  if (fence.released || fence.acquires)
    operation.lane = [=](LaneCall &c) {
      c.launch.fenceProxies(c.thread, fence.released, fence.acquires);
    };
  else
    operation.lane = findHandler(name);
  if (!operation.lane)
    return std::nullopt;
  operation.usesAsyncProxy = name.starts_with("cp.async.bulk.");
  bool isEarly = name.starts_with("mbarrier.") && !name.contains(".tx") && !name.contains("try");
  operation.minimumChip = isEarly ? 80 : 90;
  return operation;
}

} // namespace ufp4::emulator
