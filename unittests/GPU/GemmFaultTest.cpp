//===- GemmFaultTest.cpp - Planted faults, and what GEMM kernels promise --===//
//
// Each test plants one fault in the module of a kernel whose sums stay in matrix instructions; the
// comparison or the emulator must see it. Breaks when tests of kernels could pass by accident: with
// scales that do not differ, operands that end early, or rules that the emulator lost.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Execution/EmulatedDevice.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace ufp4;
using namespace ufp4::testing;
using emulator::FaultKind;
using numerics::Format;
using numerics::ScaleKind;

namespace {

struct Kind {
  const char *name;
  target::Path path;
  Format format;
  ScaleKind scale;
  unsigned block;
  /// The chip that is emulated, and those that it is assembled for.
  const char *chip;
  std::vector<const char *> chips;
  /// Of the matrix instruction: its intrinsic, and its opcode in SASS.
  const char *intrinsic;
  unsigned opcode;
  /// At most, of a kernel without NOPs.
  unsigned instructions;
  /// How operands come: in place of the schedule's.
  const target::Transport *transport = nullptr;

  bool isInRows() const { return isTensor() || transport == &target::rowCopies(); }
  bool isTensor() const { return transport == &target::tensorCopies(); }
  bool hasBarriers() const { return isTensor() || transport == &target::bulkCopies(); }
};

/// A block-scaled kernel of e2m1.
Kind nativeKind(const char *name, ScaleKind scale, unsigned instructions,
                const target::Transport &transport) {
  return {name,
          target::Path::Native,
          Format::E2M1,
          scale,
          scale == ScaleKind::UE4M3 ? 16u : 32u,
          "sm_120a",
          {"sm_120a", "sm_121a"},
          "llvm.nvvm.mma.block.scale",
          0x47f,
          instructions,
          &transport};
}

const Kind kinds[] = {
    nativeKind("UE4M3", ScaleKind::UE4M3, 850, target::groupedCopies()),
    nativeKind("UE8M0", ScaleKind::UE8M0, 850, target::groupedCopies()),
    nativeKind("BulkUE4M3", ScaleKind::UE4M3, 850, target::bulkCopies()),
    nativeKind("BulkUE8M0", ScaleKind::UE8M0, 850, target::bulkCopies()),
    nativeKind("TensorUE4M3", ScaleKind::UE4M3, 950, target::tensorCopies()),
    nativeKind("TensorUE8M0", ScaleKind::UE8M0, 950, target::tensorCopies()),
    nativeKind("RowsUE4M3", ScaleKind::UE4M3, 950, target::rowCopies()),
    nativeKind("RowsUE8M0", ScaleKind::UE8M0, 950, target::rowCopies()),
    {"Uniform",
     target::Path::Native,
     Format::E1M2,
     ScaleKind::UE4M3,
     16,
     "sm_120a",
     {"sm_120a", "sm_121a"},
     "llvm.nvvm.mma.block.scale",
     0x47f,
     850,
     &target::groupedCopies()},
    {"Container",
     target::Path::Container,
     Format::E1M2,
     ScaleKind::UE8M0,
     32,
     "sm_120a",
     {"sm_120a", "sm_121a"},
     "llvm.nvvm.mma.block.scale",
     0x47a,
     850,
     &target::groupedCopies()},
    {"FoldUE4M3",
     target::Path::Fold,
     Format::E1M2,
     ScaleKind::UE4M3,
     16,
     "sm_80",
     {"sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120a"},
     "llvm.nvvm.mma.m16n8k16.row.col.bf16",
     0x23c,
     850},
    {"FoldUE8M0",
     target::Path::Fold,
     Format::E1M2,
     ScaleKind::UE8M0,
     32,
     "sm_120a",
     {"sm_86", "sm_103a", "sm_110a", "sm_121a"},
     "llvm.nvvm.mma.m16n8k16.row.col.bf16",
     0x23c,
     850},
};

const auto nameOf = [](const auto &info) { return std::string(info.param.name); };

std::vector<Kind> kindsWhere(llvm::function_ref<bool(const Kind &)> condition) {
  std::vector<Kind> some;
  for (const Kind &kind : kinds)
    if (condition(kind))
      some.push_back(kind);
  return some;
}

void PrintTo(const Kind &kind, std::ostream *os) { *os << kind.name; }

GemmKernelSpec specOf(const Kind &kind) {
  GemmKernelSpec spec;
  spec.chip = target::findChip(kind.chip);
  spec.scheme.format = kind.format;
  spec.scheme.scale = kind.scale;
  spec.scheme.block = kind.block;
  spec.path = kind.path;
  if (kind.isInRows())
    spec.depthMultiple = 4 * spec.scheme.block;
  std::string why;
  spec.schedule = *target::chooseSchedule(*spec.chip, spec.scheme, spec.path, why);
  if (kind.transport)
    spec.schedule->transport = kind.transport;
  return spec;
}

//===----------------------------------------------------------------------===//
// Planted faults
//===----------------------------------------------------------------------===//

/// outcomeOf, with more than one block each way and ragged edges: three steps in a ring of two
/// stages.
std::string outcome(const GemmKernelSpec &spec,
                    llvm::function_ref<void(llvm::Module &)> edit = nullptr,
                    uint64_t scheduleSeed = 0, std::optional<unsigned> swizzle = std::nullopt) {
  return outcomeOf(spec, {140, 150, int64_t(llvm::alignTo(600, spec.depthMultiple))}, edit,
                   scheduleSeed, swizzle);
}

llvm::CallInst *anyMma(llvm::Module &module, llvm::StringRef intrinsic) {
  std::vector<llvm::CallInst *> calls = callsOf(module, intrinsic);
  return calls[calls.size() / 2];
}

/// Operands of the MMA's intrinsic.
enum MmaOperand { scaleA = 10, byteA, threadA, scaleB, byteB, threadB };

void flipSelector(llvm::CallInst *mma, unsigned operand, unsigned bit) {
  auto *selector = llvm::cast<llvm::ConstantInt>(mma->getArgOperand(operand));
  mma->setArgOperand(operand,
                     llvm::ConstantInt::get(selector->getType(), selector->getZExtValue() ^ bit));
}

/// Makes all comparisons with an argument ones with the argument + 1.
void moveBound(llvm::Module &module, unsigned fromEnd) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::Argument *bound = function.getArg(function.arg_size() - fromEnd);
    std::vector<llvm::ICmpInst *> comparisons;
    for (llvm::User *user : bound->users())
      if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(user))
        comparisons.push_back(comparison);
    EXPECT_FALSE(comparisons.empty());
    for (llvm::ICmpInst *comparison : comparisons) {
      llvm::IRBuilder<> b(comparison);
      comparison->replaceUsesOfWith(bound, b.CreateAdd(bound, b.getInt32(1)));
    }
  }
}

