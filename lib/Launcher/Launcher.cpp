//===- Launcher.cpp - The C interface -------------------------------------===//

#include "ufp4-c/Launcher.h"

#include "Artifact.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace ufp4;
using namespace ufp4::launcher;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

struct UFP4Driver {
  std::shared_ptr<Driver> driver;
};
struct UFP4Device {
  std::shared_ptr<Device> device;
};
struct UFP4Artifact {
  std::unique_ptr<Artifact> artifact;
};

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static thread_local std::string lastError;

const char *ufp4LastError(void) { return lastError.c_str(); }

static UFP4Status report(Error error) {
  if (!error)
    return UFP4_SUCCESS;
  UFP4Status status = UFP4_INVALID;
  error = llvm::handleErrors(std::move(error), [&](std::unique_ptr<LauncherError> found) {
    status = found->status;
    return Error(std::move(found));
  });
  lastError = llvm::toString(std::move(error));
  return status;
}

static UFP4Status refuse(const llvm::Twine &message) {
  return report(failWith(UFP4_INVALID, message));
}

/// Whether every pointer of `names` is there; otherwise the status to return.
static UFP4Status verifyPointers(std::initializer_list<std::pair<const char *, const void *>> all) {
  for (auto [name, pointer] : all)
    if (!pointer)
      return refuse(llvm::Twine("expected '") + name + "', found NULL");
  return UFP4_SUCCESS;
}

/// Runs in a device's context.
template <typename Call> static UFP4Status inContext(const Device &device, Call call) {
  ContextScope scope(device);
  if (Error error = scope.check())
    return report(std::move(error));
  return report(call());
}

//===----------------------------------------------------------------------===//
// Drivers and devices
//===----------------------------------------------------------------------===//

UFP4Status ufp4DriverOpen(UFP4Vendor vendor, const char *path, UFP4Driver **driver) {
  if (UFP4Status status = verifyPointers({{"driver", driver}}))
    return status;
  if (vendor != UFP4_NVIDIA && vendor != UFP4_AMD)
    return refuse("expected a vendor, UFP4_NVIDIA or UFP4_AMD, found " + llvm::Twine(int(vendor)));
  auto opened =
      Driver::open(vendor == UFP4_NVIDIA ? target::Vendor::NVIDIA : target::Vendor::AMD, path);
  if (!opened)
    return report(opened.takeError());
  *driver = new UFP4Driver{std::move(*opened)};
  return UFP4_SUCCESS;
}

void ufp4DriverClose(UFP4Driver *driver) { delete driver; }

UFP4Status ufp4DriverDeviceCount(UFP4Driver *driver, int *count) {
  if (UFP4Status status = verifyPointers({{"driver", driver}, {"count", count}}))
    return status;
  const Driver &opened = *driver->driver;
  return report(opened.check(opened.call.getDeviceCount(count), "devices cannot be counted"));
}

UFP4Status ufp4DeviceOpen(UFP4Driver *driver, int ordinal, UFP4Device **device) {
  if (UFP4Status status = verifyPointers({{"driver", driver}, {"device", device}}))
    return status;
  auto opened = Device::open(driver->driver, ordinal);
  if (!opened)
    return report(opened.takeError());
  *device = new UFP4Device{std::move(*opened)};
  return UFP4_SUCCESS;
}

void ufp4DeviceClose(UFP4Device *device) { delete device; }

UFP4Status ufp4DeviceCapability(UFP4Device *device, int *major, int *minor) {
  if (UFP4Status status = verifyPointers({{"device", device}, {"major", major}, {"minor", minor}}))
    return status;
  *major = device->device->major;
  *minor = device->device->minor;
  return UFP4_SUCCESS;
}

/// One call of the driver on a device's memory.
template <typename Call>
static UFP4Status useMemory(UFP4Device *device, const char *what, Call call) {
  if (UFP4Status status = verifyPointers({{"device", device}}))
    return status;
  const Driver &driver = *device->device->driver;
  return inContext(*device->device, [&] { return driver.check(call(driver.call), what); });
}

static Address toAddress(const void *pointer) { return reinterpret_cast<uintptr_t>(pointer); }

UFP4Status ufp4DeviceAllocate(UFP4Device *device, size_t bytes, void **address) {
  if (UFP4Status status = verifyPointers({{"address", address}}))
    return status;
  Address found = 0;
  UFP4Status status =
      useMemory(device, "the device's memory cannot be allocated",
                [&](const DriverFunctions &call) { return call.allocate(&found, bytes); });
  if (!status)
    *address = reinterpret_cast<void *>(uintptr_t(found));
  return status;
}

