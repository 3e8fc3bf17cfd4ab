//===- Launch.h - One run of a kernel ---------------------------*- C++ -*-===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_LAUNCH_H
#define UFP4_LIB_EXECUTION_EMULATOR_LAUNCH_H

#include "Fiber.h"
#include "Memory.h"
#include "Operations.h"
#include "Statistics.h"
#include "TensorMemory.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <random>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace ufp4::emulator {

/// One place of the rewritten code that calls the runtime.
struct Site {
  std::string instruction, location;
  /// Null for a plain access to memory.
  std::shared_ptr<const Operation> operation;
  unsigned alignment = 1;
  bool reads = false, writes = false, atomic = false;
  /// Whether it may reach the shared memory of other blocks of the cluster.
  bool reachesCluster = false;
  /// One instruction of the chip, as against a loop that fills or copies.
  bool isRequest = true;
  /// Spinning on such an access lets other threads run.
  bool yields = false;
  uint64_t executions = 0;
};

struct KernelParameter {
  unsigned size = 0;
  bool isPointer = false;
  /// The size and alignment of an aggregate that is passed by value through a pointer.
  unsigned byValueSize = 0, byValueAlignment = 1;
};

struct KernelInfo {
  std::vector<KernelParameter> parameters;
  Dim3 requiredBlock{0, 0, 0}, requiredCluster{0, 0, 0};
  unsigned maximumThreads = 0;
  void (*entry)(void **) = nullptr;
};

struct ModuleVariable {
  std::string name, symbol;
  uint64_t size = 0;
  bool constant = false;
};

/// Instructions of one basic block of the module as given.
using Histogram = std::vector<std::pair<const char *, unsigned>>;

/// A module ready to run.
struct Program {
  ~Program();

