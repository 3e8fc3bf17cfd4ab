//===- Harness.cpp - Kernels in the emulator ------------------------------===//

#include "Harness.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"

#include "llvm/IR/InstIterator.h"

#include <cmath>
#include <cstring>

using namespace ufp4;
using namespace ufp4::testing;
using numerics::ScaleKind;

std::unique_ptr<llvm::Module> ufp4::testing::translateKernels(const target::Chip &chip,
                                                              llvm::LLVMContext &context,
                                                              BuildKernels build) {
  mlir::MLIRContext ir(mlir::MLIRContext::Threading::DISABLED);
  loadKernelDialects(ir);
  mlir::OpBuilder b(&ir);
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module(
      mlir::gpu::GPUModuleOp::create(b, b.getUnknownLoc(), "kernels"));
  b.setInsertionPointToEnd(module->getBody());
  if (failed(build(b, b.getUnknownLoc()))) {
    ADD_FAILURE() << "a kernel was refused";
    return nullptr;
  }
  std::unique_ptr<llvm::Module> translated = translateKernelModule(*module, context, chip);
  if (!translated)
    ADD_FAILURE() << "translation failed";
  return translated;
}

std::unique_ptr<emulator::EmulatedModule>
ufp4::testing::loadKernels(const target::Chip &chip, BuildKernels build,
                           llvm::function_ref<void(llvm::Module &)> edit) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated = translateKernels(chip, *context, build);
  if (!translated)
    return nullptr;
  if (edit)
    edit(*translated);
  emulator::EmulatorTarget target;
  target.chip = chip.name.str();
  target.warpSize = chip.waveSize;
  auto emulated =
      emulator::EmulatedModule::create(std::move(translated), std::move(context), target);
  if (emulated)
    return std::move(*emulated);
  ADD_FAILURE() << llvm::toString(emulated.takeError());
  return nullptr;
}

/// Builds one GEMM kernel.
static auto builderOf(const GemmKernelSpec &spec, KernelInfo &info) {
  return [&](mlir::OpBuilder &b, mlir::Location loc) -> mlir::LogicalResult {
    mlir::FailureOr<KernelInfo> built = buildGemmKernel(b, loc, spec);
    if (succeeded(built))
      info = *built;
    return built;
  };
}

std::unique_ptr<llvm::Module> ufp4::testing::translateKernel(const GemmKernelSpec &spec,
                                                             llvm::LLVMContext &context,
                                                             KernelInfo &info) {
  return translateKernels(*spec.chip, context, builderOf(spec, info));
}

LoadedKernel ufp4::testing::loadKernel(const GemmKernelSpec &spec,
                                       llvm::function_ref<void(llvm::Module &)> edit) {
  LoadedKernel loaded;
  loaded.module = loadKernels(*spec.chip, builderOf(spec, loaded.info), edit);
  return loaded;
}

