// RUN: ufp4-opt %s --allow-unregistered-dialect \
// RUN:   --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w decisions=%t.json" | FileCheck %s
// RUN: %python %S/../../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=DECISION

// What is left is left as it was, each with its reason.
// CHECK-NOT: ufp4.gemm
// CHECK-NOT: ufp4.rng

// DECISION: 0 stablehlo.dot_general 1x?x32x64 fprop 0,1 left shape an extent is symbolic; export the model with concrete shapes
// DECISION-NEXT: 1 stablehlo.dot_general 1x16x32x64 fprop 2,3 left operand-type operands of bf16, f16 or f32, found f64 and f64
// DECISION-NEXT: 2 linalg.matmul 1x16x32x64 fprop 4,5 left read-only-dialect 'linalg.matmul' is read, not rewritten
// DECISION-NEXT: 3 stablehlo.dot_general 1x16x32x64 fprop 6,7 left shape it stands in a 'test.loop', whose trips have no number to draw by
// DECISION-NOT: {{.}}

func.func @symbolic(%x: tensor<?x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<?x32xf32> {
  %4 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<?x64xbf16>, tensor<64x32xbf16>) -> tensor<?x32xf32>
  return %4 : tensor<?x32xf32>
}
func.func @double(%x: tensor<16x64xf64>, %w: tensor<64x32xf64> {ufp4.name = "w"}) -> tensor<16x32xf64> {
  %4 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x64xf64>, tensor<64x32xf64>) -> tensor<16x32xf64>
  return %4 : tensor<16x32xf64>
}
func.func @other(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
func.func @region(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<16x32xf32> {
  %0 = "test.loop"(%x) ({
    %4 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x64xbf16>, tensor<64x32xbf16>) -> tensor<16x32xf32>
    "test.yield"(%4) : (tensor<16x32xf32>) -> ()
  }) : (tensor<16x64xbf16>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
