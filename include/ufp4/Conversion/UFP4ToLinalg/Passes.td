//===- Passes.td - the value level to upstream dialects ----*- tablegen -*-===//

#ifndef UFP4_CONVERSION_UFP4TOLINALG_PASSES_TD
#define UFP4_CONVERSION_UFP4TOLINALG_PASSES_TD

include "mlir/Pass/PassBase.td"

class UFP4_LoweringPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let statistics = [
    Statistic<"numQuantizes", "quantizes", "Quantizes lowered">,
    Statistic<"numMatmuls", "matmuls", "Matmuls lowered">
  ];
}

def UFP4ToLinalg : UFP4_LoweringPass<"ufp4-to-linalg"> {
  let summary = "Lower every ufp4 op and type to upstream dialects on tensors";
  let description = [{
    After this pass no `ufp4` operation or type is left, only linalg, tensor, arith and what the
    module held before, so that any compiler can go on. A `!ufp4.tensor` becomes its codes (i8, one
    to a byte, in the order of the view [leading.., Kp]), its scales (f32 or i8) and, with ue4m3,
    its f32 scale as a tensor of rank 0: through functions and calls, `scf` loops and conditionals,
    branches and `arith.select`. Every bit equals that of the numerics library, provided that the
    target rounds to nearest even, keeps denormals and sets no fast-math flag.

    A quantize becomes: padding and widening, one op for each stage of the rotation's butterflies,
    maxima, scales, random words (once for each 128 bits) and codes. A matmul becomes its two
    dequantized operands and one contraction in f32. `ufp4.recipe` symbols are erased.

    Grouped operations are decomposed first, as `ufp4-decompose-groups` does.

    Expects the rewriting of GEMMs to have run (`--ufp4-quantize-training`), or hand-written `ufp4`
    ops. Leaves alone: every operation without a `ufp4` type. An operation of another dialect that
    holds a `ufp4` type and is none of the above is an error that names it.

    Example:

    ```mlir
    #fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>

    func.func @f(%x: tensor<4x16xf32>) -> !ufp4.tensor<4x16, #fmt, along = 1> {
      %q = ufp4.quantize %x along 1 : tensor<4x16xf32> -> !ufp4.tensor<4x16, #fmt, along = 1>
      return %q : !ufp4.tensor<4x16, #fmt, along = 1>
    }
    ```

    becomes a function `(tensor<4x16xf32>) -> (tensor<4x16xi8>, tensor<4x1xf32>)`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def UFP4DecomposeGroups : Pass<"ufp4-decompose-groups", "::mlir::ModuleOp"> {
  let summary = "Grouped quantizes and matmuls become loops over their groups";
  let description = [{
    Each group is a GEMM of its own (G4): a loop over groups reads the sizes, slices the operands and
    computes one group by an ungrouped `ufp4` operation. Work is proportional to the rows of groups,
    not to groups times rows; an empty group costs nothing but the reading of its size. What is
    quantized alike in every group (nearest, with scales of one level) is quantized at once. Where
    groups cut K, rows are copied to runs that begin at multiples of lcm(n, B).

    Sizes that are known and do not add up to the rows, or are negative, are an error. Where they are
    not known, a negative size counts as 0, groups end where the rows do, and rows of no group have
    codes 0 and results of zeros, or of the accumulator; with `report`, code for the JIT calls
    `ufp4ReportGroups`, which warns.

    Leaves alone: ungrouped operations, and types: a tensor in groups crosses functions and loops as
    before, through `ufp4.pack` and `ufp4.unpack`.

    Example:

    ```mlir
    #fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>

    func.func @f(%x: tensor<40x16xf32>, %sizes: tensor<4xi32>)
        -> !ufp4.tensor<40x16, #fmt, along = 1, groups = <4 rows>> {
      %q = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>)
        : tensor<40x16xf32> -> !ufp4.tensor<40x16, #fmt, along = 1, groups = <4 rows>>
      return %q : !ufp4.tensor<40x16, #fmt, along = 1, groups = <4 rows>>
    }
    ```

    becomes a quantize of all rows, a loop that adds up the sizes, and zeros behind the last group.
  }];
  let options = [
    Option<"report", "report", "bool", "false",
           "Whether sizes that are not those of the rows are reported at run time">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def UFP4ToVector : UFP4_LoweringPass<"ufp4-to-vector"> {
  let summary = "The same for CPUs: quantizes and matmuls become loops over vectors";
  let description = [{
    Does what `ufp4-to-linalg` does, with the same codes and the same boundaries, but lowers each
    quantize to `scf.for` loops on tensors around straight-line vector code: one pass over memory,
    or two for 2-D blocks and for ue4m3 without an `amax` operand. `lanes` rows, or runs of one row,
    lie side by side in the lanes of a vector, so that butterflies, maxima, divisions and random
    words need no shuffle; codes return to their rows by shuffles as words of four. One-shot
    bufferization finds every update in place.

    A matmul multiplies the codes themselves, as integers: the sum of a block is exact, takes the
    product of its two scales in one f32 fused multiply-add, blocks in rising k, and S at the end.
    `dot` names the instruction, of LLVM's x86 intrinsics or, `plain`, any machine's; by default it is
    the best that `cpu` has. Loops whose iterations are independent carry `ufp4.parallel`.

    Expects what `ufp4-to-linalg` expects; runs instead of it. Leaves a quantize of a tensor of rank
    1 or with K = 0, a matmul whose operand is all batch, and every other operation, in the form
    that `ufp4-to-linalg` gives them, and alone those of the storage level, which become kernels.
  }];
  let options = [
    Option<"lanes", "lanes", "int64_t", "0",
           "Lanes of a quantize's vectors, a power of two from 4 to 16 (default: what suits the CPU)">,
    Option<"cpu", "cpu", "std::string", /*default=*/"",
           "The CPU to compile for, as in -mcpu= (default: the host)">,
    Option<"dot", "dot", "std::string", /*default=*/"",
           "How integers are multiplied: plain, pmaddubsw-256, pmaddubsw-512, vpdpbusd-256 or "
           "vpdpbusd-512 (default: the CPU's best)">,
    Option<"reportGroups", "report-groups", "bool", "false",
           "As `report` of ufp4-decompose-groups">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::vector::VectorDialect"
  ];
}

#endif // UFP4_CONVERSION_UFP4TOLINALG_PASSES_TD
