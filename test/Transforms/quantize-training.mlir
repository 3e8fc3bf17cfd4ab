// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" | FileCheck %s
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4" | FileCheck %s --check-prefix=FROZEN

// The doctest of --ufp4-quantize-training. A forward-only function has no gradient to tell its
// parameter by: it is left alone until the user names it.

// CHECK: #[[S:.*]] = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: tensor<16x64xbf16>, %[[W:.*]]: tensor<64x32xbf16>
// CHECK-NOT: ufp4.rng
// CHECK: %[[A:.*]] = ufp4.quantize %[[X]] along 1 : tensor<16x64xbf16> -> !ufp4.tensor<16x64, #[[S]], along = 1>
// CHECK: %[[B:.*]] = ufp4.quantize %[[W]] along 0 : tensor<64x32xbf16> -> !ufp4.tensor<64x32, #[[S]], along = 0>
// CHECK: %[[Y:.*]] = ufp4.matmul %[[A]], %[[B]]
// CHECK-SAME: -> tensor<16x32xf32>
// CHECK: return %[[Y]]
// FROZEN-NOT: ufp4.matmul
func.func @forward(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
