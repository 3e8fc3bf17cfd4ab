//===- BulkTest.cpp - mbarriers, bulk copies, tensor maps ------------------===//
//
// Breaks when a copy lands before somebody waited for it, a wait lets a thread go on early, or
// bytes land where the hardware would not put them.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

namespace {

constexpr unsigned threadCount = 64;

/// A kernel of 64 threads: @s is 64 words of shared memory that bulk copies fill, @b two mbarriers,
/// which thread 0 initializes for one arrival. In the body, %tid, %own = &s[63 - tid], %o =
/// &out[tid]; `issue` stands for thread 0's copy of all 64 words with @b, and `wait(PARITY)` for a
/// loop on @b.
std::string kernel(std::string body, llvm::StringRef issued = "") {
  std::string issue = issued.empty() ? R"(
  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 256)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) @b, ptr addrspace(1) %in, i32 256, i64 0, i1 false)
)"
                                     : issued.str();
  for (unsigned n = 0;; ++n) {
    std::string tag = std::to_string(n);
    size_t at = body.find("issue\n");
    if (at != std::string::npos) {
      body.replace(at, 6,
                   "br i1 %zero, label %is" + tag + ", label %no" + tag + "\nis" + tag + ":\n" +
                       issue + "  br label %no" + tag + "\nno" + tag + ":\n");
      continue;
    }
    at = body.find("wait(");
    if (at == std::string::npos)
      break;
    size_t end = body.find(")", at);
    std::string parity = body.substr(at + 5, end - at - 5);
    body.replace(at, end + 1 - at,
                 "br label %ask" + tag + "\nask" + tag + ":\n  %done" + tag +
                     " = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr "
                     "addrspace(3) @b, i32 " +
                     parity + ")\n  br i1 %done" + tag + ", label %go" + tag + ", label %ask" +
                     tag + "\ngo" + tag + ":");
  }
  return R"(
@s = internal addrspace(3) global [64 x i32] undef, align 128
@b = internal addrspace(3) global [2 x i64] undef, align 8
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %back = sub i32 63, %tid
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %back
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %tid
  %b1 = getelementptr i64, ptr addrspace(3) @b, i32 1
  %zero = icmp eq i32 %tid, 0
  br i1 %zero, label %init, label %initialized
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %b1, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  br label %initialized
initialized:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)" + body +
         "  ret void\n}\n";
}

const char *const readOwn = R"(
  %v = load i32, ptr addrspace(3) %own
  store i32 %v, ptr addrspace(1) %o
)";

std::vector<uint32_t> input() {
  std::vector<uint32_t> data(threadCount);
  for (unsigned i = 0; i < threadCount; ++i)
    data[i] = 100 + i;
  return data;
}

std::vector<uint32_t> run(const std::string &text) {
  auto module = mustLoad(text, "sm_90");
  std::vector<uint32_t> data = input(), result(threadCount);
  for (uint64_t seed : {0, 1, 2, 3, 4}) {
    LaunchOptions options;
    options.seed = seed;
    mustLaunch(*module, "k", {1}, {threadCount}, 0, {in(data, "in"), out(result, "out")}, options);
  }
  return result;
}

void expectFaultOf(const std::string &text, FaultKind kind, llvm::StringRef part = "") {
  auto module = mustLoad(text, "sm_90");
  for (uint64_t seed : {0, 1, 2, 3}) {
    std::vector<uint32_t> data = input(), result(threadCount);
    LaunchOptions options;
    options.seed = seed;
    expectFault(*module, "k", {1}, {threadCount}, 0, {in(data, "in"), out(result, "out")}, kind,
                part, options);
  }
}

/// Faults of these kinds, whichever the order of threads shows first.
void expectSomeFault(const std::string &text, std::initializer_list<FaultKind> kinds) {
  auto module = mustLoad(text, "sm_90");
  for (uint64_t seed : {0, 1, 2, 3}) {
    std::vector<uint32_t> data = input(), result(threadCount);
    LaunchOptions options;
    options.seed = seed;
    auto stats =
        module->launch("k", {1}, {threadCount}, 0, {in(data, "in"), out(result, "out")}, options);
    ASSERT_FALSE(bool(stats)) << "seed " << seed;
    auto fault = takeFault(stats.takeError());
    EXPECT_TRUE(llvm::is_contained(kinds, fault->kind)) << fault->text;
  }
}

} // namespace

