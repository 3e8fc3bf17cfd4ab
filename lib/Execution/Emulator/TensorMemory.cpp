//===- TensorMemory.cpp - tcgen05: tensor memory and what works on it ------===//
//
// PTX ISA, "Tensorcore 5th Generation Family Instructions". Tensor memory is 128 lanes of 512
// columns of 32 bits. Products and copies read shared memory by descriptors:
//   bits 13:0 start, 29:16 leading dimension, 45:32 stride, all in units of 16 bytes; 48:46 are
//   0b001; 51:49 base offset; 63:61 the swizzle: 0 none, 2 128 bytes.
// Rows of 8 are one stride after the other. A swizzled row has 128 bytes, whose chunks of 16 change
// places by bits 9:7 of their addresses; without a swizzle its chunks are a leading dimension after
// the other, 16 bytes after the same of the row before.
//
// A product takes lane m, column n for element (m, n) of D. Scales of row r are in column r / 32 of
// theirs, in lane r % 32 of each quarter of the lanes; the instruction descriptor says from which
// byte on:
//   5:4, 30:29 byte of B's and of A's scales; 9:7, 12:10 formats of A and B; 22:17 N / 8; 23 scales
//   are ue8m0; 28:27 M / 128; sparsity, negation, transposition and K = 96 are not emulated.
//
// What a thread issues is done as late as may be: once somebody waits for the phase that a commit
// arrives at. Then it is done in order, in the names of agents that know what the thread knew when
// it issued it. What a thread knows of tensor memory and of all else are two things, which only
// tcgen05's fences join; so who leaves one out is told about a race.
//
//===----------------------------------------------------------------------===//

#include "TensorMemory.h"
#include "Formats.h"
#include "Launch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using llvm::formatv;

namespace ufp4::emulator {

//===----------------------------------------------------------------------===//
// TensorMemory
//===----------------------------------------------------------------------===//

void TensorMemory::reset() {
  allocations.clear();
  cells.clear();
}

std::optional<unsigned> TensorMemory::allocate(unsigned count) {
  cells.resize(size_t(lanes) * columns);
  // From the end on, so that nobody takes it for granted that it begins at 0.
  unsigned end = columns;
  for (auto [first, size] : llvm::reverse(allocations)) {
    if (end - (first + size) >= count)
      break;
    end = first;
  }
  if (end < count)
    return std::nullopt;
  allocations.push_back({end - count, count});
  llvm::sort(allocations);
  std::fill_n(cells.begin() + size_t(end - count) * lanes, size_t(count) * lanes, Cell());
  return end - count;
}

static Complaint tensorRace(const char *what, const char *before, unsigned lane, unsigned column,
                            Stamp other) {
  return {FaultKind::Race,
          formatv("{0} of tensor memory, lane {1} of column {2}, which thread {3} {4} with nothing "
                  "between them that orders the two",
                  what, lane, column, other.thread, before)};
}

std::optional<Complaint> TensorMemory::free(const HappensBefore &order, unsigned agent,
                                            unsigned thread, unsigned first, unsigned count) {
  auto found = llvm::find(allocations, std::pair(first, count));
  if (found == allocations.end())
    return Complaint{
        FaultKind::IllegalOperand,
        formatv("columns {0} to {1} are freed, which no allocation gave", first, first + count)};
  for (unsigned column = first; column < first + count; ++column)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const Cell &cell = at(lane, column);
      auto conflicts = [&](Stamp other) {
        return other.valid() && !order.isBefore(other, agent) && !order.isBefore(other, thread);
      };
      if (conflicts(cell.written))
        return tensorRace("release", "wrote", lane, column, cell.written);
      for (Stamp read : cell.reads)
        if (conflicts(read))
          return tensorRace("release", "read", lane, column, read);
    }
  allocations.erase(found);
  return std::nullopt;
}

std::optional<Complaint> TensorMemory::check(unsigned lane, unsigned column) const {
  for (auto [first, count] : allocations)
    if (column >= first && column < first + count && lane < lanes)
      return std::nullopt;
  return Complaint{
      FaultKind::OutOfBounds,
      formatv("lane {0} of column {1} of tensor memory is not allocated", lane, column)};
}

std::optional<Complaint> TensorMemory::checkRead(const HappensBefore &order, unsigned agent,
                                                 unsigned lane, unsigned column) const {
  if (auto complaint = check(lane, column))
    return complaint;
  const Cell &cell = at(lane, column);
  if (!cell.initialized)
    return Complaint{
        FaultKind::UninitializedRead,
        formatv("read of tensor memory, lane {0} of column {1}, which nobody wrote", lane, column)};
  if (!order.isBefore(cell.written, agent))
    return tensorRace("read", "wrote", lane, column, cell.written);
  return std::nullopt;
}

