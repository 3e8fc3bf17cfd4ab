//===- QuantizeCountTest.cpp - What quantize kernels cost -----------------===//
//
// Instructions per quantized element, of kernels that rotate (n = 16) and quantize bf16, on the way
// that nearly all blocks take (HotPath.h). Breaks when a kernel takes more than its bar, or spills.
// Needs ptxas, whose code it counts; of AMD's kernels LLVM's vector instructions count.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "HotPath.h"

#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Target/AMDGPU/Binary.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include "llvm/Support/Regex.h"

using namespace ufp4;
using namespace ufp4::testing;
using numerics::ScaleKind;

namespace {

enum class Axes { Inner, Outer, Both };

struct Case {
  llvm::StringLiteral chip;
  Axes axes;
  ScaleKind scale;
  llvm::StringLiteral storage;
  unsigned randomBits;
  /// Instructions per element of a destination.
  double bar;
  numerics::Format format = numerics::Format::E1M2;
  bool rotatesByMma = false;
  bool gathers = false;
};

void PrintTo(const Case &one, std::ostream *os) {
  static constexpr const char *names[] = {"inner", "outer", "both"};
  *os << one.chip.str() << ' ' << numerics::name(one.format) << ' ' << names[unsigned(one.axes)]
      << ' ' << numerics::name(one.scale) << ' ' << one.storage.str()
      << (one.randomBits ? " stochastic" : "") << (one.rotatesByMma ? " mma" : "")
      << (one.gathers ? " gathered" : "");
}

QuantizeKernelSpec specOf(const Case &one) {
  QuantizeDestination destination;
  destination.scheme.format = one.format;
  destination.scheme.scale = one.scale;
  destination.scheme.block = one.scale == ScaleKind::UE8M0 ? 32 : 16;
  destination.scheme.rotation = numerics::presetRotation(16);
  destination.storage = target::findStorage(one.storage);
  destination.randomBits = one.randomBits;
  destination.rotatesByMma = one.rotatesByMma;
  QuantizeKernelSpec spec;
  spec.chip = target::findChip(one.chip);
  spec.innerMultiple = 128;
  spec.gathers = one.gathers;
  if (one.axes != Axes::Outer)
    spec.inner = destination;
  if (one.axes != Axes::Inner)
    spec.outer = destination;
  return spec;
}

class QuantizeCount : public ::testing::TestWithParam<Case> {};

/// The way through the kernel, and what the assembler or LLVM says of all kernels.
/// Wide conversions write their results before they have read all sources.
void expectSourcesApart(llvm::StringRef assembly) {
  llvm::Regex ranges("2xpk16_[a-z0-9_]+ v\\[([0-9]+):([0-9]+)\\], v\\[([0-9]+):([0-9]+)\\], "
                     "v\\[([0-9]+):([0-9]+)\\]");
  llvm::SmallVector<llvm::StringRef, 0> lines;
  assembly.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    llvm::SmallVector<llvm::StringRef, 7> found;
    if (!ranges.match(line, &found))
      continue;
    unsigned at[6];
    for (unsigned i = 0; i < 6; ++i)
      found[i + 1].getAsInteger(10, at[i]);
    for (unsigned source : {2, 4})
      EXPECT_TRUE(at[1] < at[source] || at[source + 1] < at[0]) << line.str();
  }
}

std::optional<HotPath> measure(llvm::Module &module, const target::Chip &chip,
                               llvm::StringRef kernel, std::vector<target::KernelUsage> &usage) {
  auto fail = [](llvm::Error error) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return std::nullopt;
  };
  if (chip.vendor == target::Vendor::AMD) {
    auto assembly = target::emitAMDGCN(module, chip);
    if (!assembly)
      return fail(assembly.takeError());
    auto read = target::readUsage(assembly->text);
    if (!read)
      return fail(read.takeError());
    usage = *read;
    expectSourcesApart(assembly->text);
    return findHotPath(*assembly, kernel);
  }
  auto ptx = target::emitPTX(module, chip);
  if (!ptx)
    return fail(ptx.takeError());
  auto cubin = target::assemble(ptx->text, chip);
  if (!cubin)
    return fail(cubin.takeError());
  usage = cubin->kernels;
  return findHotPath(*cubin, kernel);
}

