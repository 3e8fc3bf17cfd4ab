//===- AMDKernelTest.cpp - What AMD's backend makes of the kernels --------===//

#include "Harness.h"
#include "HotPath.h"

#include "ufp4/Target/AMDGPU/Binary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace ufp4;
using namespace ufp4::testing;
using numerics::Format;
using numerics::ScaleKind;

namespace {

/// A kernel: at most so many other instructions, and vector ones among them, for each matrix
/// instruction of a wave's step.
struct LoopKernel {
  const char *name, *chip;
  Format format;
  ScaleKind scale;
  unsigned block;
  const target::Mma &(*mma)();
  double others, vector;
  /// Matrix instructions of a fragment of C for each step along K.
  double perStep = 1;
};
const LoopKernel kernels[] = {
    // Two products, and one of scales for two blocks.
    {"Post16Gfx942", "gfx942", Format::E1M2, ScaleKind::F32, 16, target::mmaFP8FnuzPost, 14, 7, 3},
    {"Post32Gfx942", "gfx942", Format::E1M2, ScaleKind::F32, 32, target::mmaFP8FnuzPost, 14, 7,
     2.5},
    {"Post16Gfx950", "gfx950", Format::E1M2, ScaleKind::F32, 16, target::mmaFP8Post, 14, 7, 3},
    {"Post32Gfx950", "gfx950", Format::E1M2, ScaleKind::F32, 32, target::mmaFP8Post, 14, 7, 2.5},
    {"FoldUE4M3Gfx942", "gfx942", Format::E1M2, ScaleKind::UE4M3, 16, target::mmaMfmaFold8, 6, 1,
     2},
    {"FoldUE8M0Gfx942", "gfx942", Format::E1M2, ScaleKind::UE8M0, 32, target::mmaMfmaFold8, 6, 1,
     2},
    {"FoldUE4M3Gfx950", "gfx950", Format::E1M2, ScaleKind::UE4M3, 16, target::mmaMfmaFold16, 11, 1},
    {"FoldUE8M0Gfx950", "gfx950", Format::E1M2, ScaleKind::UE8M0, 16, target::mmaMfmaFold16, 11, 1},
    {"FoldGfx1250", "gfx1250", Format::E1M2, ScaleKind::UE4M3, 16, target::mmaWmmaFold, 6, 1},
    {"E2M1Gfx950", "gfx950", Format::E2M1, ScaleKind::UE8M0, 32, target::mmaMfmaE2M1, 4, 1.5},
    {"SplitGfx950", "gfx950", Format::E1M2, ScaleKind::UE8M0, 32, target::mmaMfmaE2M3Split, 10,
     6.5},
    {"E2M3Gfx950", "gfx950", Format::E1M2, ScaleKind::UE8M0, 32, target::mmaMfmaE2M3, 6, 1.5},
    {"E2M1Gfx1250", "gfx1250", Format::E2M1, ScaleKind::UE8M0, 32, target::mmaWmmaE2M1Scaled32, 4,
     1},
    {"E2M1UE8M0Gfx1250", "gfx1250", Format::E2M1, ScaleKind::UE8M0, 16, target::mmaWmmaE2M1Scaled16,
     4, 1},
    {"E2M1UE4M3Gfx1250", "gfx1250", Format::E2M1, ScaleKind::UE4M3, 16,
     target::mmaWmmaE2M1Scaled16UE4M3, 4, 1},
    {"SplitGfx1250", "gfx1250", Format::E1M2, ScaleKind::UE8M0, 32, target::mmaWmmaE2M3Scaled32,
     14.5, 10},
    {"Split16Gfx1250", "gfx1250", Format::E1M2, ScaleKind::UE8M0, 16, target::mmaWmmaE2M3Scaled16,
     14.5, 10},
};
void PrintTo(const LoopKernel &kernel, std::ostream *os) { *os << kernel.name; }

GemmKernelSpec makeSpec(llvm::StringRef chip, unsigned block = 16,
                        ScaleKind scale = ScaleKind::F32) {
  GemmKernelSpec spec;
  spec.chip = target::findChip(chip);
  spec.scheme.scale = scale;
  spec.scheme.block = block;
  spec.columnMultiple = 4;
  return spec;
}

GemmKernelSpec makeSpec(const LoopKernel &kernel) {
  GemmKernelSpec spec = makeSpec(kernel.chip, kernel.block, kernel.scale);
  spec.scheme.format = kernel.format;
  spec.schedule = *llvm::find_if(target::gemmSchedules(), [&](const target::GemmSchedule &one) {
    return one.mma == &kernel.mma();
  });
  spec.columnMultiple = spec.schedule->mma->runLength();
  return spec;
}

/// The kernel's assembly; fails the test where there is none.
target::Assembly emit(const GemmKernelSpec &spec, KernelInfo &info) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateKernel(spec, context, info);
  if (!module)
    return {};
  auto assembly = target::emitAMDGCN(*module, *spec.chip);
  if (!assembly) {
    ADD_FAILURE() << llvm::toString(assembly.takeError());
    return {};
  }
  EXPECT_EQ(assembly->kernels, std::vector<std::string>{info.name});
  return std::move(*assembly);
}

