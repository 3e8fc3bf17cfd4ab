//===- Threads.cpp - Threads for compiled code ----------------------------===//

#include "ufp4/Execution/Threads.h"

#include "ufp4/Numerics/FloatEnvironment.h"

#include "llvm/Support/ThreadPool.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

using namespace ufp4;

static thread_local Executor *currentExecutor = nullptr;

ExecutorScope::ExecutorScope(Executor *executor) : outer(currentExecutor) {
  currentExecutor = executor;
}
ExecutorScope::~ExecutorScope() { currentExecutor = outer; }

namespace {

/// One loop, shared by who comes. A task that starts after all is done finds nothing left to do.
class SharedLoop {
public:
  using Body = void (*)(void *context, int64_t first, int64_t end);

  SharedLoop(Body body, void *context, int64_t count, int64_t pieces)
      : body(body), context(context), count(count), pieces(pieces) {}

  UFP4_NOINLINE void work() {
    int64_t mine = 0;
    for (int64_t piece; (piece = next.fetch_add(1)) < pieces; ++mine)
      body(context, count * piece / pieces, count * (piece + 1) / pieces);
    if (mine && finished.fetch_add(mine) + mine == pieces) {
      std::lock_guard<std::mutex> lock(mutex);
      done.notify_all();
    }
  }

  void wait() {
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [&] { return finished.load() == pieces; });
  }

private:
  const Body body;
  void *const context;
  const int64_t count, pieces;
  std::atomic<int64_t> next{0}, finished{0};
  std::mutex mutex;
  std::condition_variable done;
};

/// Pieces for each thread, so that one that is held up leaves its share to others.
constexpr int64_t kPiecesPerThread = 4;

} // namespace

void ufp4::parallelFor(SharedLoop::Body body, void *context, int64_t count, int64_t grain) {
  Executor *executor = currentExecutor;
  int64_t threads = executor ? executor->threads : 1;
  int64_t pieces = std::min(count / grain, threads * kPiecesPerThread);
  if (threads < 2 || pieces < 2) {
    if (count > 0)
      body(context, 0, count);
    return;
  }
  auto loop = std::make_shared<SharedLoop>(body, context, count, pieces);
  for (int64_t i = 1; i < std::min(threads, pieces); ++i)
    executor->schedule([loop] {
      numerics::FloatEnvironment environment;
      loop->work();
    });
  loop->work();
  loop->wait();
}

std::unique_ptr<Executor> ufp4::makeThreadTeam(unsigned threads) {
  if (threads < 2)
    return nullptr;
  // As many as were asked for, whatever this machine has.
  llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(threads - 1);
  strategy.Limit = false;
  auto pool = std::make_shared<llvm::DefaultThreadPool>(strategy);
  return std::make_unique<Executor>(
      Executor{threads, [pool](std::function<void()> task) { pool->async(std::move(task)); }});
}
