//===- Ring.h - Stages that are filled and read in turn ---------*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_RING_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_RING_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "ufp4/Target/Emission.h"

namespace ufp4 {

/// Where a ring is before its first step: the number of a stage and the parity of its phase.
inline mlir::SmallVector<mlir::Value> ringFrom(target::KernelBuilder &b, unsigned parity) {
  return {b.i32(0), b.i32(parity)};
}

/// A loop over so many steps (i32), from where the ring is; returns where it is then. `emitBody` is
/// given the step, the number and the parity of its stage, and what it carried; it returns what it
/// carries further.
inline mlir::SmallVector<mlir::Value> emitRing(
    target::KernelBuilder &b, unsigned stages, mlir::Value steps, mlir::ValueRange place,
    mlir::ValueRange inits,
    llvm::function_ref<mlir::SmallVector<mlir::Value>(mlir::Value step, mlir::Value stage,
                                                      mlir::Value parity, mlir::ValueRange carried)>
        emitBody) {
  using namespace mlir;
  SmallVector<Value> all(place);
  llvm::append_range(all, inits);
  auto loop = scf::ForOp::create(b, b.i32(0), steps, b.i32(1), all);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ValueRange carried = loop.getRegionIterArgs();
  SmallVector<Value> further =
      emitBody(loop.getInductionVar(), carried[0], carried[1], carried.drop_front(2));
  Value following = b.add(carried[0], 1);
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, following, b.i32(stages));
  SmallVector<Value> next{b.select(isLast, b.i32(0), following),
                          b.bitXor(carried[1], arith::ExtUIOp::create(b, b.getI32Type(), isLast))};
  llvm::append_range(next, further);
  scf::YieldOp::create(b, next);
  return llvm::to_vector_of<Value>(loop.getResults().take_front(2));
}

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_RING_H
