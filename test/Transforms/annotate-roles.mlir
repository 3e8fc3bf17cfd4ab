// RUN: ufp4-opt %s --ufp4-annotate-roles | FileCheck %s
// RUN: ufp4-opt %s --ufp4-annotate-roles --ufp4-annotate-roles | FileCheck %s

// The doctest of --ufp4-annotate-roles: a layer's three GEMMs, found by the operands they share.
// What the pass writes, it also reads: a second run changes nothing.

// CHECK-LABEL: func.func @step
func.func @step(%x: tensor<16x64xbf16> {ufp4.name = "x"},
                %w: tensor<64x32xbf16> {ufp4.name = "p.w"},
                %dy: tensor<16x32xbf16> {ufp4.name = "dy"})
    -> (tensor<16x32xf32>, tensor<64x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %zero_w = arith.constant dense<0.0> : tensor<64x32xf32>
  // CHECK: linalg.matmul {ufp4.gemm = {layer = "p.w", role = "fprop", stream = 0 : i64}}
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y16 = arith.truncf %y : tensor<16x32xf32> to tensor<16x32xbf16>
  %dz = arith.mulf %dy, %y16 : tensor<16x32xbf16>
  // CHECK: linalg.generic
  // CHECK-SAME: ufp4.gemm = {layer = "p.w", role = "wgrad", stream = 2 : i64}
  %dw = linalg.generic {
      indexing_maps = [affine_map<(k, m, n) -> (k, m)>, affine_map<(k, m, n) -> (k, n)>,
                       affine_map<(k, m, n) -> (m, n)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x, %dz : tensor<16x64xbf16>, tensor<16x32xbf16>) outs(%zero_w : tensor<64x32xf32>) {
    ^bb0(%a: bf16, %b: bf16, %c: f32):
      %0 = arith.extf %a : bf16 to f32
      %1 = arith.extf %b : bf16 to f32
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %c, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<64x32xf32>
  return %y, %dw : tensor<16x32xf32>, tensor<64x32xf32>
}
