//===- UFP4Types.td - the 4-bit block-scaled tensor --------*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4TYPES_TD
#define UFP4_DIALECT_UFP4_IR_UFP4TYPES_TD

include "ufp4/Dialect/UFP4/IR/UFP4Attributes.td"

def UFP4_TensorType : TypeDef<UFP4_Dialect, "QuantizedTensor"> {
  let mnemonic = "tensor";
  let summary = "a tensor quantized in blocks along one dimension";
  let description = [{
    `shape` is logical (padding and storage do not show); `along` is the dimension K that blocks and
    rotation run along. The view of the tensor is its other dimensions in their order, then K (Q1).
    The type is no `ShapedType`. Function, call and loop boundaries carry it as its codes, scales
    and, with `ue4m3`, its per-tensor scale, once it is lowered.

    With `groups`, an operand of a grouped GEMM: each group has its own blocks, rotation, padding and,
    with `ue4m3`, scale (G4). Groups that are runs of rows or of K cut a tensor of rank 2; stacked
    ones lie in one of rank 3.

    ```mlir
    !ufp4.tensor<256x512, #ufp4.scheme<e1m2, block = 16, scale = f32>, along = 1>
    !ufp4.tensor<256x512, #ufp4.scheme<e1m2, block = 16, scale = f32>, along = 1, groups = <8 rows>>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::ufp4::SchemeAttr":$scheme,
                        "int64_t":$along, OptionalParameter<"::ufp4::GroupsAttr">:$groups);
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::ufp4::SchemeAttr":$scheme,
                     "int64_t":$along), [{
      return $_get($_ctxt, shape, scheme, along, GroupsAttr());
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    /// The contracted extent K.
    int64_t getK() const { return getShape()[getAlong()]; }
    /// Kp; where groups are runs along K, the positions that their padded runs need at most.
    int64_t getPaddedK() const;
    bool isGrouped() const { return static_cast<bool>(getGroups()); }
    bool isGrouped(numerics::Grouping grouping) const {
      return isGrouped() && getGroups().getGrouping() == grouping;
    }
    /// Every dimension but `along`, in order: the leading dimensions of the view.
    ::llvm::SmallVector<int64_t> getLeadingShape() const;
    /// The tensor of codes, i8 [.., Kp].
    ::mlir::RankedTensorType getCodesType() const;
    /// The tensor of scales, f32 or i8 [.., Kp/B], rows in blocks where blocks are 2-D.
    ::mlir::RankedTensorType getScalesType() const;
    /// What the tensor is lowered to and unpacked into: codes, scales and, with `ue4m3`, the f32 scale
    /// of the tensor, of rank 0, or of each group.
    ::llvm::SmallVector<::mlir::Type> getPartTypes() const;
    /// The view's extents G, R, K; fails where an extent is dynamic.
    ::mlir::FailureOr<numerics::ViewShape> getViewShape() const;
  }];
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4TYPES_TD
