//===- RooflineTest.cpp - Predictions worked out by hand ------------------===//
//
// Breaks when a resource is counted wrongly, a rate is missing, or the loop of a kernel is not
// found in its binary.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Target/Roofline.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace ufp4;
using namespace ufp4::target;

namespace {

/// C [m, n] of bf16, of operands of bf16 elements in tiles of 128 x 64.
KernelEntry makeGemm(llvm::StringRef path) {
  KernelEntry kernel;
  kernel.name = "gemm";
  kernel.path = path.str();
  kernel.block = {128, 1, 1};
  kernel.dynamicSharedBytes = 98304;
  kernel.registers = 200;
  kernel.grid = {GridAxis{{"n", 128}}, GridAxis{{"m", 128}}, GridAxis{{"g", 1}}};
  auto buffer = [&](const char *name, ArgumentKind kind, std::vector<std::string> shape,
                    std::vector<int64_t> padding) {
    ArgumentEntry argument;
    argument.name = name;
    argument.kind = kind;
    argument.access = kind == ArgumentKind::Output ? ArgumentAccess::Write : ArgumentAccess::Read;
    argument.element = "bf16";
    argument.shape = std::move(shape);
    argument.padding = std::move(padding);
    kernel.arguments.push_back(argument);
  };
  buffer("codes_a", ArgumentKind::Codes, {"g", "m", "k"}, {1, 128, 64});
  buffer("codes_b", ArgumentKind::Codes, {"g", "n", "k"}, {1, 128, 64});
  buffer("result", ArgumentKind::Output, {"g", "m", "n"}, {});
  ArgumentEntry depth;
  depth.name = "depth_tiles";
  depth.element = "i32";
  depth.value = "tiles(k, 64, 64)";
  kernel.arguments.push_back(depth);
  return kernel;
}

std::optional<double> clocksOf(const LaunchEstimate &estimate, Resource resource) {
  return estimate.clocks[unsigned(resource)];
}

TEST(Roofline, EveryNVIDIAChipHasRates) {
  for (const Chip &chip : getChips()) {
    const ChipRates *rates = findRates(chip.name);
    ASSERT_EQ(rates != nullptr, chip.vendor == Vendor::NVIDIA) << chip.name.str();
    if (!rates)
      continue;
    EXPECT_GE(rates->sharedBytes, chip.sharedMemoryBytes);
    EXPECT_EQ(rates->e2m1 != 0, getPaths(chip).front().path == Path::Native) << chip.name.str();
    EXPECT_FALSE(rates->source.empty());
  }
}

TEST(Roofline, OccupancyNamesItsLimit) {
  const ChipRates &rates = *findRates("sm_90a");
  KernelEntry kernel = makeGemm("fold");
  auto occupancy = [&] {
    Occupancy found = getOccupancy(kernel, rates);
    return llvm::formatv("{0} blocks, {1} warps, {2}", found.blocks, found.warps, found.limit)
        .str();
  };
  EXPECT_EQ(occupancy(), "2 blocks, 8 warps, shared memory");
  kernel.registers = 168;
  kernel.dynamicSharedBytes = 0;
  EXPECT_EQ(occupancy(), "3 blocks, 12 warps, registers");
  kernel.registers = 16;
  EXPECT_EQ(occupancy(), "16 blocks, 64 warps, threads");
  kernel.block = {32, 1, 1};
  EXPECT_EQ(occupancy(), "32 blocks, 32 warps, blocks");
  kernel.tensorColumns = 256;
  Occupancy tensor = getOccupancy(kernel, *findRates("sm_100a"));
  EXPECT_EQ(tensor.blocks, 2);
  EXPECT_EQ(tensor.limit, "tensor memory");
}

TEST(Roofline, AGemmByHand) {
  const ChipRates &rates = *findRates("sm_80");
  // 3 x 2 blocks, two tiles along K: one block for each of six multiprocessors.
  std::map<std::string, int64_t> extents = {{"g", 1}, {"m", 200}, {"n", 300}, {"k", 112}};
  CubinFunction code;
  code.name = "gemm";
  // 128 HMMA, 32 LDSM, 4 FFMA, 6 NOPs, of which 2 are in the loop; 100 others.
  code.loop = {{0x23c, 128}, {0x83b, 32}, {0x223, 4}, {0x918, 2}};
  code.opcodes = {{0x23c, 128}, {0x83b, 32}, {0x223, 4}, {0x918, 6}, {0x981, 100}};
  auto estimate = estimateLaunch(makeGemm("fold"), extents, &code, rates);
  ASSERT_TRUE(bool(estimate)) << llvm::toString(estimate.takeError());
  EXPECT_EQ(estimate->blocks, 6);
  EXPECT_EQ(estimate->waves, 1);
  int64_t bytes = (256 * 128 + 384 * 128 + 200 * 300) * 2;
  EXPECT_EQ(estimate->bytes, bytes);
  EXPECT_DOUBLE_EQ(*clocksOf(*estimate, Resource::MMA), 2.0 * 128 * 128 * 128 / 2048);
  // The loop twice, all else once; 4 warps, 4 instructions a clock.
  EXPECT_DOUBLE_EQ(*clocksOf(*estimate, Resource::Issue), 100 + 2 * (128 + 32 + 4 + 2));
  EXPECT_DOUBLE_EQ(*clocksOf(*estimate, Resource::F32), 4 * 2 * 4 * 32.0 / 64);
  EXPECT_DOUBLE_EQ(*clocksOf(*estimate, Resource::Shared), 4 * 2 * 32 * 512.0 / 128);
  EXPECT_DOUBLE_EQ(*clocksOf(*estimate, Resource::Memory), bytes / (double(13.4f) * 108));
  EXPECT_EQ(estimate->binds, Resource::MMA);
  EXPECT_DOUBLE_EQ(estimate->share, 2.0 * 200 * 300 * 112 / (2048 * 108) / estimate->total());

  // Without a binary what follows from instructions is not known, and the rest is.
  auto without = estimateLaunch(makeGemm("post"), extents, nullptr, *findRates("sm_90a"));
  ASSERT_TRUE(bool(without)) << llvm::toString(without.takeError());
  EXPECT_EQ(clocksOf(*without, Resource::Issue), std::nullopt);
  EXPECT_EQ(clocksOf(*without, Resource::F32), std::nullopt);
  EXPECT_DOUBLE_EQ(*clocksOf(*without, Resource::MMA),
                   2.0 * 128 * 128 * 128 / (4096 * double(0.63f)));

  // Where products are on tensor memory one of four warps makes a second turn to issue them, and
  // another one to copy.
  code.loop = {{0x5ea, 4}, {0x9e7, 60}};
  code.copies = {{0x3ba, 4}, {0x9e7, 20}};
  code.opcodes = {{0x5ea, 4}, {0x3ba, 4}, {0x9e7, 80}, {0x981, 100}};
  KernelEntry kernel = makeGemm("native");
  kernel.tensorColumns = 256;
  auto tensor = estimateLaunch(kernel, extents, &code, *findRates("sm_100a"));
  ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
  EXPECT_DOUBLE_EQ(*clocksOf(*tensor, Resource::Issue), 188 + (64 + 24) / 4);
  // Both tiles of both steps are read from shared memory.
  EXPECT_DOUBLE_EQ(*clocksOf(*tensor, Resource::Shared), 2 * 2 * 128 * 64 * 2 / 128);
  EXPECT_DOUBLE_EQ(*clocksOf(*tensor, Resource::MMA), 2.0 * 128 * 128 * 128 / 32768);
  // Of a pair each block has half of the columns there, and multiplies all.
  kernel.grid[0].front().tile = 256;
  kernel.cluster = {1, 2, 1};
  auto pair = estimateLaunch(kernel, extents, &code, *findRates("sm_100a"));
  ASSERT_TRUE(bool(pair)) << llvm::toString(pair.takeError());
  EXPECT_DOUBLE_EQ(*clocksOf(*pair, Resource::Shared), *clocksOf(*tensor, Resource::Shared));
  EXPECT_DOUBLE_EQ(*clocksOf(*pair, Resource::MMA), 2.0 * 128 * 256 * 128 / 32768);

  // E2M3 runs at twice the rate of bf16, also where E2M1 does at six times.
  auto container = estimateLaunch(makeGemm("container"), extents, nullptr, *findRates("sm_103a"));
  ASSERT_TRUE(bool(container)) << llvm::toString(container.takeError());
  EXPECT_DOUBLE_EQ(*clocksOf(*container, Resource::MMA), 2.0 * 128 * 128 * 128 / 16384);

  extents.erase("k");
  auto missing = estimateLaunch(makeGemm("fold"), extents, &code, rates);
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("extent 'k'"), std::string::npos);
}

