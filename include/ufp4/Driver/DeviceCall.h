//===- DeviceCall.h - What custom calls compute, on a device ----*- C++ -*-===//
//
// docs/custom-call.md is the contract. A call becomes launches of kernels, which are compiled in
// this process when they are first asked for: by ptxas where it is found, else by the driver.
// Kernels serve every size, so that calls share them.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_DRIVER_DEVICECALL_H
#define UFP4_DRIVER_DEVICECALL_H

#include "ufp4/Driver/CustomCall.h"
#include "ufp4/Target/Capabilities.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>

namespace ufp4 {

/// Where a call runs.
struct DeviceStream {
  /// The device's number, from 0.
  int ordinal;
  void *stream;
  /// Memory of the device, aligned to 16 bytes, that lives until the work which the call puts on
  /// the stream is done; null where there is none.
  llvm::function_ref<void *(size_t bytes)> allocate;
};

/// Calls on the devices of one vendor. Safe to use from any number of threads.
///
/// Where the environment variable UFP4_DUMP_KERNELS names a folder, each set of kernels that is
/// compiled is written into a folder of its own below it, as ufp4-compile writes them.
class DeviceCalls {
public:
  explicit DeviceCalls(target::Vendor vendor);
  ~DeviceCalls();

  /// Puts a call on a stream. Every array is the device's, also what the call itself refers to:
  /// `at` and `amax`. Where words or places are asked for, the stream is waited for, since kernels
  /// take them as numbers. Errors: there is no driver or no kernel, which the message names, or an
  /// operand does not lie as kernels read it.
  llvm::Error run(const GemmCall &call, const void *lhs, const void *rhs, const void *rng,
                  void *result, const DeviceStream &where);

  /// The same for the maximum that sets the per-tensor scale of an operand (`ufp4.amax`).
  llvm::Error runAmax(const GemmCallOperand &operand, const void *input, float *result,
                      const DeviceStream &where);

private:
  class Kernels;
  struct Program;

  llvm::Expected<Kernels *> getKernels(int ordinal);
  llvm::Expected<std::shared_ptr<Program>>
  getProgram(Kernels &kernels, const std::string &key,
             llvm::function_ref<mlir::func::FuncOp(mlir::MLIRContext &, mlir::ModuleOp)> build);

  target::Vendor vendor;
  std::mutex mutex;
  /// By ordinal.
  std::map<int, std::unique_ptr<Kernels>> devices;
};

} // namespace ufp4

#endif // UFP4_DRIVER_DEVICECALL_H
