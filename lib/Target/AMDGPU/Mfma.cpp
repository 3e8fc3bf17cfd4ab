//===- Mfma.cpp - What MFMAs of 32 x 32 have in common --------------------===//

#include "Mfma.h"

using namespace mlir;
using namespace ufp4::target;

Value Mfma32::addressCodes(KernelBuilder &b, Side side, const WarpTile &tile, Value codes) const {
  static constexpr unsigned rows = LaneMajorStorage::rowsOfGroup;
  Value group = b.mul(tile.firstLineOf(side), tiles.groupBytes / rows);
  return b.at(codes, b.add(group, b.shl(tile.lane, 4)));
}

SmallVector<Value> Mfma32::loadPieces(KernelBuilder &b, Side side, const WarpTile &tile,
                                      const FragmentAddresses &addresses, Value stage,
                                      unsigned step, Type type) const {
  Value pointer = b.at(addresses.codes[0], stage);
  SmallVector<Value> pieces;
  for (unsigned i = 0; i < tile.linesOf(side) / 32; ++i) {
    int32_t offset = i * tiles.groupBytes + step * LaneMajorStorage::pieceBytes;
    pieces.push_back(loadShared(b, type, b.at(pointer, offset), 16));
  }
  return pieces;
}

Value Mfma32::zeros(KernelBuilder &b, int64_t count) {
  return arith::ConstantOp::create(b, b.getZeroAttr(b.vector(count, b.getF32Type())));
}

Value Mfma32::emitMfma(KernelBuilder &b, llvm::StringRef name, Value columns, Value rows,
                       Value sum) {
  Value none = b.i32(0);
  return callIntrinsic(b, sum.getType(), name, {columns, rows, sum, none, none, none});
}
