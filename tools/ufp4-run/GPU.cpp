//===- GPU.cpp - GPUs, emulated, as targets of ufp4-run -------------------===//

#include "GPU.h"

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Conversion/UFP4ToGPU/QuantizeKernel.h"
#include "ufp4/Execution/Emulator/Emulator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using llvm::Expected;
using ufp4::emulator::KernelArgument;

namespace ufp4::run {
namespace {

llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", message.str().c_str());
}

/// Builds kernels into a module and loads it into the emulator.
Expected<std::unique_ptr<emulator::EmulatedModule>>
load(MLIRContext &context, const target::Chip &chip,
     llvm::function_ref<LogicalResult(OpBuilder &, Location)> build) {
  loadKernelDialects(context);
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<gpu::GPUModuleOp> module(gpu::GPUModuleOp::create(builder, loc, "kernels"));
  builder.setInsertionPointToStart(module->getBody());
  if (failed(build(builder, loc)))
    return fail("no kernel for " + chip.name);
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code = translateKernelModule(*module, *llvmContext, chip);
  if (!code)
    return fail("the kernel cannot be translated for " + chip.name);
  emulator::EmulatorTarget target;
  target.chip = chip.name.str();
  return emulator::EmulatedModule::create(std::move(code), std::move(llvmContext), target);
}

llvm::Error launch(emulator::EmulatedModule &module, llvm::StringRef kernel,
                   std::array<int64_t, 3> grid, unsigned threads, unsigned sharedBytes,
                   llvm::ArrayRef<KernelArgument> arguments) {
  emulator::LaunchOptions options;
  options.requireOutputsWritten = true;
  return module
      .launch(kernel, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])}, {threads, 1, 1},
              sharedBytes, arguments, options)
      .takeError();
}

bool isEmpty(std::array<int64_t, 3> grid) { return !grid[0] || !grid[1] || !grid[2]; }

/// A quantize kernel, and where scales ask for it the kernel of the tensor's maximum.
class EmulatedQuantize {
public:
  static Expected<std::unique_ptr<EmulatedQuantize>>
  create(MLIRContext &context, const target::Chip &chip, const QuantizeRecord &record) {
    QuantizeKernelSpec spec;
    spec.chip = &chip;
    spec.scheme = record.site.scheme;
    spec.element = getElement(record);
    spec.storage = &target::naturalStorage();
    spec.randomBits = record.site.bits;
    std::unique_ptr<EmulatedQuantize> kernel(new EmulatedQuantize);
    auto module = load(context, chip, [&](OpBuilder &builder, Location loc) -> LogicalResult {
      FailureOr<QuantizeKernelInfo> info = buildQuantizeKernel(builder, loc, spec);
      if (failed(info))
        return failure();
      kernel->info = std::move(*info);
      if (spec.scheme.scale != numerics::ScaleKind::UE4M3)
        return success();
      FailureOr<QuantizeKernelInfo> amax = buildAmaxKernel(builder, loc, spec);
      if (failed(amax))
        return failure();
      kernel->amax = std::move(*amax);
      return success();
    });
    if (!module)
      return module.takeError();
    kernel->module = std::move(*module);
    return kernel;
  }

