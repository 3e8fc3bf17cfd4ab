//===- MBarriers.cpp - Copies that a barrier counts -----------------------===//

#include "ufp4/Target/NVPTX/MBarriers.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace ufp4::target;

Value ufp4::target::callIntrinsic(KernelBuilder &b, StringRef name, ValueRange arguments,
                                  Type result) {
  auto intrinsic = b.getStringAttr(name);
  if (result)
    return LLVM::CallIntrinsicOp::create(b, result, intrinsic, arguments)->getResult(0);
  LLVM::CallIntrinsicOp::create(b, intrinsic, arguments);
  return {};
}

void ufp4::target::emitByOneThread(KernelBuilder &b, const CopyingThreads &threads, unsigned warps,
                                   llvm::function_ref<void()> emit) {
  OpBuilder::InsertionGuard guard(b);
  if (warps < threads.count / threads.warpSize) {
    auto some = scf::IfOp::create(b, b.less(threads.warp, warps), /*withElseRegion=*/false);
    b.setInsertionPointToStart(some.thenBlock());
  }
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {b.getI32Type(), b.getI1Type()});
  Value elected = callIntrinsic(b, "llvm.nvvm.elect.sync", {b.i32(-1)}, type);
  auto one = scf::IfOp::create(b, b.field(elected, 1), /*withElseRegion=*/false);
  b.setInsertionPointToStart(one.thenBlock());
  emit();
}

Value ufp4::target::barrierOf(KernelBuilder &b, const TileStream &stream, Value stage) {
  return b.at(stage, int32_t(stream.bytes()));
}

void ufp4::target::initBarriers(KernelBuilder &b, const CopyingThreads &threads,
                                const TileStream &stream, Value ring, unsigned stages,
                                int64_t stageBytes, unsigned arrivals) {
  emitByOneThread(b, threads, 1, [&] {
    for (unsigned stage = 0; stage < stages; ++stage)
      callIntrinsic(
          b, "llvm.nvvm.mbarrier.init.shared",
          {barrierOf(b, stream, b.at(ring, int32_t(stage * stageBytes))), b.i32(arrivals)});
    // Copies see the barriers too.
    callIntrinsic(b, "llvm.nvvm.fence.mbarrier_init.release.cluster", {});
  });
  NVVM::BarrierOp::create(b);
}

void ufp4::target::expectBytes(KernelBuilder &b, Value barrier, int64_t bytes) {
  callIntrinsic(b, "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta",
                {barrier, b.i32(bytes)}, b.getI64Type());
}

void ufp4::target::waitForPhase(KernelBuilder &b, Value barrier, Value parity) {
  // The instruction may give up before the phase is complete.
  auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Value isComplete = callIntrinsic(b, "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta",
                                   {barrier, parity}, b.getI1Type());
  Value asksAgain =
      arith::XOrIOp::create(b, isComplete, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  scf::ConditionOp::create(b, asksAgain, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b);
}
