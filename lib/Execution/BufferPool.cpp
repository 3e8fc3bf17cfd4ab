//===- BufferPool.cpp - Memory for compiled code --------------------------===//

#include "ufp4/Execution/BufferPool.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <mutex>

using namespace ufp4;

namespace {

/// Lies before each buffer, which is aligned as the C library's are.
struct alignas(std::max_align_t) Header {
  /// Of header and buffer; 0 where the pool keeps none such.
  size_t bytes;
};

/// The C library is good at small ones.
constexpr size_t kLeast = 4096;

/// Sizes in steps of an eighth of a power of two, so that a buffer serves others of about its size.
size_t roundUp(size_t bytes) {
  size_t step = std::max(llvm::PowerOf2Ceil(bytes) / 16, uint64_t(sizeof(Header)));
  return llvm::alignTo(bytes, step);
}

class BufferPool {
public:
  /// Never destroyed: a result may outlive whatever runs at exit.
  static BufferPool &get() {
    static auto &pool = *new BufferPool;
    return pool;
  }

  void *allocate(size_t bytes) {
    if (bytes > std::numeric_limits<size_t>::max() / 2)
      return nullptr;
    size_t pooled = bytes < kLeast ? 0 : roundUp(bytes + sizeof(Header));
    Header *header = pooled ? take(pooled) : nullptr;
    if (!header) {
      header = static_cast<Header *>(std::malloc(pooled ? pooled : bytes + sizeof(Header)));
      if (!header)
        return nullptr;
      header->bytes = pooled;
    }
    return header + 1;
  }

  void release(void *buffer) {
    if (!buffer)
      return;
    Header *header = static_cast<Header *>(buffer) - 1;
    if (header->bytes == 0)
      return std::free(header);
    std::lock_guard<std::mutex> lock(mutex);
    used -= header->bytes;
    kept += header->bytes;
    buffers[header->bytes].push_back({header, ++time});
    trim();
  }

  void beginCall() {
    std::lock_guard<std::mutex> lock(mutex);
    if (calls++ == 0)
      before = most = used;
  }

  void endCall() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--calls != 0)
      return;
    // What one large call had is forgotten after some small ones.
    worthKeeping = std::max(most - before, worthKeeping / 8 * 7);
    trim();
  }

  size_t keptBytes() {
    std::lock_guard<std::mutex> lock(mutex);
    return kept;
  }

private:
  struct Kept {
    Header *header;
    uint64_t since;
  };

  /// One that is kept, or null; counts it either way.
  Header *take(size_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    used += bytes;
    most = std::max(most, used);
    auto found = buffers.find(bytes);
    if (found == buffers.end())
      return nullptr;
    // The latest, which may still be in a cache.
    Header *header = found->second.back().header;
    found->second.pop_back();
    if (found->second.empty())
      buffers.erase(found);
    kept -= bytes;
    return header;
  }

  /// Gives back the oldest beyond the limit.
  void trim() {
    size_t limit = 2 * std::max(worthKeeping, calls ? most - before : 0);
    while (kept > limit) {
      auto oldest = llvm::min_element(buffers, [](const auto &a, const auto &b) {
        return a.second.front().since < b.second.front().since;
      });
      kept -= oldest->first;
      std::free(oldest->second.front().header);
      oldest->second.pop_front();
      if (oldest->second.empty())
        buffers.erase(oldest);
    }
  }

  std::mutex mutex;
  /// By size, the oldest first.
  std::map<size_t, std::deque<Kept>> buffers;
  uint64_t time = 0;
  size_t used = 0, kept = 0;
  unsigned calls = 0;
  /// Of what runs: bytes in use when it began, and the most since then.
  size_t before = 0, most = 0;
  size_t worthKeeping = 0;
};

} // namespace

void *ufp4::allocateBuffer(size_t bytes) { return BufferPool::get().allocate(bytes); }

void *ufp4::allocateZeros(size_t count, size_t bytes) {
  size_t total;
  if (__builtin_mul_overflow(count, bytes, &total))
    return nullptr;
  void *buffer = allocateBuffer(total);
  if (buffer)
    std::memset(buffer, 0, total);
  return buffer;
}

void ufp4::freeBuffer(void *buffer) { BufferPool::get().release(buffer); }

size_t ufp4::getKeptBytes() { return BufferPool::get().keptBytes(); }

BufferPoolCall::BufferPoolCall() { BufferPool::get().beginCall(); }
BufferPoolCall::~BufferPoolCall() { BufferPool::get().endCall(); }
