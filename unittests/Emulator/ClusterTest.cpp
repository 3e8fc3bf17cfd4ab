//===- ClusterTest.cpp - Blocks that run together --------------------------===//
//
// Breaks when an address of another block's shared memory means some other place, when what blocks
// do to each other is ordered by less than PTX asks for, or when a block that has ended is used.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {

constexpr unsigned kThreads = 32, kBlocks = 4, kCluster = 2;

const char *const kMeet = "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n"
                          "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n",
                  *const kWait = R"(  br label %ask
ask:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @b, i32 0)
  br i1 %done, label %go, label %ask
go:
)";

/// A kernel of pairs of blocks: @s is 32 words of shared memory, @b an mbarrier for one arrival
/// that is initialized. In the body, %rank and %other are the blocks' ranks, %own = &s[tid],
/// %theirs the same in the other block, %b7 the other block's @b, %o = &out[ctaid * 32 + tid].
std::string kernel(const std::string &body) {
  return R"(
@s = internal addrspace(3) global [32 x i32] undef, align 16
@b = internal addrspace(3) global i64 undef, align 8
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %other = xor i32 %rank, 1
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  %theirs = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %own, i32 %other)
  %b7 = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @b, i32 %other)
  %rows = mul i32 %block, 32
  %place = add i32 %rows, %tid
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  %value = mul i32 %place, 10
  %zero = icmp eq i32 %tid, 0
  %isFirst = icmp eq i32 %rank, 0
  %leads = and i1 %zero, %isFirst
  br i1 %zero, label %init, label %initialized
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)
  br label %initialized
initialized:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
)" + body +
         "  ret void\n}\n";
}

llvm::Expected<LaunchStats> launch(const std::string &text, std::vector<uint32_t> &result,
                                   uint64_t seed, Dim3 cluster = {kCluster}) {
  auto module = mustLoad(text, "sm_90");
  std::vector<uint32_t> data(kThreads);
  for (unsigned i = 0; i < kThreads; ++i)
    data[i] = 100 + i;
  LaunchOptions options;
  options.seed = seed;
  options.cluster = cluster;
  return module->launch("k", {kBlocks}, {kThreads}, 0, {in(data, "in"), out(result, "out")},
                        options);
}

std::vector<uint32_t> run(const std::string &text) {
  std::vector<uint32_t> result(kBlocks * kThreads);
  for (uint64_t seed : {0, 1, 2, 3})
    if (auto fault = takeFault(launch(text, result, seed).takeError()))
      ADD_FAILURE() << fault->text;
  return result;
}

void expectSomeFault(const std::string &text, std::initializer_list<FaultKind> kinds,
                     llvm::StringRef part = "", std::initializer_list<uint64_t> seeds = {0, 1, 2}) {
  for (uint64_t seed : seeds) {
    std::vector<uint32_t> result(kBlocks * kThreads);
    auto stats = launch(text, result, seed);
    ASSERT_FALSE(bool(stats)) << "seed " << seed;
    auto fault = takeFault(stats.takeError());
    EXPECT_TRUE(llvm::is_contained(kinds, fault->kind)) << fault->text;
    EXPECT_NE(fault->text.find(part.str()), std::string::npos) << fault->text;
  }
}

/// Every thread writes to the other block; then reads what that wrote to it.
const std::string kExchange =
    "  store i32 %value, ptr addrspace(7) %theirs\n" + std::string(kMeet) +
    "  %got = load i32, ptr addrspace(3) %own\n  store i32 %got, ptr addrspace(1) %o\n";

/// The first block's thread copies the input to both, each of which has its own barrier count it.
const std::string kMulticast = std::string(R"(
  br i1 %zero, label %expect, label %wait
expect:
  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 128)
  br i1 %leads, label %issue, label %wait
issue:
  %to = addrspacecast ptr addrspace(3) @s to ptr
  %to7 = addrspacecast ptr %to to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %to7, ptr addrspace(3) @b, ptr addrspace(1) %in, i32 128, i16 3, i64 0, i1 true, i1 false)
  br label %wait
wait:
)") + kWait + R"(  %got = load i32, ptr addrspace(3) %own
  store i32 %got, ptr addrspace(1) %o
)";

} // namespace

TEST(Clusters, SpecialRegisters) {
  for (auto [name, expected] : {std::pair("cluster.ctarank", std::array<uint32_t, 4>{0, 1, 0, 1}),
                                {"cluster.ctaid.x", {0, 1, 0, 1}},
                                {"cluster.nctarank", {2, 2, 2, 2}},
                                {"cluster.nctaid.x", {2, 2, 2, 2}},
                                {"clusterid.x", {0, 0, 1, 1}},
                                {"nclusterid.x", {2, 2, 2, 2}}}) {
    std::vector<uint32_t> result =
        run(kernel("  %r = call i32 @llvm.nvvm.read.ptx.sreg." + std::string(name) +
                   "()\n  store i32 %r, ptr addrspace(1) %o\n"));
    for (unsigned block = 0; block < kBlocks; ++block)
      EXPECT_EQ(result[block * kThreads], expected[block]) << name << " of block " << block;
  }
}

