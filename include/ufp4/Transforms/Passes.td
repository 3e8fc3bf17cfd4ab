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

def QuantizeTraining : Pass<"ufp4-quantize-training", "::mlir::ModuleOp"> {
  let summary = "rewrites the GEMMs of linear layers into quantized ones by a recipe";
  let description = [{
    Each GEMM of a linear layer becomes a quantize of both operands' view roots (Q1) and a
    `ufp4.matmul` that accumulates in f32. Sums that accumulate in bf16 or f16 are widened
    (`ufp4-widen-accumulators`). Everything else stays as it is, and every matmul seen has a
    decision: a remark of category `ufp4`, a record in `decisions`, a statistic.

    A module of StableHLO in generic form stays StableHLO: each such GEMM becomes a
    `stablehlo.custom_call` of target `ufp4.gemm` (docs/custom-call.md).

    Runs on model IR, public functions with their private callees; functions that reach a stochastic
    quantize gain a last argument `tensor<3xi32>` (seed low, seed high, step) marked `ufp4.rng`
    unless `seed-arg` or `fixed-seed` says where the seed comes from. Loops fold their trip number
    and calls their ordinal into the seed (Q10). IR that already holds quantized tensors is refused.

    ```mlir
    func.func @forward(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
        -> tensor<16x32xf32> {
      %zero = arith.constant dense<0.0> : tensor<16x32xf32>
      %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                         outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
      return %y : tensor<16x32xf32>
    }
    // with recipe=ufp4 params=w becomes
      %0 = ufp4.quantize %x along 1 : tensor<16x64xbf16> -> !ufp4.tensor<16x64, #s, along = 1>
      %1 = ufp4.quantize %w along 0 : tensor<64x32xbf16> -> !ufp4.tensor<64x32, #s, along = 0>
      %2 = ufp4.matmul %0, %1 : ... -> tensor<16x32xf32>
    ```
  }];
  let options = [
    Option<"recipe", "recipe", "std::string", "\"ufp4\"",
           "a recipe's name, @symbol or file, with overrides: NAME[:FIELD=VALUE,...]">,
    ListOption<"params", "params", "std::string",
               "parameters that the graph alone does not show: argument numbers or names">,
    Option<"exclude", "exclude", "std::string", "",
           "leave GEMMs alone whose layer or parameter this POSIX ERE finds">,
    Option<"skipFirst", "skip-first", "unsigned", "0",
           "leave the first N layers alone, in the order of their first fprop">,
    Option<"skipLast", "skip-last", "unsigned", "0", "leave the last N layers alone">,
    Option<"includeF32", "include-f32", "bool", "false",
           "also rewrite GEMMs of which neither operand is bf16 or f16">,
    Option<"failOnMiss", "fail-on-miss", "bool", "false",
           "fail where a GEMM of a linear layer, or one that may be, is left without being excluded">,
    Option<"decisions", "decisions", "std::string", "", "write decisions.json to this file">,
    Option<"seedArg", "seed-arg", "int", "-1",
           "the argument that already is the tensor<3xi32> of seed and step">,
    Option<"fixedSeed", "fixed-seed", "std::string", "", "SEED:STEP, constants in place of an argument">,
    Option<"rngArg", "rng-arg", "std::string", "\"auto\"",
           "auto: only functions that need it gain the argument; always: every public one">
  ];
  let statistics = [
    Statistic<"numMatmuls", "matmuls", "matmul-like operations seen">,
    Statistic<"numRewritten", "rewritten", "GEMMs rewritten">,
    Statistic<"numQuantizes", "quantizes", "quantizes made, shared ones once">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect", "::ufp4::UFP4Dialect"
  ];
}

