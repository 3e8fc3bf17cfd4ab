//===- UFP4MatmulOps.td - GEMMs over quantized tensors -----*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4MATMULOPS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4MATMULOPS_TD

include "ufp4/Dialect/UFP4/IR/UFP4OpBase.td"

def UFP4_MatmulOp : UFP4_Op<"matmul", [Pure, AttrSizedOperandSegments]> {
  let summary = "a GEMM over the dequantized values of two tensors (G1-G4)";
  let description = [{
    Each operand is contracted along its own `along`, so a transpose is a view and never a copy.
    The result's dimensions are the batch, the free ones of the lhs, the free ones of the rhs.
    Accumulation is f32, from `accumulate(%c)` (f32, of the result's shape) or zero; a bf16 or f16
    result is rounded once at the end.

    The operands agree on format, scale, block along K, K and rotation: without that the sum has no
    meaning.

    `groups(%sizes)` makes it a grouped GEMM (G4), over operands that were quantized with these sizes.
    Rows by stacked: group g of the lhs's rows times matrix g of the rhs; the result has the lhs's
    rows and the rhs's free dimension, and rows of no group are the accumulator or zeros. Contracted
    by contracted: a matrix for each group, the accumulator or zeros where the group is empty.

    ```mlir
    %0 = ufp4.matmul %a, %b : !ufp4.tensor<256x512, #f, along = 1>,
                              !ufp4.tensor<512x64, #f, along = 0> -> tensor<256x64xf32>
    %1 = ufp4.matmul %c, %d batch = [0] x [0] accumulate(%acc : tensor<8x4x2xf32>)
           : !ufp4.tensor<8x4x32, #f, along = 2>, !ufp4.tensor<8x32x2, #f, along = 1>
           -> tensor<8x4x2xf32>
    %2 = ufp4.matmul %x, %w groups(%sizes : tensor<8xi32>)
           : !ufp4.tensor<256x512, #f, along = 1, groups = <8 rows>>,
             !ufp4.tensor<8x512x64, #f, along = 1, groups = <8 stacked>> -> tensor<256x64xf32>
    ```
  }];
  let arguments = (ins UFP4_TensorType:$lhs, UFP4_TensorType:$rhs,
                       Optional<RankedTensorOf<[F32]>>:$accumulator,
                       Optional<UFP4_GroupSizes>:$group_sizes,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_batch,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rhs_batch);
  let results = (outs UFP4_RealTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`batch` `=` $lhs_batch^ `x` $rhs_batch)?
    (`groups` `(` $group_sizes^ `:` type($group_sizes) `)`)?
    (`accumulate` `(` $accumulator^ `:` type($accumulator) `)`)?
    attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$accumulator, "::llvm::ArrayRef<int64_t>":$lhsBatch,
                   "::llvm::ArrayRef<int64_t>":$rhsBatch,
                   CArg<"::mlir::Value", "{}">:$groupSizes)>
  ];
  let hasVerifier = 1;
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4MATMULOPS_TD
