//===- Harness.cpp - GEMM kernels in the emulator -------------------------===//

#include "Harness.h"

#include <cmath>
#include <cstring>

using namespace ufp4;
using namespace ufp4::testing;
using numerics::ScaleKind;

std::unique_ptr<llvm::Module> ufp4::testing::translateKernel(const GemmKernelSpec &spec,
                                                             llvm::LLVMContext &context,
                                                             KernelInfo &info) {
  mlir::MLIRContext ir(mlir::MLIRContext::Threading::DISABLED);
  loadKernelDialects(ir);
  mlir::OpBuilder b(&ir);
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module(
      mlir::gpu::GPUModuleOp::create(b, b.getUnknownLoc(), "kernels"));
  b.setInsertionPointToStart(module->getBody());
  mlir::FailureOr<KernelInfo> built = buildGemmKernel(b, b.getUnknownLoc(), spec);
  if (failed(built)) {
    ADD_FAILURE() << "the kernel was refused";
    return nullptr;
  }
  info = *built;
  std::unique_ptr<llvm::Module> translated = translateKernelModule(*module, context, *spec.chip);
  if (!translated)
    ADD_FAILURE() << "translation failed";
  return translated;
}

LoadedKernel ufp4::testing::loadKernel(const GemmKernelSpec &spec) {
  LoadedKernel loaded;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated = translateKernel(spec, *context, loaded.info);
  if (!translated)
    return loaded;
  emulator::EmulatorTarget target;
  target.chip = spec.chip->name.str();
  auto emulated =
      emulator::EmulatedModule::create(std::move(translated), std::move(context), target);
  if (emulated)
    loaded.module = std::move(*emulated);
  else
    ADD_FAILURE() << llvm::toString(emulated.takeError());
  return loaded;
}

Operand ufp4::testing::makeOperand(const numerics::Scheme &scheme, numerics::ViewShape shape,
                                   Scales scales, unsigned seed) {
  std::mt19937 random(seed);
  Operand operand{scheme, shape, {}};
  int64_t paddedK = numerics::paddedK(scheme, shape.k);
  numerics::Quantized &data = operand.data;
  data.codes.resize(numerics::codeCount(scheme, shape));
  for (size_t i = 0; i < data.codes.size(); ++i)
    data.codes[i] = int64_t(i) % paddedK < shape.k ? random() & 15 : 0;
  int64_t perRow = paddedK / scheme.block;
  int64_t count = numerics::scaleCount(scheme, shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t row = i / perRow, block = i % perRow;
    unsigned integer = 1 + (row * 5 + block * 11 + seed) % 31;
    switch (scheme.scale) {
    case ScaleKind::F32:
      data.scalesF32.push_back(scales == Scales::Integers
                                   ? float(integer)
                                   : std::ldexp(1 + random() * 0x1p-32f, int(random() % 9) - 4));
      break;
    case ScaleKind::UE4M3:
      // Integers up to 15 are E4M3 values.
      data.scaleBytes.push_back(scales == Scales::Integers
                                    ? numerics::encodeUE4M3(float(1 + integer % 15))
                                    : 1 + random() % 126);
      break;
    case ScaleKind::UE8M0:
      data.scaleBytes.push_back(scales == Scales::Integers ? 127 + integer % 4
                                                           : 117 + random() % 20);
      break;
    }
  }
  if (scheme.scale == ScaleKind::UE4M3)
    data.global = scales == Scales::Integers ? 1 : 1 + random() * 0x1p-32f;
  return operand;
}

static float widenBF16(uint16_t bits) { return numerics::floatOf(uint32_t(bits) << 16); }