def FuseGathers : Pass<"ufp4-fuse-gathers", "::mlir::ModuleOp"> {
  let summary = "quantizes read gathered rows through their indices";
  let description = [{
    A gather of whole rows of a tensor of rank 2, in linalg's form of `stablehlo.gather` (a parallel
    `linalg.generic` that yields an element of the row that an i32 names, cut to the rows that there
    are), is read by `ufp4.quantize` and `ufp4.amax` through `rows`. Where these are its only readers
    the gathered tensor is not made. Values do not change.

    Expects rewritten IR. Leaves alone, with a remark that says why, a gather that something else
    reads too, or whose indices are no i32 or are not cut to the rows; and silently what no quantize
    reads.

    ```mlir
    %g = linalg.generic ... {
      %i = linalg.index 0 : index
      %k = linalg.index 1 : index
      %r = tensor.extract %rows[%i] : tensor<128xi32>
      %s = arith.index_cast %r : i32 to index
      %t = arith.maxsi %s, %c0 : index
      %u = arith.minsi %t, %c63 : index
      %e = tensor.extract %x[%u, %k] : tensor<64x32xbf16>
      linalg.yield %e : bf16
    } -> tensor<128x32xbf16>
    %q = ufp4.quantize %g along 1 : tensor<128x32xbf16> -> ...
    // becomes
    %q = ufp4.quantize %x rows(%rows : tensor<128xi32>) along 1 : tensor<64x32xbf16> -> ...
    ```
  }];
  let statistics = [
    Statistic<"numGathers", "gathers", "gathers that are not made any more">
  ];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def RecordQuantizes : Pass<"ufp4-record-quantizes", "::mlir::ModuleOp"> {
  let summary = "calls a recorder after each quantize";
  let description = [{
    After the i-th `ufp4.quantize` of the module, in pre-order, the pass calls

    ```mlir
    func.func private @ufp4RecordQuantize_<input>_<scale>(
        i64, tensor<*x<input>>, tensor<*xi8>, tensor<*x<scale>>, tensor<*xf32>, i64, i32,
        tensor<*xi64>)
    ```

    with i, the view before rotation, its codes, scales and global scale (no elements where there is
    none), the seed and step (zero when rounding is to nearest) and the trip numbers of the loops
    around it, outermost first. It expects rewritten IR and changes none of its values.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def OutlineQuantizes : Pass<"ufp4-outline-quantizes", "::mlir::ModuleOp"> {
  let summary = "equal quantizes of different values share one function";
  let description = [{
    Quantizes of one input type, one quantized type and one rounding become calls of one private
    function, whose stream is an argument: a model's compile time then grows with the number of
    shapes, not of layers. Values and draws stay what they were.

    Expects rewritten IR. Leaves alone: quantizes that are the only ones of their kind, and parts
    (Q8).

    ```mlir
    %0 = ufp4.quantize %a along 1 stochastic(%seed, %step) {stream = 7} : ...
    %1 = ufp4.quantize %b along 1 stochastic(%seed, %step) {stream = 9} : ...
    // becomes
    %0 = call @ufp4_quantize_0(%a, %seed, %step, %c7) : ...
    %1 = call @ufp4_quantize_0(%b, %seed, %step, %c9) : ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect"];
  let statistics = [
    Statistic<"numFunctions", "functions", "functions made">,
    Statistic<"numCalls", "calls", "quantizes that became calls">
  ];
}

def OutlineMatmuls : Pass<"ufp4-outline-matmuls", "::mlir::ModuleOp"> {
  let summary = "equal matmuls of different values share one function";
  let description = [{
    Matmuls of the same operand and result types and the same batch become calls of one private
    function, as `ufp4-outline-quantizes` makes one of quantizes.

    Expects rewritten IR. Leaves alone: matmuls that are the only ones of their kind.

    ```mlir
    %0 = ufp4.matmul %a, %b : ...
    %1 = ufp4.matmul %c, %d : ...
    // becomes
    %0 = call @ufp4_matmul_0(%a, %b) : ...
    %1 = call @ufp4_matmul_0(%c, %d) : ...
    ```
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let statistics = [
    Statistic<"numFunctions", "functions", "functions made">,
    Statistic<"numCalls", "calls", "matmuls that became calls">
  ];
}

def WidenAccumulators : Pass<"ufp4-widen-accumulators"> {
  let summary = "Accumulate bf16 and f16 sums in f32 and round once";
  let description = [{
    A linalg op whose `outs` is bf16 or f16 rounds after every addition: over K = 4096 terms the
    result is wrong in its first digit. This pass rewrites every linalg op with a reduction whose
    combiner is an `arith.addf` in bf16 or f16 to add in f32, from the init widened to f32, and to
    round the sum once at the end. The product of a contraction (two inputs, projected
    permutations, `add(out, mul(a, b))`) is widened as well; in any other reduction the summands
    keep the rounding that the body gives them.

    Expects linalg on tensors. Leaves alone: sums that are already f32 or f64, integer sums,
    maxima and products, and ops on memrefs.

    ```mlir
    linalg.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x8xbf16>) outs(%c : tensor<16x8xbf16>)
    ```
    becomes a `linalg.generic` with `outs(%cWide : tensor<16x8xf32>)` and one that rounds.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
  let statistics = [
    Statistic<"numContractions", "contractions", "Contractions that now accumulate in f32">,
    Statistic<"numReductions", "reductions", "Other sums that now accumulate in f32">
  ];
}

#endif // UFP4_TRANSFORMS_PASSES_TD
