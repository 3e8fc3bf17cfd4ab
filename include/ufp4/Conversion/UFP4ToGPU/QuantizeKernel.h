//===- QuantizeKernel.h - Quantize kernels for GPUs -------------*- C++ -*-===//
//
// Builds kernels that quantize an array (docs/spec.md Q1 to Q7) along its inner dimension, its
// outer one, or along both from one read, into operand storages, their padding included; and
// kernels that find amax_tensor. Sizes are arguments, so one kernel serves every array.
//
// The array is [G, Outer, Inner], Inner contiguous. Along the inner dimension its view has K =
// Inner and R = Outer; along the outer one it is the transposed view, K = Outer and R = Inner.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_QUANTIZEKERNEL_H
#define UFP4_CONVERSION_UFP4TOGPU_QUANTIZEKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "ufp4/Numerics/Elements.h"
#include "ufp4/Numerics/Groups.h"
#include "ufp4/Target/OperandStorage.h"

namespace ufp4 {

/// The dimension of the input that is K.
enum class QuantizeAxis : uint8_t { Inner, Outer };
llvm::StringRef stringify(QuantizeAxis axis);

/// One operand that a kernel writes.
struct QuantizeDestination {
  numerics::Scheme scheme;
  /// Where codes and scales go; an amax kernel does not look at it.
  const target::OperandStorage *storage = nullptr;
  /// Bits of a random word, 16 or 8, for stochastic rounding; 0 rounds to nearest.
  unsigned randomBits = 0;
  /// Whether a matrix unit may rotate (`evaluation = mma`, Q2); where none does, the definition's
  /// butterflies do.
  bool rotatesByMma = false;
};

struct QuantizeKernelSpec {
  const target::Chip *chip = nullptr;
  /// Of the input.
  numerics::Element element = numerics::Element::BF16;
  /// What is written along each dimension; at least one.
  std::optional<QuantizeDestination> inner, outer;
  /// What Inner, both strides and the input's address, in elements, are known to be multiples of;
  /// of a dimension of one element the stride does not matter. It makes wide loads of narrow ones,
  /// up to 16 bytes.
  unsigned innerMultiple = 1;
  /// How groups lie in the views of the destinations, of which ragged ones have one: each group is
  /// quantized as an array of its own (docs/spec.md G4), and begins a tile of the storage.
  std::optional<numerics::Grouping> grouping;
  /// Of ragged groups: rows of a tile, or its positions along K where groups divide that.
  unsigned groupTile = 0;
  /// Whether the array is gathered: its position along Outer says which row of the input is read.
  bool gathers = false;
  /// In place of a name made of the above.
  std::string name;

  bool isRagged() const { return grouping && *grouping != numerics::Grouping::Stacked; }
  /// Whether ragged groups divide the outer dimension.
  bool dividesOuter() const { return inner.has_value() == (*grouping == numerics::Grouping::Rows); }
  /// Whether there are ragged groups that divide the inner one, where they begin anywhere.
  bool dividesInner() const { return isRagged() && !dividesOuter(); }
  const std::optional<QuantizeDestination> &along(QuantizeAxis axis) const {
    return axis == QuantizeAxis::Inner ? inner : outer;
  }
};

/// What a kernel's argument is. Pointers are to global memory.
enum class QuantizeArgument : uint8_t {
  /// The array, aligned to its element, or to the power of two in `innerMultiple` elements, up to
  /// 16 bytes.
  Input,
  // Those of a destination.
  Codes,  ///< planes of the operand, aligned to 16 bytes; every byte is written
  Scales, ///< the same, where the storage has such a plane
  Amax,   ///< one f32, amax_tensor: read where scales are ue4m3, raised by an amax kernel
  Global, ///< one f32, S: written where scales are ue4m3; these two of each group where there are
  Seed,   ///< i64; this and the next two where rounding is stochastic
  Step,   ///< i32
  Stream, ///< i32
  // Those of the array again.
  Outer,       ///< i32; 0 where G is 0
  Inner,       ///< i32
  StrideBatch, ///< i64, in elements: where [g + 1] begins after [g]
  StrideOuter, ///< i64, in elements: where [outer + 1] begins after [outer]
  // Those of a gathered array.
  Rows,       ///< i32 each: the row of the input that a position along Outer is
  SourceRows, ///< i32, at least 1: how many there are; an index stands for the nearest of them
  // Those of groups.
  Groups,     ///< the table that GroupKernel.h's kernel writes, for ragged ones
  GroupTiles, ///< i32, numerics::groupedTiles: beside it
  GroupCount, ///< i32
  FirstGroup, ///< i64, the global index of the first: where rounding is stochastic
};
llvm::StringRef stringify(QuantizeArgument argument);

struct QuantizeArgumentInfo {
  QuantizeArgument role;
  /// The destination's, of roles that a destination has.
  QuantizeAxis axis = QuantizeAxis::Inner;
};

/// An input's sizes and, in elements, its strides.
struct QuantizeExtents {
  int64_t g, outer, inner, strideBatch, strideOuter;

