//===- LaneInstructions.cpp - One lane's arithmetic by instruction --------===//

#include "ufp4/Target/LaneInstructions.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace ufp4::target;

static Value callIntrinsic(KernelBuilder &b, Type type, StringRef name, ValueRange arguments) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), arguments).getResult(0);
}

/// Without side effects.
static Value callAssembly(KernelBuilder &b, Type type, StringRef text, StringRef constraints,
                          ValueRange operands) {
  return LLVM::InlineAsmOp::create(b, type, operands, text, constraints, /*has_side_effects=*/false,
                                   /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

Value ufp4::target::emitMixedAdd(KernelBuilder &b, Value half, Value x, bool subtracts) {
  return callAssembly(b, b.getF32Type(),
                      subtracts ? "sub.rn.f32.bf16 $0, $1, $2;" : "add.rn.f32.bf16 $0, $1, $2;",
                      "=f,h,f", {half, x});
}

Value ufp4::target::emitMagnitude(KernelBuilder &b, Value x) {
  // Lowering to NVVM makes a library's call of the operation.
  return callIntrinsic(b, b.getF32Type(), "llvm.fabs.f32", {x});
}

Value ufp4::target::emitAddDown(KernelBuilder &b, Value x, Value y, bool saturates) {
  return callIntrinsic(b, b.getF32Type(),
                       saturates ? "llvm.nvvm.add.rm.sat.f" : "llvm.nvvm.add.rm.f", {x, y});
}

Value ufp4::target::emitFmaDown(KernelBuilder &b, Value x, Value y, Value z) {
  return callIntrinsic(b, b.getF32Type(), "llvm.nvvm.fma.rm.f", {x, y, z});
}

Value ufp4::target::emitQuotient(KernelBuilder &b, Value x, float divisor) {
  Value reciprocal = b.f32(1 / divisor), quotient = b.mulF(x, reciprocal);
  // Exact, so what is left is one rounding.
  Value rest = b.fma(arith::NegFOp::create(b, quotient), b.f32(divisor), x);
  return b.fma(rest, reciprocal, quotient);
}

Value ufp4::target::emitReciprocal(KernelBuilder &b, Value x) {
  // One step of Newton's from a seed that is within one last place.
  Value seed = callIntrinsic(b, b.getF32Type(), "llvm.nvvm.rcp.approx.ftz.f", {x});
  Value rest = b.fma(arith::NegFOp::create(b, x), seed, b.f32(1));
  return b.fma(rest, seed, seed);
}

Value ufp4::target::emitToE4M3(KernelBuilder &b, Value low, Value high) {
  return callIntrinsic(b, b.getI16Type(), "llvm.nvvm.ff.to.e4m3x2.rn", {high, low});
}

Value ufp4::target::emitToE2M3(KernelBuilder &b, Value low, Value high) {
  return callIntrinsic(b, b.getI16Type(), "llvm.nvvm.ff.to.e2m3x2.rn.satfinite", {high, low});
}

Value ufp4::target::emitFromE4M3(KernelBuilder &b, Value pair) {
  Value halves =
      callIntrinsic(b, b.vector(2, b.getF16Type()), "llvm.nvvm.e4m3x2.to.f16x2.rn", {pair});
  return arith::ExtFOp::create(b, b.getF32Type(), b.element(halves, 0));
}

Value ufp4::target::emitToE2M1(KernelBuilder &b, ValueRange eight) {
  // Assembly, because LLVM has no registers of 8 bits, and puts bytes together one by one.
  static constexpr llvm::StringLiteral text =
      "{ .reg .b8 a, b, c, d; cvt.rn.satfinite.e2m1x2.f32 a, $2, $1; "
      "cvt.rn.satfinite.e2m1x2.f32 b, $4, $3; cvt.rn.satfinite.e2m1x2.f32 c, $6, $5; "
      "cvt.rn.satfinite.e2m1x2.f32 d, $8, $7; mov.b32 $0, {a, b, c, d}; }";
  return callAssembly(b, b.getI32Type(), text, "=r,f,f,f,f,f,f,f,f", eight);
}

Value ufp4::target::emitPermute(KernelBuilder &b, Value x, Value y, unsigned selector) {
  return callIntrinsic(b, b.getI32Type(), "llvm.nvvm.prmt", {x, y, b.i32(selector)});
}

SmallVector<Value, 4> ufp4::target::emitProductBF16(KernelBuilder &b, ValueRange lhs,
                                                    ValueRange rhs, ValueRange c) {
  Type f32 = b.getF32Type();
  auto result = LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
  Value d = NVVM::MmaOp::create(
      b, result, lhs, rhs, c, {16, 8, 16}, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{NVVM::MMATypes::bf16, NVVM::MMATypes::bf16},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row, NVVM::MMALayout::col});
  SmallVector<Value, 4> product;
  for (unsigned i = 0; i < 4; ++i)
    product.push_back(b.field(d, i));
  return product;
}

SmallVector<Value, 4> ufp4::target::emitMatrixLoad(KernelBuilder &b, Value pointer) {
  Type i32 = b.getI32Type();
  auto four = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8);
  Value loaded = NVVM::LdMatrixOp::create(b, four, pointer, 4, NVVM::MMALayout::row, shape,
                                          NVVM::LdStMatrixEltType::B16);
  SmallVector<Value, 4> words;
  for (unsigned i = 0; i < 4; ++i)
    words.push_back(b.field(loaded, i));
  return words;
}

void ufp4::target::emitWarpBarrier(KernelBuilder &b) { NVVM::SyncWarpOp::create(b, b.i32(-1)); }