UFP4Status ufp4DeviceFree(UFP4Device *device, void *address) {
  return useMemory(device, "the device's memory cannot be freed",
                   [&](const DriverFunctions &call) { return call.free(toAddress(address)); });
}

UFP4Status ufp4DeviceFromHost(UFP4Device *device, void *to, const void *from, size_t bytes,
                              void *stream) {
  return useMemory(device, "the copy to the device fails", [&](const DriverFunctions &call) {
    return call.copyFromHost(toAddress(to), from, bytes, stream);
  });
}

UFP4Status ufp4DeviceToHost(UFP4Device *device, void *to, const void *from, size_t bytes,
                            void *stream) {
  return useMemory(device, "the copy from the device fails", [&](const DriverFunctions &call) {
    Result result = call.copyToHost(to, toAddress(from), bytes, stream);
    return result ? result : call.synchronize(stream);
  });
}

UFP4Status ufp4DeviceCopy(UFP4Device *device, void *to, const void *from, size_t bytes,
                          void *stream) {
  return useMemory(device, "the copy on the device fails", [&](const DriverFunctions &call) {
    return call.copy(toAddress(to), toAddress(from), bytes, stream);
  });
}

UFP4Status ufp4DeviceFill(UFP4Device *device, void *to, uint32_t word, size_t words, void *stream) {
  return useMemory(
      device, "the device's memory cannot be filled",
      [&](const DriverFunctions &call) { return call.fill(toAddress(to), word, words, stream); });
}

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

static UFP4Status give(Expected<std::unique_ptr<Artifact>> loaded, UFP4Artifact **artifact) {
  if (!loaded)
    return report(loaded.takeError());
  *artifact = new UFP4Artifact{std::move(*loaded)};
  return UFP4_SUCCESS;
}

UFP4Status ufp4ArtifactLoad(UFP4Device *device, const char *folder, UFP4Artifact **artifact) {
  if (UFP4Status status =
          verifyPointers({{"device", device}, {"folder", folder}, {"artifact", artifact}}))
    return status;
  return give(Artifact::load(device->device, std::string(folder)), artifact);
}

UFP4Status ufp4ArtifactLoadBytes(UFP4Device *device, const char *manifest, size_t manifestBytes,
                                 const void *object, size_t objectBytes, UFP4Artifact **artifact) {
  if (UFP4Status status = verifyPointers(
          {{"device", device}, {"manifest", manifest}, {"object", object}, {"artifact", artifact}}))
    return status;
  return give(Artifact::load(device->device, StringRef(manifest, manifestBytes),
                             StringRef(static_cast<const char *>(object), objectBytes)),
              artifact);
}

void ufp4ArtifactClose(UFP4Artifact *artifact) { delete artifact; }

const char *ufp4ArtifactRecipe(const UFP4Artifact *artifact) {
  return artifact->artifact->manifest.recipe.c_str();
}

const char *ufp4ArtifactRecipeHash(const UFP4Artifact *artifact) {
  return artifact->artifact->manifest.recipeHash.c_str();
}

size_t ufp4ArtifactKernelCount(const UFP4Artifact *artifact) {
  return artifact->artifact->kernels.size();
}

const UFP4Kernel *ufp4ArtifactKernel(const UFP4Artifact *artifact, size_t index) {
  const std::vector<UFP4Kernel> &kernels = artifact->artifact->kernels;
  return index < kernels.size() ? &kernels[index] : nullptr;
}

