//===- Mma.h - Matrix instructions ------------------------------*- C++ -*-===//
//
// A matrix instruction as skeletons see it: its shape, which storage feeds it, and code that loads
// its fragments and scales, adds a scaled product to sums, and says which element of C a sum is.
// Where fragments lie in lanes and registers, and whether the instruction applies the scales or
// code behind it, is known to the instance alone.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_MMA_H
#define UFP4_TARGET_MMA_H

#include "ufp4/Target/Capabilities.h"
#include "ufp4/Target/Emission.h"
#include "ufp4/Target/OperandStorage.h"

namespace ufp4::target {

enum class Side : uint8_t { A, B };

/// The part of C that one warp computes, and the lane that emitted code speaks for.
struct WarpTile {
  unsigned rows, columns;
  /// i32: where the part begins in the block's tile, and the lane's number.
  mlir::Value firstRow, firstColumn, lane;

  /// What an operand gives: rows of C or columns, and where they begin.
  unsigned linesOf(Side side) const { return side == Side::A ? rows : columns; }
  mlir::Value firstLineOf(Side side) const { return side == Side::A ? firstRow : firstColumn; }
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

/// Fragments of A and of B for neighbouring steps along K: [step][fragment].
struct StepFragments {
  llvm::SmallVector<llvm::SmallVector<Fragment>, 2> lhs, rhs;
};

/// Scales of A and of B in a lane's registers, as `loadScales` returned them.
struct ScaleRegisters {
  llvm::SmallVector<mlir::Value> lhs, rhs;
};

/// A lane's accumulators, in runs of neighbours in a row of C.
struct Accumulators {
  struct Run {
    /// Where the run begins, from the lane's place on.
    unsigned row, column;
    llvm::SmallVector<mlir::Value, 8> values;
  };
  /// The lane's place: i32, in the block's tile; the column is a multiple of a run's length.
  mlir::Value row, column;
  llvm::SmallVector<Run> runs;
};

class TensorMma;

/// What the chips' table and schedules know of one.
class Mma {
public:
  virtual ~Mma();

  virtual llvm::StringRef name() const = 0;
  /// The row of the chips' table that this is, by its path and its instruction's spelling.
  virtual Path path() const = 0;
  virtual llvm::StringRef instruction() const = 0;
  virtual bool runsOn(const Chip &chip) const;
  /// Whether the instruction exists only where the assembled kernel is rewritten: then there is no
  /// kernel without an assembler.
  virtual bool needsRewrite() const { return false; }
  /// Whether it reads operands of a scheme that the row of the table takes.
  virtual bool takes(const numerics::Scheme &) const { return true; }
  /// Rows and columns of C, and the depth, of one instruction, or of those that take a fragment's
  /// registers together.
  virtual unsigned m() const = 0;
  virtual unsigned n() const = 0;
  virtual unsigned k() const = 0;
  /// The storage of operands that `address` and the loads read.
  virtual const OperandStorage &storage() const = 0;
  /// Rows and columns of a warp's tile must be multiples of these.
  virtual unsigned rowGranule() const = 0;
  virtual unsigned columnGranule() const = 0;
  /// Length of a run of accumulators.
  virtual unsigned runLength() const = 0;
  /// Positions along K that one `accumulate` takes, a multiple of k() or a part of it, and those
  /// that one `loadScales` serves, a multiple of both.
  virtual unsigned productDepth(unsigned block) const = 0;
  virtual unsigned scalesDepth(unsigned block) const = 0;
  /// 32-bit registers of a lane: accumulators, and fragments and scales that are live with them.
  virtual unsigned accumulatorRegisters(unsigned rows, unsigned columns) const = 0;
  virtual unsigned operandRegisters(unsigned rows, unsigned columns) const = 0;

