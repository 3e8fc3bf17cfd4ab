//===- TripNumbers.cpp - which trip of a loop runs ------------------------===//

#include "ufp4/Transforms/TripNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// Gives a `scf.while` a counter of its trips: the last argument of both its regions.
static void addTripCounter(scf::WhileOp loop) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 64);
  SmallVector<Value> inits(loop.getInits());
  inits.push_back(zero);
  SmallVector<Type> types(loop.getResultTypes());
  types.push_back(rewriter.getI64Type());
  auto counted = scf::WhileOp::create(rewriter, loc, types, inits);
  counted.getBefore().takeBody(loop.getBefore());
  counted.getAfter().takeBody(loop.getAfter());
  Value before = counted.getBeforeBody()->addArgument(rewriter.getI64Type(), loc);
  Value after = counted.getAfterBody()->addArgument(rewriter.getI64Type(), loc);
  scf::ConditionOp condition = counted.getConditionOp();
  condition.getArgsMutable().append(before);
  scf::YieldOp yield = counted.getYieldOp();
  rewriter.setInsertionPoint(yield);
  Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
  yield.getResultsMutable().append(arith::AddIOp::create(rewriter, loc, after, one).getResult());
  rewriter.replaceOp(loop, counted.getResults().drop_back());
}

void ufp4::addTripCounters(ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> loops;
  for (Operation *op : ops)
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      if (isa<scf::WhileOp>(parent))
        loops.insert(parent);
  for (Operation *loop : loops)
    addTripCounter(cast<scf::WhileOp>(loop));
}

Value ufp4::getTripNumber(OpBuilder &builder, Location loc, Region &body) {
  auto loop = dyn_cast<scf::ForOp>(body.getParentOp());
  if (!loop)
    return body.front().getArguments().back();
  Value distance =
      builder.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(), loop.getLowerBound());
  Value trip = builder.createOrFold<arith::DivUIOp>(loc, distance, loop.getStep());
  if (trip.getType().isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), trip);
  if (trip.getType().getIntOrFloatBitWidth() < 64)
    return arith::ExtUIOp::create(builder, loc, builder.getI64Type(), trip);
  return trip;
}