TEST(Clusters, BlocksReachEachOther) {
  std::vector<uint32_t> result = run(kernel(kExchange));
  for (unsigned i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], 10 * (i ^ kThreads)) << i;
}

TEST(Clusters, AtomicsOfAllBlocks) {
  std::string body =
      R"(  %sum = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @s, i32 0)
  br i1 %leads, label %clear, label %cleared
clear:
  store i32 0, ptr addrspace(3) @s
  br label %cleared
cleared:
)" + std::string(kMeet) +
      "  %before = atomicrmw add ptr addrspace(7) %sum, i32 1 monotonic\n" + kMeet +
      "  %got = load i32, ptr addrspace(7) %sum\n"
      "  store i32 %got, ptr addrspace(1) %o\n" +
      kMeet;
  for (uint32_t sum : run(kernel(body)))
    EXPECT_EQ(sum, kCluster * kThreads);
  // Sums that are read and written in two steps are not.
  expectSomeFault(
      kernel(replaced(body, "%before = atomicrmw add ptr addrspace(7) %sum, i32 1 monotonic",
                      "%before = load i32, ptr addrspace(7) %sum\n"
                      "  store i32 %before, ptr addrspace(7) %sum")),
      {FaultKind::Race});
}

TEST(Clusters, OrderIsByTheirBarrier) {
  expectSomeFault(kernel(replaced(kExchange, kMeet, "")),
                  {FaultKind::Race, FaultKind::UninitializedRead});
  expectSomeFault(kernel(replaced(kExchange, "arrive.aligned", "arrive.relaxed.aligned")),
                  {FaultKind::Race}, "of block");
  expectSomeFault(
      kernel(replaced(kExchange, "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n", "")),
      {FaultKind::IllegalOperand}, "without having arrived");
  expectSomeFault(
      kernel(replaced(kExchange, "  call void @llvm.nvvm.barrier.cluster.wait.aligned()\n",
                      "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()\n")),
      {FaultKind::IllegalOperand}, "twice without a wait");
}

// Who ends is not waited for.
TEST(Clusters, BlocksThatEnd) {
  std::string some = "  br i1 %isFirst, label %stay, label %end\nend:\n  ret void\nstay:\n" +
                     std::string(kMeet) + "  store i32 %tid, ptr addrspace(1) %o\n";
  EXPECT_EQ(run(kernel(some))[2 * kThreads + 5], 5u);
  // The second block reads of the first, which by then may have ended.
  std::string reads = replaced(kExchange, "  %got = load i32, ptr addrspace(3) %own\n",
                               "  br i1 %isFirst, label %end, label %read\nend:\n  ret void\n"
                               "read:\n  %got = load i32, ptr addrspace(7) %theirs\n");
  expectSomeFault(kernel(reads), {FaultKind::OutOfBounds}, "all of whose threads have ended", {0});
}

TEST(Clusters, Addresses) {
  // A place of another block is none of an access to shared::cta.
  std::string body = "  %i = ptrtoint ptr addrspace(7) %theirs to i32\n"
                     "  %p = inttoptr i32 %i to ptr addrspace(3)\n" +
                     replaced(kExchange, "ptr addrspace(7) %theirs", "ptr addrspace(3) %p");
  expectSomeFault(kernel(body), {FaultKind::OutOfBounds}, "another block's");
  expectSomeFault(replaced(kernel(kExchange), "%own, i32 %other)", "%own, i32 2)"),
                  {FaultKind::IllegalOperand}, "in block 2 of a cluster of 2");
  expectSomeFault(kernel(replaced(kExchange, "store i32 %value, ptr addrspace(7) %theirs",
                                  "%far = getelementptr i32, ptr addrspace(7) %theirs, i32 40\n"
                                  "  store i32 %value, ptr addrspace(7) %far")),
                  {FaultKind::OutOfBounds, FaultKind::IllegalOperand}, "");
}

// Arrivals at another block's barrier order what was written there.
TEST(Clusters, RemoteArrivals) {
  std::string body = R"(  store i32 %value, ptr addrspace(7) %theirs
  call void @llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster(ptr addrspace(7) %b7, i32 1)
)" + std::string(kWait) +
                     "  %got = load i32, ptr addrspace(3) %own\n"
                     "  store i32 %got, ptr addrspace(1) %o\n" +
                     kMeet;
  std::string text = replaced(kernel(body), "@b, i32 1)", "@b, i32 32)");
  EXPECT_EQ(run(text)[40], 80u);
  expectSomeFault(replaced(text, "@b, i32 32)", "@b, i32 33)"), {FaultKind::Deadlock},
                  "1 of 33 arrivals");
  expectSomeFault(replaced(text, "@b, i32 32)", "@b, i32 31)"),
                  {FaultKind::Race, FaultKind::UninitializedRead, FaultKind::Deadlock,
                   FaultKind::IllegalOperand});
  // Its phases are its own block's to wait for.
  expectSomeFault(replaced(replaced(text, "ask:\n",
                                    "ask:\n  %i = ptrtoint ptr addrspace(7) %b7 to i32\n"
                                    "  %p = inttoptr i32 %i to ptr addrspace(3)\n"),
                           "cta.space.cta(ptr addrspace(3) @b, i32 0)",
                           "cta.space.cta(ptr addrspace(3) %p, i32 0)"),
                  {FaultKind::OutOfBounds}, "the mbarrier of another block");
}