  /// Null where accumulators are registers.
  virtual const TensorMma *asTensor() const { return nullptr; }
  /// Warps of a block beside those that the accumulators are spread over.
  virtual unsigned helperWarps() const { return 0; }
  /// What stages begin at multiples of.
  virtual unsigned stageAlignment() const { return 1; }
  /// Columns of tensor memory for a block's tile of C and what a ring of stages has in them.
  virtual unsigned tensorColumns(unsigned /*rows*/, unsigned /*columns*/,
                                 unsigned /*stages*/) const {
    return 0;
  }
  /// What the sums are to be multiplied by, a power of two: not 1 where codes stand for other
  /// numbers in the storage.
  virtual float factor(const numerics::Scheme &) const { return 1; }
};

/// Fragments and accumulators are registers of the warps.
class FragmentMma : public Mma {
public:
  /// A lane's addresses, given pointers to an operand's codes and scales in stage 0.
  virtual FragmentAddresses address(KernelBuilder &b, Side side, const WarpTile &tile,
                                    mlir::Value codes, mlir::Value scales) const = 0;
  /// The fragments of one step along K, in the order of rows (of A) or columns (of B). `stage` is
  /// the byte offset of the stage.
  virtual llvm::SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side,
                                                    const WarpTile &tile,
                                                    const FragmentAddresses &addresses,
                                                    mlir::Value stage, unsigned step) const = 0;
  /// The scales of positions `group` · scalesDepth on.
  virtual llvm::SmallVector<mlir::Value> loadScales(KernelBuilder &b, Side side,
                                                    const WarpTile &tile,
                                                    const FragmentAddresses &addresses,
                                                    mlir::Value stage, unsigned group) const = 0;
  /// Makes of the fragments of product number `product` of those that `scales` serve what
  /// `accumulate` takes: [step][fragment]. Nothing where that is what was loaded.
  virtual void prepare(KernelBuilder &, Side, const WarpTile &, unsigned /*product*/,
                       llvm::ArrayRef<mlir::Value> /*scales*/,
                       llvm::SmallVectorImpl<llvm::SmallVector<Fragment>> &) const {}
  /// The sums of a fragment of C before the first product.
  virtual Fragment zero(KernelBuilder &b) const = 0;
  /// sum + the scaled product of fragment i of A and j of B along the steps of `operands`, which
  /// are number `product` of those that `scales` serve.
  virtual Fragment accumulate(KernelBuilder &b, unsigned i, unsigned j, unsigned product,
                              const StepFragments &operands, const ScaleRegisters &scales,
                              const Fragment &sum) const = 0;
  /// The sums of a warp's tile, fragment (i, j) at i · (columns / n) + j, as runs in C.
  virtual Accumulators runs(KernelBuilder &b, const WarpTile &tile,
                            llvm::ArrayRef<Fragment> sums) const = 0;
};

/// mma.sync m16n8k16 on bf16 with f32 accumulators, from tile-major storage, scaling by f32 FMA.
const Mma &mmaBF16Post();
/// The same with FMAs on pairs of f32.
const Mma &mmaBF16PostPairs();
/// mma.sync m16n8k16 on products of codes and scales, from folded storage: no scales of its own.
const Mma &mmaBF16Fold();
/// mma.sync m16n8k16 on bf16 from 4-bit storage, codes of e1m2 times their ue4m3 scales in
/// registers; and the same with scales by words.
const Mma &mmaBF16FoldCodes();
const Mma &mmaBF16FoldCodesByWords();
/// v_mfma_f32_32x32x16_fp8_fp8, scaling by f32 FMA with outer products of scales; FP8 as the chip
/// has it, or in its fnuz form.
const Mma &mmaFP8Post();
const Mma &mmaFP8FnuzPost();
/// v_mfma_f32_32x32x16_bf16, or two of half the depth, on products of codes and scales.
const Mma &mmaMfmaFold16();
const Mma &mmaMfmaFold8();
/// v_mfma_scale_f32_32x32x64_f8f6f4: ue8m0 scales per 32. On E2M1; on E2M3 made of 4 bits, of e1m2;
/// and on E2M3, which holds codes of either format.
const Mma &mmaMfmaE2M1();
const Mma &mmaMfmaE2M3Split();
const Mma &mmaMfmaE2M3();
/// v_wmma_f32_16x16x32_bf16 on products of codes and scales.
const Mma &mmaWmmaFold();
/// v_wmma_scale_f32_16x16x128_f8f6f4: ue8m0 scales per 32; and v_wmma_scale16_f32_16x16x128_f8f6f4:
/// per 16. On E2M1, which takes ue4m3 scales as well, and on E2M3 made of 4 bits, of e1m2.
const Mma &mmaWmmaE2M1Scaled32();
const Mma &mmaWmmaE2M1Scaled16();
const Mma &mmaWmmaE2M1Scaled16UE4M3();
const Mma &mmaWmmaE2M3Scaled32();
const Mma &mmaWmmaE2M3Scaled16();
/// Block-scaled mma.sync m16n8k64 on E2M1: ue4m3 scales per 16 and ue8m0 scales per 32.
const Mma &mmaE2M1Scaled4X();
const Mma &mmaE2M1Scaled2X();
/// The first of these on the uniform grid: E0M3, an undocumented encoding of the same instruction.
const Mma &mmaE0M3Scaled4X();
/// Block-scaled mma.sync m16n8k32 on E2M3, which holds codes of either format: ue8m0 scales per 32.
const Mma &mmaE2M3Scaled1X();
/// tcgen05.mma on E2M1 (NVPTX/TensorMma.h): ue4m3 scales per 16 and ue8m0 scales per 32.
const Mma &tensorMmaE2M1Scaled16();
const Mma &tensorMmaE2M1Scaled32();
/// The first of these on the uniform grid, which its descriptor says in an undocumented way.
const Mma &tensorMmaE0M3Scaled16();
/// tcgen05.mma on E2M3, which holds codes of either format: ue8m0 scales per 32.
const Mma &tensorMmaE2M3Scaled32();

} // namespace ufp4::target

#endif // UFP4_TARGET_MMA_H
