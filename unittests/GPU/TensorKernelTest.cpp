//===- TensorKernelTest.cpp - GEMMs whose sums are in tensor memory -------===//
//
// Each fault planted into such a kernel must be seen: by the comparison or by the emulator. Breaks
// when a wait, a fence or a commit has become superfluous, or is no longer missed, and when the
// kernel's loop grows.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "HotPath.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Target/Roofline.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace ufp4;
using namespace ufp4::testing;
using emulator::Takeover;
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
  /// Issue slots of sm_100a that a deep tile takes at most, in percent.
  double issued;
  unsigned columns = 128, blocks = 1;
};

const Kind kinds[] = {
    {"E2M1", target::Path::Native, Format::E2M1, ScaleKind::UE4M3, 16, 0x5ea, 64, 14},
    {"E2M1Wide", target::Path::Native, Format::E2M1, ScaleKind::UE4M3, 16, 0x5ea, 83, 10, 256},
    {"E2M1UE8M0", target::Path::Native, Format::E2M1, ScaleKind::UE8M0, 32, 0x5ea, 54, 12},
    {"E2M1UE8M0Wide", target::Path::Native, Format::E2M1, ScaleKind::UE8M0, 32, 0x5ea, 58, 10, 256},
    {"ContainerE1M2", target::Path::Container, Format::E1M2, ScaleKind::UE8M0, 32, 0xdea, 54, 11},
    {"Uniform", target::Path::Native, Format::E1M2, ScaleKind::UE4M3, 16, 0x5ea, 64, 14},
    {"E2M1Pair", target::Path::Native, Format::E2M1, ScaleKind::UE4M3, 16, 0x5ea, 86, 8, 256, 2},
    {"E2M1UE8M0Pair", target::Path::Native, Format::E2M1, ScaleKind::UE8M0, 32, 0x5ea, 61, 6.5, 256,
     2},
    {"ContainerE1M2Pair", target::Path::Container, Format::E1M2, ScaleKind::UE8M0, 32, 0xdea, 58, 6,
     256, 2},
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
    return other.mma == first->mma && other.tileN == kind.columns && other.blocks == kind.blocks;
  });
  return spec;
}

using Edit = llvm::function_ref<void(llvm::Module &)>;

/// outcomeOf, three steps deep in a ring of two stages.
std::string outcomeOfExtents(GemmKernelSpec spec, int64_t m, int64_t n, Edit edit = nullptr,
                             uint64_t scheduleSeed = 0) {
  spec.schedule->stages = 2;
  return outcomeOf(spec, {m, n, 5 * spec.schedule->tileK / 2}, edit, scheduleSeed);
}

/// With two clusters and ragged edges.
std::string outcome(const GemmKernelSpec &spec, Edit edit = nullptr, uint64_t scheduleSeed = 0) {
  const target::GemmSchedule &schedule = *spec.schedule;
  return outcomeOfExtents(spec, 128 * schedule.blocks - 28, schedule.tileN + 22, edit,
                          scheduleSeed);
}

/// With four, which by one cluster are as many turns, in a ring of four stages.
std::string outcomeOfTurns(GemmKernelSpec spec, Edit edit = nullptr, uint64_t scheduleSeed = 0,
                           Takeover takeover = Takeover::All) {
  target::GemmSchedule &schedule = *spec.schedule;
  schedule.stages = 4;
  return outcomeOf(spec, {200 * schedule.blocks, schedule.tileN + 22, 5 * schedule.tileK / 2}, edit,
                   scheduleSeed, std::nullopt, takeover);
}

/// Moves a call, and what it needs of its own block, before another instruction.
void moveBefore(llvm::Instruction &moved, llvm::Instruction &place) {
  for (llvm::Value *operand : moved.operands())
    if (auto *needed = llvm::dyn_cast<llvm::Instruction>(operand);
        needed && needed->getParent() == moved.getParent())
      moveBefore(*needed, place);
  moved.moveBefore(place.getIterator());
}