  EmulatorTarget target;
  /// Of NVIDIA's chips: the number of sm_XX, and whether it is an "a" or "f" chip.
  unsigned chip = 0;
  bool familyChip = false;
  bool isAMD = false;
  /// Whether something goes by the asynchronous proxy.
  bool usesAsyncProxy = false;
  std::vector<Site> sites;
  llvm::StringMap<KernelInfo> kernels;
  std::vector<ModuleVariable> variables;
  GlobalMemory variableMemory;
  std::vector<Histogram> blocks;
  std::vector<uint64_t> blockExecutions;
  /// The shared memory of a block alone, and that of the blocks of a cluster once there are any.
  char *sharedBase = nullptr, *clusterBase = nullptr;
  unsigned staticSharedBytes = 0;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

enum class ThreadState { Ready, Meeting, Barrier, MBarrier, ClusterBarrier, Done };

struct Block;
struct MBarrier;

struct AsyncCopy {
  uint64_t address;
  llvm::SmallVector<char, 16> data;
  const Site *site;
};

struct Thread {
  Fiber fiber;
  /// Among the threads of the cluster, and in its warp.
  unsigned index = 0, lane = 0;
  Dim3 id;
  Warp *warp = nullptr;
  Block *block = nullptr;
  ThreadState state = ThreadState::Ready;
  /// Where it is, and what it wants there.
  Site *site = nullptr;
  const uint32_t *in = nullptr;
  uint32_t *out = nullptr;
  LaneMask mask = 0;
  unsigned barrier = 0;
  const MBarrier *mbarrier = nullptr;
  /// The phase of the cluster's barrier at which it has arrived, until it waits.
  std::optional<uint64_t> clusterPhase;
  std::vector<AsyncCopy> uncommitted;
  std::deque<std::vector<AsyncCopy>> groups;
  /// In whose name bulk copies read shared memory, what each group of them had done, and whether
  /// some belong to none yet.
  std::optional<unsigned> bulkAgent;
  std::deque<std::vector<uint32_t>> bulkGroups;
  const Site *uncommittedBulk = nullptr;
  /// What it knew at its last fence that lets the asynchronous proxy write what others read.
  std::vector<uint32_t> acquired;
  /// Columns of tensor memory whose loads it has not waited for: first and number.
  std::vector<std::pair<unsigned, unsigned>> tensorLoads;
  /// In whose name it stores to tensor memory, and whether it has not waited for that.
  std::optional<unsigned> tensorStoreAgent;
  bool hasTensorStores = false;
  /// AMD: what a release fence gives to the next barrier, and what the last barrier has for an
  /// acquire fence.
  std::vector<uint32_t> released;
  std::shared_ptr<const std::vector<uint32_t>> acquirable;
};

/// What an AMD buffer resource says.
struct BufferDescriptor {
  uint64_t base, records;
  bool operator<(const BufferDescriptor &other) const {
    return std::pair(base, records) < std::pair(other.base, other.records);
  }
};

struct Warp {
  /// In its block, and among all of the cluster.
  unsigned index = 0, number = 0;
  /// Lanes that exist, and those that have not ended.
  LaneMask lanes = 0, live = 0;
  Thread *threads[kMaximumLanes] = {};
};

/// One of a block's 16 barriers.
struct Barrier {
  /// Threads to wait for, in whole warps; if `all`, those that have not ended.
  unsigned expected = 0;
  bool all = false;
  llvm::SmallVector<Thread *, 0> waiting;
  unsigned arrived = 0, threads = 0;
  /// What those that did not wait had done.
  std::vector<uint32_t> released;
};

/// A block of the cluster that runs.
struct Block {
  Dim3 index;
  /// In the cluster.
  unsigned rank = 0;
  /// Threads that have not ended.
  unsigned live = 0;
  Barrier barriers[16];
  TensorMemory tensor;
  bool mayAllocateTensor = true;
  /// Columns that the other block of the pair has allocated in both, which this one is yet to ask
  /// for: first and number.
  std::deque<std::pair<unsigned, unsigned>> pairAllocations;
};

/// At which all threads of a cluster meet that have not ended.
struct ClusterBarrier {
  uint64_t phase = 0;
  unsigned arrived = 0;
  std::vector<uint32_t> arriving, completed;
  llvm::SmallVector<Thread *, 0> waiting;
};

/// A barrier in shared memory that counts arrivals and bytes (MBarrier.cpp).
struct MBarrier {
  uint64_t address = 0, phase = 0;
  /// Arrivals of a phase, and those that are due in this one.
  uint32_t expected = 0, pending = 0;
  /// Bytes that are due.
  int64_t transactions = 0;
  /// In whose name copies are delivered, as HappensBefore has it.
  unsigned agent = 0;
  /// What arrivals of this phase and of those before it released.
  std::vector<uint32_t> arriving, completed;
  /// Under way, in the order of their issue.
  std::vector<AsyncCopy> copies;
  /// Commits whose arrivals are under way.
  std::deque<TensorQueue *> commits;
  llvm::SmallVector<Thread *, 0> waiting;
  /// Threads that asked for this phase and were told no.
  llvm::DenseSet<unsigned> denied;
};

/// What stands in the 128 bytes of a tensor map. The chips' encoding is not described.
struct EncodedTensorMap {
  static constexpr uint64_t kMagic = 0x70616D20726F736E;
  uint64_t magic, address, width, height, pitch;
  uint32_t elementBytes, boxWidth, boxHeight, swizzle, rowStep;
};

class Launch {
public:
  Launch(Program &program, llvm::StringRef kernelName, const KernelInfo &kernel, Dim3 grid,
         Dim3 block, Dim3 cluster, unsigned dynamicSharedBytes, const LaunchOptions &options);
  ~Launch();

  /// Runs all blocks with pointers to the arguments' bytes.
  llvm::Error run(void **arguments);
  void collect(LaunchStats &stats);

  GlobalMemory global;
  SharedMemory shared;
  LaunchStats counters;

  //===--- What the rewritten code calls, on the thread's own stack ---------===//
  void operation(uint32_t site, const uint32_t *in, uint32_t *out);
  void memoryAccess(uint32_t site, uint64_t address, uint64_t bytes);
  uint32_t special(Special which) const;

