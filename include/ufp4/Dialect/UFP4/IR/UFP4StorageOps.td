//===- UFP4StorageOps.td - quantizes and GEMMs on buffers --*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4STORAGEOPS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4STORAGEOPS_TD

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "ufp4/Dialect/UFP4/IR/UFP4OpBase.td"
include "ufp4/Dialect/UFP4/IR/UFP4StorageAttributes.td"

/// The storage level: operations that write into tensors or buffers that they are given. On
/// tensors they are pure and return what they wrote.
class UFP4_StorageOp<string mnemonic, list<Trait> traits = []>
    : UFP4_Op<mnemonic, !listconcat(traits, [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let hasVerifier = 1;
}

def UFP4_RealBuffer : AnyTypeOf<
    [RankedTensorOf<[F32, BF16, F16]>, MemRefOf<[F32, BF16, F16]>],
    "tensor or memref of f32, bf16 or f16", "::mlir::ShapedType">;
/// A plane of a storage.
def UFP4_ByteBuffer : AnyTypeOf<
    [1DTensorOf<[I8]>, MemRefRankOf<[I8], [1]>], "tensor or memref of bytes",
    "::mlir::ShapedType">;
/// A per-tensor maximum or scale.
def UFP4_ScalarBuffer : AnyTypeOf<
    [0DTensorOf<[F32]>, MemRefRankOf<[F32], [0]>, 1DTensorOf<[F32]>, MemRefRankOf<[F32], [1]>],
    "tensor or memref of rank 0 of f32, or of one of each group", "::mlir::ShapedType">;
def UFP4_QuantizedBuffer : AnyTypeOf<
    [1DTensorOf<[I8]>, MemRefRankOf<[I8], [1]>, 0DTensorOf<[F32]>, MemRefRankOf<[F32], [0]>,
     1DTensorOf<[F32]>, MemRefRankOf<[F32], [1]>],
    "tensor or memref of bytes, or of rank 0 of f32, or of one of each group",
    "::mlir::ShapedType">;
def UFP4_GroupSizesBuffer : AnyTypeOf<
    [1DTensorOf<[I32]>, MemRefRankOf<[I32], [1]>], "tensor or memref of rank 1 of i32",
    "::mlir::ShapedType">;
def UFP4_RowIndicesBuffer : AnyTypeOf<
    [1DTensorOf<[I32]>, MemRefRankOf<[I32], [1]>], "tensor or memref of rank 1 of i32",
    "::mlir::ShapedType">;
/// What `ufp4.group_table_into` writes.
def UFP4_GroupTable : AnyTypeOf<
    [2DTensorOf<[I32]>, MemRefRankOf<[I32], [2]>], "tensor or memref of rank 2 of i32",
    "::mlir::ShapedType">;
def UFP4_BiasBuffer : AnyTypeOf<
    [1DTensorOf<[F32, BF16]>, MemRefRankOf<[F32, BF16], [1]>],
    "tensor or memref of rank 1 of f32 or bf16", "::mlir::ShapedType">;
def UFP4_ResultBuffer : AnyTypeOf<
    [RankedTensorOf<[F32, BF16]>, MemRefOf<[F32, BF16]>], "tensor or memref of f32 or bf16",
    "::mlir::ShapedType">;

def UFP4_GroupTableIntoOp : UFP4_StorageOp<"group_table_into"> {
  let summary = "where the groups of a ragged dimension lie in a storage (G4)";
  let description = [{
    In a storage each group begins at a tile, `by` rows of it, or positions along K where groups are
    contracted; `of` is the extent that they divide. Writes records of four numbers: the group (their
    number, for what is in none), its first row in the tensor, its rows, its first tile; one for each
    group, greater ones first, then one for each tile.

    ```mlir
    func.func @table(%sizes: tensor<8xi32>, %t: tensor<18x4xi32>) -> tensor<18x4xi32> {
      %rows = arith.constant 256 : index
      %0 = ufp4.group_table_into ins(%sizes : tensor<8xi32>) of %rows by 128
        outs(%t : tensor<18x4xi32>) -> tensor<18x4xi32>
      return %0 : tensor<18x4xi32>
    }
    ```
  }];
  let arguments = (ins UFP4_GroupSizesBuffer:$sizes, Index:$extent, UFP4_GroupTable:$output,
                       I64Attr:$tile);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `ins` `(` $sizes `:` type($sizes) `)` `of` $extent `by` $tile
    `outs` `(` $output `:` type($output) `)` attr-dict (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// Numbers of a record.
    static constexpr int64_t kFields = 4;
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    bool readsOutputs() { return false; }
  }];
}