constexpr llvm::StringLiteral kWait = "llvm.nvvm.mbarrier.try.wait",
                              kCommit = "llvm.nvvm.tcgen05.commit", kCopy = "llvm.nvvm.tcgen05.cp",
                              kProduct = "llvm.nvvm.tcgen05.mma",
                              kBefore = "llvm.nvvm.tcgen05.fence.before",
                              kAfter = "llvm.nvvm.tcgen05.fence.after",
                              kLoad = "llvm.nvvm.tcgen05.ld", kInit = "llvm.nvvm.mbarrier.init",
                              kArrive = "llvm.nvvm.mbarrier.arrive.scope",
                              kRequest = "llvm.nvvm.clusterlaunchcontrol.try_cancel.",
                              kQuery = "llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled",
                              kProxyFence = "llvm.nvvm.fence.proxy.async_generic";

/// Waits, in the order of the module: the producer's until an answer was read and a stage was, the
/// issuer's until sums were read and a stage is full, the others' until sums are full; and each
/// one's for the answer. Wide tiles' sums leave columns for the scales of two stages with ue4m3. Of
/// a pair the first issuer waits for stages of both, the second for its own and for the answer.
unsigned waitsOf(const Kind &kind) {
  unsigned ofScales = kind.columns == 256 && kind.scale == ScaleKind::UE4M3;
  return 8 + ofScales + (kind.blocks == 2 ? 3 : 0);
}

/// Of everybody who reads an answer, the query, and the arrival that says that it was read.
std::vector<std::pair<llvm::CallInst *, llvm::CallInst *>> answersReadIn(llvm::Module &module) {
  std::vector<std::pair<llvm::CallInst *, llvm::CallInst *>> answers;
  for (llvm::CallInst *call : callsOf(module, "llvm.nvvm.")) {
    llvm::StringRef name = call->getCalledFunction()->getName();
    if (name == kQuery)
      answers.push_back({call, nullptr});
    else if (name.starts_with(kArrive) && !answers.empty() && !answers.back().second)
      answers.back().second = call;
  }
  EXPECT_GE(answers.size(), 3u);
  return answers;
}

class TensorKernels : public ::testing::TestWithParam<Kind> {
protected:
  const GemmKernelSpec spec = specOf(GetParam());

  void expectFault(Edit edit, std::initializer_list<const char *> outcomes) {
    for (uint64_t seed : {0, 1}) {
      std::string found = outcome(spec, edit, seed);
      EXPECT_TRUE(llvm::is_contained(outcomes, found)) << found;
    }
  }
  void expectFaultOfTurns(Edit edit, std::initializer_list<const char *> outcomes) {
    std::string found = outcomeOfTurns(spec, edit, /*scheduleSeed=*/1);
    EXPECT_TRUE(llvm::is_contained(outcomes, found)) << found;
  }
};

TEST_P(TensorKernels, AnyScheduleOfThreads) {
  for (uint64_t seed : {0, 1, 2, 3})
    EXPECT_EQ(outcome(spec, nullptr, seed), "equal");
}

// Of a pair rows of both blocks or of the first only, and columns of both halves or of one.
TEST_P(TensorKernels, RaggedEdges) {
  for (auto [m, n] : {std::pair(256, 256), {200, 150}, {100, 278}, {300, 40}})
    EXPECT_EQ(outcomeOfExtents(spec, m, n), "equal") << m << " x " << n;
}

TEST_P(TensorKernels, AnyBlocksTakenOver) {
  for (Takeover takeover : {Takeover::All, Takeover::None, Takeover::Random})
    EXPECT_EQ(outcomeOfTurns(spec, nullptr, /*scheduleSeed=*/1, takeover), "equal");
}

TEST_P(TensorKernels, MissingWait) {
  for (unsigned wait = 0; wait < waitsOf(GetParam()); ++wait) {
    SCOPED_TRACE(wait);
    expectFaultOfTurns(
        [&](llvm::Module &module) {
          std::vector<llvm::CallInst *> waits = callsOf(module, kWait);
          ASSERT_EQ(waits.size(), waitsOf(GetParam()));
          waits[wait]->replaceAllUsesWith(llvm::ConstantInt::getTrue(module.getContext()));
          waits[wait]->eraseFromParent();
        },
        {"async-not-waited", "race", "uninitialized-read"});
  }
}

