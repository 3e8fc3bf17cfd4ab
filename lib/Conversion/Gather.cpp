//===- Gather.cpp - rows by their indices ---------------------------------===//

#include "ufp4/Conversion/Gather.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value ufp4::emitRowIndex(OpBuilder &b, Location loc, Value rows, Value position, int64_t count) {
  Value index = tensor::ExtractOp::create(b, loc, rows, position);
  index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  index = arith::MaxSIOp::create(b, loc, index, arith::ConstantIndexOp::create(b, loc, 0));
  return arith::MinSIOp::create(b, loc, index, arith::ConstantIndexOp::create(b, loc, count - 1));
}

Value ufp4::emitGather(OpBuilder &b, Location loc, Value input, Value rows) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<OpFoldResult> sizes{tensor::getMixedSize(b, loc, rows, 0),
                                  tensor::getMixedSize(b, loc, input, 1)};
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type.getElementType());
  auto body = [&](OpBuilder &nested, Location loc, ValueRange) {
    Value position = linalg::IndexOp::create(nested, loc, 0);
    Value row = emitRowIndex(nested, loc, rows, position, type.getDimSize(0));
    Value column = linalg::IndexOp::create(nested, loc, 1);
    Value element = tensor::ExtractOp::create(nested, loc, input, ValueRange{row, column});
    linalg::YieldOp::create(nested, loc, element);
  };
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange{}, empty, b.getMultiDimIdentityMap(2),
             SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel), body)
      .getResult(0);
}
