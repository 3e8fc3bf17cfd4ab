//===- QuantizeKernelTest.cpp - Quantize kernels against the definition ---===//
//
// Breaks when a kernel's codes or scales differ from numerics::quantize in a bit, lie elsewhere
// than the storage says, leave padding unwritten, or read what is not the input's.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Target/NVPTX/Binary.h"

#include <cmath>
#include <cstring>

using namespace ufp4;
using namespace ufp4::testing;
using emulator::Access;
using emulator::KernelArgument;
using numerics::Element;
using numerics::Format;
using numerics::ScaleKind;
using numerics::ScaleRule;
using numerics::Scheme;
using numerics::ViewShape;

namespace {

constexpr uint64_t kSeed = 0x123456789ABCDEF0;
constexpr uint32_t kStep = 0x80000007, kStream = 41;

/// Builds, translates and loads `amax` and quantize kernels into one module.
struct QuantizeKernels {
  QuantizeKernelSpec spec;
  QuantizeKernelInfo quantize, amax;
  std::unique_ptr<emulator::EmulatedModule> module;
};

std::unique_ptr<llvm::Module> translate(const QuantizeKernelSpec &spec, llvm::LLVMContext &context,
                                        QuantizeKernels &kernels) {
  mlir::MLIRContext ir(mlir::MLIRContext::Threading::DISABLED);
  loadKernelDialects(ir);
  mlir::OpBuilder b(&ir);
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module(
      mlir::gpu::GPUModuleOp::create(b, b.getUnknownLoc(), "kernels"));
  b.setInsertionPointToStart(module->getBody());
  auto quantize = buildQuantizeKernel(b, b.getUnknownLoc(), spec);
  if (failed(quantize)) {
    ADD_FAILURE() << "the kernel was refused";
    return nullptr;
  }
  kernels.spec = spec;
  kernels.quantize = *quantize;
  if (spec.scheme.scale == ScaleKind::UE4M3) {
    auto amax = buildAmaxKernel(b, b.getUnknownLoc(), spec);
    if (failed(amax)) {
      ADD_FAILURE() << "the amax kernel was refused";
      return nullptr;
    }
    kernels.amax = *amax;
  }
  std::unique_ptr<llvm::Module> translated = translateKernelModule(*module, context, *spec.chip);
  if (!translated)
    ADD_FAILURE() << "translation failed";
  return translated;
}

QuantizeKernels load(const QuantizeKernelSpec &spec) {
  QuantizeKernels kernels;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated = translate(spec, *context, kernels);
  if (!translated)
    return kernels;
  emulator::EmulatorTarget target;
  target.chip = spec.chip->name.str();
  auto emulated =
      emulator::EmulatedModule::create(std::move(translated), std::move(context), target);
  if (emulated)
    kernels.module = std::move(*emulated);
  else
    ADD_FAILURE() << llvm::toString(emulated.takeError());
  return kernels;
}

/// A view's values as f32 and as the bytes of its element.
struct Input {
  ViewShape shape;
  Element element;
  std::vector<uint8_t> bytes;

  Input(ViewShape shape, Element element) : shape(shape), element(element) {
    bytes.resize(shape.g * shape.r * shape.k * numerics::elementBytes(element));
  }
  void set(int64_t index, float value) {
    switch (element) {
    case Element::F32:
      std::memcpy(&bytes[index * 4], &value, 4);
      return;
    case Element::BF16:
    case Element::F16: {
      uint16_t narrow =
          element == Element::F16 ? numerics::f32ToF16(value) : numerics::f32ToBF16(value);
      std::memcpy(&bytes[index * 2], &narrow, 2);
      return;
    }
    }
  }
};

/// Values whose binade changes from block to block, ties of both grids, zeros and runs of zeros;
/// with `extremes` also NaNs, infinities, sums that overflow in the rotation, and blocks around
/// 2^-120.
Input makeInput(ViewShape shape, Element element, unsigned seed, bool extremes) {
  Input input(shape, element);
  std::mt19937 random(seed);
  int64_t count = shape.g * shape.r * shape.k;
  float unit = 1;
  unsigned kind = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (i % 16 == 0 || random() % 64 == 0) {
      kind = random() % 16;
      unit = std::ldexp(1.0f, int(random() % 12) - 6);
      if (extremes && random() % 4 == 0)
        unit = std::ldexp(1.0f, random() % 2 ? -122 + int(random() % 5) : 118 + int(random() % 10));
    }
    float value = (random() * 0x1p-31f - 1) * unit;
    if (kind == 0)
      value = 0;
    else if (kind < 6)
      value = (int(random() % 29) - 14) * 0.25f * unit;
    if (random() % 16 == 0)
      value = random() % 2 ? -0.0f : 0.0f;
    if (extremes && random() % 100 == 0) {
      static const float special[] = {INFINITY,     -INFINITY, std::nanf(""),
                                      -0x1.fep127f, 0x1p-120f, 0x1.fep-121f};
      value = special[random() % 6];
    }
    input.set(i, value);
  }
  return input;
}