  //===--- For handlers -----------------------------------------------------===//
  /// Records the first fault; the caller returns at once.
  void fail(FaultKind kind, std::string message, const Thread *thread = nullptr);
  bool hasFailed() const { return fault != nullptr; }
  /// Checks and records one access of a size, by a thread at its site. False after a fault.
  bool access(Thread &thread, uint64_t address, uint64_t size, unsigned alignment, bool reads,
              bool writes, bool atomic);
  /// As access(), to shared memory only and without statistics.
  bool sharedAccess(Thread &thread, uint64_t address, unsigned size, unsigned alignment, bool reads,
                    bool writes);
  bool isShared(uint64_t address) const { return shared.contains(address); }
  /// Whether the block that an address of shared memory belongs to still runs; a fault where not.
  bool isAlive(const Thread &thread, uint64_t address);
  void waitAtBarrier(Thread &thread, unsigned id, bool all, unsigned count);
  void arriveAtBarrier(Thread &thread, unsigned id, unsigned count);
  void copyAsync(Thread &thread, uint64_t to, uint64_t from, unsigned size, unsigned taken);
  void landCopies(Thread &thread, size_t groupsLeft, bool uncommittedToo);
  void initMBarrier(Thread &thread, uint64_t address, uint32_t count);
  void invalidateMBarrier(Thread &thread, uint64_t address);
  /// Bytes that are due from now on; a negative number has been delivered.
  void expectBytes(Thread &thread, uint64_t address, int64_t bytes);
  /// Returns the phase that the arrival belongs to.
  uint64_t arriveAtMBarrier(Thread &thread, uint64_t address, uint32_t count, int64_t bytes);
  /// Whether the phase of a parity, or else of a number, is complete. No is an answer that may come
  /// early.
  bool askMBarrier(Thread &thread, uint64_t address, std::optional<unsigned> parity, uint64_t phase,
                   bool blocks);
  /// To the blocks of `ranks`, if there are any, or to where `to` is.
  void copyBulk(Thread &thread, uint64_t to, uint64_t barrier, uint64_t from, uint32_t size,
                uint32_t ranks);
  void storeBulk(Thread &thread, uint64_t to, uint64_t from, uint32_t size);
  void commitBulk(Thread &thread);
  void waitForBulk(Thread &thread, size_t groupsLeft);
  /// For what was done so far to memories, as HappensBefore has them, and for what is to come.
  void fenceProxies(Thread &thread, unsigned released, bool acquires);
  /// `isPair`: each pair of blocks has one barrier, where `barrier` is.
  void copyTensor(Thread &thread, uint64_t to, uint64_t barrier, uint64_t map, int32_t x, int32_t y,
                  uint32_t ranks, bool isPair);
  //===--- Clusters (Cluster.cpp) -------------------------------------------===//
  std::optional<uint64_t> mapToBlock(uint64_t address, uint32_t rank);
  void arriveAtCluster(Thread &thread, bool releases);
  void waitForCluster(Thread &thread);
  unsigned clusterSize() const { return blocks.size(); }
  //===--- clusterlaunchcontrol (LaunchControl.cpp) -------------------------===//
  /// `isMulticast`: the answer comes to all blocks of the cluster.
  void askForBlock(Thread &thread, uint64_t to, uint64_t barrier, bool isMulticast);
  /// Of an answer's 4 words: whether a block was given, and which.
  bool wasGiven(const uint32_t *answer);
  Dim3 givenBlock(const uint32_t *answer);
  //===--- tcgen05 (TensorMemory.cpp) ---------------------------------------===//
  /// `isPair`: by both blocks of a pair.
  void allocateTensor(Thread &thread, uint64_t to, uint32_t columns, bool isPair);
  void freeTensor(Thread &thread, uint32_t address, uint32_t columns, bool isPair);
  /// The order of what a thread does with tensor memory, which fences join to that of its other
  /// doings.
  unsigned tensorAgent(const Thread &thread);
  void issueTensor(Thread &thread, bool isCopy,
                   std::function<std::optional<Complaint>(TensorQueue &)> execute);
  /// Arrives in the blocks of `ranks`, if there are any, or where `barrier` is.
  void commitTensor(Thread &thread, uint64_t barrier, uint32_t ranks);
  /// The blocks that work of one or of two on tensor memory is done in; nothing after a fault.
  llvm::SmallVector<Block *, 2> tensorBlocks(Thread &thread, bool isPair);
  void loadTensor(Thread &thread, TensorAddress from, unsigned count, uint32_t *to);
  void waitForTensorLoads(Thread &thread);
  void storeTensor(Thread &thread, TensorAddress to, unsigned count, const uint32_t *from);
  void waitForTensorStores(Thread &thread);
  void fenceTensor(Thread &thread, bool before);
  /// The address in a block's shared memory that 18 bits of a descriptor mean.
  uint64_t sharedAddress(const Block &block, uint32_t bits) const;

