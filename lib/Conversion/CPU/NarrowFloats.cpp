//===- NarrowFloats.cpp - bf16 and f16 arithmetic through f32 -------------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUEXPANDNARROWFLOATS
#include "ufp4/Conversion/CPU/Passes.h.inc"
} // namespace ufp4

using namespace mlir;

namespace {

bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isBF16() || element.isF16();
}

Type widened(Type type) {
  Type f32 = Float32Type::get(type.getContext());
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(f32);
  return f32;
}

/// Whether the op computes with its narrow operands or results; moving bits is no arithmetic.
bool computesNarrow(Operation *op) {
  if (!isa_and_nonnull<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return false;
  if (isa<arith::ConstantOp, arith::SelectOp, arith::BitcastOp, arith::TruncFOp, arith::ExtFOp>(op))
    return false;
  return llvm::any_of(op->getOperandTypes(), isNarrow) ||
         llvm::any_of(op->getResultTypes(), isNarrow);
}

struct CPUExpandNarrowFloatsPass
    : public ufp4::impl::CPUExpandNarrowFloatsBase<CPUExpandNarrowFloatsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> narrow;
    getOperation()->walk([&](Operation *op) {
      if (computesNarrow(op))
        narrow.push_back(op);
    });
    for (Operation *op : narrow) {
      OpBuilder b(op);
      Location loc = op->getLoc();
      for (OpOperand &operand : op->getOpOperands())
        if (isNarrow(operand.get().getType()))
          operand.set(arith::ExtFOp::create(b, loc, widened(operand.get().getType()),
                                            operand.get()));
      b.setInsertionPointAfter(op);
      for (OpResult result : op->getResults()) {
        Type type = result.getType();
        if (!isNarrow(type))
          continue;
        result.setType(widened(type));
        auto rounded = arith::TruncFOp::create(b, loc, type, result);
        result.replaceAllUsesExcept(rounded, rounded);
      }
    }
  }
};

} // namespace