class GemmFaults : public ::testing::TestWithParam<Kind> {
protected:
  const GemmKernelSpec spec = specOf(GetParam());
  llvm::CallInst *anyMma(llvm::Module &module) const {
    return ::anyMma(module, GetParam().intrinsic);
  }
};
/// Of kernels whose instruction reads the scales.
class NativeFaults : public GemmFaults {};
/// Of kernels whose codes are of the uniform grid or of E2M1 by a mark alone.
class GridFaults : public GemmFaults {};

TEST_P(GemmFaults, NoFaultNoDifference) { EXPECT_EQ(outcome(spec), "equal"); }

TEST_P(NativeFaults, WrongThreadSelector) {
  for (unsigned operand : {threadA, threadB})
    EXPECT_EQ(
        outcome(spec, [&](llvm::Module &module) { flipSelector(anyMma(module), operand, 1); }),
        "differs");
}

TEST_P(NativeFaults, WrongByteSelector) {
  // With four bytes a step the only byte-id is 0.
  std::string expected = GetParam().scale == ScaleKind::UE4M3 ? "illegal-operand" : "differs";
  for (unsigned operand : {byteA, byteB})
    EXPECT_EQ(
        outcome(spec, [&](llvm::Module &module) { flipSelector(anyMma(module), operand, 2); }),
        expected);
}