TEST(BulkCopies, AreReadAfterTheWait) {
  std::vector<uint32_t> result = run(kernel("issue\nwait(0)\n" + std::string(readOwn)));
  EXPECT_EQ(result[0], 163u);
  EXPECT_EQ(result[63], 100u);
}

// Waits by the thread that issued, then a barrier: order is passed on.
TEST(BulkCopies, OrderIsTransitive) {
  std::string body = R"(issue
  br i1 %zero, label %one, label %all
one:
wait(0)
  br label %all
all:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)";
  EXPECT_EQ(run(kernel(body + readOwn))[5], 158u);
  // Without the barrier only one thread has waited.
  expectSomeFault(
      kernel(replaced(body, "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", "") +
             readOwn),
      {FaultKind::Race, FaultKind::AsyncNotWaited, FaultKind::UninitializedRead});
}

// Before the copy is issued nobody has written the bytes.
TEST(BulkCopies, MissingWait) {
  expectSomeFault(kernel("issue\n" + std::string(readOwn)),
                  {FaultKind::AsyncNotWaited, FaultKind::UninitializedRead});
}

// A time limit may end the first question.
TEST(BulkCopies, UnrepeatedWait) {
  std::string body = R"(issue
  %once = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @b, i32 0)
)";
  expectFaultOf(kernel(body + readOwn), FaultKind::AsyncNotWaited);
}

// The phase before the first counts as complete.
TEST(BulkCopies, WrongPhase) {
  expectSomeFault(kernel("issue\nwait(1)\n" + std::string(readOwn)),
                  {FaultKind::AsyncNotWaited, FaultKind::UninitializedRead});
}

TEST(BulkCopies, OtherBarrier) {
  std::string text = kernel("issue\nwait(0)\n" + std::string(readOwn));
  text = replaced(text, "try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @b",
                  "try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %b1");
  expectFaultOf(text, FaultKind::Deadlock,
                "mbarrier at shared byte 264 in phase 0: 1 of 1 arrivals");
}

TEST(BulkCopies, WrongByteCounts) {
  std::string text = kernel("issue\nwait(0)\n" + std::string(readOwn));
  expectFaultOf(replaced(text, "@b, i32 256)", "@b, i32 272)"), FaultKind::Deadlock,
                "272 bytes are due, 256 bytes are under way");
  expectFaultOf(replaced(text, "@b, i32 256)", "@b, i32 240)"), FaultKind::Deadlock,
                "240 bytes are due");
  // Nothing is expected: the phase ends with the arrival.
  expectFaultOf(replaced(text, "@b, i32 256)", "@b, i32 0)"), FaultKind::AsyncNotWaited);
}

// Two copies of a phase, of which one is expected.
TEST(BulkCopies, OneOfTwoExpected) {
  const char *copies = R"(
  call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 256)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) @b, ptr addrspace(1) %in, i32 128, i64 0, i1 false)
  %half = getelementptr i8, ptr addrspace(3) @s, i32 128
  %rest = getelementptr i8, ptr addrspace(1) %in, i32 128
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %half, ptr addrspace(3) @b, ptr addrspace(1) %rest, i32 128, i64 0, i1 false)
)";
  std::string text = kernel("issue\nwait(0)\n" + std::string(readOwn), copies);
  EXPECT_EQ(run(text)[1], 162u);
  expectFaultOf(replaced(text, "@b, i32 256)", "@b, i32 128)"), FaultKind::AsyncNotWaited);
}

// A ring of one stage: the second copy into it needs all reads of the first behind it.
TEST(BulkCopies, PhasesAlternate) {
  std::string body = R"(issue
wait(0)
  %first = load i32, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
issue
wait(1)
  %second = load i32, ptr addrspace(3) %own
  %v = add i32 %first, %second
  store i32 %v, ptr addrspace(1) %o
)";
  EXPECT_EQ(run(kernel(body))[0], 326u);
  expectSomeFault(kernel(replaced(body, "wait(1)", "wait(0)")),
                  {FaultKind::AsyncNotWaited, FaultKind::Race});
  expectSomeFault(
      kernel(replaced(body, "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", "")),
      {FaultKind::Race, FaultKind::AsyncNotWaited});
}

TEST(BulkCopies, LeftAtTheEnd) {
  expectFaultOf(kernel("issue\n  store i32 0, ptr addrspace(1) %o\n"), FaultKind::AsyncLeftAtExit,
                "256 bytes are under way");
}

