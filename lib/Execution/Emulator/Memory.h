//===- Memory.h - Buffers and shared memory under watch ---------*- C++ -*-===//

#ifndef UFP4_LIB_EXECUTION_EMULATOR_MEMORY_H
#define UFP4_LIB_EXECUTION_EMULATOR_MEMORY_H

#include "ufp4/Execution/Emulator/Emulator.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

namespace ufp4::emulator {

/// What an access found wrong; the launch adds who and where.
struct Complaint {
  FaultKind kind;
  std::string message;
};

/// The way to memory that an access takes (PTX ISA, "Proxies"): bulk and tensor copies and tensor
/// cores go the asynchronous one, which sees what came by the generic one only behind a fence.
enum class Proxy : uint8_t { Generic, Async };

/// An event of one thread, to be ordered against others.
struct Stamp {
  uint32_t clock = 0;
  uint16_t thread = 0;
  bool atomic = false;
  Proxy proxy = Proxy::Generic;
  bool valid() const { return clock != 0; }
};

/// Which events of a block happened before which, by one vector clock per thread. Everything that
/// synchronises threads calls synchronize(). Beside each entry may stand what of it a proxy fence
/// follows, which travels as the entry does: the fence may be anywhere on the way.
class HappensBefore {
public:
  /// The memory that a proxy fence is for.
  enum Fenced { SharedFenced = 1, GlobalFenced = 2 };

  void reset(unsigned threadCount, bool hasProxies = false);
  /// More threads, which are none of the block's: in whose names something is done for it. Returns
  /// the first one's number.
  unsigned addAgents(unsigned number = 1);
  /// What each of the threads did so far happens before all that any of them does from here on.
  void synchronize(llvm::ArrayRef<unsigned> threads);
  /// What `from` did so far becomes visible to the holder of a later acquire() of `clocks`.
  void release(unsigned from, std::vector<uint32_t> &clocks);
  void acquire(unsigned to, llvm::ArrayRef<uint32_t> clocks);

  /// Whatever a thread knows of is behind a fence for these memories from here on.
  void fence(unsigned thread, unsigned memories);

  Stamp now(unsigned thread, bool atomic = false, Proxy proxy = Proxy::Generic) const {
    return {row(thread)[thread * each], uint16_t(thread), atomic, proxy};
  }
  bool isBefore(Stamp event, unsigned thread) const {
    return row(thread)[event.thread * each] >= event.clock || event.thread == thread;
  }
  /// Whether a fence stands between an event of the generic proxy and what comes by another.
  bool isFenced(Stamp event, unsigned thread, Fenced memory, Proxy proxy) const {
    return event.proxy == proxy || proxy == Proxy::Generic || !event.valid() ||
           row(thread)[event.thread * each + memory] >= event.clock;
  }
  /// Whether one stood there already when somebody released `clocks`.
  bool wasFenced(Stamp event, llvm::ArrayRef<uint32_t> clocks, Fenced memory) const {
    size_t place = event.thread * each + memory;
    return event.proxy == Proxy::Async || !event.valid() ||
           (place < clocks.size() && clocks[place] >= event.clock);
  }

private:
  const uint32_t *row(unsigned thread) const { return clocks.data() + size_t(thread) * width(); }
  uint32_t *row(unsigned thread) { return clocks.data() + size_t(thread) * width(); }
  size_t width() const { return size_t(count) * each; }
  /// Threads, and numbers of a row for each: the clock, and if there are proxies what is fenced.
  unsigned count = 0, each = 1;
  std::vector<uint32_t> clocks, joined;
};

/// The shared memory of the blocks of the running cluster, byte by byte.
class SharedMemory {
public:
  /// `base` is where the first block's lies; `size` bytes of each may be used.
  void reset(char *base, unsigned size, unsigned threadCount, bool hasProxies, unsigned blockCount);

  bool contains(uint64_t address) const {
    uint64_t away = address - reinterpret_cast<uint64_t>(base);
    return away / blockStride < blockCount && away % blockStride < windowBytes;
  }
  /// The rank in the cluster of the block that an address inside belongs to.
  unsigned rankOf(uint64_t address) const {
    return (address - reinterpret_cast<uint64_t>(base)) / blockStride;
  }
  /// The same place in another block.
  uint64_t placeIn(unsigned rank, uint64_t address) const {
    return address + int64_t(blockStride) * (int64_t(rank) - int64_t(rankOf(address)));
  }
  /// One read, write or both by a thread. `size` bytes from `address`.
  std::optional<Complaint> access(unsigned thread, uint64_t address, unsigned size, bool reads,
                                  bool writes, bool atomic, Proxy proxy = Proxy::Generic);
  /// An asynchronous copy starts: its bytes may change from now on.
  std::optional<Complaint> beginCopy(unsigned thread, uint64_t address, unsigned size,
                                     Proxy proxy = Proxy::Generic);
  /// Before an asynchronous write that reads need fences before: of those who read, and then that
  /// of the thread that writes, which gave it `acquired`.
  std::optional<Complaint> checkReads(uint64_t address, unsigned size,
                                      llvm::ArrayRef<uint32_t> acquired) const;
  /// It has landed, in the order of the thread that waited for it.
  void endCopy(unsigned thread, uint64_t address, llvm::ArrayRef<char> data);

