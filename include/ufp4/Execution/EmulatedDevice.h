//===- EmulatedDevice.h - Launching kernels by their manifest ---*- C++ -*-===//
//
// A device that knows of a kernel what its manifest entry says and nothing else: the entry in the
// object file, the launch shape, and each argument with its access. Kernels run in the SIMT
// emulator.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_EXECUTION_EMULATEDDEVICE_H
#define UFP4_EXECUTION_EMULATEDDEVICE_H

#include "ufp4/Execution/Emulator/Emulator.h"
#include "ufp4/Execution/Jit.h"
#include "ufp4/Target/Manifest.h"

#include <mutex>

namespace ufp4 {

/// What one launch gives a kernel, by the names that its manifest entry uses.
struct LaunchValues {
  struct Buffer {
    void *data;
    size_t bytes;
  };

  std::map<std::string, int64_t> extents;
  std::map<std::string, Buffer> buffers;
  /// Those that are neither extents nor counts of tiles: `alpha` as the bits of its float.
  std::map<std::string, int64_t> scalars;
};

/// The counters of all launches of one kernel.
struct KernelStats {
  uint64_t launches = 0, blocks = 0;
  emulator::LaunchStats sum;
};

class EmulatedDevice {
public:
  /// `code` holds every kernel of `kernels`, as it is handed to the backend.
  static llvm::Expected<std::unique_ptr<EmulatedDevice>>
  create(std::unique_ptr<llvm::Module> code, std::unique_ptr<llvm::LLVMContext> context,
         const target::Chip &chip, std::vector<target::KernelEntry> kernels);

  /// Runs a kernel. Errors: a name that the entry asks for is missing, the grid is too large, or
  /// the emulator's finding.
  llvm::Error launch(llvm::StringRef kernel, const LaunchValues &values);

  /// The same with the grid and the arguments in their order, as compiled host code passes them:
  /// the bits of a scalar, or the address and the size of a buffer.
  struct Argument {
    int64_t bits, bytes;
  };
  llvm::Error launch(llvm::StringRef kernel, std::array<int64_t, 3> grid,
                     llvm::ArrayRef<Argument> arguments);

  const std::map<std::string, KernelStats> &stats() const { return statistics; }
  /// Whether launches count sectors and wavefronts too, which takes a while.
  bool countsRequests = false;

private:
  EmulatedDevice() = default;

  std::unique_ptr<emulator::EmulatedModule> module;
  std::map<std::string, target::KernelEntry> kernels;
  std::map<std::string, KernelStats> statistics;
};

/// Makes a device the one that compiled code of this process launches on, while it lives. After a
/// launch fails, later ones do nothing, and `take` has the error.
class LaunchScope {
public:
  explicit LaunchScope(EmulatedDevice &device);
  ~LaunchScope();
  LaunchScope(const LaunchScope &) = delete;
  LaunchScope &operator=(const LaunchScope &) = delete;

  void launch(llvm::StringRef kernel, std::array<int64_t, 3> grid,
              llvm::ArrayRef<EmulatedDevice::Argument> arguments);
  /// The first error so far.
  llvm::Error take();

private:
  EmulatedDevice &device;
  LaunchScope *previous;
  std::mutex mutex;
  std::string problem;
};

/// The function that host code calls for a launch (Conversion/UFP4ToGPU, `LowerLaunches`).
std::vector<JitSymbol> launchSymbols();

/// What the launches took, for people: per kernel instructions, matrix instructions, sectors of
/// global and wavefronts of shared memory against the fewest possible, and the places that exceed
/// them most.
void printStats(const EmulatedDevice &device, llvm::raw_ostream &os);

} // namespace ufp4

#endif // UFP4_EXECUTION_EMULATEDDEVICE_H