std::optional<Complaint> TensorMemory::checkWrite(const HappensBefore &order, unsigned agent,
                                                  unsigned lane, unsigned column) const {
  if (auto complaint = check(lane, column))
    return complaint;
  const Cell &cell = at(lane, column);
  if (cell.written.valid() && !order.isBefore(cell.written, agent))
    return tensorRace("write", "wrote", lane, column, cell.written);
  for (Stamp read : cell.reads)
    if (!order.isBefore(read, agent))
      return tensorRace("write", "read", lane, column, read);
  return std::nullopt;
}

std::optional<Complaint> TensorMemory::read(const HappensBefore &order, unsigned agent,
                                            unsigned lane, unsigned column, uint32_t &value) {
  if (auto complaint = checkRead(order, agent, lane, column))
    return complaint;
  Cell &cell = at(lane, column);
  value = cell.value;
  llvm::erase_if(cell.reads, [&](Stamp read) { return order.isBefore(read, agent); });
  cell.reads.push_back(order.now(agent));
  return std::nullopt;
}

std::optional<Complaint> TensorMemory::write(const HappensBefore &order, unsigned agent,
                                             unsigned lane, unsigned column, uint32_t value) {
  if (auto complaint = checkWrite(order, agent, lane, column))
    return complaint;
  Cell &cell = at(lane, column);
  cell.value = value;
  cell.initialized = true;
  cell.written = order.now(agent);
  cell.reads.clear();
  return std::nullopt;
}

std::optional<Complaint> TensorMemory::update(const HappensBefore &order, unsigned agent,
                                              unsigned lane, unsigned column,
                                              llvm::function_ref<uint32_t(uint32_t)> combine) {
  if (auto complaint = checkRead(order, agent, lane, column))
    return complaint;
  return write(order, agent, lane, column, combine(at(lane, column).value));
}

//===----------------------------------------------------------------------===//
// What threads do
//===----------------------------------------------------------------------===//

unsigned Launch::tensorAgent(const Thread &thread) {
  if (!options.tensorFences)
    return thread.index;
  if (!firstTensorAgent)
    firstTensorAgent = shared.order.addAgents(threads.size());
  return *firstTensorAgent + thread.index;
}

llvm::SmallVector<Block *, 2> Launch::tensorBlocks(Thread &thread, bool isPair) {
  if (worksInPairs.value_or(isPair) != isPair) {
    fail(FaultKind::IllegalOperand, "one kernel works on tensor memory by blocks and by pairs",
         &thread);
    return {};
  }
  worksInPairs = isPair;
  if (!isPair)
    return {thread.block};
  unsigned first = thread.block->rank & ~1u;
  if (first + 1 >= blocks.size()) {
    fail(FaultKind::IllegalOperand, "the block is not one of a pair in a cluster", &thread);
    return {};
  }
  return {&blocks[first], &blocks[first + 1]};
}

void Launch::allocateTensor(Thread &thread, uint64_t to, uint32_t columns, bool isPair) {
  Block &block = *thread.block;
  if (!block.mayAllocateTensor)
    return fail(FaultKind::IllegalOperand,
                "tensor memory is allocated after the permit was relinquished");
  if (columns < 32 || columns > TensorMemory::columns || !llvm::isPowerOf2_32(columns))
    return fail(FaultKind::IllegalOperand,
                formatv("an allocation of {0} columns: they are a power of 2 from 32 to {1}",
                        columns, TensorMemory::columns));
  llvm::SmallVector<Block *, 2> both = tensorBlocks(thread, isPair);
  if (fault)
    return;
  // Whichever of a pair comes first allocates for both.
  std::optional<unsigned> first;
  if (!block.pairAllocations.empty()) {
    auto [column, count] = block.pairAllocations.front();
    block.pairAllocations.pop_front();
    if (count != columns)
      return fail(FaultKind::IllegalOperand,
                  formatv("the blocks of a pair allocate {0} and {1} columns", count, columns));
    first = column;
  } else {
    for (Block *each : both) {
      std::optional<unsigned> column = each->tensor.allocate(columns);
      if (!column || (each != both.front() && column != first))
        return fail(FaultKind::Deadlock,
                    formatv("{0} columns of tensor memory are asked for, and not so many are free",
                            columns));
      first = column;
      if (each != &block)
        each->pairAllocations.push_back({*column, columns});
    }
  }
  if (!sharedAccess(thread, to, 4, 4, false, true))
    return;
  std::memcpy(reinterpret_cast<void *>(to), &*first, 4);
}

