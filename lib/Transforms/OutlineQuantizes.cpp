//===- OutlineQuantizes.cpp - equal quantizes share one function ----------===//

#include "ufp4/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "llvm/ADT/MapVector.h"

namespace ufp4 {
#define GEN_PASS_DEF_OUTLINEQUANTIZES
#include "ufp4/Transforms/Passes.h.inc"
} // namespace ufp4

using namespace mlir;
using namespace ufp4;

namespace {
/// What makes two quantizes the same function: input type, that of rows' indices, quantized type, and
/// whether (and with how many bits) they draw, take a maximum and count groups from an operand.
using Kind = std::tuple<Type, Type, Type, unsigned>;

Kind getKind(QuantizeOp op) {
  unsigned draws = op.isStochastic() ? op.getRandomBits() : 0;
  unsigned optionals = 2 * static_cast<bool>(op.getFirstGroup()) + static_cast<bool>(op.getAmax());
  return {op.getInput().getType(), op.getRows() ? op.getRows().getType() : Type(), op.getType(),
          4 * draws + optionals};
}

/// The values that a function needs to do what the operation does.
SmallVector<Value> getArguments(OpBuilder &builder, QuantizeOp op) {
  SmallVector<Value> arguments{op.getInput()};
  for (Value optional : {Value(op.getRows()), Value(op.getAmax()), Value(op.getGroupSizes()),
                         Value(op.getFirstGroup())})
    if (optional)
      arguments.push_back(optional);
  if (!op.isStochastic())
    return arguments;
  Value stream = op.getDynamicStream();
  if (!stream)
    stream = arith::ConstantIntOp::create(builder, op.getLoc(),
                                          static_cast<int32_t>(*op.getStream()), 32);
  llvm::append_range(arguments, ValueRange{op.getSeed(), op.getStep(), stream});
  return arguments;
}

func::FuncOp makeFunction(ModuleOp module, SymbolTable &symbols, QuantizeOp op,
                          ArrayRef<Value> arguments) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = op.getLoc();
  auto type = builder.getFunctionType(ValueRange(arguments).getTypes(), op.getType());
  auto function = func::FuncOp::create(builder, loc, "ufp4_quantize_0", type);
  function.setPrivate();
  symbols.insert(function);
  builder.setInsertionPointToStart(function.addEntryBlock());
  ArrayRef<BlockArgument> given = function.getArguments();
  Value input = given.front(), rows, amax, groupSizes, firstGroup, seed, step, stream;
  given = given.drop_front();
  auto take = [&](Value like) -> Value {
    if (!like)
      return nullptr;
    Value value = given.front();
    given = given.drop_front();
    return value;
  };
  rows = take(op.getRows());
  amax = take(op.getAmax());
  groupSizes = take(op.getGroupSizes());
  firstGroup = take(op.getFirstGroup());
  if (op.isStochastic()) {
    seed = given[0];
    step = given[1];
    stream = given[2];
  }
  auto quantize = QuantizeOp::create(builder, loc, op.getType(), input, rows, amax, seed, step,
                                     stream, ValueRange{}, groupSizes, firstGroup, IntegerAttr(),
                                     op.getBitsAttr(), PlaceAttr());
  func::ReturnOp::create(builder, loc, quantize.getResult());
  return function;
}

struct OutlineQuantizes : ufp4::impl::OutlineQuantizesBase<OutlineQuantizes> {
  void runOnOperation() override {
    llvm::MapVector<Kind, SmallVector<QuantizeOp>> kinds;
    getOperation().walk([&](QuantizeOp op) {
      if (!op.getPlaceAttr())
        kinds[getKind(op)].push_back(op);
    });
    SymbolTable symbols(getOperation());
    for (auto &[kind, ops] : kinds) {
      if (ops.size() < 2)
        continue;
      func::FuncOp function;
      for (QuantizeOp op : ops) {
        OpBuilder builder(op);
        SmallVector<Value> arguments = getArguments(builder, op);
        if (!function)
          function = makeFunction(getOperation(), symbols, op, arguments);
        auto call = func::CallOp::create(builder, op.getLoc(), function, arguments);
        op.getResult().replaceAllUsesWith(call.getResult(0));
        op->erase();
      }
      ++numFunctions;
      numCalls += ops.size();
    }
  }
};
} // namespace
