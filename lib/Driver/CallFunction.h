//===- CallFunction.h - The function of a custom call -----------*- C++ -*-===//
//
// What the handlers of all platforms share: the contract's rules (docs/custom-call.md), and a call
// as a function on the value level.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_DRIVER_CALLFUNCTION_H
#define UFP4_LIB_DRIVER_CALLFUNCTION_H

#include "ufp4/Driver/CustomCall.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

namespace ufp4 {

/// `side` is what attributes' names begin with.
llvm::Error verifyView(const GemmCallOperand &operand, llvm::StringRef target,
                       llvm::StringRef side);
llvm::Error verifyCall(const GemmCall &call, const void *rng);

/// Whether the sums are of nothing: K is 0.
bool isSumOfNothing(const GemmCall &call);

/// Everything that a compiled function depends on.
std::string getKey(const GemmCall &call);
std::string getKey(const GemmCallOperand &operand);

/// The shape of an operand's array: of what it is gathered from, if it is.
llvm::SmallVector<int64_t> getArrayShape(const GemmCallOperand &operand);

/// Where parts begin: 0 in each dimension of what is whole.
llvm::SmallVector<int64_t> getOffsets(const GemmCall &call);

/// Whose memory the function's arrays are in.
enum class CallMemory { Host, Device };

/// Arguments of a gemm on the device; the offsets of all dimensions follow, i64, or of a grouped
/// one the sizes, a memref, the index of the first group, i64, and memrefs of gathered rows.
enum DeviceGemmArgument : unsigned {
  DeviceLhs, ///< memrefs
  DeviceRhs,
  DeviceLhsAmax,
  DeviceRhsAmax,
  DeviceSeed, ///< i64
  DeviceStep, ///< i32
  DeviceLhsStream,
  DeviceRhsStream,
  DeviceOffsets
};

/// On the host @gemm(lhs, rhs, rng, streams, offsets, maxima): all that a call can change without
/// another function. Offsets are those of the lhs's dimensions, then the rhs's; maxima one per
/// side. A grouped call takes the sizes of its groups, the index of the first, and the rows of
/// operands that are gathered in their place. On the device numbers are scalars, and operands are
/// read as they lie. Null after an error.
mlir::func::FuncOp buildGemm(mlir::MLIRContext &context, mlir::ModuleOp module,
                             const GemmCall &call, CallMemory memory);

/// @amax(input).
mlir::func::FuncOp buildAmax(mlir::MLIRContext &context, mlir::ModuleOp module,
                             const GemmCallOperand &operand, CallMemory memory);

/// What a diagnostic handler heard of errors.
class ErrorText {
public:
  explicit ErrorText(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "; ") + diagnostic.str();
          return mlir::success();
        }) {}

  std::string take(llvm::StringRef otherwise) { return text.empty() ? otherwise.str() : text; }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace ufp4

#endif // UFP4_LIB_DRIVER_CALLFUNCTION_H
