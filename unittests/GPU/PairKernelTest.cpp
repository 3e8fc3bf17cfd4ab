//===- PairKernelTest.cpp - GEMMs of two blocks that multiply together ----===//
//
// Breaks when one of the two takes the other's rows or columns, when a wait between them, a commit
// or the meeting at the end has become superfluous or is no longer missed, and when the loop of the
// warp that issues for both grows.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include "llvm/IR/IRBuilder.h"

using namespace ufp4;
using namespace ufp4::testing;
using numerics::Format;
using numerics::ScaleKind;

namespace {

struct Kind {
  const char *name;
  target::Path path;
  Format format;
  ScaleKind scale;
  unsigned block;
  /// Opcode of the product in SASS, and instructions of the issuing warp's loop at most.
  unsigned opcode, loop;
};

const Kind kinds[] = {
    {"E2M1", target::Path::Native, Format::E2M1, ScaleKind::UE4M3, 16, 0x5ea, 75},
    {"E2M1UE8M0", target::Path::Native, Format::E2M1, ScaleKind::UE8M0, 32, 0x5ea, 61},
    {"ContainerE1M2", target::Path::Container, Format::E1M2, ScaleKind::UE8M0, 32, 0xdea, 58},
    {"Uniform", target::Path::Native, Format::E1M2, ScaleKind::UE4M3, 16, 0x5ea, 75},
};

const auto nameOf = [](const auto &info) { return std::string(info.param.name); };
void PrintTo(const Kind &kind, std::ostream *os) { *os << kind.name; }

GemmKernelSpec specOf(const Kind &kind, const char *chip = "sm_100a") {
  GemmKernelSpec spec;
  spec.chip = target::findChip(chip);
  spec.scheme.format = kind.format;
  spec.scheme.scale = kind.scale;
  spec.scheme.block = kind.block;
  spec.path = kind.path;
  std::string why;
  const target::GemmSchedule *first =
      target::chooseSchedule(*spec.chip, spec.scheme, spec.path, why);
  spec.schedule = *llvm::find_if(target::gemmSchedules(), [&](const target::GemmSchedule &other) {
    return other.mma == first->mma && other.blocks == 2;
  });
  return spec;
}

class PairKernels : public ::testing::TestWithParam<Kind> {
protected:
  const GemmKernelSpec spec = specOf(GetParam());

