//===- Transport.cpp - Bringing tiles into shared memory ------------------===//

#include "ufp4/Target/Transport.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4::target;

Transport::~Transport() = default;

std::array<Value, 4> ufp4::target::locateFirstTiles(KernelBuilder &b, const TileStream &stream) {
  unsigned tileRows = stream.storage->tile(stream.scheme)->rows;
  std::array<Value, 4> tiles;
  for (auto [side, operand] : llvm::enumerate(stream.operands)) {
    Value rowTiles = b.shr(b.add(operand.rows, tileRows - 1), llvm::Log2_32(tileRows));
    Value line = b.add(b.mul(stream.batch, rowTiles), operand.tile);
    Value tile = b.mul(b.widen(line), b.widen(stream.depthTiles));
    tiles[side] = b.at(operand.codes, b.mul(tile, stream.tileBytes[side]));
    tiles[side + 2] = b.at(operand.scales, b.mul(tile, stream.tileBytes[side + 2]));
  }
  return tiles;
}
