//===- Transport.cpp - Bringing tiles into shared memory ------------------===//

#include "ufp4/Target/Transport.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4::target;

Transport::~Transport() = default;

SmallVector<Value, 4> ufp4::target::locateFirstTiles(KernelBuilder &b, const TileStream &stream) {
  unsigned tileRows = stream.storage->tile(stream.scheme)->rows;
  SmallVector<Value, 4> tiles;
  for (auto [i, bytes] : llvm::enumerate(stream.tileBytes)) {
    if (!bytes)
      continue;
    const TileRows &operand = stream.operands[i % 2];
    Value rowTiles = b.shr(b.add(operand.rows, tileRows - 1), llvm::Log2_32(tileRows));
    for (unsigned j = 0; j < operand.tiles; ++j) {
      Value rowTile = operand.tile;
      if (operand.tiles > 1)
        rowTile = b.createOrFold<arith::MinUIOp>(b.add(b.mul(rowTile, operand.tiles), j),
                                                 b.sub(rowTiles, b.i32(1)));
      Value line = b.add(b.mul(stream.batch, rowTiles), rowTile);
      Value tile = b.mul(b.widen(line), b.widen(stream.depthTiles));
      tiles.push_back(
          b.at(i < 2 ? operand.codes : operand.scales, b.mul(tile, bytes / operand.tiles)));
    }
  }
  return tiles;
}