UFP4Status ufp4ArtifactFind(const UFP4Artifact *artifact, const char *name,
                            const UFP4Kernel **kernel) {
  if (UFP4Status status =
          verifyPointers({{"artifact", artifact}, {"name", name}, {"kernel", kernel}}))
    return status;
  Expected<const UFP4Kernel *> found = artifact->artifact->find(name);
  if (!found)
    return report(found.takeError());
  *kernel = *found;
  return UFP4_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

const char *ufp4KernelName(const UFP4Kernel *kernel) { return kernel->entry->name.c_str(); }

const char *ufp4KernelPath(const UFP4Kernel *kernel) { return kernel->entry->path.c_str(); }

UFP4Role ufp4KernelRole(const UFP4Kernel *kernel) {
  if (kernel->entry->schemes.count("operands"))
    return UFP4_GEMM;
  bool writesCodes = llvm::any_of(kernel->entry->arguments, [](const target::ArgumentEntry &one) {
    return one.kind == target::ArgumentKind::Codes;
  });
  return writesCodes ? UFP4_QUANTIZE : UFP4_AMAX;
}

/// A text that lives as long as the kernel: JSON keeps its strings where they are.
static const char *getText(const llvm::json::Object &object, StringRef field) {
  std::optional<StringRef> text = object.getString(field);
  return text ? text->data() : nullptr;
}

bool ufp4KernelScheme(const UFP4Kernel *kernel, const char *of, UFP4Scheme *scheme) {
  auto found = kernel->entry->schemes.find(of);
  if (found == kernel->entry->schemes.end())
    return false;
  const llvm::json::Object &object = found->second;
  auto number = [&](StringRef field, int64_t otherwise) {
    return int32_t(object.getInteger(field).value_or(otherwise));
  };
  *scheme = {};
  scheme->format = getText(object, "format");
  scheme->scale = getText(object, "scale");
  scheme->scaleRule = getText(object, "scale_rule");
  scheme->block = number("block", 0);
  scheme->blockRows = number("block_rows", 1);
  scheme->randomBits = number("bits", 0);
  if (const llvm::json::Object *rotation = object.getObject("rotation")) {
    scheme->rotationSize = int32_t(rotation->getInteger("size").value_or(0));
    if (std::optional<int64_t> signs = rotation->getInteger("signs"))
      scheme->rotationSigns[0] = *signs;
    // Masks above 2^53 are text, the low 64 bits last.
    StringRef digits = rotation->getString("signs").value_or("");
    if (digits.consume_front("0x")) {
      digits.take_back(16).getAsInteger(16, scheme->rotationSigns[0]);
      digits.drop_back(std::min<size_t>(16, digits.size()))
          .getAsInteger(16, scheme->rotationSigns[1]);
    }
  }
  return true;
}

size_t ufp4KernelArgumentCount(const UFP4Kernel *kernel) { return kernel->entry->arguments.size(); }

bool ufp4KernelArgument(const UFP4Kernel *kernel, size_t index, UFP4Argument *argument) {
  if (index >= kernel->entry->arguments.size())
    return false;
  const target::ArgumentEntry &entry = kernel->entry->arguments[index];
  argument->name = entry.name.c_str();
  argument->kind = UFP4ArgumentKind(entry.kind);
  argument->isRead = entry.access != target::ArgumentAccess::Write;
  argument->isWritten = entry.access != target::ArgumentAccess::Read;
  argument->element = entry.element.c_str();
  argument->layout = entry.layout.c_str();
  argument->alignment = entry.alignment;
  argument->value = entry.value.c_str();
  return true;
}

UFP4Status ufp4KernelArgumentBytes(const UFP4Kernel *kernel, const char *argument,
                                   const UFP4Value *values, size_t count, size_t *bytes) {
  if (UFP4Status status =
          verifyPointers({{"kernel", kernel}, {"argument", argument}, {"bytes", bytes}}))
    return status;
  Expected<NamedValues> read = readValues(*kernel, ArrayRef(values, count));
  if (!read)
    return report(read.takeError());
  Expected<int64_t> found = target::getBytes(*kernel->entry, argument, read->extents);
  if (!found)
    return report(found.takeError());
  *bytes = *found;
  return UFP4_SUCCESS;
}

UFP4Status ufp4KernelWorkspaceBytes(const UFP4Kernel *kernel, const UFP4Value *values, size_t count,
                                    size_t *bytes) {
  if (UFP4Status status = verifyPointers({{"kernel", kernel}, {"bytes", bytes}}))
    return status;
  Expected<NamedValues> read = readValues(*kernel, ArrayRef(values, count));
  if (!read)
    return report(read.takeError());
  // A manifest's arguments are all that a kernel of this schema touches.
  *bytes = 0;
  return UFP4_SUCCESS;
}

UFP4Status ufp4KernelLaunch(const UFP4Kernel *kernel, const UFP4Value *values, size_t count,
                            void *stream) {
  if (UFP4Status status = verifyPointers({{"kernel", kernel}}))
    return status;
  Expected<NamedValues> read = readValues(*kernel, ArrayRef(values, count));
  if (!read)
    return report(read.takeError());
  return inContext(*kernel->artifact->device, [&] { return launch(*kernel, *read, stream); });
}

UFP4Status ufp4KernelLaunchGrid(const UFP4Kernel *kernel, const int64_t grid[3],
                                void *const *arguments, void *stream) {
  if (UFP4Status status =
          verifyPointers({{"kernel", kernel}, {"grid", grid}, {"arguments", arguments}}))
    return status;
  return inContext(*kernel->artifact->device, [&] {
    return launch(*kernel, {grid[0], grid[1], grid[2]}, arguments, stream);
  });
}
