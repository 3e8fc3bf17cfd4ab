//===- QuantizeToLinalg.cpp - from real to quantized tensors --------------===//

#include "Counter.h"
#include "Patterns.h"
#include "TensorEmitter.h"
#include "ufp4/Conversion/Gather.h"
#include "ufp4/Conversion/NumericsEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace ufp4;

namespace {

/// The signs of Q2, one for each element of a run.
Value emitSigns(ImplicitLocOpBuilder &b, RotationAttr rotation) {
  SmallVector<float> signs;
  for (unsigned i = 0; i < rotation.getSize(); ++i)
    signs.push_back(rotation.getSigns()[i] ? -1.0f : 1.0f);
  auto type = RankedTensorType::get(rotation.getSize(), b.getF32Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, ArrayRef(signs)));
}

/// Q1: [leading.., K] in f32 from an input whose `along` is already padded; with a rotation, in
/// runs [leading.., K / n, n] with Q2's signs.
Value emitView(TensorEmitter &t, Value input, int64_t along, RotationAttr rotation) {
  ImplicitLocOpBuilder &b = t.builder();
  SmallVector<int64_t> order =
      TensorEmitter::viewOrder(TensorEmitter::typeOf(input).getRank(), along);
  SmallVector<Value> inputs{input};
  if (rotation) {
    inputs = {t.split(input, along, rotation.getSize()), emitSigns(b, rotation)};
    // In the split input's terms: what lay behind `along` has moved on by one.
    for (int64_t &dim : MutableArrayRef(order).drop_back())
      dim += dim > along;
    order.push_back(along + 1);
  } else if (TensorEmitter::typeOf(input).getElementType().isF32()) {
    return t.permute(input, order);
  }
  int64_t rank = order.size();
  TensorEmitter::Sizes from = t.sizesOf(inputs[0]), sizes;
  for (int64_t dim : order)
    sizes.push_back(from[dim]);
  SmallVector<AffineMap> maps{inversePermutation(t.select(rank, order))};
  if (rotation)
    maps.push_back(t.select(rank, rank - 1));
  return t.map(sizes, inputs, maps, b.getF32Type(),
               [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                 Value x = NumericsEmitter(nested, loc).widen(args[0]);
                 if (rotation)
                   x = arith::MulFOp::create(nested, loc, x, args[1]);
                 return {x};
               })[0];
}

/// Q2's butterflies on [.., n] and the factor. A stage adds and subtracts neighbours, sums to the
/// lower half and differences to the upper: that moves the index bit just used to the top, so every
/// stride 1, 2, 4, .. has its turn in that order and at the end all elements are home again.
Value emitButterflies(TensorEmitter &t, Value runs, unsigned n) {
  ImplicitLocOpBuilder &b = t.builder();
  int64_t rank = TensorEmitter::typeOf(runs).getRank();
  for (unsigned stride = 1; stride < n; stride *= 2) {
    bool last = 2 * stride == n;
    Value pairs = t.split(runs, rank - 1, 2);
    SmallVector<Value> sides{t.pickLast(pairs, 0), t.pickLast(pairs, 1)};
    TensorEmitter::Sizes sizes = t.sizesOf(sides[0]);
    sizes.insert(sizes.end() - 1, b.getIndexAttr(2));
    AffineMap side = t.select(rank + 1, TensorEmitter::allBut(rank + 1, rank - 1));
    Value stage =
        t.map(sizes, sides, {side, side}, b.getF32Type(),
              [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                Value half = linalg::IndexOp::create(nested, loc, rank - 1);
                Value zero = arith::ConstantIndexOp::create(nested, loc, 0);
                Value lower =
                    arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::eq, half, zero);
                Value sum = arith::AddFOp::create(nested, loc, args[0], args[1]);
                Value difference = arith::SubFOp::create(nested, loc, args[0], args[1]);
                Value x = arith::SelectOp::create(nested, loc, lower, sum, difference);
                if (last)
                  x = NumericsEmitter(nested, loc).rotationFactor(x, n);
                return {x};
              })[0];
    runs = t.merge(stage, rank - 1);
  }
  return runs;
}

