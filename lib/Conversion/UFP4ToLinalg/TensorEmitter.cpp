//===- TensorEmitter.cpp - tensors of any shape, step by step -------------===//

#include "TensorEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace ufp4;
using Sizes = TensorEmitter::Sizes;

RankedTensorType TensorEmitter::typeOf(Value tensor) {
  return llvm::cast<RankedTensorType>(tensor.getType());
}

Sizes TensorEmitter::sizesOf(Value tensor) { return tensor::getMixedSizes(b, b.getLoc(), tensor); }

Value TensorEmitter::asValue(OpFoldResult size) {
  return getValueOrCreateConstantIndexOp(b, b.getLoc(), size);
}

Value TensorEmitter::empty(const Sizes &sizes, Type element) {
  return tensor::EmptyOp::create(b, sizes, element);
}

Value TensorEmitter::filled(const Sizes &sizes, TypedAttr value) {
  Value constant = arith::ConstantOp::create(b, value);
  return linalg::FillOp::create(b, constant, empty(sizes, value.getType())).getResult(0);
}

Value TensorEmitter::cast(Value tensor, Type type) {
  if (tensor.getType() == type)
    return tensor;
  return tensor::CastOp::create(b, type, tensor);
}

Value TensorEmitter::padTo(Value tensor, int64_t dim, int64_t multiple) {
  RankedTensorType type = typeOf(tensor);
  int64_t extent = type.getDimSize(dim);
  bool dynamic = ShapedType::isDynamic(extent);
  if (multiple == 1 || (!dynamic && extent % multiple == 0))
    return tensor;
  SmallVector<int64_t> shape(type.getShape());
  Sizes low(type.getRank(), b.getIndexAttr(0)), high = low;
  if (dynamic) {
    Value size = tensor::DimOp::create(b, tensor, dim);
    Value by = arith::ConstantIndexOp::create(b, multiple);
    Value blocks = arith::CeilDivUIOp::create(b, size, by);
    high[dim] = arith::SubIOp::create(b, arith::MulIOp::create(b, blocks, by), size).getResult();
  } else {
    shape[dim] = llvm::alignTo(extent, multiple);
    high[dim] = b.getIndexAttr(shape[dim] - extent);
  }
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(b, type.clone(shape), tensor, low, high, zero);
}

/// Upstream refuses every offset into an empty dimension, 0 included.
static bool isEmpty(RankedTensorType type) { return llvm::is_contained(type.getShape(), 0); }

Value TensorEmitter::takeFront(Value tensor, int64_t dim, OpFoldResult size) {
  Sizes sizes = sizesOf(tensor);
  if (isEqualConstantIntOrValue(sizes[dim], size))
    return tensor;
  sizes[dim] = size;
  if (isEmpty(typeOf(tensor)))
    return empty(sizes, typeOf(tensor).getElementType());
  Sizes offsets(sizes.size(), b.getIndexAttr(0)), strides(sizes.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, tensor, offsets, sizes, strides);
}

/// Dimensions 0 .. rank - 1 in groups of one, but for a group of two that starts at `dim`.
static SmallVector<ReassociationIndices> pairAt(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i) {
    groups.push_back({i});
    if (i == dim)
      groups.back().push_back(++i);
  }
  return groups;
}

Value TensorEmitter::split(Value tensor, int64_t dim, int64_t by) {
  RankedTensorType type = typeOf(tensor);
  Sizes sizes = sizesOf(tensor);
  SmallVector<int64_t> shape(type.getShape());
  if (std::optional<int64_t> size = getConstantIntValue(sizes[dim])) {
    shape[dim] = *size / by;
    sizes[dim] = b.getIndexAttr(shape[dim]);
  } else {
    sizes[dim] = arith::DivUIOp::create(b, llvm::cast<Value>(sizes[dim]),
                                        arith::ConstantIndexOp::create(b, by))
                     .getResult();
  }
  shape.insert(shape.begin() + dim + 1, by);
  sizes.insert(sizes.begin() + dim + 1, b.getIndexAttr(by));
  return tensor::ExpandShapeOp::create(b, type.clone(shape), tensor, pairAt(shape.size(), dim),
                                       sizes);
}

Value TensorEmitter::merge(Value tensor, int64_t dim) {
  return tensor::CollapseShapeOp::create(b, tensor, pairAt(typeOf(tensor).getRank(), dim));
}

Value TensorEmitter::pickLast(Value tensor, int64_t position) {
  RankedTensorType type = typeOf(tensor);
  Sizes sizes = sizesOf(tensor);
  if (isEmpty(type)) {
    sizes.pop_back();
    return empty(sizes, type.getElementType());
  }
  Sizes offsets(sizes.size(), b.getIndexAttr(0)), strides(sizes.size(), b.getIndexAttr(1));
  offsets.back() = b.getIndexAttr(position);
  sizes.back() = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(b, type.clone(type.getShape().drop_back()), tensor, offsets,
                                        sizes, strides);
}

Value TensorEmitter::permute(Value tensor, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(order.size())))
    return tensor;
  Sizes from = sizesOf(tensor), sizes;
  for (int64_t dim : order)
    sizes.push_back(from[dim]);
  Value init = empty(sizes, typeOf(tensor).getElementType());
  return linalg::TransposeOp::create(b, tensor, init, order).getResult()[0];
}

SmallVector<int64_t> TensorEmitter::viewOrder(int64_t rank, int64_t along) {
  SmallVector<int64_t> order = allBut(rank, along);
  order.push_back(along);
  return order;
}

SmallVector<int64_t> TensorEmitter::allBut(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> rest;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(dims, i))
      rest.push_back(i);
  return rest;
}

AffineMap TensorEmitter::select(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(b.getAffineDimExpr(dim));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

SmallVector<Value> TensorEmitter::map(const Sizes &sizes, ValueRange inputs,
                                      ArrayRef<AffineMap> maps, ArrayRef<Type> elements,
                                      Body body) {
  SmallVector<Value> inits;
  SmallVector<Type> types;
  SmallVector<AffineMap> allMaps(maps);
  for (Type element : elements) {
    inits.push_back(empty(sizes, element));
    types.push_back(inits.back().getType());
    allMaps.push_back(b.getMultiDimIdentityMap(sizes.size()));
  }
  SmallVector<utils::IteratorType> iterators(sizes.size(), utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      b, types, inputs, inits, allMaps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        linalg::YieldOp::create(nested, loc, body(nested, loc, args.take_front(inputs.size())));
      });
  return op.getResults();
}

Value TensorEmitter::maximum(Value tensor, ArrayRef<int64_t> kept,
                             llvm::function_ref<Value(OpBuilder &, Location, Value)> f) {
  int64_t rank = typeOf(tensor).getRank();
  Sizes from = sizesOf(tensor), sizes;
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::reduction);
  for (int64_t dim : kept) {
    sizes.push_back(from[dim]);
    iterators[dim] = utils::IteratorType::parallel;
  }
  Value init = filled(sizes, b.getI32IntegerAttr(0));
  SmallVector<AffineMap> maps{b.getMultiDimIdentityMap(rank), select(rank, kept)};
  auto op = linalg::GenericOp::create(b, init.getType(), tensor, init, maps, iterators,
                                      [&](OpBuilder &nested, Location loc, ValueRange args) {
                                        Value greatest = arith::MaxUIOp::create(
                                            nested, loc, args[1], f(nested, loc, args[0]));
                                        linalg::YieldOp::create(nested, loc, greatest);
                                      });
  return op.getResult(0);
}

Value TensorEmitter::extract(Value tensor) {
  return tensor::ExtractOp::create(b, tensor, ValueRange{});
}