TEST_P(NativeFaults, SwappedScaleBytes) {
  for (unsigned operand : {scaleA, scaleB})
    EXPECT_EQ(outcome(spec,
                      [&](llvm::Module &module) {
                        llvm::CallInst *mma = anyMma(module);
                        llvm::IRBuilder<> b(mma);
                        mma->setArgOperand(operand,
                                           b.CreateUnaryIntrinsic(llvm::Intrinsic::bswap,
                                                                  mma->getArgOperand(operand)));
                      }),
              "differs");
}

TEST_P(GemmFaults, SwappedFragments) {
  EXPECT_EQ(outcome(spec,
                    [&](llvm::Module &module) {
                      llvm::CallInst *mma = anyMma(module);
                      llvm::Value *first = mma->getArgOperand(4);
                      mma->setArgOperand(4, mma->getArgOperand(5));
                      mma->setArgOperand(5, first);
                    }),
            "differs");
}

TEST_P(GemmFaults, MissingBarrier) {
  for (uint64_t seed : {0, 1}) {
    std::string found = outcome(
        spec,
        [](llvm::Module &module) {
          for (llvm::CallInst *call : callsOf(module, "llvm.nvvm.barrier.cta.sync"))
            call->eraseFromParent();
        },
        seed);
    // Without a barrier after its initialization an mbarrier may not be there yet.
    EXPECT_TRUE(found == "race" || found == "uninitialized-read" || found == "async-not-waited" ||
                (GetParam().hasBarriers() && found == "illegal-operand"))
        << found;
  }
}

TEST_P(GemmFaults, BoundsOffByOne) {
  // Behind the last row there is nothing; behind the last column is the next row.
  unsigned rows = 3, columns = 2, depth = 1;
  EXPECT_EQ(outcome(spec, [&](llvm::Module &module) { moveBound(module, rows); }), "out-of-bounds");
  std::string found = outcome(spec, [&](llvm::Module &module) { moveBound(module, columns); });
  EXPECT_TRUE(found == "out-of-bounds" || found == "differs") << found;
  if (!GetParam().isInRows()) {
    EXPECT_EQ(outcome(spec, [&](llvm::Module &module) { moveBound(module, depth); }),
              "out-of-bounds");
  }
}

// Of one operand of one MMA: what a kernel on the uniform grid computes where the bits mean E2M1,
// and the reverse.
TEST_P(GridFaults, OtherGrid) {
  bool isUniform = GetParam().format == Format::E1M2;
  EXPECT_EQ(outcome(spec,
                    [&](llvm::Module &module) {
                      auto *name = llvm::MDString::get(module.getContext(), isUniform ? "A" : "B");
                      anyMma(module)->setMetadata(target::kUniformCodesMark,
                                                  llvm::MDNode::get(module.getContext(), name));
                    }),
            "differs");
}

TEST_P(GemmFaults, StoreLeftOut) {
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      std::vector<llvm::StoreInst *> stores;
                      for (llvm::Function &function : module)
                        for (llvm::Instruction &instruction : llvm::instructions(function))
                          if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
                            stores.push_back(store);
                      stores[stores.size() / 2]->eraseFromParent();
                    }),
            "output-not-written");
}

INSTANTIATE_TEST_SUITE_P(Kinds, GemmFaults, ::testing::ValuesIn(kinds), nameOf);
// The instructions that read scales, and among them those of which a mark tells the grid.
INSTANTIATE_TEST_SUITE_P(Kinds, NativeFaults, ::testing::ValuesIn(kindsWhere([](const Kind &kind) {
                           return kind.path != target::Path::Fold;
                         })),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Kinds, GridFaults, ::testing::ValuesIn(kindsWhere([](const Kind &kind) {
                           return kind.path == target::Path::Native &&
                                  kind.scale == ScaleKind::UE4M3 &&
                                  kind.transport == &target::groupedCopies();
                         })),
                         nameOf);

