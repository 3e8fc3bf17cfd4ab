//===- Threads.h - Threads for compiled code --------------------*- C++ -*-===//
//
// Code that was compiled with the CPU pipeline's `threads` shares its loops between the threads of
// the executor that its caller names; without one it runs on the caller's thread alone.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_THREADS_H
#define UFP4_EXECUTION_THREADS_H

#include <cstdint>
#include <functional>
#include <memory>

namespace ufp4 {

/// Work that several threads may do together; it never waits for other work.
class SharedTask {
public:
  virtual ~SharedTask() = default;
  virtual void work() = 0;
};

/// Threads that someone owns.
struct Executor {
  /// How many may work at once, the caller's included.
  unsigned threads;
  /// Calls the task's `work` at some time on each of up to `copies` other threads.
  std::function<void(std::shared_ptr<SharedTask> task, unsigned copies)> schedule;
};

/// Threads of its own, which end with it: the caller's and `threads` - 1 more; null for one.
std::unique_ptr<Executor> makeThreadTeam(unsigned threads);

/// For its lifetime compiled code that this thread calls uses `executor`; null is none.
class ExecutorScope {
public:
  explicit ExecutorScope(Executor *executor);
  ~ExecutorScope();
  ExecutorScope(const ExecutorScope &) = delete;
  ExecutorScope &operator=(const ExecutorScope &) = delete;

private:
  Executor *outer;
};

/// What compiled code calls as `ufp4ParallelFor` (Support/Runtime.h).
void parallelFor(void (*body)(void *context, int64_t first, int64_t end), void *context,
                 int64_t count, int64_t grain);

} // namespace ufp4

#endif // UFP4_EXECUTION_THREADS_H
