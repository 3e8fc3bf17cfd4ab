//===- Artifact.h - Kernels on a device -------------------------*- C++ -*-===//

#ifndef UFP4_LIB_LAUNCHER_ARTIFACT_H
#define UFP4_LIB_LAUNCHER_ARTIFACT_H

#include "Driver.h"

#include "ufp4/Target/Manifest.h"
#include "llvm/ADT/ArrayRef.h"

namespace ufp4::launcher {
class Artifact;
}

struct UFP4Kernel {
  const ufp4::launcher::Artifact *artifact;
  const ufp4::target::KernelEntry *entry;
  std::vector<std::string> extents;
  ufp4::launcher::Handle function = nullptr;
  /// Why it must not be launched; empty where it may.
  std::string refusal;
};

namespace ufp4::launcher {

/// What a launch gives a kernel, by the names that its entry uses.
struct NamedValues {
  std::map<std::string, int64_t> extents, scalars;
  std::map<std::string, Address> buffers;
};

class Artifact {
public:
  static llvm::Expected<std::unique_ptr<Artifact>> load(std::shared_ptr<Device> device,
                                                        const std::string &folder);
  static llvm::Expected<std::unique_ptr<Artifact>>
  load(std::shared_ptr<Device> device, llvm::StringRef manifest, llvm::StringRef object);
  ~Artifact();

  /// The kernel to launch for a name.
  llvm::Expected<const UFP4Kernel *> find(llvm::StringRef name) const;

  std::shared_ptr<Device> device;
  target::Manifest manifest;
  /// In the manifest's order.
  std::vector<UFP4Kernel> kernels;

private:
  Artifact(std::shared_ptr<Device> device, target::Manifest manifest);

  /// How the device takes kernels of the manifest's chips.
  llvm::Expected<target::Fit> fit(llvm::StringRef where) const;
  /// Loads an object's kernels among those of the manifest that `isOf` says are its.
  llvm::Error addObject(llvm::StringRef object, const llvm::Twine &where,
                        llvm::function_ref<bool(const target::KernelEntry &)> isOf);
  llvm::Error runCanaries();
  llvm::Error run(const target::CanaryEntry &canary);
  llvm::Expected<std::vector<uint8_t>> makePlane(const target::KernelEntry &kernel,
                                                 const target::ArgumentEntry &argument,
                                                 const std::map<std::string, int64_t> &extents,
                                                 int64_t code, int64_t bytes,
                                                 const llvm::Twine &where) const;

  std::vector<Handle> modules;
};

/// Sorts what a caller gives by what the kernel's entry asks for. Errors: a name that it does not
/// know or that comes twice, an extent or a stride that it cannot have.
llvm::Expected<NamedValues> readValues(const UFP4Kernel &kernel, llvm::ArrayRef<UFP4Value> values);

/// Puts a launch on a stream, in the context that is current.
llvm::Error launch(const UFP4Kernel &kernel, const NamedValues &values, Handle stream);
llvm::Error launch(const UFP4Kernel &kernel, const std::array<int64_t, 3> &grid,
                   void *const *arguments, Handle stream);

} // namespace ufp4::launcher

#endif // UFP4_LIB_LAUNCHER_ARTIFACT_H
