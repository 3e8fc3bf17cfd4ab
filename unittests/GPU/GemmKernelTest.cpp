//===- GemmKernelTest.cpp - GEMM kernels against the definition -----------===//
//
// Breaks when a kernel reads a code or scale of another element, leaves a part of C out, touches
// what is not its own, races, or rounds more often than G2 allows.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Target/NVPTX/Binary.h"

#include <cmath>

using namespace ufp4;
using namespace ufp4::testing;
using numerics::Element;
using numerics::Format;
using numerics::ScaleKind;

namespace {

GemmKernelSpec makeSpec(ScaleKind scale = ScaleKind::F32, unsigned block = 16,
                        llvm::StringRef chip = "sm_80") {
  GemmKernelSpec spec;
  spec.chip = target::findChip(chip);
  spec.scheme.scale = scale;
  spec.scheme.block = block;
  return spec;
}

struct Operands {
  Operand a, b;
};

Operands makeOperands(const GemmKernelSpec &spec, int64_t m, int64_t n, int64_t k, Scales scales,
                      int64_t batch = 1) {
  return {makeOperand(spec.scheme, {batch, m, k}, scales, 2 * k + m),
          makeOperand(spec.scheme, {batch, n, k}, scales, 2 * k + n + 1)};
}

/// Integers exactly and random operands within G2.
void checkShape(LoadedKernel &kernel, const GemmKernelSpec &spec, int64_t m, int64_t n, int64_t k,
                int64_t batch = 1) {
  SCOPED_TRACE(::testing::Message() << m << " x " << n << " x " << k << " batch " << batch);
  for (Scales scales : {Scales::Integers, Scales::Random}) {
    Operands operands = makeOperands(spec, m, n, k, scales, batch);
    GemmRun run = runGemm(kernel, spec, operands.a, operands.b);
    std::vector<numerics::GemmBound> exact = exactGemm(operands.a, operands.b);
    if (scales == Scales::Integers && spec.result == Element::F32)
      expectEqual(run, exact);
    expectConforms(spec, run, exact);
  }
}

TEST(GemmKernel, EverySizeAroundTheTile) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  // Every size at least once in each place, and the corners together.
  static constexpr int64_t shapes[][3] = {
      {1, 1, 1},       {15, 16, 17},    {16, 17, 64},    {17, 64, 96},   {64, 96, 127},
      {96, 127, 128},  {127, 128, 129}, {128, 129, 160}, {129, 160, 1},  {160, 1, 15},
      {1, 15, 16},     {128, 128, 64},  {1, 160, 160},   {160, 1, 160},  {129, 129, 129},
      {127, 127, 127}, {64, 64, 64},    {16, 16, 16},    {15, 129, 128}, {160, 160, 160}};
  for (const int64_t(&shape)[3] : shapes)
    checkShape(kernel, spec, shape[0], shape[1], shape[2]);
}

// Blocks that are two of the storage's tiles wide, by instructions of every kind: a warp's columns
// are in one of them.
TEST(GemmKernel, WideTiles) {
  struct Wide {
    const char *chip;
    const target::Mma &(*mma)();
    Format format;
    ScaleKind scale;
    unsigned block;
  };
  for (const Wide &wide :
       {Wide{"sm_80", target::mmaBF16Post, Format::E1M2, ScaleKind::F32, 16},
        {"sm_90a", target::mmaBF16Fold, Format::E1M2, ScaleKind::UE4M3, 16},
        {"sm_120a", target::mmaBF16FoldCodes, Format::E1M2, ScaleKind::UE4M3, 16},
        {"sm_120a", target::mmaE2M1Scaled4X, Format::E2M1, ScaleKind::UE4M3, 16},
        {"sm_120a", target::mmaE2M3Scaled1X, Format::E1M2, ScaleKind::UE8M0, 32},
        {"gfx942", target::mmaMfmaFold8, Format::E1M2, ScaleKind::UE4M3, 16}}) {
    GemmKernelSpec spec = makeSpec(wide.scale, wide.block, wide.chip);
    spec.scheme.format = wide.format;
    spec.path = wide.mma().path();
    spec.schedule = *llvm::find_if(target::gemmSchedules(), [&](const auto &schedule) {
      return schedule.mma == &wide.mma() && &schedule.storage() == &schedule.mma->storage();
    });
    SCOPED_TRACE(spec.schedule->describe());
    target::GemmSchedule &schedule = *spec.schedule;
    schedule.tileN *= 2;
    schedule.warpsN *= 2;
    schedule.stages = 2;
    if (schedule.sharedBytes(spec.scheme) > spec.chip->sharedMemoryBytes)
      continue;
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    Operands operands =
        makeOperands(spec, 40, 2 * int64_t(schedule.tileN) - 100, 300, Scales::Powers);
    expectEqual(runGemm(kernel, spec, operands.a, operands.b), exactGemm(operands.a, operands.b));
  }
}