/// Of copies that complete by group.
class GroupFaults : public GemmFaults {};

TEST_P(GroupFaults, ShortWait) {
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      llvm::CallInst *wait =
                          callsOf(module, "llvm.nvvm.cp.async.wait.group").front();
                      auto *pending = llvm::cast<llvm::ConstantInt>(wait->getArgOperand(0));
                      wait->setArgOperand(0, llvm::ConstantInt::get(pending->getType(),
                                                                    pending->getZExtValue() + 1));
                    }),
            "async-not-waited");
}

INSTANTIATE_TEST_SUITE_P(Kinds, GroupFaults, ::testing::ValuesIn(kindsWhere([](const Kind &kind) {
                           return kind.transport != &target::bulkCopies();
                         })),
                         nameOf);

class BulkFaults : public GemmFaults {};

constexpr llvm::StringLiteral kTryWait = "llvm.nvvm.mbarrier.try.wait",
                              kExpect = "llvm.nvvm.mbarrier.arrive.expect.tx",
                              kBulkCopy = "llvm.nvvm.cp.async.bulk";

TEST_P(BulkFaults, MissingWait) {
  for (uint64_t seed : {0, 1})
    EXPECT_EQ(outcome(
                  spec,
                  [](llvm::Module &module) {
                    for (llvm::CallInst *wait : callsOf(module, kTryWait))
                      wait->replaceAllUsesWith(llvm::ConstantInt::getTrue(module.getContext()));
                  },
                  seed),
              "async-not-waited");
}

TEST_P(BulkFaults, OtherPhase) {
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      for (llvm::CallInst *wait : callsOf(module, kTryWait)) {
                        llvm::IRBuilder<> b(wait);
                        wait->setArgOperand(1, b.CreateXor(wait->getArgOperand(1), 1));
                      }
                    }),
            "async-not-waited");
}

TEST_P(BulkFaults, PhaseThatDoesNotTurn) {
  // Right for the first round of the ring alone.
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      for (llvm::CallInst *wait : callsOf(module, kTryWait))
                        wait->setArgOperand(
                            1, llvm::ConstantInt::get(wait->getArgOperand(1)->getType(), 0));
                    }),
            "async-not-waited");
}

TEST_P(BulkFaults, WrongByteCount) {
  for (int change : {-16, 16})
    EXPECT_EQ(outcome(spec,
                      [&](llvm::Module &module) {
                        for (llvm::CallInst *call : callsOf(module, kExpect)) {
                          auto *bytes = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1));
                          call->setArgOperand(
                              1, llvm::ConstantInt::get(bytes->getType(),
                                                        bytes->getZExtValue() + change));
                        }
                      }),
              "deadlock");
}

TEST_P(BulkFaults, CopyLeftOut) {
  EXPECT_EQ(
      outcome(spec,
              [](llvm::Module &module) { callsOf(module, kBulkCopy).back()->eraseFromParent(); }),
      "deadlock");
}

TEST_P(BulkFaults, CopyFromTheOtherOperand) {
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      std::vector<llvm::CallInst *> copies = callsOf(module, kBulkCopy);
                      copies[0]->setArgOperand(2, copies[1]->getArgOperand(2));
                    }),
            "differs");
}

INSTANTIATE_TEST_SUITE_P(Kinds, BulkFaults, ::testing::ValuesIn(kindsWhere([](const Kind &kind) {
                           return kind.hasBarriers();
                         })),
                         nameOf);

class TensorFaults : public GemmFaults {};

TEST_P(TensorFaults, OtherSwizzle) {
  EXPECT_EQ(outcome(spec, nullptr, 0, /*swizzle=*/0), "differs");
}