void Launch::freeTensor(Thread &thread, uint32_t address, uint32_t columns, bool isPair) {
  if (tensorBlocks(thread, isPair).empty())
    return;
  if (auto complaint = thread.block->tensor.free(shared.order, tensorAgent(thread), thread.index,
                                                 TensorAddress(address).column, columns))
    fail(complaint->kind, std::move(complaint->message), &thread);
}

void Launch::fenceTensor(Thread &thread, bool before) {
  std::vector<uint32_t> released;
  unsigned agent = tensorAgent(thread);
  shared.order.release(before ? agent : thread.index, released);
  shared.order.acquire(before ? thread.index : agent, released);
}

void Launch::loadTensor(Thread &thread, TensorAddress from, unsigned count, uint32_t *to) {
  unsigned quarter = tensorQuarter(thread, from, "load from");
  for (unsigned i = 0; i < count && !fault; ++i)
    if (auto complaint = thread.block->tensor.read(shared.order, tensorAgent(thread),
                                                   quarter + thread.lane, from.column + i, to[i]))
      return fail(complaint->kind, std::move(complaint->message), &thread);
  thread.tensorLoads.push_back({from.column, count});
}

unsigned Launch::tensorQuarter(Thread &thread, TensorAddress place, const char *what) {
  unsigned quarter = 32 * (thread.warp->index % 4);
  if (place.lane != quarter)
    fail(FaultKind::OutOfBounds,
         formatv("a {0} lane {1} of tensor memory by warp {2}, which reaches those from {3} on",
                 what, place.lane, thread.warp->index, quarter),
         &thread);
  return quarter;
}

// Until then what is loaded is read: whoever writes it meanwhile meets these reads.
void Launch::waitForTensorLoads(Thread &thread) {
  unsigned lane = 32 * (thread.warp->index % 4) + thread.lane;
  uint32_t ignored;
  for (auto [first, count] : thread.tensorLoads)
    for (unsigned i = 0; i < count; ++i)
      if (auto complaint = thread.block->tensor.read(shared.order, tensorAgent(thread), lane,
                                                     first + i, ignored))
        return fail(complaint->kind, std::move(complaint->message), &thread);
  thread.tensorLoads.clear();
}

// In the name of an agent, whom only the wait brings before what the thread does next.
void Launch::storeTensor(Thread &thread, TensorAddress to, unsigned count, const uint32_t *from) {
  if (!thread.tensorStoreAgent)
    thread.tensorStoreAgent = shared.order.addAgents();
  std::vector<uint32_t> known;
  shared.order.release(tensorAgent(thread), known);
  shared.order.acquire(*thread.tensorStoreAgent, known);
  unsigned lane = tensorQuarter(thread, to, "store to") + thread.lane;
  for (unsigned i = 0; i < count && !fault; ++i)
    if (auto complaint = thread.block->tensor.write(shared.order, *thread.tensorStoreAgent, lane,
                                                    to.column + i, from[i]))
      fail(complaint->kind, std::move(complaint->message), &thread);
  thread.hasTensorStores = true;
}

void Launch::waitForTensorStores(Thread &thread) {
  if (!thread.hasTensorStores)
    return;
  std::vector<uint32_t> done;
  shared.order.release(*thread.tensorStoreAgent, done);
  shared.order.acquire(tensorAgent(thread), done);
  thread.hasTensorStores = false;
}

uint64_t Launch::sharedAddress(const Block &block, uint32_t bits) const {
  return reinterpret_cast<uint64_t>(firstShared()) + block.rank * SharedMemory::blockStride +
         (bits & 0x3FFFF);
}

void Launch::issueTensor(Thread &thread, bool isCopy,
                         std::function<std::optional<Complaint>(TensorQueue &)> execute) {
  unsigned agent = tensorAgent(thread);
  auto [found, isNew] = tensorQueues.try_emplace(thread.index);
  TensorQueue &queue = found->second;
  if (isNew) {
    queue.thread = &thread;
    queue.sharedAgent = shared.order.addAgents(3);
    queue.copyAgent = queue.sharedAgent + 1;
    queue.productAgent = queue.sharedAgent + 2;
  }
  TensorQueue::Entry entry;
  entry.site = thread.site;
  entry.isCopy = isCopy;
  entry.execute = std::move(execute);
  shared.order.release(thread.index, entry.shared);
  shared.order.release(agent, entry.tensor);
  queue.entries.push_back(std::move(entry));
}