/// Q1 and Q2: x' as [leading.., K] in f32, K padded to a multiple of `multiple`.
Value emitRotated(TensorEmitter &t, Value input, int64_t along, RotationAttr rotation,
                  int64_t multiple) {
  Value view = emitView(t, t.padTo(input, along, multiple), along, rotation);
  if (!rotation)
    return view;
  int64_t last = TensorEmitter::typeOf(view).getRank() - 1;
  return t.merge(emitButterflies(t, view, rotation.getSize()), last - 1);
}

/// Q3: x' cut into blocks, [leading.., Kp/B, B] or, 2-D, [leading.., R/B, B, Kp/B, B].
struct Blocks {
  Value values;
  /// The dimensions of `values` that tell blocks apart.
  SmallVector<int64_t> outer;
  int64_t rank;

  TensorEmitter::Sizes blockSizes(TensorEmitter &t) const {
    TensorEmitter::Sizes from = t.sizesOf(values), sizes;
    for (int64_t dim : outer)
      sizes.push_back(from[dim]);
    return sizes;
  }
};

Blocks emitBlocks(TensorEmitter &t, Value input, int64_t along, SchemeAttr scheme) {
  numerics::Scheme numbers = scheme.getNumerics();
  Value rotated = emitRotated(t, input, along, scheme.getRotation(), numerics::runLength(numbers));
  int64_t last = TensorEmitter::typeOf(rotated).getRank() - 1;
  Blocks blocks;
  SmallVector<int64_t> inner;
  blocks.values = rotated;
  if (numbers.blockRows != 1) {
    blocks.values =
        t.split(t.padTo(blocks.values, last - 1, numbers.blockRows), last - 1, numbers.blockRows);
    inner.push_back(last++);
  }
  blocks.values = t.split(blocks.values, last, numbers.block);
  inner.push_back(last + 1);
  blocks.rank = last + 2;
  blocks.outer = TensorEmitter::allBut(blocks.rank, inner);
  return blocks;
}

/// Q4: the greatest magnitude of each block.
Value emitMaxima(TensorEmitter &t, const Blocks &blocks) {
  return t.maximum(blocks.values, blocks.outer, [](OpBuilder &nested, Location loc, Value x) {
    return NumericsEmitter(nested, loc).magnitude(x);
  });
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// What is quantized, or has a maximum.
template <typename Adaptor> Value getGathered(TensorEmitter &t, Adaptor adaptor) {
  Value input = adaptor.getInput(), rows = adaptor.getRows();
  return rows ? emitGather(t.builder(), t.builder().getLoc(), input, rows) : input;
}

struct LowerQuantize : OpConversionPattern<QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(QuantizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TensorEmitter t(rewriter, op.getLoc());
    QuantizedTensorType type = op.getQuantizedType();
    SchemeAttr scheme = type.getScheme();
    Value input = getGathered(t, adaptor);
    Blocks blocks = emitBlocks(t, input, type.getAlong(), scheme);
    Value maxima = emitMaxima(t, blocks);
    Value global;
    if (scheme.hasGlobalScale()) {
      Value amax = adaptor.getAmax() ? adaptor.getAmax() : emitAmax(t, maxima);
      global = emitGlobalScale(t, amax, scheme);
    }
    ScaleTensors scales = emitScales(t, maxima, scheme, global);
    Value codes = emitCodes(t, op, adaptor, input, blocks, scales.factors);
    Parts parts(t.cast(codes, type.getCodesType()), t.cast(scales.stored, type.getScalesType()),
                emitGlobalTensor(t, global));
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{parts.values()});
    return success();
  }

