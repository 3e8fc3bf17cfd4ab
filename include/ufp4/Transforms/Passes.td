//===- Passes.td - tensor to tensor passes -----------------*- tablegen -*-===//

#ifndef UFP4_TRANSFORMS_PASSES_TD
#define UFP4_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotateRoles : Pass<"ufp4-annotate-roles", "::mlir::ModuleOp"> {
  let summary = "writes what each matmul is to its linear layer";
  let description = [{
    Finds every matmul-like operation of a training step and writes what the analysis knows of it
    as `ufp4.gemm = {layer, role, stream}`, in the words in which a user may say it beforehand. The
    roles are fprop, dgrad, wgrad and none; the stream is the one that the lhs would draw from.

    Runs on model IR: linalg on tensors, or StableHLO in generic form. Changes nothing else.

    ```mlir
    func.func @step(%x: tensor<16x64xbf16> {ufp4.name = "x"},
                    %w: tensor<64x32xbf16> {ufp4.name = "p.w"},
                    %dy: tensor<16x32xbf16> {ufp4.name = "dy"})
        -> (tensor<16x32xf32>, tensor<64x32xf32>) {
      %zero = arith.constant dense<0.0> : tensor<16x32xf32>
      %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                         outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
      ...
    }
    // becomes
      %y = linalg.matmul {ufp4.gemm = {layer = "p.w", role = "fprop", stream = 0 : i64}} ...
    ```
  }];
  let options = [
    ListOption<"params", "params", "std::string",
               "parameters that the graph alone does not show: argument numbers or names">
  ];
  let statistics = [
    Statistic<"numMatmuls", "matmuls", "matmul-like operations seen">,
    Statistic<"numLinear", "linear", "of these, GEMMs of a linear layer">
  ];
}

#endif // UFP4_TRANSFORMS_PASSES_TD