TEST_P(QuantizeCount, StaysBelowItsBar) {
  const Case &one = GetParam();
  QuantizeKernelSpec spec = specOf(one);
  if (auto ptxas = target::findPtxas({}); !ptxas && spec.chip->vendor == target::Vendor::NVIDIA)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  QuantizeKernelInfo info;
  llvm::LLVMContext context;
  auto build = [&](mlir::OpBuilder &b, mlir::Location loc) -> mlir::LogicalResult {
    mlir::FailureOr<QuantizeKernelInfo> built = buildQuantizeKernel(b, loc, spec);
    if (succeeded(built))
      info = *built;
    return built;
  };
  std::unique_ptr<llvm::Module> module = translateKernels(*spec.chip, context, build);
  ASSERT_TRUE(module);
  std::vector<target::KernelUsage> kernels;
  std::optional<HotPath> path = measure(*module, *spec.chip, info.name, kernels);
  ASSERT_TRUE(path);
  for (const target::KernelUsage &usage : kernels)
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes, 0u);
  unsigned elements = info.elementsOfTurn * (one.axes == Axes::Both ? 2 : 1);
  EXPECT_EQ(path->isLoop, one.axes != Axes::Both);
  double perElement = double(path->instructions) / elements;
  std::string line;
  llvm::raw_string_ostream(line) << llvm::format("%.2f", perElement);
  RecordProperty("instructions_per_element", line);
  RecordProperty("hot", int(path->instructions));
  RecordProperty("total", int(path->total));
  EXPECT_LE(perElement, one.bar) << path->instructions << " instructions of " << path->total
                                 << " for " << elements << " elements";
}

constexpr ScaleKind F32 = ScaleKind::F32, UE4M3 = ScaleKind::UE4M3, UE8M0 = ScaleKind::UE8M0;
constexpr llvm::StringLiteral kNatural = "natural", kBF16 = "tile_major_bf16",
                              k4Bit = "tile_major_4bit", kFP8 = "lane_major_fp8",
                              kFolded = "lane_major_folded", kTiles = "tile_major_folded",
                              kSplit = "lane_major_split", kWords = "tile_major_4bit_words",
                              kPacked = "tile_major_e2m3_packed";