struct QuantizeRun {
  std::vector<uint8_t> planes[target::planeCount];
  float amax = 0, global = 0;
  emulator::LaunchStats stats;
};

bool launch(QuantizeKernels &kernels, const QuantizeKernelInfo &info, const Input &input,
            QuantizeRun &run) {
  std::vector<KernelArgument> arguments;
  for (QuantizeArgument argument : info.arguments)
    switch (argument) {
    case QuantizeArgument::Input:
      arguments.push_back(KernelArgument::input(input.bytes.data(), input.bytes.size(), "input"));
      break;
    case QuantizeArgument::Codes:
    case QuantizeArgument::Scales: {
      auto &plane = run.planes[argument == QuantizeArgument::Codes ? target::codesPlane
                                                                   : target::scalesPlane];
      arguments.push_back(KernelArgument::buffer(plane.data(), plane.size(), Access::Write,
                                                 stringify(argument).str()));
      break;
    }
    case QuantizeArgument::Amax:
      arguments.push_back(KernelArgument::buffer(
          &run.amax, 4, info.storage ? Access::Read : Access::ReadWrite, "amax"));
      break;
    case QuantizeArgument::Global:
      arguments.push_back(KernelArgument::buffer(&run.global, 4, Access::Write, "global"));
      break;
    case QuantizeArgument::Rows:
      arguments.push_back(KernelArgument::scalar(int32_t(input.shape.g ? input.shape.r : 0)));
      break;
    case QuantizeArgument::Depth:
      arguments.push_back(KernelArgument::scalar(int32_t(input.shape.k)));
      break;
    case QuantizeArgument::Seed:
      arguments.push_back(KernelArgument::scalar(kSeed));
      break;
    case QuantizeArgument::Step:
      arguments.push_back(KernelArgument::scalar(kStep));
      break;
    case QuantizeArgument::Stream:
      arguments.push_back(KernelArgument::scalar(kStream));
      break;
    }
  EXPECT_EQ(info.verifySizes(input.shape), std::nullopt);
  std::array<int64_t, 3> grid = info.grid(input.shape);
  if (!grid[0] || !grid[1] || !grid[2])
    return true;
  emulator::LaunchOptions options;
  options.requireOutputsWritten = true;
  auto stats =
      kernels.module->launch(info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
                             {info.threads, 1, 1}, 0, arguments, options);
  if (!stats) {
    ADD_FAILURE() << llvm::toString(stats.takeError());
    return false;
  }
  run.stats = *stats;
  return true;
}

/// Runs the kernel, after one for amax where scales ask for it and none is given.
QuantizeRun runQuantize(QuantizeKernels &kernels, const Input &input, const float *amax = nullptr) {
  QuantizeRun run;
  auto buffers = kernels.spec.storage->buffers({kernels.spec.scheme, input.shape});
  for (auto [plane, buffer] : llvm::zip(run.planes, buffers))
    plane.assign(buffer.bytes, 0xFF);
  if (amax)
    run.amax = *amax;
  else if (kernels.spec.scheme.scale == ScaleKind::UE4M3)
    launch(kernels, kernels.amax, input, run);
  launch(kernels, kernels.quantize, input, run);
  return run;
}