  Expected<numerics::Quantized> run(const QuantizeRecord &record) {
    const numerics::Scheme &scheme = record.site.scheme;
    numerics::ViewShape shape = record.viewShape();
    auto planes = target::naturalStorage().buffers({scheme, shape});
    std::vector<uint8_t> codes(planes[target::codesPlane].bytes),
        scales(planes[target::scalesPlane].bytes);
    float maximum = 0;
    numerics::Quantized result;
    auto runKernel = [&](const QuantizeKernelInfo &kernel) -> llvm::Error {
      if (std::optional<std::string> refusal = kernel.verifySizes(shape))
        return fail(*refusal);
      std::vector<KernelArgument> arguments;
      for (QuantizeArgument argument : kernel.arguments)
        arguments.push_back([&] {
          auto output = [](std::vector<uint8_t> &bytes, const char *name) {
            return KernelArgument::buffer(bytes.data(), bytes.size(), emulator::Access::Write,
                                          name);
          };
          switch (argument) {
          case QuantizeArgument::Input:
            return KernelArgument::input(record.input.data.data(), record.input.data.size(),
                                         "input");
          case QuantizeArgument::Codes:
            return output(codes, "codes");
          case QuantizeArgument::Scales:
            return output(scales, "scales");
          case QuantizeArgument::Amax:
            return KernelArgument::buffer(
                &maximum, sizeof(float),
                kernel.storage ? emulator::Access::Read : emulator::Access::ReadWrite, "amax");
          case QuantizeArgument::Global:
            return KernelArgument::buffer(&result.global, sizeof(float), emulator::Access::Write,
                                          "global");
          case QuantizeArgument::Rows:
            return KernelArgument::scalar(int32_t(shape.g ? shape.r : 0));
          case QuantizeArgument::Depth:
            return KernelArgument::scalar(int32_t(shape.k));
          case QuantizeArgument::Seed:
            return KernelArgument::scalar(record.seed);
          case QuantizeArgument::Step:
            return KernelArgument::scalar(record.step);
          case QuantizeArgument::Stream:
            return KernelArgument::scalar(record.site.stream);
          }
          llvm_unreachable("closed set");
        }());
      if (isEmpty(kernel.grid(shape)))
        return llvm::Error::success();
      return launch(*module, kernel.name, kernel.grid(shape), kernel.threads, 0, arguments);
    };
    if (amax)
      if (llvm::Error error = runKernel(*amax))
        return std::move(error);
    if (llvm::Error error = runKernel(info))
      return std::move(error);
    result.codes.resize(numerics::codeCount(scheme, shape));
    numerics::unpackCodes(codes.data(), result.codes.size(), result.codes.data());
    if (scheme.scale == numerics::ScaleKind::F32) {
      result.scalesF32.resize(scales.size() / sizeof(float));
      std::copy(scales.begin(), scales.end(), reinterpret_cast<uint8_t *>(result.scalesF32.data()));
    } else {
      result.scaleBytes = std::move(scales);
    }
    return result;
  }

  static numerics::Element getElement(const QuantizeRecord &record) {
    switch (record.input.type) {
    case ElementType::F32:
      return numerics::Element::F32;
    case ElementType::F16:
      return numerics::Element::F16;
    default:
      return numerics::Element::BF16;
    }
  }

private:
  QuantizeKernelInfo info;
  std::optional<QuantizeKernelInfo> amax;
  std::unique_ptr<emulator::EmulatedModule> module;
};

/// A GEMM kernel in the emulator: one per scheme serves every size.
class EmulatedGemm {
public:
  static Expected<std::unique_ptr<EmulatedGemm>>
  create(MLIRContext &context, const target::Chip &chip, const numerics::Scheme &scheme) {
    GemmKernelSpec spec;
    spec.chip = &chip;
    spec.scheme = scheme;
    std::unique_ptr<EmulatedGemm> kernel(new EmulatedGemm);
    auto module = load(context, chip, [&](OpBuilder &builder, Location loc) -> LogicalResult {
      FailureOr<KernelInfo> info = buildGemmKernel(builder, loc, spec);
      if (failed(info))
        return failure();
      kernel->info = std::move(*info);
      return success();
    });
    if (!module)
      return module.takeError();
    kernel->module = std::move(*module);
    return kernel;
  }