constexpr Case gathered(Case one) {
  one.gathers = true;
  return one;
}
constexpr Case kCases[] = {
    {"sm_100a", Axes::Inner, F32, kNatural, 0, 8},
    {"sm_100a", Axes::Inner, F32, kBF16, 0, 8},
    {"sm_100a", Axes::Inner, UE4M3, k4Bit, 0, 8},
    {"sm_120a", Axes::Inner, F32, kNatural, 0, 10.5},
    {"sm_120a", Axes::Inner, F32, kBF16, 0, 10.5},
    {"sm_120a", Axes::Inner, UE4M3, k4Bit, 0, 10.5},
    {"sm_90a", Axes::Inner, F32, kNatural, 0, 11},
    {"sm_90a", Axes::Inner, F32, kBF16, 0, 11},
    {"sm_90a", Axes::Inner, UE4M3, k4Bit, 0, 11},
    {"sm_100a", Axes::Inner, F32, kBF16, 16, 20},
    {"sm_100a", Axes::Inner, UE4M3, k4Bit, 16, 20},
    {"sm_120a", Axes::Inner, UE4M3, k4Bit, 16, 20},
    {"sm_90a", Axes::Inner, F32, kNatural, 16, 20},
    {"sm_90a", Axes::Inner, F32, kBF16, 16, 20},
    {"sm_90a", Axes::Inner, UE4M3, k4Bit, 16, 20},
    {"sm_100a", Axes::Outer, F32, kBF16, 0, 13},
    {"sm_100a", Axes::Outer, UE4M3, k4Bit, 0, 13},
    {"sm_120a", Axes::Outer, UE4M3, k4Bit, 0, 13},
    {"sm_90a", Axes::Outer, F32, kBF16, 0, 13},
    {"sm_100a", Axes::Both, F32, kBF16, 0, 10},
    {"sm_100a", Axes::Both, UE4M3, k4Bit, 0, 10},
    {"sm_120a", Axes::Both, UE4M3, k4Bit, 0, 12},
    {"sm_120a", Axes::Both, F32, kBF16, 0, 12},
    {"sm_90a", Axes::Both, F32, kBF16, 0, 12},
    {"sm_90a", Axes::Both, UE4M3, k4Bit, 0, 12},
    {"sm_100a", Axes::Inner, UE4M3, kTiles, 0, 8},
    {"sm_100a", Axes::Inner, UE8M0, kTiles, 0, 7},
    {"sm_100a", Axes::Inner, UE4M3, kTiles, 16, 20},
    {"sm_100a", Axes::Inner, UE8M0, kTiles, 16, 20},
    {"sm_100a", Axes::Outer, UE4M3, kTiles, 0, 13},
    {"sm_100a", Axes::Outer, UE8M0, kTiles, 0, 13},
    {"sm_100a", Axes::Both, UE4M3, kTiles, 0, 10},
    {"sm_100a", Axes::Both, UE8M0, kTiles, 0, 10},
    {"sm_90a", Axes::Inner, UE4M3, kTiles, 0, 11},
    {"sm_90a", Axes::Inner, UE4M3, kTiles, 16, 20},
    {"sm_90a", Axes::Both, UE4M3, kTiles, 0, 12},
    {"sm_90a", Axes::Inner, UE8M0, kTiles, 0, 10},
    {"sm_90a", Axes::Inner, UE8M0, kTiles, 16, 20},
    {"sm_90a", Axes::Outer, UE4M3, kTiles, 0, 13},
    {"sm_90a", Axes::Outer, UE8M0, kTiles, 0, 13},
    {"sm_90a", Axes::Both, UE8M0, kTiles, 0, 12},
    {"sm_90a", Axes::Inner, F32, kBF16, 0, 8.1, numerics::Format::E1M2, true},
    {"sm_100a", Axes::Inner, UE4M3, kTiles, 0, 6.8, numerics::Format::E1M2, true},
    {"sm_120a", Axes::Inner, UE4M3, k4Bit, 0, 7.7, numerics::Format::E1M2, true},
    {"sm_90a", Axes::Outer, F32, kBF16, 0, 12, numerics::Format::E1M2, true},
    {"sm_90a", Axes::Both, F32, kBF16, 0, 9.2, numerics::Format::E1M2, true},
    {"sm_120a", Axes::Both, UE4M3, k4Bit, 0, 9.1, numerics::Format::E1M2, true},
    {"sm_100a", Axes::Both, F32, kBF16, 0, 8, numerics::Format::E1M2, true},
    // Without a conversion a level of e2m1 takes three instructions more.
    {"sm_90a", Axes::Inner, UE4M3, kTiles, 0, 14, numerics::Format::E2M1},
    {"sm_90a", Axes::Inner, F32, kBF16, 0, 14, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, UE4M3, kTiles, 0, 10.1, numerics::Format::E2M1},
    {"sm_90a", Axes::Inner, UE4M3, kTiles, 16, 23, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, F32, kBF16, 16, 20, numerics::Format::E2M1},
    // Storages that products on tensor memory read.
    {"sm_100a", Axes::Inner, UE4M3, kWords, 0, 8},
    {"sm_100a", Axes::Inner, UE4M3, kWords, 0, 8, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, UE8M0, kWords, 0, 8, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, UE8M0, kPacked, 0, 8},
    {"sm_100a", Axes::Inner, UE8M0, kPacked, 0, 8, numerics::Format::E2M1},
    {"sm_100a", Axes::Outer, UE4M3, kWords, 0, 13},
    {"sm_100a", Axes::Outer, UE4M3, kWords, 0, 13, numerics::Format::E2M1},
    {"sm_100a", Axes::Outer, UE8M0, kWords, 0, 13, numerics::Format::E2M1},
    {"sm_100a", Axes::Outer, UE8M0, kPacked, 0, 13},
    {"sm_100a", Axes::Outer, UE8M0, kPacked, 0, 13, numerics::Format::E2M1},
    {"sm_100a", Axes::Both, UE4M3, kWords, 0, 9},
    {"sm_100a", Axes::Both, UE4M3, kWords, 0, 9, numerics::Format::E2M1},
    {"sm_100a", Axes::Both, UE8M0, kWords, 0, 9, numerics::Format::E2M1},
    {"sm_100a", Axes::Both, UE8M0, kPacked, 0, 9},
    {"sm_100a", Axes::Both, UE8M0, kPacked, 0, 9, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, UE4M3, kWords, 16, 20},
    // Levels of e2m1 are rounded each by a unit of its own.
    {"sm_100a", Axes::Inner, UE4M3, kWords, 16, 21, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, UE8M0, kWords, 16, 20, numerics::Format::E2M1},
    {"sm_100a", Axes::Inner, UE8M0, kPacked, 16, 20},
    {"sm_100a", Axes::Inner, UE8M0, kPacked, 16, 22, numerics::Format::E2M1},
    {"gfx942", Axes::Inner, F32, kFP8, 0, 8},
    {"gfx942", Axes::Inner, UE4M3, kFolded, 0, 8},
    {"gfx942", Axes::Inner, UE8M0, kFolded, 0, 6},
    {"gfx942", Axes::Outer, F32, kFP8, 0, 8},
    {"gfx942", Axes::Outer, UE4M3, kFolded, 0, 8},
    {"gfx942", Axes::Outer, UE8M0, kFolded, 0, 6},
    {"gfx942", Axes::Both, F32, kFP8, 0, 8},
    {"gfx942", Axes::Both, UE4M3, kFolded, 0, 8},
    // What is aimed at is 6.
    {"gfx942", Axes::Both, UE8M0, kFolded, 0, 6.05},
    {"gfx942", Axes::Inner, F32, kNatural, 0, 8},
    {"gfx942", Axes::Inner, UE4M3, kNatural, 0, 8},
    {"gfx942", Axes::Inner, F32, kFP8, 16, 22},
    {"gfx942", Axes::Inner, UE4M3, kFolded, 16, 22},
    {"gfx942", Axes::Outer, F32, kFP8, 16, 22},
    {"gfx950", Axes::Inner, F32, kFP8, 0, 8},
    {"gfx950", Axes::Inner, UE4M3, kFolded, 0, 8},
    {"gfx950", Axes::Inner, UE8M0, kFolded, 0, 6},
    {"gfx950", Axes::Outer, F32, kFP8, 0, 8},
    {"gfx950", Axes::Outer, UE4M3, kFolded, 0, 8},
    {"gfx950", Axes::Outer, UE8M0, kFolded, 0, 6},
    {"gfx950", Axes::Both, F32, kFP8, 0, 8},
    {"gfx950", Axes::Both, UE4M3, kFolded, 0, 8},
    // What is aimed at is 6.
    {"gfx950", Axes::Both, UE8M0, kFolded, 0, 6.05},
    {"gfx950", Axes::Inner, UE8M0, kSplit, 0, 6},
    {"gfx950", Axes::Outer, UE8M0, kSplit, 0, 6},
    {"gfx950", Axes::Both, UE8M0, kSplit, 0, 6},
    {"gfx950", Axes::Inner, F32, kNatural, 0, 8},
    {"gfx950", Axes::Inner, UE4M3, kNatural, 0, 8},
    {"gfx950", Axes::Inner, F32, kFP8, 16, 20},
    {"gfx950", Axes::Inner, UE4M3, kFolded, 16, 20},
    {"gfx950", Axes::Outer, F32, kFP8, 16, 20},
    // Along rows an index is loaded before the loop; along columns one for each row of two
    // elements.
    gathered({"sm_100a", Axes::Inner, UE4M3, kTiles, 0, 8}),
    gathered({"sm_120a", Axes::Inner, UE4M3, k4Bit, 0, 10.5}),
    gathered({"sm_90a", Axes::Inner, F32, kBF16, 0, 11}),
    gathered({"gfx942", Axes::Inner, F32, kFP8, 0, 8}),
    gathered({"gfx950", Axes::Inner, UE4M3, kFolded, 0, 8}),
    gathered({"sm_100a", Axes::Outer, UE4M3, kTiles, 0, 13}),
    gathered({"sm_120a", Axes::Outer, UE4M3, k4Bit, 0, 15}),
    gathered({"gfx950", Axes::Outer, UE4M3, kFolded, 0, 8}),
    gathered({"sm_100a", Axes::Both, UE4M3, kTiles, 0, 10}),
    gathered({"sm_120a", Axes::Both, UE4M3, k4Bit, 0, 12}),
    gathered({"gfx950", Axes::Both, UE4M3, kFolded, 0, 8}),
};

INSTANTIATE_TEST_SUITE_P(Bars, QuantizeCount, ::testing::ValuesIn(kCases));

} // namespace
