//===- CastElements.cpp - casts a tensor element by element ---------------===//

#include "ufp4/Transforms/CastElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value ufp4::castElements(OpBuilder &builder, Location loc, Value value, Type elementType) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == elementType)
    return value;
  Value empty = tensor::EmptyOp::create(builder, loc, tensor::getMixedSizes(builder, loc, value),
                                        elementType);
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  bool narrows = elementType.getIntOrFloatBitWidth() < type.getElementTypeBitWidth();
  auto generic = linalg::GenericOp::create(
      builder, loc, empty.getType(), value, empty, ArrayRef<AffineMap>{map, map}, iterators,
      [&](OpBuilder &b, Location l, ValueRange args) {
        Value cast = narrows ? arith::TruncFOp::create(b, l, elementType, args[0]).getResult()
                             : arith::ExtFOp::create(b, l, elementType, args[0]).getResult();
        linalg::YieldOp::create(b, l, cast);
      });
  return generic.getResult(0);
}
