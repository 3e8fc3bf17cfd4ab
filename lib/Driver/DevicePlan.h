//===- DevicePlan.h - A function of launches as a list ----------*- C++ -*-===//
//
// Host code that does nothing but launch kernels on buffers of known sizes needs no compiler: it is
// a list, which whoever has a driver walks through.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_DRIVER_DEVICEPLAN_H
#define UFP4_LIB_DRIVER_DEVICEPLAN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ufp4 {

struct DevicePlan {
  /// A number or an address: that of a slot, if any, and this. Slots are the function's arguments,
  /// then its buffers.
  struct Word {
    std::optional<unsigned> slot;
    int64_t plus = 0;
  };
  struct Launch {
    std::string kernel;
    std::array<int64_t, 3> grid;
    std::vector<Word> arguments;
  };
  /// `words` times the 32-bit `word`.
  struct Fill {
    Word to;
    uint32_t word;
    int64_t words;
  };
  struct Copy {
    Word to, from;
    int64_t bytes;
  };

  std::vector<std::variant<Launch, Fill, Copy>> steps;
  /// Bytes of the buffers that the function allocates.
  std::vector<int64_t> buffers;
};

/// Reads a function on memrefs whose kernels are launches. Errors: an operation that would touch
/// the device's memory from the host, by its name.
llvm::Expected<DevicePlan> readPlan(mlir::func::FuncOp function);

} // namespace ufp4

#endif // UFP4_LIB_DRIVER_DEVICEPLAN_H