std::optional<AssembledKernel> ufp4::testing::assembleKernel(const GemmKernelSpec &spec) {
  AssembledKernel assembled;
  auto fail = [](llvm::Error error) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return std::nullopt;
  };
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateKernel(spec, context, assembled.info);
  if (!module)
    return std::nullopt;
  auto ptx = target::emitPTX(*module, *spec.chip);
  if (!ptx)
    return fail(ptx.takeError());
  EXPECT_EQ(ptx->kernels, std::vector<std::string>{assembled.info.name});
  auto cubin = target::assemble(ptx->text, *spec.chip);
  if (!cubin)
    return fail(cubin.takeError());
  assembled.usage = cubin->kernels.front();
  const target::KernelUsage &usage = assembled.usage;
  EXPECT_EQ(usage.spillStoreBytes + usage.spillLoadBytes + usage.stackBytes, 0u);
  EXPECT_GE(usage.registers, assembled.info.schedule.registers());
  auto marked = target::findMarkedKernels(*module);
  if (!marked)
    return fail(marked.takeError());
  EXPECT_EQ(marked->size(), assembled.info.schedule.mma->needsRewrite() ? 1u : 0u);
  if (!marked->empty())
    EXPECT_EQ(llvm::toString(target::rewriteCubin(cubin->bytes, *spec.chip, *marked)), "");
  auto summary = target::readCubin(cubin->bytes);
  if (!summary)
    return fail(summary.takeError());
  assembled.code = *summary->find(assembled.info.name);
  assembled.ptx = std::move(*ptx);
  assembled.cubin = std::move(*cubin);
  return assembled;
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
  bool isRandom = scales == Scales::Random;
  for (int64_t i = 0; i < count; ++i) {
    int64_t row = i / perRow, block = i % perRow;
    unsigned integer = 1 + (row * 5 + block * 11 + seed) % 31;
    unsigned exponent = scales == Scales::Powers ? random() % 3 : integer % 4;
    switch (scheme.scale) {
    case ScaleKind::F32:
      data.scalesF32.push_back(isRandom ? std::ldexp(1 + random() * 0x1p-32f, int(random() % 9) - 4)
                               : scales == Scales::Powers ? std::ldexp(1.0f, exponent)
                                                          : float(integer));
      break;
    case ScaleKind::UE4M3: {
      // Integers up to 15 are E4M3 values.
      float value = scales == Scales::Powers ? std::ldexp(1.0f, exponent) : 1 + integer % 15;
      data.scaleBytes.push_back(isRandom ? 1 + random() % 126 : numerics::encodeUE4M3(value));
      break;
    }
    case ScaleKind::UE8M0:
      data.scaleBytes.push_back(isRandom ? 117 + random() % 20 : 127 + exponent);
      break;
    }
  }
  if (scheme.scale == ScaleKind::UE4M3)
    data.global = !isRandom ? 1 : 1 + random() * 0x1p-32f;
  return operand;
}

std::vector<float> ufp4::testing::makeBias(int64_t n) {
  std::vector<float> bias;
  for (int64_t i = 0; i < n; ++i)
    bias.push_back(float(i * 37 % 251 - 125));
  return bias;
}

GemmRun ufp4::testing::runGemm(LoadedKernel &kernel, const GemmKernelSpec &spec, const Operand &a,
                               const Operand &b, const GemmInputs &inputs) {
  auto pack = [&](const Operand &operand) {
    return target::packOperand(*kernel.info.storage, {operand.scheme, operand.shape},
                               operand.data.codes.data(), operand.data.scales());
  };
  llvm::Expected<GemmRun> run = launchGemm(kernel, spec, a, b, pack(a), pack(b), inputs);
  if (run)
    return std::move(*run);
  ADD_FAILURE() << llvm::toString(run.takeError());
  return {};
}

