//===- GPU.cpp - Kernels of emulated GPUs, judged on a dump ---------------===//

#include "GPU.h"

#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Driver/Kernels.h"
#include "ufp4/Support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using llvm::Expected;

namespace ufp4::run {
namespace {

/// Kernels, built into one module, on their device.
class KernelLoader {
public:
  KernelLoader(MLIRContext &context, const target::Chip &chip) : chip(chip), builder(&context) {
    loadKernelDialects(context);
    module = gpu::GPUModuleOp::create(builder, builder.getUnknownLoc(), "kernels");
    builder.setInsertionPointToStart(module->getBody());
  }

  template <typename Spec, typename Build> auto add(const Spec &spec, Build build) {
    auto info = build(builder, builder.getUnknownLoc(), spec);
    if (succeeded(info))
      entries.push_back(describeKernel(spec, *info));
    return info;
  }

  Expected<std::unique_ptr<EmulatedDevice>> load() {
    return loadKernels(*module, chip, std::move(entries));
  }

private:
  const target::Chip &chip;
  OpBuilder builder;
  OwningOpRef<gpu::GPUModuleOp> module;
  std::vector<target::KernelEntry> entries;
};

LaunchValues::Buffer bufferOf(const std::vector<uint8_t> &bytes) {
  return {const_cast<uint8_t *>(bytes.data()), bytes.size()};
}
LaunchValues::Buffer bufferOf(const float &number) {
  return {const_cast<float *>(&number), sizeof(float)};
}

/// A quantize kernel, and where scales ask for it the kernel of the tensor's maximum.
class EmulatedQuantize {
public:
  static Expected<std::unique_ptr<EmulatedQuantize>>
  create(MLIRContext &context, const target::Chip &chip, const QuantizeRecord &record) {
    QuantizeKernelSpec spec;
    spec.chip = &chip;
    spec.element = record.element();
    spec.inner =
        QuantizeDestination{record.site.scheme, &target::naturalStorage(), record.site.bits};
    std::unique_ptr<EmulatedQuantize> kernel(new EmulatedQuantize);
    KernelLoader loader(context, chip);
    FailureOr<QuantizeKernelInfo> info = loader.add(spec, buildQuantizeKernel);
    if (failed(info))
      return fail("no quantize kernel for " + chip.name);
    kernel->info = std::move(*info);
    if (record.site.scheme.scale == numerics::ScaleKind::UE4M3) {
      info = loader.add(spec, buildAmaxKernel);
      if (failed(info))
        return fail("no amax kernel for " + chip.name);
      kernel->amax = info->name;
    }
    auto device = loader.load();
    if (!device)
      return device.takeError();
    kernel->device = std::move(*device);
    return kernel;
  }

  Expected<numerics::Quantized> run(const QuantizeRecord &record) {
    const numerics::Scheme &scheme = record.site.scheme;
    numerics::ViewShape shape = record.viewShape();
    if (std::optional<std::string> refusal = info.verifySizes({shape.g, shape.r, shape.k}))
      return fail(*refusal);
    auto planes = target::naturalStorage().buffers({scheme, shape});
    std::vector<uint8_t> codes(planes[target::codesPlane].bytes),
        scales(planes[target::scalesPlane].bytes);
    float maximum = 0;
    numerics::Quantized result;
    LaunchValues values;
    values.extents = {{"g", shape.g}, {"outer", shape.r}, {"inner", shape.k}};
    values.scalars = {{"stride(input, 0)", shape.r * shape.k},
                      {"stride(input, 1)", shape.k},
                      {"seed_inner", int64_t(record.seed)},
                      {"step_inner", record.step},
                      {"stream_inner", record.site.stream}};
    const auto &input = record.input.data;
    values.buffers = {{"input", {const_cast<char *>(input.data()), input.size()}},
                      {"codes_inner", bufferOf(codes)},
                      {"scales_inner", bufferOf(scales)},
                      {"amax_inner", bufferOf(maximum)},
                      {"global_inner", bufferOf(result.global)}};
    if (!amax.empty())
      if (llvm::Error error = device->launch(amax, values))
        return std::move(error);
    if (llvm::Error error = device->launch(info.name, values))
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

private:
  QuantizeKernelInfo info;
  std::string amax;
  std::unique_ptr<EmulatedDevice> device;
};

/// A GEMM kernel: one per scheme serves every size.
class EmulatedGemm {
public:
  static Expected<std::unique_ptr<EmulatedGemm>> create(MLIRContext &context,
                                                        const target::Chip &chip,
                                                        const numerics::Scheme &scheme,
                                                        std::optional<target::Path> e1m2) {
    GemmKernelSpec spec;
    spec.chip = &chip;
    spec.scheme = scheme;
    std::unique_ptr<EmulatedGemm> kernel(new EmulatedGemm);
    target::GemmChoice choice = target::chooseSchedules(
        chip, scheme, scheme.format == numerics::Format::E1M2 ? e1m2 : std::nullopt,
        /*canRewrite=*/true);
    if (!choice.schedule)
      return fail("no GEMM kernel for " + chip.name + ": " + choice.why);
    spec.schedule = *choice.schedule;
    KernelLoader loader(context, chip);
    FailureOr<KernelInfo> info = loader.add(spec, buildGemmKernel);
    if (failed(info))
      return fail("no GEMM kernel for " + chip.name);
    kernel->info = std::move(*info);
    auto device = loader.load();
    if (!device)
      return device.takeError();
    kernel->device = std::move(*device);
    return kernel;
  }