void Launch::commitTensor(Thread &thread, uint64_t address, uint32_t ranks) {
  llvm::SmallVector<MBarrier *, 2> barriers;
  for (uint64_t place : placesIn(thread, address, ranks)) {
    barriers.push_back(findMBarrier(thread, place));
    if (!barriers.back())
      return;
  }
  if (fault)
    return;
  issueTensor(thread, false, nullptr);
  TensorQueue &queue = tensorQueues[thread.index];
  for (MBarrier *barrier : barriers) {
    queue.entries.back().barriers.push_back(barrier->address);
    barrier->commits.push_back(&queue);
    wakeWaiting(*barrier);
  }
}

/// Everything before it is done, too.
void Launch::executeUpToCommit(TensorQueue &queue, uint64_t address) {
  for (bool arrived = false; !arrived;) {
    TensorQueue::Entry entry = std::move(queue.entries.front());
    queue.entries.pop_front();
    auto know = [&](unsigned agent, const std::vector<uint32_t> &clocks) {
      shared.order.acquire(agent, clocks);
    };
    if (!entry.execute) {
      // A commit is a fence as well.
      know(queue.sharedAgent, entry.shared);
      know(queue.sharedAgent, entry.tensor);
      arrived = llvm::is_contained(entry.barriers, address);
      for (uint64_t place : entry.barriers)
        if (!fault && isAlive(*queue.thread, place))
          arriveFor(mbarriers.find(place)->second, queue);
    } else {
      know(queue.sharedAgent, entry.shared);
      know(entry.isCopy ? queue.copyAgent : queue.productAgent, entry.tensor);
      if (!entry.isCopy) {
        std::vector<uint32_t> copied;
        shared.order.release(queue.copyAgent, copied);
        know(queue.productAgent, copied);
      }
      if (auto complaint = entry.execute(queue)) {
        fail(complaint->kind, std::move(complaint->message), queue.thread);
        fault->instruction = entry.site->instruction;
        fault->location = entry.site->location;
      }
    }
    if (fault)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Operands in shared memory
//===----------------------------------------------------------------------===//

namespace {
class MatrixDescriptor {
public:
  explicit MatrixDescriptor(uint64_t bits) : bits(bits) {}

  std::optional<std::string> verify() const {
    if ((bits >> 46 & 7) != 1)
      return formatv("bits 48:46 of the matrix descriptor {0:x16} are not 0b001", bits).str();
    if (swizzle() != 0 && swizzle() != 2)
      return formatv("swizzle {0} of a matrix descriptor is not emulated", swizzle()).str();
    if ((bits >> 49 & 7) != 0 || (bits >> 52 & 1) != 0)
      return std::string("base offsets and absolute strides are not emulated");
    return std::nullopt;
  }

  /// 18 bits: where a chunk of 16 bytes of a row lies.
  uint32_t locate(unsigned row, unsigned chunk) const {
    uint32_t group = uint32_t(row / 8) * field(32) + field(0);
    if (swizzle() == 0)
      return group + row % 8 * 16 + chunk * field(16);
    uint32_t address = group + row % 8 * 128 + chunk * 16;
    return address ^ (address >> 7 & 7) << 4;
  }

private:
  uint32_t field(unsigned bit) const { return uint32_t(bits >> bit & 0x3FFF) << 4; }
  unsigned swizzle() const { return bits >> 61; }
  uint64_t bits;
};

struct Chunk {
  uint8_t bytes[16];
};
} // namespace

static std::optional<Complaint> readChunk(Launch &launch, TensorQueue &queue, const Block &block,
                                          const MatrixDescriptor &matrix, unsigned row,
                                          unsigned number, Chunk &chunk) {
  if (!block.live && launch.clusterSize() > 1)
    return Complaint{FaultKind::OutOfBounds,
                     formatv("tensor cores work in block {0} of the cluster, all of whose threads "
                             "have ended",
                             block.rank)};
  uint64_t address = launch.sharedAddress(block, matrix.locate(row, number));
  if (auto complaint = launch.shared.access(queue.sharedAgent, address, sizeof(chunk), true, false,
                                            false, Proxy::Async))
    return complaint;
  std::memcpy(&chunk, reinterpret_cast<const void *>(address), sizeof(chunk));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Copies and products
//===----------------------------------------------------------------------===//

/// 32 rows of 16 bytes to four columns of every quarter of the lanes, in either block of a pair
/// what it has itself.
static void copyToAllQuarters(LaneCall &call, TensorAddress to, MatrixDescriptor from,
                              bool isPair) {
  if (auto reason = from.verify())
    return call.launch.fail(FaultKind::IllegalOperand, *reason);
  if (to.lane != 0)
    return call.launch.fail(FaultKind::IllegalOperand,
                            formatv("a copy to all quarters of the lanes, at lane {0}", to.lane));
  auto copy = [&launch = call.launch, to, from](TensorQueue &queue,
                                                Block &block) -> std::optional<Complaint> {
    for (unsigned row = 0; row < 32; ++row) {
      Chunk chunk;
      if (auto complaint = readChunk(launch, queue, block, from, row, 0, chunk))
        return complaint;
      for (unsigned column = 0; column < 4; ++column) {
        uint32_t word;
        std::memcpy(&word, chunk.bytes + 4 * column, 4);
        for (unsigned lane = row; lane < TensorMemory::lanes; lane += 32)
          if (auto complaint = block.tensor.write(launch.shared.order, queue.copyAgent, lane,
                                                  to.column + column, word))
            return complaint;
      }
    }
    return std::nullopt;
  };
  auto blocks = call.launch.tensorBlocks(call.thread, isPair);
  if (call.launch.hasFailed())
    return;
  call.launch.issueTensor(call.thread, /*isCopy=*/true,
                          [=](TensorQueue &queue) -> std::optional<Complaint> {
                            for (Block *block : blocks)
                              if (auto complaint = copy(queue, *block))
                                return complaint;
                            return std::nullopt;
                          });
}

namespace {
/// What a kind of product multiplies: K elements, of which a row of either operand has 32 bytes.
struct ProductKind {
  unsigned k;
  /// Scales of a row.
  unsigned groups;
  /// Whether scales may be ue4m3 and ue8m0.
  bool takesUE4M3, takesUE8M0;
  /// Whether elements are padded to bytes in groups of 16.
  bool hasContainers;
};

/// Products of 16-bit elements, without scales.
constexpr ProductKind kPlainProduct{16, 1, false, false, false};

struct Product {
  ProductKind kind;
  Format a, b, scale;
  unsigned n, scaleByteA, scaleByteB;
  bool accumulates, hasScales;
  TensorAddress d, scalesA, scalesB;
  MatrixDescriptor matrixA, matrixB;
  /// Either of a pair has its rows of A and of the sums, and its half of the rows of B.
  llvm::SmallVector<Block *, 2> blocks;
};
} // namespace

static constexpr unsigned kProductRows = 128, kMostColumns = 256;

/// The format of 3 bits of an instruction descriptor; of 4-bit codes 0 is the uniform grid where
/// the instruction is marked so.
static std::optional<Format> findElement(const ProductKind &kind, unsigned code, bool isUniform) {
  if (!kind.hasContainers)
    return code == 1                ? std::optional(Format::E2M1)
           : code == 0 && isUniform ? std::optional(Format::E0M3)
                                    : std::nullopt;
  switch (code) {
  case 0:
    return Format::E4M3;
  case 1:
    return Format::E5M2;
  case 3:
    return Format::E2M3;
  case 4:
    return Format::E3M2;
  case 5:
    return Format::E2M1;
  default:
    return std::nullopt;
  }
}

/// K elements of a row.
static std::optional<Complaint> readRow(Launch &launch, TensorQueue &queue, const Product &product,
                                        const Block &block, const MatrixDescriptor &matrix,
                                        Format format, unsigned row, double *to) {
  unsigned width = bitWidth(format), perChunk = product.kind.k / 2;
  for (unsigned number = 0; number < 2; ++number) {
    Chunk chunk;
    if (auto complaint = readChunk(launch, queue, block, matrix, row, number, chunk))
      return complaint;
    for (unsigned i = 0; i < perChunk; ++i) {
      unsigned bit = i * width;
      uint32_t code = chunk.bytes[bit / 8] >> bit % 8;
      if (bit % 8 + width > 8)
        code |= uint32_t(chunk.bytes[bit / 8 + 1]) << (8 - bit % 8);
      to[number * perChunk + i] = decode(format, code & ((1u << width) - 1));
    }
  }
  return std::nullopt;
}

static std::optional<Complaint> readScales(Launch &launch, TensorQueue &queue,
                                           const Product &product, Block &block, TensorAddress from,
                                           unsigned firstByte, unsigned row, double *to) {
  if (!product.hasScales) {
    to[0] = 1;
    return std::nullopt;
  }
  uint32_t word = 0;
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    uint32_t copy;
    if (auto complaint = block.tensor.read(launch.shared.order, queue.productAgent,
                                           32 * quarter + row % 32, from.column + row / 32, copy))
      return complaint;
    if (quarter != 0 && copy != word)
      return Complaint{FaultKind::IllegalOperand,
                       formatv("the scales of row {0} differ between quarters of the lanes", row)};
    word = copy;
  }
  for (unsigned group = 0; group < product.kind.groups; ++group)
    to[group] = decode(product.scale, word >> 8 * (firstByte + group) & 0xFF);
  return std::nullopt;
}

/// A block's rows by all columns.
static std::optional<Complaint> multiplyRows(Launch &launch, TensorQueue &queue,
                                             const Product &product, Block &block,
                                             llvm::ArrayRef<double> columns) {
  const unsigned k = product.kind.k, groups = product.kind.groups, groupSize = k / groups;
  std::vector<double> rows(kProductRows * k), scalesA(kProductRows * groups),
      scalesB(product.n * groups);
  for (unsigned row = 0; row < kProductRows; ++row)
    if (auto complaint =
            readRow(launch, queue, product, block, product.matrixA, product.a, row, &rows[row * k]))
      return complaint;
  for (auto [scales, from, byte] : {std::tuple(&scalesA, product.scalesA, product.scaleByteA),
                                    std::tuple(&scalesB, product.scalesB, product.scaleByteB)})
    for (unsigned row = 0; row < scales->size() / groups; ++row)
      if (auto complaint =
              readScales(launch, queue, product, block, from, byte, row, &(*scales)[row * groups]))
        return complaint;
  for (unsigned m = 0; m < kProductRows; ++m)
    for (unsigned n = 0; n < product.n; ++n) {
      double sum = 0;
      for (unsigned group = 0; group < groups; ++group) {
        sum +=
            dot(&rows[m * k + group * groupSize], &columns[n * k + group * groupSize], groupSize) *
            (scalesA[m * groups + group] * scalesB[n * groups + group]);
      }
      auto round = [&](double c) {
        float rounded = float(c + sum);
        return std::isnan(rounded) ? 0x7FFFFFFFu : asBits(rounded);
      };
      unsigned column = product.d.column + n;
      auto complaint =
          product.accumulates
              ? block.tensor.update(launch.shared.order, queue.productAgent, m, column,
                                    [&](uint32_t c) { return round(asFloat(c)); })
              : block.tensor.write(launch.shared.order, queue.productAgent, m, column, round(0));
      if (complaint)
        return complaint;
    }
  return std::nullopt;
}

static std::optional<Complaint> multiply(Launch &launch, TensorQueue &queue,
                                         const Product &product) {
  const unsigned k = product.kind.k;
  std::vector<double> columns(product.n * k);
  for (unsigned row = 0, each = product.n / product.blocks.size(); row < product.n; ++row)
    if (auto complaint = readRow(launch, queue, product, *product.blocks[row / each],
                                 product.matrixB, product.b, row % each, &columns[row * k]))
      return complaint;
  for (Block *block : product.blocks)
    if (auto complaint = multiplyRows(launch, queue, product, *block, columns))
      return complaint;
  return std::nullopt;
}
static uint64_t wide(const uint32_t *words) { return uint64_t(words[1]) << 32 | words[0]; }

static void issueProduct(LaneCall &call, Product product, bool isPair) {
  product.blocks = call.launch.tensorBlocks(call.thread, isPair);
  if (call.launch.hasFailed())
    return;
  for (const MatrixDescriptor *matrix : {&product.matrixA, &product.matrixB})
    if (auto reason = matrix->verify())
      return call.launch.fail(FaultKind::IllegalOperand, *reason);
  if (product.d.lane || product.scalesA.lane || product.scalesB.lane)
    return call.launch.fail(FaultKind::IllegalOperand,
                            "accumulators and scales of 128 rows begin at lane 0");
  call.launch.counters.mmas++;
  call.launch.issueTensor(call.thread, /*isCopy=*/false,
                          [&launch = call.launch, product](TensorQueue &queue) {
                            return multiply(launch, queue, product);
                          });
}

/// (D, A, B, instruction descriptor, whether to add to D, scales of A and of B, group of blocks,
/// what the collector keeps).
static void issueScaledProduct(LaneCall &call, const ProductKind &kind, bool isUniform) {
  uint32_t descriptor = call.in[6];
  auto field = [&](unsigned bit, unsigned width) {
    return descriptor >> bit & ((1u << width) - 1);
  };
  auto refuse = [&](std::string why) {
    call.launch.fail(FaultKind::IllegalOperand,
                     formatv("the instruction descriptor {0:x8}: {1}", descriptor, why));
  };
  const unsigned blocks = call.in[12];
  std::optional<Format> a = findElement(kind, field(7, 3), isUniform),
                        b = findElement(kind, field(10, 3), isUniform);
  if (!a || !b)
    return refuse(formatv("elements {0} and {1}", field(7, 3), field(10, 3)));
  if (field(0, 4) || field(6, 1) || field(13, 4) || field(24, 3) || field(31, 1))
    return refuse("bits that are reserved, or ask for what is not emulated");
  bool isUE8M0 = field(23, 1);
  if (!(isUE8M0 ? kind.takesUE8M0 : kind.takesUE4M3))
    return refuse(formatv("{0} scales", isUE8M0 ? "ue8m0" : "ue4m3"));
  unsigned n = 8 * field(17, 6), m = 128 * field(27, 2);
  if (m != blocks * kProductRows || n == 0 || n > kMostColumns || n % 16 != 0)
    return refuse(formatv("M = {0} and N = {1} of {2} blocks", m, n, blocks));
  unsigned byteA = field(29, 2), byteB = field(4, 2);
  if (byteA % kind.groups != 0 || byteB % kind.groups != 0)
    return refuse(
        formatv("scales from bytes {0} and {1} on, {2} of them", byteA, byteB, kind.groups));
  Product product{kind,
                  *a,
                  *b,
                  isUE8M0 ? Format::UE8M0 : Format::UE4M3,
                  n,
                  byteA,
                  byteB,
                  (call.in[7] & 1) != 0,
                  /*hasScales=*/true,
                  TensorAddress(call.in[0]),
                  TensorAddress(call.in[8]),
                  TensorAddress(call.in[10]),
                  MatrixDescriptor(wide(call.in + 2)),
                  MatrixDescriptor(wide(call.in + 4)),
                  {}};
  issueProduct(call, product, blocks == 2);
}

/// (D, A, B, instruction descriptor, whether to add to D, kind, group of blocks). Bits of the
/// instruction descriptor: 5:4 D is f32; 9:7, 12:10 A and B are bf16; 22:17 N / 8; 28:24 M / 16.
static void issuePlainProduct(LaneCall &call) {
  uint32_t descriptor = call.in[6];
  unsigned n = 8 * (descriptor >> 17 & 63);
  const unsigned blocks = call.in[9];
  if (call.in[8] != 0 || (descriptor & ~(63u << 17 | 9 << 7)) != (blocks << 27 | 1 << 4) ||
      n == 0 || n > kMostColumns || n % 16 != 0)
    return call.launch.fail(
        FaultKind::IllegalOperand,
        formatv("the instruction descriptor {0:x8}: not f16 or bf16 with f32 sums of {1} rows",
                descriptor, blocks * kProductRows));
  auto format = [&](unsigned bit) { return descriptor >> bit & 1 ? Format::BF16 : Format::F16; };
  TensorAddress d(call.in[0]);
  Product product{kPlainProduct,
                  format(7),
                  format(10),
                  Format::UE8M0,
                  n,
                  0,
                  0,
                  (call.in[7] & 1) != 0,
                  /*hasScales=*/false,
                  d,
                  d,
                  d,
                  MatrixDescriptor(wide(call.in + 2)),
                  MatrixDescriptor(wide(call.in + 4)),
                  {}};
  issueProduct(call, product, blocks == 2);
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

/// Once for the warp, whose lanes must agree about `words` operands.
static std::function<void(WarpCall &)>
once(unsigned words, std::function<void(WarpCall &, Thread &, const uint32_t *)> act) {
  return [=](WarpCall &call) {
    for (unsigned lane = 1; lane < 32; ++lane)
      if (!call.in[lane] || !std::equal(call.in[0], call.in[0] + words, call.in[lane]))
        return call.launch.fail(FaultKind::IllegalOperand,
                                "an instruction of the whole warp, whose lanes disagree");
    act(call, *call.warp.threads[0], call.in[0]);
  };
}

std::optional<Operation> findTensorOperation(llvm::StringRef name, bool isUniform) {
  Operation operation;
  operation.name = name.str();
  operation.minimumChip = 100;
  operation.maximumChip = 119;
  operation.needsFamily = true;
  operation.usesAsyncProxy = name.contains(".cp.") || name.contains(".mma.");
  if (!name.consume_front("tcgen05."))
    return std::nullopt;
  auto warp = [&](std::function<void(WarpCall &)> act) {
    operation.meeting = Meeting::Warp;
    operation.warp = std::move(act);
    return operation;
  };
  auto lane = [&](std::function<void(LaneCall &)> act) {
    operation.lane = std::move(act);
    return operation;
  };
  // What one block does, or a pair.
  llvm::StringRef action = name;
  bool isPair = action.consume_back(".cg2"), hasGroup = isPair || action.consume_back(".cg1");
  if (hasGroup && (action == "alloc" || action == "alloc.shared"))
    return warp(once(3, [=](WarpCall &call, Thread &thread, const uint32_t *in) {
      call.launch.allocateTensor(thread, wide(in), in[2], isPair);
    }));
  if (hasGroup && action == "dealloc")
    return warp(once(3, [=](WarpCall &call, Thread &thread, const uint32_t *in) {
      call.launch.freeTensor(thread, in[0], in[2], isPair);
    }));
  if (hasGroup && action == "relinq.alloc.permit")
    return warp(once(0, [](WarpCall &, Thread &thread, const uint32_t *) {
      thread.block->mayAllocateTensor = false;
    }));
  if (name == "wait.ld")
    return warp([](WarpCall &call) {
      for (unsigned i = 0; i < 32; ++i)
        if (call.mask >> i & 1)
          call.launch.waitForTensorLoads(*call.warp.threads[i]);
    });
  if (name == "wait.st")
    return warp([](WarpCall &call) {
      for (unsigned i = 0; i < 32; ++i)
        if (call.mask >> i & 1)
          call.launch.waitForTensorStores(*call.warp.threads[i]);
    });
  llvm::StringRef rest = name;
  bool isLoad = rest.consume_front("ld.32x32b.x");
  if (isLoad || rest.consume_front("st.32x32b.x")) {
    unsigned count;
    if (rest.getAsInteger(10, count) || !llvm::isPowerOf2_32(count) || count > 128)
      return std::nullopt;
    return warp([=](WarpCall &call) {
      for (unsigned i = 0; i < 32 && !call.launch.hasFailed(); ++i) {
        if (!(call.mask >> i & 1))
          continue;
        TensorAddress place(call.in[i][0]);
        if (isLoad)
          call.launch.loadTensor(*call.warp.threads[i], place, count, call.out[i]);
        else
          call.launch.storeTensor(*call.warp.threads[i], place, count, call.in[i] + 2);
      }
    });
  }
  if (name == "fence.before.thread.sync" || name == "fence.after.thread.sync")
    return lane([before = name.contains("before")](LaneCall &c) {
      c.launch.fenceTensor(c.thread, before);
    });
  if (hasGroup && (action == "commit" || action == "commit.shared"))
    return lane([](LaneCall &c) { c.launch.commitTensor(c.thread, wide(c.in), 0); });
  if (hasGroup && (action == "commit.mc" || action == "commit.mc.shared"))
    return lane([](LaneCall &c) { c.launch.commitTensor(c.thread, wide(c.in), c.in[2] & 0xFFFF); });
  if (hasGroup && action == "cp.32x128b_warpx4")
    return lane([=](LaneCall &c) {
      copyToAllQuarters(c, TensorAddress(c.in[0]), MatrixDescriptor(wide(c.in + 2)), isPair);
    });
  static const std::pair<llvm::StringLiteral, ProductKind> kinds[] = {
      {"mma.shared.mxf4nvf4.block_scale.block16", {64, 4, true, false, false}},
      {"mma.shared.mxf4nvf4.block_scale.block32", {64, 2, false, true, false}},
      {"mma.shared.mxf4.block_scale", {64, 2, false, true, false}},
      {"mma.shared.mxf4.block_scale.block32", {64, 2, false, true, false}},
      {"mma.shared.mxf8f6f4.block_scale", {32, 1, false, true, true}},
      {"mma.shared.mxf8f6f4.block_scale.block32", {32, 1, false, true, true}},
  };
  for (const auto &[kindName, kind] : kinds)
    if (name == kindName)
      return lane(
          [kind = kind, isUniform](LaneCall &c) { issueScaledProduct(c, kind, isUniform); });
  if (name == "mma.shared")
    return lane(issuePlainProduct);
  return std::nullopt;
}

} // namespace ufp4::emulator
