// What ufp4.quantize refuses: V8 and V10 to V15.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes, or if an operation
// that generic form can spell crashes the verifier.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v8_shape(%x: tensor<?x32xf32>) {
  // V8
  // expected-error @below {{the input of type 'tensor<?x32xf32>' does not have the shape of '!ufp4.tensor<4x16, #ufp4.scheme<e1m2, block = 16, scale = f32>, along = 1>'}}
  %0 = ufp4.quantize %x along 1 : tensor<?x32xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v8_rank(%x: tensor<16xf32>) {
  // V8
  // expected-error @below {{the input of type 'tensor<16xf32>' does not have the shape of}}
  %0 = ufp4.quantize %x along 1 : tensor<16xf32> -> !ufp4.tensor<1x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v8_rank_0(%x: tensor<f32>) {
  // V8
  // expected-error @below {{the input of type 'tensor<f32>' does not have the shape of}}
  %0 = ufp4.quantize %x along 0 : tensor<f32> -> !ufp4.tensor<16, #s, along = 0>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0, evaluation = mma>>
func.func @v10_mma_of_f32(%x: tensor<4x16xf32>) {
  // V10
  // expected-error @below {{evaluation = mma needs a bf16 input, found 'f32'}}
  %0 = ufp4.quantize %x along 1 : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v11_along(%x: tensor<4x16xf32>) {
  // V11
  // expected-error @below {{quantizes along 0, but the type says along = 1}}
  %0 = ufp4.quantize %x along 0 : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_no_input(%x: f32) {
  // V12
  // expected-error @below {{needs one input, found 0}}
  %0 = "ufp4.quantize"(%x) {operandSegmentSizes = array<i32: 0, 0, 1, 0, 0, 0, 0, 0, 0>}
         : (f32) -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_two_inputs(%x: tensor<4x16xf32>) {
  // V12
  // expected-error @below {{needs one input, found 2}}
  %0 = "ufp4.quantize"(%x, %x) {operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0>}
         : (tensor<4x16xf32>, tensor<4x16xf32>) -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_seed_without_step(%x: tensor<4x16xf32>, %seed: i64) {
  // V12
  // expected-error @below {{stochastic rounding needs a seed and a step}}
  %0 = "ufp4.quantize"(%x, %seed) {operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 0>, stream = 0}
         : (tensor<4x16xf32>, i64) -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_step_without_seed(%x: tensor<4x16xf32>, %step: i32) {
  // V12
  // expected-error @below {{stochastic rounding needs a seed and a step}}
  %0 = "ufp4.quantize"(%x, %step) {operandSegmentSizes = array<i32: 1, 0, 0, 0, 1, 0, 0, 0, 0>, stream = 0}
         : (tensor<4x16xf32>, i32) -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_no_stream(%x: tensor<4x16xf32>, %seed: i64, %step: i32) {
  // V12
  // expected-error @below {{stochastic rounding needs a stream}}
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step)
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_nearest_with_stream(%x: tensor<4x16xf32>) {
  // V12
  // expected-error @below {{nearest rounding carries no stream and no bits}}
  %0 = ufp4.quantize %x along 1 {stream = 3} : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_nearest_with_bits(%x: tensor<4x16xf32>) {
  // V12
  // expected-error @below {{nearest rounding carries no stream and no bits}}
  %0 = ufp4.quantize %x along 1 {bits = 16} : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_stream_too_large(%x: tensor<4x16xf32>, %seed: i64, %step: i32) {
  // V12
  // expected-error @below {{a stream is a word of 32 bits, found 4294967296}}
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 4294967296}
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_stream_negative(%x: tensor<4x16xf32>, %seed: i64, %step: i32) {
  // V12
  // expected-error @below {{a stream is a word of 32 bits, found -1}}
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = -1}
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_bits(%x: tensor<4x16xf32>, %seed: i64, %step: i32) {
  // V12
  // expected-error @below {{stochastic rounding draws 16 or 8 bits, found 24}}
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {bits = 24, stream = 0}
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v12_bits_overflow(%x: tensor<4x16xf32>, %seed: i64, %step: i32) {
  // V12: 2^32 + 16 is not 16.
  // expected-error @below {{stochastic rounding draws 16 or 8 bits, found 4294967312}}
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {bits = 4294967312, stream = 0}
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
func.func @v13_rows_stochastic(%x: tensor<4x16xf32>, %seed: i64, %step: i32) {
  // V13
  // expected-error @below {{2-D blocks need nearest rounding}}
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 0}
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v14_amax_of_f32(%x: tensor<4x16xf32>, %a: f32) {
  // V14
  // expected-error @below {{amax belongs to ue4m3 scales, found f32}}
  %0 = ufp4.quantize %x along 1 amax(%a) : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_offset_without_place(%x: tensor<4x16xf32>, %o: i64) {
  // V15
  // expected-error @below {{offsets need a place}}
  %0 = "ufp4.quantize"(%x, %o) {operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 1, 0, 0>}
         : (tensor<4x16xf32>, i64) -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_offset_missing(%x: tensor<4x16xf32>) {
  // V15
  // expected-error @below {{the place has 1 offsets that are operands, found 0}}
  %0 = ufp4.quantize %x along 1 {place = #ufp4.place<at [[0], [?]] of [[4], [32]] part [[4], [16]]>}
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_dynamic(%x: tensor<?x16xf32>) {
  // V15
  // expected-error @below {{a part needs a static shape}}
  %0 = ufp4.quantize %x along 1 at [[0], [16]] of [[4], [32]] part [[4], [16]]
         : tensor<?x16xf32> -> !ufp4.tensor<?x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_outside(%x: tensor<4x16xf32>) {
  // V15
  // expected-error @below {{in dimension K the part is 16 at 32 of 32, expected a part inside the whole}}
  %0 = ufp4.quantize %x along 1 at [[0], [32]] of [[4], [32]] part [[4], [16]]
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_negative(%x: tensor<4x16xf32>) {
  // V15
  // expected-error @below {{in dimension R the part is 4 at -4 of 8, expected a part inside the whole}}
  %0 = ufp4.quantize %x along 1 at [[-4], [0]] of [[8], [16]] part [[4], [16]]
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v15_size(%x: tensor<2x4x16xf32>) {
  // V15
  // expected-error @below {{in dimension G the part has 1 positions, expected the view's 2}}
  %0 = ufp4.quantize %x along 2 at [[0], [0], [0]] of [[2], [4], [16]] part [[1], [4], [16]]
         : tensor<2x4x16xf32> -> !ufp4.tensor<2x4x16, #s, along = 2>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 32, signs = 0>>
func.func @v15_cuts_a_run(%x: tensor<4x48xf32>) {
  // V15: whole blocks, but half a run of the rotation.
  // expected-error @below {{the part cuts or moves a run of 32 along K, expected whole aligned runs, padded at the global end only}}
  %0 = ufp4.quantize %x along 1 at [[0], [0]] of [[4], [96]] part [[4], [48]]
         : tensor<4x48xf32> -> !ufp4.tensor<4x48, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
func.func @v15_cuts_rows(%x: tensor<8x16xf32>) {
  // V15
  // expected-error @below {{the part cuts or moves a run of 16 rows, expected whole aligned 2-D blocks, padded at the global end only}}
  %0 = ufp4.quantize %x along 1 at [[0], [0]] of [[16], [16]] part [[8], [16]]
         : tensor<8x16xf32> -> !ufp4.tensor<8x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v15_part_without_amax(%x: tensor<4x16xf32>) {
  // V15
  // expected-error @below {{a part of a tensor with ue4m3 scales has no amax operand, expected the maximum over all parts}}
  %0 = ufp4.quantize %x along 1 at [[0], [0]] of [[8], [16]] part [[4], [16]]
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v4_extent_of_rows(%x: tensor<4x16xf32>, %o: i64) {
  // V4
  // expected-error @below {{only K, as one extent, can be an operand among the extents of a whole}}
  %0 = ufp4.quantize %x along 1 at [[0], [0]] of [[%o], [16]] part [[4], [16]]
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @extent_of_part(%x: tensor<4x16xf32>, %o: i64) {
  // expected-error @below {{the extents of a part are constants}}
  %0 = ufp4.quantize %x along 1 at [[0], [0]] of [[4], [16]] part [[4], [%o]]
         : tensor<4x16xf32> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @f64(%x: tensor<4x16xf64>) {
  // Q1: f64, integers and i1 are not quantized.
  // expected-error @below {{operand #0 must be ranked tensor of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<4x16xf64>'}}
  %0 = ufp4.quantize %x along 1 : tensor<4x16xf64> -> !ufp4.tensor<4x16, #s, along = 1>
  return
}

// -----

func.func @result_is_no_quantized_tensor(%x: tensor<4x16xf32>) {
  // expected-error @below {{invalid kind of type specified: expected ufp4.tensor, but found 'tensor<4x16xf32>'}}
  %0 = ufp4.quantize %x along 1 : tensor<4x16xf32> -> tensor<4x16xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @segments_missing(%x: tensor<4x16xf32>) {
  // expected-error @below {{operand count (1) does not match with the total size (0) specified in attribute 'operandSegmentSizes'}}
  %0 = "ufp4.quantize"(%x) : (tensor<4x16xf32>) -> !ufp4.tensor<4x16, #s, along = 1>
  return
}
