//===- UFP4QuantizeOps.td - between real and quantized tensors -*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4QUANTIZEOPS_TD
#define UFP4_DIALECT_UFP4_IR_UFP4QUANTIZEOPS_TD

include "ufp4/Dialect/UFP4/IR/UFP4OpBase.td"

def UFP4_QuantizeOp : UFP4_Op<"quantize", [Pure, AttrSizedOperandSegments]> {
  let summary = "quantizes a tensor in blocks along one dimension (Q1-Q8)";
  let description = [{
    The view of `%input` is its other dimensions in their order, then `along`. Rotation, block
    maxima, scales and codes follow Q2 to Q6 in f32.

    `stochastic(%seed, %step)` rounds with the random words of (seed, stream, step, index) (Q7);
    the stream is then the attribute `stream` or, where code is shared by several quantizes, a third
    operand; `bits` is 16 (default) or 8. Without it rounding is to nearest and no stream is
    carried. `amax(%a)` gives the tensor's maximum of Q5 where a tensor is one shard of
    a whole. `at … of … part …` gives a part's place in the global view (Q8).

    A result in `groups` is quantized group by group (G4). `groups(%sizes)` gives the sizes of runs of
    rows or of K: one i32 each, of which a negative one counts as 0, and the last are cut where the
    extent ends. What lies in no group has codes 0 and scales 0. `from %g` is the global index of the
    first group, 0 without it: group i draws with the seed fold_in(%seed, %g + i).

    `rows(%r)` gathers: what is quantized is the tensor whose row i is row `r[i]` of `%input`, of rank
    2, an index below 0 being row 0 and one beyond the last row that one. All bits are those of the
    gathered tensor, which is not made.

    ```mlir
    %0 = ufp4.quantize %x along 1 : tensor<256x512xbf16> -> !ufp4.tensor<256x512, #fmt, along = 1>
    %1 = ufp4.quantize %dy along 0 stochastic(%seed, %step) {stream = 7}
           : tensor<256x512xbf16> -> !ufp4.tensor<256x512, #fmt, along = 0>
    %2 = ufp4.quantize %x along 1 groups(%sizes : tensor<8xi32>)
           : tensor<256x512xbf16> -> !ufp4.tensor<256x512, #fmt, along = 1, groups = <8 rows>>
    %3 = ufp4.quantize %x rows(%r : tensor<512xi32>) along 0
           : tensor<256x512xbf16> -> !ufp4.tensor<512x512, #fmt, along = 0>
    ```
  }];
  let arguments = (ins UFP4_RealTensor:$input, Optional<UFP4_RowIndices>:$rows,
                       Optional<F32>:$amax, Optional<I64>:$seed,
                       Optional<I32>:$step, Optional<I32>:$dynamic_stream,
                       Variadic<I64>:$offsets, Optional<UFP4_GroupSizes>:$group_sizes,
                       Optional<I64>:$first_group, OptionalAttr<I64Attr>:$stream,
                       OptionalAttr<I64Attr>:$bits, OptionalAttr<UFP4_PlaceAttr>:$place);
  let results = (outs UFP4_TensorType:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "::mlir::Value":$amax,
                   "::mlir::Value":$seed, "::mlir::Value":$step, "::mlir::Value":$dynamicStream,
                   "::mlir::ValueRange":$offsets, "::mlir::IntegerAttr":$stream,
                   "::mlir::IntegerAttr":$bits, "::ufp4::PlaceAttr":$place,
                   CArg<"::mlir::Value", "{}">:$rows)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    bool isStochastic() { return static_cast<bool>(getSeed()); }
    unsigned getRandomBits() { return getBits().value_or(16); }
    /// What has the extent of a dimension of what is quantized.
    ::mlir::Value getSized(int64_t dim) { return dim == 0 && getRows() ? getRows() : getInput(); }
    QuantizedTensorType getQuantizedType() {
      return ::llvm::cast<QuantizedTensorType>(getResult().getType());
    }
  }];
}