  Expected<std::vector<float>> run(const QuantizeRecord &lhs, const QuantizeRecord &rhs) {
    numerics::ViewShape a = lhs.viewShape(), b = rhs.viewShape();
    int64_t paddedK = numerics::paddedK(lhs.site.scheme, a.k);
    if (std::optional<std::string> refusal = info.verifySizes(a.r, b.r, paddedK, a.g))
      return fail(*refusal);
    std::vector<float> result(a.g * a.r * b.r);
    auto packedA = pack(lhs), packedB = pack(rhs);
    float globals[2] = {lhs.global.value_or(0), rhs.global.value_or(0)};
    LaunchValues values;
    values.extents = {{"g", a.g}, {"m", a.r}, {"n", b.r}, {"k", paddedK}};
    values.buffers = {{"codes_a", bufferOf(packedA[target::codesPlane])},
                      {"scales_a", bufferOf(packedA[target::scalesPlane])},
                      {"global_a", bufferOf(globals[0])},
                      {"codes_b", bufferOf(packedB[target::codesPlane])},
                      {"scales_b", bufferOf(packedB[target::scalesPlane])},
                      {"global_b", bufferOf(globals[1])},
                      {"result", {result.data(), result.size() * sizeof(float)}}};
    if (llvm::Error error = device->launch(info.name, values))
      return std::move(error);
    return result;
  }

private:
  std::vector<std::vector<uint8_t>> pack(const QuantizeRecord &record) const {
    return target::packOperand(*info.storage, {record.site.scheme, record.viewShape()},
                               record.codes.as<uint8_t>(), record.scales.data.data());
  }

  KernelInfo info;
  std::unique_ptr<EmulatedDevice> device;
};

/// The kernel of a key, made when it is first asked for.
template <typename Key, typename Kernel, typename Create>
Expected<Kernel *> getOrCreate(std::map<Key, std::unique_ptr<Kernel>> &made, const Key &key,
                               Create create) {
  std::unique_ptr<Kernel> &kernel = made[key];
  if (!kernel) {
    auto created = create();
    if (!created)
      return created.takeError();
    kernel = std::move(*created);
  }
  return kernel.get();
}

} // namespace

ReplayKernels emulatedReplayKernels(MLIRContext &context, const target::Chip &chip,
                                    StringRef e1m2) {
  ReplayKernels kernels;
  using QuantizeKey = std::tuple<std::string, numerics::Element, unsigned>;
  kernels.quantize =
      [&context, &chip,
       made = std::make_shared<std::map<QuantizeKey, std::unique_ptr<EmulatedQuantize>>>()](
          const QuantizeRecord &record) -> Expected<std::optional<numerics::Quantized>> {
    std::string scheme = llvm::formatv("{0}", llvm::json::Value(toJSON(record.site.scheme)));
    auto kernel = getOrCreate(*made, {scheme, record.element(), record.site.bits},
                              [&] { return EmulatedQuantize::create(context, chip, record); });
    if (!kernel)
      return kernel.takeError();
    Expected<numerics::Quantized> result = (*kernel)->run(record);
    if (!result)
      return result.takeError();
    return std::move(*result);
  };
  // A GEMM sees neither rotations nor rows of blocks.
  using GemmKey = std::tuple<numerics::Format, unsigned, numerics::ScaleKind>;
  kernels.gemm = [&context, &chip, path = target::parsePath(e1m2),
                  made = std::make_shared<std::map<GemmKey, std::unique_ptr<EmulatedGemm>>>()](
                     const QuantizeRecord &lhs,
                     const QuantizeRecord &rhs) -> Expected<std::vector<float>> {
    const numerics::Scheme &scheme = lhs.site.scheme;
    auto kernel = getOrCreate(*made, {scheme.format, scheme.block, scheme.scale},
                              [&] { return EmulatedGemm::create(context, chip, scheme, path); });
    if (!kernel)
      return kernel.takeError();
    return (*kernel)->run(lhs, rhs);
  };
  return kernels;
}

} // namespace ufp4::run
