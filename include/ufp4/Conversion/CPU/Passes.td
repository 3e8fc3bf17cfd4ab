//===- Passes.td - Passes of the road to the CPU -----------*- tablegen -*-===//

#ifndef UFP4_CONVERSION_CPU_PASSES_TD
#define UFP4_CONVERSION_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CPUFuseElementwise : Pass<"ufp4-cpu-fuse-elementwise"> {
  let summary = "Fuse elementwise linalg ops without computing anything twice";
  let description = [{
    Fuses an elementwise producer into its consumer with upstream's linalg fusion where that costs
    nothing: the consumer is the producer's only user and visits each of its elements once, or the
    producer is cheap (a broadcast, a transpose, a widening cast, a constant), so that recomputing
    it costs less than storing it.

    Expects linalg on tensors; named elementwise ops are generalized first, and concatenations become
    insertions of slices, which bufferize. Leaves alone:
    contractions as producers, and every producer whose arithmetic a fusion would duplicate.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def CPULowerContractions : Pass<"ufp4-cpu-lower-contractions"> {
  let summary = "Lower f32 contractions to packed operands and a vectorised micro-kernel";
  let description = [{
    Takes every linalg contraction with an f32 result (`linalg.matmul`, `linalg.batch_matmul`,
    `linalg.contract`, or any `linalg.generic` with two inputs, projected permutations and the
    body `add(out, mul(f(a), g(b)))`), brings its operands to f32 in the layouts [G, M, K] and
    [G, N / columns, K, columns], and emits a register-blocked kernel of vector FMAs: `rows` by
    `columns` accumulators stay in registers along K. f and g (casts, signed or unsigned as the op
    says, and anything elementwise) run once per element while packing. Ragged sizes are padded
    with zeros; every size may be dynamic.

    Expects tensors, and bf16 accumulators widened (`ufp4-widen-accumulators`). Leaves alone:
    contractions whose result is not f32 (f64, integers), whose product is rounded before it is
    added, or that have a dimension which one operand alone sums over.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect", "mlir::vector::VectorDialect"];
  let options = [
    Option<"cpu", "cpu", "std::string", /*default=*/"",
           "The CPU to compile for, as in -mcpu= (default: the host)">,
    Option<"rows", "rows", "int64_t", "0",
           "Rows of the register block; 0 takes what suits the CPU">,
    Option<"columns", "columns", "int64_t", "0",
           "Columns of the register block; 0 takes what suits the CPU">,
    Option<"depth", "depth", "int64_t", "512",
           "Steps along K between two visits of the result">
  ];
  let statistics = [Statistic<"numContractions", "contractions", "Contractions lowered">];
}

def CPUSplitReductions : Pass<"ufp4-cpu-split-reductions"> {
  let summary = "Shape reductions so that their innermost loop vectorises";
  let description = [{
    A floating-point sum along the innermost dimension is one chain of dependent additions that no
    vectoriser may reorder. This pass splits such reductions (sums, products, maxima, minima) into
    `lanes` independent ones with a lane dimension innermost, and combines the lanes at the end;
    the loops that come of it vectorise without fast-math flags. Where the innermost dimension of
    the inputs is a parallel one, the reduction loops go outside it instead, which keeps the order
    of the additions.

    Expects linalg on tensors with f32 or f64 sums. Leaves alone: dynamic extents, and extents that
    are not a multiple of `lanes` or hold fewer than two groups of them.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
  let options = [Option<"lanes", "lanes", "int64_t", "16", "Independent partial results">];
}

def CPUExpandNarrowFloats : Pass<"ufp4-cpu-expand-narrow-floats"> {
  let summary = "Compute on bf16 and f16 in f32, rounding after every op";
  let description = [{
    Rewrites each arith and math op on bf16 or f16 to widen its operands to f32, compute there, and
    round the result back. Unlike `arith-emulate-unsupported-floats` it sets no `contract` flag on
    its casts, so no later fold can drop a rounding that the program asked for.

    Casts between f64 and bf16 or f16 go through f32 and still round once.

    Expects nothing; works on scalars, vectors and tensors. Leaves alone: casts from and to f32,
    constants, selects and bitcasts, which need no arithmetic.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
}

def CPUApproximateMath : Pass<"ufp4-cpu-approximate-math"> {
  let summary = "Compute exp, expm1, erf, log1p and tanh of f32 by upstream's polynomials";
  let description = [{
    A call of the C library's for each element keeps a loop from being vectorised. Upstream's polynomials
    are arithmetic: over all f32 they err by at most 5.2 units in the last place, infinities and NaNs
    as they should be, and an exponential below 2^-126 may become 0.

    Expects narrow floats expanded (`ufp4-cpu-expand-narrow-floats`). Leaves alone: f64, and functions
    whose polynomials are not good for every argument (log, sin, cos, atan, cbrt, erfc).
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect",
                           "mlir::vector::VectorDialect"];
}

def CPUPrepareEntries : Pass<"ufp4-cpu-prepare-entries", "mlir::ModuleOp"> {
  let summary = "Give public functions a C interface and make their arguments read-only";
  let description = [{
    Marks each public function with a body `llvm.emit_c_interface`, and its tensor arguments
    `bufferization.writable = false`: the caller's buffers are inputs, and an in-place update of
    one goes to a copy. The names of private functions and globals get `model.` before them, since
    a model may call one `malloc` or `expf`, which code of the passes that follow calls; with
    `rename-entries` those of public ones too.

    Expects functions on tensors, before bufferization. Leaves alone: declarations.
  }];
  let dependentDialects = ["mlir::bufferization::BufferizationDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::memref::MemRefDialect"];
  let options = [
    Option<"renameEntries", "rename-entries", "bool", "false",
           "Rename public functions too; their C interface is `_mlir_ciface_model.<name>`">
  ];
}

def CPUDropAttributes : Pass<"ufp4-cpu-drop-attributes", "mlir::ModuleOp"> {
  let summary = "Drop what front ends and bufferization said of arguments and results";
  let description = [{
    Removes every argument and result attribute that is not the LLVM dialect's: names and marks have
    done their work, and the translation to LLVM IR would warn of each.

    Expects bufferized functions. Leaves alone: attributes of functions themselves.
  }];
}

def CPURepairCasts : Pass<"ufp4-cpu-repair-casts"> {
  let summary = "Copy strided buffers that bufferization claims to be dense";
  let description = [{
    Where a value of dynamic shape crosses a function boundary, LLVM 22.1's one-shot bufferization
    casts a strided buffer to the identity layout without a copy: both types spell the outer
    strides as dynamic, and the claim goes unchecked. This pass replaces such a `memref.cast` by a
    dense allocation and a copy.

    Expects the output of one-shot bufferization with identity layouts at function boundaries,
    before deallocation. Leaves alone: casts whose types prove the layout.
  }];
  let dependentDialects = ["mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"numCopies", "copies", "Casts replaced by copies">];
}

def CPUReplaceEmptyMerges : Pass<"ufp4-cpu-replace-empty-merges"> {
  let summary = "Replace tensors that merge no elements by empty ones";
  let description = [{
    A `tensor.collapse_shape` that merges a static extent of 0 with a dynamic one has a static 0 in its
    type, or may have, and LLVM 22.1's `memref.collapse_shape` wants a dynamic extent there, so that
    one-shot bufferization fails. There are no elements, hence any tensor of the result's shape will do.

    Expects tensors, before bufferization. Leaves alone: all other merges.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::tensor::TensorDialect"];
}

def CPULowerExpandShapes : Pass<"ufp4-cpu-lower-expand-shapes"> {
  let summary = "Lower buffer reshapes that split a dimension into several dynamic ones";
  let description = [{
    Rewrites each `memref.expand_shape` of which one group has more than one dynamic size, or one and
    a static 0, to a `memref.reinterpret_cast` with the sizes that the op carries; LLVM 22.1's
    `expand-strided-metadata` crashes on the former and divides by zero for the latter.

    Expects bufferized code after deallocation, and runs before `expand-strided-metadata`. Leaves
    alone: every other reshape.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::memref::MemRefDialect"];
}

def CPULowerCopies : Pass<"ufp4-cpu-lower-copies"> {
  let summary = "Turn strided memref copies into loops";
  let description = [{
    Rewrites each `memref.copy` between buffers that are not both contiguous into a
    `linalg.generic`, so that the object needs no runtime library (`memrefCopy`) and the copy
    vectorises.

    Expects bufferized code before linalg is lowered to loops. Leaves alone: contiguous copies,
    which become a `memcpy`.
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

def CPULinalgToLoops : Pass<"ufp4-cpu-linalg-to-loops"> {
  let summary = "Lower linalg ops on buffers to loops, and mark those that may share threads";
  let description = [{
    What upstream's `convert-linalg-to-loops` does. The outermost loop of an operation carries
    `ufp4.parallel` where its dimension is a parallel one and indexes every output.

    Expects bufferized code. Leaves alone: everything but linalg.
  }];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::memref::MemRefDialect",
                           "mlir::scf::SCFDialect"];
}

def CPUOutlineParallel : Pass<"ufp4-cpu-outline-parallel", "mlir::ModuleOp"> {
  let summary = "Make functions of loops whose iterations may run on several threads";
  let description = [{
    Each outermost `scf.for` that carries `ufp4.parallel` and no values becomes a call of a private
    function `(first, end, captures..)` that runs a range of its iterations. `ufp4.grain` on the
    function is how many of them are worth handing to a thread.

    Expects loops on buffers. Leaves alone: loops that still carry values, such as a maximum over all
    elements, and what lies within a loop that was taken.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::scf::SCFDialect"];
  let statistics = [Statistic<"numFunctions", "functions", "Loops made functions">];
}

def CPULaunchParallel : Pass<"ufp4-cpu-launch-parallel", "mlir::ModuleOp"> {
  let summary = "Run ranges of iterations by the runtime";
  let description = [{
    Each call of a function with `ufp4.grain` becomes one of the runtime's `ufp4ParallelFor`, which
    gets the function, its captures in memory, the number of iterations and the grain.

    Expects the LLVM dialect after `ufp4-cpu-outline-parallel`. Leaves alone: all other calls.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def CPUMoveNarrowFloats : Pass<"ufp4-cpu-move-narrow-floats"> {
  let summary = "Select bf16 and f16, and load and store them under masks, as integers";
  let description = [{
    For a machine without instructions for them LLVM takes a vector of narrow floats that is masked or
    selected apart into single ones, which it passes on by calls of a library that need not be there.
    As integers they are moved.

    Expects the LLVM dialect. Leaves alone: all but selects and masked loads and stores.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def CPUVerifyLowered : Pass<"ufp4-cpu-verify-lowered", "mlir::ModuleOp"> {
  let summary = "Fail on ops that no pass lowered";
  let description = [{
    Upstream's conversions succeed on what they do not know. This pass fails on the first op that
    is neither of the LLVM dialect nor the module itself, and names its dialect.

    Expects the end of a lowering. Changes nothing.
  }];
}

def CPUGuardFloatEnvironment : Pass<"ufp4-cpu-guard-float-environment", "mlir::ModuleOp"> {
  let summary = "Make public entry points independent of the caller's floating-point mode";
  let description = [{
    Moves the body of each public `llvm.func` into an internal function that is never inlined, and
    leaves an entry of the same name that saves the floating-point control register, sets rounding
    to nearest even with flush-to-zero and denormals-are-zero off and exceptions masked, calls the
    body, and restores the register: XLA:CPU, for one, calls with flushing on.

    Expects the LLVM dialect. x86-64 (`mxcsr`) and AArch64 (`fpcr`) by the module's
    `llvm.target_triple`, else by the host's; any other target is left as it is, with a remark.
    Leaves alone: the `_mlir_ciface_` wrappers, which call the guarded entry.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
  let statistics = [Statistic<"numEntries", "entries", "Entry points guarded">];
}

#endif // UFP4_CONVERSION_CPU_PASSES_TD
