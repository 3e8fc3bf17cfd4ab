//===- Emission.h - Short forms for building kernel code --------*- C++ -*-===//
//
// 32-bit arithmetic, byte-wise pointers and vectors of the LLVM dialect: what transports, matrix
// instructions and skeletons are written in. Constants fold as they are built.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_TARGET_EMISSION_H
#define UFP4_TARGET_EMISSION_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace ufp4::target {

/// Address spaces that NVPTX and AMDGPU number alike, and NVPTX's own.
enum AddressSpace : unsigned { globalSpace = 1, sharedSpace = 3, tensorSpace = 6 };

/// A builder of kernel code.
class KernelBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;
  using Value = mlir::Value;

  Value i32(int64_t value) {
    return mlir::arith::ConstantOp::create(*this, getI32IntegerAttr(value));
  }
  Value f32(float value) { return mlir::arith::ConstantOp::create(*this, getF32FloatAttr(value)); }

  Value add(Value x, Value y) { return createOrFold<mlir::arith::AddIOp>(x, y); }
  Value add(Value x, int64_t y) { return y ? add(x, constantLike(x, y)) : x; }
  Value sub(Value x, Value y) { return createOrFold<mlir::arith::SubIOp>(x, y); }
  Value mul(Value x, Value y) { return createOrFold<mlir::arith::MulIOp>(x, y); }
  Value mul(Value x, int64_t y) { return mul(x, constantLike(x, y)); }
  Value shl(Value x, unsigned y) {
    return y ? createOrFold<mlir::arith::ShLIOp>(x, constantLike(x, y)) : x;
  }
  Value shr(Value x, unsigned y) {
    return y ? createOrFold<mlir::arith::ShRUIOp>(x, constantLike(x, y)) : x;
  }
  Value bitAnd(Value x, int64_t y) {
    return createOrFold<mlir::arith::AndIOp>(x, constantLike(x, y));
  }
  Value bitOr(Value x, Value y) { return createOrFold<mlir::arith::OrIOp>(x, y); }
  Value bitXor(Value x, Value y) { return createOrFold<mlir::arith::XOrIOp>(x, y); }
  Value bitXor(Value x, int64_t y) { return bitXor(x, constantLike(x, y)); }
  Value widen(Value x) { return createOrFold<mlir::arith::ExtUIOp>(getI64Type(), x); }
  Value less(Value x, Value y) {
    return createOrFold<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::ult, x, y);
  }
  Value less(Value x, int64_t y) { return less(x, constantLike(x, y)); }
  Value both(Value x, Value y) { return createOrFold<mlir::arith::AndIOp>(x, y); }
  Value select(Value condition, Value x, Value y) {
    return createOrFold<mlir::arith::SelectOp>(condition, x, y);
  }

  /// `pointer` moved by bytes; offsets are unsigned, and those of shared memory have 32 bits.
  Value at(Value pointer, mlir::LLVM::GEPArg bytes) {
    return mlir::LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer, bytes);
  }
  Value load(mlir::Type type, Value pointer, unsigned alignment) {
    return mlir::LLVM::LoadOp::create(*this, type, pointer, alignment);
  }
  void store(Value value, Value pointer, unsigned alignment) {
    mlir::LLVM::StoreOp::create(*this, value, pointer, alignment);
  }
  mlir::VectorType vector(int64_t size, mlir::Type element) {
    return mlir::VectorType::get(size, element);
  }
  Value element(Value vector, int64_t index) {
    return mlir::LLVM::ExtractElementOp::create(*this, vector, i32(index));
  }
  Value join(mlir::ValueRange elements) {
    Value joined =
        mlir::LLVM::PoisonOp::create(*this, vector(elements.size(), elements.front().getType()));
    for (auto [index, value] : llvm::enumerate(elements))
      joined = mlir::LLVM::InsertElementOp::create(*this, joined, value, i32(index));
    return joined;
  }
  Value field(Value aggregate, int64_t index) {
    return mlir::LLVM::ExtractValueOp::create(*this, aggregate, index);
  }
  /// x · y + z, rounded once.
  Value fma(Value x, Value y, Value z) {
    return mlir::LLVM::FMAOp::create(*this, x.getType(), x, y, z);
  }
  Value mulF(Value x, Value y) { return mlir::arith::MulFOp::create(*this, x, y); }
  Value addF(Value x, Value y) { return mlir::arith::AddFOp::create(*this, x, y); }

private:
  Value constantLike(Value x, int64_t value) {
    return mlir::arith::ConstantOp::create(*this, getIntegerAttr(x.getType(), value));
  }
};

} // namespace ufp4::target

#endif // UFP4_TARGET_EMISSION_H
