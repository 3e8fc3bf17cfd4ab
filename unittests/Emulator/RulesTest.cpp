//===- RulesTest.cpp - What a GPU would let pass ---------------------------===//

#include "Harness.h"

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

/// A kernel of 64 threads on words of shared memory @s, with %tid, %own = &s[tid] and %o =
/// &out[tid].
static std::string kernel(const std::string &body) {
  return R"(
@s = internal addrspace(3) global [64 x i32] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  %i = getelementptr i32, ptr addrspace(1) %in, i32 %tid
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %tid
)" + body +
         "  ret void\n}\n";
}

static void expectKernelFault(const std::string &body, FaultKind kind, llvm::StringRef part = "") {
  auto module = mustLoad(kernel(body), "sm_90");
  for (uint64_t seed : {0, 1, 2}) {
    std::vector<uint32_t> data(64, 1), result(64);
    LaunchOptions options;
    options.seed = seed;
    expectFault(*module, "k", {1}, {64}, 0, {in(data, "in"), out(result, "out")}, kind, part,
                options);
  }
}

static std::vector<uint32_t> runKernel(const std::string &body) {
  auto module = mustLoad(kernel(body), "sm_90");
  std::vector<uint32_t> result(64);
  for (uint64_t seed : {0, 1, 2, 3, 4}) {
    std::vector<uint32_t> data(64);
    for (unsigned i = 0; i < 64; ++i)
      data[i] = 100 + i;
    LaunchOptions options;
    options.seed = seed;
    mustLaunch(*module, "k", {1}, {64}, 0, {in(data, "in"), out(result, "out")}, options);
  }
  return result;
}

TEST(Rules, OffByOne) {
  expectKernelFault(R"(
  %next = getelementptr i32, ptr addrspace(1) %i, i32 1
  %v = load i32, ptr addrspace(1) %next
  store i32 %v, ptr addrspace(1) %o
)",
                    FaultKind::OutOfBounds, "read of 4 bytes at offset 256 of in, which has 256");
}

TEST(Rules, NoBuffer) {
  expectKernelFault("  %v = load i32, ptr null\n  store i32 %v, ptr addrspace(1) %o\n",
                    FaultKind::OutOfBounds, "in no buffer");
}

TEST(Rules, WriteToInput) {
  expectKernelFault("  store i32 1, ptr addrspace(1) %i\n", FaultKind::ReadOnlyWrite,
                    "of in, which is an input");
}

TEST(Rules, UninitializedShared) {
  expectKernelFault(R"(
  store i16 1, ptr addrspace(3) %own
  %v = load i32, ptr addrspace(3) %own
  store i32 %v, ptr addrspace(1) %o
)",
                    FaultKind::UninitializedRead, "shared byte");
}

TEST(Rules, ReadOfAnOutput) {
  expectKernelFault(R"(
  %v = load i32, ptr addrspace(1) %o
  store i32 %v, ptr addrspace(1) %o
)",
                    FaultKind::UninitializedRead, "of out");
}

TEST(Rules, SharedBounds) {
  expectKernelFault(R"(
  %far = getelementptr i32, ptr addrspace(3) %own, i32 1
  store i32 1, ptr addrspace(3) %far
)",
                    FaultKind::OutOfBounds, "shared offset 256 of 256");
}

TEST(Rules, Misaligned) {
  expectKernelFault(R"(
  %v = load <2 x i32>, ptr addrspace(1) %i, align 8
  %w = extractelement <2 x i32> %v, i32 0
  store i32 %w, ptr addrspace(1) %o
)",
                    FaultKind::Misaligned, "no multiple of 8 but 4");
}

TEST(Rules, ThirtyTwoBitSharedPointers) {
  EXPECT_EQ(runKernel(R"(
  %v = load i32, ptr addrspace(1) %i
  %word = ptrtoint ptr addrspace(3) %own to i32
  %flat = addrspacecast ptr addrspace(3) %own to ptr
  store i32 %v, ptr %flat
  %again = inttoptr i32 %word to ptr addrspace(3)
  %w = load i32, ptr addrspace(3) %again
  store i32 %w, ptr addrspace(1) %o
)")[7],
            107u);
}

TEST(Rules, RaceBetweenWarps) {
  expectKernelFault("  store i32 %tid, ptr addrspace(3) @s\n", FaultKind::Race, "wrote");
}

