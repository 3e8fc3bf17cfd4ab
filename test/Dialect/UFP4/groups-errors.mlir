// What tensors and operations in groups refuse: V45 to V50, and what V17, V26 and V29 say of them.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V45
// expected-error @below {{there are groups, at least one, found 0}}
func.func private @v45_no_groups(!ufp4.tensor<32x16, #s, along = 1, groups = <0 rows>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V45
// expected-error @below {{groups of rows cut a tensor of rank 2, found rank 3}}
func.func private @v45_rows_of_rank_3(!ufp4.tensor<2x32x16, #s, along = 2, groups = <4 rows>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V45
// expected-error @below {{groups of contracted cut a tensor of rank 2, found rank 1}}
func.func private @v45_contracted_of_rank_1(!ufp4.tensor<32, #s, along = 0, groups = <4 contracted>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V45
// expected-error @below {{4 stacked groups are a tensor of rank 3 whose first dimension that is not contracted is 4}}
func.func private @v45_stacked_of_rank_2(!ufp4.tensor<4x16, #s, along = 1, groups = <4 stacked>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V45
// expected-error @below {{4 stacked groups are a tensor of rank 3 whose first dimension that is not contracted is 4}}
func.func private @v45_stacked_extent(!ufp4.tensor<5x16x8, #s, along = 1, groups = <4 stacked>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V45
// expected-error @below {{unknown grouping 'piled': expected rows, contracted or stacked}}
func.func private @v45_grouping(!ufp4.tensor<5x16, #s, along = 1, groups = <4 piled>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// V46
// expected-error @below {{2-D blocks are not combined with groups of rows}}
func.func private @v46_rows(!ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v47_no_sizes(%x: tensor<32x16xf32>) {
  // V47
  // expected-error @below {{needs group sizes: groups(%sizes : tensor<4xi32>)}}
  %0 = ufp4.quantize %x along 1 : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v47_sizes_of_none(%x: tensor<32x16xf32>, %n: tensor<4xi32>) {
  // V47
  // expected-error @below {{has group sizes, but no groups that are runs}}
  %0 = ufp4.quantize %x along 1 groups(%n : tensor<4xi32>) : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v47_sizes_of_stacked(%x: tensor<4x32x16xf32>, %n: tensor<4xi32>) {
  // V47
  // expected-error @below {{has group sizes, but no groups that are runs}}
  %0 = ufp4.quantize %x along 2 groups(%n : tensor<4xi32>) : tensor<4x32x16xf32> -> !ufp4.tensor<4x32x16, #s, along = 2, groups = <4 stacked>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v47_number(%x: tensor<32x16xf32>, %n: tensor<5xi32>) {
  // V47
  // expected-error @below {{needs the sizes of 4 groups, found 'tensor<5xi32>'}}
  %0 = ufp4.quantize %x along 1 groups(%n : tensor<5xi32>) : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v47_rank(%x: tensor<32x16xf32>, %n: tensor<4x1xi32>) {
  // V47
  // expected-error @below {{operand #1 must be 1D tensor of 32-bit signless integer values, but got 'tensor<4x1xi32>'}}
  %0 = ufp4.quantize %x along 1 groups(%n : tensor<4x1xi32>) : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v48_from(%x: tensor<32x16xf32>, %g: i64) {
  // V48
  // expected-error @below {{counts groups from an operand, but its result is in no groups}}
  %0 = ufp4.quantize %x along 1 from %g : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v48_amax(%x: tensor<32x16xf32>, %n: tensor<4xi32>, %a: f32) {
  // V48
  // expected-error @below {{a tensor in groups has neither a place nor a maximum given}}
  %0 = ufp4.quantize %x along 1 amax(%a) groups(%n : tensor<4xi32>) : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v48_place(%x: tensor<32x16xf32>, %n: tensor<4xi32>) {
  // V48
  // expected-error @below {{a tensor in groups has neither a place nor a maximum given}}
  %0 = ufp4.quantize %x along 1 groups(%n : tensor<4xi32>) at [[0], [0]] of [[32], [16]] part [[32], [16]] : tensor<32x16xf32> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v49_dequantize(%q: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>) {
  // V49
  // expected-error @below {{a tensor in groups is not dequantized}}
  %0 = ufp4.dequantize %q : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>> -> tensor<32x16xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v50_rows_by_none(%x: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<16x8, #s, along = 0>, %n: tensor<4xi32>) {
  // V50
  // expected-error @below {{groups of rows by stacked ones, or contracted by contracted, found rows and none}}
  %0 = ufp4.matmul %x, %w groups(%n : tensor<4xi32>) : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<16x8, #s, along = 0> -> tensor<32x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v50_stacked_first(%x: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>) {
  // V50
  // expected-error @below {{groups of rows by stacked ones, or contracted by contracted, found stacked and rows}}
  %0 = ufp4.matmul %w, %x : !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>, !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>> -> tensor<32x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v50_number(%x: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<5x16x8, #s, along = 1, groups = <5 stacked>>, %n: tensor<4xi32>) {
  // V50
  // expected-error @below {{the operands' groups differ: 4 and 5}}
  %0 = ufp4.matmul %x, %w groups(%n : tensor<4xi32>) : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<5x16x8, #s, along = 1, groups = <5 stacked>> -> tensor<32x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v50_batch(%x: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>, %n: tensor<4xi32>) {
  // V50
  // expected-error @below {{a grouped GEMM has no batch dimensions}}
  %0 = ufp4.matmul %x, %w batch = [0] x [0] groups(%n : tensor<4xi32>) : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>> -> tensor<32x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v47_matmul(%x: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>) {
  // V47
  // expected-error @below {{needs group sizes: groups(%sizes : tensor<4xi32>)}}
  %0 = ufp4.matmul %x, %w : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>> -> tensor<32x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v26_rows(%x: !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>, %n: tensor<4xi32>) {
  // V26
  // expected-error @below {{needs a result of type 'tensor<32x8xf32>', found 'tensor<4x32x8xf32>'}}
  %0 = ufp4.matmul %x, %w groups(%n : tensor<4xi32>) : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>> -> tensor<4x32x8xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v26_contracted(%x: !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>>, %n: tensor<4xi32>) {
  // V26
  // expected-error @below {{needs a result of type 'tensor<4x16x16xf32>', found 'tensor<16x16xf32>'}}
  %0 = ufp4.matmul %x, %x groups(%n : tensor<4xi32>) : !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>>, !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>> -> tensor<16x16xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v29_pack(%c: tensor<32x16xi8>) {
  // V29
  // expected-error @below {{needs operands of types}}
  %0 = ufp4.pack %c : tensor<32x16xi8> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v17_groups() {
  // V17
  // expected-error @below {{a tensor in groups with ue4m3 scales is no constant}}
  %0 = ufp4.constant <codes = dense<0> : tensor<32x16xi8>, scales = dense<0> : tensor<32x1xi8>> : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  return
}
