//===- DeviceCall.cpp - What custom calls compute, on a device ------------===//

#include "ufp4/Driver/DeviceCall.h"

#include "CallFunction.h"
#include "DevicePlan.h"

#include "ufp4-c/Launcher.h"
#include "ufp4/Conversion/UFP4ToGPU/KernelEntries.h"
#include "ufp4/Driver/Driver.h"
#include "ufp4/Driver/Kernels.h"
#include "ufp4/Numerics/FloatEnvironment.h"
#include "ufp4/Support/Error.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <functional>

using namespace mlir;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace ufp4 {

/// The launcher's last failure on this thread, unless there is none.
static Error check(UFP4Status status) { return status ? fail(ufp4LastError()) : Error::success(); }

/// What a call is on one device.
struct DeviceCalls::Program {
  std::once_flag compiled;
  DevicePlan plan;
  std::string problem;
};

/// A device and the kernels that were compiled for it.
class DeviceCalls::Kernels {
public:
  static Expected<std::unique_ptr<Kernels>> open(int ordinal);
  ~Kernels() {
    for (UFP4Artifact *artifact : artifacts)
      ufp4ArtifactClose(artifact);
    ufp4DeviceClose(device);
    ufp4DriverClose(driver);
  }

  std::shared_ptr<Program> get(const std::string &key) {
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<Program> &program = programs[key];
    if (!program)
      program = std::make_shared<Program>();
    return program;
  }

  /// Compiles the kernels of a module that were not before; the others are erased from it.
  Error add(gpu::GPUModuleOp module, target::Manifest manifest);

  /// Puts a plan's steps on a stream. `slots` are the values of the function's arguments.
  Error run(const DevicePlan &plan, std::vector<int64_t> slots, const DeviceStream &where);

  UFP4Driver *driver = nullptr;
  UFP4Device *device = nullptr;
  const target::Chip *chip = nullptr;

private:
  Error load(const target::Manifest &manifest, const KernelObjects &objects);

  int major = 0, minor = 0;
  std::vector<UFP4Artifact *> artifacts;
  /// Guards what follows; compiling has a lock of its own, so that calls go on meanwhile.
  std::mutex mutex, compiling;
  llvm::StringMap<const UFP4Kernel *> kernels;
  std::unordered_map<std::string, std::shared_ptr<Program>> programs;
};

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Expected<std::unique_ptr<DeviceCalls::Kernels>> DeviceCalls::Kernels::open(int ordinal) {
  auto kernels = std::make_unique<Kernels>();
  if (Error error = check(ufp4DriverOpen(UFP4_NVIDIA, nullptr, &kernels->driver)))
    return std::move(error);
  if (Error error = check(ufp4DeviceOpen(kernels->driver, ordinal, &kernels->device)))
    return std::move(error);
  if (Error error = check(ufp4DeviceCapability(kernels->device, &kernels->major, &kernels->minor)))
    return std::move(error);
  kernels->chip = target::findChip(kernels->major, kernels->minor);
  if (!kernels->chip)
    return fail("there are no kernels for a device of compute capability " + Twine(kernels->major) +
                "." + Twine(kernels->minor));
  return kernels;
}

Error DeviceCalls::Kernels::load(const target::Manifest &manifest, const KernelObjects &objects) {
  std::string text = llvm::formatv("{0}", target::toJSON(manifest));
  StringRef object = objects.assembly.text;
  if (objects.binary)
    object = {objects.binary->bytes.data(), objects.binary->bytes.size()};
  UFP4Artifact *artifact;
  if (Error error = check(ufp4ArtifactLoadBytes(device, text.data(), text.size(), object.data(),
                                                object.size(), &artifact)))
    return error;
  std::lock_guard<std::mutex> lock(mutex);
  artifacts.push_back(artifact);
  for (const target::KernelEntry &entry : manifest.kernels) {
    const UFP4Kernel *kernel;
    if (Error error = check(ufp4ArtifactFind(artifact, entry.name.c_str(), &kernel)))
      return error;
    kernels[entry.name] = kernel;
  }
  return Error::success();
}

Error DeviceCalls::Kernels::add(gpu::GPUModuleOp module, target::Manifest manifest) {
  std::lock_guard<std::mutex> lock(compiling);
  auto isKnown = [&](StringRef name) {
    std::lock_guard<std::mutex> lock(mutex);
    return kernels.count(name) != 0;
  };
  // A kernel's fallback and that of its canary are in its own artifact.
  llvm::StringSet<> needed;
  std::function<void(const target::KernelEntry &)> need = [&](const target::KernelEntry &entry) {
    if (!needed.insert(entry.name).second)
      return;
    if (const target::KernelEntry *fallback = manifest.find(entry.fallback))
      need(*fallback);
    for (const target::CanaryEntry &canary : manifest.canaries)
      if (canary.name == entry.canary)
        need(*manifest.find(canary.kernel));
  };
  for (const target::KernelEntry &entry : manifest.kernels)
    if (!isKnown(entry.name))
      need(entry);
  llvm::erase_if(manifest.kernels, [&](const target::KernelEntry &entry) {
    if (needed.contains(entry.name))
      return false;
    module.lookupSymbol(entry.name)->erase();
    return true;
  });
  llvm::erase_if(manifest.canaries, [&](const target::CanaryEntry &canary) {
    return !needed.contains(canary.kernel);
  });
  if (manifest.kernels.empty())
    return Error::success();
  // A binary of an earlier chip is of no use.
  bool toBinary = target::getFit(*chip, major, minor) == target::Fit::Binary;
  Expected<KernelObjects> objects = compileKernels(module, *chip, {}, toBinary);
  if (!objects)
    return objects.takeError();
  std::string folder = llvm::sys::Process::GetEnv("UFP4_DUMP_KERNELS").value_or("");
  if (folder.empty()) {
    describeObjects(manifest, *objects);
  } else {
    llvm::SmallString<256> path(folder);
    llvm::sys::path::append(path, manifest.kernels.front().name);
    Expected<OutputDirectory> out = OutputDirectory::create(path);
    if (!out)
      return out.takeError();
    if (Error error = writeKernels(*out, manifest, *objects))
      return error;
    if (Error error = out->commit(kKernelFiles))
      return error;
  }
  return load(manifest, *objects);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Error DeviceCalls::Kernels::run(const DevicePlan &plan, std::vector<int64_t> slots,
                                const DeviceStream &where) {
  for (int64_t bytes : plan.buffers) {
    // Folded operands have no scales, and no launch takes their buffer.
    void *buffer = bytes ? where.allocate(bytes) : nullptr;
    if (bytes && !buffer)
      return fail(Twine(bytes) + " bytes of the device's memory cannot be allocated");
    slots.push_back(reinterpret_cast<intptr_t>(buffer));
  }
  auto value = [&](const DevicePlan::Word &word) {
    return word.plus + (word.slot ? slots[*word.slot] : 0);
  };
  auto address = [&](const DevicePlan::Word &word) {
    return reinterpret_cast<void *>(intptr_t(value(word)));
  };
  for (const auto &step : plan.steps) {
    UFP4Status status;
    if (auto *launch = std::get_if<DevicePlan::Launch>(&step)) {
      const UFP4Kernel *kernel;
      {
        std::lock_guard<std::mutex> lock(mutex);
        kernel = kernels.lookup(launch->kernel);
      }
      std::vector<int64_t> words;
      for (const DevicePlan::Word &word : launch->arguments)
        words.push_back(value(word));
      // The low bytes come first, so a narrow number's address is that of its word.
      std::vector<void *> arguments;
      for (int64_t &word : words)
        arguments.push_back(&word);
      status = ufp4KernelLaunchGrid(kernel, launch->grid.data(), arguments.data(), where.stream);
    } else if (auto *fill = std::get_if<DevicePlan::Fill>(&step)) {
      status = ufp4DeviceFill(device, address(fill->to), fill->word, fill->words, where.stream);
    } else {
      const auto &copy = std::get<DevicePlan::Copy>(step);
      status =
          ufp4DeviceCopy(device, address(copy.to), address(copy.from), copy.bytes, where.stream);
    }
    if (Error error = check(status))
      return error;
  }
  return Error::success();
}

DeviceCalls::DeviceCalls(target::Vendor vendor) : vendor(vendor) {}
DeviceCalls::~DeviceCalls() = default;

Expected<DeviceCalls::Kernels *> DeviceCalls::getKernels(int ordinal) {
  if (vendor != target::Vendor::NVIDIA)
    return fail("there are no kernels for " + target::stringify(vendor) +
                "'s chips yet: run the step on the CPU or on another vendor's device");
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Kernels> &known = devices[ordinal];
  if (!known) {
    Expected<std::unique_ptr<Kernels>> opened = Kernels::open(ordinal);
    if (!opened)
      return opened.takeError();
    known = std::move(*opened);
  }
  return known.get();
}

Expected<std::shared_ptr<DeviceCalls::Program>>
DeviceCalls::getProgram(Kernels &kernels, const std::string &key,
                        llvm::function_ref<func::FuncOp(MLIRContext &, ModuleOp)> build) {
  std::shared_ptr<Program> program = kernels.get(key);
  std::call_once(program->compiled, [&] {
    // Parsing and folding floats must not depend on the caller's mode.
    numerics::FloatEnvironment environment;
    DialectRegistry registry;
    registerDriverDialects(registry);
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    loadDriverDialects(context);
    context.loadDialect<bufferization::BufferizationDialect, memref::MemRefDialect>();
    ErrorText errors(context);
    auto note = [&](const std::string &otherwise) { program->problem = errors.take(otherwise); };
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    func::FuncOp function = build(context, *module);
    if (!function || failed(verify(*module)))
      return note("the call cannot be built");
    PassManager toStorage(&context);
    // There is no host to fall back to.
    buildToStoragePipeline(toStorage, kernels.chip->name, "auto", Fallback::ToLesserPath,
                           target::hasPtxas(""));
    if (failed(toStorage.run(*module)))
      return note("the call cannot be lowered");
    target::Manifest manifest;
    Expected<gpu::GPUModuleOp> code =
        makeKernels(*module, *kernels.chip, manifest, /*outParams=*/true);
    if (!code)
      return note(llvm::toString(code.takeError()));
    Expected<DevicePlan> plan = readPlan(*module->getOps<func::FuncOp>().begin());
    if (!plan)
      return note(llvm::toString(plan.takeError()));
    program->plan = std::move(*plan);
    if (*code)
      if (Error error = kernels.add(*code, std::move(manifest)))
        note(llvm::toString(std::move(error)));
  });
  if (!program->problem.empty())
    return fail(program->problem);
  return program;
}

static int64_t toWord(const void *address) { return reinterpret_cast<intptr_t>(address); }

/// Kernels load 16 bytes at a time.
static Error verifyAlignment(const void *address, const Twine &what) {
  constexpr int64_t alignment = 16;
  if (toWord(address) % alignment == 0)
    return Error::success();
  return fail(what + ": expected an address that is a multiple of " + Twine(alignment) +
              ", found one at " + Twine(toWord(address) % alignment) + " from it");
}

Error DeviceCalls::run(const GemmCall &given, const void *lhs, const void *rhs, const void *rng,
                       void *result, const DeviceStream &where) {
  auto because = [&](Error error) {
    return fail(given.target() + ": " + llvm::toString(std::move(error)));
  };
  Expected<Kernels *> kernels = getKernels(where.ordinal);
  if (!kernels)
    return because(kernels.takeError());

  // Where parts begin is checked here, so it is read.
  GemmCall call = given;
  std::vector<int64_t> places[2];
  for (auto [operand, place] : llvm::zip_equal(call.operands, places))
    if (operand.isPart()) {
      place.resize(operand.at.size());
      if (Error error = check(ufp4DeviceToHost((*kernels)->device, place.data(), operand.at.data(),
                                               place.size() * sizeof(int64_t), where.stream)))
        return because(std::move(error));
      operand.at = place;
    }
  if (Error error = verifyCall(call, rng))
    return error;
  if (call.resultCount == 0)
    return Error::success();
  if (isSumOfNothing(call)) {
    std::vector<char> zeros(call.resultCount * byteWidth(call.resultType));
    if (Error error = check(ufp4DeviceFromHost((*kernels)->device, result, zeros.data(),
                                               zeros.size(), where.stream)))
      return because(std::move(error));
    return Error::success();
  }
  for (auto [array, what] : {std::pair{lhs, "the lhs"}, {rhs, "the rhs"}, {result, "the result"}})
    if (Error error = verifyAlignment(array, what))
      return because(std::move(error));

  Expected<std::shared_ptr<Program>> program =
      getProgram(**kernels, getKey(call), [&](MLIRContext &context, ModuleOp module) {
        return buildGemm(context, module, call, CallMemory::Device);
      });
  if (!program)
    return because(program.takeError());
  uint32_t words[3] = {};
  if (rng)
    if (Error error =
            check(ufp4DeviceToHost((*kernels)->device, words, rng, sizeof(words), where.stream)))
      return because(std::move(error));
  std::vector<int64_t> slots(DeviceOffsets);
  slots[DeviceLhs] = toWord(lhs);
  slots[DeviceRhs] = toWord(rhs);
  slots[DeviceLhsAmax] = toWord(call.operands[0].amax);
  slots[DeviceRhsAmax] = toWord(call.operands[1].amax);
  slots[DeviceSeed] = static_cast<int64_t>(words[0] | uint64_t(words[1]) << 32);
  slots[DeviceStep] = words[2];
  slots[DeviceLhsStream] = call.operands[0].stream;
  slots[DeviceRhsStream] = call.operands[1].stream;
  if (call.groups) {
    int64_t first = 0;
    if (rng && call.groups->first)
      if (Error error = check(ufp4DeviceToHost((*kernels)->device, &first, call.groups->first,
                                               sizeof(first), where.stream)))
        return because(std::move(error));
    llvm::append_values(slots, toWord(call.groups->sizes.data()), first);
    for (const GemmCallOperand &operand : call.operands)
      if (operand.rows)
        slots.push_back(toWord(operand.rows));
  } else {
    llvm::append_range(slots, getOffsets(call));
  }
  slots.push_back(toWord(result));
  if (Error error = (*kernels)->run((*program)->plan, std::move(slots), where))
    return because(std::move(error));
  return Error::success();
}

Error DeviceCalls::runAmax(const GemmCallOperand &operand, const void *input, float *result,
                           const DeviceStream &where) {
  auto because = [](Error error) { return fail("ufp4.amax: " + llvm::toString(std::move(error))); };
  Expected<Kernels *> kernels = getKernels(where.ordinal);
  if (!kernels)
    return because(kernels.takeError());
  if (Error error = verifyView(operand, "ufp4.amax", ""))
    return error;
  if (llvm::is_contained(operand.shape, 0)) {
    if (Error error = check(ufp4DeviceFill((*kernels)->device, result, 0, 1, where.stream)))
      return because(std::move(error));
    return Error::success();
  }
  if (Error error = verifyAlignment(input, "the operand"))
    return because(std::move(error));
  Expected<std::shared_ptr<Program>> program =
      getProgram(**kernels, getKey(operand), [&](MLIRContext &context, ModuleOp module) {
        return buildAmax(context, module, operand, CallMemory::Device);
      });
  if (!program)
    return because(program.takeError());
  if (Error error = (*kernels)->run((*program)->plan, {toWord(input), toWord(result)}, where))
    return because(std::move(error));
  return Error::success();
}

} // namespace ufp4
