//===- RuntimeTest.cpp - What compiled code calls: threads and memory -----===//

#include "ufp4/Execution/BufferPool.h"
#include "ufp4/Execution/Threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

using namespace ufp4;

namespace {

struct Visits {
  explicit Visits(int64_t count) : of(count) {}
  static void add(void *context, int64_t first, int64_t end) {
    auto &visits = *static_cast<Visits *>(context);
    EXPECT_LT(first, end);
    for (int64_t i = first; i < end; ++i)
      ++visits.of[i];
  }
  std::vector<std::atomic<int>> of;
};

void visitEachOnce(int64_t count, int64_t grain) {
  Visits visits(count);
  parallelFor(Visits::add, &visits, count, grain);
  for (int64_t i = 0; i < count; ++i)
    ASSERT_EQ(visits.of[i], 1) << i << " of " << count << " by " << grain;
}

TEST(Threads, EachIterationOnceWhateverTheTeam) {
  for (unsigned threads : {1u, 2u, 3u, 17u}) {
    std::unique_ptr<Executor> team = makeThreadTeam(threads);
    ExecutorScope scope(team.get());
    for (int64_t count : {0, 1, 2, 7, 64, 1000})
      for (int64_t grain : {1, 2, 64})
        visitEachOnce(count, grain);
  }
}

// One loop after the other: a task that comes late finds the next loop's, and takes it.
TEST(Threads, ManyLoopsInARow) {
  std::unique_ptr<Executor> team = makeThreadTeam(2);
  ExecutorScope scope(team.get());
  for (int i = 0; i < 2000; ++i)
    visitEachOnce(2 + i % 5, 1);
}

TEST(Threads, SeveralCallersShareATeam) {
  std::unique_ptr<Executor> team = makeThreadTeam(3);
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] {
      ExecutorScope scope(team.get());
      for (int j = 0; j < 200; ++j)
        visitEachOnce(24, 1);
    });
  for (std::thread &caller : callers)
    caller.join();
}

constexpr size_t kLarge = (size_t(1) << 20) - 4096;

TEST(BufferPool, KeepsWhatACallHadAtOnce) {
  void *first;
  {
    BufferPoolCall call;
    first = allocateBuffer(kLarge);
    std::memset(first, 1, kLarge);
    freeBuffer(first);
  }
  size_t kept = getKeptBytes();
  EXPECT_GE(kept, kLarge);
  BufferPoolCall call;
  // A little less is served by the same one.
  void *second = allocateBuffer(kLarge - 100);
  EXPECT_EQ(second, first);
  EXPECT_LE(getKeptBytes(), kept - kLarge);
  freeBuffer(second);
}

// What a caller collected and frees later goes back to the system, but for what a call may need.
TEST(BufferPool, GivesBackTheRest) {
  std::vector<void *> results;
  for (int i = 0; i < 64; ++i) {
    BufferPoolCall call;
    results.push_back(allocateBuffer(kLarge));
  }
  for (void *result : results)
    freeBuffer(result);
  EXPECT_LT(getKeptBytes(), 3 * kLarge);
  // And that is forgotten when calls need less.
  for (int i = 0; i < 64; ++i) {
    BufferPoolCall call;
    freeBuffer(allocateBuffer(8192));
  }
  EXPECT_LT(getKeptBytes(), kLarge);
}

TEST(BufferPool, ZerosAndLimits) {
  BufferPoolCall call;
  void *dirty = allocateBuffer(kLarge);
  std::memset(dirty, 0xFF, kLarge);
  freeBuffer(dirty);
  auto *zeros = static_cast<char *>(allocateZeros(kLarge / 8, 8));
  EXPECT_EQ(static_cast<void *>(zeros), dirty);
  EXPECT_TRUE(std::all_of(zeros, zeros + kLarge, [](char c) { return c == 0; }));
  freeBuffer(zeros);
  freeBuffer(nullptr);
  void *small = allocateBuffer(0);
  EXPECT_NE(small, nullptr);
  freeBuffer(small);
  EXPECT_EQ(allocateBuffer(~size_t(0)), nullptr);
  EXPECT_EQ(allocateZeros(~size_t(0), 2), nullptr);
}

} // namespace