TEST_P(TensorKernels, OtherParity) {
  for (unsigned wait = 0; wait < waitsOf(GetParam()); ++wait) {
    SCOPED_TRACE(wait);
    expectFaultOfTurns(
        [&](llvm::Module &module) {
          llvm::CallInst *call = callsOf(module, kWait)[wait];
          llvm::IRBuilder<> b(call);
          call->setArgOperand(1, b.CreateXor(call->getArgOperand(1), 1));
        },
        {"async-not-waited", "race", "uninitialized-read", "deadlock"});
  }
}

// Said to have been read, and then read.
TEST_P(TensorKernels, ReleasedTooEarly) {
  // The producer's is first, and of all but of one block not the one that asks.
  for (unsigned reader = 1; reader < 2 + GetParam().blocks; ++reader)
    expectFaultOfTurns(
        [&](llvm::Module &module) {
          auto [query, arrival] = answersReadIn(module)[reader];
          moveBefore(*arrival, *llvm::cast<llvm::Instruction>(query->getArgOperand(0)));
        },
        {"async-not-waited", "race"});
  expectFaultOfTurns(
      [](llvm::Module &module) {
        // By all lanes, since none is elected there.
        moveBefore(*callsOf(module, kArrive).back(), *callsOf(module, kLoad).front());
        std::vector<llvm::CallInst *> inits = callsOf(module, kInit);
        for (llvm::CallInst *init : {inits[inits.size() - 7], inits[inits.size() - 3]}) {
          auto *arrivals = llvm::cast<llvm::ConstantInt>(init->getArgOperand(1));
          init->setArgOperand(
              1, llvm::ConstantInt::get(arrivals->getType(), 32 * arrivals->getZExtValue()));
        }
      },
      {"race"});
}

// An answer or sums; nor the second block of a pair that its stage is full.
TEST_P(TensorKernels, NobodySaysThatItRead) {
  unsigned arrivals = GetParam().blocks == 2 ? 6 : 4;
  for (unsigned arrival = 0; arrival < arrivals; ++arrival)
    expectFaultOfTurns(
        [&](llvm::Module &module) {
          std::vector<llvm::CallInst *> calls = callsOf(module, kArrive);
          ASSERT_EQ(calls.size(), arrivals);
          calls[arrival]->eraseFromParent();
        },
        {"deadlock"});
}

// Those around the allocation order nothing that anybody has done yet.
TEST_P(TensorKernels, MissingFence) {
  // Parts of sums that are read once others were said to be read need one more.
  unsigned before = GetParam().columns == 256 ? 3 : 2;
  for (const auto &kind : {std::pair(kAfter, 3u), std::pair(kBefore, before)})
    for (unsigned fence = 1; fence < kind.second; ++fence) {
      SCOPED_TRACE(kind.first.str() + std::to_string(fence));
      expectFaultOfTurns(
          [&](llvm::Module &module) {
            std::vector<llvm::CallInst *> fences = callsOf(module, kind.first);
            ASSERT_EQ(fences.size(), kind.second);
            fences[fence]->eraseFromParent();
          },
          {"race"});
    }
}

// Of those who read an answer, and of the producer before the next one.
TEST_P(TensorKernels, MissingProxyFence) {
  const unsigned count = 3 + GetParam().blocks;
  for (unsigned fence = 0; fence < count; ++fence) {
    SCOPED_TRACE(fence);
    expectFaultOfTurns(
        [&](llvm::Module &module) {
          std::vector<llvm::CallInst *> fences = callsOf(module, kProxyFence);
          ASSERT_EQ(fences.size(), count);
          fences[fence]->eraseFromParent();
        },
        {"race"});
  }
}

TEST_P(TensorKernels, MissingCommit) {
  for (unsigned commit : {0, 1})
    expectFault(
        [&](llvm::Module &module) {
          std::vector<llvm::CallInst *> commits = callsOf(module, kCommit);
          ASSERT_EQ(commits.size(), 2u);
          commits[commit]->eraseFromParent();
        },
        {"deadlock"});
}