size_t countOf(const std::vector<std::string> &code, llvm::StringRef prefix) {
  return llvm::count_if(code, [&](llvm::StringRef line) { return line.starts_with(prefix); });
}

/// Around the loop, from its one barrier on: loads from global memory, products, one wait for the
/// loads.
void expectOrder(std::vector<std::string> loop) {
  auto isBarrier = [](llvm::StringRef line) {
    return line == "s_barrier" || line.starts_with("s_barrier_signal");
  };
  auto kindOf = [](llvm::StringRef line) -> llvm::StringRef {
    if (line.starts_with("global_load") || line.starts_with("buffer_load"))
      return "loads ";
    if (line.starts_with("v_mfma") || line.starts_with("v_wmma"))
      return "products ";
    bool isWait = line.starts_with("s_waitcnt") && line.contains("vmcnt");
    return isWait || line.starts_with("s_wait_loadcnt") ? "wait" : "";
  };
  ASSERT_EQ(llvm::count_if(loop, isBarrier), 1);
  std::rotate(loop.begin(), llvm::find_if(loop, isBarrier), loop.end());
  std::string order;
  for (llvm::StringRef line : loop)
    if (llvm::StringRef kind = kindOf(line);
        !kind.ends_with(" ") || !llvm::StringRef(order).ends_with(kind))
      order += kind;
  EXPECT_EQ(order, "loads products wait");
}

} // namespace

class AMDLoops : public ::testing::TestWithParam<LoopKernel> {};

// What makes the loop fast: nothing spilled, few other instructions for a matrix one, and a single
// wait for memory, before the barrier.
TEST_P(AMDLoops, HotLoop) {
  GemmKernelSpec spec = makeSpec(GetParam());
  KernelInfo info;
  target::Assembly assembly = emit(spec, info);
  auto usage = target::readUsage(assembly.text);
  ASSERT_TRUE(bool(usage)) << llvm::toString(usage.takeError());
  ASSERT_EQ(usage->size(), 1u);
  EXPECT_EQ(usage->front().name, info.name);
  EXPECT_EQ(usage->front().stackBytes + usage->front().spillStoreBytes, 0u);
  EXPECT_GE(usage->front().registers, info.schedule.registers() / 2);
  // Two waves for each SIMD.
  EXPECT_LE(usage->front().registers, spec.chip->maxRegisters / 2u);

  std::vector<std::string> loop = findMatrixLoop(assembly, info.name);
  size_t matrix = countOf(loop, "v_mfma") + countOf(loop, "v_wmma");
  const target::Mma &mma = *info.schedule.mma;
  EXPECT_EQ(matrix, info.schedule.warpRows() / mma.m() * (info.schedule.warpColumns() / mma.n()) *
                        (info.schedule.tileK / mma.k()) * GetParam().perStep);
  double others = double(loop.size() - matrix) / matrix;
  EXPECT_LE(others, GetParam().others);
  double vector = double(countOf(loop, "v_") - matrix - countOf(loop, "v_readfirstlane")) / matrix;
  EXPECT_LE(vector, GetParam().vector);
  RecordProperty("others", std::to_string(others));
  RecordProperty("vector", std::to_string(vector));
  EXPECT_LE(double(countOf(loop, "s_nop")) / matrix, 1.5);
  EXPECT_EQ(countOf(loop, "scratch_") + countOf(loop, "v_accvgpr"), 0u);
  expectOrder(loop);
}

TEST_P(AMDLoops, BecomeCodeObjects) {
  auto linker = target::findDeviceLinker();
  if (!linker)
    GTEST_SKIP() << llvm::toString(linker.takeError());
  GemmKernelSpec spec = makeSpec(GetParam());
  KernelInfo info;
  auto binary = target::linkCodeObject(emit(spec, info), *spec.chip);
  ASSERT_TRUE(bool(binary)) << llvm::toString(binary.takeError());
  EXPECT_EQ(llvm::StringRef(binary->bytes.data(), 4), "\x7F"
                                                      "ELF");
  ASSERT_EQ(binary->kernels.size(), 1u);
  EXPECT_EQ(binary->kernels.front().name, info.name);
  EXPECT_EQ(binary->kernels.front().sharedBytes, 0u);
}

