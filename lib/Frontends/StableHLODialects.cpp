//===- StableHLODialects.cpp - dialects that are read as text -------------===//
//
// A symbol table may hide behind any unregistered operation of one region, so MLIR resolves no call
// inside a `stablehlo.reduce` or a `sdy.manual_computation` of an unknown dialect. These dialects
// know no operation and keep attributes and types as opaque text; that is enough to be known.
//
//===----------------------------------------------------------------------===//

#include "ufp4/Frontends/Frontends.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace ufp4;

namespace ufp4::detail {

class TextDialect : public Dialect {
public:
  TextDialect(StringRef name, MLIRContext *context, TypeID id) : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type type) const override {
    auto name = StringAttr::get(getContext(), getNamespace());
    return OpaqueAttr::get(name, parser.getFullSymbolSpec(),
                           type ? type : NoneType::get(getContext()));
  }

  Type parseType(DialectAsmParser &parser) const override {
    auto name = StringAttr::get(getContext(), getNamespace());
    return OpaqueType::get(name, parser.getFullSymbolSpec());
  }

  std::optional<ParseOpHook> getParseOperationHook(StringRef) const override {
    return ParseOpHook(refuseCustomSyntax);
  }

private:
  static ParseResult refuseCustomSyntax(OpAsmParser &parser, OperationState &) {
    return parser.emitError(parser.getNameLoc())
           << "is read in MLIR's generic form only; print the module with "
              "print_generic_op_form=True (jaxlib) or --mlir-print-op-generic";
  }
};

#define UFP4_TEXT_DIALECT(CLASS, NAMESPACE)                                                        \
  class CLASS : public TextDialect {                                                               \
  public:                                                                                          \
    explicit CLASS(MLIRContext *context)                                                           \
        : TextDialect(NAMESPACE, context, TypeID::get<CLASS>()) {}                                 \
    static constexpr StringLiteral getDialectNamespace() { return NAMESPACE; }                     \
  };
UFP4_TEXT_DIALECT(StableHLODialect, "stablehlo")
UFP4_TEXT_DIALECT(CHLODialect, "chlo")
UFP4_TEXT_DIALECT(ShardyDialect, "sdy")

} // namespace ufp4::detail

using ufp4::detail::CHLODialect;
using ufp4::detail::ShardyDialect;
using ufp4::detail::StableHLODialect;
MLIR_DECLARE_EXPLICIT_TYPE_ID(StableHLODialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(CHLODialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(ShardyDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(StableHLODialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(CHLODialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(ShardyDialect)

void ufp4::registerStableHLODialects(DialectRegistry &registry) {
  registry.insert<StableHLODialect, CHLODialect, ShardyDialect>();
  // The first operation of a dialect must find it loaded.
  registry.addExtension(+[](MLIRContext *context, BuiltinDialect *) {
    context->loadDialect<StableHLODialect, CHLODialect, ShardyDialect>();
  });
}
