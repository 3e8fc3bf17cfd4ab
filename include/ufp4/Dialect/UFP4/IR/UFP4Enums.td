//===- UFP4Enums.td - the closed sets of the language ------*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4ENUMS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4ENUMS_TD

include "mlir/IR/EnumAttr.td"

class UFP4_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::ufp4";
  let genSpecializedAttr = 0;
}

def UFP4_Rounding : UFP4_Enum<"Rounding", "how t becomes a code (Q6)", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"Stochastic", 1, "stochastic">
]>;

def UFP4_Evaluation : UFP4_Enum<"Evaluation", "how a rotation is computed (Q2)", [
  I32EnumAttrCase<"Butterfly", 0, "butterfly">,
  I32EnumAttrCase<"Mma", 1, "mma">
]>;

#endif // UFP4_DIALECT_UFP4_IR_UFP4ENUMS_TD
