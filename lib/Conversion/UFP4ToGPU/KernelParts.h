//===- KernelParts.h - What kernels of every kind are made of ---*- C++ -*-===//

#ifndef UFP4_LIB_CONVERSION_UFP4TOGPU_KERNELPARTS_H
#define UFP4_LIB_CONVERSION_UFP4TOGPU_KERNELPARTS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "ufp4/Target/Emission.h"

namespace ufp4 {

inline mlir::Value toI32(target::KernelBuilder &b, mlir::Value index) {
  return mlir::arith::IndexCastOp::create(b, b.getI32Type(), index);
}

/// Without an else.
inline void emitIf(target::KernelBuilder &b, mlir::Value condition,
                   llvm::function_ref<void()> emit) {
  auto guarded = mlir::scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(guarded.thenBlock());
  emit();
}

/// One of two branches.
inline void emitEither(target::KernelBuilder &b, mlir::Value condition,
                       llvm::function_ref<void()> emitThen, llvm::function_ref<void()> emitElse) {
  auto choice = mlir::scf::IfOp::create(b, condition, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  emitThen();
  b.setInsertionPointToStart(choice.elseBlock());
  emitElse();
}

/// The values of one of two branches, of the given types.
inline mlir::SmallVector<mlir::Value>
emitChoice(target::KernelBuilder &b, mlir::TypeRange types, mlir::Value condition,
           llvm::function_ref<mlir::SmallVector<mlir::Value>()> emitThen,
           llvm::function_ref<mlir::SmallVector<mlir::Value>()> emitElse) {
  auto choice = mlir::scf::IfOp::create(b, types, condition, /*addThenBlock=*/true,
                                        /*addElseBlock=*/true);
  mlir::OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  mlir::scf::YieldOp::create(b, emitThen());
  b.setInsertionPointToStart(choice.elseBlock());
  mlir::scf::YieldOp::create(b, emitElse());
  return llvm::to_vector_of<mlir::Value>(choice.getResults());
}

/// The pointer to dynamic shared memory, whose size the launch sets; every kernel of a module has
/// the same. Its alignment is that after which swizzles of tensor copies repeat.
inline mlir::Value createSharedPointer(target::KernelBuilder &b, mlir::gpu::GPUModuleOp module) {
  static constexpr llvm::StringLiteral name = "ufp4_shared";
  if (!module.lookupSymbol(name)) {
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto bytes = mlir::LLVM::LLVMArrayType::get(b.getI8Type(), 0);
    mlir::LLVM::GlobalOp::create(b, bytes, /*isConstant=*/false, mlir::LLVM::Linkage::External,
                                 name, mlir::Attribute(), /*alignment=*/1024, target::sharedSpace);
  }
  return mlir::LLVM::AddressOfOp::create(
      b, mlir::LLVM::LLVMPointerType::get(b.getContext(), target::sharedSpace), name);
}

} // namespace ufp4

#endif // UFP4_LIB_CONVERSION_UFP4TOGPU_KERNELPARTS_H
