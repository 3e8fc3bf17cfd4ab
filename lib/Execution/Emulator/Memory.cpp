//===- Memory.cpp - Buffers and shared memory under watch ------------------===//

#include "Memory.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using llvm::formatv;

namespace ufp4::emulator {

//===----------------------------------------------------------------------===//
// HappensBefore
//===----------------------------------------------------------------------===//

void HappensBefore::reset(unsigned threadCount, bool hasProxies) {
  count = threadCount;
  each = hasProxies ? 3 : 1;
  clocks.assign(count * width(), 0);
  joined.resize(width());
  for (unsigned i = 0; i < count; ++i)
    row(i)[i * each] = 1;
}

unsigned HappensBefore::addAgents(unsigned number) {
  unsigned old = count;
  size_t oldWidth = width();
  count += number;
  std::vector<uint32_t> wider(count * width(), 0);
  for (unsigned i = 0; i < old; ++i)
    std::copy_n(clocks.begin() + i * oldWidth, oldWidth, wider.begin() + i * width());
  clocks = std::move(wider);
  joined.resize(width());
  for (unsigned i = old; i < count; ++i)
    row(i)[i * each] = 1;
  return old;
}

void HappensBefore::synchronize(llvm::ArrayRef<unsigned> threads) {
  std::fill(joined.begin(), joined.end(), 0);
  for (unsigned thread : threads) {
    const uint32_t *from = row(thread);
    for (size_t i = 0; i < width(); ++i)
      joined[i] = std::max(joined[i], from[i]);
  }
  for (unsigned thread : threads) {
    std::copy(joined.begin(), joined.end(), row(thread));
    ++row(thread)[thread * each];
  }
}

void HappensBefore::release(unsigned from, std::vector<uint32_t> &released) {
  released.resize(width(), 0);
  for (size_t i = 0; i < width(); ++i)
    released[i] = std::max(released[i], row(from)[i]);
  ++row(from)[from * each];
}

void HappensBefore::acquire(unsigned to, llvm::ArrayRef<uint32_t> released) {
  for (size_t i = 0; i < released.size(); ++i)
    row(to)[i] = std::max(row(to)[i], released[i]);
}

void HappensBefore::fence(unsigned thread, unsigned memories) {
  if (each == 1)
    return;
  uint32_t *own = row(thread);
  for (unsigned memory : {SharedFenced, GlobalFenced})
    for (size_t i = 0; memory & memories && i < width(); i += each)
      own[i + memory] = own[i];
  ++own[thread * each];
}

//===----------------------------------------------------------------------===//
// SharedMemory
//===----------------------------------------------------------------------===//

void SharedMemory::reset(char *newBase, unsigned newSize, unsigned threadCount, bool hasProxies,
                         unsigned newBlockCount) {
  base = newBase;
  size = newSize;
  blockCount = newBlockCount;
  bytes.assign(size_t(size) * blockCount, Byte());
  moreReads.clear();
  unusedReads.clear();
  order.reset(threadCount, hasProxies);
  // A value that shows when a check was missed: a NaN in every format.
  for (unsigned block = 0; block < blockCount; ++block)
    std::memset(base + block * blockStride, 0xFF, size);
}

std::string SharedMemory::nameByte(uint64_t index) const {
  std::string name = formatv("shared byte {0}", index % size);
  if (blockCount > 1)
    name += formatv(" of block {0} of the cluster", index / size);
  return name;
}

std::optional<Complaint> SharedMemory::checkBounds(uint64_t address, unsigned count) const {
  uint64_t offset = (address - reinterpret_cast<uint64_t>(base)) % blockStride;
  if (contains(address) && offset < size && count <= size - offset)
    return std::nullopt;
  return Complaint{FaultKind::OutOfBounds,
                   formatv("{0} bytes at shared offset {1} of {2} bytes", count, offset, size)};
}

std::optional<Complaint> SharedMemory::race(const char *what, const char *before, uint64_t offset,
                                            Stamp other) const {
  return Complaint{FaultKind::Race,
                   formatv("{0} of {1}, which thread {2} {3} with nothing between them that orders "
                           "the two",
                           what, nameByte(offset), other.thread, before)};
}

static Complaint notFenced(const char *what, const std::string &where, Stamp write) {
  return {FaultKind::Race,
          formatv("asynchronous {0} of {1}, which thread {2} wrote by the generic proxy, with no "
                  "fence.proxy.async between them",
                  what, where, write.thread)};
}

Complaint SharedMemory::barrierTouched(uint64_t offset) const {
  return {FaultKind::IllegalOperand,
          formatv("{0} is part of an mbarrier, which only its own instructions may touch",
                  nameByte(offset))};
}

void SharedMemory::markBarrier(uint64_t address, unsigned count, bool isBarrier) {
  for (unsigned i = 0; i < count; ++i)
    bytes[indexOf(address) + i].isBarrier = isBarrier;
}

std::optional<Complaint> SharedMemory::checkBarrierUse(unsigned thread, uint64_t address) const {
  const Byte &byte = bytes[indexOf(address)];
  if (order.isBefore(byte.write, thread))
    return std::nullopt;
  return race("use of the mbarrier", "initialized", indexOf(address), byte.write);
}

uint64_t SharedMemory::endOfRun(uint64_t index, uint64_t limit) const {
  uint64_t end = index + 1;
  while (end < limit && bytes[end] == bytes[index])
    ++end;
  return end;
}

void SharedMemory::dropReads(Byte &byte, unsigned count) {
  if (!byte.more)
    return;
  Reads &reads = moreReads[byte.more - 1];
  reads.bytes -= count;
  if (!reads.bytes) {
    reads.stamps.clear();
    unusedReads.push_back(byte.more);
  }
  byte.more = 0;
}

SharedMemory::Reads &SharedMemory::ownReads(Byte &byte, unsigned count) {
  if (byte.more && moreReads[byte.more - 1].bytes == count)
    return moreReads[byte.more - 1];
  uint32_t old = byte.more;
  if (unusedReads.empty()) {
    moreReads.emplace_back();
    byte.more = moreReads.size();
  } else {
    byte.more = unusedReads.back();
    unusedReads.pop_back();
  }
  Reads &own = moreReads[byte.more - 1];
  own.bytes = count;
  if (old) {
    own.stamps = moreReads[old - 1].stamps;
    moreReads[old - 1].bytes -= count;
  }
  return own;
}

void SharedMemory::addRead(Byte &byte, Stamp stamp, unsigned count) {
  if (!byte.read.valid() || order.isBefore(byte.read, stamp.thread)) {
    byte.read = stamp;
    return;
  }
  auto &stamps = ownReads(byte, count).stamps;
  for (Stamp &read : stamps)
    if (order.isBefore(read, stamp.thread)) {
      read = stamp;
      return;
    }
  stamps.push_back(stamp);
}

std::optional<Complaint> SharedMemory::checkWrite(unsigned thread, uint64_t offset, Byte &byte,
                                                  bool atomic, Proxy proxy) {
  auto conflicts = [&](Stamp other) {
    return other.valid() && !order.isBefore(other, thread) && !(atomic && other.atomic);
  };
  if (conflicts(byte.write))
    return race("write", "wrote", offset, byte.write);
  // Reads need no fence, save those of checkReads(): they are done before whatever orders them.
  if (!order.isFenced(byte.write, thread, HappensBefore::SharedFenced, proxy))
    return notFenced("write", nameByte(offset), byte.write);
  if (conflicts(byte.read))
    return race("write", "read", offset, byte.read);
  if (byte.more)
    for (Stamp read : moreReads[byte.more - 1].stamps)
      if (conflicts(read))
        return race("write", "read", offset, read);
  return std::nullopt;
}

std::optional<Complaint> SharedMemory::access(unsigned thread, uint64_t address, unsigned count,
                                              bool reads, bool writes, bool atomic, Proxy proxy) {
  if (auto complaint = checkBounds(address, count))
    return complaint;
  const uint64_t limit = indexOf(address) + count;
  Stamp now = order.now(thread, atomic, proxy);
  for (uint64_t i = limit - count, end; i < limit; i = end) {
    end = endOfRun(i, limit);
    Byte byte = bytes[i];
    if (byte.isBarrier)
      return barrierTouched(i);
    if (byte.copying)
      return Complaint{
          FaultKind::AsyncNotWaited,
          formatv("{0} of {1} under an asynchronous copy that thread {2} has not waited "
                  "for",
                  writes ? "write" : "read", nameByte(i), byte.write.thread)};
    if (reads) {
      if (!byte.initialized)
        return Complaint{FaultKind::UninitializedRead,
                         formatv("read of {0}, which nobody wrote", nameByte(i))};
      if (!order.isBefore(byte.write, thread) && !(atomic && byte.write.atomic))
        return race("read", "wrote", i, byte.write);
      if (!order.isFenced(byte.write, thread, HappensBefore::SharedFenced, proxy))
        return notFenced("read", nameByte(i), byte.write);
      addRead(byte, now, end - i);
    }
    if (writes) {
      if (auto complaint = checkWrite(thread, i, byte, atomic, proxy))
        return complaint;
      byte.write = now;
      byte.initialized = true;
      // Two atomic reads without order may follow one another: both stay until a plain write.
      if (!atomic) {
        byte.read = Stamp();
        dropReads(byte, end - i);
      }
    }
    std::fill(bytes.begin() + i, bytes.begin() + end, byte);
  }
  return std::nullopt;
}

std::optional<Complaint> SharedMemory::beginCopy(unsigned thread, uint64_t address, unsigned count,
                                                 Proxy proxy) {
  if (auto complaint = checkBounds(address, count))
    return complaint;
  const uint64_t limit = indexOf(address) + count;
  for (uint64_t i = limit - count, end; i < limit; i = end) {
    end = endOfRun(i, limit);
    Byte byte = bytes[i];
    if (byte.isBarrier)
      return barrierTouched(i);
    if (byte.copying)
      return Complaint{
          FaultKind::AsyncNotWaited,
          formatv("asynchronous copy to {0} under another that thread {1} has not waited "
                  "for",
                  nameByte(i), byte.write.thread)};
    if (auto complaint = checkWrite(thread, i, byte, false, proxy))
      return complaint;
    dropReads(byte, end - i);
    byte = Byte();
    byte.write = order.now(thread, false, proxy);
    byte.copying = true;
    std::fill(bytes.begin() + i, bytes.begin() + end, byte);
  }
  return std::nullopt;
}

std::optional<Complaint> SharedMemory::checkReads(uint64_t address, unsigned count,
                                                  llvm::ArrayRef<uint32_t> acquired) const {
  if (auto complaint = checkBounds(address, count))
    return complaint;
  uint64_t offset = indexOf(address);
  for (uint64_t i = offset; i < offset + count; ++i) {
    llvm::SmallVector<Stamp, 4> reads{bytes[i].read};
    if (bytes[i].more)
      llvm::append_range(reads, moreReads[bytes[i].more - 1].stamps);
    for (Stamp read : reads)
      if (!order.wasFenced(read, acquired, HappensBefore::SharedFenced))
        return Complaint{FaultKind::Race,
                         formatv("asynchronous write of {0}, which thread {1} read by the generic "
                                 "proxy, without its fence.proxy.async and then the writer's",
                                 nameByte(i), read.thread)};
  }
  return std::nullopt;
}

void SharedMemory::endCopy(unsigned thread, uint64_t address, llvm::ArrayRef<char> data) {
  uint64_t offset = indexOf(address);
  for (uint64_t i = offset; i < offset + data.size(); ++i) {
    bytes[i].copying = false;
    bytes[i].initialized = true;
    bytes[i].write = order.now(thread, false, bytes[i].write.proxy);
  }
  std::memcpy(reinterpret_cast<void *>(address), data.data(), data.size());
}

//===----------------------------------------------------------------------===//
// GlobalMemory
//===----------------------------------------------------------------------===//

bool GlobalMemory::contains(uint64_t address) const {
  return llvm::any_of(regions, [&](const Region &region) {
    return address >= region.begin && address < region.end;
  });
}

std::optional<Complaint> GlobalMemory::access(uint64_t address, unsigned size, bool reads,
                                              bool writes) {
  auto holds = [&](const Region &region) {
    return address >= region.begin && address < region.end && size <= region.end - address;
  };
  if (last >= regions.size() || !holds(regions[last])) {
    auto found = llvm::find_if(regions, holds);
    if (found == regions.end()) {
      // The buffer that lies nearest is the one that was meant.
      const Region *nearest = nullptr;
      uint64_t least = ~uint64_t(0);
      for (const Region &region : regions) {
        uint64_t away = address < region.begin  ? region.begin - address
                        : address >= region.end ? address - region.end
                                                : 0;
        if (away < least) {
          least = away;
          nearest = &region;
        }
      }
      if (!nearest || least > (uint64_t(1) << 32))
        return Complaint{FaultKind::OutOfBounds,
                         formatv("{0} of {1} bytes at address {2:x}, in no buffer",
                                 writes ? "write" : "read", size, address)};
      return Complaint{FaultKind::OutOfBounds,
                       formatv("{0} of {1} bytes at offset {2} of {3}, which has {4} bytes",
                               writes ? "write" : "read", size, int64_t(address - nearest->begin),
                               nearest->name, nearest->end - nearest->begin)};
    }
    last = found - regions.begin();
  }
  Region &region = regions[last];
  uint64_t offset = address - region.begin;
  if (writes && region.access == Access::Read)
    return Complaint{FaultKind::ReadOnlyWrite,
                     formatv("write of {0} bytes at offset {1} of {2}, which is an input", size,
                             offset, region.name)};
  if (region.access != Access::Write)
    return std::nullopt;
  if (reads)
    for (uint64_t i = offset; i < offset + size; ++i)
      if (!region.written[i])
        return Complaint{
            FaultKind::UninitializedRead,
            formatv("read of byte {0} of {1}, an output that nobody wrote there", i, region.name)};
  if (writes)
    std::fill_n(region.written.begin() + offset, size, 1);
  return std::nullopt;
}

void GlobalMemory::noteWrite(Stamp stamp, uint64_t block, uint64_t address, unsigned size) {
  Region &region = regions[last];
  if (region.writes.empty())
    region.writes.resize((region.end - region.begin) / kGranule + 1);
  uint64_t offset = address - region.begin;
  for (uint64_t i = offset / kGranule; i <= (offset + size - 1) / kGranule; ++i)
    region.writes[i] = {stamp, block};
}

std::optional<Complaint> GlobalMemory::readAsync(const HappensBefore &order, unsigned thread,
                                                 uint64_t block, uint64_t address, unsigned size) {
  if (auto complaint = access(address, size, true, false))
    return complaint;
  const Region &region = regions[last];
  if (region.writes.empty())
    return std::nullopt;
  uint64_t offset = address - region.begin;
  for (uint64_t i = offset / kGranule; i <= (offset + size - 1) / kGranule; ++i) {
    auto [stamp, writer] = region.writes[i];
    // How blocks are ordered is not known here.
    if (writer == block &&
        !order.isFenced(stamp, thread, HappensBefore::GlobalFenced, Proxy::Async))
      return notFenced("read", formatv("byte {0} of {1}", i * kGranule, region.name).str(), stamp);
  }
  return std::nullopt;
}

} // namespace ufp4::emulator
