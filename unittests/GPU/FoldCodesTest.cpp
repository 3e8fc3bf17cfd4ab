//===- FoldCodesTest.cpp - bf16 GEMMs that read the block-scaled ones' operands -----------===//
//
// What stands in for kernels on the uniform grid, from the same operands and the same grid. Breaks
// when such a kernel spills, loses a poisoned block, meets in a bank, does something behind the
// last row, or takes more instructions than documents say.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"

using namespace ufp4;
using namespace ufp4::testing;

namespace {

struct Kind {
  const char *name;
  const target::Mma &(*mma)();
  unsigned columns;
  /// Instructions beside an MMA.
  double others;
  std::vector<const char *> chips;
};

const Kind kinds[] = {
    {"ByRows", target::mmaBF16FoldCodes, 128, 7.9, {"sm_120a", "sm_121a"}},
    {"ByWords", target::mmaBF16FoldCodesByWords, 128, 5.2, {"sm_100a", "sm_103a", "sm_110a"}},
    {"Wide", target::mmaBF16FoldCodesByWords, 256, 5.2, {"sm_100a", "sm_103a", "sm_110a"}},
};

void PrintTo(const Kind &kind, std::ostream *os) { *os << kind.name; }

class FoldOfCodes : public ::testing::TestWithParam<Kind> {
protected:
  static GemmKernelSpec specOn(const char *chip) {
    GemmKernelSpec spec;
    spec.chip = target::findChip(chip);
    spec.scheme.format = numerics::Format::E1M2;
    spec.scheme.scale = numerics::ScaleKind::UE4M3;
    spec.schedule = *llvm::find_if(target::gemmSchedules(), [](const auto &schedule) {
      return schedule.mma == &GetParam().mma() && schedule.tileN == GetParam().columns;
    });
    spec.columnMultiple = 8;
    return spec;
  }
  const GemmKernelSpec spec = specOn(GetParam().chips.front());
};

TEST_P(FoldOfCodes, PoisonIsNotLost) {
  GemmKernelSpec any = spec;
  any.columnMultiple = 1;
  expectPoisonIsNotLost(any);
}

TEST_P(FoldOfCodes, SharedMemoryIsFreeOfConflicts) {
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Operand a = makeOperand(spec.scheme, {1, 128, 256}, Scales::Powers, 1),
          b = makeOperand(spec.scheme, {1, 128, 256}, Scales::Powers, 2);
  GemmRun run = runGemm(kernel, spec, a, b);
  expectEqual(run, exactGemm(a, b));
  EXPECT_EQ(run.stats.sharedWavefronts, run.stats.idealSharedWavefronts);
}

TEST_P(FoldOfCodes, BecomesABinary) {
  UFP4_NEED_PTXAS();
  for (const char *chip : GetParam().chips)
    // Chips of a kind differ in little.
    for (bool isPlain :
         chip == GetParam().chips.front() ? std::vector{true, false} : std::vector{true}) {
      SCOPED_TRACE(std::string(chip) + (isPlain ? ", plain" : ", with all that there is"));
      GemmKernelSpec other = specOn(chip);
      if (!isPlain) {
        other.alpha = other.accumulate = true;
        other.bias = numerics::Element::BF16;
        other.columnMultiple = 1;
      }
      std::optional<AssembledKernel> kernel = assembleKernel(other);
      ASSERT_TRUE(kernel);
      // SASS: HMMA, NOP.
      target::OpcodeCounts loop = kernel->code.loop;
      const target::GemmSchedule &schedule = kernel->info.schedule;
      unsigned mmas = schedule.warpRows() / 16 * schedule.warpColumns() / 8 * schedule.tileK / 16;
      EXPECT_EQ(loop[0x23c], mmas);
      double others = 0;
      for (auto [opcode, count] : loop)
        others += opcode == 0x23c || opcode == 0x918 ? 0 : count;
      RecordProperty("others", std::to_string(others / mmas));
      RecordProperty("registers", int(kernel->usage.registers));
      EXPECT_LE(others / mmas, GetParam().others);
    }
}

// From the grid of a kernel of pairs, and in clusters like its: a block of the last two may have no
// row of C, and where operands end faults are found.
TEST_P(FoldOfCodes, TakesThePlaceOfPairs) {
  GemmKernelSpec instead = spec;
  instead.columnMultiple = 1;
  instead.launchedBlocks = 2;
  LoadedKernel kernel = loadKernel(instead);
  ASSERT_TRUE(kernel.module);
  for (auto [batch, m, blocks] : {std::tuple(2, 100, 2u), {1, 300, 1u}}) {
    Operand a = makeOperand(spec.scheme, {batch, m, 64}, Scales::Powers, 1),
            b = makeOperand(spec.scheme, {batch, 40, 64}, Scales::Powers, 2);
    EXPECT_EQ(kernel.info.grid(m, 40, batch)[1] % 2, 0);
    GemmInputs inputs;
    inputs.cluster = {1, blocks, 1};
    expectEqual(runGemm(kernel, instead, a, b, inputs), exactGemm(a, b));
  }
  target::KernelEntry entry = describeKernel(instead, kernel.info);
  EXPECT_EQ(entry.cluster, (std::array<int64_t, 3>{1, 1, 1}));
  EXPECT_EQ(entry.grid[1].front().of(257), 4);
}

// The same launch to the letter.
TEST(FoldsOfCodes, AreLaunchedAsPairsAre) {
  auto scheduleOf = [](const target::Mma &mma, unsigned blocks) {
    return *llvm::find_if(target::gemmSchedules(), [&](const auto &schedule) {
      return schedule.mma == &mma && schedule.tileN == 256 && schedule.blocks == blocks;
    });
  };
  auto entryOf = [&](const target::GemmSchedule &schedule, unsigned launchedBlocks) {
    GemmKernelSpec spec;
    spec.chip = target::findChip("sm_100a");
    spec.scheme.format = numerics::Format::E1M2;
    spec.scheme.scale = numerics::ScaleKind::UE4M3;
    spec.schedule = schedule;
    spec.launchedBlocks = launchedBlocks;
    llvm::LLVMContext context;
    KernelInfo info;
    EXPECT_TRUE(translateKernel(spec, context, info));
    return describeKernel(spec, info);
  };
  target::KernelEntry pairs = entryOf(scheduleOf(target::tensorMmaE0M3Scaled16(), 2), 1);
  target::GemmSchedule fold = scheduleOf(target::mmaBF16FoldCodesByWords(), 1);
  EXPECT_EQ(target::explainOtherLaunch(pairs, entryOf(fold, 2)), "");
  EXPECT_EQ(target::explainOtherLaunch(pairs, entryOf(fold, 1)), "its grid");
}

INSTANTIATE_TEST_SUITE_P(Kinds, FoldOfCodes, ::testing::ValuesIn(kinds),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
