//===- NarrowFloats.cpp - bf16 and f16 arithmetic through f32 -------------===//

#include "ufp4/Conversion/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"

namespace ufp4 {
#define GEN_PASS_DEF_CPUEXPANDNARROWFLOATS
#define GEN_PASS_DEF_CPUMOVENARROWFLOATS
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

/// Whether the op casts between f64 and a narrow type, which targets leave to library calls.
bool isCastWithF64(Operation *op) {
  if (!isa<arith::TruncFOp, arith::ExtFOp>(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  return (isNarrow(from) && getElementTypeOrSelf(to).isF64()) ||
         (isNarrow(to) && getElementTypeOrSelf(from).isF64());
}

Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

Value splat(OpBuilder &b, Location loc, Type type, int64_t value) {
  TypedAttr attribute = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, cast<Attribute>(attribute));
  return arith::ConstantOp::create(b, loc, attribute);
}

/// f64 to f32 such that rounding the result once more, to a type of half the width, is as good as
/// rounding once: towards zero, with the last bit set where anything was lost ("round to odd").
Value roundToOdd(OpBuilder &b, Location loc, Value wide) {
  Type f32 = widened(wide.getType());
  Type i32 = withElement(f32, b.getI32Type());
  Value nearest = arith::TruncFOp::create(b, loc, f32, wide);
  Value back = arith::ExtFOp::create(b, loc, wide.getType(), nearest);
  Value inexact = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, back, wide);
  Value tooLarge =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, math::AbsFOp::create(b, loc, back),
                            math::AbsFOp::create(b, loc, wide));
  Value bits = arith::BitcastOp::create(b, loc, i32, nearest);
  Value one = splat(b, loc, i32, 1);
  Value below = arith::SubIOp::create(b, loc, bits, one);
  Value towardsZero = arith::SelectOp::create(b, loc, tooLarge, below, bits);
  Value odd = arith::OrIOp::create(b, loc, towardsZero, one);
  Value chosen = arith::SelectOp::create(b, loc, inexact, odd, bits);
  return arith::BitcastOp::create(b, loc, f32, chosen);
}

/// Lets the op work in the type that `to` makes of each narrow one, by casts before and after it.
template <typename Before, typename After> void surround(Operation *op, Type (*to)(Type)) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  for (OpOperand &operand : op->getOpOperands())
    if (Type type = operand.get().getType(); isNarrow(type))
      operand.set(Before::create(b, loc, to(type), operand.get()));
  b.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    Type type = result.getType();
    if (!isNarrow(type))
      continue;
    result.setType(to(type));
    auto narrow = After::create(b, loc, type, result);
    result.replaceAllUsesExcept(narrow, narrow);
  }
}

struct CPUExpandNarrowFloatsPass
    : public ufp4::impl::CPUExpandNarrowFloatsBase<CPUExpandNarrowFloatsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> narrow;
    SmallVector<Operation *> throughF32;
    getOperation()->walk([&](Operation *op) {
      if (computesNarrow(op))
        narrow.push_back(op);
      else if (isCastWithF64(op))
        throughF32.push_back(op);
    });
    for (Operation *op : throughF32) {
      OpBuilder b(op);
      Value operand = op->getOperand(0);
      op->setOperand(
          0, isa<arith::TruncFOp>(op)
                 ? roundToOdd(b, op->getLoc(), operand)
                 : arith::ExtFOp::create(b, op->getLoc(), widened(operand.getType()), operand));
    }
    for (Operation *op : narrow)
      surround<arith::ExtFOp, arith::TruncFOp>(op, widened);
  }
};

/// The same bits as integers.
Type asIntegers(Type type) { return withElement(type, IntegerType::get(type.getContext(), 16)); }

struct CPUMoveNarrowFloatsPass
    : public ufp4::impl::CPUMoveNarrowFloatsBase<CPUMoveNarrowFloatsPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isa<LLVM::MaskedLoadOp, LLVM::MaskedStoreOp, LLVM::SelectOp>(op))
        surround<LLVM::BitcastOp, LLVM::BitcastOp>(op, asIntegers);
    });
  }
};

} // namespace