llvm::Expected<GemmRun> ufp4::testing::launchGemm(LoadedKernel &kernel, const GemmKernelSpec &spec,
                                                  const Operand &a, const Operand &b,
                                                  const Planes &packedA, const Planes &packedB,
                                                  const GemmInputs &inputs) {
  using emulator::Access;
  using emulator::KernelArgument;
  GemmRun run;
  const KernelInfo &info = kernel.info;
  int64_t m = a.shape.r, n = b.shape.r, batch = a.shape.g;
  int64_t paddedK = numerics::paddedK(a.scheme, a.shape.k);
  EXPECT_EQ(info.verifySizes(m, n, paddedK, batch), std::nullopt);
  std::array<int64_t, 3> grid = info.grid(m, n, batch);
  if (!grid[0] || !grid[1] || !grid[2])
    return run;
  bool isNarrow = spec.result == numerics::Element::BF16;
  size_t count = batch * m * n, elementBytes = isNarrow ? 2 : 4;
  // A byte that the kernel leaves alone reads as part of a NaN.
  std::vector<uint8_t> c(count * elementBytes, 0xFF);
  if (spec.accumulate)
    std::memcpy(c.data(), inputs.c0.data(), c.size());
  std::vector<uint8_t> bias;
  for (float value : inputs.bias) {
    uint32_t bits = numerics::bitsOf(value);
    if (*spec.bias == numerics::Element::BF16)
      bits = numerics::f32ToBF16(value);
    for (unsigned i = 0; i < numerics::elementBytes(*spec.bias); ++i)
      bias.push_back(bits >> 8 * i);
  }
  // What the manifest tells a launcher to allocate.
  target::KernelEntry entry = describeKernel(spec, info);
  const std::map<std::string, int64_t> extents = {{"g", batch}, {"m", m}, {"n", n}, {"k", paddedK}};
  for (auto [planes, names] : {std::pair(&packedA, std::array{"codes_a", "scales_a"}),
                               {&packedB, std::array{"codes_b", "scales_b"}}})
    for (auto [plane, name] : llvm::zip(*planes, names)) {
      if (!info.storage->hasScales() && plane.empty())
        continue;
      llvm::Expected<int64_t> bytes = target::getBytes(entry, name, extents);
      if (!bytes)
        return bytes.takeError();
      EXPECT_EQ(*bytes, int64_t(plane.size())) << name;
    }
  // Buffers end where the storage ends, so an access past it is a fault.
  auto input = [](const std::vector<uint8_t> &bytes, const char *name) {
    return KernelArgument::input(bytes.data(), bytes.size(), name);
  };
  auto codes = [&](GemmArgument argument, const Planes &planes, int64_t rows) {
    const std::vector<uint8_t> &bytes = planes[target::codesPlane];
    if (!isTensorMap(info, argument))
      return input(bytes, stringify(argument).data());
    target::TensorBox box = *info.schedule.transport->codesBox();
    emulator::TensorMap map;
    map.pointer = bytes.data();
    map.size = bytes.size();
    map.width = map.pitch = paddedK / 2;
    map.height = batch * rows;
    map.boxWidth = box.bytes;
    map.boxHeight = box.rows;
    map.rowStep = box.rowStep;
    map.swizzle = inputs.swizzle.value_or(box.swizzle);
    return KernelArgument::tensorMap(map, stringify(argument).str());
  };
  std::vector<KernelArgument> arguments;
  for (GemmArgument argument : info.arguments)
    switch (argument) {
    case GemmArgument::CodesA:
      arguments.push_back(codes(argument, packedA, m));
      break;
    case GemmArgument::ScalesA:
      arguments.push_back(input(packedA[target::scalesPlane], "scales_a"));
      break;
    case GemmArgument::CodesB:
      arguments.push_back(codes(argument, packedB, n));
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
    case GemmArgument::Bias:
      arguments.push_back(input(bias, "bias"));
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
    case GemmArgument::Depth:
      arguments.push_back(KernelArgument::scalar(int32_t(paddedK)));
      break;
    case GemmArgument::Groups:
    case GemmArgument::GroupCount:
      llvm_unreachable("kernels of groups are launched by their entries");
    case GemmArgument::Alpha:
      arguments.push_back(KernelArgument::scalar(inputs.alpha));
      break;
    }
  emulator::LaunchOptions options;
  options.requireOutputsWritten = !spec.accumulate;
  options.seed = inputs.scheduleSeed;
  options.takeover = inputs.takeover;
  options.cluster = inputs.cluster;
  options.memoryStatistics = inputs.memoryStatistics;
  auto stats =
      kernel.module->launch(info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
                            {info.threads, 1, 1}, info.dynamicSharedBytes, arguments, options);
  if (!stats)
    return stats.takeError();
  run.stats = *stats;
  for (size_t i = 0; i < count; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, &c[i * elementBytes], elementBytes);
    run.result.push_back(isNarrow ? numerics::bf16ToF32(bits) : numerics::floatOf(bits));
  }
  return run;
}

std::vector<numerics::GemmBound> ufp4::testing::exactGemm(const Operand &a, const Operand &b,
                                                          const GemmInputs &inputs) {
  EXPECT_EQ(numerics::verifyOperands(a.scheme, a.shape, b.scheme, b.shape), std::nullopt);
  std::vector<numerics::GemmBound> exact(a.shape.g * a.shape.r * b.shape.r);
  numerics::gemmExact(a.view(), b.view(), nullptr, exact.data());
  for (size_t i = 0; i < exact.size(); ++i) {
    exact[i].exact *= inputs.alpha;
    exact[i].magnitude *= std::abs(inputs.alpha);
    for (double addend : {inputs.bias.empty() ? 0.0 : inputs.bias[i % b.shape.r],
                          inputs.c0.empty() ? 0.0 : inputs.c0[i]}) {
      exact[i].exact += addend;
      exact[i].magnitude += std::abs(addend);
    }
  }
  return exact;
}

