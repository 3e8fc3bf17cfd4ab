//===- Transport.cpp - Bringing tiles into shared memory ------------------===//

#include "ufp4/Target/Transport.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ufp4::target;

Transport::~Transport() = default;

SmallVector<Value, 2> ufp4::target::locateLines(KernelBuilder &b, Value matrix, Value rows,
                                                Value tile, unsigned tileRows, unsigned tiles) {
  Value rowTiles = b.shr(b.add(rows, tileRows - 1), llvm::Log2_32(tileRows));
  Value first = b.mul(matrix, rowTiles);
  if (tiles == 1)
    return {b.add(first, tile)};
  SmallVector<Value, 2> lines;
  for (unsigned i = 0; i < tiles; ++i) {
    Value line =
        b.createOrFold<arith::MinUIOp>(b.add(b.mul(tile, tiles), i), b.sub(rowTiles, b.i32(1)));
    lines.push_back(b.add(first, line));
  }
  return lines;
}

SmallVector<Value, 4> ufp4::target::locateFirstTiles(KernelBuilder &b, const TileStream &stream) {
  SmallVector<Value, 4> tiles;
  for (auto [i, bytes] : llvm::enumerate(stream.tileBytes)) {
    if (!bytes)
      continue;
    const TileRows &operand = stream.operands[i % 2];
    ArrayRef<Value> lines = operand.linesOf(i < 2);
    for (Value line : lines) {
      Value tile = b.mul(b.widen(line), b.widen(stream.depthTiles));
      if (stream.firstStep)
        tile = b.add(tile, b.widen(stream.firstStep));
      tiles.push_back(b.at(i < 2 ? operand.codes : operand.scales,
                           b.mul(tile, bytes / int64_t(lines.size()))));
    }
  }
  return tiles;
}