  Expected<std::vector<float>> run(const QuantizeRecord &lhs, const QuantizeRecord &rhs) {
    numerics::ViewShape a = lhs.viewShape(), b = rhs.viewShape();
    int64_t paddedK = numerics::paddedK(lhs.site.scheme, a.k);
    if (std::optional<std::string> refusal = info.verifySizes(a.r, b.r, paddedK, a.g))
      return fail(*refusal);
    std::vector<float> result(a.g * a.r * b.r);
    std::array<int64_t, 3> grid = info.grid(a.r, b.r, a.g);
    if (isEmpty(grid))
      return result;
    auto packedA = pack(lhs), packedB = pack(rhs);
    float globals[2] = {lhs.global.value_or(0), rhs.global.value_or(0)};
    std::vector<KernelArgument> arguments;
    for (GemmArgument argument : info.arguments)
      arguments.push_back([&] {
        auto input = [](const std::vector<uint8_t> &bytes, const char *name) {
          return KernelArgument::input(bytes.data(), bytes.size(), name);
        };
        switch (argument) {
        case GemmArgument::CodesA:
          return input(packedA[target::codesPlane], "codes of the lhs");
        case GemmArgument::ScalesA:
          return input(packedA[target::scalesPlane], "scales of the lhs");
        case GemmArgument::CodesB:
          return input(packedB[target::codesPlane], "codes of the rhs");
        case GemmArgument::ScalesB:
          return input(packedB[target::scalesPlane], "scales of the rhs");
        case GemmArgument::Result:
          return KernelArgument::buffer(result.data(), result.size() * sizeof(float),
                                        emulator::Access::Write, "result");
        case GemmArgument::GlobalA:
          return KernelArgument::input(&globals[0], sizeof(float), "scale of the lhs");
        case GemmArgument::GlobalB:
          return KernelArgument::input(&globals[1], sizeof(float), "scale of the rhs");
        case GemmArgument::M:
          return KernelArgument::scalar(int32_t(a.r));
        case GemmArgument::N:
          return KernelArgument::scalar(int32_t(b.r));
        case GemmArgument::DepthTiles:
          return KernelArgument::scalar(int32_t(info.depthTiles(paddedK)));
        case GemmArgument::Alpha:
          return KernelArgument::scalar(1.0f);
        }
        llvm_unreachable("closed set");
      }());
    if (llvm::Error error =
            launch(*module, info.name, grid, info.threads, info.dynamicSharedBytes, arguments))
      return std::move(error);
    return result;
  }

private:
  std::vector<std::vector<uint8_t>> pack(const QuantizeRecord &record) const {
    return target::packOperand(*info.storage, {record.site.scheme, record.viewShape()},
                               record.codes.as<uint8_t>(), record.scales.data.data());
  }

  KernelInfo info;
  std::unique_ptr<emulator::EmulatedModule> module;
};

} // namespace

ReplayKernels emulatedReplayKernels(MLIRContext &context, const target::Chip &chip) {
  ReplayKernels kernels;
  using QuantizeKey = std::tuple<std::string, numerics::Element, unsigned>;
  kernels.quantize =
      [&context, &chip,
       made = std::make_shared<std::map<QuantizeKey, std::unique_ptr<EmulatedQuantize>>>()](
          const QuantizeRecord &record) -> Expected<std::optional<numerics::Quantized>> {
    if (record.site.scheme.blockRows != 1)
      return std::nullopt;
    std::string scheme = llvm::formatv("{0}", llvm::json::Value(toJSON(record.site.scheme)));
    std::unique_ptr<EmulatedQuantize> &kernel =
        (*made)[{scheme, EmulatedQuantize::getElement(record), record.site.bits}];
    if (!kernel) {
      auto created = EmulatedQuantize::create(context, chip, record);
      if (!created)
        return created.takeError();
      kernel = std::move(*created);
    }
    Expected<numerics::Quantized> result = kernel->run(record);
    if (!result)
      return result.takeError();
    return std::move(*result);
  };
  // A GEMM does not see rotations and rows of blocks.
  using Key = std::tuple<numerics::Format, unsigned, numerics::ScaleKind>;
  kernels.gemm =
      [&context, &chip, made = std::make_shared<std::map<Key, std::unique_ptr<EmulatedGemm>>>()](
          const QuantizeRecord &lhs, const QuantizeRecord &rhs) -> Expected<std::vector<float>> {
    const numerics::Scheme &scheme = lhs.site.scheme;
    std::unique_ptr<EmulatedGemm> &kernel = (*made)[{scheme.format, scheme.block, scheme.scale}];
    if (!kernel) {
      auto created = EmulatedGemm::create(context, chip, scheme);
      if (!created)
        return created.takeError();
      kernel = std::move(*created);
    }
    return kernel->run(lhs, rhs);
  };
  return kernels;
}

} // namespace ufp4::run