TEST_P(TensorFaults, OtherPlaceInTheTensor) {
  // Of a step along K, and of rows.
  for (auto [operand, distance] : {std::pair(3u, 128), {4u, 1}})
    EXPECT_EQ(outcome(spec,
                      [&, operand = operand, distance = distance](llvm::Module &module) {
                        llvm::CallInst *copy = callsOf(module, kBulkCopy).back();
                        llvm::IRBuilder<> b(copy);
                        llvm::Value *place = copy->getArgOperand(operand);
                        copy->setArgOperand(operand, b.CreateAdd(place, b.getInt32(distance)));
                      }),
              "differs");
}

TEST_P(TensorFaults, OtherPlaceInTheStage) {
  // Over another box that is under way, and where none can begin.
  for (auto [distance, expected] : {std::pair(1024, "async-not-waited"), {16, "misaligned"}})
    EXPECT_EQ(outcome(spec,
                      [&, distance = distance](llvm::Module &module) {
                        llvm::CallInst *copy = callsOf(module, kBulkCopy).front();
                        llvm::IRBuilder<> b(copy);
                        copy->setArgOperand(
                            0,
                            b.CreateConstGEP1_32(b.getInt8Ty(), copy->getArgOperand(0), distance));
                      }),
              expected);
}

INSTANTIATE_TEST_SUITE_P(Kinds, TensorFaults, ::testing::ValuesIn(kindsWhere([](const Kind &kind) {
                           return kind.isTensor();
                         })),
                         nameOf);

constexpr llvm::StringLiteral kCodesCopy = "llvm.nvvm.cp.async.cg.shared.global.16",
                              kScalesCopy = "llvm.nvvm.cp.async.ca.shared.global.4";

class RowFaults : public GemmFaults {
protected:
  std::vector<llvm::StringRef> copiesOfRows() const {
    if (GetParam().isTensor())
      return {kScalesCopy};
    return {kCodesCopy, kScalesCopy};
  }
};

// Behind Kp is the next row, and behind the last one nothing.
TEST_P(RowFaults, TailIsNotFilledWithZeros) {
  for (llvm::StringRef copies : copiesOfRows())
    EXPECT_EQ(outcome(spec,
                      [&](llvm::Module &module) {
                        for (llvm::CallInst *copy : callsOf(module, copies)) {
                          unsigned bytes = copies == kCodesCopy ? 16 : 4;
                          copy->setArgOperand(
                              2, llvm::ConstantInt::get(copy->getArgOperand(2)->getType(), bytes));
                        }
                      }),
              "out-of-bounds")
        << copies.str();
}

TEST_P(RowFaults, RowsBehindTheLast) {
  EXPECT_EQ(outcome(spec,
                    [](llvm::Module &module) {
                      for (llvm::CallInst *least : callsOf(module, "llvm.umin"))
                        least->replaceAllUsesWith(least->getArgOperand(0));
                    }),
            "out-of-bounds");
}

TEST_P(RowFaults, PiecesInOtherPlaces) {
  // Two copies of a thread, of neighbouring passes, exchange their targets.
  for (llvm::StringRef copies : copiesOfRows())
    EXPECT_EQ(outcome(spec,
                      [&](llvm::Module &module) {
                        std::vector<llvm::CallInst *> calls = callsOf(module, copies);
                        llvm::Value *first = calls[0]->getArgOperand(1);
                        calls[0]->setArgOperand(1, calls[1]->getArgOperand(1));
                        calls[1]->setArgOperand(1, first);
                      }),
              "differs")
        << copies.str();
}

INSTANTIATE_TEST_SUITE_P(Kinds, RowFaults, ::testing::ValuesIn(kindsWhere([](const Kind &kind) {
                           return kind.isInRows();
                         })),
                         nameOf);

//===----------------------------------------------------------------------===//
// What kernels promise
//===----------------------------------------------------------------------===//

class GemmPromises : public GemmFaults {};

TEST_P(GemmPromises, AnyScheduleOfThreads) {
  for (uint64_t seed : {1, 2})
    EXPECT_EQ(outcome(spec, nullptr, seed), "equal");
}

// Warps of 64 x 32: fragments and scales of other places.
TEST_P(GemmPromises, OtherWarps) {
  GemmKernelSpec other = spec;
  other.schedule->warpsN = 4;
  EXPECT_EQ(outcome(other), "equal");
}