// What the second block of a pair waits for is told to it, too: what was read, sums and answers.
TEST_P(TensorKernels, ToOneBlockOnly) {
  if (GetParam().blocks == 1)
    return;
  for (unsigned commit : {0, 1})
    expectFaultOfTurns(
        [&](llvm::Module &module) {
          llvm::CallInst *call = callsOf(module, kCommit)[commit];
          call->setArgOperand(1, llvm::ConstantInt::get(call->getArgOperand(1)->getType(), 1));
        },
        {"deadlock"});
  expectFaultOfTurns(
      [](llvm::Module &module) {
        llvm::CallInst *call = callsOf(module, kRequest).front();
        call->setCalledFunction(module.getOrInsertFunction(
            (kRequest + "async.shared").str(), call->getCalledFunction()->getFunctionType()));
      },
      {"deadlock"});
}

// Pairs are launched whole.
TEST_P(TensorKernels, GridOfWholeClusters) {
  llvm::LLVMContext context;
  KernelInfo info;
  ASSERT_TRUE(translateKernel(spec, context, info));
  target::KernelEntry entry = describeKernel(spec, info);
  const unsigned blocks = GetParam().blocks;
  EXPECT_EQ(entry.cluster, (std::array<int64_t, 3>{1, blocks, 1}));
  for (int64_t m : {1, 128, 129, 256, 257, 385}) {
    int64_t count = llvm::divideCeil(m, 128 * blocks) * blocks;
    EXPECT_EQ(entry.grid[1].front().of(m), count);
    EXPECT_EQ(info.grid(m, 40, 1)[1], count);
  }
}

// Of half the columns.
TEST_P(TensorKernels, ColumnsOutOfBounds) {
  expectFault(
      [](llvm::Module &module) {
        for (llvm::StringRef name : {"llvm.nvvm.tcgen05.alloc", "llvm.nvvm.tcgen05.dealloc"})
          for (llvm::CallInst *call : callsOf(module, name)) {
            auto *columns = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1));
            call->setArgOperand(
                1, llvm::ConstantInt::get(columns->getType(), columns->getZExtValue() / 2));
          }
      },
      {"out-of-bounds"});
}

TEST_P(TensorKernels, ColumnsNotFreed) {
  expectFault(
      [](llvm::Module &module) {
        for (llvm::CallInst *call : callsOf(module, "llvm.nvvm.tcgen05.dealloc"))
          call->eraseFromParent();
      },
      {"illegal-operand"});
}

TEST_P(TensorKernels, WrongSwizzle) {
  for (unsigned operand : {1, 2})
    EXPECT_EQ(outcome(spec,
                      [&](llvm::Module &module) {
                        llvm::CallInst *product = callsOf(module, kProduct).front();
                        llvm::IRBuilder<> b(product);
                        product->setArgOperand(operand,
                                               b.CreateAnd(product->getArgOperand(operand),
                                                           llvm::maskTrailingOnes<uint64_t>(61)));
                      }),
              "differs");
}

TEST_P(TensorKernels, WrongPlaceOfScales) {
  EXPECT_EQ(outcome(spec,
                    [&](llvm::Module &module) {
                      std::vector<llvm::CallInst *> copies = callsOf(module, kCopy);
                      llvm::Value *first = copies[0]->getArgOperand(1);
                      copies[0]->setArgOperand(1, copies[1]->getArgOperand(1));
                      copies[1]->setArgOperand(1, first);
                    }),
            "differs");
}

// What a kernel on the uniform grid computes where the bits mean E2M1, and the reverse.
TEST_P(TensorKernels, OtherGrid) {
  if (GetParam().path != target::Path::Native)
    return;
  bool isUniform = GetParam().format == Format::E1M2;
  EXPECT_EQ(outcome(spec,
                    [&](llvm::Module &module) {
                      llvm::CallInst *product = callsOf(module, kProduct).front();
                      auto *descriptor = llvm::cast<llvm::ConstantInt>(product->getArgOperand(3));
                      product->setArgOperand(
                          3, llvm::ConstantInt::get(descriptor->getType(),
                                                    descriptor->getZExtValue() ^ 1u << 7));
                    }),
            isUniform ? "differs" : "illegal-operand");
}

