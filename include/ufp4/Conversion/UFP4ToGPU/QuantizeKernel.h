//===- QuantizeKernel.h - Quantize kernels for GPUs -------------*- C++ -*-===//
//
// Builds kernels that quantize a tensor whose K is innermost in memory (docs/spec.md Q1 to Q7) into
// an operand storage, its padding included, and kernels that find amax_tensor. Sizes are arguments,
// so one kernel serves every G, R and K.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_QUANTIZEKERNEL_H
#define UFP4_CONVERSION_UFP4TOGPU_QUANTIZEKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "ufp4/Numerics/Elements.h"
#include "ufp4/Target/OperandStorage.h"

namespace ufp4 {

struct QuantizeKernelSpec {
  const target::Chip *chip = nullptr;
  /// With 1-D blocks.
  numerics::Scheme scheme;
  /// Of the input.
  numerics::Element element = numerics::Element::BF16;
  /// Where codes and scales go.
  const target::OperandStorage *storage = nullptr;
  /// Bits of a random word, 16 or 8, for stochastic rounding; 0 rounds to nearest.
  unsigned randomBits = 0;
  /// What K is known to be a multiple of. 16 bytes of elements make loads of 16 bytes of single
  /// ones, and a whole run (`QuantizeKernelInfo::run`) needs no checks within it.
  unsigned depthMultiple = 1;
  /// In place of a name made of the above.
  std::string name;
};

/// What a kernel's argument is. Pointers are to global memory, aligned to 16 bytes; those to one
/// f32 to 4.
enum class QuantizeArgument : uint8_t {
  Input, ///< [G, R, K], row-major
  Codes, ///< planes of the operand in `QuantizeKernelInfo::storage`; every byte is written
  Scales,
  Amax,   ///< one f32, amax_tensor: read where scales are ue4m3, raised by an amax kernel
  Global, ///< one f32, S: written where scales are ue4m3
  Rows,   ///< i32, R; 0 where G is 0
  Depth,  ///< i32, K
  Seed,   ///< i64; this and the next two where rounding is stochastic
  Step,   ///< i32
  Stream, ///< i32
};
llvm::StringRef stringify(QuantizeArgument argument);

/// How to launch a kernel.
struct QuantizeKernelInfo {
  std::string name;
  /// The arguments in their order.
  llvm::SmallVector<QuantizeArgument> arguments;
  const target::Chip *chip;
  numerics::Scheme scheme;
  /// Null for an amax kernel, which writes no operand.
  const target::OperandStorage *storage;
  /// Positions along K that one thread works on: the longer of rotation and block.
  unsigned run;
  /// Threads of a block, along x, and the part of the view that they work on.
  unsigned threads, rowsOfBlock, depthOfBlock;
  /// What K must be a multiple of.
  unsigned depthMultiple;

  /// Blocks along x, y and z. Where one is 0 there is nothing to launch. With ue4m3 scales an empty
  /// view has its S, so that there always is a block.
  std::array<int64_t, 3> grid(numerics::ViewShape shape) const;
  /// Nothing where the kernel serves these sizes; otherwise a sentence.
  std::optional<std::string> verifySizes(numerics::ViewShape shape) const;
};

/// Builds a `gpu.func` at the insertion point, which is in the body of a `gpu.module`. Emits an
/// error and fails where no kernel can be built of the spec.
mlir::FailureOr<QuantizeKernelInfo>
buildQuantizeKernel(mlir::OpBuilder &builder, mlir::Location loc, const QuantizeKernelSpec &spec);

/// The same for a kernel that raises the f32 at Amax to amax_tensor (Q5); let it be 0 before.
/// Storage and rounding of the spec do not matter.
mlir::FailureOr<QuantizeKernelInfo> buildAmaxKernel(mlir::OpBuilder &builder, mlir::Location loc,
                                                    const QuantizeKernelSpec &spec);

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_QUANTIZEKERNEL_H