numerics::Quantized define(const QuantizeKernelSpec &spec, const Input &input,
                           const float *amax = nullptr) {
  numerics::Draw draw{kSeed, kStream, kStep, spec.randomBits};
  return numerics::quantize(input.bytes.data(), input.element, input.shape, spec.scheme,
                            spec.randomBits ? &draw : nullptr, amax);
}

/// Bit for bit what the definition gives, in its storage.
void check(QuantizeKernels &kernels, const Input &input, const float *amax = nullptr) {
  const QuantizeKernelSpec &spec = kernels.spec;
  numerics::Quantized expected = define(spec, input, amax);
  auto packed = target::packOperand(*spec.storage, {spec.scheme, input.shape},
                                    expected.codes.data(), expected.scales());
  QuantizeRun run = runQuantize(kernels, input, amax);
  for (unsigned plane = 0; plane < target::planeCount; ++plane) {
    ASSERT_EQ(run.planes[plane].size(), packed[plane].size());
    for (size_t i = 0; i < packed[plane].size(); ++i)
      ASSERT_EQ(run.planes[plane][i], packed[plane][i]) << "plane " << plane << " byte " << i;
  }
  if (spec.scheme.scale == ScaleKind::UE4M3) {
    if (!amax) {
      float defined = numerics::amax(input.bytes.data(), input.element, input.shape, spec.scheme);
      ASSERT_EQ(numerics::bitsOf(run.amax), numerics::bitsOf(defined));
    }
    ASSERT_EQ(numerics::bitsOf(run.global), numerics::bitsOf(expected.global));
  }
}

std::vector<Scheme> allSchemes() {
  std::vector<Scheme> schemes;
  for (Format format : {Format::E1M2, Format::E2M1})
    for (auto [scale, rule] :
         {std::pair(ScaleKind::F32, ScaleRule::Ceil), std::pair(ScaleKind::UE4M3, ScaleRule::Ceil),
          std::pair(ScaleKind::UE8M0, ScaleRule::Ceil),
          std::pair(ScaleKind::UE8M0, ScaleRule::OcpFloor)})
      for (unsigned block : {16, 32})
        for (unsigned rotation : {0, 16, 32, 64, 128}) {
          Scheme scheme;
          scheme.format = format;
          scheme.scale = scale;
          scheme.rule = rule;
          scheme.block = block;
          if (rotation)
            scheme.rotation = numerics::presetRotation(rotation);
          if (!numerics::verifyScheme(scheme))
            schemes.push_back(scheme);
        }
  return schemes;
}

QuantizeKernelSpec makeSpec(const Scheme &scheme, Element element, unsigned randomBits,
                            const target::OperandStorage &storage, unsigned depthMultiple = 1) {
  QuantizeKernelSpec spec;
  spec.chip = target::findChip(target::kBaselineChip);
  spec.scheme = scheme;
  spec.element = element;
  spec.randomBits = randomBits;
  spec.storage = &storage;
  spec.depthMultiple = depthMultiple;
  return spec;
}

constexpr Element kElements[] = {Element::BF16, Element::F16, Element::F32};
constexpr unsigned kRandomBits[] = {0, 16, 8};
constexpr int64_t kDepths[] = {1, 15, 16, 17, 33, 160};

/// Each number of rows and each depth several times, plain and extreme values.
void checkShapes(const QuantizeKernelSpec &spec) {
  QuantizeKernels kernels = load(spec);
  ASSERT_TRUE(kernels.module);
  SCOPED_TRACE(kernels.quantize.name);
  unsigned seed = 0;
  for (int64_t r : {1, 15, 17, 130})
    for (int64_t k : kDepths) {
      if (k % spec.depthMultiple || (r > 17 && k != 17 && k != 160))
        continue;
      SCOPED_TRACE(::testing::Message() << r << " x " << k);
      ++seed;
      check(kernels, makeInput({seed % 5 == 0 ? 3 : 1, r, k}, spec.element, seed, seed % 2));
      if (::testing::Test::HasFatalFailure())
        return;
    }
}

/// An index into kRandomBits.
class QuantizeKernelRounding : public ::testing::TestWithParam<unsigned> {};

