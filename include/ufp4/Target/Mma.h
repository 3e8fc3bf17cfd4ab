//===- Mma.h - Matrix instructions ------------------------------*- C++ -*-===//
//
// A matrix instruction as skeletons see it: its shape, how scales meet its products, which storage
// feeds it, and code that loads its fragments, multiplies, and says which element of C an
// accumulator is. Where fragments lie in lanes and registers is known to the instance alone.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_MMA_H
#define UFP4_TARGET_MMA_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Emission.h"
#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

enum class Side : uint8_t { A, B };

enum class ScaleMode : uint8_t {
  /// The instruction applies the scales.
  Fused,
  /// It multiplies codes; each block's products are scaled in f32 and added there.
  Post,
};

/// The part of C that one warp computes, and the lane that emitted code speaks for.
struct WarpTile {
  unsigned rows, columns;
  /// i32: where the part begins in the block's tile, and the lane's number.
  mlir::Value firstRow, firstColumn, lane;
};

/// A lane's addresses into an operand's tile in shared memory, the same for every stage but for its
/// offset.
struct FragmentAddresses {
  /// One pointer for each step of the instruction along the tile's K.
  llvm::SmallVector<mlir::Value> codes;
  /// One pointer for each scale vector that a lane loads.
  llvm::SmallVector<mlir::Value> scales;
};

/// Registers of one fragment.
using Fragment = llvm::SmallVector<mlir::Value, 4>;

/// Accumulators of one lane that are neighbours in a row of C.
struct AccumulatorRun {
  mlir::Value row, column; ///< i32, of the first one, in the block's tile
  llvm::SmallVector<mlir::Value, 8> values;
};

class Mma {
public:
  virtual ~Mma();

  virtual llvm::StringRef name() const = 0;
  virtual bool runsOn(const Chip &chip) const = 0;
  virtual ScaleMode scaleMode() const = 0;
  /// Rows and columns of C, and the depth, of one instruction.
  virtual unsigned m() const = 0;
  virtual unsigned n() const = 0;
  virtual unsigned k() const = 0;
  /// The storage of operands that `address` and the loads read.
  virtual const OperandStorage &storage() const = 0;
  /// Rows and columns of a warp's tile must be multiples of these.
  virtual unsigned rowGranule() const = 0;
  virtual unsigned columnGranule() const = 0;
  /// Length of an AccumulatorRun.
  virtual unsigned runLength() const = 0;
  /// 32-bit registers of a lane: accumulators, and the fragments and scales of one step of K.
  virtual unsigned accumulatorRegisters(unsigned rows, unsigned columns) const = 0;
  virtual unsigned fragmentRegisters(unsigned rows, unsigned columns) const = 0;

  /// A lane's addresses, given pointers to an operand's codes and scales in stage 0.
  virtual FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile,
                                    mlir::Value codes, mlir::Value scales) const = 0;
  /// The fragments of one step along K, in the order of rows (of A) or columns (of B). `stage` is
  /// the byte offset of the stage.
  virtual llvm::SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side,
                                                    const WarpTile &tile,
                                                    const FragmentAddresses &addresses,
                                                    mlir::Value stage, unsigned step) const = 0;
  /// The scales of one block along K, in the order in which `scale` takes them.
  virtual llvm::SmallVector<mlir::Value> loadScales(KernelBuilder &b, Side side,
                                                    const WarpTile &tile,
                                                    const FragmentAddresses &addresses,
                                                    mlir::Value stage, unsigned line) const = 0;
  /// a · b + c on one fragment of each; an empty `c` is zero.
  virtual Fragment multiply(KernelBuilder &b, const Fragment &lhs, const Fragment &rhs,
                            const Fragment &c) const = 0;
  /// The sums of a fragment of C before the first product.
  virtual Fragment zero(KernelBuilder &b) const = 0;
  /// ScaleMode::Post: sum + product · (s_a · s_b) for fragment (i, j) of C.
  virtual Fragment scale(KernelBuilder &b, unsigned i, unsigned j, const Fragment &product,
                         mlir::ValueRange scalesA, mlir::ValueRange scalesB,
                         const Fragment &sum) const = 0;
  /// The sums of a warp's tile, fragment (i, j) at i · (columns / n) + j, as runs in C.
  virtual llvm::SmallVector<AccumulatorRun> runs(KernelBuilder &b, const WarpTile &tile,
                                                 llvm::ArrayRef<Fragment> sums) const = 0;
};

/// mma.sync m16n8k16 on bf16 with f32 accumulators, from tile-major storage, scaling by f32 FMA.
const Mma &mmaBF16Post();
/// The same with FMAs on pairs of f32.
const Mma &mmaBF16PostPairs();

} // namespace ufp4::target

#endif // UFP4_TARGET_MMA_H
