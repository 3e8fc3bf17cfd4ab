// What the storage level refuses: V30 to V44.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

// V30
// expected-error @below {{unknown storage 'natrual': expected natural, tile_major_bf16}}
func.func private @v30_unknown_storage() attributes {a = #ufp4.storage<"natrual">}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V30
// expected-error @below {{unknown storage 'swizzled': expected natural, tile_major_bf16}}
func.func private @v30_of_stored() attributes {a = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "swizzled">}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V31
// expected-error @below {{batch = 2, but !ufp4.tensor<4x16, #ufp4.scheme<e1m2, block = 16, scale = f32>, along = 1> has 1 dimensions that are not contracted}}
func.func private @v31_batch() attributes {a = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "natural", batch = 2>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// V31
// expected-error @below {{2-D blocks lie in one dimension of rows, found 2 beside batch = 0}}
func.func private @v31_rows() attributes {a = #ufp4.stored<!ufp4.tensor<2x16x16, #f, along = 2>, "natural">}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V31
// expected-error @below {{groups begin at tiles, and storage natural has none}}
func.func private @v31_groups() attributes {a = #ufp4.stored<!ufp4.tensor<16x16, #f, along = 1, groups = <2 rows>>, "natural">}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V31
// expected-error @below {{groups of rows have batch = 0, found batch = 1}}
func.func private @v31_batch_of_groups() attributes {a = #ufp4.stored<!ufp4.tensor<16x16, #f, along = 1, groups = <2 rows>>, "tile_major_bf16", batch = 1>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 128, signs = 0xD7E8D7E8D7E8D7E8D7E8D7E8D7E8D7E8>>
// V31
// expected-error @below {{groups of K begin at tiles, 64 deep in storage tile_major_bf16, and a run of 128 is longer}}
func.func private @v31_long_runs() attributes {a = #ufp4.stored<!ufp4.tensor<16x16, #f, along = 0, groups = <2 contracted>>, "tile_major_bf16">}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V31
// expected-error @below {{takes 2^63 bytes or more in storage tile_major_bf16}}
func.func private @v31_bytes() attributes {a = #ufp4.stored<!ufp4.tensor<562949953421312x16, #f, along = 1>, "tile_major_bf16", batch = 1>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// expected-error @below {{expected 'batch'}}
func.func private @stored_is_not_rounded() attributes {a = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// expected-error @below {{expected 'stream' or 'place'}}
func.func private @options_once() attributes {a = #ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic, bits = 8, bits = 8>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V32
// expected-error @below {{stochastic rounding draws 16 or 8 bits, found 4}}
func.func private @v32_bits() attributes {a = #ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic, bits = 4, stream = 0>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V32
// expected-error @below {{a stream is a word of 32 bits, found 4294967296}}
func.func private @v32_stream() attributes {a = #ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic, stream = 4294967296>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V32
// expected-error @below {{stochastic rounding needs a stream}}
func.func private @v32_no_stream() attributes {a = #ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V32
// expected-error @below {{nearest rounding carries no stream and no bits}}
func.func private @v32_nearest() attributes {a = #ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stream = 3>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// V32
// expected-error @below {{2-D blocks need nearest rounding}}
func.func private @v32_rows() attributes {a = #ufp4.destination<!ufp4.tensor<16x16, #f, along = 1>, "natural", stochastic, stream = 3>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V32
// expected-error @below {{a part's rows are one dimension, found 2}}
func.func private @v32_place() attributes {a = #ufp4.destination<!ufp4.tensor<2x4x16, #f, along = 2>, "natural", place = <at [[0], [], []] of [[4], [], []] part [[2], [], []]>>}

// -----

// V33
// expected-error @below {{unknown path 'direct': expected native, container, post, fold}}
func.func private @v33_path() attributes {a = #ufp4.path<direct>}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v34_both_levels(%x: tensor<4x16xf32>, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V34
  // expected-error @below {{has tensors and memrefs among its operands}}
  ufp4.quantize_into ins(%x : tensor<4x16xf32>) outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v34_amax(%x: tensor<4x16xf32>, %a: memref<f32>) {
  // V34
  // expected-error @below {{has tensors and memrefs among its operands}}
  ufp4.amax_into ins(%x : tensor<4x16xf32>) along 1 of #f outs(%a : memref<f32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v35_no_input(%c: memref<32xi8>, %s: memref<16xi8>) {
  // V35
  // expected-error @below {{needs one input, found 0}}
  "ufp4.quantize_into"(%c, %s) <{
    destinations = [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">],
    operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 2>}> : (memref<32xi8>, memref<16xi8>) -> ()
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v35_two_codes(%c: memref<32xi8>, %s: memref<16xi8>, %out: memref<4x4xf32>) {
  // V35
  // expected-error @below {{needs one rhs_codes, found 2}}
  "ufp4.block_gemm"(%c, %s, %c, %c, %out) <{
    lhs = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "natural">,
    rhs = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "natural">, path = #ufp4.path<post>,
    operandSegmentSizes = array<i32: 1, 1, 0, 2, 0, 0, 0, 0, 0, 1>}>
    : (memref<32xi8>, memref<16xi8>, memref<32xi8>, memref<32xi8>, memref<4x4xf32>) -> ()
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v35_no_output(%c: memref<32xi8>, %s: memref<16xi8>, %b: memref<4xf32>) {
  // V35
  // expected-error @below {{needs one output, found 0}}
  "ufp4.block_gemm"(%c, %s, %c, %s, %b) <{
    lhs = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "natural">,
    rhs = #ufp4.stored<!ufp4.tensor<4x16, #f, along = 1>, "natural">, path = #ufp4.path<post>,
    operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 1, 0, 0>}>
    : (memref<32xi8>, memref<16xi8>, memref<32xi8>, memref<16xi8>, memref<4xf32>) -> ()
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v36_codes(%x: memref<4x16xf32>, %c: memref<64xi8>, %s: memref<16xi8>) {
  // V36
  // expected-error @below {{the codes of the destination 0 take 32 bytes in storage natural, found 'memref<64xi8>'}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c, %s : memref<64xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v36_scales(%x: memref<4x16xf32>, %c: memref<16384xi8>, %s: memref<16xi8>) {
  // V36
  // expected-error @below {{the scales of the destination 0 take 2048 bytes in storage tile_major_bf16, found 'memref<16xi8>'}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c, %s : memref<16384xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "tile_major_bf16">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v36_gemm(%c: memref<32xi8>, %s: memref<16xi8>, %d: memref<33xi8>, %out: memref<4x4xf32>) {
  // V36
  // expected-error @below {{the codes of the rhs take 32 bytes in storage natural, found 'memref<33xi8>'}}
  ufp4.block_gemm
    lhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%d, %s : memref<33xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    via <post> outs(%out : memref<4x4xf32>)
  return
}

// -----

func.func @v37_none(%x: memref<4x16xf32>, %c: memref<32xi8>) {
  // V37
  // expected-error @below {{has one or two destinations, found 0}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c : memref<32xi8>) as []
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v37_same_dimension(%x: memref<4x16xf32>, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V37
  // expected-error @below {{two destinations are along different dimensions, found along = 1 twice}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>)
    outs(%c, %s, %c, %s : memref<32xi8>, memref<16xi8>, memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">,
        #ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v38_no_amax(%x: memref<4x16xf32>, %c: memref<32xi8>, %s: memref<4xi8>, %g: memref<f32>) {
  // V38
  // expected-error @below {{the destinations need 1 values in 'amax', found 0}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>)
    outs(%c, %s, %g : memref<32xi8>, memref<4xi8>, memref<f32>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v38_amax_of_f32(%x: memref<4x16xf32>, %a: memref<f32>, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V38
  // expected-error @below {{the destinations need 0 values in 'amax', found 1}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) amax(%a : memref<f32>)
    outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v38_no_seed(%x: memref<4x16xf32>, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V38
  // expected-error @below {{the destinations need 1 values in 'seed', found 0}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic, stream = 1>]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v38_no_step(%x: memref<4x16xf32>, %seed: i64, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V38
  // expected-error @below {{the destinations need 1 values in 'step', found 0}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) seed(%seed) outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic, stream = 1>]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v38_no_stream(%x: memref<4x16xf32>, %seed: i64, %step: i32, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V38
  // expected-error @below {{the destinations need 1 values in 'stream', found 0}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) seed(%seed) step(%step)
    outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", stochastic, stream = dynamic>]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v38_offset(%x: memref<4x16xf32>, %at: i64, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V38
  // expected-error @below {{the destinations need 0 values in 'at', found 1}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) at(%at) outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v38_outs(%x: memref<4x16xf32>, %c: memref<32xi8>) {
  // V38
  // expected-error @below {{the destinations need 2 values in 'outs', found 1}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c : memref<32xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v39_scales_are_bytes(%x: memref<4x16xf32>, %c: memref<32xi8>, %s: memref<f32>) {
  // V39
  // expected-error @below {{destination 0 needs bytes for its codes and scales, found 'memref<f32>'}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c, %s : memref<32xi8>, memref<f32>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v39_global_is_f32(%x: memref<4x16xf32>, %a: memref<f32>, %c: memref<32xi8>, %s: memref<4xi8>) {
  // V39
  // expected-error @below {{destination 0 needs an f32 for its maximum or scale S, found 'memref<4xi8>'}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) amax(%a : memref<f32>)
    outs(%c, %s, %s : memref<32xi8>, memref<4xi8>, memref<4xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v8_of_into(%x: memref<16x4xf32>, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V8
  // expected-error @below {{the input of type 'memref<16x4xf32>' does not have the shape of '!ufp4.tensor<4x16, #ufp4.scheme<e1m2, block = 16, scale = f32>, along = 1>'}}
  ufp4.quantize_into ins(%x : memref<16x4xf32>) outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v9_of_into(%x: memref<4x16xf32>, %a: memref<f32>) {
  // V9
  // expected-error @below {{along 2 is not a dimension of 'memref<4x16xf32>'}}
  ufp4.amax_into ins(%x : memref<4x16xf32>) along 2 of #f outs(%a : memref<f32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3, rotation = <size = 16, signs = 0, evaluation = mma>>
func.func @v10_of_into(%x: memref<4x16xf32>, %a: memref<f32>) {
  // V10
  // expected-error @below {{evaluation = mma needs a bf16 input, found 'f32'}}
  ufp4.amax_into ins(%x : memref<4x16xf32>) along 1 of #f outs(%a : memref<f32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_of_into(%x: memref<4x16xf32>, %c: memref<32xi8>, %s: memref<16xi8>) {
  // V15
  // expected-error @below {{in dimension R the part is 4 at 8 of 8, expected a part inside the whole}}
  ufp4.quantize_into ins(%x : memref<4x16xf32>) outs(%c, %s : memref<32xi8>, memref<16xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x16, #f, along = 1>, "natural", place = <at [[8], []] of [[8], []] part [[4], []]>>]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#g = #ufp4.scheme<e2m1, block = 16, scale = f32>
func.func @v20_of_gemm(%c: memref<32xi8>, %s: memref<16xi8>, %out: memref<4x4xf32>) {
  // V20
  // expected-error @below {{the operands' formats differ: e1m2 and e2m1}}
  ufp4.block_gemm
    lhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #g, along = 1>, "natural">
    via <post> outs(%out : memref<4x4xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v40_batch(%c: memref<64xi8>, %s: memref<32xi8>, %out: memref<2x4x8xf32>) {
  // V40
  // expected-error @below {{as many batch dimensions on both sides, found 1 and 0}}
  ufp4.block_gemm
    lhs(%c, %s : memref<64xi8>, memref<32xi8>)
    as <!ufp4.tensor<2x4x16, #f, along = 2>, "natural", batch = 1>
    rhs(%c, %s : memref<64xi8>, memref<32xi8>) as <!ufp4.tensor<8x16, #f, along = 1>, "natural">
    via <post> outs(%out : memref<2x4x8xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v40_extents(%c: memref<64xi8>, %s: memref<32xi8>, %out: memref<2x4x2xf32>) {
  // V40
  // expected-error @below {{batch extents differ: 2 and 4}}
  ufp4.block_gemm
    lhs(%c, %s : memref<64xi8>, memref<32xi8>)
    as <!ufp4.tensor<2x4x16, #f, along = 2>, "natural", batch = 1>
    rhs(%c, %s : memref<64xi8>, memref<32xi8>)
    as <!ufp4.tensor<4x2x16, #f, along = 2>, "natural", batch = 1>
    via <post> outs(%out : memref<2x4x2xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v41_no_global(%c: memref<32xi8>, %s: memref<4xi8>, %g: memref<f32>, %out: memref<4x4xf32>) {
  // V41
  // expected-error @below {{both operands have a scale S with ue4m3 scales, and only then}}
  ufp4.block_gemm
    lhs(%c, %s, %g : memref<32xi8>, memref<4xi8>, memref<f32>)
    as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%c, %s : memref<32xi8>, memref<4xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    via <post> outs(%out : memref<4x4xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v42_shape(%c: memref<32xi8>, %s: memref<16xi8>, %d: memref<64xi8>, %t: memref<32xi8>, %out: memref<8x4xf32>) {
  // V42
  // expected-error @below {{needs an output of type 'tensor<4x8xf32>', found 'memref<8x4xf32>'}}
  ufp4.block_gemm
    lhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%d, %t : memref<64xi8>, memref<32xi8>) as <!ufp4.tensor<8x16, #f, along = 1>, "natural">
    via <post> outs(%out : memref<8x4xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v43_bf16(%c: memref<32xi8>, %s: memref<16xi8>, %out: memref<4x4xbf16>) {
  // V43
  // expected-error @below {{accumulates in f32 only, found an output of type 'memref<4x4xbf16>'}}
  ufp4.block_gemm
    lhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    via <post> outs(%out : memref<4x4xbf16>) accumulate
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v44_bias(%c: memref<32xi8>, %s: memref<16xi8>, %b: memref<5xf32>, %out: memref<4x4xf32>) {
  // V44
  // expected-error @below {{needs a bias of 4 numbers, found 'memref<5xf32>'}}
  ufp4.block_gemm
    lhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    via <post> bias(%b : memref<5xf32>) outs(%out : memref<4x4xf32>)
  return
}

// -----

#n = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v51_one_maximum(%x: memref<2x16x64xf32>, %a: memref<f32>, %c: memref<32768xi8>, %s: memref<4096xi8>, %g: memref<2xf32>) {
  // V51
  // expected-error @below {{destination 0 needs 2 f32 for its maximum or scale S, found 'memref<f32>'}}
  ufp4.quantize_into ins(%x : memref<2x16x64xf32>) amax(%a : memref<f32>)
    outs(%c, %s, %g : memref<32768xi8>, memref<4096xi8>, memref<2xf32>)
    as [#ufp4.destination<!ufp4.tensor<2x16x64, #n, along = 2, groups = <2 stacked>>, "tile_major_bf16", batch = 1>]
  return
}

// -----

#n = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v51_amax(%x: memref<16x64xf32>, %a: memref<2xf32>) {
  // V51
  // expected-error @below {{the output needs an f32 for its maximum or scale S, found 'memref<2xf32>'}}
  ufp4.amax_into ins(%x : memref<16x64xf32>) along 1 of #n outs(%a : memref<2xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v52_no_table(%x: memref<16x64xf32>, %c: memref<?xi8>, %s: memref<?xi8>) {
  // V52
  // expected-error @below {{ragged groups have a table, and nothing else has}}
  ufp4.quantize_into ins(%x : memref<16x64xf32>) outs(%c, %s : memref<?xi8>, memref<?xi8>)
    as [#ufp4.destination<!ufp4.tensor<16x64, #f, along = 1, groups = <2 rows>>, "tile_major_bf16">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v52_table(%c: memref<32xi8>, %s: memref<16xi8>, %t: memref<5x4xi32>, %out: memref<4x4xf32>) {
  // V52
  // expected-error @below {{ragged groups have a table, and nothing else has}}
  ufp4.block_gemm
    lhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    rhs(%c, %s : memref<32xi8>, memref<16xi8>) as <!ufp4.tensor<4x16, #f, along = 1>, "natural">
    via <post> groups(%t : memref<5x4xi32>) outs(%out : memref<4x4xf32>)
  return
}

// -----

func.func @v53_tile(%sizes: memref<2xi32>, %t: memref<5x4xi32>) {
  %rows = arith.constant 100 : index
  // V53
  // expected-error @below {{needs tiles of a power of two, found 100}}
  ufp4.group_table_into ins(%sizes : memref<2xi32>) of %rows by 100 outs(%t : memref<5x4xi32>)
  return
}

// -----

func.func @v53_records(%sizes: memref<2xi32>, %t: memref<5x3xi32>) {
  %rows = arith.constant 100 : index
  // V53
  // expected-error @below {{writes records of 4 numbers, found 'memref<5x3xi32>'}}
  ufp4.group_table_into ins(%sizes : memref<2xi32>) of %rows by 128 outs(%t : memref<5x3xi32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v54_ragged_and_another(%x: memref<128x64xf32>, %t: memref<5x4xi32>, %c: memref<?xi8>, %s: memref<?xi8>) {
  // V54
  // expected-error @below {{two destinations are in no groups or in the same stacked ones}}
  ufp4.quantize_into ins(%x : memref<128x64xf32>) groups(%t : memref<5x4xi32>)
    outs(%c, %s, %c, %s : memref<?xi8>, memref<?xi8>, memref<?xi8>, memref<?xi8>)
    as [#ufp4.destination<!ufp4.tensor<128x64, #f, along = 1, groups = <2 rows>>, "tile_major_bf16">,
        #ufp4.destination<!ufp4.tensor<128x64, #f, along = 0>, "tile_major_bf16">]
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v54_from(%x: memref<128x64xf32>, %first: i64, %c: memref<?xi8>, %s: memref<?xi8>) {
  // V54
  // expected-error @below {{only groups count from an operand}}
  ufp4.quantize_into ins(%x : memref<128x64xf32>) from %first
    outs(%c, %s : memref<?xi8>, memref<?xi8>)
    as [#ufp4.destination<!ufp4.tensor<128x64, #f, along = 1>, "tile_major_bf16">]
  return
}