// Every access of a wave to shared memory is contiguous.
TEST_P(AMDLoops, SharedMemoryHasNoConflicts) {
  GemmKernelSpec spec = makeSpec(GetParam());
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  const target::GemmSchedule &schedule = kernel.info.schedule;
  numerics::ViewShape shape{1, schedule.tileM, 2 * schedule.tileK};
  Operand a = makeOperand(spec.scheme, shape, Scales::Powers, 1);
  Operand b = makeOperand(spec.scheme, shape, Scales::Powers, 2);
  GemmRun run = runGemm(kernel, spec, a, b);
  expectEqual(run, exactGemm(a, b));
  EXPECT_EQ(run.stats.sharedWavefronts, run.stats.idealSharedWavefronts);
  EXPECT_EQ(run.stats.barriers, 2u);
  // Runs of 8 are stored as two halves.
  if (spec.columnMultiple == 4)
    EXPECT_EQ(run.stats.globalSectors, run.stats.idealGlobalSectors);
}

INSTANTIATE_TEST_SUITE_P(Kernels, AMDLoops, ::testing::ValuesIn(kernels),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(AMDKernels, EmissionRefuses) {
  GemmKernelSpec spec = makeSpec("gfx942");
  llvm::LLVMContext context;
  KernelInfo info;
  std::unique_ptr<llvm::Module> module = translateKernel(spec, context, info);
  ASSERT_TRUE(module);
  const target::Chip &other = *target::findChip("sm_80");
  EXPECT_EQ(llvm::toString(target::emitAMDGCN(*module, other).takeError()),
            "AMDGCN is for AMD's chips, and sm_80 is NVIDIA's");
  target::Assembly broken{"\tv_no_such_thing v0\n\t.amdgpu_metadata\n---\namdhsa.kernels: "
                          "[]\n...\n\t.end_amdgpu_metadata\n",
                          "gfx942",
                          {}};
  std::string message = llvm::toString(target::linkCodeObject(broken, *spec.chip).takeError());
  EXPECT_NE(message.find("line 1: "), std::string::npos) << message;
  auto missing = target::findDeviceLinker("/nonexistent/ld.lld");
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.errorIsA<target::ToolNotFound>());
  llvm::consumeError(missing.takeError());
}

// Another LLVM's ld.lld may be first on the PATH, and refuse these code objects.
TEST(AMDKernels, TheBuildsOwnLinkerComesFirst) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("linker", folder));
  std::string other = (folder + "/ld.lld").str(), path = getenv("PATH");
  ASSERT_FALSE(llvm::sys::fs::create_link("/bin/false", other));
  setenv("PATH", (folder + ":" + path).str().c_str(), 1);
  auto linker = target::findDeviceLinker();
  setenv("PATH", path.c_str(), 1);
  llvm::sys::fs::remove_directories(folder);
  ASSERT_TRUE(bool(linker)) << llvm::toString(linker.takeError());
  EXPECT_NE(*linker, other);
}

// Scales at both ends of what G2 covers, whose factors in the kernel must not leave f32's range.
TEST(AMDKernels, ExtremeScales) {
  for (llvm::StringRef chip : {"gfx942", "gfx950"})
    for (auto [scaleA, scaleB] :
         {std::pair(0x1p123f, 0x1p-120f), {0x1p-63f, 0x1p-63f}, {0x1p60f, 0x1p55f}}) {
      SCOPED_TRACE(::testing::Message() << chip.str() << ' ' << scaleA << ' ' << scaleB);
      GemmKernelSpec spec = makeSpec(chip);
      LoadedKernel kernel = loadKernel(spec);
      ASSERT_TRUE(kernel.module);
      Operand a = makeOperand(spec.scheme, {1, 5, 64}, Scales::Powers, 1);
      Operand b = makeOperand(spec.scheme, {1, 8, 64}, Scales::Powers, 2);
      std::fill(a.data.scalesF32.begin(), a.data.scalesF32.end(), scaleA);
      std::fill(b.data.scalesF32.begin(), b.data.scalesF32.end(), scaleB);
      expectConforms(spec, runGemm(kernel, spec, a, b), exactGemm(a, b));
    }
}
