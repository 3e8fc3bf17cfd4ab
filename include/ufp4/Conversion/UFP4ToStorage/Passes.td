//===- Passes.td - the value level to the storage level ----*- tablegen -*-===//

#ifndef UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_TD
#define UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_TD

include "mlir/Pass/PassBase.td"

def MaterializeStorage : Pass<"ufp4-materialize-storage", "::mlir::ModuleOp"> {
  let summary = "Give quantized operands the layout that a chip's GEMMs read";
  let description = [{
    Each `ufp4.matmul` becomes a `ufp4.block_gemm` on the path that `target` has for its scheme, and
    each quantize that feeds one a `ufp4.quantize_into` in the storage that path reads. Still on
    tensors: destinations are `tensor.empty`, or the accumulator; one-shot bufferization writes them
    in place. What every bit is does not change.

    - Quantizes of one value along two dimensions, in one block, become one `quantize_into` with two
      destinations, where what either needs is at hand; rounding, scheme and stream may differ.
    - ue4m3 scales: an `ufp4.amax_into` from zero, or the maximum that the quantize was given.
    - Ragged groups (G4): a `ufp4.group_table_into` for each way in which sizes divide an extent, which
      quantizes and GEMMs share; each group begins at a tile of the storage.
    - A `!ufp4.tensor` that crosses func, scf.for, scf.if, scf.while, cf or arith.select is carried
      as its codes, its scales and, with ue4m3, its scale S, if every reader on the other side is a
      `block_gemm` and no public function has it in its signature.
    - What alone reads an f32 product and rounds it to bf16, or adds an f32 tensor or one row for
      all rows (`arith` ops on tensors, or `linalg.generic`), becomes part of its `block_gemm`: its
      result's type, `accumulate` or `bias`.
    - A `block_gemm` on an undocumented encoding that nobody asked for names the documented path of
      the kernel to be made beside it, which reads the same storage, in `ufp4.fallback`.
    - Other readers of a quantized value (`ufp4.dequantize`, `ufp4.unpack`, a matmul that is left)
      have a value-level quantize of their own.

    A matmul is left alone, with a remark that says why, where the target has no path for its
    scheme, the storage refuses an operand, an operand is a part of a whole (Q8), the result is f16, batch dimensions do not come first,
    an operand in groups is no quantize's result, or an operand is computed by other operations than those above. There is a remark, too, where a
    GEMM takes a lesser path than the documented best of the target's table, for want of a kernel, and
    where a quantize has other readers than GEMMs on storages. `fail-on-fallback` makes the remarks
    errors. The attribute `ufp4.path_reason` keeps the reason of a GEMM. A path in `e1m2` that the
    target does not have is an error.

    Expects hand-written `ufp4` ops or `--ufp4-quantize-training` to have run, and `--cse`, since
    one value is one SSA value here. What is left alone, `--ufp4-to-linalg` lowers.

    Example: with a target whose GEMMs read the storage `tile_major_bf16`,

    ```mlir
    #fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>

    func.func @f(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>) -> tensor<4x8xf32> {
      %a = ufp4.quantize %x along 1 : tensor<4x16xf32> -> !ufp4.tensor<4x16, #fmt, along = 1>
      %b = ufp4.quantize %w along 0 : tensor<16x8xf32> -> !ufp4.tensor<16x8, #fmt, along = 0>
      %y = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #fmt, along = 1>,
                                !ufp4.tensor<16x8, #fmt, along = 0> -> tensor<4x8xf32>
      return %y : tensor<4x8xf32>
    }
    ```

    becomes two `ufp4.quantize_into` and one `ufp4.block_gemm`.
  }];
  let options = [
    Option<"chipName", "target", "std::string", "\"\"", "The chip whose kernels will run">,
    Option<"e1m2", "e1m2", "std::string", "\"auto\"",
           "The path of e1m2 GEMMs: auto, native, container, post or fold">,
    Option<"canRewrite", "can-rewrite", "bool", "true",
           "Whether assembled kernels can be rewritten, which takes an assembler: some paths need it">,
    Option<"failOnFallback", "fail-on-fallback", "bool", "false",
           "Whether what has no kernel, or not on the best path, is an error">,
    Option<"failOnLeft", "fail-on-left", "bool", "false",
           "Whether a matmul that is left alone is an error">
  ];
  let statistics = [
    Statistic<"numQuantizes", "quantizes", "Quantizes into storages">,
    Statistic<"numDuals", "duals", "Those with two destinations">,
    Statistic<"numGemms", "gemms", "GEMMs on storages">,
    Statistic<"numLeft", "left", "Matmuls left alone">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // UFP4_CONVERSION_UFP4TOSTORAGE_PASSES_TD