TEST(BulkCopies, WriteUnderACopy) {
  expectSomeFault(kernel("issue\n  store i32 0, ptr addrspace(3) %own\nwait(0)\n"),
                  {FaultKind::AsyncNotWaited, FaultKind::Race});
}

TEST(BulkCopies, BoundsAndAlignment) {
  std::string text = kernel("issue\nwait(0)\n" + std::string(readOwn));
  expectFaultOf(replaced(text, "%in, i32 256", "%in, i32 272"), FaultKind::OutOfBounds,
                "of in, which has 256 bytes");
  expectFaultOf(replaced(text, "%in, i32 256", "%in, i32 200"), FaultKind::Misaligned,
                "multiples of 16");
  expectFaultOf(replaced(text, "cta(ptr addrspace(3) @s", "cta(ptr addrspace(3) %own"),
                FaultKind::Misaligned);
}

// Every thread writes a word, and the first copies all of them out.
const std::string storeAll = R"(
  store i32 %tid, ptr addrspace(3) %own
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %zero, label %one, label %all
one:
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %out, ptr addrspace(3) @s, i32 256, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  br label %all
all:
)";
const char *const sharedFence = "  call void @llvm.nvvm.fence.proxy.async.shared_cta()\n",
                  *const theBarrier =
                      "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";

TEST(BulkStores, BringWhatWasWritten) {
  EXPECT_EQ(run(kernel(storeAll))[60], 3u);
  // The bytes may be written again behind the wait.
  std::string again = "  store i32 0, ptr addrspace(3) %own\n";
  EXPECT_EQ(run(kernel(storeAll + theBarrier + again))[60], 3u);
  expectFaultOf(
      kernel(
          replaced(storeAll, "  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)\n", "") +
          theBarrier + again),
      FaultKind::Race, "write of shared byte");
}

TEST(BulkStores, InAssembly) {
  std::string text = kernel(storeAll);
  for (auto [intrinsic, assembly] :
       {std::pair("@llvm.nvvm.fence.proxy.async.shared_cta()",
                  "asm sideeffect \"fence.proxy.async.shared::cta;\", \"\"()"),
        {"@llvm.nvvm.cp.async.bulk.commit.group()",
         "asm sideeffect \"cp.async.bulk.commit_group;\", \"\"()"},
        {"@llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)",
         "asm sideeffect \"cp.async.bulk.wait_group.read 0;\", \"\"()"}})
    text = replaced(text, intrinsic, assembly);
  EXPECT_EQ(run(text)[60], 3u);
}

TEST(BulkStores, LeftAtTheEnd) {
  for (const char *left : {"  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)\n",
                           "  call void @llvm.nvvm.cp.async.bulk.commit.group()\n"})
    expectFaultOf(kernel(replaced(storeAll, left, "")), FaultKind::AsyncLeftAtExit,
                  "its bulk copies from shared memory");
}

TEST(ProxyFences, BeforeAnAsynchronousRead) {
  std::string without = replaced(storeAll, sharedFence, "");
  expectFaultOf(kernel(without), FaultKind::Race, "with no fence.proxy.async between");
  expectFaultOf(kernel(replaced(storeAll, "async.shared_cta", "async.global")), FaultKind::Race,
                "with no fence.proxy.async between");
  // Behind the barrier, by the thread that copies, the fence is between them too; one before the
  // write is not.
  EXPECT_EQ(run(kernel(replaced(without, "one:\n", std::string("one:\n") + sharedFence)))[9], 54u);
  expectFaultOf(kernel(sharedFence + without), FaultKind::Race, "with no fence.proxy.async");
  // A fence of one thread is for what it knows of.
  std::string some =
      "  %low = icmp ult i32 %tid, 32\n  br i1 %low, label %fence, label %meet\nfence:\n" +
      std::string(sharedFence) + "  br label %meet\nmeet:\n";
  expectFaultOf(kernel(replaced(storeAll, sharedFence, some)), FaultKind::Race,
                "with no fence.proxy.async");
}

TEST(ProxyFences, BeforeAnAsynchronousWrite) {
  std::string body = "  store i32 0, ptr addrspace(3) %own\n" + std::string(sharedFence) +
                     theBarrier + "issue\nwait(0)\n" + readOwn;
  EXPECT_EQ(run(kernel(body))[0], 163u);
  expectFaultOf(kernel(replaced(body, sharedFence, "")), FaultKind::Race,
                "asynchronous write of shared byte");
}