  /// Three steps in a ring of two stages.
  std::string outcome(std::array<int64_t, 2> extents,
                      llvm::function_ref<void(llvm::Module &)> edit = nullptr,
                      uint64_t scheduleSeed = 0) {
    GemmKernelSpec shallow = spec;
    shallow.schedule->stages = 2;
    return outcomeOf(shallow, {extents[0], extents[1], 5 * spec.schedule->tileK / 2}, edit,
                     scheduleSeed);
  }
  void expectFault(llvm::function_ref<void(llvm::Module &)> edit,
                   std::initializer_list<const char *> outcomes) {
    for (uint64_t seed : {0, 1}) {
      std::string found = outcome({200, 150}, edit, seed);
      EXPECT_TRUE(llvm::is_contained(outcomes, found)) << found;
    }
  }
};

// Rows of both blocks or of the first only, columns of both halves or of the first only, and more
// than one pair.
TEST_P(PairKernels, RaggedEdges) {
  for (std::array<int64_t, 2> extents :
       {std::array<int64_t, 2>{256, 256}, {200, 150}, {100, 278}, {300, 40}})
    EXPECT_EQ(outcome(extents), "equal") << extents[0] << " x " << extents[1];
}

TEST_P(PairKernels, AnyScheduleOfThreads) {
  for (uint64_t seed : {1, 2, 3})
    EXPECT_EQ(outcome({200, 150}, nullptr, seed), "equal");
}

// By the producer for stages that were read, by the first issuer for its own full stages and for
// the other block's, by the other one, and by the others for sums.
TEST_P(PairKernels, MissingWait) {
  for (unsigned wait = 0; wait < 5; ++wait) {
    SCOPED_TRACE(wait);
    expectFault(
        [&](llvm::Module &module) {
          std::vector<llvm::CallInst *> waits = callsOf(module, "llvm.nvvm.mbarrier.try.wait");
          ASSERT_EQ(waits.size(), 5u);
          llvm::CallInst *call = waits[wait];
          call->replaceAllUsesWith(llvm::ConstantInt::getTrue(module.getContext()));
          call->eraseFromParent();
        },
        {"async-not-waited", "race", "uninitialized-read", "illegal-operand"});
  }
}

TEST_P(PairKernels, MissingCommitOrArrival) {
  for (const char *name :
       {"llvm.nvvm.tcgen05.commit", "llvm.nvvm.mbarrier.arrive.scope.cluster.space.cluster"})
    expectFault(
        [&](llvm::Module &module) {
          for (llvm::CallInst *call : callsOf(module, name))
            call->eraseFromParent();
        },
        {"deadlock"});
}

// What the second block waits for is told to it, too.
TEST_P(PairKernels, CommitToOneBlock) {
  expectFault(
      [&](llvm::Module &module) {
        llvm::CallInst *commit = callsOf(module, "llvm.nvvm.tcgen05.commit").front();
        commit->setArgOperand(1, llvm::ConstantInt::get(commit->getArgOperand(1)->getType(), 1));
      },
      {"deadlock"});
}

// Pairs are launched whole.
TEST_P(PairKernels, ManifestEntry) {
  llvm::LLVMContext context;
  KernelInfo info;
  ASSERT_TRUE(translateKernel(spec, context, info));
  target::KernelEntry entry = describeKernel(spec, info);
  EXPECT_EQ(entry.cluster, (std::array<int64_t, 3>{1, 2, 1}));
  for (auto [m, blocks] : {std::pair(1, 2), {256, 2}, {257, 4}, {385, 4}}) {
    EXPECT_EQ(entry.grid[1].front().of(m), blocks);
    EXPECT_EQ(info.grid(m, 40, 1)[1], blocks);
  }
}

TEST_P(PairKernels, PoisonIsNotLost) { expectPoisonIsNotLost(spec); }

// The assembler's kernel: as many products as were emitted, no spills, little beside them.
TEST_P(PairKernels, BecomesABinary) {
  auto ptxas = target::findPtxas({});
  for (const char *chip : {"sm_100a", "sm_103a", "sm_110a"}) {
    SCOPED_TRACE(chip);
    GemmKernelSpec other = specOf(GetParam(), chip);
    other.columnMultiple = 8;
    other.result = numerics::Element::BF16;
    llvm::LLVMContext context;
    KernelInfo info;
    std::unique_ptr<llvm::Module> module = translateKernel(other, context, info);
    ASSERT_TRUE(module);
    auto ptx = target::emitPTX(*module, *other.chip);
    ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
    EXPECT_NE(ptx->text.find(".reqnctapercluster 1, 2, 1"), std::string::npos);
    if (!ptxas)
      continue;
    auto cubin = target::assemble(ptx->text, *other.chip);
    ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
    const target::KernelUsage &usage = cubin->kernels.front();
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes, 0u);
    auto summary = target::readCubin(cubin->bytes);
    ASSERT_TRUE(bool(summary)) << llvm::toString(summary.takeError());
    target::OpcodeCounts loop = summary->find(info.name)->loop;
    const target::GemmSchedule &schedule = info.schedule;
    unsigned products = schedule.tileK / schedule.mma->k(), all = 0;
    EXPECT_EQ(loop[GetParam().opcode], products);
    for (auto [opcode, count] : loop)
      all += count;
    EXPECT_LE(all, GetParam().loop * products / 4);
    RecordProperty("loop", int(all));
    RecordProperty("registers", int(usage.registers));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, PairKernels, ::testing::ValuesIn(kinds), nameOf);

} // namespace
