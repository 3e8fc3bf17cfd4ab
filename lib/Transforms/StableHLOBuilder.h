//===- StableHLOBuilder.h - makes StableHLO in generic form -----*- C++ -*-===//
//
// Operations are unregistered; their attributes are properties, as jaxlib prints them.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_LIB_TRANSFORMS_STABLEHLOBUILDER_H
#define UFP4_LIB_TRANSFORMS_STABLEHLOBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace ufp4 {

class StableHLOBuilder {
public:
  StableHLOBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Operation *create(llvm::StringRef name, mlir::ValueRange operands, mlir::TypeRange types,
                          llvm::ArrayRef<mlir::NamedAttribute> attrs = {});
  /// The same for an operation of one result.
  mlir::Value createValue(llvm::StringRef name, mlir::ValueRange operands, mlir::Type type,
                          llvm::ArrayRef<mlir::NamedAttribute> attrs = {}) {
    return create(name, operands, type, attrs)->getResult(0);
  }
  mlir::Value constant(mlir::DenseElementsAttr value);
  /// A scalar of `elementType`, a tensor of rank 0.
  mlir::Value scalar(mlir::Type elementType, uint64_t value);
  /// Unless it has the shape already.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// Unless it changes nothing.
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  /// Unless it has the element type already.
  mlir::Value convert(mlir::Value value, mlir::Type elementType);
  /// The same bits under an element type of the same width.
  mlir::Value bitcast(mlir::Value value, mlir::Type elementType);
  /// A constant tensor<nxi64>.
  mlir::Value vector(llvm::ArrayRef<int64_t> values);
  /// A scalar, `count` times.
  mlir::Value splat(mlir::Value scalar, int64_t count);
  /// The number of the device among a manual computation's, as tensor<i64>.
  mlir::Value partitionId();
  /// The elementwise maximum over the devices of each group.
  mlir::Value allReduceMax(mlir::Value value, llvm::ArrayRef<llvm::SmallVector<int64_t>> groups);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Whether a value is the integer constant `expected`, in any integer type.
bool isStableHLOConstant(mlir::Value value, int64_t expected);

/// Makes `@ufp4.fold_in(rng : tensor<3xi32>, j : tensor<i64>) -> tensor<3xi32>` (Q10) at the end of
/// a module: Philox4x32-10 (Salmon et al. 2011) in integer operations.
mlir::func::FuncOp createFoldInFunction(mlir::ModuleOp module);

} // namespace ufp4

#endif // UFP4_LIB_TRANSFORMS_STABLEHLOBUILDER_H