TEST(Rules, WarpBarriersOrderWarpsOnly) {
  const char *body = R"(
  store i32 %tid, ptr addrspace(3) %own
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %n = xor i32 %tid, DISTANCE
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %n
  %v = load i32, ptr addrspace(3) %p
  store i32 %v, ptr addrspace(1) %o
)";
  auto with = [&](const char *distance) {
    std::string text = body;
    return text.replace(text.find("DISTANCE"), 8, distance);
  };
  EXPECT_EQ(runKernel(with("5"))[9], 12u);
  auto module = mustLoad(kernel(with("32")));
  for (uint64_t seed : {0, 1, 2, 3}) {
    std::vector<uint32_t> data(64), result(64);
    LaunchOptions options;
    options.seed = seed;
    auto stats = module->launch("k", {1}, {64}, 0, {in(data, "in"), out(result, "out")}, options);
    ASSERT_FALSE(bool(stats));
    auto fault = takeFault(stats.takeError());
    EXPECT_TRUE(fault->kind == FaultKind::Race || fault->kind == FaultKind::UninitializedRead);
  }
}

TEST(Rules, ProducerAndConsumerByNamedBarriers) {
  // Warp 0 writes and arrives; warp 1 waits and reads.
  const char *body = R"(
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %produce, label %consume
produce:
  store i32 %tid, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 3, i32 64)
  store i32 0, ptr addrspace(1) %o
  br label %join
consume:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 3, i32 64)
  %n = sub i32 63, %tid
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %n
  %v = load i32, ptr addrspace(3) %p
  store i32 %v, ptr addrspace(1) %o
  br label %join
join:
)";
  auto result = runKernel(body);
  EXPECT_EQ(result[40], 23u);
  EXPECT_EQ(result[8], 0u);
  // The arrival does not order what the producer does later.
  std::string late = body;
  late.insert(late.find("  store i32 0"), "  store i32 5, ptr addrspace(3) %own\n");
  auto module = mustLoad(kernel(late));
  bool seen = false;
  for (uint64_t seed : {0, 1, 2, 3}) {
    std::vector<uint32_t> data(64), out64(64);
    LaunchOptions options;
    options.seed = seed;
    auto stats = module->launch("k", {1}, {64}, 0, {in(data, "in"), out(out64, "out")}, options);
    ASSERT_FALSE(bool(stats));
    seen |= takeFault(stats.takeError())->kind == FaultKind::Race;
  }
  EXPECT_TRUE(seen);
}

TEST(Rules, AtomicsDoNotRace) {
  EXPECT_EQ(runKernel(R"(
  %zero = icmp eq i32 %tid, 0
  br i1 %zero, label %clear, label %cleared
clear:
  store i32 0, ptr addrspace(3) @s
  br label %cleared
cleared:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw add ptr addrspace(3) @s, i32 2 monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i32, ptr addrspace(3) @s
  store i32 %v, ptr addrspace(1) %o
)")[63],
            128u);
}

TEST(Rules, BarrierReduction) {
  EXPECT_EQ(runKernel(R"(
  %p = icmp ult i32 %tid, 10
  %v = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %p)
  store i32 %v, ptr addrspace(1) %o
)")[5],
            10u);
}

TEST(Rules, ExitedThreadsDoNotHoldABarrier) {
  EXPECT_EQ(runKernel(R"(
  store i32 %tid, ptr addrspace(1) %o
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %leave, label %stay
leave:
  ret void
stay:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)")[3],
            3u);
}

TEST(Rules, BarrierThatOneWarpDoesNotReach) {
  expectKernelFault(R"(
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %join
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  br label %join
join:
)",
                    FaultKind::Deadlock, "barrier 1");
}

TEST(Rules, DivergentBarrier) {
  const char *body = R"(
  %odd = trunc i32 %tid to i1
  br i1 %odd, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 1, ptr addrspace(1) %o
  br label %join
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr addrspace(1) %o
  br label %join
join:
)";
  expectKernelFault(body, FaultKind::Divergence, "different places");
  // Barriers that are not aligned may be reached so.
  std::string text = body;
  for (size_t at; (at = text.find("sync.aligned")) != std::string::npos;)
    text.replace(at, 12, "sync");
  EXPECT_EQ(runKernel(text)[2], 2u);
}

TEST(Rules, Trap) {
  expectKernelFault(R"(
  %bad = icmp eq i32 %tid, 37
  br i1 %bad, label %stop, label %fine
stop:
  call void @llvm.trap()
  unreachable
fine:
)",
                    FaultKind::Trap, "thread (37, 0, 0)");
}