def UFP4_DequantizeOp : UFP4_Op<"dequantize", [Pure]> {
  let summary = "the real values of a quantized tensor, rounded once (F4)";
  let description = [{
    The result has the logical shape; the tensor is in no groups. A rotated tensor yields its rotated values; that needs K to be
    a multiple of the rotation's size, since the padding of a rotated run carries values.

    ```mlir
    %0 = ufp4.dequantize %q : !ufp4.tensor<256x512, #fmt, along = 1> -> tensor<256x512xf32>
    ```
  }];
  let arguments = (ins UFP4_TensorType:$input);
  let results = (outs UFP4_RealTensor:$result);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def UFP4_ConstantOp : UFP4_Op<"constant", [Pure, ConstantLike]> {
  let summary = "a quantized tensor known at compile time";
  let description = [{
    ```mlir
    %0 = ufp4.constant <codes = dense<7> : tensor<1x16xi8>, scales = dense<1.0> : tensor<1x1xf32>>
           : !ufp4.tensor<1x16, #fmt, along = 1>
    ```
  }];
  let arguments = (ins UFP4_QuantizedAttr:$value);
  let results = (outs UFP4_TensorType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def UFP4_UnpackOp : UFP4_Op<"unpack", [Pure]> {
  let summary = "the codes and scales of a quantized tensor, as builtin tensors";
  let description = [{
    In the order of the view: codes as one i8 each [.., Kp], scales as stored [.., Kp/B] and, for
    `ue4m3` alone, the tensor's scale as a rank-0 f32, or one f32 for each group.

    ```mlir
    %codes, %scales = ufp4.unpack %q
      : !ufp4.tensor<256x512, #fmt, along = 1> -> tensor<256x512xi8>, tensor<256x32xf32>
    ```
  }];
  let arguments = (ins UFP4_TensorType:$input);
  let results = (outs Variadic<AnyRankedTensor>:$parts);
  let assemblyFormat = "$input attr-dict `:` qualified(type($input)) `->` type($parts)";
  let hasVerifier = 1;
}

def UFP4_PackOp : UFP4_Op<"pack", [Pure]> {
  let summary = "a quantized tensor of codes and scales: what unpack takes apart";
  let description = [{
    ```mlir
    %q = ufp4.pack %codes, %scales
      : tensor<256x512xi8>, tensor<256x32xf32> -> !ufp4.tensor<256x512, #fmt, along = 1>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$parts);
  let results = (outs UFP4_TensorType:$result);
  let assemblyFormat = "$parts attr-dict `:` type($parts) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def UFP4_RotateOp : UFP4_Op<"rotate", [Pure]> {
  let summary = "the random Hadamard transform along one dimension (Q2)";
  let description = [{
    The result is f32; its `along` extent is rounded up to a multiple of the rotation's size.

    ```mlir
    %0 = ufp4.rotate %x along 1 by <size = 16, signs = 0xD7E8>
           : tensor<4x20xbf16> -> tensor<4x32xf32>
    ```
  }];
  let arguments = (ins UFP4_RealTensor:$input, I64Attr:$along, UFP4_RotationAttr:$rotation);
  let results = (outs RankedTensorOf<[F32]>:$result);
  let assemblyFormat = [{
    $input `along` $along `by` $rotation attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def UFP4_AmaxOp : UFP4_Op<"amax", [Pure]> {
  let summary = "the maximum that sets a per-tensor scale (Q5)";
  let description = [{
    max |x'| after the scheme's rotation, without poisoned blocks; 0 for an empty tensor. Shards
    reduce it by maximum before they quantize with `amax(%a)`. `rows(%r)` gathers, as in
    `ufp4.quantize`.

    ```mlir
    %0 = ufp4.amax %x along 1 of <e1m2, block = 16, scale = ue4m3> : tensor<256x512xbf16>
    ```
  }];
  let arguments = (ins UFP4_RealTensor:$input, Optional<UFP4_RowIndices>:$rows, I64Attr:$along,
                       UFP4_SchemeAttr:$scheme);
  let results = (outs F32:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "int64_t":$along,
                   "::ufp4::SchemeAttr":$scheme), [{
      build($_builder, $_state, result, input, ::mlir::Value(), along, scheme);
    }]>
  ];
  let assemblyFormat = [{
    $input (`rows` `(` $rows^ `:` type($rows) `)`)? `along` $along `of` $scheme attr-dict
    `:` type($input)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4QUANTIZEOPS_TD