  /// Of an array without gaps.
  QuantizeExtents(int64_t g, int64_t outer, int64_t inner)
      : QuantizeExtents(g, outer, inner, outer * inner, inner) {}
  QuantizeExtents(int64_t g, int64_t outer, int64_t inner, int64_t strideBatch, int64_t strideOuter)
      : g(g), outer(outer), inner(inner), strideBatch(strideBatch), strideOuter(strideOuter) {}

  numerics::ViewShape view(QuantizeAxis axis) const {
    return axis == QuantizeAxis::Inner ? numerics::ViewShape{g, outer, inner}
                                       : numerics::ViewShape{g, inner, outer};
  }
};

/// How to launch a kernel.
struct QuantizeKernelInfo {
  std::string name;
  /// The arguments in their order.
  llvm::SmallVector<QuantizeArgumentInfo> arguments;
  const target::Chip *chip;
  /// The spec's; without storage for an amax kernel, which writes no operand.
  std::optional<QuantizeDestination> inner, outer;
  /// Threads of a block, along x, and the part of the array that they work on.
  unsigned threads, outerOfBlock, innerOfBlock;
  unsigned dynamicSharedBytes;
  /// Elements of each destination that a thread quantizes in one turn of its loop or, where it has
  /// none, in all: what its instructions are counted by.
  unsigned elementsOfTurn;
  /// See `QuantizeKernelSpec`.
  unsigned innerMultiple;

  const std::optional<QuantizeDestination> &along(QuantizeAxis axis) const {
    return axis == QuantizeAxis::Inner ? inner : outer;
  }
  /// Blocks along x, y and z. Where one is 0 there is nothing to launch. With ue4m3 scales an empty
  /// view has its S, so that there always is a block. What ragged groups divide counts with its
  /// tiles.
  std::array<int64_t, 3> grid(const QuantizeExtents &extents) const;
  /// Nothing where the kernel serves these sizes; otherwise a sentence.
  std::optional<std::string> verifySizes(const QuantizeExtents &extents) const;
};

/// The name that the kernel of a spec gets, by which equal ones can be told. Storages must be given
/// unless it is an amax kernel's.
std::string getKernelName(const QuantizeKernelSpec &spec, bool isAmax);

/// Builds a `gpu.func` at the insertion point, which is in the body of a `gpu.module`, and the
/// module's dynamic shared memory where it is asked for and there is none yet. Emits an error and
/// fails where no kernel can be built of the spec.
mlir::FailureOr<QuantizeKernelInfo>
buildQuantizeKernel(mlir::OpBuilder &builder, mlir::Location loc, const QuantizeKernelSpec &spec);

/// The same for a kernel that raises the f32 at Amax to amax_tensor (Q5) of the one destination of
/// the spec; let it be 0 before. Storage and rounding do not matter.
mlir::FailureOr<QuantizeKernelInfo> buildAmaxKernel(mlir::OpBuilder &builder, mlir::Location loc,
                                                    const QuantizeKernelSpec &spec);

} // namespace ufp4

#endif // UFP4_CONVERSION_UFP4TOGPU_QUANTIZEKERNEL_H