TEST(Roofline, UnknownKernelsAreErrors) {
  LaunchSite site;
  site.kernel = "other";
  auto roofline = makeRoofline({}, nullptr, *findChip("sm_80"), site);
  ASSERT_FALSE(bool(roofline));
  EXPECT_EQ(llvm::toString(roofline.takeError()),
            "a launch names the kernel other, which the manifest has not");
}

// A loop of two MMAs behind one of one, in the three encodings of branches that chips have.
TEST(Roofline, LoopsAreFoundInBinaries) {
  auto ptxas = findPtxas({});
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  for (llvm::StringRef chip : {"sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"}) {
    SCOPED_TRACE(chip.str());
    std::string mma = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {f0,f1,f2,f3}, "
                      "{r0,r1,r2,r3}, {r4,r5}, {f0,f1,f2,f3};\n";
    std::string text = llvm::formatv(
        ".version 8.8\n.target {0}\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u32 n) {{\n"
        ".reg .b32 r<10>; .reg .f32 f<4>; .reg .b64 d<2>; .reg .pred q;\n"
        "ld.param.u64 d0, [p]; ld.param.u32 r9, [n]; mov.u32 r8, 0; mov.u32 r7, 0;\n"
        "ld.global.v4.u32 {{r0,r1,r2,r3}, [d0]; ld.global.v2.u32 {{r4,r5}, [d0+16];\n"
        "ld.global.v4.f32 {{f0,f1,f2,f3}, [d0+32];\n"
        "L: .pragma \"nounroll\"; {1} add.u32 r8, r8, 1; setp.lt.u32 q, r8, r9; @q bra L;\n"
        "M: .pragma \"nounroll\"; {1} {1} add.u32 r7, r7, 1; setp.lt.u32 q, r7, r9; @q bra M;\n"
        "st.global.v4.f32 [d0], {{f0,f1,f2,f3}; ret;\n}\n",
        chip, mma);
    auto cubin = assemble(text, *findChip(chip));
    ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
    auto summary = readCubin(cubin->bytes);
    ASSERT_TRUE(bool(summary)) << llvm::toString(summary.takeError());
    const CubinFunction &kernel = summary->functions.front();
    EXPECT_EQ(kernel.count(0x23c), 3u);
    EXPECT_EQ(kernel.loop.at(0x23c), 2u);
    unsigned words = 0;
    for (auto [opcode, count] : kernel.loop)
      words += count;
    EXPECT_GE(words, 5u);
    EXPECT_LE(words, 12u);
  }
}

} // namespace
