//===- LaunchControlTest.cpp - Blocks that others compute ------------------===//
//
// Breaks when a block is computed twice or by nobody, an answer can be read before it has come, or
// something undefined is done with one unseen.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {

constexpr Dim3 grid{3, 2, 2};

/// 32 threads add 1 to out[block], for their own block and those that they are given; thread 0
/// asks. `%turn` counts blocks.
const std::string kernel = R"(
@answer = internal addrspace(3) global [16 x i8] undef, align 16
@b = internal addrspace(3) global i64 undef, align 8
define ptx_kernel void @k(ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %zero = icmp eq i32 %tid, 0
  br i1 %zero, label %init, label %meet
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %bx = phi i32 [ %x, %meet ], [ %nx, %further ]
  %by = phi i32 [ %y, %meet ], [ %ny, %further ]
  %bz = phi i32 [ %z, %meet ], [ %nz, %further ]
  %turn = phi i32 [ 0, %meet ], [ %following, %further ]
  br i1 %zero, label %ask, label %wait
ask:
  call void @llvm.nvvm.fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster()
  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 16)
  call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3) @answer, ptr addrspace(3) @b)
  %row = mul i32 %bz, 2
  %row.y = add i32 %row, %by
  %first = mul i32 %row.y, 3
  %block = add i32 %first, %bx
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %block
  %before = load i32, ptr addrspace(1) %o
  %after = add i32 %before, 1
  store i32 %after, ptr addrspace(1) %o
  br label %wait
wait:
  %parity = and i32 %turn, 1
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @b, i32 %parity)
  br i1 %done, label %come, label %wait
come:
  %bytes = load volatile i128, ptr addrspace(3) @answer, align 16
  %given = call i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128 %bytes)
  br i1 %given, label %further, label %end
further:
  %nx = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128 %bytes)
  %ny = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128 %bytes)
  %nz = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.z(i128 %bytes)
  %following = add i32 %turn, 1
  call void @llvm.nvvm.fence.proxy.async_generic.release.sync_restrict.space.cta.scope.cluster()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  br label %loop
end:
  ret void
}
)";

/// How often each block was computed; blocks that were run come in `ran`.
std::vector<uint32_t> run(Takeover takeover, uint64_t seed, uint64_t &ran,
                          const std::string &text = kernel) {
  auto module = mustLoad(text, "sm_100a");
  std::vector<uint32_t> times(grid.volume(), 0);
  LaunchOptions options;
  options.takeover = takeover;
  options.seed = seed;
  LaunchStats stats = mustLaunch(*module, "k", grid, {32, 1, 1}, 0,
                                 {out(times, "out", Access::ReadWrite)}, options);
  ran = stats.operations["mbarrier.init.shared"];
  EXPECT_EQ(stats.operations["clusterlaunchcontrol.try_cancel.async.shared"], grid.volume());
  return times;
}

TEST(LaunchControl, EveryBlockIsComputedOnce) {
  const std::vector<uint32_t> once(grid.volume(), 1);
  uint64_t ran;
  EXPECT_EQ(run(Takeover::All, 0, ran), once);
  EXPECT_EQ(ran, 1u);
  EXPECT_EQ(run(Takeover::None, 0, ran), once);
  EXPECT_EQ(ran, grid.volume());
  for (uint64_t seed : {0, 1, 2, 3}) {
    EXPECT_EQ(run(Takeover::Random, seed, ran), once);
    EXPECT_GT(ran, 1u);
    EXPECT_LT(ran, grid.volume());
  }
}

/// By any schedule of the threads one of the kinds, whose text has the part.
void expectFaultOf(const std::string &text, std::initializer_list<FaultKind> kinds,
                   llvm::StringRef part = "") {
  auto module = mustLoad(text, "sm_100a");
  for (uint64_t seed : {0, 1, 2}) {
    std::vector<uint32_t> times(grid.volume(), 0);
    LaunchOptions options;
    options.takeover = Takeover::All;
    options.seed = seed;
    auto stats =
        module->launch("k", grid, {32, 1, 1}, 0, {out(times, "out", Access::ReadWrite)}, options);
    std::optional<Fault> fault = takeFault(stats.takeError());
    ASSERT_TRUE(fault);
    EXPECT_TRUE(llvm::is_contained(kinds, fault->kind)) << fault->text;
    EXPECT_NE(fault->text.find(part.str()), std::string::npos) << fault->text;
  }
}

TEST(LaunchControl, AnswersComeLate) {
  expectFaultOf(replaced(kernel, "br i1 %done, label %come, label %wait", "br label %come"),
                {FaultKind::AsyncNotWaited, FaultKind::UninitializedRead});
  // Whoever waits for another phase finds the first one complete.
  expectFaultOf(replaced(kernel, "%parity = and i32 %turn, 1", "%parity = add i32 1, 0"),
                {FaultKind::AsyncNotWaited, FaultKind::UninitializedRead});
}

// Thread 0 asks again while others may be reading.
TEST(LaunchControl, AskingWhileOthersRead) {
  expectFaultOf(replaced(kernel, "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)", ""),
                {FaultKind::Race, FaultKind::AsyncNotWaited});
}