TEST(ProxyFences, OfGlobalMemory) {
  // The input is written, then copied to shared memory.
  std::string fence = "  call void @llvm.nvvm.fence.proxy.async.global()\n";
  std::string body = "  %i = getelementptr i32, ptr addrspace(1) %in, i32 %tid\n"
                     "  store i32 %tid, ptr addrspace(1) %i\n" +
                     fence + theBarrier + "issue\nwait(0)\n" + readOwn;
  auto launch = [&](const std::string &text, std::vector<uint32_t> &result) {
    auto module = mustLoad(text, "sm_90");
    std::vector<uint32_t> data = input();
    return module->launch("k", {2}, {threadCount}, 0,
                          {out(data, "in", Access::ReadWrite), out(result, "out")});
  };
  std::vector<uint32_t> result(threadCount);
  EXPECT_FALSE(takeFault(launch(kernel(body), result).takeError()));
  EXPECT_EQ(result[0], 63u);
  for (const char *other : {"", sharedFence}) {
    auto stats = launch(kernel(replaced(body, fence, other)), result);
    ASSERT_FALSE(bool(stats));
    auto fault = takeFault(stats.takeError());
    EXPECT_EQ(fault->kind, FaultKind::Race);
    EXPECT_NE(fault->text.find("asynchronous read of byte 0 of in"), std::string::npos)
        << fault->text;
  }
}

TEST(MBarriers, ArrivalsOrderWhatWasWritten) {
  // Warp 0 writes and arrives, 32 times in all; everybody waits and reads.
  std::string body = R"(
  %first = icmp ult i32 %tid, 32
  br i1 %first, label %write, label %join
write:
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %tid
  store i32 %tid, ptr addrspace(3) %p
  %state = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  br label %join
join:
wait(0)
  %low = and i32 %back, 31
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %low
  %v = load i32, ptr addrspace(3) %q
  store i32 %v, ptr addrspace(1) %o
)";
  std::string text = replaced(kernel(body), "@b, i32 1)", "@b, i32 32)");
  EXPECT_EQ(run(text)[60], 3u);
  // One arrival less is expected: somebody's write is not among those that are ordered.
  expectSomeFault(replaced(text, "@b, i32 32)", "@b, i32 31)"),
                  {FaultKind::Race, FaultKind::UninitializedRead, FaultKind::Deadlock});
  expectFaultOf(replaced(text, "@b, i32 32)", "@b, i32 33)"), FaultKind::Deadlock,
                "1 of 33 arrivals");
}

// By the state that an arrival returned, without a time limit.
TEST(MBarriers, TestWait) {
  std::string body = R"(
  %state = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) @b, i32 1)
  br label %ask
ask:
  %done = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @b, i64 %state)
  br i1 %done, label %go, label %ask
go:
  store i32 %tid, ptr addrspace(1) %o
)";
  EXPECT_EQ(run(replaced(kernel(body), "@b, i32 1)", "@b, i32 64)"))[9], 9u);
  expectFaultOf(kernel(replaced(body, "@b, i32 1)", "@b, i32 2)")), FaultKind::IllegalOperand,
                "2 arrivals at the mbarrier");
}

// Bytes that software delivers.
TEST(MBarriers, CompleteTx) {
  std::string body = R"(
  br i1 %zero, label %deliver, label %join
deliver:
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 4)
  %state = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 4)
  br label %join
join:
wait(0)
  store i32 %tid, ptr addrspace(1) %o
)";
  EXPECT_EQ(run(kernel(body))[9], 9u);
  expectFaultOf(kernel(replaced(body,
                                "call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta("
                                "ptr addrspace(3) @b, i32 4)",
                                "")),
                FaultKind::Deadlock, "4 bytes are due");
}

