//===- Gemm.cpp - The CPU's f32 GEMM, emitted on tensors ------------------===//
//
// Loops: one over g, chunks of rows and panels of columns, whose trips may share threads; block of
// K, block of rows, and k innermost with the accumulators as vectors in iter_args. A chunk stays in
// the second cache while panels pass over it, a panel's K block in the first while the chunk does.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Conversion/CPU/Gemm.h"
#include "ufp4/Conversion/Parallel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace ufp4 {

GemmTile GemmTile::fittedTo(int64_t m, int64_t n) const {
  GemmTile fitted = *this;
  if (!ShapedType::isDynamic(n))
    while (fitted.columns > 8 && fitted.columns / 2 >= n)
      fitted.columns /= 2;
  if (ShapedType::isDynamic(m))
    return fitted;
  if (m < rows) {
    fitted.rows = std::max<int64_t>(m, 1);
    return fitted;
  }
  for (int64_t r = rows; r >= std::max<int64_t>(4, rows / 2); --r)
    if (m % r == 0) {
      fitted.rows = r;
      break;
    }
  return fitted;
}

static RankedTensorType tensorType(Value v) { return cast<RankedTensorType>(v.getType()); }

static Value zeroF32(OpBuilder &b, Location loc) {
  return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
}

static OpFoldResult ceilDiv(OpBuilder &b, Location loc, OpFoldResult size, int64_t by) {
  AffineExpr s = b.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(b, loc, s.ceilDiv(by), {size});
}

static OpFoldResult scaled(OpBuilder &b, Location loc, OpFoldResult size, int64_t by) {
  AffineExpr s = b.getAffineSymbolExpr(0);
  return affine::makeComposedFoldedAffineApply(b, loc, s * by, {size});
}