// More steps than stages: the ring goes round.
TEST(GemmKernel, TheRingGoesRound) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  for (int64_t k : {256, 320, 592})
    checkShape(kernel, spec, 33, 40, k);
}

TEST(GemmKernel, AnyScheduleOfThreads) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operands operands = makeOperands(spec, 129, 70, 400, Scales::Integers);
  std::vector<numerics::GemmBound> exact = exactGemm(operands.a, operands.b);
  for (uint64_t seed : {1, 2, 3})
    expectEqual(runGemm(kernel, spec, operands.a, operands.b, {{}, 1, {}, seed}), exact);
}

TEST(GemmKernel, Batches) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  checkShape(kernel, spec, 129, 17, 96, 3);
  checkShape(kernel, spec, 5, 130, 65, 3);
}

TEST(GemmKernel, NoDepthGivesZeros) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operands operands = makeOperands(spec, 3, 5, 0, Scales::Integers);
  GemmRun run = runGemm(kernel, spec, operands.a, operands.b);
  EXPECT_EQ(run.result, std::vector<float>(15, 0.0f));
}

// The values that C held before count with their full f32 (G3).
TEST(GemmKernel, Accumulates) {
  for (unsigned columnMultiple : {1, 8}) {
    GemmKernelSpec spec = makeSpec();
    spec.accumulate = true;
    spec.columnMultiple = columnMultiple;
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    std::mt19937 random(7);
    for (Scales scales : {Scales::Integers, Scales::Random}) {
      Operands operands = makeOperands(spec, 130, 24, 80, scales, 2);
      GemmInputs inputs;
      inputs.c0.resize(2 * 130 * 24);
      for (float &c : inputs.c0)
        c = scales == Scales::Integers ? float(random() % 1000) : random() * 0x1p-24f - 128;
      GemmRun run = runGemm(kernel, spec, operands.a, operands.b, inputs);
      std::vector<numerics::GemmBound> exact = exactGemm(operands.a, operands.b, inputs);
      if (scales == Scales::Integers)
        expectEqual(run, exact);
      expectConforms(spec, run, exact);
    }
  }
}

TEST(GemmKernel, StoresBF16) {
  for (unsigned columnMultiple : {1, 8}) {
    GemmKernelSpec spec = makeSpec();
    spec.result = Element::BF16;
    spec.columnMultiple = columnMultiple;
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    checkShape(kernel, spec, 127, 136, 96);
    if (columnMultiple == 1)
      checkShape(kernel, spec, 17, 15, 33, 3);
  }
}

TEST(GemmKernel, WideStores) {
  GemmKernelSpec spec = makeSpec();
  spec.columnMultiple = 8;
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  for (int64_t n : {8, 64, 120, 128, 136, 160})
    checkShape(kernel, spec, 129, n, 48);
  EXPECT_TRUE(kernel.info.verifySizes(1, 12, 16, 1));
}

/// A kernel of e2m1 with ue4m3 scales, whose runs are 8 columns on sm_120a and 16 on sm_100a.
GemmKernelSpec makeNativeSpec(llvm::StringRef chip, Element result, unsigned columnMultiple) {
  GemmKernelSpec spec = makeSpec(ScaleKind::UE4M3, 16, chip);
  spec.scheme.format = Format::E2M1;
  spec.path = target::Path::Native;
  spec.result = result;
  spec.columnMultiple = columnMultiple;
  return spec;
}

