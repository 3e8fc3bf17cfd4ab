//===- UFP4Dialect.cpp - the ufp4 dialect ---------------------------------===//

#include "ufp4/Dialect/UFP4/IR/UFP4.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace ufp4;

#include "ufp4/Dialect/UFP4/IR/UFP4Dialect.cpp.inc"
#include "ufp4/Dialect/UFP4/IR/UFP4Enums.cpp.inc"

namespace {
/// Schemes repeat on every operation: print them once, as `#scheme`.
struct UFP4AsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<SchemeAttr>(attr))
      return AliasResult::NoAlias;
    os << "scheme";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void UFP4Dialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "ufp4/Dialect/UFP4/IR/UFP4Ops.cpp.inc"
      >();
  addInterfaces<UFP4AsmInterface>();
}

Operation *UFP4Dialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  if (auto quantized = dyn_cast<QuantizedAttr>(value))
    return ConstantOp::create(builder, loc, type, quantized);
  // What dequantize, rotate, amax and fold_in fold to.
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

StringRef ufp4::stringify(numerics::Format format) { return numerics::name(format); }
StringRef ufp4::stringify(numerics::ScaleKind scale) { return numerics::name(scale); }
StringRef ufp4::stringify(numerics::ScaleRule rule) { return numerics::name(rule); }

StringRef ufp4::stringify(numerics::Grouping grouping) {
  switch (grouping) {
  case numerics::Grouping::Rows:
    return "rows";
  case numerics::Grouping::Contracted:
    return "contracted";
  case numerics::Grouping::Stacked:
    return "stacked";
  }
  llvm_unreachable("closed set");
}

std::optional<numerics::Format> ufp4::symbolizeFormat(StringRef name) {
  return llvm::StringSwitch<std::optional<numerics::Format>>(name)
      .Case("e1m2", numerics::Format::E1M2)
      .Case("e2m1", numerics::Format::E2M1)
      .Default(std::nullopt);
}

std::optional<numerics::ScaleKind> ufp4::symbolizeScaleKind(StringRef name) {
  return llvm::StringSwitch<std::optional<numerics::ScaleKind>>(name)
      .Case("f32", numerics::ScaleKind::F32)
      .Case("ue4m3", numerics::ScaleKind::UE4M3)
      .Case("ue8m0", numerics::ScaleKind::UE8M0)
      .Default(std::nullopt);
}

std::optional<numerics::ScaleRule> ufp4::symbolizeScaleRule(StringRef name) {
  return llvm::StringSwitch<std::optional<numerics::ScaleRule>>(name)
      .Case("ceil", numerics::ScaleRule::Ceil)
      .Cases({"ocp-floor", "ocp_floor"}, numerics::ScaleRule::OcpFloor)
      .Default(std::nullopt);
}

std::optional<numerics::Grouping> ufp4::symbolizeGrouping(StringRef name) {
  return llvm::StringSwitch<std::optional<numerics::Grouping>>(name)
      .Case("rows", numerics::Grouping::Rows)
      .Case("contracted", numerics::Grouping::Contracted)
      .Case("stacked", numerics::Grouping::Stacked)
      .Default(std::nullopt);
}

std::optional<numerics::Element> ufp4::getElement(Type type) {
  if (type.isF32())
    return numerics::Element::F32;
  if (type.isBF16())
    return numerics::Element::BF16;
  if (type.isF16())
    return numerics::Element::F16;
  return std::nullopt;
}