TEST_P(GemmPromises, PoisonIsNotLost) { expectPoisonIsNotLost(spec); }

// 2-D blocks of one operand against rows of the other.
TEST_P(GemmPromises, BlocksOfRows) {
  numerics::Scheme blocks = spec.scheme;
  blocks.blockRows = blocks.block;
  GemmKernelSpec mixed = spec;
  mixed.blockRows[1] = blocks.blockRows;
  LoadedKernel kernel = loadKernel(mixed);
  ASSERT_TRUE(kernel.module);
  Operand a = makeOperand(spec.scheme, {2, 50, 384}, Scales::Powers, 1);
  Operand b = makeOperand(blocks, {2, 150, 384}, Scales::Powers, 2);
  expectEqual(runGemm(kernel, mixed, a, b), exactGemm(a, b));
}

// No bank is asked twice, and one MMA of the warp for each step along K of its 16 x 8 parts of C.
TEST_P(GemmPromises, SharedMemoryIsFreeOfConflicts) {
  // Only rows of scales that lie in pieces of 4 or 8 bytes of 16 ask banks more often.
  GemmKernelSpec whole = spec;
  if (GetParam().isInRows())
    whole.depthMultiple = 256;
  LoadedKernel kernel = loadKernel(whole);
  ASSERT_TRUE(kernel.module);
  Operand a = makeOperand(spec.scheme, {1, 256, 512}, Scales::Random, 1);
  Operand b = makeOperand(spec.scheme, {1, 128, 512}, Scales::Random, 2);
  GemmRun run = runGemm(kernel, whole, a, b);
  const target::GemmSchedule &schedule = kernel.info.schedule;
  EXPECT_EQ(run.stats.mmas, uint64_t(256 / 16) * (128 / 8) * (512 / schedule.mma->k()));
  EXPECT_EQ(run.stats.sharedWavefronts, run.stats.idealSharedWavefronts);
  // One a step of each block, and one behind the initialization of mbarriers.
  EXPECT_EQ(run.stats.barriers, 2u * (512 / schedule.tileK + GetParam().hasBarriers()));
  // Matrix loads: 8 for A and B each a step of K; scales: 2 each a stage; of 16 bytes a lane.
  EXPECT_EQ(run.stats.operations["ldmatrix.sync.aligned.m8n8.x4.b16.p3"],
            uint64_t(run.stats.mmas / 4));
}

// A launcher learns what K must be a multiple of, and that rows are not padded.
TEST(RowKernel, IsDescribed) {
  GemmKernelSpec spec = specOf(nativeKind("Rows", ScaleKind::UE4M3, 0, target::rowCopies()));
  llvm::LLVMContext context;
  KernelInfo info;
  ASSERT_TRUE(translateKernel(spec, context, info));
  target::KernelEntry entry = describeKernel(spec, info);
  EXPECT_EQ(entry.multiples.at("k"), 64);
  std::map<std::string, int64_t> extents = {{"g", 2}, {"m", 5}, {"n", 7}, {"k", 320}};
  auto bytes = [&](llvm::StringRef name) {
    llvm::Expected<int64_t> found = target::getBytes(entry, name, extents);
    return found ? *found : (ADD_FAILURE() << llvm::toString(found.takeError()), 0);
  };
  EXPECT_EQ(bytes("codes_a"), 2 * 5 * 320 / 2);
  EXPECT_EQ(bytes("scales_b"), 2 * 7 * 320 / 16);
  for (const target::ArgumentEntry &argument : entry.arguments)
    if (argument.name == "depth")
      EXPECT_EQ(target::getScalar(argument.value, extents, {}), 320);
  extents["k"] = 336;
  llvm::Expected<std::array<int64_t, 3>> grid = target::getGrid(entry, extents);
  ASSERT_FALSE(bool(grid));
  std::string text = llvm::toString(grid.takeError());
  EXPECT_NE(text.find("64"), std::string::npos) << text;
}