// Runs are stored in pieces, as N ends at a multiple of one.
TEST(GemmKernel, AnyMultipleOfColumns) {
  for (const char *chip : {"sm_120a", "sm_100a"})
    for (unsigned multiple : {2, 4, 8, 16, 24})
      for (Element result : {Element::F32, Element::BF16}) {
        SCOPED_TRACE(::testing::Message() << chip << ' ' << multiple);
        GemmKernelSpec spec = makeNativeSpec(chip, result, multiple);
        spec.bias = Element::F32;
        spec.accumulate = result == Element::F32;
        LoadedKernel kernel = loadKernel(spec);
        ASSERT_TRUE(kernel.module);
        for (int64_t n : {3 * multiple, 11 * multiple}) {
          Operands operands = makeOperands(spec, 20, n, 48, Scales::Integers);
          GemmInputs inputs{{}, 1, makeBias(n)};
          for (int64_t i = 0; spec.accumulate && i < 20 * n; ++i)
            inputs.c0.push_back(float(i % 1009));
          expectEqual(runGemm(kernel, spec, operands.a, operands.b, inputs),
                      exactGemm(operands.a, operands.b, inputs), result);
        }
      }
}

// Where a store takes 32 bytes a thread none leaves half a sector to another; of 16 bytes one does
// unless neighbouring lanes fill it.
TEST(GemmKernel, StoresFillSectors) {
  struct Stores {
    const char *chip;
    Element result;
    unsigned columnMultiple, alignment;
    bool fill;
  };
  for (const Stores &stores : {Stores{"sm_120a", Element::F32, 8, 32, true},
                               {"sm_120a", Element::F32, 4, 16, false},
                               {"sm_120a", Element::BF16, 8, 16, true},
                               {"sm_100a", Element::F32, 8, 32, true},
                               {"sm_100a", Element::BF16, 8, 16, false},
                               {"sm_100a", Element::BF16, 16, 32, true}}) {
    SCOPED_TRACE(::testing::Message() << stores.chip << ' ' << stores.columnMultiple);
    GemmKernelSpec spec = makeNativeSpec(stores.chip, stores.result, stores.columnMultiple);
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    EXPECT_EQ(kernel.info.resultAlignment, stores.alignment);
    Operands operands = makeOperands(spec, 128, 256, 256, Scales::Integers);
    emulator::LaunchStats stats = runGemm(kernel, spec, operands.a, operands.b).stats;
    EXPECT_EQ(stats.globalSectors == stats.idealGlobalSectors, stores.fill);
  }
}

TEST(GemmKernel, Alpha) {
  GemmKernelSpec spec = makeSpec();
  spec.alpha = true;
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operands operands = makeOperands(spec, 20, 30, 40, Scales::Integers);
  GemmRun run = runGemm(kernel, spec, operands.a, operands.b, {{}, 0.375f});
  expectEqual(run, exactGemm(operands.a, operands.b, {{}, 0.375f}));
}

// alpha · product, then the bias, then C0.
void checkBias(Element type) {
  for (unsigned columnMultiple : {1, 8})
    for (bool accumulate : {false, true}) {
      SCOPED_TRACE(::testing::Message() << columnMultiple << ' ' << accumulate);
      GemmKernelSpec spec = makeSpec();
      spec.bias = type;
      spec.alpha = true;
      spec.accumulate = accumulate;
      spec.columnMultiple = columnMultiple;
      LoadedKernel kernel = loadKernel(spec);
      ASSERT_TRUE(kernel.module);
      int64_t n = columnMultiple == 1 ? 131 : 136;
      Operands operands = makeOperands(spec, 40, n, 48, Scales::Integers, 2);
      GemmInputs inputs{{}, -0.5f, makeBias(n)};
      if (accumulate)
        for (int64_t i = 0; i < 2 * 40 * n; ++i)
          inputs.c0.push_back(float(i % 1009));
      expectEqual(runGemm(kernel, spec, operands.a, operands.b, inputs),
                  exactGemm(operands.a, operands.b, inputs));
    }
}
TEST(GemmKernel, BiasF32) { checkBias(Element::F32); }
TEST(GemmKernel, BiasBF16) { checkBias(Element::BF16); }

// The sum of product and bias is rounded to bf16 once.
TEST(GemmKernel, BiasIsAddedBeforeTheRounding) {
  GemmKernelSpec spec = makeSpec();
  spec.bias = Element::F32;
  spec.result = Element::BF16;
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operands operands = makeOperands(spec, 33, 65, 48, Scales::Integers);
  GemmInputs inputs{{}, 1, makeBias(65)};
  expectEqual(runGemm(kernel, spec, operands.a, operands.b, inputs),
              exactGemm(operands.a, operands.b, inputs), spec.result);
}

