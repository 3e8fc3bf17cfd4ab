//===- BasicsTest.cpp - Threads, shared memory, barriers -------------------===//

#include "Harness.h"

using namespace ufp4::emulator;
using namespace ufp4::emulator::testing;

/// Each thread puts a number into shared memory and takes that of its mirror image.
static std::string mirrorKernel(llvm::StringRef barrier) {
  return R"(
@buffer = internal addrspace(3) global [64 x i32] undef, align 4
define ptx_kernel void @mirror(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %cta, 64
  %index = add i32 %base, %tid
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %index
  %v = load i32, ptr addrspace(1) %p
  %s = getelementptr i32, ptr addrspace(3) @buffer, i32 %tid
  store i32 %v, ptr addrspace(3) %s
)" + barrier.str() +
         R"(
  %other = sub i32 63, %tid
  %s2 = getelementptr i32, ptr addrspace(3) @buffer, i32 %other
  %w = load i32, ptr addrspace(3) %s2
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %index
  store i32 %w, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)";
}

TEST(Basics, MirrorThroughSharedMemory) {
  auto module = mustLoad(mirrorKernel("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"));
  EXPECT_EQ(module->staticSharedBytes(), 256u);
  std::vector<uint32_t> data(192), result(192);
  for (unsigned i = 0; i < 192; ++i)
    data[i] = 1000 + i;
  for (uint64_t seed : {0, 1, 2, 3}) {
    LaunchOptions options;
    options.seed = seed;
    options.requireOutputsWritten = true;
    LaunchStats stats =
        mustLaunch(*module, "mirror", {3}, {64}, 0, {in(data, "in"), out(result, "out")}, options);
    for (unsigned i = 0; i < 192; ++i)
      EXPECT_EQ(result[i], 1000 + i / 64 * 64 + 63 - i % 64);
    EXPECT_EQ(stats.barriers, 3u);
    EXPECT_EQ(stats.instructions["store"], 2u * 192);
    EXPECT_EQ(stats.globalSectors, 2u * 192 * 4 / 32);
    EXPECT_EQ(stats.sharedWavefronts, 12u);
    EXPECT_EQ(stats.idealSharedWavefronts, 12u);
  }
}

TEST(Basics, MissingBarrierIsARace) {
  auto module = mustLoad(mirrorKernel(""));
  std::vector<uint32_t> data(64, 7), result(64);
  for (uint64_t seed : {1, 2, 3, 4}) {
    LaunchOptions options;
    options.seed = seed;
    auto stats =
        module->launch("mirror", {1}, {64}, 0, {in(data, "in"), out(result, "out")}, options);
    ASSERT_FALSE(bool(stats));
    auto fault = takeFault(stats.takeError());
    ASSERT_TRUE(fault.has_value());
    // Which of the two shows depends on who comes first.
    EXPECT_TRUE(fault->kind == FaultKind::Race || fault->kind == FaultKind::UninitializedRead)
        << fault->text;
  }
}
