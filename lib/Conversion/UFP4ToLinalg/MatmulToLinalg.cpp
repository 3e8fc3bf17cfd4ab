//===- MatmulToLinalg.cpp - from quantized to real tensors ----------------===//

#include "Patterns.h"
#include "TensorEmitter.h"
#include "ufp4/Conversion/NumericsEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// Values [leading.., Kp] of `element`: `emit` makes one from a code, a scale and S.
Value emitValues(TensorEmitter &t, QuantizedTensorType type, const Parts &parts, Type element,
                 llvm::function_ref<Value(NumericsEmitter &, Value, Value, Value)> emit) {
  ImplicitLocOpBuilder &b = t.builder();
  SchemeAttr scheme = type.getScheme();
  int64_t rows = scheme.getBlockRows();
  Value global = parts.global ? t.extract(parts.global) : Value();
  Value codes = parts.codes;
  int64_t last = type.getRank() - 1;
  TensorEmitter::Sizes sizes = t.sizesOf(codes);
  SmallVector<int64_t> inner;
  if (rows != 1) {
    codes = t.split(t.padTo(codes, last - 1, rows), last - 1, rows);
    inner.push_back(last++);
  }
  codes = t.split(codes, last, scheme.getBlock());
  inner.push_back(last + 1);
  int64_t rank = last + 2;
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank),
                              t.select(rank, TensorEmitter::allBut(rank, inner))};
  Value values = t.map(t.sizesOf(codes), {codes, parts.scales}, maps, element,
                       [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                         NumericsEmitter emitter(nested, loc);
                         return {emit(emitter, args[0], args[1], global)};
                       })[0];
  values = t.merge(values, last);
  if (rows == 1)
    return values;
  return t.takeFront(t.merge(values, last - 2), last - 2, sizes[last - 2]);
}

/// The type of a converted operand.
QuantizedTensorType getQuantized(Value operand) {
  return cast<QuantizedTensorType>(operand.getType());
}

struct LowerDequantize : OpConversionPattern<DequantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(DequantizeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TensorEmitter t(rewriter, op.getLoc());
    QuantizedTensorType type = getQuantized(op.getInput());
    numerics::Scheme scheme = type.getScheme().getNumerics();
    Type element = op.getType().getElementType();
    Value values = emitValues(t, type, Parts(adaptor.getInput()), element,
                              [&](NumericsEmitter &emitter, Value code, Value scale, Value global) {
                                return emitter.dequantize(scheme, code, scale, global, element);
                              });
    values = t.takeFront(values, type.getRank() - 1, rewriter.getIndexAttr(type.getK()));
    SmallVector<int64_t> order = TensorEmitter::viewOrder(type.getRank(), type.getAlong());
    values = t.permute(values, invertPermutationVector(order));
    rewriter.replaceOp(op, t.cast(values, op.getType()));
    return success();
  }
};

