//===- AnalysisEnums.td - roles and reasons ----------------*- tablegen -*-===//
//
// The words of decisions.json.
//
//===----------------------------------------------------------------------===//

#ifndef UFP4_ANALYSIS_ANALYSISENUMS_TD
#define UFP4_ANALYSIS_ANALYSISENUMS_TD

include "mlir/IR/EnumAttr.td"

class UFP4_AnalysisEnum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::ufp4";
  let genSpecializedAttr = 0;
}

def UFP4_Role : UFP4_AnalysisEnum<"Role", "what a GEMM is to its linear layer", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Fprop", 1, "fprop">,
  I32EnumAttrCase<"Dgrad", 2, "dgrad">,
  I32EnumAttrCase<"Wgrad", 3, "wgrad">
]>;

// The order is the order of precedence where several reasons hold.
def UFP4_Reason : UFP4_AnalysisEnum<"Reason", "why a GEMM was left alone", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"NoParameter", 1, "no-parameter">,
  I32EnumAttrCase<"AmbiguousParameter", 2, "ambiguous-parameter">,
  I32EnumAttrCase<"NoGradient", 3, "no-gradient">,
  I32EnumAttrCase<"Excluded", 4, "excluded">,
  I32EnumAttrCase<"OperandType", 5, "operand-type">,
  I32EnumAttrCase<"Shape", 6, "shape">,
  I32EnumAttrCase<"ReadOnlyDialect", 7, "read-only-dialect">,
  I32EnumAttrCase<"Shard", 8, "shard">
]>;

#endif // UFP4_ANALYSIS_ANALYSISENUMS_TD