TEST(MBarriers, Misuse) {
  std::string text = kernel("wait(1)\n  store i32 0, ptr addrspace(1) %o\n");
  run(text);
  expectFaultOf(
      replaced(text, "call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)", ""),
      FaultKind::IllegalOperand, "no initialized mbarrier");
  expectFaultOf(
      replaced(text, "init.shared(ptr addrspace(3) %b1", "init.shared(ptr addrspace(3) @b"),
      FaultKind::IllegalOperand, "one already");
  expectFaultOf(kernel("  store i64 0, ptr addrspace(3) @b\n"), FaultKind::IllegalOperand,
                "part of an mbarrier");
  // Nothing makes the initialization visible to others.
  expectSomeFault(replaced(text, "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", ""),
                  {FaultKind::Race, FaultKind::IllegalOperand});
  // Plain memory again.
  run(kernel(R"(
  br i1 %zero, label %end, label %ended
end:
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) @b)
  store i64 0, ptr addrspace(3) @b
  br label %ended
ended:
  store i32 0, ptr addrspace(1) %o
)"));
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

namespace {

/// One thread copies a box at (x, y), waits, and copies shared memory out.
std::string tensorKernel(unsigned boxBytes, llvm::StringRef to = "@box") {
  std::string bytes = std::to_string(boxBytes);
  return R"(
@box = internal addrspace(3) global [)" +
         bytes + R"( x i8] undef, align 1024
@b = internal addrspace(3) global i64 undef, align 8
define ptx_kernel void @k(ptr byval([128 x i8]) align 64 %map, ptr addrspace(1) %out, i32 %x, i32 %y) {
entry:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)
  %state = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @b, i32 )" +
         bytes + R"()
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) )" +
         to.str() + R"(, ptr addrspace(3) @b, ptr %map, i32 %x, i32 %y, i64 0, i1 false)
  br label %ask
ask:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @b, i32 0)
  br i1 %done, label %copy, label %ask
copy:
  %i = phi i32 [ 0, %ask ], [ %n, %copy ]
  %from = getelementptr i8, ptr addrspace(3) @box, i32 %i
  %to = getelementptr i8, ptr addrspace(1) %out, i32 %i
  %v = load i8, ptr addrspace(3) %from
  store i8 %v, ptr addrspace(1) %to
  %n = add i32 %i, 1
  %more = icmp ult i32 %n, )" +
         bytes + R"(
  br i1 %more, label %copy, label %end
end:
  ret void
}
)";
}

struct Tensor {
  TensorMap map;
  std::vector<uint8_t> data;
};

/// 40 rows of 200 bytes, 208 apart.
Tensor makeTensor(unsigned boxWidth, unsigned boxHeight, unsigned swizzle) {
  Tensor tensor;
  tensor.data.resize(39 * 208 + 200);
  for (size_t i = 0; i < tensor.data.size(); ++i)
    tensor.data[i] = 1 + i * 7 % 251;
  tensor.map = {tensor.data.data(), tensor.data.size(), 1,      200, 40, 208,
                boxWidth,           boxHeight,          swizzle};
  return tensor;
}

std::vector<KernelArgument> tensorArguments(const Tensor &tensor, std::vector<uint8_t> &result,
                                            int x, int y) {
  return {KernelArgument::tensorMap(tensor.map, "tensor"), out(result, "out"),
          KernelArgument::scalar(x), KernelArgument::scalar(y)};
}

} // namespace

TEST(TensorMaps, BoxesInsideAndOutside) {
  for (unsigned swizzle : {0, 32, 64, 128}) {
    unsigned width = swizzle ? swizzle : 48, height = 24;
    Tensor tensor = makeTensor(width, height, swizzle);
    auto module = mustLoad(tensorKernel(width * height), "sm_120a");
    for (auto [x, y] : {std::pair(0, 0), {16, 3}, {190, 30}, {-10, -5}, {400, 0}, {0, 41}}) {
      SCOPED_TRACE(::testing::Message() << "swizzle " << swizzle << " at " << x << ", " << y);
      std::vector<uint8_t> result(width * height);
      mustLaunch(*module, "k", {1}, {1}, 0, tensorArguments(tensor, result, x, y));
      for (int row = 0; row < int(height); ++row)
        for (int column = 0; column < int(width); ++column) {
          bool inside = y + row >= 0 && y + row < 40 && x + column >= 0 && x + column < 200;
          uint8_t expected = inside ? tensor.data[(y + row) * 208 + x + column] : 0;
          // PTX ISA, "Tensor Swizzling Modes": in lines of 128 bytes, chunk c of 16 bytes of line r
          // lies at c ^ (r % 8), (r % 4) or (r % 2).
          unsigned place = row * width + column, line = place / 128, chunk = place % 128 / 16;
          chunk ^= swizzle == 128  ? line % 8
                   : swizzle == 64 ? line % 4
                   : swizzle == 32 ? line % 2
                                   : 0;
          ASSERT_EQ(result[line * 128 + chunk * 16 + place % 16], expected) << row << ' ' << column;
        }
    }
  }
}

