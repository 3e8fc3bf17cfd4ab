//===- Threads.h - Threads for compiled code --------------------*- C++ -*-===//
//
// Code that was compiled with the CPU pipeline's `threads` shares its loops between the threads of
// the executor that its caller names; without one it runs on the caller's thread alone.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_THREADS_H
#define UFP4_EXECUTION_THREADS_H

#include "ufp4/Execution/Jit.h"

#include <functional>
#include <memory>
#include <vector>

namespace ufp4 {

/// Threads that someone owns.
class Executor {
public:
  virtual ~Executor();
  /// Threads that may work at once, the caller's included.
  virtual unsigned threads() const = 0;
  /// Runs `task` at some time on some thread; it never waits for another task.
  virtual void schedule(std::function<void()> task) = 0;
};

/// Threads of its own, which end with it: the caller's and `threads` - 1 more.
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

/// What compiled code calls (Support/Runtime.h).
JitSymbol parallelForSymbol();

} // namespace ufp4

#endif // UFP4_EXECUTION_THREADS_H