GemmRun ufp4::testing::runGemm(LoadedKernel &kernel, const GemmKernelSpec &spec, const Operand &a,
                               const Operand &b, const std::vector<float> &c0, float alpha,
                               uint64_t scheduleSeed) {
  using emulator::Access;
  using emulator::KernelArgument;
  GemmRun run;
  const KernelInfo &info = kernel.info;
  int64_t m = a.shape.r, n = b.shape.r, batch = a.shape.g;
  int64_t paddedK = numerics::paddedK(a.scheme, a.shape.k);
  EXPECT_EQ(info.verifySizes(m, n, paddedK, batch), std::nullopt);
  bool isNarrow = spec.result == numerics::Element::BF16;
  size_t count = batch * m * n, elementBytes = isNarrow ? 2 : 4;
  // A byte that the kernel leaves alone reads as part of a NaN.
  std::vector<uint8_t> c(count * elementBytes, 0xFF);
  if (spec.accumulate)
    std::memcpy(c.data(), c0.data(), c.size());
  auto packedA =
      target::packOperand(*info.storage, {a.scheme, a.shape}, a.data.codes.data(), a.data.scales());
  auto packedB =
      target::packOperand(*info.storage, {b.scheme, b.shape}, b.data.codes.data(), b.data.scales());
  // Buffers end where the storage ends, so an access past it is a fault.
  auto input = [](const std::vector<uint8_t> &bytes, const char *name) {
    return KernelArgument::input(bytes.data(), bytes.size(), name);
  };
  std::vector<KernelArgument> arguments;
  for (GemmArgument argument : info.arguments)
    switch (argument) {
    case GemmArgument::CodesA:
      arguments.push_back(input(packedA[target::codesPlane], "codes_a"));
      break;
    case GemmArgument::ScalesA:
      arguments.push_back(input(packedA[target::scalesPlane], "scales_a"));
      break;
    case GemmArgument::CodesB:
      arguments.push_back(input(packedB[target::codesPlane], "codes_b"));
      break;
    case GemmArgument::ScalesB:
      arguments.push_back(input(packedB[target::scalesPlane], "scales_b"));
      break;
    case GemmArgument::Result:
      arguments.push_back(KernelArgument::buffer(
          c.data(), c.size(), spec.accumulate ? Access::ReadWrite : Access::Write, "c"));
      break;
    case GemmArgument::GlobalA:
      arguments.push_back(KernelArgument::input(&a.data.global, 4, "global_a"));
      break;
    case GemmArgument::GlobalB:
      arguments.push_back(KernelArgument::input(&b.data.global, 4, "global_b"));
      break;
    case GemmArgument::M:
      arguments.push_back(KernelArgument::scalar(int32_t(m)));
      break;
    case GemmArgument::N:
      arguments.push_back(KernelArgument::scalar(int32_t(n)));
      break;
    case GemmArgument::DepthTiles:
      arguments.push_back(KernelArgument::scalar(int32_t(info.depthTiles(paddedK))));
      break;
    case GemmArgument::Alpha:
      arguments.push_back(KernelArgument::scalar(alpha));
      break;
    }
  std::array<int64_t, 3> grid = info.grid(m, n, batch);
  emulator::LaunchOptions options;
  options.requireOutputsWritten = !spec.accumulate;
  options.seed = scheduleSeed;
  auto stats =
      kernel.module->launch(info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
                            {info.threads, 1, 1}, info.dynamicSharedBytes, arguments, options);
  if (!stats) {
    ADD_FAILURE() << llvm::toString(stats.takeError());
    return run;
  }
  run.stats = *stats;
  for (size_t i = 0; i < count; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, &c[i * elementBytes], elementBytes);
    run.result.push_back(isNarrow ? widenBF16(bits) : numerics::floatOf(bits));
  }
  return run;
}

std::vector<numerics::GemmBound> ufp4::testing::exactGemm(const Operand &a, const Operand &b,
                                                          const std::vector<float> &c0) {
  EXPECT_EQ(numerics::verifyOperands(a.scheme, a.shape, b.scheme, b.shape), std::nullopt);
  std::vector<numerics::GemmBound> exact(a.shape.g * a.shape.r * b.shape.r);
  numerics::gemmExact(a.view(), b.view(), c0.empty() ? nullptr : c0.data(), exact.data());
  return exact;
}

void ufp4::testing::expectConforms(const GemmKernelSpec &spec, const GemmRun &run,
                                   const std::vector<numerics::GemmBound> &exact) {
  ASSERT_EQ(run.result.size(), exact.size());
  for (size_t i = 0; i < exact.size(); ++i)
    ASSERT_EQ(numerics::checkBound(exact[i], run.result[i], spec.result),
              numerics::Conformance::Conforms)
        << "element " << i << ": " << run.result[i] << " for " << exact[i].exact;
}

void ufp4::testing::expectEqual(const GemmRun &run, const std::vector<numerics::GemmBound> &exact) {
  ASSERT_EQ(run.result.size(), exact.size());
  for (size_t i = 0; i < exact.size(); ++i)
    ASSERT_EQ(run.result[i], exact[i].exact) << "element " << i;
}
