//===- VectorShuffles.cpp - vectors joined, interleaved, transposed -------===//

#include "VectorShuffles.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace ufp4;

int64_t ufp4::lanesOf(Value vector) { return cast<VectorType>(vector.getType()).getDimSize(0); }

/// a[0] b[0] a[1] b[1] ..
static Value interleavePair(ImplicitLocOpBuilder &b, Value x, Value y) {
  SmallVector<int64_t> mask;
  for (int64_t i = 0, lanes = lanesOf(x); i < lanes; ++i)
    mask.append({i, lanes + i});
  return vector::ShuffleOp::create(b, x, y, mask);
}

Value ufp4::interleave(ImplicitLocOpBuilder &b, SmallVector<Value> vectors) {
  for (; vectors.size() > 1; vectors.truncate(vectors.size() / 2))
    for (size_t i = 0, half = vectors.size() / 2; i < half; ++i)
      vectors[i] = interleavePair(b, vectors[i], vectors[i + half]);
  return vectors.front();
}

SmallVector<Value> ufp4::joinRows(ImplicitLocOpBuilder &b, ArrayRef<Value> rows, int64_t lanes) {
  size_t count = rows.size() * lanesOf(rows[0]) / lanes;
  SmallVector<Value> joined;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<Value> parts;
    for (size_t j = i; j < rows.size(); j += count)
      parts.push_back(rows[j]);
    for (; parts.size() > 1; parts.truncate(parts.size() / 2)) {
      SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(2 * lanesOf(parts[0])));
      for (size_t j = 0; j < parts.size() / 2; ++j)
        parts[j] = vector::ShuffleOp::create(b, parts[2 * j], parts[2 * j + 1], all);
    }
    joined.push_back(parts.front());
  }
  return joined;
}

SmallVector<Value> ufp4::transpose(ImplicitLocOpBuilder &b, SmallVector<Value> rows) {
  int64_t columns = lanesOf(rows[0]), lanes = rows.size();
  // The high bits of a row's number become those of a lane; then exchange bit by bit the low ones
  // with those of the lane, the column's number.
  rows = joinRows(b, rows, lanes);
  for (int64_t bit = 1; bit < columns; bit *= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      low.push_back(lane & bit ? lanes + (lane ^ bit) : lane);
      high.push_back(lane & bit ? lanes + lane : lane | bit);
    }
    for (int64_t i = 0; i < columns; ++i) {
      if (i & bit)
        continue;
      Value x = rows[i], y = rows[i | bit];
      rows[i] = vector::ShuffleOp::create(b, x, y, low);
      rows[i | bit] = vector::ShuffleOp::create(b, x, y, high);
    }
  }
  return rows;
}