void checkBlocksOf32(ScaleKind scale) {
  for (Format format : {Format::E1M2, Format::E2M1}) {
    GemmKernelSpec spec = makeSpec(scale, 32);
    spec.scheme.format = format;
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    for (int64_t k : {1, 31, 33, 64, 160})
      checkShape(kernel, spec, 129, 33, k);
  }
}
TEST(GemmKernel, BlocksOf32WithF32Scales) { checkBlocksOf32(ScaleKind::F32); }
TEST(GemmKernel, BlocksOf32WithUE8M0Scales) { checkBlocksOf32(ScaleKind::UE8M0); }

TEST(GemmKernel, E2M1) {
  GemmKernelSpec spec = makeSpec();
  spec.scheme.format = Format::E2M1;
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  checkShape(kernel, spec, 65, 47, 112);
}

// S of both operands, also where S_a or S_b alone would lead out of the range of f32.
TEST(GemmKernel, TensorScales) {
  GemmKernelSpec spec = makeSpec(ScaleKind::UE4M3);
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  checkShape(kernel, spec, 129, 31, 96);
  Operands operands = makeOperands(spec, 40, 24, 160, Scales::Integers);
  static constexpr float pairs[][2] = {{0x1p-100f, 0x1p100f},    {0x1p100f, 0x1p-100f},
                                       {0x1.8p-60f, 0x1.9p-61f}, {0x1p113f, 0x1p-100f},
                                       {0x1.fp50f, 0x1.fp50f},   {1e-3f, 3e-5f}};
  for (const float(&pair)[2] : pairs) {
    SCOPED_TRACE(::testing::Message() << pair[0] << ' ' << pair[1]);
    operands.a.data.global = pair[0];
    operands.b.data.global = pair[1];
    GemmRun run = runGemm(kernel, spec, operands.a, operands.b);
    expectConforms(spec, run, exactGemm(operands.a, operands.b));
  }
  // A poisoned tensor: its S is NaN (Q5).
  operands.b.data.global = std::nanf("");
  for (float value : runGemm(kernel, spec, operands.a, operands.b).result)
    ASSERT_TRUE(std::isnan(value));
}

// Q4: a poisoned block, codes 0 and scale NaN, reaches every element that reads it, and no other.
TEST(GemmKernel, PoisonIsNotLost) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operands operands = makeOperands(spec, 34, 20, 48, Scales::Integers);
  operands.a.data.scalesF32[33 * 3 + 1] = std::nanf("");
  operands.b.data.scalesF32[7 * 3 + 2] = std::nanf("");
  std::fill_n(operands.a.data.codes.begin() + 33 * 48 + 16, 16, 0);
  std::fill_n(operands.b.data.codes.begin() + 7 * 48 + 32, 16, 0);
  GemmRun run = runGemm(kernel, spec, operands.a, operands.b);
  ASSERT_EQ(run.result.size(), 34u * 20);
  for (int64_t m = 0; m < 34; ++m)
    for (int64_t n = 0; n < 20; ++n)
      EXPECT_EQ(std::isnan(run.result[m * 20 + n]), m == 33 || n == 7) << m << ' ' << n;
  expectConforms(spec, run, exactGemm(operands.a, operands.b));
}

// The recipe to the letter: rotated, quantized to nearest, multiplied.
TEST(GemmKernel, RecipeUFP4) {
  GemmKernelSpec spec = makeSpec();
  spec.scheme.rotation = numerics::presetRotation(16);
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  auto quantized = [&](numerics::ViewShape shape) {
    std::vector<float> x(shape.g * shape.r * shape.k);
    for (float &value : x)
      value = normal(random);
    return Operand{spec.scheme, shape,
                   numerics::quantize(x.data(), Element::F32, shape, spec.scheme)};
  };
  Operand a = quantized({1, 97, 301}), b = quantized({1, 141, 301});
  expectConforms(spec, runGemm(kernel, spec, a, b), exactGemm(a, b));
}

// 2-D blocks of one operand against rows of the other.
TEST(GemmKernel, BlocksOfRows) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  numerics::Scheme blocks = spec.scheme;
  blocks.blockRows = 16;
  Operand a = makeOperand(spec.scheme, {1, 50, 80}, Scales::Integers, 1);
  Operand b = makeOperand(blocks, {1, 70, 80}, Scales::Integers, 2);
  expectEqual(runGemm(kernel, spec, a, b), exactGemm(a, b));
}

