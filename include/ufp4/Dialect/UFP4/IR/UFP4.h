//===- UFP4.h - the ufp4 dialect --------------------------------*- C++ -*-===//
//
// Types, attributes and operations of 4-bit block-scaled tensors. docs/spec.md defines every bit.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4_H
#define UFP4_DIALECT_UFP4_IR_UFP4_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "ufp4/Numerics/Groups.h"
#include "ufp4/Numerics/Quantize.h"
#include "ufp4/Numerics/Scheme.h"
#include "ufp4/Target/OperandStorage.h"

#include "ufp4/Dialect/UFP4/IR/UFP4Dialect.h.inc"
#include "ufp4/Dialect/UFP4/IR/UFP4Enums.h.inc"

namespace ufp4 {
/// The names of formats, scale kinds and scale rules, as IR and JSON spell them
/// (`ocp_floor` is `ocp-floor` outside IR).
llvm::StringRef stringify(numerics::Format format);
llvm::StringRef stringify(numerics::ScaleKind scale);
llvm::StringRef stringify(numerics::ScaleRule rule);
llvm::StringRef stringify(numerics::Grouping grouping);
std::optional<numerics::Format> symbolizeFormat(llvm::StringRef name);
std::optional<numerics::ScaleKind> symbolizeScaleKind(llvm::StringRef name);
std::optional<numerics::ScaleRule> symbolizeScaleRule(llvm::StringRef name);
std::optional<numerics::Grouping> symbolizeGrouping(llvm::StringRef name);
/// The numerics library's element kind of f32, bf16 and f16; nothing for other types.
std::optional<numerics::Element> getElement(mlir::Type type);

class QuantizedTensorType;
} // namespace ufp4

#define GET_ATTRDEF_CLASSES
#include "ufp4/Dialect/UFP4/IR/UFP4Attributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ufp4/Dialect/UFP4/IR/UFP4Types.h.inc"
#define GET_OP_CLASSES
#include "ufp4/Dialect/UFP4/IR/UFP4Ops.h.inc"

#endif // UFP4_DIALECT_UFP4_IR_UFP4_H
