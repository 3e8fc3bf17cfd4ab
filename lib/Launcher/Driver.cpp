//===- Driver.cpp - A vendor's driver, loaded by name ---------------------===//

#include "Driver.h"

#include "llvm/Support/Process.h"

#include <dlfcn.h>

using namespace ufp4;
using namespace ufp4::launcher;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

char LauncherError::ID;

namespace {
/// What a vendor calls things; null where it has none.
struct Names {
  const char *nvidia, *amd;

  const char *of(target::Vendor vendor) const {
    return vendor == target::Vendor::NVIDIA ? nvidia : amd;
  }
};

constexpr Names kLibrary{"libcuda.so.1", "libamdhip64.so"};
constexpr Names kVariable{"UFP4_CUDA_DRIVER", "UFP4_HIP_DRIVER"};

/// CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR.
constexpr int kCapability[] = {75, 76};
} // namespace

Error Driver::check(Result result, const Twine &what, UFP4Status status) const {
  if (!result)
    return Error::success();
  const char *words = nullptr;
  if (call.getErrorString(result, &words) || !words)
    words = "no description";
  return failWith(status, what + ": " + library + " says: " + words + " (" + Twine(result) + ")");
}

Expected<std::shared_ptr<Driver>> Driver::open(target::Vendor vendor, const char *path) {
  auto driver = std::make_shared<Driver>();
  driver->vendor = vendor;
  const char *variable = kVariable.of(vendor);
  driver->library = path ? path : llvm::sys::Process::GetEnv(variable).value_or("");
  if (driver->library.empty())
    driver->library = kLibrary.of(vendor);
  void *library = ::dlopen(driver->library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return failWith(UFP4_NO_DEVICE,
                    Twine("no driver: ") + ::dlerror() + "; install the driver of the vendor, " +
                        target::stringify(vendor) + ", or name its library in " + variable);

  const char *missing = nullptr;
  auto bind = [&](auto &function, Names names) {
    const char *name = names.of(vendor);
    function = nullptr;
    if (!name)
      return;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
    if (!function)
      missing = name;
  };
  DriverFunctions &call = driver->call;
  bind(call.init, {"cuInit", "hipInit"});
  bind(call.getErrorString, {"cuGetErrorString", "hipDrvGetErrorString"});
  bind(call.getDeviceCount, {"cuDeviceGetCount", "hipGetDeviceCount"});
  bind(call.getDevice, {"cuDeviceGet", "hipDeviceGet"});
  bind(call.getAttribute, {"cuDeviceGetAttribute", "hipDeviceGetAttribute"});
  bind(call.retainContext, {"cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain"});
  bind(call.releaseContext, {"cuDevicePrimaryCtxRelease_v2", "hipDevicePrimaryCtxRelease"});
  bind(call.pushContext, {"cuCtxPushCurrent_v2", "hipCtxPushCurrent"});
  bind(call.popContext, {"cuCtxPopCurrent_v2", "hipCtxPopCurrent"});
  bind(call.loadModule, {"cuModuleLoadDataEx", "hipModuleLoadDataEx"});
  bind(call.unloadModule, {"cuModuleUnload", "hipModuleUnload"});
  bind(call.getFunction, {"cuModuleGetFunction", "hipModuleGetFunction"});
  bind(call.launch, {"cuLaunchKernel", "hipModuleLaunchKernel"});
  bind(call.allocate, {"cuMemAlloc_v2", "hipMalloc"});
  bind(call.free, {"cuMemFree_v2", "hipFree"});
  bind(call.copyFromHost, {"cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync"});
  bind(call.copyToHost, {"cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync"});
  bind(call.copy, {"cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync"});
  bind(call.fill, {"cuMemsetD32Async", "hipMemsetD32Async"});
  bind(call.synchronize, {"cuStreamSynchronize", "hipStreamSynchronize"});
  bind(call.encodeTensorMap, {"cuTensorMapEncodeTiled", nullptr});
  bind(call.setFunctionAttribute, {"cuFuncSetAttribute", nullptr});
  bind(call.launchCluster, {"cuLaunchKernelEx", nullptr});
  if (missing)
    return failWith(UFP4_NO_DEVICE, driver->library + " has no function " + missing +
                                        "; a newer driver has it (CUDA 12, ROCm 6)");
  if (Error error = driver->check(call.init(0), "the driver does not start", UFP4_NO_DEVICE))
    return std::move(error);
  return driver;
}

Expected<std::shared_ptr<Device>> Device::open(std::shared_ptr<Driver> driver, int ordinal) {
  const DriverFunctions &call = driver->call;
  int count = 0;
  if (Error error = driver->check(call.getDeviceCount(&count), "devices cannot be counted"))
    return std::move(error);
  if (ordinal < 0 || ordinal >= count)
    return failWith(UFP4_NO_DEVICE, "expected a device below " + Twine(count) + ", found " +
                                        Twine(ordinal) + ": " + driver->library + " sees " +
                                        Twine(count));
  auto device = std::make_shared<Device>();
  device->driver = driver;
  std::string what = "device " + std::to_string(ordinal) + " cannot be opened";
  if (Error error = driver->check(call.getDevice(&device->number, ordinal), what))
    return std::move(error);
  if (driver->vendor == target::Vendor::NVIDIA) {
    int *numbers[] = {&device->major, &device->minor};
    for (auto [number, attribute] : llvm::zip_equal(numbers, kCapability))
      if (Error error = driver->check(call.getAttribute(number, attribute, device->number), what))
        return std::move(error);
  }
  if (Error error = driver->check(call.retainContext(&device->context, device->number), what))
    return std::move(error);
  return device;
}

Device::~Device() {
  if (context)
    driver->call.releaseContext(number);
}

Expected<DeviceMemory> DeviceMemory::allocate(const Device &device, size_t bytes) {
  DeviceMemory memory(device);
  // The driver refuses to allocate nothing.
  if (Error error = device.driver->check(
          device.driver->call.allocate(&memory.address, std::max<size_t>(bytes, 1)),
          Twine(bytes) + " bytes of the device's memory cannot be allocated"))
    return std::move(error);
  return memory;
}