void ufp4::testing::expectConforms(const GemmKernelSpec &spec, const GemmRun &run,
                                   const std::vector<numerics::GemmBound> &exact) {
  ASSERT_EQ(run.result.size(), exact.size());
  std::vector<numerics::Conformance> verdicts(exact.size());
  numerics::checkBounds(exact.data(), run.result.data(), exact.size(), spec.result,
                        verdicts.data());
  for (size_t i = 0; i < exact.size(); ++i)
    ASSERT_EQ(verdicts[i], numerics::Conformance::Conforms)
        << "element " << i << ": " << run.result[i] << " for " << exact[i].exact;
}

void ufp4::testing::expectEqual(const GemmRun &run, const std::vector<numerics::GemmBound> &exact,
                                numerics::Element result) {
  ASSERT_EQ(run.result.size(), exact.size());
  for (size_t i = 0; i < exact.size(); ++i) {
    float expected = float(exact[i].exact);
    if (result == numerics::Element::BF16)
      expected = numerics::bf16ToF32(numerics::f32ToBF16(expected));
    ASSERT_EQ(run.result[i], expected) << "element " << i;
  }
}

void ufp4::testing::expectPoisonIsNotLost(const GemmKernelSpec &spec) {
  LoadedKernel kernel = loadKernel(spec);
  ASSERT_TRUE(kernel.module);
  constexpr int64_t k = 384;
  Operand a = makeOperand(spec.scheme, {1, 34, k}, Scales::Powers, 1);
  Operand b = makeOperand(spec.scheme, {1, 20, k}, Scales::Powers, 2);
  unsigned block = spec.scheme.block, perRow = k / block;
  uint8_t nan = spec.scheme.scale == ScaleKind::UE4M3 ? 0x7F : 0xFF;
  a.data.scaleBytes[33 * perRow + 1] = nan;
  b.data.scaleBytes[7 * perRow + 2] = nan;
  std::fill_n(a.data.codes.begin() + 33 * k + block, block, 0);
  std::fill_n(b.data.codes.begin() + 7 * k + 2 * block, block, 0);
  GemmRun run = runGemm(kernel, spec, a, b);
  ASSERT_EQ(run.result.size(), 34u * 20);
  for (int64_t m = 0; m < 34; ++m)
    for (int64_t n = 0; n < 20; ++n)
      EXPECT_EQ(std::isnan(run.result[m * 20 + n]), m == 33 || n == 7) << m << ' ' << n;
}

std::string ufp4::testing::outcomeOf(const GemmKernelSpec &spec, std::array<int64_t, 3> extents,
                                     llvm::function_ref<void(llvm::Module &)> edit,
                                     uint64_t scheduleSeed, std::optional<unsigned> swizzle,
                                     emulator::Takeover takeover) {
  LoadedKernel kernel = loadKernel(spec, edit);
  if (!kernel.module)
    return "not loaded";
  auto [m, n, k] = extents;
  Operand a = makeOperand(spec.scheme, {1, m, k}, Scales::Powers, 1);
  Operand b = makeOperand(spec.scheme, {1, n, k}, Scales::Powers, 2);
  auto pack = [&](const Operand &operand) {
    return target::packOperand(*kernel.info.storage, {operand.scheme, operand.shape},
                               operand.data.codes.data(), operand.data.scales());
  };
  GemmInputs inputs;
  inputs.scheduleSeed = scheduleSeed;
  inputs.swizzle = swizzle;
  inputs.takeover = takeover;
  inputs.memoryStatistics = false;
  llvm::Expected<GemmRun> run = launchGemm(kernel, spec, a, b, pack(a), pack(b), inputs);
  if (!run) {
    std::string kind;
    llvm::handleAllErrors(
        run.takeError(),
        [&](const emulator::EmulatorFault &fault) {
          kind = emulator::stringifyFaultKind(fault.kind).str();
        },
        [&](const llvm::ErrorInfoBase &error) { kind = error.message(); });
    return kind;
  }
  std::vector<numerics::GemmBound> exact = exactGemm(a, b);
  for (size_t i = 0; i < exact.size(); ++i)
    if (run->result[i] != exact[i].exact)
      return "differs";
  return "equal";
}

std::vector<llvm::CallInst *> ufp4::testing::callsOf(llvm::Module &module, llvm::StringRef prefix) {
  std::vector<llvm::CallInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(prefix))
          calls.push_back(call);
  EXPECT_FALSE(calls.empty()) << prefix.str();
  return calls;
}
