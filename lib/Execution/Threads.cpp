//===- Threads.cpp - Threads for compiled code ----------------------------===//

#include "ufp4/Execution/Threads.h"

#include "ufp4/Numerics/FloatEnvironment.h"

#include "llvm/Support/Threading.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

using namespace ufp4;

static thread_local Executor *currentExecutor = nullptr;

ExecutorScope::ExecutorScope(Executor *executor) : outer(currentExecutor) {
  currentExecutor = executor;
}
ExecutorScope::~ExecutorScope() { currentExecutor = outer; }

/// How long a thread looks for work, or for the end of others' work, before it sleeps. A step's
/// loops follow one another within that, and waking a thread takes longer than most of them.
static constexpr std::chrono::microseconds kPatience{200};

static void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// Whether `condition` came true before patience ended.
template <typename Condition> static bool comesTrueSoon(Condition condition) {
  constexpr int looksPerReading = 64;
  auto end = std::chrono::steady_clock::now() + kPatience;
  do {
    for (int i = 0; i < looksPerReading; ++i) {
      if (condition())
        return true;
      relax();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

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
    auto isDone = [&] { return finished.load(std::memory_order_acquire) == pieces; };
    if (comesTrueSoon(isDone))
      return;
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, isDone);
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

/// The threads of a team beside the caller's.
class Workers {
public:
  Workers(unsigned count, bool patient) : patient(patient) {
    for (unsigned i = 0; i < count; ++i)
      threads.emplace_back([this] { work(); });
  }

  ~Workers() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      ended = true;
      waiting.store(1);
    }
    arrived.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }

  void schedule(std::function<void()> task, unsigned copies) {
    unsigned asleep;
    {
      std::lock_guard<std::mutex> lock(mutex);
      tasks.push_back({std::move(task), copies});
      waiting.store(tasks.size());
      asleep = sleeping;
    }
    for (unsigned i = 0; i < std::min(copies, asleep); ++i)
      arrived.notify_one();
  }

private:
  struct Task {
    std::function<void()> run;
    unsigned copies;
  };

  void work() {
    while (std::function<void()> task = take())
      task();
  }

  /// The next task; none at the end.
  std::function<void()> take() {
    if (patient)
      comesTrueSoon([&] { return waiting.load(std::memory_order_relaxed) != 0; });
    std::unique_lock<std::mutex> lock(mutex);
    ++sleeping;
    arrived.wait(lock, [&] { return ended || !tasks.empty(); });
    --sleeping;
    if (ended)
      return nullptr;
    Task &front = tasks.front();
    if (front.copies > 1) {
      --front.copies;
      return front.run;
    }
    std::function<void()> task = std::move(front.run);
    tasks.pop_front();
    waiting.store(tasks.size());
    return task;
  }

  const bool patient;
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<Task> tasks;
  /// How many there are, to be looked at without the mutex.
  std::atomic<size_t> waiting{0};
  unsigned sleeping = 0;
  bool ended = false;
};

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
  executor->schedule(
      [loop] {
        numerics::FloatEnvironment environment;
        loop->work();
      },
      std::min(threads, pieces) - 1);
  loop->work();
  loop->wait();
}

std::unique_ptr<Executor> ufp4::makeThreadTeam(unsigned threads) {
  if (threads < 2)
    return nullptr;
  // As many as were asked for, whatever this machine has; where it has fewer processors, who looks
  // for work is in the way of who has some.
  bool patient = threads <= llvm::hardware_concurrency().compute_thread_count();
  auto workers = std::make_shared<Workers>(threads - 1, patient);
  return std::make_unique<Executor>(
      Executor{threads, [workers](std::function<void()> task, unsigned copies) {
                 workers->schedule(std::move(task), copies);
               }});
}