TEST(Rules, AsyncCopyReadEarly) {
  const char *body = R"(
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %own, ptr addrspace(1) %i)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 LEFT)
  %v = load i32, ptr addrspace(3) %own
  store i32 %v, ptr addrspace(1) %o
  call void @llvm.nvvm.cp.async.wait.all()
)";
  auto with = [&](const char *left) {
    std::string text = body;
    return text.replace(text.find("LEFT"), 4, left);
  };
  EXPECT_EQ(runKernel(with("1"))[30], 130u);
  expectKernelFault(with("2"), FaultKind::AsyncNotWaited, "has not waited for");
}

TEST(Rules, AsyncCopyOverwritesWhatOthersRead) {
  expectKernelFault(R"(
  store i32 %tid, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %n = xor i32 %tid, 63
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %n
  %v = load i32, ptr addrspace(3) %p
  store i32 %v, ptr addrspace(1) %o
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %own, ptr addrspace(1) %i)
  call void @llvm.nvvm.cp.async.wait.all()
)",
                    FaultKind::Race, "which thread");
}

TEST(Rules, LocalVariablesAndModuleVariables) {
  std::string text = R"(
@table = addrspace(4) constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@counter = addrspace(1) global i32 0
define internal i32 @twice(i32 %x) {
  %y = mul i32 %x, 2
  ret i32 %y
}
define ptx_kernel void @k(ptr addrspace(1) %out, ptr byval({ i32, i64 }) align 8 %pair) {
  %local = alloca [4 x i32], addrspace(5)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %slot = getelementptr [4 x i32], ptr addrspace(5) %local, i32 0, i32 %tid
  store i32 %tid, ptr addrspace(5) %slot
  %back = load i32, ptr addrspace(5) %slot
  %c = getelementptr i32, ptr addrspace(4) @table, i32 %back
  %v = load i32, ptr addrspace(4) %c
  %w = call i32 @twice(i32 %v)
  %second = getelementptr i8, ptr %pair, i32 8
  %big = load i64, ptr %second
  %small = trunc i64 %big to i32
  %sum = add i32 %w, %small
  %old = atomicrmw add ptr addrspace(1) @counter, i32 1 monotonic
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)";
  auto module = mustLoad(text);
  struct {
    int32_t a;
    int64_t b;
  } pair = {1, 5};
  std::vector<uint32_t> result(4);
  mustLaunch(*module, "k", {1}, {4}, 0, {out(result, "out"), KernelArgument::scalar(pair)});
  EXPECT_EQ(result, (std::vector<uint32_t>{25, 45, 65, 85}));
  result.resize(5);
  expectFault(*module, "k", {1}, {5}, 0, {out(result, "out"), KernelArgument::scalar(pair)},
              FaultKind::OutOfBounds, "of table");
  expectFault(*module, "k", {1}, {4}, 0, {out(result, "out"), KernelArgument::scalar(1)},
              FaultKind::InvalidLaunch, "16");
  expectFault(*module, "none", {1}, {4}, 0, {}, FaultKind::InvalidLaunch, "no such kernel");
}

TEST(Rules, SameBufferTwice) {
  auto module = mustLoad(kernel(R"(
  %v = load i32, ptr addrspace(1) %i
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) %o
)"));
  std::vector<uint32_t> data(65, 3);
  KernelArgument whole = KernelArgument::buffer(data.data(), 256, Access::ReadWrite, "data");
  mustLaunch(*module, "k", {1}, {64}, 0, {whole, whole});
  EXPECT_EQ(data[10], 4u);
  KernelArgument shifted = KernelArgument::buffer(data.data() + 1, 256, Access::ReadWrite, "more");
  expectFault(*module, "k", {1}, {64}, 0, {whole, shifted}, FaultKind::InvalidLaunch, "overlap");
}

TEST(Rules, UnknownThingsAreErrors) {
  struct Case {
    const char *body, *part;
  };
  const Case cases[] = {
      {"  call void @llvm.nvvm.cp.async.mbarrier.arrive(ptr null)\n", "cp.async.mbarrier.arrive"},
      {"  %f = call float @__nv_expf(float 1.0)\n", "__nv_expf"},
      {"  %m = call i32 @llvm.nvvm.activemask()\n", "activemask"},
      {"  %r = call i32 @llvm.nvvm.read.ptx.sreg.pm0()\n", "pm0"},
      {"  %p = call float @llvm.pow.f32(float 1.0, float 2.0)\n", "llvm.pow"},
  };
  for (const Case &c : cases) {
    std::string text = kernel(c.body);
    text +=
        "declare void @llvm.nvvm.cp.async.mbarrier.arrive(ptr)\ndeclare float @__nv_expf(float)\n"
        "declare i32 @llvm.nvvm.activemask()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.pm0()\n"
        "declare float @llvm.pow.f32(float, float)\n";
    auto module = load(text, "sm_90");
    ASSERT_FALSE(bool(module)) << c.part;
    auto fault = takeFault(module.takeError());
    EXPECT_EQ(fault->kind, FaultKind::Unsupported);
    EXPECT_NE(fault->text.find(c.part), std::string::npos) << fault->text;
  }
  auto flushing = load("define ptx_kernel void @k() \"denormal-fp-math-f32\"=\"preserve-sign\" {\n"
                       "  ret void\n}\n");
  ASSERT_FALSE(bool(flushing));
  EXPECT_EQ(takeFault(flushing.takeError())->kind, FaultKind::Unsupported);
}

