//===- UFP4Attributes.td - schemes and what they are made of -*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4ATTRIBUTES_TD
#define UFP4_DIALECT_UFP4_IR_UFP4ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "ufp4/Dialect/UFP4/IR/UFP4Base.td"
include "ufp4/Dialect/UFP4/IR/UFP4Enums.td"

class UFP4_Attr<string name, string attrMnemonic> : AttrDef<UFP4_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def UFP4_RotationAttr : UFP4_Attr<"Rotation", "rotation"> {
  let summary = "a random Hadamard transform along K (Q2)";
  let description = [{
    x' = x · diag(ε) · H / √n in runs of `size` elements, where ε_i = -1 for each set bit i of
    `signs`. Sizes: 16, 32, 64, 128. `evaluation = mma` permits a matrix unit to compute it (bf16
    input, size ≤ 32) within the tolerance that Q2 grants.

    ```mlir
    #rht = #ufp4.rotation<size = 16, signs = 0xD7E8>
    ```
  }];
  let parameters = (ins "unsigned":$size, APIntParameter<"the signs, one bit an element">:$signs,
                        "::ufp4::Evaluation":$evaluation);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The same rotation in the numerics library's terms.
    numerics::Rotation getNumerics() const;
    /// Same size and mask: operands of a GEMM in these rotations can meet (G1).
    bool isSameBasis(RotationAttr other) const {
      return other && getSize() == other.getSize() && getSigns() == other.getSigns();
    }
  }];
}

def UFP4_SchemeAttr : UFP4_Attr<"Scheme", "scheme"> {
  let summary = "format, block, scale and rotation of a quantized tensor (F1-F3)";
  let description = [{
    `block` elements along K share one scale; with `rows`, so do as many rows of the view (2-D
    blocks, only without rotation). `scale` is `f32`, `ue4m3` (with one f32 scale per tensor) or
    `ue8m0`, whose `rule` is `ceil` (default) or, for e2m1 only, `ocp_floor`.

    ```mlir
    #a = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
    #b = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>
    #c = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, rule = ocp_floor>
    ```
  }];
  let parameters = (ins
    "::ufp4::numerics::Format":$format, "unsigned":$block, "unsigned":$blockRows,
    "::ufp4::numerics::ScaleKind":$scale, "::ufp4::numerics::ScaleRule":$rule,
    OptionalParameter<"::ufp4::RotationAttr">:$rotation);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The same scheme in the numerics library's terms, and back.
    numerics::Scheme getNumerics() const;
    static SchemeAttr get(::mlir::MLIRContext *context, const numerics::Scheme &scheme,
                          Evaluation evaluation = Evaluation::Butterfly);
    /// The element type that stores one scale: f32 or i8.
    ::mlir::Type getScaleType() const;
    /// Whether a per-tensor f32 scale belongs to the tensor (two-level scales).
    bool hasGlobalScale() const { return getScale() == numerics::ScaleKind::UE4M3; }
    /// Elements of K after padding, Kp (Q3).
    int64_t getPaddedK(int64_t k) const { return numerics::paddedK(getNumerics(), k); }
  }];
}

def UFP4_PlaceAttr : UFP4_Attr<"Place", "place"> {
  let summary = "where a part lies in the global view (Q8)";
  let description = [{
    One list per view dimension, one extent per dimension merged into it: the offset `at` of this
    part, the extents `of` the whole and the extents of this `part`. An offset that is
    `ShapedType::kDynamic` is an operand of the operation that carries the attribute. So is an extent
    `of` K, where K has one: then the whole, padded, which is a multiple of lcm(n, B).

    ```mlir
    #ufp4.place<at [[0], [64]] of [[128], [256]] part [[128], [64]]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$at,
    ArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$of,
    ArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$part);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The number of offsets that are operands.
    unsigned getNumDynamicOffsets() const;
    /// Whether the extent of the whole along K is an operand, which comes after the offsets.
    bool hasDynamicK() const;
    /// In the numerics library's terms; dynamic offsets read as zero, a dynamic K as the part's.
    numerics::Place getNumerics() const;
  }];
}

def UFP4_GroupsAttr : UFP4_Attr<"Groups", "groups"> {
  let summary = "how the groups of a grouped GEMM lie in a tensor (G4)";
  let description = [{
    `count` groups, each quantized as a tensor of its own. `rows`: they are runs of rows, one after
    another; `contracted`: runs along K, each of which is padded by itself, so that the padded K is
    the greatest that any sizes need; `stacked`: the leading dimension counts them. The sizes of runs
    are an operand of the operations.

    ```mlir
    #g = #ufp4.groups<8 rows>
    ```
  }];
  let parameters = (ins "int64_t":$count, "::ufp4::numerics::Grouping":$grouping);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Sizes are needed to tell where a group lies.
    bool isRagged() const { return getGrouping() != numerics::Grouping::Stacked; }
  }];
}

def UFP4_QuantizedAttr : UFP4_Attr<"Quantized", "quantized"> {
  let summary = "the codes and scales of a constant tensor";
  let description = [{
    `codes`: one i8 per code, in the order of the view [.., Kp]. `scales`: f32 or i8, [.., Kp/B].
    `global`: the per-tensor scale of `ue4m3`.
  }];
  let parameters = (ins
    "::mlir::DenseIntElementsAttr":$codes, "::mlir::DenseElementsAttr":$scales,
    OptionalParameter<"::mlir::FloatAttr">:$global);
  let assemblyFormat = "`<` struct(params) `>`";
}

def UFP4_PlanAttr : UFP4_Attr<"Plan", "plan"> {
  let summary = "how a recipe quantizes one operand of one role";
  let description = [{
    ```mlir
    #ufp4.plan<#scheme, nearest>
    #ufp4.plan<#scheme, stochastic, bits = 16>
    ```
  }];
  let parameters = (ins "::ufp4::SchemeAttr":$scheme, "::ufp4::Rounding":$rounding,
                        DefaultValuedParameter<"unsigned", "16">:$bits);
  let assemblyFormat = "`<` $scheme `,` $rounding (`,` `bits` `=` $bits^)? `>`";
  let genVerifyDecl = 1;
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4ATTRIBUTES_TD
