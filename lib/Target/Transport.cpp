//===- Transport.cpp - Bringing tiles into shared memory ------------------===//

#include "ufp4/Target/Transport.h"

using namespace mlir;
using namespace ufp4::target;

Transport::~Transport() = default;

SmallVector<Value, 4> ufp4::target::locateFirstTiles(KernelBuilder &b, const TileStream &stream) {
  SmallVector<Value, 4> tiles;
  for (auto [i, bytes] : llvm::enumerate(stream.tileBytes)) {
    if (!bytes)
      continue;
    const TileRows &operand = stream.operands[i % 2];
    Value tile = b.mul(b.widen(operand.line), b.widen(stream.depthTiles));
    if (stream.firstStep)
      tile = b.add(tile, b.widen(stream.firstStep));
    tiles.push_back(b.at(i < 2 ? operand.codes : operand.scales, b.mul(tile, bytes)));
  }
  return tiles;
}