TEST(TensorMaps, InAssembly) {
  for (const char *mode : {"", "tile."}) {
    std::string text = replaced(
        tensorKernel(64 * 8),
        "call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) @box, ptr "
        "addrspace(3) @b, ptr %map, i32 %x, i32 %y, i64 0, i1 false)",
        "call void asm sideeffect \"cp.async.bulk.tensor.2d.shared::cluster.global." +
            std::string(mode) +
            "mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];\", \"r,l,r,r,r\"(ptr "
            "addrspace(3) @box, ptr %map, i32 %x, i32 %y, ptr addrspace(3) @b)");
    Tensor tensor = makeTensor(64, 8, 0);
    std::vector<uint8_t> result(64 * 8);
    mustLaunch(*mustLoad(text, "sm_120a"), "k", {1}, {1}, 0, tensorArguments(tensor, result, 8, 3));
    EXPECT_EQ(result[64 + 5], tensor.data[4 * 208 + 13]);
  }
}

// Of a box of 20 rows in steps of 8 rows 0, 8 and 16 are copied, one behind the other.
TEST(TensorMaps, RowsInSteps) {
  for (unsigned step = 1; step <= 8; ++step) {
    Tensor tensor = makeTensor(32, 20, 0);
    tensor.map.rowStep = step;
    unsigned rows = (20 + step - 1) / step;
    auto module = mustLoad(tensorKernel(32 * rows), "sm_120a");
    std::vector<uint8_t> result(32 * rows);
    mustLaunch(*module, "k", {1}, {1}, 0, tensorArguments(tensor, result, 16, 27));
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned column = 0; column < 32; ++column)
        ASSERT_EQ(result[row * 32 + column],
                  27 + row * step < 40 ? tensor.data[(27 + row * step) * 208 + 16 + column] : 0)
            << step << ' ' << row << ' ' << column;
  }
}

TEST(TensorMaps, Refusals) {
  auto module = mustLoad(tensorKernel(128 * 8), "sm_120a");
  auto refused = [&](auto change, llvm::StringRef part) {
    Tensor tensor = makeTensor(128, 8, 128);
    change(tensor.map);
    std::vector<uint8_t> result(128 * 8);
    expectFault(*module, "k", {1}, {1}, 0, tensorArguments(tensor, result, 0, 0),
                FaultKind::InvalidLaunch, part);
  };
  refused([](TensorMap &map) { map.pitch = 200; }, "200 bytes from row to row");
  refused([](TensorMap &map) { map.boxWidth = 64; }, "those of the swizzle, 128");
  refused([](TensorMap &map) { map.boxHeight = 257; }, "a box of 257 x 128");
  refused([](TensorMap &map) { map.height = 41; }, "in a buffer of 8312 bytes");
  refused([](TensorMap &map) { map.swizzle = 16; }, "a swizzle of 16 bytes");
  refused([](TensorMap &map) { map.rowStep = 9; }, "every row number 9 of the box");
  // Bytes that are none.
  std::vector<uint8_t> result(128 * 8);
  expectFault(*module, "k", {1}, {1}, 0,
              {KernelArgument::bytes(std::string(128, 'x')), out(result, "out"),
               KernelArgument::scalar(0), KernelArgument::scalar(0)},
              FaultKind::IllegalOperand, "no tensor map");
}

TEST(TensorMaps, TargetsAreAligned) {
  Tensor tensor = makeTensor(16, 4, 0);
  auto module =
      mustLoad(tensorKernel(64, "getelementptr (i8, ptr addrspace(3) @box, i32 16)"), "sm_120a");
  std::vector<uint8_t> result(64);
  expectFault(*module, "k", {1}, {1}, 0, tensorArguments(tensor, result, 0, 0),
              FaultKind::Misaligned, "no multiple of 128");
}

TEST(BulkCopies, NeedTheirChip) {
  auto module = load(kernel("issue\nwait(0)\n" + std::string(readOwn)), "sm_80");
  ASSERT_FALSE(bool(module));
  EXPECT_NE(takeFault(module.takeError())->text.find("needs sm_90"), std::string::npos);
}
