//===- WarpTest.cpp - Lanes that exchange values ---------------------------===//

#include "Harness.h"

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

static std::vector<std::vector<uint32_t>> numbered(unsigned lanes) {
  std::vector<std::vector<uint32_t>> in;
  for (unsigned i = 0; i < lanes; ++i)
    in.push_back({100 + i});
  return in;
}

TEST(Warp, Shuffles) {
  auto run = [](const std::string &mode, int b, int c) {
    std::string name = "@llvm.nvvm.shfl.sync." + mode + ".i32p";
    return runLanes(laneKernel("  %r = call { i32, i1 } " + name + "(i32 -1, i32 %x0, i32 " +
                                   std::to_string(b) + ", i32 " + std::to_string(c) +
                                   ")\n  %y0 = extractvalue { i32, i1 } %r, 0\n"
                                   "  %p = extractvalue { i32, i1 } %r, 1\n"
                                   "  %y1 = zext i1 %p to i32\n",
                               1, 2, "declare { i32, i1 } " + name + "(i32, i32, i32, i32)\n"),
                    numbered(32), 2);
  };
  auto up = run("up", 3, 0), down = run("down", 5, 31), cross = run("bfly", 9, 31),
       index = run("idx", 6, 31), segments = run("idx", 1, 0x181F), shortUp = run("up", 1, 0x1800);
  for (unsigned l = 0; l < 32; ++l) {
    EXPECT_EQ(up[l], (std::vector<uint32_t>{100 + (l >= 3 ? l - 3 : l), l >= 3}));
    EXPECT_EQ(down[l], (std::vector<uint32_t>{100 + (l + 5 < 32 ? l + 5 : l), l + 5 < 32}));
    EXPECT_EQ(cross[l], (std::vector<uint32_t>{100 + (l ^ 9), 1}));
    EXPECT_EQ(index[l], (std::vector<uint32_t>{106, 1}));
    // Segments of 8 lanes.
    EXPECT_EQ(segments[l], (std::vector<uint32_t>{100 + l / 8 * 8 + 1, 1}));
    EXPECT_EQ(shortUp[l], (std::vector<uint32_t>{100 + (l % 8 ? l - 1 : l), l % 8 != 0}));
  }
}

TEST(Warp, VotesMatchesReductions) {
  std::string text = laneKernel(R"(
  %odd = trunc i32 %x0 to i1
  %y0 = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %odd)
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %odd)
  %a = zext i1 %all to i32
  %b0 = zext i1 %any to i32
  %b = shl i32 %b0, 1
  %y1 = or i32 %a, %b
  %third = urem i32 %x0, 3
  %y2 = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %third)
  %y3 = call i32 @llvm.nvvm.redux.sync.add(i32 %x0, i32 -1)
  %y4 = call i32 @llvm.nvvm.redux.sync.umax(i32 %x0, i32 -1)
  %e = call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
  %e1 = extractvalue { i32, i1 } %e, 1
  %y5 = zext i1 %e1 to i32
)",
                                1, 6,
                                "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)\n"
                                "declare i1 @llvm.nvvm.vote.all.sync(i32, i1)\n"
                                "declare i1 @llvm.nvvm.vote.any.sync(i32, i1)\n"
                                "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)\n"
                                "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)\n"
                                "declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)\n"
                                "declare { i32, i1 } @llvm.nvvm.elect.sync(i32)\n");
  auto results = runLanes(text, numbered(32), 6, "sm_90");
  for (unsigned l = 0; l < 32; ++l) {
    uint32_t same = 0;
    for (unsigned other = 0; other < 32; ++other)
      same |= uint32_t((100 + other) % 3 == (100 + l) % 3) << other;
    EXPECT_EQ(results[l], (std::vector<uint32_t>{0xAAAAAAAA, 2, same, 3200 + 496, 131, l == 0}));
  }
}

/// Lanes of both halves of the warp work apart; the mask says which half.
TEST(Warp, MembersOfAMask) {
  std::string text =
      laneKernel(R"(
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %first, label %second
first:
  %u = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 65535, i32 %x0, i32 1, i32 31)
  br label %join
second:
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -65536, i32 %x0, i32 2, i32 31)
  br label %join
join:
  %y0 = phi i32 [ %u, %first ], [ %v, %second ]
)",
                 1, 1, "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n");
  auto results = runLanes(text, numbered(32), 1);
  for (unsigned l = 0; l < 32; ++l)
    EXPECT_EQ(results[l][0], 100 + (l ^ (l < 16 ? 1 : 2)));
}

TEST(WarpFaults, ReadingALaneOutsideTheMask) {
  auto module =
      mustLoad(laneKernel(R"(
  %low = icmp ult i32 %tid, 16
  br i1 %low, label %first, label %join
first:
  %u = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 65535, i32 %x0, i32 20, i32 31)
  br label %join
join:
  %y0 = phi i32 [ %u, %first ], [ 0, %0 ]
)",
                          1, 1, "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"));
  std::vector<uint32_t> data(32), result(32);
  expectFault(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")},
              FaultKind::IllegalOperand, "lane 20");
}

TEST(WarpFaults, LaneThatIsNotInItsMask) {
  auto module = mustLoad(laneKernel(
      "  %y0 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 65535, i32 %x0, i32 0, i32 31)\n", 1, 1,
      "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"));
  std::vector<uint32_t> data(32), result(32);
  expectFault(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")},
              FaultKind::IllegalOperand, "member mask");
}

TEST(WarpFaults, LaneThatNeverComes) {
  auto module =
      mustLoad(laneKernel(R"(
  %low = icmp ult i32 %tid, 31
  br i1 %low, label %first, label %join
first:
  %u = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x0, i32 0, i32 31)
  br label %join
join:
  %y0 = phi i32 [ %u, %first ], [ 0, %0 ]
)",
                          1, 1, "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)\n"));
  std::vector<uint32_t> data(32), result(32);
  expectFault(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")}, FaultKind::Deadlock,
              "31 from thread 0 on wait at an operation of warp 0 for lanes "
              "0xffffffff");
}
