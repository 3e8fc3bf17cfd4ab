//===- QuantizeCountTest.cpp - What quantize kernels cost -----------------===//
//
// Instructions per quantized element, of kernels that rotate (n = 16) and quantize bf16 to e1m2, on
// the way that nearly all blocks take (HotPath.h). Breaks when a kernel takes more than its bar, or
// spills. Needs ptxas, whose code it counts.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include "HotPath.h"

#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"

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
};

void PrintTo(const Case &one, std::ostream *os) {
  static constexpr const char *names[] = {"inner", "outer", "both"};
  *os << one.chip.str() << ' ' << names[unsigned(one.axes)] << ' ' << numerics::name(one.scale)
      << ' ' << one.storage.str() << (one.randomBits ? " stochastic" : "");
}

QuantizeKernelSpec specOf(const Case &one) {
  QuantizeDestination destination;
  destination.scheme.scale = one.scale;
  destination.scheme.rotation = numerics::presetRotation(16);
  destination.storage = target::findStorage(one.storage);
  destination.randomBits = one.randomBits;
  QuantizeKernelSpec spec;
  spec.chip = target::findChip(one.chip);
  spec.innerMultiple = 128;
  if (one.axes != Axes::Outer)
    spec.inner = destination;
  if (one.axes != Axes::Inner)
    spec.outer = destination;
  return spec;
}

class QuantizeCount : public ::testing::TestWithParam<Case> {};

TEST_P(QuantizeCount, StaysBelowItsBar) {
  const Case &one = GetParam();
  if (auto ptxas = target::findPtxas({}); !ptxas)
    GTEST_SKIP() << llvm::toString(ptxas.takeError());
  QuantizeKernelSpec spec = specOf(one);
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
  auto ptx = target::emitPTX(*module, *spec.chip);
  ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  auto cubin = target::assemble(ptx->text, *spec.chip);
  ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
  for (const target::KernelUsage &usage : cubin->kernels)
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes, 0u);
  HotPath path = findHotPath(*cubin, info.name);
  unsigned elements = info.elementsOfTurn * (one.axes == Axes::Both ? 2 : 1);
  EXPECT_EQ(path.isLoop, one.axes != Axes::Both);
  double perElement = double(path.instructions) / elements;
  std::string line;
  llvm::raw_string_ostream(line) << llvm::format("%.2f", perElement);
  RecordProperty("instructions_per_element", line);
  RecordProperty("hot", int(path.instructions));
  RecordProperty("total", int(path.total));
  EXPECT_LE(perElement, one.bar) << path.instructions << " instructions of " << path.total
                                 << " for " << elements << " elements";
}

constexpr ScaleKind F32 = ScaleKind::F32, UE4M3 = ScaleKind::UE4M3;
constexpr llvm::StringLiteral kNatural = "natural", kBF16 = "tile_major_bf16",
                              k4Bit = "tile_major_4bit";
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
};

INSTANTIATE_TEST_SUITE_P(Bars, QuantizeCount, ::testing::ValuesIn(kCases));

} // namespace