private:
  /// Q7: four tensors [leading.., Kp/B, draws], the words of each draw.
  static SmallVector<Value> emitWords(TensorEmitter &t, QuantizeOp op, OpAdaptor adaptor,
                                      const Blocks &blocks) {
    int64_t block = op.getQuantizedType().getScheme().getBlock();
    int64_t perDraw = elementsPerDraw(op);
    TensorEmitter::Sizes sizes = blocks.blockSizes(t);
    ImplicitLocOpBuilder &b = t.builder();
    int64_t leading = sizes.size() - 1;
    sizes.push_back(b.getIndexAttr(block / perDraw));
    SmallVector<Value> extents;
    for (int64_t i = 0; i < leading; ++i) {
      Value size = tensor::DimOp::create(b, blocks.values, i);
      extents.push_back(arith::IndexCastOp::create(b, b.getI64Type(), size));
    }
    return t.map(
        sizes, {}, {}, SmallVector<Type>(4, b.getI32Type()),
        [&](OpBuilder &nested, Location loc, ValueRange) {
          NumericsEmitter emitter(nested, loc);
          SmallVector<Value> at;
          for (int64_t i = 0; i < leading + 2; ++i)
            at.push_back(arith::IndexCastOp::create(nested, loc, nested.getI64Type(),
                                                    linalg::IndexOp::create(nested, loc, i)));
          Value draw = at.pop_back_val(), inBlock = at.pop_back_val();
          Value k = arith::AddIOp::create(
              nested, loc, arith::MulIOp::create(nested, loc, inBlock, emitter.i64(block)),
              arith::MulIOp::create(nested, loc, draw, emitter.i64(perDraw)));
          Value counter = emitCounter(nested, loc, 0, op, adaptor.getOffsets(), extents, at, k);
          return llvm::to_vector_of<Value>(emitter.drawWords(
              counter, adaptor.getSeed(),
              emitter.stream(op.getStream(), adaptor.getDynamicStream()), adaptor.getStep()));
        });
  }

  /// Q6: codes [leading.., Kp].
  static Value emitCodes(TensorEmitter &t, QuantizeOp op, OpAdaptor adaptor, Value input,
                         const Blocks &blocks, Value factors) {
    SchemeAttr scheme = op.getQuantizedType().getScheme();
    ImplicitLocOpBuilder &b = t.builder();
    numerics::Format format = scheme.getFormat();
    Type i8 = b.getI8Type();
    int64_t rank = blocks.rank, last = rank - 1;
    unsigned bits = op.getRandomBits();
    if (!op.isStochastic()) {
      Value codes =
          t.map(t.sizesOf(blocks.values), {blocks.values, factors},
                {b.getMultiDimIdentityMap(rank), t.select(rank, blocks.outer)}, i8,
                [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
                  Value code =
                      NumericsEmitter(nested, loc).encode(format, args[0], args[1], nullptr, bits);
                  return {arith::TruncIOp::create(nested, loc, i8, code)};
                })[0];
      codes = t.merge(codes, last - 1);
      if (scheme.getBlockRows() == 1)
        return codes;
      // The rows that 2-D blocks padded are no part of the view.
      Value merged = t.merge(codes, rank - 4);
      int64_t r = TensorEmitter::viewOrder(rank - 2, op.getQuantizedType().getAlong())[rank - 4];
      return t.takeFront(merged, rank - 4, t.sizesOf(input)[r]);
    }
    // The elements of one draw lie [words, lanes of a word].
    int64_t perDraw = elementsPerDraw(op);
    Value values = t.split(t.split(blocks.values, last, perDraw), last + 1, perDraw / 4);
    SmallVector<Value> inputs{values, factors};
    SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank + 2),
                                t.select(rank + 2, blocks.outer)};
    for (Value word : emitWords(t, op, adaptor, blocks)) {
      inputs.push_back(word);
      maps.push_back(t.select(rank + 2, TensorEmitter::allBut(rank + 2, {rank, rank + 1})));
    }
    Value codes = t.map(
        t.sizesOf(values), inputs, maps, i8,
        [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
          NumericsEmitter emitter(nested, loc);
          Value which = linalg::IndexOp::create(nested, loc, rank);
          Value word = args[5];
          for (int64_t w = 2; w >= 0; --w) {
            Value isThis = arith::CmpIOp::create(nested, loc, arith::CmpIPredicate::eq, which,
                                                 arith::ConstantIndexOp::create(nested, loc, w));
            word = arith::SelectOp::create(nested, loc, isThis, args[2 + w], word);
          }
          Value lane = arith::IndexCastOp::create(nested, loc, nested.getI32Type(),
                                                  linalg::IndexOp::create(nested, loc, rank + 1));
          Value code =
              emitter.encode(format, args[0], args[1], emitter.extractLane(word, lane, bits), bits);
          return {arith::TruncIOp::create(nested, loc, i8, code)};
        })[0];
    for (int64_t dim : {last + 1, last, last - 1})
      codes = t.merge(codes, dim);
    return codes;
  }
};

