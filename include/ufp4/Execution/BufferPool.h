//===- BufferPool.h - Memory for compiled code ------------------*- C++ -*-===//
//
// A step allocates the same buffers each time that it runs. Where the C library gives theirs back
// to the system in between, a good part of a step's time goes to fresh pages.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_BUFFERPOOL_H
#define UFP4_EXECUTION_BUFFERPOOL_H

#include <cstddef>

namespace ufp4 {

/// What compiled code calls as `malloc`, `calloc` and `free`, from any thread. Freed buffers are
/// kept for the next call, up to twice the bytes that calls of late have had at once.
void *allocateBuffer(size_t bytes);
void *allocateZeros(size_t count, size_t bytes);
void freeBuffer(void *buffer);

/// Bytes that are kept and in no use.
size_t getKeptBytes();

/// For its lifetime a call of compiled code is running.
class BufferPoolCall {
public:
  BufferPoolCall();
  ~BufferPoolCall();
  BufferPoolCall(const BufferPoolCall &) = delete;
  BufferPoolCall &operator=(const BufferPoolCall &) = delete;
};

} // namespace ufp4

#endif // UFP4_EXECUTION_BUFFERPOOL_H