def UFP4_QuantizeIntoOp : UFP4_StorageOp<"quantize_into", [AttrSizedOperandSegments]> {
  let summary = "quantizes a tensor into the buffers of one or two storages (Q1-Q8)";
  let description = [{
    Reads `ins` once and writes, for each of one or two `destinations`, the codes and the scales in
    the destination's storage and, with ue4m3 scales, the tensor's scale S. Two destinations are
    along different dimensions: the operands of two GEMMs of one value. Every byte of codes and
    scales is written, padding included, so what `outs` held before does not matter.

    Lists have one value for each destination that needs one, in their order: `amax` with ue4m3
    scales (Q5), `seed` and `step` with stochastic rounding (Q7), `stream` where the stream is
    dynamic, `at` for offsets that are operands (Q8).

    Groups are quantized each as a tensor of its own (G4), with an `amax` and an S of each. A ragged
    one is a destination alone, and its `groups` are the table of `ufp4.group_table_into`. `from` is
    the global index of the first group, 0 without it.

    `rows` gathers, as in `ufp4.quantize`: destinations are those of the tensor whose row i is row
    `rows[i]` of `ins`.

    ```mlir
    #f = #ufp4.scheme<e1m2, block = 16, scale = f32>
    func.func @both(%x: tensor<256x512xbf16>, %seed: i64, %step: i32, %c: tensor<65536xi8>,
                    %s: tensor<32768xi8>)
        -> (tensor<65536xi8>, tensor<32768xi8>, tensor<65536xi8>, tensor<32768xi8>) {
      %0:4 = ufp4.quantize_into ins(%x : tensor<256x512xbf16>) seed(%seed) step(%step)
        outs(%c, %s, %c, %s : tensor<65536xi8>, tensor<32768xi8>, tensor<65536xi8>,
                              tensor<32768xi8>)
        as [#ufp4.destination<!ufp4.tensor<256x512, #f, along = 1>, "natural">,
            #ufp4.destination<!ufp4.tensor<256x512, #f, along = 0>, "natural", stochastic,
                              stream = 7>]
        -> tensor<65536xi8>, tensor<32768xi8>, tensor<65536xi8>, tensor<32768xi8>
      return %0#0, %0#1, %0#2, %0#3
        : tensor<65536xi8>, tensor<32768xi8>, tensor<65536xi8>, tensor<32768xi8>
    }
    ```
  }];
  let arguments = (ins UFP4_RealBuffer:$input, Optional<UFP4_RowIndicesBuffer>:$rows,
                       Variadic<UFP4_ScalarBuffer>:$amaxes,
                       Variadic<I64>:$seeds, Variadic<I32>:$steps, Variadic<I32>:$streams,
                       Variadic<I64>:$offsets, Optional<UFP4_GroupTable>:$groups,
                       Optional<I64>:$first_group, Variadic<UFP4_QuantizedBuffer>:$outputs,
                       UFP4_DestinationArrayAttr:$destinations);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` (`rows` `(` $rows^ `:` type($rows) `)`)?
    (`amax` `(` $amaxes^ `:` type($amaxes) `)`)?
    (`seed` `(` $seeds^ `)`)? (`step` `(` $steps^ `)`)? (`stream` `(` $streams^ `)`)?
    (`at` `(` $offsets^ `)`)? (`groups` `(` $groups^ `:` type($groups) `)`)?
    (`from` $first_group^)? `outs` `(` $outputs `:` type($outputs) `)` `as` $destinations
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = [{
    /// One destination with the operands that are its own; those it has none of are null.
    struct Destination {
      DestinationAttr attr;
      ::mlir::Value amax, seed, step, stream;
      ::mlir::ValueRange offsets;
      ::mlir::Value codes, scales, global;
      /// The position of `codes` among outputs and results.
      unsigned firstOutput;
    };
    ::llvm::SmallVector<Destination, 2> getEach();
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputsMutable(); }
    /// Whether what `outs` held matters.
    bool readsOutputs() { return false; }
  }];
}

def UFP4_AmaxIntoOp : UFP4_StorageOp<"amax_into", [AttrSizedOperandSegments]> {
  let summary = "raises a number to the maximum that sets a per-tensor scale (Q5)";
  let description = [{
    The result is the greater of what `outs` held and amax_tensor: max |x'| after the scheme's
    rotation, without poisoned blocks. `outs` holds 0, or the maximum of other parts. With `in` it is
    one number of each group, of which ragged ones lie as `table` says, by its tiles. `rows` gathers,
    as in `ufp4.quantize_into`.

    ```mlir
    #f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
    func.func @amax(%x: tensor<256x512xbf16>, %a: tensor<f32>) -> tensor<f32> {
      %0 = ufp4.amax_into ins(%x : tensor<256x512xbf16>) along 1 of #f outs(%a : tensor<f32>)
        -> tensor<f32>
      return %0 : tensor<f32>
    }
    ```
  }];
  let arguments = (ins UFP4_RealBuffer:$input, Optional<UFP4_RowIndicesBuffer>:$rows,
                       Optional<UFP4_GroupTable>:$table, I64Attr:$along,
                       UFP4_SchemeAttr:$scheme, UFP4_ScalarBuffer:$output,
                       OptionalAttr<UFP4_GroupsAttr>:$groups, OptionalAttr<I64Attr>:$tile);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "int64_t":$along,
                   "::ufp4::SchemeAttr":$scheme, "::mlir::Value":$output), [{
      build($_builder, $_state, result, input, ::mlir::Value(), ::mlir::Value(), along, scheme,
            output, ::ufp4::GroupsAttr(), ::mlir::IntegerAttr());
    }]>
  ];
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` (`rows` `(` $rows^ `:` type($rows) `)`)?
    `along` $along `of` qualified($scheme)
    (`in` $groups^)? (`table` `(` $table^ `:` type($table) `)` `by` $tile)?
    `outs` `(` $output `:` type($output) `)` attr-dict (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutputMutable(); }
    bool readsOutputs() { return true; }
  }];
}