struct LowerAmax : OpConversionPattern<AmaxOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(AmaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TensorEmitter t(rewriter, op.getLoc());
    Blocks blocks = emitBlocks(t, getGathered(t, adaptor), op.getAlong(), op.getScheme());
    rewriter.replaceOp(op, emitAmax(t, emitMaxima(t, blocks)));
    return success();
  }
};

struct LowerRotate : OpConversionPattern<RotateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(RotateOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TensorEmitter t(rewriter, op.getLoc());
    RotationAttr rotation = op.getRotation();
    Value rotated = emitRotated(t, adaptor.getInput(), op.getAlong(), rotation, rotation.getSize());
    SmallVector<int64_t> order = TensorEmitter::viewOrder(op.getType().getRank(), op.getAlong());
    Value natural = t.permute(rotated, invertPermutationVector(order));
    rewriter.replaceOp(op, t.cast(natural, op.getType()));
    return success();
  }
};

struct LowerFoldIn : OpConversionPattern<FoldInOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(FoldInOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    NumericsEmitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op, emitter.foldIn(adaptor.getSeed(), adaptor.getValue()));
    return success();
  }
};

} // namespace

Value ufp4::emitAmax(TensorEmitter &t, Value maxima) {
  Value bits = t.extract(t.maximum(maxima, {}, [](OpBuilder &nested, Location loc, Value maximum) {
    return NumericsEmitter(nested, loc).magnitudeForAmax(maximum);
  }));
  return arith::BitcastOp::create(t.builder(), t.builder().getF32Type(), bits);
}

Value ufp4::emitGlobalScale(TensorEmitter &t, Value amax, SchemeAttr scheme) {
  return NumericsEmitter(t.builder(), t.builder().getLoc()).globalScale(amax, scheme.getFormat());
}

Value ufp4::emitGlobalTensor(TensorEmitter &t, Value global) {
  if (!global)
    return {};
  auto type = RankedTensorType::get({}, global.getType());
  return tensor::FromElementsOp::create(t.builder(), type, global);
}

ScaleTensors ufp4::emitScales(TensorEmitter &t, Value maxima, SchemeAttr scheme, Value global) {
  TensorEmitter::Sizes sizes = t.sizesOf(maxima);
  SmallVector<Value> results =
      t.map(sizes, maxima, t.builder().getMultiDimIdentityMap(sizes.size()),
            {scheme.getScaleType(), t.builder().getF32Type()},
            [&](OpBuilder &nested, Location loc, ValueRange args) -> SmallVector<Value> {
              auto scale =
                  NumericsEmitter(nested, loc).chooseScale(scheme.getNumerics(), args[0], global);
              return {scale.stored, scale.reciprocal};
            });
  return {results[0], results[1]};
}

void ufp4::populateQuantizeToLinalgPatterns(RewritePatternSet &patterns,
                                            const PartsTypeConverter &converter) {
  patterns.add<LowerQuantize, LowerAmax, LowerRotate, LowerFoldIn>(converter,
                                                                   patterns.getContext());
}
