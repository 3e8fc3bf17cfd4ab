//===- GemmGridTest.cpp - Every size against every other ------------------===//
//
// About sixty shapes for each kind of kernel, dealt out over the kernel's variants. Breaks when a
// kernel is wrong at some size: a tile, chunk or run cut short, a step of K too many, a result
// written twice or not at all. Every buffer ends where its storage ends, and results hold 0xFF
// before; the emulator reports whatever is read or written besides.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"

#include <algorithm>
#include <set>

using namespace ufp4;
using namespace ufp4::testing;
using emulator::Access;
using emulator::KernelArgument;
using numerics::Element;
using numerics::Format;
using numerics::ScaleKind;

namespace {

struct Kind {
  const char *name, *chip;
  Format format;
  ScaleKind scale;
  unsigned block;
  target::Path path;
  /// Of one MMA, or less where it takes long to emulate, and of a step of the kernel.
  int64_t depth, depthOfTile;
  /// In place of the schedule that is chosen for the path, one of this instruction.
  const target::Mma &(*mma)() = nullptr;
  /// In place of the schedule's.
  const target::Transport *transport = nullptr;
  const target::OperandStorage *storage = nullptr;
  /// Of the schedule's tile, and blocks that share it, in place of the first that there is.
  unsigned columns = 0, blocks = 1;
};
const Kind kinds[] = {
    {"Post", "sm_80", Format::E1M2, ScaleKind::F32, 16, target::Path::Post, 16, 64},
    {"NativeUE4M3", "sm_120a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64, 256},
    {"NativeUE8M0", "sm_120a", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Native, 64, 256},
    {"NativeUniform", "sm_120a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Native, 64, 256},
    {"BulkUE4M3", "sm_120a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64, 256,
     nullptr, &target::bulkCopies()},
    {"RowsUE4M3", "sm_120a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64, 256,
     nullptr, &target::rowCopies(), &target::naturalStorage()},
    {"TensorUE4M3", "sm_120a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64, 256,
     nullptr, nullptr, &target::naturalStorage()},
    {"TensorUE8M0", "sm_120a", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Native, 64, 256,
     nullptr, nullptr, &target::naturalStorage()},
    {"TensorMemoryUE4M3", "sm_100a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64,
     256, target::tensorMmaE2M1Scaled16, nullptr, nullptr, 128},
    {"TensorMemoryUE8M0", "sm_100a", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Native, 64,
     256, target::tensorMmaE2M1Scaled32, nullptr, nullptr, 128},
    {"TensorMemoryContainerE1M2", "sm_100a", Format::E1M2, ScaleKind::UE8M0, 32,
     target::Path::Container, 32, 128, target::tensorMmaE2M3Scaled32, nullptr, nullptr, 256},
    {"TensorMemoryContainerE2M1", "sm_100a", Format::E2M1, ScaleKind::UE8M0, 32,
     target::Path::Container, 32, 128, target::tensorMmaE2M3Scaled32, nullptr, nullptr, 128},
    {"TensorMemoryWide", "sm_100a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64,
     256, target::tensorMmaE2M1Scaled16, nullptr, nullptr, 256},
    {"TensorMemoryPair", "sm_100a", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 64,
     256, target::tensorMmaE2M1Scaled16, nullptr, nullptr, 256, 2},
    {"TensorMemoryPairContainer", "sm_100a", Format::E1M2, ScaleKind::UE8M0, 32,
     target::Path::Container, 32, 128, target::tensorMmaE2M3Scaled32, nullptr, nullptr, 256, 2},
    {"TensorMemoryUniform", "sm_100a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Native, 64,
     256},
    {"FoldUE4M3", "sm_90a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 64},
    {"FoldUE8M0", "sm_80", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Fold, 16, 64},
    {"FoldCodes", "sm_120a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 256,
     target::mmaBF16FoldCodes},
    {"FoldCodesByWords", "sm_100a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 256,
     target::mmaBF16FoldCodesByWords, nullptr, nullptr, 256},
    {"FoldTensorSm90", "sm_90a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 256,
     nullptr, nullptr, &target::naturalStorage()},
    {"FoldTensorSm100", "sm_100a", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 256,
     nullptr, nullptr, &target::naturalStorage()},
    {"FoldRowsSm80", "sm_80", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 256,
     nullptr, nullptr, &target::naturalStorage()},
    {"ContainerE1M2", "sm_120a", Format::E1M2, ScaleKind::UE8M0, 32, target::Path::Container, 32,
     128},
    {"ContainerE2M1", "sm_120a", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Container, 32,
     128},
    {"NativeGfx950", "gfx950", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Native, 32, 256},
    {"ContainerSplitGfx950", "gfx950", Format::E1M2, ScaleKind::UE8M0, 32, target::Path::Container,
     32, 256},
    {"ContainerE1M2Gfx950", "gfx950", Format::E1M2, ScaleKind::UE8M0, 32, target::Path::Container,
     32, 128, target::mmaMfmaE2M3},
    {"ContainerE2M1Gfx950", "gfx950", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Container,
     32, 128},
    {"ContainerGfx1250", "gfx1250", Format::E1M2, ScaleKind::UE8M0, 32, target::Path::Container, 32,
     256},
    {"Container16Gfx1250", "gfx1250", Format::E1M2, ScaleKind::UE8M0, 16, target::Path::Container,
     32, 256},
    {"NativeGfx1250", "gfx1250", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Native, 32, 256},
    {"NativeUE4M3Gfx1250", "gfx1250", Format::E2M1, ScaleKind::UE4M3, 16, target::Path::Native, 32,
     256},
    {"FoldGfx1250", "gfx1250", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 64},
    {"PostGfx942", "gfx942", Format::E1M2, ScaleKind::F32, 16, target::Path::Post, 16, 64},
    {"PostGfx950", "gfx950", Format::E1M2, ScaleKind::F32, 16, target::Path::Post, 16, 64},
    {"PostGfx942UE8M0", "gfx942", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Post, 16, 64},
    {"PostGfx950UE4M3", "gfx950", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Post, 16, 64},
    {"FoldGfx942", "gfx942", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 64},
    {"FoldGfx942UE8M0", "gfx942", Format::E2M1, ScaleKind::UE8M0, 32, target::Path::Fold, 16, 64},
    {"FoldGfx950", "gfx950", Format::E1M2, ScaleKind::UE4M3, 16, target::Path::Fold, 16, 64},
};

enum class Variant {
  Plain,
  AlphaBiasAccumulate,
  BF16WithBias,
  Batch,
  WideStores,
  Quantized,
};
constexpr unsigned variantCount = 6;
/// Each variant is dealt two hands.
constexpr unsigned handCount = 2 * variantCount, shapesOfHand = 5;
constexpr int64_t quickMmas = 5000;

Variant variantOf(unsigned hand) { return Variant(hand % variantCount); }

/// Rows and columns of a block's tile.
std::pair<int64_t, int64_t> tileOf(const Kind &kind);

struct Shape {
  int64_t batch, m, n, k;

  /// What a kernel executes, in units of m16n8 and padding included.
  int64_t mmas(const Kind &kind) const {
    auto [rows, columns] = tileOf(kind);
    return batch * llvm::divideCeil(m, rows) * llvm::divideCeil(n, columns) *
           llvm::divideCeil(k, kind.depthOfTile) * (rows / 16) * (columns / 8) *
           (kind.depthOfTile / kind.depth);
  }
};

/// A shape of a hand. Over all hands every size stands in every place five times, save that sizes
/// become smaller where a product would take long, last that in a place that rotates.
Shape shapeOf(unsigned hand, unsigned position, const Kind &kind) {
  static constexpr int64_t sizes[] = {1, 15, 16, 17, 64, 96, 127, 128, 129, 160, 464, 2880};
  constexpr unsigned count = std::size(sizes);
  unsigned index = hand * shapesOfHand + position, round = index / count, i = index % count;
  unsigned places[] = {i, (5 * i + 3 * round + 1) % count, (7 * i + 5 * round + 2) % count};
  unsigned kept = (i + round) % 3, first = (kept + 1) % 3, second = (kept + 2) % 3;
  int64_t batch = variantOf(hand) == Variant::Batch ? 3 : 1;
  auto shape = [&] { return Shape{batch, sizes[places[0]], sizes[places[1]], sizes[places[2]]}; };
  // What 2880 takes by itself, along K or in rows of one step. Emulated quantize kernels are slow
  // too.
  int64_t most = quickMmas;
  if (variantOf(hand) != Variant::Quantized)
    most =
        std::max({3 * quickMmas, Shape{1, 2880, 1, 1}.mmas(kind), Shape{1, 1, 1, 2880}.mmas(kind)});
  while (shape().mmas(kind) > most) {
    unsigned larger = places[first] > places[second] ? first : second;
    --places[places[larger] ? larger : kept];
  }
  return shape();
}

/// What K is a multiple of, where operands lie in rows: pieces of scales of 1 to 16 bytes, and of
/// codes of 8 and, always of tensor copies, 16.
unsigned depthMultipleOf(const Kind &kind, unsigned hand) {
  unsigned least = kind.transport ? kind.block : std::max(kind.block, 32u);
  return kind.storage ? std::max(least, std::min(256u, kind.block << hand % 5)) : 1;
}

GemmKernelSpec makeSpec(const Kind &kind, Variant variant, unsigned hand = 0) {
  GemmKernelSpec spec;
  spec.chip = target::findChip(kind.chip);
  spec.scheme.format = kind.format;
  spec.scheme.scale = kind.scale;
  spec.scheme.block = kind.block;
  spec.path = kind.path;
  if (kind.mma)
    spec.schedule = *llvm::find_if(target::gemmSchedules(), [&](const auto &schedule) {
      return schedule.mma == &kind.mma() && schedule.blocks == kind.blocks &&
             (!kind.columns || schedule.tileN == kind.columns);
    });
  spec.storage = kind.storage;
  spec.depthMultiple = depthMultipleOf(kind, hand);
  if (kind.transport) {
    std::string why;
    spec.schedule = *target::chooseSchedule(*spec.chip, spec.scheme, spec.path, why);
    spec.schedule->transport = kind.transport;
  }
  switch (variant) {
  case Variant::AlphaBiasAccumulate:
    spec.alpha = spec.accumulate = true;
    spec.bias = Element::F32;
    break;
  case Variant::BF16WithBias:
    spec.result = Element::BF16;
    spec.bias = Element::BF16;
    break;
  case Variant::WideStores:
    spec.columnMultiple = 8;
    break;
  case Variant::Plain:
  case Variant::Batch:
  case Variant::Quantized:
    break;
  }
  return spec;
}

std::pair<int64_t, int64_t> tileOf(const Kind &kind) {
  GemmKernelSpec spec = makeSpec(kind, Variant::Plain);
  std::string why;
  if (!spec.schedule)
    spec.schedule = *target::chooseSchedule(*spec.chip, spec.scheme, spec.path, why);
  return {spec.schedule->tileM * spec.schedule->blocks, spec.schedule->tileN};
}

/// A quantize kernel for an operand's storage.
struct Quantizer {
  QuantizeKernelInfo info;
  std::unique_ptr<emulator::EmulatedModule> module;
};

Quantizer loadQuantizer(const GemmKernelSpec &gemm, const target::OperandStorage &storage) {
  Quantizer loaded;
  QuantizeKernelSpec spec;
  spec.chip = gemm.chip;
  spec.inner = QuantizeDestination{gemm.scheme, &storage};
  loaded.module = loadKernels(*spec.chip, [&](mlir::OpBuilder &b, mlir::Location loc) {
    mlir::FailureOr<QuantizeKernelInfo> info = buildQuantizeKernel(b, loc, spec);
    if (succeeded(info))
      loaded.info = *info;
    return mlir::LogicalResult(info);
  });
  return loaded;
}

/// An operand of random bf16 values by the definition, and its planes by the kernel.
std::pair<Operand, Planes> quantized(Quantizer &quantizer, const numerics::Scheme &scheme,
                                     numerics::ViewShape shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<uint16_t> x(shape.g * shape.r * shape.k);
  for (uint16_t &value : x)
    value = numerics::f32ToBF16(normal(random));
  Operand operand{scheme, shape, numerics::quantize(x.data(), Element::BF16, shape, scheme)};
  Planes planes;
  for (const target::Plane &plane : quantizer.info.inner->storage->buffers({scheme, shape}))
    planes.emplace_back(plane.bytes, 0xFF);
  float amax = numerics::amax(x.data(), Element::BF16, shape, scheme), global = 0;
  std::vector<KernelArgument> arguments;
  QuantizeExtents extents(shape.g, shape.r, shape.k);
  for (const QuantizeArgumentInfo &argument : quantizer.info.arguments)
    switch (argument.role) {
    case QuantizeArgument::Input:
      arguments.push_back(KernelArgument::input(x.data(), x.size() * 2, "input"));
      break;
    case QuantizeArgument::Codes:
    case QuantizeArgument::Scales: {
      std::vector<uint8_t> &plane =
          planes[argument.role == QuantizeArgument::Codes ? target::codesPlane
                                                          : target::scalesPlane];
      arguments.push_back(
          KernelArgument::buffer(plane.data(), plane.size(), Access::Write, "plane"));
      break;
    }
    case QuantizeArgument::Amax:
      arguments.push_back(KernelArgument::input(&amax, 4, "amax"));
      break;
    case QuantizeArgument::Global:
      arguments.push_back(KernelArgument::buffer(&global, 4, Access::Write, "global"));
      break;
    case QuantizeArgument::Outer:
      arguments.push_back(KernelArgument::scalar(int32_t(extents.outer)));
      break;
    case QuantizeArgument::Inner:
      arguments.push_back(KernelArgument::scalar(int32_t(extents.inner)));
      break;
    case QuantizeArgument::StrideBatch:
      arguments.push_back(KernelArgument::scalar(extents.strideBatch));
      break;
    case QuantizeArgument::StrideOuter:
      arguments.push_back(KernelArgument::scalar(extents.strideOuter));
      break;
    default:
      ADD_FAILURE() << "not an argument of this kernel: " << stringify(argument.role).str();
    }
  std::array<int64_t, 3> grid = quantizer.info.grid(extents);
  emulator::LaunchOptions options;
  options.requireOutputsWritten = true;
  options.memoryStatistics = false;
  auto stats = quantizer.module->launch(
      quantizer.info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
      {quantizer.info.threads, 1, 1}, quantizer.info.dynamicSharedBytes, arguments, options);
  if (!stats)
    ADD_FAILURE() << llvm::toString(stats.takeError());
  EXPECT_EQ(numerics::bitsOf(global), numerics::bitsOf(operand.data.global));
  EXPECT_EQ(planes, target::packOperand(*quantizer.info.inner->storage, {scheme, shape},
                                        operand.data.codes.data(), operand.data.scales()));
  return {std::move(operand), std::move(planes)};
}

class GemmGrid : public ::testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

TEST_P(GemmGrid, Shapes) {
  const Kind &kind = kinds[std::get<0>(GetParam())];
  unsigned hand = std::get<1>(GetParam());
  Variant variant = variantOf(hand);
  GemmKernelSpec spec = makeSpec(kind, variant, hand);
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  Quantizer quantizer;
  if (variant == Variant::Quantized) {
    quantizer = loadQuantizer(spec, *kernel.info.storage);
    ASSERT_TRUE(quantizer.module);
  }
  for (unsigned i = 0; i < shapesOfHand; ++i) {
    unsigned index = hand * shapesOfHand + i;
    Shape shape = shapeOf(hand, i, kind);
    if (spec.columnMultiple > 1)
      shape.n = llvm::alignTo(shape.n, spec.columnMultiple);
    shape.k = llvm::alignTo(shape.k, spec.depthMultiple);
    SCOPED_TRACE(::testing::Message()
                 << shape.m << " x " << shape.n << " x " << shape.k << " batch " << shape.batch);
    numerics::ViewShape shapeA{shape.batch, shape.m, shape.k},
        shapeB{shape.batch, shape.n, shape.k};
    if (variant == Variant::Quantized) {
      auto [a, planesA] = quantized(quantizer, spec.scheme, shapeA, index);
      auto [b, planesB] = quantized(quantizer, spec.scheme, shapeB, index + 1000);
      GemmInputs inputs;
      inputs.memoryStatistics = false;
      llvm::Expected<GemmRun> run = launchGemm(kernel, spec, a, b, planesA, planesB, inputs);
      ASSERT_TRUE(bool(run)) << llvm::toString(run.takeError());
      expectConforms(spec, *run, exactGemm(a, b));
      continue;
    }
    for (Scales scales : {Scales::Powers, Scales::Random}) {
      if (shape.mmas(kind) > quickMmas && i % 2 == (scales == Scales::Random))
        continue;
      Operand a = makeOperand(spec.scheme, shapeA, scales, index);
      Operand b = makeOperand(spec.scheme, shapeB, scales, index + 1000);
      GemmInputs inputs;
      inputs.memoryStatistics = false;
      if (spec.alpha)
        inputs.alpha = 0.5f;
      if (spec.bias)
        inputs.bias = makeBias(shape.n);
      if (spec.accumulate)
        for (int64_t element = 0; element < shape.batch * shape.m * shape.n; ++element)
          inputs.c0.push_back(float(element % 1009));
      GemmRun run = runGemm(kernel, spec, a, b, inputs);
      std::vector<numerics::GemmBound> exact = exactGemm(a, b, inputs);
      if (scales == Scales::Powers)
        expectEqual(run, exact, spec.result);
      expectConforms(spec, run, exact);
    }
    if (HasFatalFailure())
      return;
  }
}

std::string nameOf(const ::testing::TestParamInfo<std::tuple<unsigned, unsigned>> &info) {
  static const char *const variants[] = {"Plain", "AlphaBiasAccumulate", "BF16WithBias",
                                         "Batch", "WideStores",          "Quantized"};
  unsigned hand = std::get<1>(info.param);
  return std::string(kinds[std::get<0>(info.param)].name) + variants[unsigned(variantOf(hand))] +
         std::to_string(hand / variantCount);
}
INSTANTIATE_TEST_SUITE_P(Kinds, GemmGrid,
                         ::testing::Combine(::testing::Range(0u, unsigned(std::size(kinds))),
                                            ::testing::Range(0u, handCount)),
                         nameOf);

// Runs of every length, for which codes are stored in pieces of half a chunk or more.
class QuantizedStorage : public ::testing::TestWithParam<unsigned> {};

TEST_P(QuantizedStorage, RunsOfEveryLength) {
  for (unsigned rotation : {16, 32, 64, 128}) {
    SCOPED_TRACE(::testing::Message() << "rotation " << rotation);
    GemmKernelSpec spec = makeSpec(kinds[GetParam()], Variant::Quantized);
    spec.scheme.rotation = numerics::presetRotation(rotation);
    KernelInfo info;
    llvm::LLVMContext context;
    ASSERT_TRUE(translateKernel(spec, context, info));
    Quantizer quantizer = loadQuantizer(spec, *info.storage);
    ASSERT_TRUE(quantizer.module);
    for (numerics::ViewShape shape : {numerics::ViewShape{1, 33, 300}, {2, 129, 70}})
      quantized(quantizer, spec.scheme, shape, rotation);
  }
}
INSTANTIATE_TEST_SUITE_P(Kinds, QuantizedStorage, ::testing::Range(0u, unsigned(std::size(kinds))),
                         [](const auto &info) { return std::string(kinds[info.param].name); });

// What the shapes above were dealt out for.
TEST(GemmShapes, EverySizeStandsInEveryPlace) {
  for (const Kind &kind : kinds) {
    std::set<int64_t> seen[3];
    for (unsigned i = 0; i < handCount * shapesOfHand; ++i) {
      Shape shape = shapeOf(i / shapesOfHand, i % shapesOfHand, kind);
      seen[0].insert(shape.m);
      seen[1].insert(shape.n);
      seen[2].insert(shape.k);
      EXPECT_LE((shape.m > 464) + (shape.n > 464) + (shape.k > 464), 1);
    }
    for (const std::set<int64_t> &place : seen)
      EXPECT_EQ(place.size(), 12u);
  }
}

TEST(GemmShapes, NothingIsLaunchedForNoRows) {
  for (const Kind &kind : kinds) {
    KernelInfo info;
    llvm::LLVMContext context;
    ASSERT_TRUE(translateKernel(makeSpec(kind, Variant::Plain), context, info));
    EXPECT_EQ(info.grid(0, 17, 2)[1], 0);
    EXPECT_EQ(info.grid(17, 0, 2)[0], 0);
    EXPECT_EQ(info.grid(17, 17, 0)[2], 0);
    EXPECT_EQ(info.verifySizes(0, 16, 256, 1), std::nullopt);
  }
}

TEST(GemmShapes, NoDepthGivesTheBias) {
  for (const Kind &kind : kinds) {
    GemmKernelSpec spec = makeSpec(kind, Variant::BF16WithBias);
    LoadedKernel kernel = loadKernel(spec);
    ASSERT_TRUE(kernel.module);
    Operand a = makeOperand(spec.scheme, {1, 3, 0}, Scales::Powers, 1);
    Operand b = makeOperand(spec.scheme, {1, 5, 0}, Scales::Powers, 2);
    GemmInputs inputs{{}, 1, makeBias(5)};
    expectEqual(runGemm(kernel, spec, a, b, inputs), exactGemm(a, b, inputs), spec.result);
  }
}

} // namespace