def UFP4_BlockGemmOp : UFP4_StorageOp<"block_gemm", [AttrSizedOperandSegments]> {
  let summary = "a GEMM over operands in their storages (G1-G3)";
  let description = [{
    C = A · Bᵀ over dequantized values for each g, A being [G, M, K] and B [G, N, K]; C has the
    batch dimensions, the free ones of the lhs, the free ones of the rhs. In f32, in this order:
    the sum times `alpha`; plus `bias`, one number for each column; plus, with `accumulate`, what
    `outs` held (f32 only, C0 of G1). A bf16 result is rounded once at the end. Without
    `accumulate` what `outs` held does not matter.

    The operands meet G1 as those of `ufp4.matmul` do. `via` says how the product is computed. Ragged
    groups lie as `groups`, the table of `ufp4.group_table_into`, says: each group of rows of the lhs
    meets its matrix of the rhs, or each group of K is a product of its own (G4).

    ```mlir
    #f = #ufp4.scheme<e1m2, block = 16, scale = f32>
    func.func @gemm(%ac: tensor<65536xi8>, %as: tensor<32768xi8>, %bc: tensor<16384xi8>,
                    %bs: tensor<8192xi8>, %c: tensor<256x64xf32>) -> tensor<256x64xf32> {
      %0 = ufp4.block_gemm
        lhs(%ac, %as : tensor<65536xi8>, tensor<32768xi8>)
        as <!ufp4.tensor<256x512, #f, along = 1>, "natural">
        rhs(%bc, %bs : tensor<16384xi8>, tensor<8192xi8>)
        as <!ufp4.tensor<512x64, #f, along = 0>, "natural">
        via <post> outs(%c : tensor<256x64xf32>) accumulate -> tensor<256x64xf32>
      return %0 : tensor<256x64xf32>
    }
    ```
  }];
  let arguments = (ins UFP4_ByteBuffer:$lhs_codes, UFP4_ByteBuffer:$lhs_scales,
                       Optional<UFP4_ScalarBuffer>:$lhs_global, UFP4_ByteBuffer:$rhs_codes,
                       UFP4_ByteBuffer:$rhs_scales, Optional<UFP4_ScalarBuffer>:$rhs_global,
                       Optional<F32>:$alpha, Optional<UFP4_BiasBuffer>:$bias,
                       Optional<UFP4_GroupTable>:$groups, UFP4_ResultBuffer:$output, UFP4_StoredAttr:$lhs, UFP4_StoredAttr:$rhs,
                       UFP4_PathAttr:$path, UnitAttr:$accumulate);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let assemblyFormat = [{
    `lhs` `(` $lhs_codes `,` $lhs_scales (`,` $lhs_global^)? `:` type($lhs_codes) `,`
    type($lhs_scales) (`,` type($lhs_global)^)? `)` `as` $lhs
    `rhs` `(` $rhs_codes `,` $rhs_scales (`,` $rhs_global^)? `:` type($rhs_codes) `,`
    type($rhs_scales) (`,` type($rhs_global)^)? `)` `as` $rhs
    `via` $path (`alpha` `(` $alpha^ `)`)? (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`groups` `(` $groups^ `:` type($groups) `)`)?
    `outs` `(` $output `:` type($output) `)` (`accumulate` $accumulate^)? attr-dict
    (`->` type($result)^)?
  }];
  let extraClassDeclaration = [{
    /// As a range, which is empty where V35 is broken: interfaces ask before it is verified.
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      auto [start, length] =
          getODSOperandIndexAndLength(getProperties().operandSegmentSizes.size() - 1);
      return ::mlir::MutableOperandRange(getOperation(), start, length);
    }
    bool readsOutputs() { return getAccumulate(); }
    /// Extents of the merged [G, M, N] and K; kDynamic where one is.
    int64_t getG();
    int64_t getM();
    int64_t getN();
    int64_t getK() { return getLhs().getType().getK(); }
  }];
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4STORAGEOPS_TD
