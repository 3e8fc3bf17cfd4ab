//===- TensorMemory.h - tcgen05's memory and what is under way in it -*- C++ -*-===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_TENSORMEMORY_H
#define UFP4_LIB_EXECUTION_EMULATOR_TENSORMEMORY_H

#include "Memory.h"

#include <deque>
#include <functional>

namespace ufp4::emulator {

struct Block;
struct Site;
struct Thread;

/// A place in tensor memory, as instructions give it: the lane above 16 bits of column.
struct TensorAddress {
  unsigned lane, column;
  explicit TensorAddress(uint32_t bits) : lane(bits >> 16), column(bits & 0xFFFF) {}
};

/// The tensor memory of a multiprocessor: cells of 32 bits, which are allocated by columns.
class TensorMemory {
public:
  static constexpr unsigned lanes = 128, columns = 512;

  void reset();
  /// The first of so many columns, at the end of what is free; nothing where there are not so many.
  std::optional<unsigned> allocate(unsigned count);
  /// Nothing where they are what one allocation gave and `agent` may free them.
  std::optional<Complaint> free(const HappensBefore &order, unsigned agent, unsigned thread,
                                unsigned first, unsigned count);
  bool hasAllocations() const { return !allocations.empty(); }

  std::optional<Complaint> read(const HappensBefore &order, unsigned agent, unsigned lane,
                                unsigned column, uint32_t &value);
  std::optional<Complaint> write(const HappensBefore &order, unsigned agent, unsigned lane,
                                 unsigned column, uint32_t value);
  /// A write that needs what was there.
  std::optional<Complaint> update(const HappensBefore &order, unsigned agent, unsigned lane,
                                  unsigned column, llvm::function_ref<uint32_t(uint32_t)> combine);

private:
  struct Cell {
    uint32_t value = 0;
    bool initialized = false;
    Stamp written;
    /// None of them before another.
    llvm::SmallVector<Stamp, 1> reads;
  };
  std::optional<Complaint> check(unsigned lane, unsigned column) const;
  std::optional<Complaint> checkRead(const HappensBefore &order, unsigned agent, unsigned lane,
                                     unsigned column) const;
  std::optional<Complaint> checkWrite(const HappensBefore &order, unsigned agent, unsigned lane,
                                      unsigned column) const;
  Cell &at(unsigned lane, unsigned column) { return cells[column * lanes + lane]; }
  const Cell &at(unsigned lane, unsigned column) const { return cells[column * lanes + lane]; }

  std::vector<Cell> cells;
  /// First column and number of each.
  std::vector<std::pair<unsigned, unsigned>> allocations;
};

/// What a thread has issued and nobody has seen the end of, in order: copies, products and commits.
/// Tensor cores do it in the names of agents, as HappensBefore has them: products follow all before
/// them, but a copy does not follow products (PTX ISA, "Pipelined tcgen05 Instructions").
struct TensorQueue {
  struct Entry {
    Site *site;
    /// What the thread knew when it issued it: of shared memory and of tensor memory.
    std::vector<uint32_t> shared, tensor;
    bool isCopy = false;
    /// Null for a commit.
    std::function<std::optional<Complaint>(TensorQueue &)> execute;
    /// What a commit arrives at.
    llvm::SmallVector<uint64_t, 2> barriers;
  };
  Thread *thread = nullptr;
  unsigned sharedAgent, copyAgent, productAgent;
  std::deque<Entry> entries;
};

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_TENSORMEMORY_H
