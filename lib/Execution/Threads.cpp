//===- Threads.cpp - Threads for compiled code ----------------------------===//

#include "ufp4/Execution/Threads.h"

#include "ufp4/Numerics/FloatEnvironment.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
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

/// One loop, shared by who comes. Who comes after all is done finds nothing left to do.
class SharedLoop : public SharedTask {
public:
  using Body = void (*)(void *context, int64_t first, int64_t end);

  /// One of this thread's that no task holds any more; `tasks` will. What a worker lets go is then
  /// not freed by it: it and the caller, who allocates, would wait for each other in the C library.
  static std::shared_ptr<SharedLoop> get(Body body, void *context, int64_t count, int64_t pieces,
                                         int64_t tasks) {
    static thread_local llvm::SmallVector<std::shared_ptr<SharedLoop>> mine;
    auto *found = llvm::find_if(
        mine, [](const auto &loop) { return loop->tasks.load(std::memory_order_acquire) == 0; });
    if (found == mine.end()) {
      mine.push_back(std::make_shared<SharedLoop>());
      found = &mine.back();
    }
    SharedLoop &loop = **found;
    loop.body = body;
    loop.context = context;
    loop.count = count;
    loop.pieces = pieces;
    loop.next.store(0);
    loop.finished.store(0);
    loop.tasks.store(tasks);
    return *found;
  }

  UFP4_NOINLINE void work() override {
    {
      numerics::FloatEnvironment environment;
      workHere();
    }
    tasks.fetch_sub(1, std::memory_order_release);
  }

  /// `work` under the floating-point environment as it is.
  UFP4_NOINLINE void workHere() {
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
  Body body;
  void *context;
  int64_t count, pieces;
  /// The next piece, how many are done, and tasks that are not over.
  std::atomic<int64_t> next{0}, finished{0}, tasks{0};
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
    }
    waiting.fetch_add(1);
    arrived.notify_all();
    for (std::thread &thread : threads)
      thread.join();
  }

  void schedule(std::shared_ptr<SharedTask> task, unsigned copies) {
    unsigned asleep;
    {
      std::lock_guard<std::mutex> lock(mutex);
      tasks.push_back({std::move(task), copies});
      asleep = sleeping;
    }
    // Once the mutex is free: who looks for work takes it at once.
    waiting.fetch_add(1);
    for (unsigned i = 0; i < std::min(copies, asleep); ++i)
      arrived.notify_one();
  }

private:
  struct Task {
    std::shared_ptr<SharedTask> task;
    unsigned copies;
  };

  void work() {
    while (std::shared_ptr<SharedTask> task = take())
      task->work();
  }

  /// The latest task, since older ones may be done without this thread; null at the end.
  std::shared_ptr<SharedTask> take() {
    if (patient)
      comesTrueSoon([&] { return waiting.load(std::memory_order_relaxed) > 0; });
    std::unique_lock<std::mutex> lock(mutex);
    ++sleeping;
    arrived.wait(lock, [&] { return ended || !tasks.empty(); });
    --sleeping;
    if (ended)
      return nullptr;
    Task &latest = tasks.back();
    if (--latest.copies > 0)
      return latest.task;
    std::shared_ptr<SharedTask> task = std::move(latest.task);
    tasks.pop_back();
    waiting.fetch_sub(1);
    return task;
  }

  const bool patient;
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<Task> tasks;
  /// About how many there are, to be looked at without the mutex; for a moment one too few.
  std::atomic<int64_t> waiting{0};
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
  int64_t others = std::min(threads, pieces) - 1;
  std::shared_ptr<SharedLoop> loop = SharedLoop::get(body, context, count, pieces, others);
  executor->schedule(loop, others);
  loop->workHere();
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
      Executor{threads, [workers](std::shared_ptr<SharedTask> task, unsigned copies) {
                 workers->schedule(std::move(task), copies);
               }});
}