// By its entry alone, which has tensor maps in place of addresses.
TEST(RowKernel, RunsByItsEntry) {
  GemmKernelSpec spec = specOf(nativeKind("Rows", ScaleKind::UE4M3, 0, target::tensorCopies()));
  auto context = std::make_unique<llvm::LLVMContext>();
  KernelInfo info;
  std::unique_ptr<llvm::Module> module = translateKernel(spec, *context, info);
  ASSERT_TRUE(module);
  auto device = EmulatedDevice::create(std::move(module), std::move(context), *spec.chip,
                                       {describeKernel(spec, info)});
  ASSERT_TRUE(bool(device)) << llvm::toString(device.takeError());
  Operand a = makeOperand(spec.scheme, {2, 5, 320}, Scales::Powers, 1);
  Operand b = makeOperand(spec.scheme, {2, 130, 320}, Scales::Powers, 2);
  auto pack = [&](const Operand &operand) {
    return target::packOperand(*info.storage, {operand.scheme, operand.shape},
                               operand.data.codes.data(), operand.data.scales());
  };
  Planes planesA = pack(a), planesB = pack(b);
  std::vector<float> result(2 * 5 * 130);
  LaunchValues values;
  values.extents = {{"g", 2}, {"m", 5}, {"n", 130}, {"k", 320}};
  auto add = [&](const char *name, const void *data, size_t bytes) {
    values.buffers[name] = {const_cast<void *>(data), bytes};
  };
  add("codes_a", planesA[0].data(), planesA[0].size());
  add("scales_a", planesA[1].data(), planesA[1].size());
  add("codes_b", planesB[0].data(), planesB[0].size());
  add("scales_b", planesB[1].data(), planesB[1].size());
  add("global_a", &a.data.global, 4);
  add("global_b", &b.data.global, 4);
  add("result", result.data(), result.size() * 4);
  llvm::Error error = (*device)->launch(info.name, values);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  std::vector<numerics::GemmBound> exact = exactGemm(a, b);
  for (size_t i = 0; i < exact.size(); ++i)
    ASSERT_EQ(result[i], exact[i].exact) << i;
}

// The assembler's kernel: as many MMAs as were emitted, no spills, little beside them.
TEST_P(GemmPromises, BecomesABinary) {
  UFP4_NEED_PTXAS();
  for (llvm::StringRef chip : GetParam().chips) {
    SCOPED_TRACE(chip.str());
    GemmKernelSpec other = spec;
    other.chip = target::findChip(chip);
    other.columnMultiple = 8;
    std::optional<AssembledKernel> kernel = assembleKernel(other);
    ASSERT_TRUE(kernel);
    std::map<unsigned, unsigned> opcodes = kernel->code.opcodes;
    // SASS: the MMA, LDSM, LDGSTS, UTMALDG, UBLKCP, NOP. The loop is there once, with stages filled
    // before it. Of a step in rows, a thread copies 16 pieces of codes and all pieces of a row's
    // scales.
    EXPECT_EQ(opcodes[GetParam().opcode], 128u);
    EXPECT_EQ(opcodes[0x83b], 32u);
    unsigned scales = 2 * 256 / spec.depthMultiple;
    if (GetParam().isTensor()) {
      EXPECT_EQ(opcodes[0xfae], 2 * scales);
      EXPECT_EQ(opcodes[0x5b4], 2 * 2u);
    } else if (GetParam().isInRows()) {
      EXPECT_EQ(opcodes[0xfae], 2 * (16 + scales));
    } else if (GetParam().hasBarriers()) {
      EXPECT_EQ(opcodes[0xfae], 0u);
      EXPECT_EQ(opcodes[0x3ba], 2 * 4u);
    }
    unsigned all = 0;
    for (auto [opcode, count] : opcodes)
      all += opcode == 0x918 ? 0 : count;
    RecordProperty("instructions", int(all));
    EXPECT_LE(all, GetParam().instructions);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GemmPromises, ::testing::ValuesIn(kinds), nameOf);

} // namespace