  /// Bytes that from now on are an mbarrier, or no longer.
  void markBarrier(uint64_t address, unsigned size, bool isBarrier);
  /// An mbarrier's use by a thread, which its initialization must be ordered before.
  std::optional<Complaint> checkBarrierUse(unsigned thread, uint64_t address) const;
  /// "shared byte 8", and of which block where there are several.
  std::string nameOf(uint64_t address) const { return nameByte(indexOf(address)); }

  HappensBefore order;

  /// Addresses up to this far from a block's base are taken to be meant as shared memory.
  static constexpr uint64_t windowBytes = 1 << 20;
  /// From one block's base to the next one's.
  static constexpr uint64_t blockStride = 1 << 24;
  static constexpr unsigned mostBlocks = 16;

private:
  struct Byte {
    Stamp write;
    Stamp read;
    /// Further reads that no later read follows: index into `moreReads`, plus 1.
    uint32_t more = 0;
    bool initialized = false;
    bool copying = false;
    bool isBarrier = false;
    bool unused = false;

    bool operator==(const Byte &other) const { return !std::memcmp(this, &other, sizeof(Byte)); }
  };
  static_assert(std::has_unique_object_representations_v<Byte>, "compared as it lies in memory");
  /// Of a number of bytes.
  struct Reads {
    llvm::SmallVector<Stamp, 4> stamps;
    unsigned bytes = 0;
  };
  std::optional<Complaint> checkBounds(uint64_t address, unsigned size) const;
  /// Of its byte among those of all blocks.
  uint64_t indexOf(uint64_t address) const {
    uint64_t away = address - reinterpret_cast<uint64_t>(base);
    return away / blockStride * size + away % blockStride;
  }
  std::string nameByte(uint64_t index) const;
  Complaint barrierTouched(uint64_t index) const;
  std::optional<Complaint> race(const char *what, const char *before, uint64_t index,
                                Stamp other) const;
  std::optional<Complaint> checkWrite(unsigned thread, uint64_t index, Byte &byte, bool atomic,
                                      Proxy proxy);
  /// Where bytes end that have the same past as one, up to a limit: what befalls them next befalls
  /// them alike, and is judged once for that many bytes.
  uint64_t endOfRun(uint64_t index, uint64_t limit) const;
  void addRead(Byte &byte, Stamp stamp, unsigned count);
  void dropReads(Byte &byte, unsigned count);
  /// Further reads of no other bytes than these.
  Reads &ownReads(Byte &byte, unsigned count);

  char *base = nullptr;
  unsigned size = 0, blockCount = 1;
  std::vector<Byte> bytes;
  std::vector<Reads> moreReads;
  /// Those of no byte.
  std::vector<uint32_t> unusedReads;
};

/// The buffers that a kernel may touch in global (or constant) memory.
class GlobalMemory {
public:
  struct Region {
    uint64_t begin, end;
    Access access;
    std::string name;
    /// One byte per byte of a `Write` region: whether the kernel wrote it.
    std::vector<uint8_t> written;
    /// The last write of each granule of 16 bytes, and in which block: only where noteWrite() is
    /// called.
    struct Write {
      Stamp stamp;
      uint64_t block;
    };
    std::vector<Write> writes;
  };
  std::vector<Region> regions;

  std::optional<Complaint> access(uint64_t address, unsigned size, bool reads, bool writes);
  /// A write of the generic proxy, just after its access() by the running block.
  void noteWrite(Stamp stamp, uint64_t block, uint64_t address, unsigned size);
  /// A read of the asynchronous proxy: access(), and what the block wrote must be fenced.
  std::optional<Complaint> readAsync(const HappensBefore &order, unsigned thread, uint64_t block,
                                     uint64_t address, unsigned size);
  bool contains(uint64_t address) const;

private:
  static constexpr unsigned kGranule = 16;
  size_t last = 0;
};

} // namespace ufp4::emulator

#endif // UFP4_LIB_EXECUTION_EMULATOR_MEMORY_H