TEST(Clusters, CopiesToSeveralBlocks) {
  std::vector<uint32_t> result = run(kernel(kMulticast));
  for (unsigned i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], 100 + i % kThreads) << i;
  expectSomeFault(kernel(replaced(kMulticast, "i16 3", "i16 1")), {FaultKind::Deadlock},
                  "of block 1 of the cluster");
  expectSomeFault(kernel(replaced(kMulticast, "i16 3", "i16 5")), {FaultKind::IllegalOperand},
                  "blocks 0x5 of a cluster of 2");
  // The second block does not stay for what is copied to it.
  expectSomeFault(kernel(replaced(kMulticast, "wait:\n",
                                  "wait:\n  br i1 %isFirst, label %stay, label %end\nend:\n"
                                  "  ret void\nstay:\n")),
                  {FaultKind::AsyncLeftAtExit, FaultKind::OutOfBounds});
}

// Either block copies a box to itself, and the first one's barrier counts both.
TEST(Clusters, CopiesCountedByPairs) {
  std::string text = R"(
@box = internal addrspace(3) global [512 x i8] undef, align 128
@b = internal addrspace(3) global i64 undef, align 8
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %map, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %zero = icmp eq i32 %tid, 0
  %isFirst = icmp eq i32 %rank, 0
  %leads = and i1 %zero, %isFirst
  br i1 %leads, label %init, label %initialized
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)
  br label %initialized
initialized:
)" + std::string(kMeet) +
                     R"(  %row = mul i32 %rank, 8
  br i1 %zero, label %issue, label %issued
issue:
  %first = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @b, i32 0)
  %address = ptrtoint ptr addrspace(7) %first to i32
  %counts = inttoptr i32 %address to ptr addrspace(3)
  %to = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @box, i32 %rank)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %to, ptr addrspace(3) %counts, ptr %map, i32 0, i32 %row, i16 0, i64 0, i1 false, i1 false, i32 2)
  br i1 %leads, label %expect, label %issued
expect:
  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 1024)
)" + kWait + "  br label %issued\nissued:\n" +
                     kMeet + R"(  %at = mul i32 %tid, 16
  %from = getelementptr i8, ptr addrspace(3) @box, i32 %at
  %v = load i32, ptr addrspace(3) %from, align 16
  %rows = mul i32 %rank, 32
  %place = add i32 %rows, %tid
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %place
  store i32 %v, ptr addrspace(1) %o
  ret void
}
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
)";
  std::vector<uint32_t> data(16 * 16), result(2 * kThreads);
  for (unsigned i = 0; i < data.size(); ++i)
    data[i] = i;
  TensorMap map{data.data(), data.size() * 4, 1, 64, 16, 64, 64, 8, 0};
  LaunchOptions options;
  options.cluster = {2};
  std::vector<KernelArgument> arguments{KernelArgument::tensorMap(map, "tensor"),
                                        out(result, "out")};
  for (options.seed = 0; options.seed < 4; ++options.seed) {
    mustLaunch(*mustLoad(text, "sm_100a"), "k", {2}, {kThreads}, 0, arguments, options);
    for (unsigned i = 0; i < result.size(); ++i)
      ASSERT_EQ(result[i], 4 * i);
  }
  expectFault(*mustLoad(replaced(text, "i1 false, i32 2)", "i1 false, i32 0)"), "sm_100a"), "k",
              {2}, {kThreads}, 0, arguments, FaultKind::IllegalOperand, "cannot count", options);
  expectFault(*mustLoad(replaced(text, "@b, i32 1024)", "@b, i32 512)"), "sm_100a"), "k", {2},
              {kThreads}, 0, arguments, FaultKind::AsyncNotWaited, "", options);
}

TEST(Clusters, Launches) {
  std::vector<uint32_t> result(kBlocks * kThreads);
  std::string compiled =
      replaced(kernel(kExchange), "ptr addrspace(1) %out) {", "ptr addrspace(1) %out) #0 {") +
      "attributes #0 = { \"nvvm.cluster_dim\"=\"2,1,1\" }\n";
  EXPECT_FALSE(takeFault(launch(compiled, result, 0, {1}).takeError()));
  EXPECT_EQ(result[40], 80u);
  for (auto [text, cluster, part] :
       {std::tuple(compiled, Dim3{4}, "the kernel was compiled for 2 x 1 x 1"),
        {kernel(kExchange), Dim3{3}, "clusters of 3 x 1 x 1 blocks in a grid of 4"},
        {kernel(kExchange), Dim3{1, 2}, "clusters of 1 x 2 x 1"}}) {
    auto fault = takeFault(launch(text, result, 0, cluster).takeError());
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->kind, FaultKind::InvalidLaunch);
    EXPECT_NE(fault->text.find(part), std::string::npos) << fault->text;
  }
}
