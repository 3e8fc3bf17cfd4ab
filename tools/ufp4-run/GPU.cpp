//===- GPU.cpp - GPUs, emulated, as targets of ufp4-run -------------------===//

#include "GPU.h"

#include "ufp4/Conversion/UFP4ToGPU/GemmKernel.h"
#include "ufp4/Execution/Emulator/Emulator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace mlir;
using ufp4::emulator::KernelArgument;
using llvm::Expected;

namespace ufp4::run {
namespace {

llvm::Error fail(const llvm::Twine &message) {
  return llvm::createStringError(std::errc::invalid_argument, "%s", message.str().c_str());
}

/// A GEMM kernel in the emulator: one per scheme serves every size.
class EmulatedGemm {
public:
  static Expected<std::unique_ptr<EmulatedGemm>>
  create(MLIRContext &context, const target::Chip &chip, const numerics::Scheme &scheme) {
    loadKernelDialects(context);
    GemmKernelSpec spec;
    spec.chip = &chip;
    spec.scheme = scheme;
    OpBuilder builder(&context);
    OwningOpRef<gpu::GPUModuleOp> module(
        gpu::GPUModuleOp::create(builder, builder.getUnknownLoc(), "kernels"));
    builder.setInsertionPointToStart(module->getBody());
    FailureOr<KernelInfo> info = buildGemmKernel(builder, builder.getUnknownLoc(), spec);
    if (failed(info))
      return fail("no GEMM kernel for " + chip.name);
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    std::unique_ptr<llvm::Module> code = translateKernelModule(*module, *llvmContext, chip);
    if (!code)
      return fail("the GEMM kernel cannot be translated for " + chip.name);
    emulator::EmulatorTarget target;
    target.chip = chip.name.str();
    auto emulated =
        emulator::EmulatedModule::create(std::move(code), std::move(llvmContext), target);
    if (!emulated)
      return emulated.takeError();
    return std::unique_ptr<EmulatedGemm>(new EmulatedGemm(std::move(*info), std::move(*emulated)));
  }

  Expected<std::vector<float>> run(const QuantizeRecord &lhs, const QuantizeRecord &rhs) {
    numerics::ViewShape a = lhs.viewShape(), b = rhs.viewShape();
    int64_t paddedK = numerics::paddedK(lhs.site.scheme, a.k);
    if (std::optional<std::string> refusal = info.verifySizes(a.r, b.r, paddedK, a.g))
      return fail(*refusal);
    std::vector<float> result(a.g * a.r * b.r);
    std::array<int64_t, 3> grid = info.grid(a.r, b.r, a.g);
    if (!grid[0] || !grid[1] || !grid[2])
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
    emulator::LaunchOptions options;
    options.requireOutputsWritten = true;
    auto stats =
        module->launch(info.name, {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])},
                       {info.threads, 1, 1}, info.dynamicSharedBytes, arguments, options);
    if (!stats)
      return stats.takeError();
    return result;
  }

private:
  EmulatedGemm(KernelInfo info, std::unique_ptr<emulator::EmulatedModule> module)
      : info(std::move(info)), module(std::move(module)) {}

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
  // Kernels differ by what numerics::name and the numbers of a scheme say.
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
