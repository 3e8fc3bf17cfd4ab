//===- Passes.td - the storage level to kernels ------------*- tablegen -*-===//

#ifndef UFP4_CONVERSION_UFP4TOGPU_PASSES_TD
#define UFP4_CONVERSION_UFP4TOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def UFP4ToGPU : Pass<"ufp4-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Make kernels and launches of quantizes and GEMMs on buffers";
  let description = [{
    Each `ufp4.quantize_into`, `ufp4.amax_into`, `ufp4.group_table_into` and `ufp4.block_gemm` on memrefs becomes a
    `gpu.launch_func`; the kernels, one for each scheme, storage, element type and known
    divisibility, not for each size, are built into a `gpu.module`. Launches take addresses, which
    the device must be able to reach; sizes and strides are arguments. A quantize's input that has
    no view [G, outer, inner] with a contiguous inner dimension is copied into one first, with a
    remark.

    A `block_gemm` with `ufp4.fallback` has a second kernel on the path that it names, for devices that do
    not understand the encoding of the first; the launch is of the first.

    Expects `--ufp4-materialize-storage` for the same target and bufferization to have run. GEMMs
    also read operands that were made elsewhere, in storage `natural`, where a schedule copies rows:
    on the `native` path, with K a multiple of 64 (of 128 with blocks of 32), so that rows of codes
    begin at multiples of 16 bytes and rows of scales at multiples of 4. Leaves alone: every other
    operation. A part's place (Q8), a storage that no schedule of the target reads, and a K that
    rows cannot be copied with are errors.

    Example, with a target whose GEMMs read the storage `tile_major_bf16`:

    ```mlir
    #f = #ufp4.scheme<e1m2, block = 16, scale = f32>

    func.func @gemm(%ac: memref<32768xi8>, %as: memref<4096xi8>, %bc: memref<32768xi8>,
                    %bs: memref<4096xi8>, %c: memref<128x128xf32>) {
      ufp4.block_gemm
        lhs(%ac, %as : memref<32768xi8>, memref<4096xi8>)
        as <!ufp4.tensor<128x100, #f, along = 1>, "tile_major_bf16">
        rhs(%bc, %bs : memref<32768xi8>, memref<4096xi8>)
        as <!ufp4.tensor<128x100, #f, along = 1>, "tile_major_bf16">
        via <post> outs(%c : memref<128x128xf32>)
      return
    }
    // A gpu.module with one kernel, and a launch of 1 block.
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::gpu::GPUDialect",
                           "mlir::linalg::LinalgDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::memref::MemRefDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::ROCDL::ROCDLDialect", "mlir::scf::SCFDialect"];
  let options = [Option<"target", "target", "std::string", "", "The chip, as LLVM spells it">];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels built">,
    Statistic<"numLaunches", "launches", "Launches made">,
    Statistic<"numCopies", "copies", "Inputs copied for want of a view">
  ];
}

def UFP4EmitBinaries : Pass<"ufp4-emit-binaries", "::mlir::ModuleOp"> {
  let summary = "Compile each module of kernels to a gpu.binary";
  let description = [{
    The kernels become LLVM IR, assembly (PTX, AMDGCN) and, where ptxas or ld.lld is found, a cubin
    or an hsaco: the binary's objects, the one to load first. Without that program there is assembly
    only, and a remark says where it was looked for; one that is named and missing is an error.

    Kernels whose MMAs are marked `ufp4.e0m3`, as on the uniform grid, are rewritten in the cubin and not in the
    PTX. What they were before is an object with the property `ufp4.unpatched`, their names with
    `__unpatched` behind them: it is there to be read. Without ptxas they are an error.

    Expects kernels as `--ufp4-to-gpu` makes them. What the assembler or the linker refuses is an
    error with its words.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @k(%n: i32) kernel {
        gpu.return
      }
    }
    // gpu.binary @kernels [#gpu.object<…, bin = "…">, #gpu.object<…, assembly = "…">]
    ```
  }];
  let dependentDialects = ["mlir::gpu::GPUDialect", "mlir::NVVM::NVVMDialect",
                           "mlir::ROCDL::ROCDLDialect", "ufp4::UFP4Dialect"];
  let options = [
    Option<"target", "target", "std::string", "", "The chip, as LLVM spells it">,
    Option<"ptxas", "ptxas", "std::string", "", "NVIDIA's assembler; searched for when empty">
  ];
}

def UFP4LowerLaunches : Pass<"ufp4-lower-launches", "::mlir::ModuleOp"> {
  let summary = "Turn launches into calls of a function of this process";
  let description = [{
    Each `gpu.launch_func` becomes a call of

    ```
    void @ufp4.launch(const char *kernel, const int64_t grid[3],
                    const struct { int64_t bits, bytes; } *arguments, int64_t count);
    ```

    with the bits of each scalar, and the address and size of each buffer; the `gpu.module` is
    erased. This is how a step runs on an emulated device.

    Expects launches as `--ufp4-to-gpu` makes them: pointers that come of memrefs. Another launch is
    an error.

    Example:

    ```mlir
    gpu.module @kernels {
      gpu.func @k(%n: i32) kernel {
        gpu.return
      }
    }
    func.func @f(%blocks: index, %n: i32) {
      %c1 = arith.constant 1 : index
      gpu.launch_func @kernels::@k blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%n : i32)
      return
    }
    // call @ufp4.launch(…)
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::func::FuncDialect",
                           "mlir::LLVM::LLVMDialect", "mlir::memref::MemRefDialect"];
  let statistics = [Statistic<"numLaunches", "launches", "Launches lowered">];
}

#endif // UFP4_CONVERSION_UFP4TOGPU_PASSES_TD