// Every scheme; input types and storages take turns, so that each meets each format, scale, block,
// rotation and rounding.
TEST_P(QuantizeKernelRounding, EveryScheme) {
  unsigned turn = GetParam();
  for (auto [i, scheme] : llvm::enumerate(allSchemes())) {
    const target::OperandStorage &storage = *target::storages()[(turn + i / 10) % 2];
    checkShapes(makeSpec(scheme, kElements[turn % 3], kRandomBits[GetParam()], storage));
    if (HasFatalFailure())
      return;
    ++turn;
  }
}

INSTANTIATE_TEST_SUITE_P(RandomBits, QuantizeKernelRounding, ::testing::Range(0u, 3u));

// Loads of 2 to 16 bytes, and without checks within a run.
TEST(QuantizeKernel, WideLoads) {
  for (Element element : kElements)
    for (unsigned rotation : {0, 32})
      for (unsigned multiple : {2, 3, 4, 8, 16, 24, 160}) {
        Scheme scheme;
        if (rotation)
          scheme.rotation = numerics::presetRotation(rotation);
        QuantizeKernelSpec spec =
            makeSpec(scheme, element, 0, target::tileMajorStorage(), multiple);
        QuantizeKernels kernels = load(spec);
        ASSERT_TRUE(kernels.module);
        SCOPED_TRACE(kernels.quantize.name);
        for (int64_t times : {1, 2, 5})
          check(kernels, makeInput({2, 19, times * multiple}, element, multiple + times, true));
        EXPECT_TRUE(kernels.quantize.verifySizes({1, 1, multiple + 1}));
      }
}

// Any mask of signs, not the presets' alone.
TEST(QuantizeKernel, AnyMask) {
  for (unsigned size : {16, 128}) {
    Scheme scheme;
    scheme.rotation.size = size;
    scheme.rotation.signs = {size == 16 ? 0x8001ull : 0x8000000000000001ull,
                             size == 16 ? 0ull : 0xFEDCBA9876543210ull};
    QuantizeKernels kernels = load(makeSpec(scheme, Element::BF16, 0, target::naturalStorage()));
    ASSERT_TRUE(kernels.module);
    check(kernels, makeInput({1, 7, 300}, Element::BF16, 3, false));
  }
}

// Q4 by hand: poison, a zero block, and the least block that is none.
TEST(QuantizeKernel, PoisonAndZeroBlocks) {
  Scheme scheme;
  QuantizeKernels kernels = load(makeSpec(scheme, Element::F32, 0, target::naturalStorage()));
  ASSERT_TRUE(kernels.module);
  Input input({1, 1, 64}, Element::F32);
  for (int64_t i = 0; i < 64; ++i)
    input.set(i, i < 16 ? 1.0f : i < 32 ? 0.0f : i < 48 ? -0x1p-120f : 0x1.fffffep-121f);
  input.set(5, std::nanf(""));
  input.set(20, -0.0f);
  QuantizeRun run = runQuantize(kernels, input);
  std::vector<uint8_t> codes(32, 0);
  std::fill_n(codes.begin() + 16, 8, 0xFF);
  EXPECT_EQ(run.planes[target::codesPlane], codes);
  uint32_t scales[4];
  std::memcpy(scales, run.planes[target::scalesPlane].data(), sizeof(scales));
  EXPECT_EQ(scales[0], numerics::canonicalNaN);
  EXPECT_EQ(scales[1], 0u);
  EXPECT_EQ(scales[2], numerics::bitsOf(0x1p-120f / 7));
  EXPECT_EQ(scales[3], 0u);
}

// Q5: an amax_tensor that is no maximum poisons every block, and no padding.
TEST(QuantizeKernel, GivenAmax) {
  for (const target::OperandStorage *storage : target::storages()) {
    Scheme scheme;
    scheme.scale = ScaleKind::UE4M3;
    QuantizeKernels kernels = load(makeSpec(scheme, Element::BF16, 0, *storage));
    ASSERT_TRUE(kernels.module);
    for (float amax : {3.0f, 0.0f, 1e-38f, 1e30f, -1.0f, INFINITY, std::nanf("")}) {
      SCOPED_TRACE(amax);
      check(kernels, makeInput({1, 9, 40}, Element::BF16, 5, false), &amax);
    }
  }
}