struct LowerMatmul : OpConversionPattern<MatmulOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(MatmulOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TensorEmitter t(rewriter, op.getLoc());
    Operand lhs = emitOperand(t, op.getLhs(), adaptor.getLhs(), op.getLhsBatch());
    Operand rhs = emitOperand(t, op.getRhs(), adaptor.getRhs(), op.getRhsBatch());
    // Loops: batch, lhs free, rhs free, k.
    int64_t batch = op.getLhsBatch().size();
    int64_t lhsFree = lhs.batchOrFree.size() - batch, rhsFree = rhs.batchOrFree.size() - batch;
    int64_t parallel = batch + lhsFree + rhsFree;
    AffineMap lhsMap = mapOf(t, lhs, batch, batch, parallel);
    AffineMap rhsMap = mapOf(t, rhs, batch, batch + lhsFree, parallel);

    TensorEmitter::Sizes sizes(parallel);
    auto collect = [&](const Operand &operand, AffineMap map) {
      TensorEmitter::Sizes from = t.sizesOf(operand.values);
      for (int64_t i = 0; i + 1 < map.getNumResults(); ++i)
        sizes[map.getDimPosition(i)] = from[i];
    };
    collect(rhs, rhsMap);
    collect(lhs, lhsMap);
    RankedTensorType resultType = op.getType();
    auto f32Result = resultType.clone(rewriter.getF32Type());
    Value init = op.getAccumulator() ? adaptor.getAccumulator().front()
                                     : t.filled(sizes, rewriter.getF32FloatAttr(0.0f));
    SmallVector<utils::IteratorType> iterators(parallel, utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    SmallVector<int64_t> resultDims = llvm::to_vector(llvm::seq<int64_t>(parallel));
    Value result =
        linalg::GenericOp::create(
            t.builder(), init.getType(), ValueRange{lhs.values, rhs.values}, init,
            ArrayRef<AffineMap>{lhsMap, rhsMap, t.select(parallel + 1, resultDims)}, iterators,
            [](OpBuilder &nested, Location loc, ValueRange args) {
              Value product = arith::MulFOp::create(nested, loc, args[0], args[1]);
              Value sum = arith::AddFOp::create(nested, loc, args[2], product);
              linalg::YieldOp::create(nested, loc, sum);
            })
            .getResult(0);
    result = t.cast(result, f32Result);
    Type element = resultType.getElementType();
    if (!element.isF32())
      result = t.map(t.sizesOf(result), result, rewriter.getMultiDimIdentityMap(parallel), element,
                     [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                       return {arith::TruncFOp::create(nested, loc, element, args[0])};
                     })[0];
    rewriter.replaceOp(op, t.cast(result, resultType));
    return success();
  }

private:
  struct Operand {
    /// [leading.., Kp] in f32.
    Value values;
    /// For each leading dimension its position in the batch list, or -1 where it is free.
    SmallVector<int64_t> batchOrFree;
  };

  static Operand emitOperand(TensorEmitter &t, Value operand, ValueRange parts,
                             ArrayRef<int64_t> batch) {
    QuantizedTensorType type = getQuantized(operand);
    numerics::Scheme scheme = type.getScheme().getNumerics();
    Operand result;
    result.values =
        emitValues(t, type, Parts(parts), t.builder().getF32Type(),
                   [&](NumericsEmitter &emitter, Value code, Value scale, Value global) {
                     return emitter.dequantizeForGemm(scheme, code, scale, global);
                   });
    for (int64_t dim : TensorEmitter::allBut(type.getRank(), type.getAlong())) {
      const int64_t *found = llvm::find(batch, dim);
      result.batchOrFree.push_back(found == batch.end() ? -1 : found - batch.begin());
    }
    return result;
  }

  /// Where an operand is read: its free dimensions are the loops from `firstFree` on.
  static AffineMap mapOf(TensorEmitter &t, const Operand &operand, int64_t batch, int64_t firstFree,
                         int64_t k) {
    SmallVector<int64_t> dims;
    for (int64_t position : operand.batchOrFree)
      dims.push_back(position < 0 ? firstFree++ : position);
    dims.push_back(k);
    return t.select(k + 1, dims);
  }
};

struct LowerConstant : OpConversionPattern<ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(ConstantOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    QuantizedAttr value = op.getValue();
    Parts parts(arith::ConstantOp::create(rewriter, op.getLoc(), value.getCodes()),
                arith::ConstantOp::create(rewriter, op.getLoc(), value.getScales()), nullptr);
    if (FloatAttr global = value.getGlobal()) {
      auto type = RankedTensorType::get({}, rewriter.getF32Type());
      parts.global = arith::ConstantOp::create(rewriter, op.getLoc(),
                                               DenseElementsAttr::get(type, global.getValue()));
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{parts.values()});
    return success();
  }
};

} // namespace

void ufp4::populateMatmulToLinalgPatterns(RewritePatternSet &patterns,
                                          const PartsTypeConverter &converter) {
  patterns.add<LowerDequantize, LowerMatmul, LowerConstant>(converter, patterns.getContext());
}
