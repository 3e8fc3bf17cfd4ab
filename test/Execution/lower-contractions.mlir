// RUN: ufp4-opt --ufp4-cpu-lower-contractions="rows=4 columns=16" --split-input-file %s | FileCheck %s

// Operands widen while they are packed; the accumulators of a 4 × 16 block live in iter_args, and start
// at zero without a pass over the result.
// CHECK-LABEL: func @matmul
// CHECK-NOT: linalg.matmul
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8x64xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x64x16xf32>)
// CHECK-NOT: linalg.fill {{.*}}tensor<1x8x32xf32>
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: math.fma {{.*}} : vector<16xf32>
// CHECK-COUNT-4: vector.transfer_write {{.*}} : vector<16xf32>, tensor<1x8x32xf32>
// Chunks of rows and panels may share threads.
// CHECK: {ufp4.parallel}
func.func @matmul(%a: tensor<8x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x64xbf16>, tensor<64x32xbf16>) outs(%init : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// The op's cast decides whether a true bit is 1 or −1.
// CHECK-LABEL: func @one_hot
// CHECK: arith.uitofp
// CHECK-NOT: arith.sitofp
func.func @one_hot(%a: tensor<8x64xi1>, %b: tensor<64x32xf32>, %c: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<8x64xi1>, tensor<64x32xf32>) outs(%c : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// -----

// Ragged sizes are padded, and the result is a slice of the padded one.
// CHECK-LABEL: func @ragged
// CHECK-COUNT-2: tensor.pad
// CHECK: tensor.extract_slice %{{.*}} : tensor<1x8x32xf32> to tensor<1x5x17xf32>
func.func @ragged(%a: tensor<5x9xf32>, %b: tensor<9x17xf32>) -> tensor<5x17xf32> {
  %zero = arith.constant dense<0.0> : tensor<5x17xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<5x9xf32>, tensor<9x17xf32>) outs(%zero : tensor<5x17xf32>) -> tensor<5x17xf32>
  return %0 : tensor<5x17xf32>
}

// -----

// What is no f32 GEMM stays: f64, integers, an outer product, an operand summed alone.
// CHECK-LABEL: func @left_alone
// CHECK-COUNT-2: linalg.matmul
// CHECK: linalg.generic
func.func @left_alone(%a: tensor<4x4xf64>, %i: tensor<4x4xi32>, %x: tensor<4xf32>, %o: tensor<4x4xf32>) -> (tensor<4x4xf64>, tensor<4x4xi32>, tensor<4x4xf32>) {
  %0 = linalg.matmul ins(%a, %a : tensor<4x4xf64>, tensor<4x4xf64>) outs(%a : tensor<4x4xf64>) -> tensor<4x4xf64>
  %1 = linalg.matmul ins(%i, %i : tensor<4x4xi32>, tensor<4x4xi32>) outs(%i : tensor<4x4xi32>) -> tensor<4x4xi32>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<4x4xf64>, tensor<4x4xi32>, tensor<4x4xf32>
}
// CHECK-NOT: math.fma