// Where a word has the scales of one product there is no other byte to begin at.
TEST_P(TensorKernels, WrongByteOfScales) {
  bool isOnlyOne = GetParam().block == 16;
  for (unsigned bit : {5u, 30u})
    EXPECT_EQ(outcome(spec,
                      [&](llvm::Module &module) {
                        llvm::CallInst *product = callsOf(module, kProduct).front();
                        auto *descriptor = llvm::cast<llvm::ConstantInt>(product->getArgOperand(3));
                        product->setArgOperand(
                            3, llvm::ConstantInt::get(descriptor->getType(),
                                                      descriptor->getZExtValue() ^ 1u << bit));
                      }),
              isOnlyOne ? "illegal-operand" : "differs");
}

TEST_P(TensorKernels, OtherColumnsOfSums) {
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      std::vector<llvm::CallInst *> loads = callsOf(module, kLoad);
                      loads[1]->setArgOperand(0, loads[0]->getArgOperand(0));
                    }),
            "differs");
}

TEST_P(TensorKernels, PoisonIsNotLost) { expectPoisonIsNotLost(spec); }

// The assembler's kernel: as many products as were emitted, no spills, little beside them.
TEST_P(TensorKernels, BecomesABinary) {
  UFP4_NEED_PTXAS();
  for (const char *chip : {"sm_100f", "sm_100a", "sm_103a", "sm_110a"}) {
    SCOPED_TRACE(chip);
    GemmKernelSpec other = specOf(GetParam(), chip);
    other.columnMultiple = other.schedule->mma->runLength();
    other.result = numerics::Element::BF16;
    std::optional<AssembledKernel> kernel = assembleKernel(other);
    ASSERT_TRUE(kernel);
    EXPECT_EQ(llvm::StringRef(kernel->ptx.text).contains(".reqnctapercluster 1, 2, 1"),
              GetParam().blocks == 2);
    target::OpcodeCounts loop = kernel->code.loop;
    // SASS: the products; copies of scales; one commit.
    const target::GemmSchedule &schedule = kernel->info.schedule;
    unsigned products = schedule.tileK / schedule.mma->k(), all = 0;
    EXPECT_EQ(loop[GetParam().opcode], products);
    for (auto [opcode, count] : loop)
      all += count;
    EXPECT_LE(all, GetParam().loop * products / 4);
    RecordProperty("loop", int(all));
    // What warps issue for a deep tile beside asking again: the issuer's loop and the producer's,
    // and on four warps the way from sums to C; of four slots for each clock of its products. Of a
    // pair one block issues for both.
    unsigned copying = 0;
    for (auto [opcode, count] : kernel->code.copies)
      copying += count;
    HotPath storing = findHotPath(kernel->cubin, kernel->info.name);
    EXPECT_TRUE(storing.isLoop);
    constexpr unsigned depth = 16384;
    double issued = depth / schedule.tileK * (double(all) / schedule.blocks + copying) +
                    4 * storing.instructions;
    double rate = target::findRates(chip)->e2m1 / (spec.path == target::Path::Native ? 1 : 2);
    double share = issued / (4 * 2.0 * schedule.tileM * schedule.tileN * depth / rate);
    if (other.chip == spec.chip)
      EXPECT_LE(100 * share, GetParam().issued);
    RecordProperty("issued", int(1000 * share));
    RecordProperty("registers", int(kernel->usage.registers));
  }
}

// Two bands of rows of tiles, the second of two rows, in each of two products.
TEST(TensorRaster, RaggedBands) {
  GemmKernelSpec spec = specOf(kinds[2]);
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  constexpr int64_t m = (target::GemmSchedule::bandRows + 1) * 128 + 3, n = 260, k = 32;
  Operand a = makeOperand(spec.scheme, {2, m, k}, Scales::Powers, 1);
  Operand b = makeOperand(spec.scheme, {2, n, k}, Scales::Powers, 2);
  std::vector<numerics::GemmBound> exact = exactGemm(a, b);
  for (Takeover takeover : {Takeover::All, Takeover::Random}) {
    GemmInputs inputs;
    inputs.takeover = takeover;
    expectEqual(runGemm(kernel, spec, a, b, inputs), exact);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TensorKernels, ::testing::ValuesIn(kinds), nameOf);

} // namespace
