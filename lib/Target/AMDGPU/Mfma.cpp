//===- Mfma.cpp - What MFMAs of 32 x 32 have in common --------------------===//

#include "Mfma.h"

using namespace mlir;
using namespace ufp4::target;

Value Mfma32::addressCodes(KernelBuilder &b, Side side, const WarpTile &tile, Value codes) const {
  static constexpr unsigned rows = LaneMajorStorage::rowsOfGroup;
  Value group = b.mul(firstRowOf(side, tile), tiles.groupBytes / rows);
  return b.at(codes, b.add(group, b.shl(tile.lane, 4)));
}

SmallVector<Value> Mfma32::loadPieces(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step, Type type) const {
  Value pointer = b.at(addresses.codes[0], stage);
  SmallVector<Value> pieces;
  for (unsigned i = 0; i < rowsOf(side, tile) / 32; ++i) {
    int32_t offset = i * tiles.groupBytes + step * LaneMajorStorage::pieceBytes;
    pieces.push_back(loadShared(b, type, b.at(pointer, offset), 16));
  }
  return pieces;
}

Accumulators Mfma32::runs(KernelBuilder &b, const WarpTile &tile, ArrayRef<Fragment> sums) const {
  Accumulators all;
  all.row = b.add(tile.firstRow, b.bitAnd(tile.lane, 31));
  all.column = b.add(tile.firstColumn, b.shl(b.shr(tile.lane, 5), 2));
  unsigned perRow = tile.columns / 32;
  for (unsigned i = 0; i < tile.rows / 32; ++i)
    for (unsigned j = 0; j < perRow; ++j)
      for (unsigned group = 0; group < 4; ++group) {
        Accumulators::Run run{32 * i, 32 * j + 8 * group, {}};
        for (unsigned r = 0; r < 4; ++r)
          run.values.push_back(b.element(sums[i * perRow + j][0], 4 * group + r));
        all.runs.push_back(std::move(run));
      }
  return all;
}

Value Mfma32::zeros(KernelBuilder &b, int64_t count) {
  return arith::ConstantOp::create(b, b.getZeroAttr(b.vector(count, b.getF32Type())));
}

Value Mfma32::emitMfma(KernelBuilder &b, llvm::StringRef name, Value columns, Value rows,
                       Value sum) {
  Value none = b.i32(0);
  return callIntrinsic(b, sum.getType(), name, {columns, rows, sum, none, none, none});
}