/// Pads dimension `dim` with zeros at its end to a multiple of `multiple`.
static Value padToMultiple(OpBuilder &b, Location loc, Value v, int64_t dim, int64_t multiple) {
  RankedTensorType type = tensorType(v);
  if (!type.isDynamicDim(dim) && type.getDimSize(dim) % multiple == 0)
    return v;
  if (multiple == 1)
    return v;
  OpFoldResult size = tensor::getMixedSize(b, loc, v, dim);
  AffineExpr s = b.getAffineSymbolExpr(0);
  OpFoldResult high =
      affine::makeComposedFoldedAffineApply(b, loc, s.ceilDiv(multiple) * multiple - s, {size});
  SmallVector<int64_t> shape(type.getShape());
  if (!type.isDynamicDim(dim))
    shape[dim] = llvm::alignTo(shape[dim], multiple);
  SmallVector<OpFoldResult> low(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> highs(type.getRank(), b.getIndexAttr(0));
  highs[dim] = high;
  return tensor::PadOp::create(b, loc, type.clone(shape), v, low, highs, zeroF32(b, loc));
}

Value emitPackPanels(OpBuilder &b, Location loc, Value rhs, int64_t columns) {
  OpFoldResult panelCount = ceilDiv(b, loc, tensor::getMixedSize(b, loc, rhs, 1), columns);
  rhs = padToMultiple(b, loc, rhs, 1, columns);
  OpFoldResult g = tensor::getMixedSize(b, loc, rhs, 0);
  OpFoldResult k = tensor::getMixedSize(b, loc, rhs, 2);
  SmallVector<OpFoldResult> splitSizes{g, panelCount, b.getIndexAttr(columns), k};
  SmallVector<int64_t> splitShape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(splitSizes, dynamicSizes, splitShape);
  SmallVector<ReassociationIndices> split{{0}, {1, 2}, {3}};
  Value source = tensor::ExpandShapeOp::create(
      b, loc, RankedTensorType::get(splitShape, b.getF32Type()), rhs, split, splitSizes);
  Value init =
      tensor::EmptyOp::create(b, loc, {g, panelCount, k, b.getIndexAttr(columns)}, b.getF32Type());
  AffineExpr d0, d1, d2, d3;
  bindDims(b.getContext(), d0, d1, d2, d3);
  SmallVector<AffineMap> maps{AffineMap::get(4, 0, {d0, d1, d3, d2}, b.getContext()),
                              b.getMultiDimIdentityMap(4)};
  SmallVector<utils::IteratorType> iterators(4, utils::IteratorType::parallel);
  auto pack =
      linalg::GenericOp::create(b, loc, init.getType(), ValueRange{source}, ValueRange{init}, maps,
                                iterators, [](OpBuilder &nested, Location l, ValueRange args) {
                                  linalg::YieldOp::create(nested, l, args[0]);
                                });
  return pack.getResult(0);
}

namespace {
/// Rows, at most, that pass over a panel while the panel's K block lies in the first cache.
constexpr int64_t kRowsInCache = 64;

/// Emits nested loops that carry one tensor; each `enter` goes one loop deeper.
class TensorLoops {
public:
  TensorLoops(OpBuilder &b, Location loc, Value carried) : b(b), loc(loc), current(carried) {}

  /// Opens a loop over [lower, upper) by `step`, and returns its induction variable.
  Value enter(Value lower, Value upper, int64_t step = 1) {
    Value stepValue = arith::ConstantIndexOp::create(b, loc, step);
    auto loop = scf::ForOp::create(b, loc, lower, upper, stepValue, ValueRange{current});
    loops.push_back(loop);
    b.setInsertionPointToStart(loop.getBody());
    current = loop.getRegionIterArg(0);
    return loop.getInductionVar();
  }

  /// Closes every loop around the innermost result, and returns the outermost one's.
  Value finish(Value innermost) {
    Value result = innermost;
    for (scf::ForOp loop : llvm::reverse(loops)) {
      scf::YieldOp::create(b, loc, result);
      b.setInsertionPointAfter(loop);
      result = loop.getResult(0);
    }
    return result;
  }

  Value carried() const { return current; }
  scf::ForOp outermost() const { return loops.front(); }

private:
  OpBuilder &b;
  Location loc;
  Value current;
  SmallVector<scf::ForOp> loops;
};
} // namespace

Value emitPackedGemm(OpBuilder &b, Location loc, Value lhs, Value panels, OpFoldResult n, Value acc,
                     const GemmTile &tile) {
  OpFoldResult g = tensor::getMixedSize(b, loc, lhs, 0);
  OpFoldResult m = tensor::getMixedSize(b, loc, lhs, 1);
  OpFoldResult k = tensor::getMixedSize(b, loc, lhs, 2);
  if (llvm::any_of(SmallVector<OpFoldResult>{g, m, n, k},
                   [](OpFoldResult size) { return getConstantIntValue(size) == 0; })) {
    if (acc)
      return acc;
    Value empty = tensor::EmptyOp::create(b, loc, {g, m, n}, b.getF32Type());
    return linalg::FillOp::create(b, loc, zeroF32(b, loc), empty).getResult(0);
  }
  OpFoldResult panelCount = tensor::getMixedSize(b, loc, panels, 1);
  OpFoldResult rowBlocks = ceilDiv(b, loc, m, tile.rows);
  lhs = padToMultiple(b, loc, lhs, 1, tile.rows);

  std::optional<int64_t> staticK = getConstantIntValue(k);
  Value result;
  if (acc) {
    result = padToMultiple(b, loc, acc, 1, tile.rows);
    result = padToMultiple(b, loc, result, 2, tile.columns);
  } else {
    result = tensor::EmptyOp::create(
        b, loc, {g, scaled(b, loc, rowBlocks, tile.rows), scaled(b, loc, panelCount, tile.columns)},
        b.getF32Type());
    // Nothing else would write a result whose K turns out to be 0.
    if (!staticK)
      result = linalg::FillOp::create(b, loc, zeroF32(b, loc), result).getResult(0);
  }
  bool startsFromResult = acc || !staticK;

  auto asValue = [&](OpFoldResult size) { return getValueOrCreateConstantIndexOp(b, loc, size); };
  auto constant = [&](int64_t i) -> Value { return arith::ConstantIndexOp::create(b, loc, i); };
  bool blockedK = !staticK || *staticK > tile.depth;
  Value kEnd = asValue(k);
  Value zero = constant(0), one = constant(1);
  Value pad = zeroF32(b, loc);
  auto vectorType = VectorType::get({tile.columns}, b.getF32Type());
  SmallVector<bool> inBounds{true};

  // Rows by panels of the result, whose elements no two trips share.
  int64_t rowsInChunk = std::max(kRowsInCache / tile.rows, int64_t(1)) * tile.rows;
  Value paddedRows = asValue(scaled(b, loc, rowBlocks, tile.rows));
  Value ofColumns = asValue(panelCount);
  Value perGroup = arith::MulIOp::create(
      b, loc, arith::CeilDivUIOp::create(b, loc, paddedRows, constant(rowsInChunk)), ofColumns);
  TensorLoops loops(b, loc, result);
  Value flat = loops.enter(zero, arith::MulIOp::create(b, loc, asValue(g), perGroup));
  setParallel(loops.outermost());
  Value gIndex = arith::DivUIOp::create(b, loc, flat, perGroup);
  Value inGroup = arith::RemUIOp::create(b, loc, flat, perGroup);
  Value panel = arith::RemUIOp::create(b, loc, inGroup, ofColumns);
  Value chunk = arith::MulIOp::create(b, loc, arith::DivUIOp::create(b, loc, inGroup, ofColumns),
                                      constant(rowsInChunk));
  Value chunkEnd = arith::MinUIOp::create(
      b, loc, paddedRows, arith::AddIOp::create(b, loc, chunk, constant(rowsInChunk)));
  Value kLow = zero;
  if (blockedK) {
    kLow = loops.enter(zero, kEnd, tile.depth);
    kEnd = arith::MinSIOp::create(b, loc, kEnd,
                                  arith::AddIOp::create(b, loc, kLow, constant(tile.depth)));
  }
  Value firstRow = loops.enter(chunk, chunkEnd, tile.rows);
  Value column = arith::MulIOp::create(b, loc, panel, constant(tile.columns));

  Value nothing = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, kLow, zero);
  SmallVector<Value> rows, sums;
  for (int64_t i = 0; i < tile.rows; ++i) {
    rows.push_back(arith::AddIOp::create(b, loc, firstRow, constant(i)));
    if (!startsFromResult && !blockedK) {
      sums.push_back(nothing);
      continue;
    }
    Value sum = vector::TransferReadOp::create(b, loc, vectorType, loops.carried(),
                                               ValueRange{gIndex, rows[i], column}, pad,
                                               ArrayRef<bool>(inBounds));
    sums.push_back(startsFromResult
                       ? sum
                       : arith::SelectOp::create(b, loc, isFirst, nothing, sum).getResult());
  }
  auto kLoop = scf::ForOp::create(
      b, loc, kLow, kEnd, one, sums,
      [&](OpBuilder &nested, Location l, Value kIndex, ValueRange carried) {
        Value line = vector::TransferReadOp::create(nested, l, vectorType, panels,
                                                    ValueRange{gIndex, panel, kIndex, zero}, pad,
                                                    ArrayRef<bool>(inBounds));
        SmallVector<Value> next;
        for (int64_t i = 0; i < tile.rows; ++i) {
          Value element =
              tensor::ExtractOp::create(nested, l, lhs, ValueRange{gIndex, rows[i], kIndex});
          Value spread = vector::BroadcastOp::create(nested, l, vectorType, element);
          // vector.fma would become llvm.fmuladd, which only fuses where contraction is allowed.
          next.push_back(math::FmaOp::create(nested, l, spread, line, carried[i]));
        }
        scf::YieldOp::create(nested, l, next);
      });
  Value written = loops.carried();
  for (int64_t i = 0; i < tile.rows; ++i)
    written = vector::TransferWriteOp::create(b, loc, kLoop.getResult(i), written,
                                              ValueRange{gIndex, rows[i], column},
                                              ArrayRef<bool>(inBounds))
                  .getResult();
  result = loops.finish(written);

  auto shapeOf = [](ArrayRef<OpFoldResult> sizes) {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamicSizes;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
    return shape;
  };
  SmallVector<OpFoldResult> sizes{g, m, n};
  SmallVector<int64_t> shape = shapeOf(sizes);
  if (tensorType(result).getShape() == ArrayRef<int64_t>(shape) &&
      !llvm::is_contained(shape, ShapedType::kDynamic))
    return result;
  SmallVector<OpFoldResult> zeros(3, b.getIndexAttr(0)), ones(3, b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, loc, result, zeros, sizes, ones);
}

} // namespace ufp4
