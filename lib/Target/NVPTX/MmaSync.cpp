//===- MmaSync.cpp - What all mma.sync m16n8 have in common ---------------===//

#include "MmaSync.h"

#include "ufp4/Target/LaneInstructions.h"
#include "ufp4/Target/StorageEmission.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace ufp4::target;

Mma::~Mma() = default;

bool Mma::runsOn(const Chip &chip) const {
  return llvm::any_of(chip.paths, [&](const PathCapability &row) {
    return row.path == path() && row.instruction == instruction();
  });
}

// A matrix load takes two slabs: 2p and 2p + 1 of a group of A, which are one fragment, and p and
// p + 2 of B. The two loads of a group then lie at a constant distance: a folded swizzle (row bit
// 2) differs within loads and not between them.
MmaSync::MmaSync(const TileMajorStorage &tiles, SlabOrder orderOfA, SlabOrder orderOfB)
    : tiles(tiles), orderOfA(orderOfA), orderOfB(orderOfB) {
  assert((orderOfA == SlabOrder::Lanes || !tiles.foldedBit) &&
         "the swizzle would differ between the loads of A");
  assert((tiles.order == TileMajorStorage::LineOrder::Rows ||
          (orderOfA == SlabOrder::Lanes && orderOfB == SlabOrder::Lanes)) &&
         "slabs of pairs would meet in a bank");
}

Value MmaSync::rowInSlab(KernelBuilder &b, Side side, Value row) const {
  if (orderOf(side) == SlabOrder::Lanes)
    return b.shl(row, 2);
  return b.add(b.shl(b.shr(row, 1), 3), b.bitAnd(row, 1));
}

SmallVector<Value> MmaSync::addressCodes(KernelBuilder &b, Side side, const WarpTile &tile,
                                         Value codes) const {
  // ldmatrix takes the address of row l % 8 of matrix l / 8 from lane l. The four matrices are two
  // slabs by the two halves of K, in the order of the fragments' registers.
  Value row = b.bitAnd(tile.lane, 7);
  Value low = b.bitAnd(b.shr(tile.lane, 3), 1), high = b.shr(tile.lane, 4);
  bool isA = side == Side::A;
  Value slab = isA ? low : high, half = isA ? high : low;
  Value first = isA ? tile.firstRow : tile.firstColumn;
  Value inGroup = b.add(rowInSlab(b, side, row), b.mul(slab, firstRow(side, isA ? 1 : 2)));
  Value place = b.add(first, inGroup), swizzle = emitSwizzle(b, tiles, place);
  Value rowPointer = b.at(codes, b.mul(emitLine(b, tiles, place), TileMajorStorage::rowBytes));
  SmallVector<Value> pointers;
  for (unsigned step = 0; step < tiles.depth / k(); ++step) {
    Value chunk = b.bitXor(b.add(half, 2 * step), swizzle);
    pointers.push_back(b.at(rowPointer, b.shl(chunk, llvm::Log2_32(TileMajorStorage::chunkBytes))));
  }
  return pointers;
}

SmallVector<Fragment> MmaSync::loadFragments(KernelBuilder &b, Side side, const WarpTile &tile,
                                             const FragmentAddresses &addresses, Value stage,
                                             unsigned step) const {
  bool isA = side == Side::A;
  unsigned rows = isA ? tile.rows : tile.columns;
  SmallVector<Fragment> fragments(isA ? rows / 16 : rows / 8);
  Value pointer = b.at(addresses.codes[step], stage);
  for (unsigned load = 0; load < rows / 16; ++load) {
    unsigned group = load / 2 * slabsPerGroup, slab = group + load % 2 * (isA ? 2 : 1);
    Value source =
        b.at(pointer, int32_t(tiles.line(firstRow(side, slab)) * TileMajorStorage::rowBytes));
    Fragment registers = emitMatrixLoad(b, source);
    if (isA) {
      fragments[load] = registers;
      continue;
    }
    fragments[slab] = {registers[0], registers[1]};
    fragments[slab + 2] = {registers[2], registers[3]};
  }
  return fragments;
}

Fragment MmaSync::multiplyBF16(KernelBuilder &b, const Fragment &lhs, const Fragment &rhs,
                               const Fragment &c) {
  return emitProductBF16(b, lhs, rhs, c);
}

Accumulators MmaSync::runs(KernelBuilder &b, const WarpTile &tile, ArrayRef<Fragment> sums) const {
  Accumulators all;
  unsigned perRow = tile.columns / n();
  all.row = b.add(tile.firstRow, rowInSlab(b, Side::A, rowOfLane(b, tile)));
  // Rows 2t and 2t + 1 of slab 0 are columns 8t and 8t + 1, or 8t + 4.
  all.column = b.add(tile.firstColumn, b.shl(columnPairOfLane(b, tile), 3));
  for (unsigned slab = 0; slab < tile.rows / 8; ++slab)
    for (unsigned group = 0; group < perRow; group += slabsPerGroup) {
      Accumulators::Run run{firstRow(Side::A, slab), firstRow(Side::B, group), {}};
      run.values.resize(runLength());
      bool isPairs = orderOfB == SlabOrder::Pairs;
      for (unsigned x = 0; x < slabsPerGroup; ++x) {
        SmallVector<Value, 4> registers = registersOfSum(b, sums[slab / 2 * perRow + group + x]);
        for (unsigned i = 0; i < 2; ++i)
          run.values[isPairs ? 2 * x + i : x + slabsPerGroup * i] = registers[slab % 2 * 2 + i];
      }
      all.runs.push_back(std::move(run));
    }
  return all;
}
