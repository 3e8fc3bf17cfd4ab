// What ufp4.matmul refuses: V19 to V27.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v19_out_of_range(%a: !t) {
  // V19
  // expected-error @below {{batch dimension 3 of the lhs is out of range, repeated or the contracted one}}
  %0 = ufp4.matmul %a, %a batch = [3] x [0] : !t, !t -> tensor<4x4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v19_negative(%a: !t) {
  // V19
  // expected-error @below {{batch dimension -1 of the rhs is out of range, repeated or the contracted one}}
  %0 = ufp4.matmul %a, %a batch = [0] x [-1] : !t, !t -> tensor<4x4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v19_huge(%a: !t) {
  // V19: 2^32 is not 0.
  // expected-error @below {{batch dimension 4294967296 of the lhs is out of range, repeated or the contracted one}}
  %0 = ufp4.matmul %a, %a batch = [4294967296] x [0] : !t, !t -> tensor<4x4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v19_repeated(%a: !t) {
  // V19
  // expected-error @below {{batch dimension 1 of the rhs is out of range, repeated or the contracted one}}
  %0 = ufp4.matmul %a, %a batch = [0, 1] x [1, 1] : !t, !t -> tensor<4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v19_contracted(%a: !t) {
  // V19
  // expected-error @below {{batch dimension 2 of the lhs is out of range, repeated or the contracted one}}
  %0 = ufp4.matmul %a, %a batch = [2] x [0] : !t, !t -> tensor<4x4x4xf32>
  return
}

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
#b = #ufp4.scheme<e2m1, block = 16, scale = f32>
func.func @v20_formats_differ(%a: !ufp4.tensor<4x16, #a, along = 1>, %b: !ufp4.tensor<8x16, #b, along = 1>) {
  // V20
  // expected-error @below {{the operands' formats differ: e1m2 and e2m1}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #a, along = 1>, !ufp4.tensor<8x16, #b, along = 1> -> tensor<4x8xf32>
  return
}

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
#b = #ufp4.scheme<e1m2, block = 16, scale = ue8m0>
func.func @v21_scales_differ(%a: !ufp4.tensor<4x16, #a, along = 1>, %b: !ufp4.tensor<8x16, #b, along = 1>) {
  // V21
  // expected-error @below {{the operands' scales differ: ue4m3 and ue8m0}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #a, along = 1>, !ufp4.tensor<8x16, #b, along = 1> -> tensor<4x8xf32>
  return
}

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
#b = #ufp4.scheme<e1m2, block = 32, scale = f32>
func.func @v22_blocks_differ(%a: !ufp4.tensor<4x32, #a, along = 1>, %b: !ufp4.tensor<8x32, #b, along = 1>) {
  // V22
  // expected-error @below {{the operands' blocks along K differ: 16 and 32}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x32, #a, along = 1>, !ufp4.tensor<8x32, #b, along = 1> -> tensor<4x8xf32>
  return
}

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#b = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v23_one_is_rotated(%a: !ufp4.tensor<4x16, #a, along = 1>, %b: !ufp4.tensor<8x16, #b, along = 1>) {
  // V23
  // expected-error @below {{the operands' rotations differ: #ufp4.rotation<size = 16, signs = 0xD7E8> and none}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #a, along = 1>, !ufp4.tensor<8x16, #b, along = 1> -> tensor<4x8xf32>
  return
}

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#b = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E9>>
func.func @v23_masks_differ(%a: !ufp4.tensor<4x16, #a, along = 1>, %b: !ufp4.tensor<8x16, #b, along = 1>) {
  // V23
  // expected-error @below {{the operands' rotations differ: #ufp4.rotation<size = 16, signs = 0xD7E8> and #ufp4.rotation<size = 16, signs = 0xD7E9>}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #a, along = 1>, !ufp4.tensor<8x16, #b, along = 1> -> tensor<4x8xf32>
  return
}

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0>>
#b = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 32, signs = 0>>
func.func @v23_sizes_differ(%a: !ufp4.tensor<4x32, #a, along = 1>, %b: !ufp4.tensor<8x32, #b, along = 1>) {
  // V23: masks of different widths are not compared.
  // expected-error @below {{the operands' rotations differ: #ufp4.rotation<size = 16, signs = 0x0> and #ufp4.rotation<size = 32, signs = 0x0>}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x32, #a, along = 1>, !ufp4.tensor<8x32, #b, along = 1> -> tensor<4x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v24_extents_differ(%a: !ufp4.tensor<4x16, #s, along = 1>, %b: !ufp4.tensor<16x8, #s, along = 1>) {
  // V24
  // expected-error @below {{the contracted extents differ: 16 and 8}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #s, along = 1>, !ufp4.tensor<16x8, #s, along = 1> -> tensor<4x16xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v25_one_batch(%a: !t) {
  // V25
  // expected-error @below {{as many batch dimensions on both sides, found 1 and 0}}
  %0 = ufp4.matmul %a, %a batch = [0] x [] : !t, !t -> tensor<4x4x4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!t = !ufp4.tensor<4x4x16, #s, along = 2>
func.func @v25_other_batch(%a: !t) {
  // V25
  // expected-error @below {{as many batch dimensions on both sides, found 0 and 1}}
  %0 = "ufp4.matmul"(%a, %a) {operandSegmentSizes = array<i32: 1, 1, 0, 0>, rhs_batch = array<i64: 0>} : (!t, !t) -> tensor<4x4x4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v25_batch_extents(%a: !ufp4.tensor<2x4x16, #s, along = 2>, %b: !ufp4.tensor<3x4x16, #s, along = 2>) {
  // V25
  // expected-error @below {{batch extents differ: 2 and 3}}
  %0 = ufp4.matmul %a, %b batch = [0] x [0] : !ufp4.tensor<2x4x16, #s, along = 2>, !ufp4.tensor<3x4x16, #s, along = 2> -> tensor<2x4x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v26_transposed(%a: !ufp4.tensor<4x16, #s, along = 1>, %b: !ufp4.tensor<16x8, #s, along = 0>) {
  // V26
  // expected-error @below {{needs a result of type 'tensor<4x8xf32>', found 'tensor<8x4xf32>'}}
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x16, #s, along = 1>, !ufp4.tensor<16x8, #s, along = 0> -> tensor<8x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v26_batch_first(%a: !ufp4.tensor<4x2x16, #s, along = 2>, %b: !ufp4.tensor<?x16x8, #s, along = 1>) {
  // V26
  // expected-error @below {{needs a result of type 'tensor<2x4x8xbf16>', found 'tensor<4x2x8xbf16>'}}
  %0 = ufp4.matmul %a, %b batch = [1] x [0] : !ufp4.tensor<4x2x16, #s, along = 2>, !ufp4.tensor<?x16x8, #s, along = 1> -> tensor<4x2x8xbf16>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v26_rank(%a: !ufp4.tensor<16, #s, along = 0>) {
  // V26
  // expected-error @below {{needs a result of type 'tensor<f32>', found 'tensor<1xf32>'}}
  %0 = ufp4.matmul %a, %a : !ufp4.tensor<16, #s, along = 0>, !ufp4.tensor<16, #s, along = 0> -> tensor<1xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v27_accumulator(%a: !ufp4.tensor<4x16, #s, along = 1>, %b: !ufp4.tensor<?x16, #s, along = 1>, %c: tensor<4x8xf32>) {
  // V27
  // expected-error @below {{needs an accumulator of type 'tensor<4x?xf32>', found 'tensor<4x8xf32>'}}
  %0 = ufp4.matmul %a, %b accumulate(%c : tensor<4x8xf32>) : !ufp4.tensor<4x16, #s, along = 1>, !ufp4.tensor<?x16, #s, along = 1> -> tensor<4x?xbf16>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v27_accumulator_of_bf16(%a: !ufp4.tensor<4x16, #s, along = 1>, %c: tensor<4x4xbf16>) {
  // V27
  // expected-error @below {{operand #2 must be ranked tensor of 32-bit float values, but got 'tensor<4x4xbf16>'}}
  %0 = ufp4.matmul %a, %a accumulate(%c : tensor<4x4xbf16>) : !ufp4.tensor<4x16, #s, along = 1>, !ufp4.tensor<4x16, #s, along = 1> -> tensor<4x4xbf16>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @f64(%a: !ufp4.tensor<4x16, #s, along = 1>) {
  // expected-error @below {{result #0 must be ranked tensor of 32-bit float or bfloat16 type or 16-bit float values, but got 'tensor<4x4xf64>'}}
  %0 = ufp4.matmul %a, %a : !ufp4.tensor<4x16, #s, along = 1>, !ufp4.tensor<4x16, #s, along = 1> -> tensor<4x4xf64>
  return
}
