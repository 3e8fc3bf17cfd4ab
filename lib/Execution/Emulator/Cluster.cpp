//===- Cluster.cpp - Blocks that run together ------------------------------===//
//
// PTX ISA, "mapa", "getctarank", "barrier.cluster". The blocks of a cluster run in one order of
// events; an address of shared memory says by itself which of them it belongs to. What they copy to
// each other is in MBarrier.cpp, what pairs of them multiply in TensorMemory.cpp.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace ufp4::emulator {

std::optional<uint64_t> Launch::mapToBlock(uint64_t address, uint32_t rank) {
  if (shared.contains(address) && rank < blocks.size())
    return shared.placeIn(rank, address);
  fail(FaultKind::IllegalOperand,
       formatv("address {0:x} in block {1} of a cluster of {2}", address, rank, blocks.size()));
  return std::nullopt;
}

void Launch::arriveAtCluster(Thread &thread, bool releases) {
  if (thread.clusterPhase)
    return fail(FaultKind::IllegalOperand,
                "the thread arrives at the cluster's barrier twice without a wait between");
  thread.clusterPhase = clusterBarrier.phase;
  if (releases)
    shared.order.release(thread.index, clusterBarrier.arriving);
  ++clusterBarrier.arrived;
  completeClusterBarrier();
}

/// If all have come.
void Launch::completeClusterBarrier() {
  if (clusterBarrier.arrived == 0 || clusterBarrier.arrived != live)
    return;
  ++clusterBarrier.phase;
  clusterBarrier.arrived = 0;
  clusterBarrier.completed = std::move(clusterBarrier.arriving);
  clusterBarrier.arriving.clear();
  for (Thread *thread : clusterBarrier.waiting)
    wake(*thread);
  clusterBarrier.waiting.clear();
}

void Launch::waitForCluster(Thread &thread) {
  if (!thread.clusterPhase)
    return fail(FaultKind::IllegalOperand,
                "the thread waits at the cluster's barrier without having arrived");
  // Nobody arrives at the next phase before having waited for this one.
  if (*thread.clusterPhase == clusterBarrier.phase) {
    clusterBarrier.waiting.push_back(&thread);
    block(thread, ThreadState::ClusterBarrier);
  }
  thread.clusterPhase.reset();
  shared.order.acquire(thread.index, clusterBarrier.completed);
}

static uint64_t wide(const uint32_t *words) { return uint64_t(words[1]) << 32 | words[0]; }

static std::function<void(LaneCall &)> findHandler(llvm::StringRef name) {
  if (name == "mapa" || name == "mapa.shared.cluster")
    return [isGeneric = name == "mapa"](LaneCall &c) {
      uint64_t address = c.launch.mapToBlock(wide(c.in), c.in[2]).value_or(0);
      c.out[0] = uint32_t(address);
      if (isGeneric)
        c.out[1] = uint32_t(address >> 32);
    };
  if (name == "getctarank" || name == "getctarank.shared.cluster")
    return [](LaneCall &c) { c.out[0] = c.launch.shared.rankOf(wide(c.in)); };
  if (!name.consume_front("barrier.cluster."))
    return nullptr;
  name.consume_back(".aligned");
  if (name == "arrive" || name == "arrive.relaxed")
    return [releases = name == "arrive"](LaneCall &c) {
      c.launch.arriveAtCluster(c.thread, releases);
    };
  if (name == "wait")
    return [](LaneCall &c) { c.launch.waitForCluster(c.thread); };
  return nullptr;
}

std::optional<Operation> findClusterOperation(llvm::StringRef name) {
  Operation operation;
  operation.name = name.str();
  operation.lane = findHandler(name);
  operation.minimumChip = 90;
  return operation.lane ? std::optional(operation) : std::nullopt;
}

} // namespace ufp4::emulator
