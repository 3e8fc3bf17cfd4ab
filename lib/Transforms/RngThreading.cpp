//===- RngThreading.cpp - brings the seed to where it is drawn from -------===//

#include "ufp4/Transforms/RngThreading.h"

#include "ufp4/Transforms/QuantizeTraining.h"

using namespace mlir;
using namespace ufp4;

std::optional<std::string> RngThreading::getObstacle(Operation *op) const {
  for (Operation *parent = op->getParentOp(); parent && !isa<func::FuncOp>(parent);
       parent = parent->getParentOp())
    if (writer.getScope(parent) == ModelWriter::Scope::None)
      return "it stands in a '" + parent->getName().getStringRef().str() +
             "', whose trips have no number to draw by";
  return std::nullopt;
}

LogicalResult RngThreading::prepare(ArrayRef<Operation *> sites) {
  // Functions that draw, then those that call them.
  SymbolTableCollection symbols;
  SmallVector<std::pair<Operation *, func::FuncOp>> calls;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    FlatSymbolRefAttr symbol = frontends.getCallee(op);
    if (!symbol)
      return;
    if (auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(op, symbol)) {
      callers[callee].push_back(op);
      calls.push_back({op, callee});
    }
  });
  for (Operation *site : sites)
    functions.insert(site->getParentOfType<func::FuncOp>());
  if (source.always)
    for (auto function : module.getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        functions.insert(function);
  for (size_t i = 0; i < functions.size(); ++i)
    for (Operation *call : callers.lookup(functions[i]))
      if (auto caller = call->getParentOfType<func::FuncOp>())
        functions.insert(caller);

  // Loops that draw, or call what does, count their trips.
  SmallVector<Operation *> drawing(sites);
  for (auto [call, callee] : calls)
    if (functions.contains(callee))
      drawing.push_back(call);
  writer.addTripCounters(drawing);

  for (Operation *function : functions)
    if (failed(addArguments(cast<func::FuncOp>(function))))
      return failure();
  for (auto [call, callee] : calls)
    if (functions.contains(callee) && failed(passArguments(call, callee)))
      return failure();
  return success();
}

LogicalResult RngThreading::addArguments(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Location loc = function.getLoc();
  SeedState &state = states[&function.getBody().front()];
  if (!function.isPublic()) {
    for (Type type : writer.getSeedTypes(function.getContext())) {
      if (failed(function.insertArgument(function.getNumArguments(), type, {}, loc)))
        return failure();
      state.push_back(function.getArguments().back());
    }
    return success();
  }
  if (source.fixed) {
    state = writer.getConstant(builder, loc, source.fixed->first, source.fixed->second);
    return success();
  }
  auto rngType = RankedTensorType::get({3}, builder.getI32Type());
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
  function.setArgAttr(number, kRngAttr, writer.getRngMark(function.getContext()));
  state = writer.unpack(builder, loc, function.getArgument(number));
  return success();
}

LogicalResult RngThreading::passArguments(Operation *call, func::FuncOp callee) {
  if (std::optional<std::string> obstacle = getObstacle(call))
    return call->emitError() << "calls '" << callee.getSymName() << "', which draws, but "
                             << *obstacle;
  SeedState state = getState(call);
  OpBuilder builder(call);
  Location loc = call->getLoc();
  ArrayRef<Operation *> sites = callers[callee];
  if (sites.size() > 1)
    state = writer.foldIn(builder, loc, state, llvm::find(sites, call) - sites.begin());
  if (!callee.isPublic()) {
    call->insertOperands(call->getNumOperands(), state);
    return success();
  }
  if (source.fixed || source.seedArg >= 0)
    return call->emitError() << "calls the public function '" << callee.getSymName()
                             << "', which draws from a seed of its own; make it private";
  call->insertOperands(call->getNumOperands(), writer.pack(builder, loc, state));
  return success();
}

SeedState RngThreading::getState(Operation *op) {
  Region *scope = op->getParentRegion();
  while (!isa<func::FuncOp>(scope->getParentOp()) &&
         writer.getScope(scope->getParentOp()) != ModelWriter::Scope::Own)
    scope = scope->getParentOp()->getParentRegion();
  if (auto known = states.find(&scope->front()); known != states.end())
    return known->second;
  SeedState outer = getState(scope->getParentOp());
  SeedState state = writer.enter(*scope, outer);
  return states[&scope->front()] = state;
}