// An empty view has an S all the same.
TEST(QuantizeKernel, EmptyViews) {
  for (const target::OperandStorage *storage : target::storages())
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3}) {
      Scheme scheme;
      scheme.scale = scale;
      QuantizeKernels kernels = load(makeSpec(scheme, Element::BF16, 16, *storage));
      ASSERT_TRUE(kernels.module);
      for (ViewShape shape : {ViewShape{1, 0, 16}, ViewShape{1, 3, 0}, ViewShape{0, 3, 16}})
        check(kernels, makeInput(shape, Element::BF16, 1, false));
    }
}

TEST(QuantizeKernel, RefusesWhatItCannot) {
  mlir::MLIRContext ir(mlir::MLIRContext::Threading::DISABLED);
  loadKernelDialects(ir);
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&ir, [&](mlir::Diagnostic &diagnostic) {
    message = diagnostic.str();
    return mlir::success();
  });
  mlir::OpBuilder b(&ir);
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module(
      mlir::gpu::GPUModuleOp::create(b, b.getUnknownLoc(), "kernels"));
  b.setInsertionPointToStart(module->getBody());
  QuantizeKernelSpec spec = makeSpec({}, Element::BF16, 0, target::naturalStorage());
  spec.scheme.blockRows = 16;
  EXPECT_TRUE(failed(buildQuantizeKernel(b, b.getUnknownLoc(), spec)));
  EXPECT_NE(message.find("1-D blocks"), std::string::npos) << message;
  spec = makeSpec({}, Element::BF16, 12, target::naturalStorage());
  EXPECT_TRUE(failed(buildQuantizeKernel(b, b.getUnknownLoc(), spec)));
  EXPECT_NE(message.find("12 bits"), std::string::npos) << message;
  EXPECT_TRUE(module->getBody()->without_terminator().empty());
  spec.randomBits = 0;
  auto info = buildQuantizeKernel(b, b.getUnknownLoc(), spec);
  ASSERT_TRUE(succeeded(info));
  EXPECT_EQ(info->verifySizes({65535, 65535 * 32, 1 << 20}), std::nullopt);
  for (auto [shape, reason] : {std::pair(ViewShape{1, 65535 * 32 + 1, 16}, "along y"),
                               std::pair(ViewShape{65536, 1, 16}, "along z"),
                               std::pair(ViewShape{1, INT32_MAX, 16}, "32 bits")}) {
    message = info->verifySizes(shape).value_or("");
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }
}

/// One operand quantized by kernels, and what it means.
struct Quantized {
  QuantizeRun run;
  Operand operand;
};

Quantized quantizeForGemm(const Scheme &scheme, ViewShape shape, unsigned bits, unsigned seed) {
  QuantizeKernelSpec spec = makeSpec(scheme, Element::BF16, bits, target::tileMajorStorage());
  QuantizeKernels kernels = load(spec);
  Input input(shape, Element::BF16);
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  for (int64_t i = 0; i < shape.g * shape.r * shape.k; ++i)
    input.set(i, normal(random));
  return {runQuantize(kernels, input), {scheme, shape, define(spec, input)}};
}

