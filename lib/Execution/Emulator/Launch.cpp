//===- Launch.cpp - One run of a kernel ------------------------------------===//

#include "Launch.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <sys/mman.h>

using llvm::formatv;

namespace ufp4::emulator {

static thread_local Launch *activeLaunch;

ActiveLaunch::ActiveLaunch(Launch &launch) : previous(activeLaunch) { activeLaunch = &launch; }
ActiveLaunch::~ActiveLaunch() { activeLaunch = previous; }
Launch &ActiveLaunch::get() { return *activeLaunch; }

Program::~Program() {
  if (sharedBase)
    munmap(sharedBase, SharedMemory::windowBytes);
  if (clusterBase)
    munmap(clusterBase, SharedMemory::blockStride * SharedMemory::mostBlocks);
}

Launch::Launch(Program &program, llvm::StringRef kernelName, const KernelInfo &kernel, Dim3 grid,
               Dim3 block, Dim3 cluster, unsigned dynamicSharedBytes, const LaunchOptions &options)
    : program(program), kernelName(kernelName), kernel(kernel), grid(grid), blockSize(block),
      cluster(cluster), dynamicShared(dynamicSharedBytes), options(options),
      threads(block.volume() * cluster.volume()),
      warps(llvm::divideCeil(block.volume(), program.target.warpSize) * cluster.volume()),
      blocks(cluster.volume()), random(options.seed), takeovers(options.seed) {
  if (options.memoryStatistics)
    recorder = std::make_unique<RequestRecorder>(program.sites.size(), warps.size());
}

Launch::~Launch() = default;

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

void Launch::fail(FaultKind kind, std::string message, const Thread *thread) {
  if (fault)
    return;
  fault = std::make_unique<EmulatorFault>();
  fault->kind = kind;
  fault->message = std::move(message);
  fault->kernel = kernelName.str();
  if (!thread)
    thread = current;
  fault->block = (thread ? *thread->block : blocks.front()).index;
  if (!thread)
    return;
  fault->hasThread = true;
  fault->thread = thread->id;
  if (thread->site) {
    fault->location = thread->site->location;
    fault->instruction = thread->site->instruction;
  }
}

void Launch::leaveIfFailed() {
  // A fiber that stops here is never resumed: callers hold nothing on its stack.
  if (fault)
    current->fiber.suspend();
}

//===----------------------------------------------------------------------===//
// Scheduling
//===----------------------------------------------------------------------===//

void Launch::enterThread(void *self) {
  auto &launch = *static_cast<Launch *>(self);
  launch.kernel.entry(launch.arguments);
  launch.finish(*launch.current);
}

void Launch::finish(Thread &thread) {
  bool pending = !thread.uncommitted.empty() ||
                 llvm::any_of(thread.groups, [](const auto &group) { return !group.empty(); });
  if (pending) {
    const AsyncCopy *copy = thread.uncommitted.empty() ? nullptr : &thread.uncommitted.front();
    for (const auto &group : thread.groups)
      if (!copy && !group.empty())
        copy = &group.front();
    thread.site = const_cast<Site *>(copy->site);
    fail(FaultKind::AsyncLeftAtExit,
         "the thread ends without having waited for this asynchronous copy", &thread);
  }
  if (!thread.tensorLoads.empty() || thread.hasTensorStores)
    fail(FaultKind::AsyncLeftAtExit,
         "the thread ends without having waited for its loads from or stores to tensor memory",
         &thread);
  if (thread.uncommittedBulk || !thread.bulkGroups.empty()) {
    fail(FaultKind::AsyncLeftAtExit,
         "the thread ends without having waited for its bulk copies from shared memory", &thread);
  }
  thread.state = ThreadState::Done;
  --live;
  --thread.block->live;
  thread.warp->live &= ~(LaneMask(1) << thread.lane);
  if (!fault)
    checkBarriers(*thread.block);
  // Who ends counts no longer, nor does its arrival.
  if (thread.clusterPhase == clusterBarrier.phase)
    --clusterBarrier.arrived;
  if (!fault)
    completeClusterBarrier();
  if (!fault && program.isAMD)
    meetActive(*thread.warp);
  thread.fiber.suspend();
}

void Launch::wake(Thread &thread) {
  thread.state = ThreadState::Ready;
  ready.push_back(&thread);
}

Thread *Launch::takeReady() {
  if (readyHead == ready.size()) {
    ready.clear();
    readyHead = 0;
    return nullptr;
  }
  if (options.seed)
    std::swap(ready[readyHead], ready[readyHead + random() % (ready.size() - readyHead)]);
  Thread *thread = ready[readyHead++];
  if (readyHead > 4096) {
    ready.erase(ready.begin(), ready.begin() + readyHead);
    readyHead = 0;
  }
  return thread;
}

void Launch::block(Thread &thread, ThreadState state) {
  thread.state = state;
  thread.fiber.suspend();
}

void Launch::yield(Thread &thread) {
  if (readyHead == ready.size())
    return;
  wake(thread);
  thread.fiber.suspend();
}

std::string Launch::describeDeadlock() const {
  llvm::MapVector<std::pair<const Site *, uint64_t>, std::vector<const Thread *>> waiting;
  unsigned done = 0;
  for (const Thread &thread : threads) {
    if (thread.state == ThreadState::Done) {
      ++done;
      continue;
    }
    uint64_t key = thread.state == ThreadState::Meeting
                       ? uint64_t(thread.warp->number) << 48 ^ thread.mask
                   : thread.state == ThreadState::MBarrier ? thread.mbarrier->address
                                                           : ~uint64_t(thread.block->rank);
    waiting[{thread.site, key}].push_back(&thread);
  }
  std::string text = formatv("no thread can go on; {0} of {1} have ended", done, threads.size());
  for (auto &[key, group] : waiting) {
    const Thread &first = *group.front();
    text += formatv("\n  {0} from thread {1} on wait at", group.size(), first.index);
    if (first.state == ThreadState::Barrier) {
      const Barrier &barrier = first.block->barriers[first.barrier];
      text += formatv(" barrier {0} ({1} of {2} have come)", first.barrier, barrier.arrived,
                      barrier.expected);
    } else if (first.state == ThreadState::MBarrier) {
      text += " " + describe(*first.mbarrier);
    } else if (first.state == ThreadState::ClusterBarrier) {
      text +=
          formatv(" the cluster's barrier ({0} of {1} have come)", clusterBarrier.arrived, live);
    } else {
      text += formatv(" an operation of warp {0} for lanes {1:x8}", first.warp->index, first.mask);
    }
    text += ": " + first.site->instruction;
    if (!first.site->location.empty())
      text += " at " + first.site->location;
  }
  return text;
}

llvm::Error Launch::runCluster(Dim3 first) {
  shared.reset(firstShared(), program.staticSharedBytes + dynamicShared, threads.size(),
               program.usesAsyncProxy, blocks.size());
  for (auto [rank, block] : llvm::enumerate(blocks)) {
    block.rank = rank;
    block.index = {first.x + block.rank % cluster.x, first.y + block.rank / cluster.x % cluster.y,
                   first.z + block.rank / cluster.x / cluster.y};
    block.live = blockSize.volume();
    for (Barrier &barrier : block.barriers)
      barrier = Barrier();
    block.tensor.reset();
    block.mayAllocateTensor = true;
    block.pairAllocations.clear();
  }
  clusterBarrier = ClusterBarrier();
  mbarriers.clear();
  tensorQueues.clear();
  firstTensorAgent.reset();
  worksInPairs.reset();
  answers.clear();
  sawRefusal = false;
  ready.clear();
  readyHead = 0;
  live = threads.size();
  steps = 0;
  for (Warp &warp : warps)
    warp.live = warp.lanes;
  for (Thread &thread : threads) {
    thread.site = nullptr;
    thread.clusterPhase.reset();
    thread.uncommitted.clear();
    thread.groups.clear();
    thread.tensorLoads.clear();
    thread.tensorStoreAgent.reset();
    thread.hasTensorStores = false;
    thread.bulkAgent.reset();
    thread.bulkGroups.clear();
    thread.uncommittedBulk = nullptr;
    thread.acquired.clear();
    thread.released.clear();
    thread.acquirable.reset();
    thread.fiber.start(&Launch::enterThread, this);
    wake(thread);
  }
  while (live != 0 && !fault) {
    current = takeReady();
    if (!current) {
      fail(FaultKind::Deadlock, describeDeadlock());
      break;
    }
    current->fiber.resume();
    current = nullptr;
  }
  for (const auto &[address, barrier] : mbarriers)
    if (!fault && !barrier.copies.empty()) {
      fail(FaultKind::AsyncLeftAtExit,
           "the block ends with bulk copies under way: " + describe(barrier));
      fault->instruction = barrier.copies.front().site->instruction;
      fault->location = barrier.copies.front().site->location;
    }
  for (const auto &[thread, queue] : tensorQueues)
    if (!fault && !queue.entries.empty()) {
      fail(FaultKind::AsyncLeftAtExit,
           "the block ends with work of tensor cores under way, whose commit nobody waited for");
      fault->instruction = queue.entries.front().site->instruction;
      fault->location = queue.entries.front().site->location;
    }
  for (const Block &block : blocks)
    if (!fault && block.tensor.hasAllocations())
      fail(FaultKind::IllegalOperand,
           block.pairAllocations.empty()
               ? "the block ends with tensor memory allocated"
               : "one block of a pair allocated tensor memory, and the other one did not");
  if (recorder)
    recorder->flush();
  if (fault)
    return llvm::Error(std::move(fault));
  return llvm::Error::success();
}

llvm::Error Launch::run(void **argumentPointers) {
  arguments = argumentPointers;
  for (unsigned i = 0; i < warps.size(); ++i) {
    warps[i].index = i % warpsOfBlock();
    warps[i].number = i;
  }
  const unsigned blockThreads = blockSize.volume();
  for (unsigned number = 0; number < threads.size(); ++number) {
    Thread &thread = threads[number];
    unsigned rank = number / blockThreads, i = number % blockThreads;
    thread.index = number;
    thread.block = &blocks[rank];
    thread.lane = i % waveSize();
    thread.id = {i % blockSize.x, i / blockSize.x % blockSize.y, i / blockSize.x / blockSize.y};
    thread.warp = &warps[rank * warpsOfBlock() + i / waveSize()];
    thread.warp->lanes |= LaneMask(1) << thread.lane;
    thread.warp->threads[thread.lane] = &thread;
    if (!thread.fiber.allocate(options.stackBytes))
      return llvm::createStringError(std::errc::not_enough_memory, "no memory for the stacks");
  }
  ActiveLaunch active(*this);
  for (runningCluster = 0; runningCluster < clusterCount(); ++runningCluster)
    if (!takenClusters.count(runningCluster))
      if (llvm::Error error = runCluster(firstBlockOf(runningCluster)))
        return error;
  return llvm::Error::success();
}

void Launch::collect(LaunchStats &stats) {
  stats = counters;
  for (const Site &site : program.sites)
    if (site.operation && site.executions)
      stats.operations[site.operation->name] += site.executions;
  for (size_t i = 0; i < program.blocks.size(); ++i)
    if (uint64_t executions = program.blockExecutions[i])
      for (auto [opcode, count] : program.blocks[i])
        stats.instructions[opcode] += executions * count;
  if (!recorder)
    return;
  auto add = [&](llvm::ArrayRef<RequestRecorder::Counts> counts, std::vector<SiteStats> &sites,
                 uint64_t &used, uint64_t &ideal) {
    for (size_t i = 0; i < counts.size(); ++i) {
      if (!counts[i].requests)
        continue;
      const Site &site = program.sites[i];
      sites.push_back({site.location.empty() ? site.instruction : site.location, counts[i].requests,
                       counts[i].used, counts[i].ideal});
      used += counts[i].used;
      ideal += counts[i].ideal;
    }
  };
  add(recorder->globalCounts(), stats.globalSites, stats.globalSectors, stats.idealGlobalSectors);
  add(recorder->sharedCounts(), stats.sharedSites, stats.sharedWavefronts,
      stats.idealSharedWavefronts);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool Launch::isAlive(const Thread &thread, uint64_t address) {
  if (blocks.size() == 1 || !shared.contains(address) || blocks[shared.rankOf(address)].live)
    return true;
  fail(FaultKind::OutOfBounds,
       formatv("{0}, all of whose threads have ended", shared.nameOf(address)), &thread);
  return false;
}

bool Launch::sharedAccess(Thread &thread, uint64_t address, unsigned size, unsigned alignment,
                          bool reads, bool writes) {
  if (address % alignment != 0) {
    fail(FaultKind::Misaligned,
         formatv("shared address {0:x} is no multiple of {1}", address, alignment), &thread);
    return false;
  }
  if (!shared.contains(address) || shared.rankOf(address) != thread.block->rank) {
    fail(FaultKind::OutOfBounds,
         formatv("address {0:x} is not in the block's shared memory", address), &thread);
    return false;
  }
  if (auto complaint = shared.access(thread.index, address, size, reads, writes, false)) {
    fail(complaint->kind, std::move(complaint->message), &thread);
    return false;
  }
  return true;
}

bool Launch::access(Thread &thread, uint64_t address, uint64_t size, unsigned alignment, bool reads,
                    bool writes, bool atomic) {
  if (size == 0)
    return true;
  if (address % alignment != 0) {
    fail(FaultKind::Misaligned,
         formatv("{0} of {1} bytes at an address that is no multiple of {2} but {3} beyond one",
                 writes ? "write" : "read", size, alignment, address % alignment),
         &thread);
    return false;
  }
  bool isShared = shared.contains(address);
  std::optional<Complaint> complaint;
  if (isShared && shared.rankOf(address) != thread.block->rank) {
    if (!thread.site->reachesCluster) {
      fail(FaultKind::OutOfBounds,
           formatv("{0} is another block's, which only accesses to shared::cluster reach",
                   shared.nameOf(address)),
           &thread);
      return false;
    }
    if (!isAlive(thread, address))
      return false;
  }
  if (isShared)
    complaint = shared.access(thread.index, address, size, reads, writes, atomic);
  else if (thread.fiber.contains(reinterpret_cast<const void *>(address)))
    return true;
  else
    complaint = global.access(address, size, reads, writes);
  if (complaint) {
    fail(complaint->kind, std::move(complaint->message), &thread);
    return false;
  }
  if (!isShared && writes && program.usesAsyncProxy)
    global.noteWrite(shared.order.now(thread.index), runningCluster, address, size);
  if (recorder && thread.site->isRequest && size <= 16)
    recorder->record(siteIndex(thread.site), thread.warp->number, thread.lane, thread.warp->live,
                     isShared, address, size);
  return true;
}

void Launch::copyAsync(Thread &thread, uint64_t to, uint64_t from, unsigned size, unsigned taken) {
  if (taken > size)
    return fail(
        FaultKind::IllegalOperand,
        formatv("an asynchronous copy of {0} bytes takes {1} from its source", size, taken));
  if (to % size != 0 || from % size != 0)
    return fail(FaultKind::Misaligned,
                formatv("an asynchronous copy of {0} bytes from ...{1:x4} to ...{2:x4}", size,
                        from & 0xFFFF, to & 0xFFFF));
  if (!shared.contains(to) || shared.rankOf(to) != thread.block->rank)
    return fail(FaultKind::OutOfBounds,
                formatv("the target {0:x} of an asynchronous copy is not in shared memory", to));
  if (taken != 0)
    if (auto complaint = global.access(from, taken, true, false))
      return fail(complaint->kind, std::move(complaint->message));
  if (auto complaint = shared.beginCopy(thread.index, to, size))
    return fail(complaint->kind, std::move(complaint->message));
  AsyncCopy copy{to, {}, thread.site};
  const char *source = reinterpret_cast<const char *>(from);
  copy.data.append(source, source + taken);
  copy.data.resize(size, 0);
  thread.uncommitted.push_back(std::move(copy));
  if (!recorder)
    return;
  size_t site = siteIndex(thread.site);
  if (taken != 0)
    recorder->record(site, thread.warp->number, thread.lane, thread.warp->live, false, from, taken);
  recorder->record(site, thread.warp->number, thread.lane, thread.warp->live, true, to, size);
}

void Launch::landCopies(Thread &thread, size_t groupsLeft, bool uncommittedToo) {
  auto land = [&](const std::vector<AsyncCopy> &copies) {
    for (const AsyncCopy &copy : copies)
      shared.endCopy(thread.index, copy.address, copy.data);
  };
  while (thread.groups.size() > groupsLeft) {
    land(thread.groups.front());
    thread.groups.pop_front();
  }
  if (uncommittedToo) {
    land(thread.uncommitted);
    thread.uncommitted.clear();
  }
}

void Launch::memoryAccess(uint32_t siteNumber, uint64_t address, uint64_t bytes) {
  Thread &thread = *current;
  Site &site = program.sites[siteNumber];
  thread.site = &site;
  if (++steps > options.maxSteps)
    fail(FaultKind::Deadlock, "the block made too many steps: livelock");
  else if (site.yields)
    yield(thread);
  if (!fault)
    access(thread, address, bytes, site.alignment, site.reads, site.writes, site.atomic);
  leaveIfFailed();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Launch::operation(uint32_t siteNumber, const uint32_t *in, uint32_t *out) {
  Thread &thread = *current;
  Site &site = program.sites[siteNumber];
  thread.site = &site;
  thread.in = in;
  thread.out = out;
  const Operation &operation = *site.operation;
  if (++steps > options.maxSteps)
    fail(FaultKind::Deadlock, "the block made too many steps: livelock");
  else if (operation.isNoOp)
    ++site.executions;
  else if (operation.lane) {
    ++site.executions;
    LaneCall call{*this, thread, in, out};
    operation.lane(call);
  } else {
    meet(thread);
  }
  leaveIfFailed();
}

void Launch::synchronize(const Warp &warp, LaneMask mask) {
  llvm::SmallVector<unsigned, kMaximumLanes> list;
  for (unsigned lane = 0; lane < waveSize(); ++lane)
    if (mask >> lane & 1)
      list.push_back(warp.threads[lane]->index);
  shared.order.synchronize(list);
}

void Launch::meet(Thread &thread) {
  Warp &warp = *thread.warp;
  const Operation &operation = *thread.site->operation;
  if (operation.meeting == Meeting::Active) {
    thread.mask = 0;
    thread.state = ThreadState::Meeting;
    meetActive(warp);
    if (thread.state == ThreadState::Meeting && !fault)
      thread.fiber.suspend();
    return;
  }
  LaneMask mask = warp.lanes;
  if (operation.meeting == Meeting::Mask) {
    mask = thread.in[operation.maskWord] & warp.lanes;
    if (!(mask >> thread.lane & 1))
      return fail(FaultKind::IllegalOperand,
                  formatv("lane {0} is not in its own member mask {1:x8}", thread.lane,
                          thread.in[operation.maskWord]));
  }
  thread.mask = mask;
  thread.state = ThreadState::Meeting;
  bool complete = true, sameSite = true;
  // As lanes come in turn, the next one is the likeliest to be missing.
  for (unsigned i = 1; i < waveSize() && complete; ++i) {
    unsigned lane = (thread.lane + i) % waveSize();
    if (!(mask >> lane & 1))
      continue;
    const Thread &other = *warp.threads[lane];
    complete =
        other.state == ThreadState::Meeting && other.site->operation->meeting == operation.meeting;
    if (!complete)
      break;
    if (operation.meeting == Meeting::Warp)
      sameSite &= other.site == thread.site;
    else
      complete = other.site->operation == thread.site->operation && other.mask == mask;
  }
  if (!complete) {
    if (program.isAMD)
      meetActive(warp);
    return block(thread, ThreadState::Meeting);
  }
  if (!sameSite)
    return fail(FaultKind::Divergence, "the lanes of the warp execute this aligned instruction at "
                                       "different places of the code");
  perform(*thread.site, warp, mask);
  if (!fault && options.seed)
    yield(thread);
}

/// Lanes whose site is the first of the code: with branches that join again, those that still have
/// something to do before the others' place.
void Launch::meetActive(Warp &warp) {
  Site *first = nullptr;
  LaneMask mask = 0;
  for (unsigned i = 1; i <= waveSize(); ++i) {
    unsigned lane = (current->lane + i) % waveSize();
    if (!(warp.live >> lane & 1))
      continue;
    const Thread &thread = *warp.threads[lane];
    if (thread.state == ThreadState::Ready)
      return;
    if (thread.state != ThreadState::Meeting ||
        thread.site->operation->meeting != Meeting::Active || (first && thread.site > first))
      continue;
    mask = (thread.site == first ? mask : 0) | LaneMask(1) << lane;
    first = thread.site;
  }
  if (first)
    perform(*first, warp, mask);
}

/// Executes an operation for lanes that wait for it, and lets them go on.
void Launch::perform(Site &site, Warp &warp, LaneMask mask) {
  ++site.executions;
  if (site.operation->isMma)
    ++counters.mmas;
  WarpCall call{*this, warp, mask, {}, {}};
  for (unsigned lane = 0; lane < waveSize(); ++lane)
    if (mask >> lane & 1) {
      call.in[lane] = warp.threads[lane]->in;
      call.out[lane] = warp.threads[lane]->out;
    }
  site.operation->warp(call);
  if (fault)
    return;
  for (unsigned lane = 0; lane < waveSize(); ++lane) {
    if (!(mask >> lane & 1))
      continue;
    if (warp.threads[lane] == current)
      current->state = ThreadState::Ready;
    else
      wake(*warp.threads[lane]);
  }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

bool Launch::joinBarrier(Thread &thread, unsigned id, bool all, unsigned count) {
  if (id >= 16) {
    fail(FaultKind::IllegalOperand, formatv("there is no barrier {0}", id));
    return false;
  }
  if (all)
    count = warpsOfBlock() * waveSize();
  if (count == 0 || count % waveSize() != 0 || count > warpsOfBlock() * waveSize()) {
    fail(FaultKind::IllegalOperand,
         formatv("barrier {0} for {1} threads in a block of {2}", id, count, blockSize.volume()));
    return false;
  }
  Barrier &barrier = thread.block->barriers[id];
  if (barrier.arrived != 0 && barrier.expected != count) {
    fail(FaultKind::IllegalOperand,
         formatv("barrier {0} for {1} threads, for which others wait with {2}", id, count,
                 barrier.expected));
    return false;
  }
  barrier.expected = count;
  barrier.all |= all;
  ++barrier.threads;
  // Barriers count whole warps: a lane that the block does not have comes with the first that it
  // has.
  barrier.arrived += thread.lane == 0 ? waveSize() + 1 - llvm::popcount(thread.warp->lanes) : 1;
  thread.barrier = id;
  return true;
}

/// Whether a barrier instruction is for whole warps.
static bool isAligned(const Operation &operation) {
  return llvm::StringRef(operation.name).contains(".aligned") ||
         operation.name == "amdgcn.s.barrier";
}

void Launch::completeBarrier(Barrier &barrier) {
  ++counters.barriers;
  llvm::SmallVector<unsigned, 0> list;
  llvm::SmallVector<const Site *, 32> warpSites(warpsOfBlock(), nullptr);
  llvm::SmallVector<LaneMask, 32> warpLanes(warpsOfBlock(), 0);
  unsigned set = 0;
  for (Thread *thread : barrier.waiting) {
    list.push_back(thread->index);
    if (!barrier.released.empty())
      shared.order.acquire(thread->index, barrier.released);
    const Operation &operation = *thread->site->operation;
    if (llvm::StringRef(operation.name).contains(".red."))
      set += thread->in[llvm::StringRef(operation.name).ends_with("count") ? 2 : 1] != 0;
    if (!isAligned(operation))
      continue;
    const Site *&site = warpSites[thread->warp->index];
    warpLanes[thread->warp->index] |= LaneMask(1) << thread->lane;
    if (site && site != thread->site)
      return fail(
          FaultKind::Divergence,
          "the lanes of the warp reach this aligned barrier at different places of the code",
          thread);
    site = thread->site;
  }
  for (Thread *thread : barrier.waiting)
    if (isAligned(*thread->site->operation) && warpLanes[thread->warp->index] != thread->warp->live)
      return fail(FaultKind::Divergence, "not all lanes of the warp reach this aligned barrier",
                  thread);
  if (program.isAMD) {
    // The instruction itself orders nothing: fences do.
    auto released = std::make_shared<std::vector<uint32_t>>(threads.size(), 0);
    for (Thread *thread : barrier.waiting)
      for (auto [i, clock] : llvm::enumerate(thread->released))
        (*released)[i] = std::max((*released)[i], clock);
    for (Thread *thread : barrier.waiting)
      thread->acquirable = released;
  } else {
    shared.order.synchronize(list);
  }
  for (Thread *thread : barrier.waiting) {
    llvm::StringRef name = thread->site->operation->name;
    if (name.contains(".red.popc"))
      thread->out[0] = set;
    else if (name.contains(".red.and"))
      thread->out[0] = set == barrier.waiting.size();
    else if (name.contains(".red.or"))
      thread->out[0] = set != 0;
    wake(*thread);
  }
  barrier = Barrier();
}

bool Launch::isComplete(const Block &block, const Barrier &barrier) const {
  return barrier.threads != 0 &&
         (barrier.all ? barrier.threads == block.live : barrier.arrived == barrier.expected);
}

void Launch::checkBarriers(Block &block) {
  for (Barrier &barrier : block.barriers)
    if (barrier.all && isComplete(block, barrier))
      completeBarrier(barrier);
}

void Launch::waitAtBarrier(Thread &thread, unsigned id, bool all, unsigned count) {
  if (!joinBarrier(thread, id, all, count))
    return;
  Barrier &barrier = thread.block->barriers[id];
  barrier.waiting.push_back(&thread);
  thread.state = ThreadState::Barrier;
  if (isComplete(*thread.block, barrier))
    completeBarrier(barrier);
  if (!fault && program.isAMD)
    meetActive(*thread.warp);
  if (!fault)
    thread.fiber.suspend();
}

void Launch::releaseFence(Thread &thread) {
  thread.released.clear();
  shared.order.release(thread.index, thread.released);
}

void Launch::acquireFence(Thread &thread) {
  if (thread.acquirable)
    shared.order.acquire(thread.index, *thread.acquirable);
}

uint64_t Launch::addBuffer(const BufferDescriptor &buffer) {
  auto [found, isNew] = bufferNumbers.insert({buffer, buffers.size() + 1});
  if (isNew)
    buffers.push_back(buffer);
  return found->second;
}

const BufferDescriptor *Launch::findBuffer(uint64_t number) const {
  return number - 1 < buffers.size() ? &buffers[number - 1] : nullptr;
}

void Launch::arriveAtBarrier(Thread &thread, unsigned id, unsigned count) {
  if (!joinBarrier(thread, id, false, count))
    return;
  Barrier &barrier = thread.block->barriers[id];
  shared.order.release(thread.index, barrier.released);
  if (isComplete(*thread.block, barrier))
    completeBarrier(barrier);
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

uint32_t Launch::special(Special which) const {
  const Thread &thread = *current;
  // Of NVIDIA's warps; lanes of wider waves have no mask.
  uint32_t bit = uint32_t(uint64_t(1) << thread.lane);
  switch (which) {
  case Special::TidX:
    return thread.id.x;
  case Special::TidY:
    return thread.id.y;
  case Special::TidZ:
    return thread.id.z;
  case Special::NtidX:
    return blockSize.x;
  case Special::NtidY:
    return blockSize.y;
  case Special::NtidZ:
    return blockSize.z;
  case Special::CtaidX:
    return thread.block->index.x;
  case Special::CtaidY:
    return thread.block->index.y;
  case Special::CtaidZ:
    return thread.block->index.z;
  case Special::NctaidX:
    return grid.x;
  case Special::NctaidY:
    return grid.y;
  case Special::NctaidZ:
    return grid.z;
  case Special::LaneId:
    return thread.lane;
  case Special::WarpId:
    return thread.warp->index;
  case Special::WarpCount:
    return warpsOfBlock();
  case Special::WarpSize:
    return waveSize();
  case Special::MaskEq:
    return bit;
  case Special::MaskLt:
    return bit - 1;
  case Special::MaskLe:
    return bit - 1 | bit;
  case Special::MaskGt:
    return ~(bit - 1 | bit);
  case Special::MaskGe:
    return ~(bit - 1);
  case Special::DynamicShared:
    return dynamicShared;
  case Special::TotalShared:
    return program.staticSharedBytes + dynamicShared;
  case Special::ClusterCtaidX:
    return thread.block->index.x % cluster.x;
  case Special::ClusterCtaidY:
    return thread.block->index.y % cluster.y;
  case Special::ClusterCtaidZ:
    return thread.block->index.z % cluster.z;
  case Special::ClusterNctaidX:
    return cluster.x;
  case Special::ClusterNctaidY:
    return cluster.y;
  case Special::ClusterNctaidZ:
    return cluster.z;
  case Special::ClusteridX:
    return thread.block->index.x / cluster.x;
  case Special::ClusteridY:
    return thread.block->index.y / cluster.y;
  case Special::ClusteridZ:
    return thread.block->index.z / cluster.z;
  case Special::NclusteridX:
    return grid.x / cluster.x;
  case Special::NclusteridY:
    return grid.y / cluster.y;
  case Special::NclusteridZ:
    return grid.z / cluster.z;
  case Special::ClusterRank:
    return thread.block->rank;
  case Special::ClusterSize:
    return blocks.size();
  case Special::SharedBase:
    return sharedAddress(*thread.block, 0);
  case Special::Zero:
    return 0;
  case Special::One:
    return 1;
  }
  llvm_unreachable("unknown special register");
}

} // namespace ufp4::emulator
