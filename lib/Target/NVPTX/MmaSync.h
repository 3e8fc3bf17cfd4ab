//===- MmaSync.h - What all mma.sync m16n8 have in common -------*- C++ -*-===//
//
// Lane l = 4g + t holds rows g and g + 8 of a fragment of A, column g of one of B, and of C columns
// 2t and 2t + 1 of rows g and g + 8 (PTX ISA, "Matrix Fragments for mma"). A fragment of A or B is
// 32 bytes deep whatever its elements are, so matrix loads of 8 rows x 16 bytes serve all.
//
// Which row of the operand the row of a fragment is, is free. Call eight rows that a matrix load
// takes together a slab: fragment i of A is slabs 2i and 2i + 1, fragment j of B is slab j. Four
// slabs are 32 rows, in one of two orders. Row g of slab x is
//   Pairs: 8(g / 2) + 2x + g % 2, so a lane's sums of four slabs of B are eight neighbours in a row
//          of C, columns 2t and 2t + 1 of a slab adjacent;
//   Lanes: 4g + x, so what a lane holds per row of four slabs are four neighbours, and its sums of
//          four slabs of B the same eight: columns 8t + x and 8t + 4 + x of slab x.
// Slabs of lanes are neighbouring lines of storages in the order of fours, which have no others.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TARGET_NVPTX_MMASYNC_H
#define UFP4_LIB_TARGET_NVPTX_MMASYNC_H

#include "ufp4/Target/Mma.h"

namespace ufp4::target {

class MmaSync : public FragmentMma {
public:
  unsigned m() const override { return 16; }
  unsigned n() const override { return 8; }
  unsigned k() const override { return tiles.chunkDepth * 2; }
  const OperandStorage &storage() const override { return tiles; }
  unsigned rowGranule() const override { return rowsPerGroup; }
  unsigned columnGranule() const override { return rowsPerGroup; }
  unsigned runLength() const override { return 2 * slabsPerGroup; }
  unsigned accumulatorRegisters(unsigned rows, unsigned columns) const override {
    return rows * columns / 32;
  }

  llvm::SmallVector<Fragment> loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                            const FragmentAddresses &addresses, mlir::Value stage,
                                            unsigned step) const override;
  Accumulators runs(KernelBuilder &b, const WarpTile &tile,
                    llvm::ArrayRef<Fragment> sums) const override;

protected:
  enum class SlabOrder : uint8_t { Pairs, Lanes };
  static constexpr unsigned slabsPerGroup = 4, rowsPerGroup = 32;

  MmaSync(const TileMajorStorage &tiles, SlabOrder orderOfA, SlabOrder orderOfB);

  /// FragmentAddresses::codes.
  llvm::SmallVector<mlir::Value> addressCodes(KernelBuilder &b, Side side, const WarpTile &tile,
                                              mlir::Value codes) const;
  /// Registers of a fragment of C: rows g (first half) and g + 8, columns 2t and 2t + 1 of each.
  virtual llvm::SmallVector<mlir::Value, 4> registersOfSum(KernelBuilder &b,
                                                           const Fragment &sum) const {
    return sum;
  }
  /// a · b + c of m16n8k16 on bf16.
  static Fragment multiplyBF16(KernelBuilder &b, const Fragment &lhs, const Fragment &rhs,
                               const Fragment &c);
  static mlir::Value rowOfLane(KernelBuilder &b, const WarpTile &tile) {
    return b.shr(tile.lane, 2);
  }
  static mlir::Value columnPairOfLane(KernelBuilder &b, const WarpTile &tile) {
    return b.bitAnd(tile.lane, 3);
  }

private:
  SlabOrder orderOf(Side side) const { return side == Side::A ? orderOfA : orderOfB; }
  static unsigned stride(SlabOrder order) { return order == SlabOrder::Pairs ? 2 : 1; }
  /// The first row of a slab.
  unsigned firstRow(Side side, unsigned slab) const {
    return slab / slabsPerGroup * rowsPerGroup + slab % slabsPerGroup * stride(orderOf(side));
  }
  /// A row of slab 0.
  mlir::Value rowInSlab(KernelBuilder &b, Side side, mlir::Value row) const;
  const TileMajorStorage &tiles;
  const SlabOrder orderOfA, orderOfB;
};

} // namespace ufp4::target

#endif // UFP4_LIB_TARGET_NVPTX_MMASYNC_H
