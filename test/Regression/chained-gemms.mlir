// RUN: ufp4-opt %s --ufp4-quantize-training="params=w,v include-f32" | FileCheck %s

// A GEMM that accumulates onto, or reads, an earlier GEMM's result: the rewriting once used the value
// that the analysis had seen, which the earlier rewrite had erased, and crashed.

// CHECK: %[[Y:.*]] = ufp4.matmul %{{.*}}, %{{.*}} {
// CHECK: %[[Q:.*]] = ufp4.quantize %[[Y]] along 1
// CHECK: ufp4.matmul %[[Q]], %{{.*}} accumulate(%[[Y]] : tensor<16x32xf32>)
func.func @f(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"},
             %v: tensor<32x32xbf16> {ufp4.name = "v"}) -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %z = linalg.matmul ins(%y, %v : tensor<16x32xf32>, tensor<32x32xbf16>)
                     outs(%y : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %z : tensor<16x32xf32>
}