TEST(Rules, SaysWhere) {
  auto module = mustLoad(R"(
define ptx_kernel void @k(ptr addrspace(1) %in) !dbg !4 {
  store i32 1, ptr addrspace(1) %in, !dbg !7
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "gemm.mlir", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 41, column: 3, scope: !4)
)");
  std::vector<uint32_t> data(4);
  expectFault(*module, "k", {1}, {1}, 0, {in(data, "in")}, FaultKind::ReadOnlyWrite,
              "gemm.mlir:41:3");
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// Each of 32 threads reads `bytes` at shared offset `stride` * lane.
static LaunchStats readShared(unsigned bytes, unsigned stride) {
  std::string type = bytes == 4 ? "i32" : "<" + std::to_string(bytes / 4) + " x i32>";
  std::string align = std::to_string(bytes), size = std::to_string(31 * stride + bytes);
  auto module = mustLoad("@s = internal addrspace(3) global [" + size + R"( x i8] undef, align 16
define ptx_kernel void @k(ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %fill, label %filled
fill:
  call void @llvm.memset.p3.i32(ptr addrspace(3) @s, i8 1, i32 )" +
                         size + R"(, i1 false)
  br label %filled
filled:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %offset = mul i32 %tid, )" +
                         std::to_string(stride) + R"(
  %p = getelementptr i8, ptr addrspace(3) @s, i32 %offset
  %v = load volatile )" + type +
                         ", ptr addrspace(3) %p, align " + align + R"(
  %to = mul i32 %tid, )" +
                         align + R"(
  %q = getelementptr i8, ptr addrspace(1) %out, i32 %to
  store )" + type + " %v, ptr addrspace(1) %q, align " +
                         align + R"(
  ret void
}
declare void @llvm.memset.p3.i32(ptr addrspace(3), i8, i32, i1)
)");
  std::vector<uint8_t> result(32 * bytes);
  return mustLaunch(*module, "k", {1}, {32}, 0, {out(result, "out")});
}

TEST(Statistics, BankConflicts) {
  struct Case {
    unsigned bytes, stride;
    uint64_t wavefronts, ideal;
  };
  const Case cases[] = {{4, 4, 1, 1},   {4, 8, 2, 1},     {4, 128, 32, 1}, {4, 132, 1, 1},
                        {4, 0, 1, 1},   {8, 8, 2, 2},     {8, 16, 4, 2},   {16, 16, 4, 4},
                        {16, 32, 8, 4}, {16, 128, 32, 4}, {16, 0, 4, 4}};
  for (const Case &c : cases) {
    LaunchStats stats = readShared(c.bytes, c.stride);
    EXPECT_EQ(stats.sharedWavefronts, c.wavefronts) << c.bytes << " " << c.stride;
    EXPECT_EQ(stats.idealSharedWavefronts, c.ideal) << c.bytes << " " << c.stride;
    EXPECT_EQ(stats.globalSectors, c.bytes) << c.bytes << " " << c.stride;
    EXPECT_EQ(stats.sharedSites.size(), 1u);
    EXPECT_EQ(stats.instructions["load"], 32u);
    EXPECT_EQ(stats.operations["barrier.cta.sync.aligned.all"], 32u);
  }
}

TEST(Statistics, Sectors) {
  // Words 64 bytes apart take a sector each.
  auto module = mustLoad(R"(
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %offset = mul i32 %tid, 64
  %p = getelementptr i8, ptr addrspace(1) %in, i32 %offset
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  store i32 %v, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)");
  std::vector<uint32_t> data(512), result(32);
  LaunchStats stats = mustLaunch(*module, "k", {1}, {32}, 0, {in(data, "in"), out(result, "out")});
  EXPECT_EQ(stats.globalSectors, 32u + 4);
  EXPECT_EQ(stats.idealGlobalSectors, 4u + 4);
}