  void synchronize(const Warp &warp, LaneMask mask);
  void yield(Thread &thread);
  unsigned waveSize() const { return program.target.warpSize; }
  void releaseFence(Thread &thread);
  void acquireFence(Thread &thread);
  /// Buffer resources by number, from 1 on.
  uint64_t addBuffer(const BufferDescriptor &buffer);
  const BufferDescriptor *findBuffer(uint64_t number) const;
  RequestRecorder *requests() { return recorder.get(); }
  size_t siteIndex(const Site *site) const { return site - program.sites.data(); }

private:
  static void enterThread(void *launch);
  llvm::Error runCluster(Dim3 first);
  char *firstShared() const { return blocks.size() > 1 ? program.clusterBase : program.sharedBase; }
  unsigned warpsOfBlock() const { return warps.size() / blocks.size(); }
  void meet(Thread &thread);
  void meetActive(Warp &warp);
  void perform(Site &site, Warp &warp, LaneMask mask);
  void block(Thread &thread, ThreadState state);
  void leaveIfFailed();
  void wake(Thread &thread);
  void finish(Thread &thread);
  void checkBarriers(Block &block);
  void completeClusterBarrier();
  bool joinBarrier(Thread &thread, unsigned id, bool all, unsigned count);
  bool isComplete(const Block &block, const Barrier &barrier) const;
  void completeBarrier(Barrier &barrier);
  Thread *takeReady();
  std::string describeDeadlock() const;
  std::string describe(const MBarrier &barrier) const;
  MBarrier *findMBarrier(Thread &thread, uint64_t address);
  /// An address of shared memory in each of the blocks of `ranks`, or if there are none itself.
  llvm::SmallVector<uint64_t, 2> placesIn(Thread &thread, uint64_t address, uint32_t ranks);
  bool addTransactions(MBarrier &barrier, int64_t bytes);
  /// The first of the lanes of a thread's warp, where `place` must be.
  unsigned tensorQuarter(Thread &thread, TensorAddress place, const char *what);
  bool readGlobalAsync(Thread &thread, uint64_t address, uint64_t size);
  std::optional<size_t> countDeliverable(const MBarrier &barrier) const;
  void deliver(MBarrier &barrier, size_t count);
  void completePhase(MBarrier &barrier);
  void wakeWaiting(MBarrier &barrier);
  void arriveFor(MBarrier &barrier, TensorQueue &queue);
  void executeUpToCommit(TensorQueue &queue, uint64_t barrier);
  uint64_t clusterCount() const { return grid.volume() / blocks.size(); }
  Dim3 firstBlockOf(uint64_t number) const;
  std::optional<uint64_t> takeCluster();
  const std::optional<uint64_t> *findAnswer(const uint32_t *words);
  void beginBulkCopy(Thread &thread, MBarrier &barrier, uint64_t to,
                     llvm::SmallVector<char, 16> data);
  void beginBulkCopies(Thread &thread, uint64_t to, uint64_t barrier,
                       const llvm::SmallVector<char, 16> &data, uint32_t ranks, bool isPair);

  Program &program;
  llvm::StringRef kernelName;
  const KernelInfo &kernel;
  Dim3 grid, blockSize, cluster;
  /// The number of the cluster that runs, in the order of the grid.
  uint64_t runningCluster = 0;
  unsigned dynamicShared;
  LaunchOptions options;
  void **arguments = nullptr;

  std::vector<Thread> threads;
  std::vector<Warp> warps;
  /// Of the cluster, by rank.
  std::vector<Block> blocks;
  ClusterBarrier clusterBarrier;
  std::map<uint64_t, MBarrier> mbarriers;
  /// By thread, and the first of the agents that threads have for tensor memory.
  std::map<unsigned, TensorQueue> tensorQueues;
  std::optional<unsigned> firstTensorAgent;
  /// Whether the kernel works on the tensor memory of pairs of blocks.
  std::optional<bool> worksInPairs;
  /// Clusters of the launch that others compute. What the running one was given for its requests,
  /// and whether it has looked at a refusal.
  llvm::DenseSet<uint64_t> takenClusters;
  std::vector<std::optional<uint64_t>> answers;
  bool sawRefusal = false;
  std::vector<Thread *> ready;
  size_t readyHead = 0;
  Thread *current = nullptr;
  std::map<BufferDescriptor, uint64_t> bufferNumbers;
  std::vector<BufferDescriptor> buffers;
  unsigned live = 0;
  uint64_t steps = 0;
  std::mt19937_64 random, takeovers;
  std::unique_ptr<RequestRecorder> recorder;
  std::unique_ptr<EmulatorFault> fault;
};

/// Binds a launch to the host thread that runs it.
class ActiveLaunch {
public:
  explicit ActiveLaunch(Launch &launch);
  ~ActiveLaunch();
  static Launch &get();

private:
  Launch *previous;
};

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_LAUNCH_H
