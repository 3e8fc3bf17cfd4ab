// What stays at the value level says why; as an error where asked.
// Breaks if a matmul is left in silence, or one that cannot be is rewritten.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage=target=sm_80 -verify-diagnostics | FileCheck %s
// RUN: not ufp4-opt %s --ufp4-materialize-storage="target=sm_80 fail-on-fallback" 2>&1 | FileCheck %s --check-prefix=FAIL
// RUN: not ufp4-opt %s --ufp4-materialize-storage=target=sm_81 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not ufp4-opt %s --ufp4-materialize-storage 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ufp4-opt %s --ufp4-materialize-storage="target=sm_80 e1m2=direct" 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not ufp4-opt %s --ufp4-materialize-storage="target=sm_80 e1m2=container" 2>&1 | FileCheck %s --check-prefix=REFUSED

// FAIL: error: fail-on-fallback: kernels store f32 and bf16, and the result is f16
// CHIP: error: unknown chip 'sm_81', did you mean sm_80?; known: sm_80, sm_86
// NONE: error: no chip is named; known: sm_80, sm_86
// PATH: error: e1m2: expected auto, native, container, post or fold, found 'direct'
// REFUSED: error: e1m2=container: sm_80 has no container path for e1m2 with f32 scales per 16
#f = #ufp4.scheme<e1m2, block = 16, scale = f32>

// CHECK-LABEL: @f16_result
// CHECK-NOT: quantize_into
// CHECK: ufp4.quantize %
// CHECK: ufp4.matmul
func.func @f16_result(%x: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf16> -> !ufp4.tensor<32x32, #f, along = 1>
  // expected-remark @below {{left at the value level: kernels store f32 and bf16, and the result is f16}}
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf16>
  return %y : tensor<32x32xf16>
}

// CHECK-LABEL: @batch_behind
// CHECK: ufp4.matmul
func.func @batch_behind(%x: tensor<4x2x32xf32>, %w: tensor<2x8x32xf32>) -> tensor<2x4x8xf32> {
  %a = ufp4.quantize %x along 2 : tensor<4x2x32xf32> -> !ufp4.tensor<4x2x32, #f, along = 2>
  %b = ufp4.quantize %w along 2 : tensor<2x8x32xf32> -> !ufp4.tensor<2x8x32, #f, along = 2>
  // expected-remark @below {{left at the value level: the batch dimensions of the lhs do not come first}}
  %y = ufp4.matmul %a, %b batch = [1] x [0] : !ufp4.tensor<4x2x32, #f, along = 2>, !ufp4.tensor<2x8x32, #f, along = 2> -> tensor<2x4x8xf32>
  return %y : tensor<2x4x8xf32>
}

#square = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// CHECK-LABEL: @rows_in_two_dimensions
// CHECK: ufp4.matmul
func.func @rows_in_two_dimensions(%x: tensor<2x16x32xf32>, %w: tensor<8x32xf32>) -> tensor<2x16x8xf32> {
  %a = ufp4.quantize %x along 2 : tensor<2x16x32xf32> -> !ufp4.tensor<2x16x32, #square, along = 2>
  %b = ufp4.quantize %w along 1 : tensor<8x32xf32> -> !ufp4.tensor<8x32, #f, along = 1>
  // expected-remark @below {{left at the value level: 2-D blocks lie in one dimension of rows, found 2 beside batch = 0}}
  %y = ufp4.matmul %a, %b : !ufp4.tensor<2x16x32, #square, along = 2>, !ufp4.tensor<8x32, #f, along = 1> -> tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}

// CHECK-LABEL: @too_many_tiles
// CHECK: ufp4.matmul
func.func @too_many_tiles(%x: tensor<274877906944x64xf32>, %w: tensor<8x64xf32>) -> tensor<274877906944x8xf32> {
  %a = ufp4.quantize %x along 1 : tensor<274877906944x64xf32> -> !ufp4.tensor<274877906944x64, #f, along = 1>
  %b = ufp4.quantize %w along 1 : tensor<8x64xf32> -> !ufp4.tensor<8x64, #f, along = 1>
  // expected-remark @below {{left at the value level: tile_major_bf16 has 2147483648 tiles of 128 x 64; at most 2147483647 can be addressed}}
  %y = ufp4.matmul %a, %b : !ufp4.tensor<274877906944x64, #f, along = 1>, !ufp4.tensor<8x64, #f, along = 1> -> tensor<274877906944x8xf32>
  return %y : tensor<274877906944x8xf32>
}

// CHECK-LABEL: @dynamic_over_a_boundary
// CHECK-SAME: !ufp4.tensor<?x32,
// CHECK: ufp4.matmul
func.func @dynamic_over_a_boundary(%a: !ufp4.tensor<?x32, #f, along = 1>) -> tensor<?x?xf32> {
  // expected-remark @below {{left at the value level: an operand crosses functions or loops as a value: its extents are dynamic, and buffers do not tell them}}
  %y = ufp4.matmul %a, %a : !ufp4.tensor<?x32, #f, along = 1>, !ufp4.tensor<?x32, #f, along = 1> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// A boundary carries rank 3 with a batch.
// CHECK-LABEL: @other_batch_over_a_boundary
// CHECK-SAME: !ufp4.tensor<2x4x32,
func.func @other_batch_over_a_boundary(%a: !ufp4.tensor<2x4x32, #f, along = 2>) -> tensor<2x4x2x4xf32> {
  // expected-remark @below {{left at the value level: the lhs crosses functions or loops with 1 batch dimensions, and here has 0}}
  %y = ufp4.matmul %a, %a : !ufp4.tensor<2x4x32, #f, along = 2>, !ufp4.tensor<2x4x32, #f, along = 2> -> tensor<2x4x2x4xf32>
  return %y : tensor<2x4x2x4xf32>
}

// A part's words are those of its place in the whole.
func.func @part(%x: tensor<32x32xf32>, %seed: i64, %step: i32, %at: i64) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 stochastic(%seed, %step) at [[%at], []] of [[128], []] part [[32], []] {stream = 1} : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  // expected-remark @below {{left at the value level: the lhs is a part of a tensor (Q8), which no kernel quantizes}}
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// Whoever calls a public function knows its signature.
func.func @signature(%a: !ufp4.tensor<32x32, #f, along = 1>) -> tensor<32x32xf32> {
  // expected-remark @below {{left at the value level: an operand crosses functions or loops as a value: it is in the signature of the public function 'signature'}}
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
