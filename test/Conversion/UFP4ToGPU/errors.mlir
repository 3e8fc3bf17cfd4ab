// RUN: ufp4-opt %s --split-input-file --verify-diagnostics --ufp4-to-gpu=target=sm_80
// RUN: not ufp4-opt %s --split-input-file --ufp4-to-gpu=target=sm_120 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: ufp4-to-gpu: target: unknown chip 'sm_120', did you mean sm_120a?

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>

// A storage that the target's kernels do not read.
func.func @storage(%ac: memref<8192xi8>, %as: memref<4096xi8>, %c: memref<128x128xf32>) {
  // expected-error@+1 {{'ufp4.block_gemm' op has an operand in storage "natural"; sm_80 reads "tile_major_bf16" on this path: materialize storages for this target}}
  ufp4.block_gemm
    lhs(%ac, %as : memref<8192xi8>, memref<4096xi8>) as <!ufp4.tensor<128x128, #f, along = 1>, "natural">
    rhs(%ac, %as : memref<8192xi8>, memref<4096xi8>) as <!ufp4.tensor<128x128, #f, along = 1>, "natural">
    via <post> outs(%c : memref<128x128xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>

// A path that the target has not.
func.func @path(%ac: memref<8192xi8>, %as: memref<4096xi8>, %c: memref<128x128xf32>) {
  // expected-error@+1 {{'ufp4.block_gemm' op has no kernel on sm_80: sm_80 has no native path}}
  ufp4.block_gemm
    lhs(%ac, %as : memref<8192xi8>, memref<4096xi8>) as <!ufp4.tensor<128x128, #f, along = 1>, "natural">
    rhs(%ac, %as : memref<8192xi8>, memref<4096xi8>) as <!ufp4.tensor<128x128, #f, along = 1>, "natural">
    via <native> outs(%c : memref<128x128xf32>)
  return
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// Tensors have no addresses yet.
func.func @tensors(%x: tensor<4x16xf32>, %a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'ufp4.amax_into' op is on tensors: run --one-shot-bufferize first}}
  %0 = ufp4.amax_into ins(%x : tensor<4x16xf32>) along 1 of #f outs(%a : tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