TEST(GemmKernel, OtherChips) {
  for (llvm::StringRef chip : {"sm_90a", "sm_100a", "sm_120a"}) {
    GemmKernelSpec spec = makeSpec(ScaleKind::F32, 16, chip);
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    checkShape(kernel, spec, 130, 60, 300);
  }
}

TEST(GemmKernel, OtherStages) {
  GemmKernelSpec spec = makeSpec();
  std::string why;
  spec.schedule = *target::chooseSchedule(*spec.chip, spec.scheme, std::nullopt, why);
  for (unsigned stages : {2, 3}) {
    spec.schedule->stages = stages;
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    for (int64_t k : {16, 64, 128, 192, 448})
      checkShape(kernel, spec, 20, 130, k);
  }
}

// What the storage's swizzle is for: no bank is asked twice, and one MMA of the warp for
// each block of 16 of its 16 x 8 parts of C.
TEST(GemmKernel, SharedMemoryIsFreeOfConflicts) {
  GemmKernelSpec spec = makeSpec();
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operands operands = makeOperands(spec, 256, 128, 256, Scales::Random);
  GemmRun run = runGemm(kernel, spec, operands.a, operands.b);
  EXPECT_EQ(run.stats.mmas, uint64_t(256 / 16) * (128 / 8) * (256 / 16));
  EXPECT_EQ(run.stats.sharedWavefronts, run.stats.idealSharedWavefronts);
  EXPECT_EQ(run.stats.barriers, 2u * (256 / 64));
}

// Kernels of one module share its dynamic shared memory.
TEST(GemmKernel, SeveralInOneModule) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  loadKernelDialects(context);
  mlir::OpBuilder b(&context);
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module(
      mlir::gpu::GPUModuleOp::create(b, b.getUnknownLoc(), "kernels"));
  b.setInsertionPointToStart(module->getBody());
  GemmKernelSpec first = makeSpec(), second = makeSpec(ScaleKind::UE4M3, 32);
  second.name = "second";
  ASSERT_TRUE(succeeded(buildGemmKernel(b, b.getUnknownLoc(), first)));
  ASSERT_TRUE(succeeded(buildGemmKernel(b, b.getUnknownLoc(), second)));
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> translated =
      translateKernelModule(*module, llvmContext, *first.chip);
  ASSERT_TRUE(translated);
  EXPECT_EQ(translated->global_size(), 1u);
  EXPECT_TRUE(translated->getFunction("second"));
  EXPECT_FALSE(translated->getDataLayout().isDefault());
  // The IR given is still there to be printed, or translated for another chip.
  EXPECT_EQ(llvm::range_size(module->getOps<mlir::gpu::GPUFuncOp>()), 2u);
}

// The module that the emulator runs is the one that becomes a binary, without spills.
TEST(GemmKernel, BecomesABinary) {
  UFP4_NEED_PTXAS();
  for (llvm::StringRef chip : {"sm_80", "sm_90a", "sm_100a", "sm_120a"})
    for (unsigned block : {16, 32}) {
      SCOPED_TRACE(::testing::Message() << chip.str() << " block " << block);
      GemmKernelSpec spec = makeSpec(ScaleKind::F32, block, chip);
      std::optional<AssembledKernel> kernel = assembleKernel(spec);
      ASSERT_TRUE(kernel);
      EXPECT_EQ(kernel->usage.sharedBytes, 0u);
      // SASS: HMMA, NOP, and f32 arithmetic on pairs: a product's two scales, and its four sums.
      target::OpcodeCounts loop = kernel->code.loop;
      unsigned mmas = loop[0x23c], others = 0;
      for (auto [opcode, count] : loop)
        others += opcode == 0x23c || opcode == 0x918 ? 0 : count;
      bool hasPairs = spec.chip->has(target::Feature::PackedF32);
      if (block == 16) {
        EXPECT_LE(others, mmas * (hasPairs ? 6.2 : 9.5));
        EXPECT_EQ(loop[0x249] + loop[0x24a] + loop[0x24b], hasPairs ? 4 * mmas : 0);
      }
    }
}

} // namespace