// Reads go by another proxy than the next answer.
TEST(LaunchControl, ProxyFences) {
  const std::string call = "call void @llvm.nvvm.fence.proxy.async", any = call + "()\n  ",
                    released =
                        call + "_generic.release.sync_restrict.space.cta.scope.cluster()\n  ",
                    acquired =
                        call + "_generic.acquire.sync_restrict.space.cluster.scope.cluster()\n  ",
                    meet = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)\n  ";
  const std::string unfenced = replaced(replaced(kernel, released, ""), acquired, "");
  // The reader's stands before the writer learns of the read, the writer's behind that.
  for (const std::string &text : {replaced(kernel, released, ""), replaced(kernel, acquired, ""),
                                  replaced(unfenced, meet, any + meet)})
    expectFaultOf(text, {FaultKind::Race}, "read by the generic proxy");
  uint64_t ran;
  EXPECT_EQ(run(Takeover::All, 0, ran, replaced(unfenced, meet, meet + any)),
            std::vector<uint32_t>(grid.volume(), 1));
}

TEST(LaunchControl, AfterTheLastBlock) {
  std::string text = replaced(kernel, "br i1 %given, label %further, label %end",
                              "%most = icmp ult i32 %turn, 20\n"
                              "  br i1 %most, label %further, label %end");
  expectFaultOf(text, {FaultKind::IllegalOperand}, "no block was given");
  for (const char *axis : {"x", "y", "z"}) {
    std::string query = std::string("%n") + axis;
    size_t at = text.find(query + " = call"), end = text.find('\n', at);
    text.replace(at, end - at, query + " = add i32 0, 0");
  }
  expectFaultOf(text, {FaultKind::IllegalOperand}, "after the block has seen");
}

/// The same by clusters of two blocks along y: the first asks, and what it is given is there for
/// both once the other has read what it had before.
std::string kernelOfPairs() {
  std::string text = kernel;
  text =
      replaced(text, "define ptx_kernel void @k(ptr addrspace(1) %out) {",
               "define ptx_kernel void @k(ptr addrspace(1) %out) \"nvvm.cluster_dim\"=\"1,2,1\" {");
  text = replaced(text, "  %zero = icmp eq i32 %tid, 0\n",
                  "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"
                  "  %zero = icmp eq i32 %tid, 0\n"
                  "  %leads = icmp eq i32 %rank, 0\n");
  text = replaced(text, "meet:\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
                  "meet:\n  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
                  "  call void @llvm.nvvm.barrier.cluster.wait.aligned()");
  text = replaced(text, "  call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared",
                  "  br i1 %leads, label %request, label %count\n"
                  "request:\n"
                  "  call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.multicast.shared");
  text = replaced(text, "  %row = mul i32 %bz, 2\n",
                  "  br label %count\ncount:\n  %row = mul i32 %bz, 2\n");
  // What is given is the first block of a cluster.
  text = replaced(text, "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)",
                  "  %ny = add i32 %fy, %rank\n"
                  "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
                  "  call void @llvm.nvvm.barrier.cluster.wait.aligned()");
  return replaced(text, "%ny = call i32", "%fy = call i32");
}

TEST(LaunchControl, AnswersForAWholeCluster) {
  auto module = mustLoad(kernelOfPairs(), "sm_100a");
  for (Takeover takeover : {Takeover::All, Takeover::None, Takeover::Random})
    for (uint64_t seed : {0, 1, 2}) {
      std::vector<uint32_t> times(grid.volume(), 0);
      LaunchOptions options;
      options.takeover = takeover;
      options.seed = seed;
      LaunchStats stats = mustLaunch(*module, "k", grid, {32, 1, 1}, 0,
                                     {out(times, "out", Access::ReadWrite)}, options);
      EXPECT_EQ(times, std::vector<uint32_t>(grid.volume(), 1));
      EXPECT_EQ(stats.operations["clusterlaunchcontrol.try_cancel.async.multicast.shared"],
                grid.volume() / 2);
    }
}

// Before the other block has read its copy; and to the block that asks alone.
TEST(LaunchControl, FaultsOfAWholeCluster) {
  std::string text = kernelOfPairs();
  size_t last = text.rfind("  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n");
  std::string alone = text;
  alone.replace(last, alone.find("label %loop", last) - last,
                "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)\n  br ");
  expectFaultOf(alone, {FaultKind::Race, FaultKind::AsyncNotWaited});
  expectFaultOf(replaced(text, "try_cancel.async.multicast.shared", "try_cancel.async.shared"),
                {FaultKind::Deadlock});
}

TEST(LaunchControl, OtherBytes) {
  expectFaultOf(replaced(kernel, "is_canceled(i128 %bytes)", "is_canceled(i128 7)"),
                {FaultKind::IllegalOperand}, "no answer");
  expectFaultOf(replaced(kernel, "shared(ptr addrspace(3) @answer,",
                         "shared(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @answer, i32 "
                         "8),"),
                {FaultKind::Misaligned});
}

} // namespace
