//===- Driver.h - A vendor's driver, loaded by name -------------*- C++ -*-===//
//
// One table of functions for all vendors: their signatures are the same, their names are data.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_LAUNCHER_DRIVER_H
#define UFP4_LIB_LAUNCHER_DRIVER_H

#include "ufp4-c/Launcher.h"
#include "ufp4/Target/Capabilities.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace ufp4::launcher {

/// A sentence with the status that the C interface returns.
class LauncherError : public llvm::ErrorInfo<LauncherError> {
public:
  static char ID;
  LauncherError(UFP4Status status, std::string message)
      : status(status), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return std::make_error_code(std::errc::invalid_argument);
  }

  const UFP4Status status;

private:
  std::string message;
};

inline llvm::Error failWith(UFP4Status status, const llvm::Twine &message) {
  return llvm::make_error<LauncherError>(status, message.str());
}

/// CUresult and hipError_t; CUdevice; CUcontext, CUmodule, CUfunction and CUstream; CUdeviceptr.
using Result = int;
using DeviceNumber = int;
using Handle = void *;
using Address = uint64_t;

/// CUlaunchConfig with room for its one attribute.
struct ClusterLaunch {
  struct Attribute {
    int id;
    char padding[4];
    unsigned cluster[3];
    char rest[52];
  };

  unsigned grid[3], block[3], sharedBytes;
  Handle stream;
  Attribute *attributes;
  unsigned attributeCount;
};

struct DriverFunctions {
  Result (*init)(unsigned flags);
  Result (*getErrorString)(Result, const char **);
  Result (*getDeviceCount)(int *);
  Result (*getDevice)(DeviceNumber *, int ordinal);
  Result (*getAttribute)(int *, int attribute, DeviceNumber);
  Result (*retainContext)(Handle *, DeviceNumber);
  Result (*releaseContext)(DeviceNumber);
  Result (*pushContext)(Handle);
  Result (*popContext)(Handle *);
  Result (*loadModule)(Handle *, const void *image, unsigned count, int *options, void **values);
  Result (*unloadModule)(Handle);
  Result (*getFunction)(Handle *, Handle module, const char *name);
  Result (*launch)(Handle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned sharedBytes, Handle stream,
                   void **arguments, void **extra);
  Result (*allocate)(Address *, size_t bytes);
  Result (*free)(Address);
  Result (*copyFromHost)(Address, const void *, size_t bytes, Handle stream);
  Result (*copyToHost)(void *, Address, size_t bytes, Handle stream);
  Result (*copy)(Address to, Address from, size_t bytes, Handle stream);
  Result (*fill)(Address, unsigned word, size_t words, Handle stream);
  Result (*synchronize)(Handle stream);
  /// Null where the vendor's kernels need none of these.
  Result (*encodeTensorMap)(void *map, int dataType, unsigned rank, void *address,
                            const uint64_t *extents, const uint64_t *strides, const unsigned *box,
                            const unsigned *steps, int interleave, int swizzle, int promotion,
                            int fill);
  Result (*setFunctionAttribute)(Handle function, int attribute, int value);
  Result (*launchCluster)(const ClusterLaunch *, Handle function, void **arguments, void **extra);
};

class Driver {
public:
  /// Loads the library, which stays loaded, and starts it.
  static llvm::Expected<std::shared_ptr<Driver>> open(target::Vendor vendor, const char *path);

  /// Nothing where `result` is success; otherwise `what` and the driver's words.
  llvm::Error check(Result result, const llvm::Twine &what,
                    UFP4Status status = UFP4_DRIVER_ERROR) const;

  target::Vendor vendor;
  std::string library;
  DriverFunctions call = {};
};

/// A device's primary context.
class Device {
public:
  static llvm::Expected<std::shared_ptr<Device>> open(std::shared_ptr<Driver> driver, int ordinal);
  ~Device();

  std::shared_ptr<Driver> driver;
  DeviceNumber number = 0;
  Handle context = nullptr;
  /// The compute capability; 0 for AMD.
  int major = 0, minor = 0;
};

/// Makes a device's context the thread's while it lives.
class ContextScope {
public:
  explicit ContextScope(const Device &device) : device(device) {
    pushed = device.driver->call.pushContext(device.context);
  }
  ~ContextScope() {
    Handle context;
    if (!pushed)
      device.driver->call.popContext(&context);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

  llvm::Error check() const {
    return device.driver->check(pushed, "the device's context cannot be used");
  }

private:
  const Device &device;
  Result pushed;
};

/// A device's memory that is freed with this.
class DeviceMemory {
public:
  static llvm::Expected<DeviceMemory> allocate(const Device &device, size_t bytes);
  DeviceMemory(DeviceMemory &&other) : device(other.device), address(other.address) {
    other.address = 0;
  }
  ~DeviceMemory() {
    if (address)
      device.driver->call.free(address);
  }

  const Device &device;
  Address address = 0;

private:
  explicit DeviceMemory(const Device &device) : device(device) {}
};

} // namespace ufp4::launcher

#endif // UFP4_LIB_LAUNCHER_DRIVER_H
