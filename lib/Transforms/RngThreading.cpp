//===- RngThreading.cpp - brings the seed to where it is drawn from -------===//

#include "ufp4/Transforms/RngThreading.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "ufp4/Dialect/UFP4/IR/UFP4.h"
#include "ufp4/Transforms/QuantizeTraining.h"
#include "ufp4/Transforms/TripNumbers.h"

using namespace mlir;
using namespace ufp4;

std::optional<std::string> RngThreading::getObstacle(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent && !isa<func::FuncOp>(parent);
       parent = parent->getParentOp())
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::ExecuteRegionOp>(parent))
      return "it stands in a '" + parent->getName().getStringRef().str() +
             "', whose trips have no number to draw by";
  return std::nullopt;
}

LogicalResult RngThreading::prepare(ArrayRef<Operation *> sites) {
  // Functions that draw, then those that call them.
  SymbolTableCollection symbols;
  SmallVector<func::CallOp> calls;
  module.walk<WalkOrder::PreOrder>([&](func::CallOp call) {
    if (auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr())) {
      callers[callee].push_back(call);
      calls.push_back(call);
    }
  });
  for (Operation *site : sites)
    functions.insert(site->getParentOfType<func::FuncOp>());
  if (source.always)
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.insert(function);
  for (size_t i = 0; i < functions.size(); ++i)
    for (func::CallOp call : callers.lookup(functions[i]))
      if (auto caller = call->getParentOfType<func::FuncOp>())
        functions.insert(caller);

  // Loops that draw, or call what does, count their trips.
  SmallVector<Operation *> drawing(sites);
  for (func::CallOp call : calls)
    if (functions.contains(
            symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr())))
      drawing.push_back(call);
  addTripCounters(drawing);

  for (Operation *function : functions)
    if (failed(addArguments(cast<func::FuncOp>(function))))
      return failure();
  for (func::CallOp call : calls) {
    auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
    if (functions.contains(callee) && failed(passArguments(call, callee)))
      return failure();
  }
  return success();
}

LogicalResult RngThreading::addArguments(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  if (!function.isPublic()) {
    unsigned next = function.getNumArguments();
    if (failed(function.insertArgument(next, i64, {}, loc)) ||
        failed(function.insertArgument(next + 1, i32, {}, loc)))
      return failure();
    states[&function.getBody().front()] = {function.getArgument(next),
                                           function.getArgument(next + 1)};
    return success();
  }
  if (source.fixed) {
    states[&function.getBody().front()] = {
        arith::ConstantIntOp::create(builder, loc, static_cast<int64_t>(source.fixed->first), 64),
        arith::ConstantIntOp::create(builder, loc, static_cast<int32_t>(source.fixed->second), 32)};
    return success();
  }
  auto rngType = RankedTensorType::get({3}, i32);
  unsigned number = function.getNumArguments();
  int marked = -1;
  for (unsigned arg = 0; arg < number; ++arg)
    if (function.getArgAttr(arg, kRngAttr))
      marked = arg;
  if (source.seedArg >= 0 || marked >= 0) {
    number = source.seedArg >= 0 ? source.seedArg : marked;
    if (number >= function.getNumArguments() || function.getArgument(number).getType() != rngType) {
      InFlightDiagnostic diag = function.emitError()
                                << "seed-arg=" << number << ": expected an argument of type "
                                << rngType << ", found ";
      if (number < function.getNumArguments())
        return diag << function.getArgument(number).getType();
      return diag << function.getNumArguments() << " arguments";
    }
  } else if (failed(function.insertArgument(number, rngType, {}, loc))) {
    return failure();
  }
  function.setArgAttr(number, kRngAttr, builder.getUnitAttr());
  Value rng = function.getArgument(number);
  auto extract = [&](int64_t i) -> Value {
    Value index = arith::ConstantIndexOp::create(builder, loc, i);
    return tensor::ExtractOp::create(builder, loc, rng, index);
  };
  Value low = arith::ExtUIOp::create(builder, loc, i64, extract(0));
  Value high = arith::ExtUIOp::create(builder, loc, i64, extract(1));
  Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value shifted = arith::ShLIOp::create(builder, loc, high, shift);
  states[&function.getBody().front()] = {arith::OrIOp::create(builder, loc, low, shifted),
                                         extract(2)};
  return success();
}

LogicalResult RngThreading::passArguments(func::CallOp call, func::FuncOp callee) {
  if (std::optional<std::string> obstacle = getObstacle(call))
    return call.emitError() << "calls '" << callee.getSymName() << "', which draws, but "
                            << *obstacle;
  State state = getState(call);
  OpBuilder builder(call);
  Location loc = call.getLoc();
  ArrayRef<func::CallOp> sites = callers[callee];
  if (sites.size() > 1) {
    int64_t ordinal = llvm::find(sites, call) - sites.begin();
    Value value = arith::ConstantIntOp::create(builder, loc, ordinal, 64);
    state.seed = FoldInOp::create(builder, loc, state.seed, value);
  }
  if (!callee.isPublic()) {
    call.getOperandsMutable().append({state.seed, state.step});
    return success();
  }
  if (source.fixed || source.seedArg >= 0)
    return call.emitError() << "calls the public function '" << callee.getSymName()
                            << "', which draws from a seed of its own; make it private";
  Type i32 = builder.getI32Type();
  Value low = arith::TruncIOp::create(builder, loc, i32, state.seed);
  Value shift = arith::ConstantIntOp::create(builder, loc, 32, 64);
  Value high = arith::TruncIOp::create(builder, loc, i32,
                                       arith::ShRUIOp::create(builder, loc, state.seed, shift));
  Value rng = tensor::FromElementsOp::create(builder, loc, ValueRange{low, high, state.step});
  call.getOperandsMutable().append(rng);
  return success();
}

RngThreading::State RngThreading::getState(Operation *op) {
  Region *scope = op->getParentRegion();
  while (!isa<func::FuncOp, scf::ForOp, scf::WhileOp>(scope->getParentOp()))
    scope = scope->getParentOp()->getParentRegion();
  if (State known = states.lookup(&scope->front()); known.seed)
    return known;
  Operation *parent = scope->getParentOp();
  State state = getState(parent);
  Location loc = parent->getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&scope->front());
  Value trip = getTripNumber(builder, loc, *scope);
  state.seed = FoldInOp::create(builder, loc, state.seed, trip);
  return states[&scope->front()] = state;
}
