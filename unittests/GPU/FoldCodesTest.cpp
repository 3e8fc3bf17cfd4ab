//===- FoldCodesTest.cpp - bf16 GEMMs that read the block-scaled ones' operands -----------===//
//
// What stands in for kernels on the uniform grid, from the same operands. Breaks when such a kernel
// spills, loses a poisoned block, meets in a bank, or takes more instructions than documents say.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Target/NVPTX/Binary.h"

using namespace ufp4;
using namespace ufp4::testing;

namespace {

struct Kind {
  const char *name;
  const target::Mma &(*mma)();
  std::vector<const char *> chips;
};

const Kind kinds[] = {
    {"ByRows", target::mmaBF16FoldCodes, {"sm_120a", "sm_121a"}},
    {"ByWords", target::mmaBF16FoldCodesByWords, {"sm_100a", "sm_103a", "sm_110a"}},
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
      return schedule.mma == &GetParam().mma();
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
  auto ptxas = target::findPtxas({});
  if (!ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  for (const char *chip : GetParam().chips) {
    SCOPED_TRACE(chip);
    GemmKernelSpec other = specOn(chip);
    llvm::LLVMContext context;
    KernelInfo info;
    std::unique_ptr<llvm::Module> module = translateKernel(other, context, info);
    ASSERT_TRUE(module);
    auto ptx = target::emitPTX(*module, *other.chip);
    ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
    auto cubin = target::assemble(ptx->text, *other.chip);
    ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
    const target::KernelUsage &usage = cubin->kernels.front();
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes, 0u);
    EXPECT_GE(usage.registers, info.schedule.registers());
    auto summary = target::readCubin(cubin->bytes);
    ASSERT_TRUE(bool(summary)) << llvm::toString(summary.takeError());
    // SASS: HMMA, NOP. Warps of 64 x 32.
    target::OpcodeCounts loop = summary->find(info.name)->loop;
    EXPECT_EQ(loop[0x23c], 64 / 16 * (32 / 8) * (256 / 16));
    unsigned others = 0;
    for (auto [opcode, count] : loop)
      others += opcode == 0x23c || opcode == 0x918 ? 0 : count;
    RecordProperty("others", int(others));
    RecordProperty("registers", int(usage.registers));
    EXPECT_LE(others, 256 * 11.6);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, FoldOfCodes, ::testing::ValuesIn(kinds),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