// From bf16 values to C by kernels alone, against the definition of both steps.
TEST(QuantizeKernel, ThenGemm) {
  for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0}) {
    Scheme scheme;
    scheme.scale = scale;
    scheme.rotation = numerics::presetRotation(16);
    int64_t m = 97, n = 141, k = 301, batch = 2;
    Quantized a = quantizeForGemm(scheme, {batch, m, k}, 0, 1),
              b = quantizeForGemm(scheme, {batch, n, k}, 16, 2);
    GemmKernelSpec spec;
    spec.chip = target::findChip(target::kBaselineChip);
    spec.scheme = scheme;
    LoadedKernel gemm = loadKernel(spec);
    ASSERT_TRUE(gemm.module);
    GemmRun result;
    result.result.assign(batch * m * n, std::nanf(""));
    auto input = [](const std::vector<uint8_t> &bytes, const char *name) {
      return KernelArgument::input(bytes.data(), bytes.size(), name);
    };
    std::vector<KernelArgument> arguments = {
        input(a.run.planes[target::codesPlane], "codes_a"),
        input(a.run.planes[target::scalesPlane], "scales_a"),
        input(b.run.planes[target::codesPlane], "codes_b"),
        input(b.run.planes[target::scalesPlane], "scales_b"),
        KernelArgument::buffer(result.result.data(), result.result.size() * 4, Access::Write, "c")};
    if (scale == ScaleKind::UE4M3) {
      arguments.push_back(KernelArgument::input(&a.run.global, 4, "global_a"));
      arguments.push_back(KernelArgument::input(&b.run.global, 4, "global_b"));
    }
    int64_t depthTiles = gemm.info.depthTiles(numerics::paddedK(scheme, k));
    for (int64_t size : {m, n, depthTiles})
      arguments.push_back(KernelArgument::scalar(int32_t(size)));
    std::array<int64_t, 3> grid = gemm.info.grid(m, n, batch);
    auto stats = gemm.module->launch(
        gemm.info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
        {gemm.info.threads, 1, 1}, gemm.info.dynamicSharedBytes, arguments);
    ASSERT_TRUE(bool(stats)) << llvm::toString(stats.takeError());
    expectConforms(spec, result, exactGemm(a.operand, b.operand));
  }
}

void checkBinary(const QuantizeKernelSpec &spec, bool hasPtxas) {
  llvm::LLVMContext context;
  QuantizeKernels kernels;
  std::unique_ptr<llvm::Module> module = translate(spec, context, kernels);
  ASSERT_TRUE(module);
  SCOPED_TRACE(spec.chip->name.str() + ' ' + kernels.quantize.name);
  auto ptx = target::emitPTX(*module, *spec.chip);
  ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  // No flush to zero, no approximate result, and no contraction by any later compiler (Q).
  for (llvm::StringRef forbidden :
       {".ftz", ".approx", "div.full", "mul.f32", "add.f32", "sub.f32", "mad.f32"})
    EXPECT_EQ(ptx->text.find(forbidden.str()), std::string::npos) << forbidden.str();
  if (!hasPtxas)
    return;
  auto cubin = target::assemble(ptx->text, *spec.chip);
  ASSERT_TRUE(bool(cubin)) << llvm::toString(cubin.takeError());
  for (const target::KernelUsage &usage : cubin->kernels)
    EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes + usage.sharedBytes,
              0u)
        << usage.name;
}

// The module that the emulator runs becomes a binary without spills, and its arithmetic is IEEE's.
TEST(QuantizeKernel, BecomesABinary) {
  auto ptxas = target::findPtxas({});
  std::string missing = ptxas ? "" : llvm::toString(ptxas.takeError());
  unsigned turn = 0;
  for (const target::OperandStorage *storage : target::storages())
    for (ScaleKind scale : {ScaleKind::F32, ScaleKind::UE4M3, ScaleKind::UE8M0})
      for (unsigned rotation : {0, 16, 128})
        for (unsigned bits : {0, 16}) {
          Scheme scheme;
          scheme.format = turn % 3 ? Format::E1M2 : Format::E2M1;
          scheme.scale = scale;
          if (rotation)
            scheme.rotation = numerics::presetRotation(rotation);
          checkBinary(makeSpec(scheme, Element::BF16, bits, *storage, turn % 4 ? 128 : 1),
                      missing.empty());
          ++turn;
        }
  for (llvm::StringRef chip : {"sm_90a", "sm_100a", "sm_120a"}) {
    Scheme scheme;
    scheme.scale = ScaleKind::UE4M3;
    scheme.rotation = numerics::presetRotation(16);
    QuantizeKernelSpec spec = makeSpec(scheme, Element::BF16, 16, target::tileMajorStorage(), 16);
    spec.chip = target::findChip(chip);
    checkBinary(spec, missing.empty());
  }
  if (!missing.empty())
    GTEST_SKIP() << missing;
}

} // namespace
