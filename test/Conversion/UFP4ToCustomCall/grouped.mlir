// A step of two expert layers, as jax.export keeps `lax.ragged_dot`: forward (rows), dgrad (a
// transposed rhs) and wgrad (groups cut what is contracted). Each becomes a call; what the dots would
// have been made of counts for nothing and goes.
//
// RUN: ufp4-opt %s --allow-unregistered-dialect --ufp4-quantize-training="recipe=ufp4 decisions=%t.json" \
// RUN:   --mlir-print-op-generic | FileCheck %s
// RUN: %python %S/../../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=DECISION
// RUN: ufp4-opt %s --allow-unregistered-dialect --ufp4-quantize-training="recipe=ufp4 exclude=w2 decisions=%t.left.json" \
// RUN:   --mlir-print-op-generic | FileCheck %s --check-prefix=LEFT
// RUN: ufp4-opt %s --allow-unregistered-dialect --ufp4-quantize-training="recipe=ufp4-nv" --mlir-print-op-generic \
// RUN:   | FileCheck %s --check-prefix=NV

// DECISION: 0 stablehlo.composite 1x24x32x16 fprop 0,1 rewritten
// DECISION-NEXT: 1 stablehlo.composite 1x24x8x32 fprop 2,3 rewritten
// DECISION-NEXT: 2 stablehlo.composite 1x32x8x24 wgrad 4,5 rewritten
// DECISION-NEXT: 3 stablehlo.composite 1x24x32x8 dgrad 6,7 rewritten
// DECISION-NEXT: 4 stablehlo.composite 1x16x32x24 wgrad 8,9 rewritten
// DECISION-NOT: {{[0-9]}}

// CHECK-DAG: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %{{.*}}) <{{.*}}first = 0 : i64, gemm = 0 : i64,{{.*}}lhs_groups = array<i64: 0, 1, 1>,{{.*}}lhs_view = array<i64: 0, 1>,{{.*}}ragged = "rows",{{.*}}rhs_groups = array<i64: 1, 1, 1>,{{.*}}rhs_view = array<i64: 0, 2, 1>,{{.*}}call_target_name = "ufp4.grouped_gemm",{{.*}}(tensor<24x16xbf16>, tensor<4x16x32xbf16>, tensor<4xi32>) -> tensor<24x32xf32>
// dy draws; w's experts are its first dimension, whatever is contracted.
// CHECK-DAG: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{{.*}}gemm = 3 : i64,{{.*}}lhs_rounding = "stochastic",{{.*}}ragged = "rows",{{.*}}rhs_groups = array<i64: 1, 1, 1>,{{.*}}rhs_view = array<i64: 0, 1, 2>,{{.*}}(tensor<24x8xf32>, tensor<4x32x8xbf16>, tensor<4xi32>, tensor<3xi32>) -> tensor<24x32xf32>
// CHECK-DAG: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{{.*}}gemm = 4 : i64,{{.*}}lhs_view = array<i64: 1, 0>,{{.*}}ragged = "contracted",{{.*}}rhs_view = array<i64: 1, 0>,{{.*}}(tensor<24x16xbf16>, tensor<24x32xf32>, tensor<4xi32>, tensor<3xi32>) -> tensor<4x16x32xf32>
// CHECK-NOT: "stablehlo.composite"
// CHECK-NOT: @impl

// LEFT-COUNT-3: name = "chlo.ragged_dot"
// LEFT-NOT: name = "chlo.ragged_dot"

// Groups have their own maxima: no call asks for one.
// NV-NOT: ufp4.amax
// NV: call_target_name = "ufp4.grouped_gemm"

func.func @step(%w1: tensor<4x16x32xbf16> {ufp4.name = "w1"}, %w2: tensor<4x32x8xbf16> {ufp4.name = "w2"}, %x: tensor<24x16xbf16>, %sizes: tensor<4xi32>) -> (tensor<4x16x32xf32>, tensor<4x32x8xf32>) {
  %h = "stablehlo.composite"(%x, %w1, %sizes) <{composite_attributes = {precision_config = ["DEFAULT", "DEFAULT"], ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<1> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>]}, decomposition = @impl, name = "chlo.ragged_dot", version = 1 : i32}> : (tensor<24x16xbf16>, tensor<4x16x32xbf16>, tensor<4xi32>) -> tensor<24x32xf32>
  %a = "stablehlo.tanh"(%h) : (tensor<24x32xf32>) -> tensor<24x32xf32>
  %b = "stablehlo.convert"(%a) : (tensor<24x32xf32>) -> tensor<24x32xbf16>
  %y = "stablehlo.composite"(%b, %w2, %sizes) <{composite_attributes = {precision_config = ["DEFAULT", "DEFAULT"], ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<1> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>]}, decomposition = @impl_0, name = "chlo.ragged_dot", version = 1 : i32}> : (tensor<24x32xbf16>, tensor<4x32x8xbf16>, tensor<4xi32>) -> tensor<24x8xf32>
  %wide = "stablehlo.convert"(%b) : (tensor<24x32xbf16>) -> tensor<24x32xf32>
  %dw2 = "stablehlo.composite"(%wide, %y, %sizes) <{composite_attributes = {precision_config = ["DEFAULT", "DEFAULT"], ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<> : tensor<0xi64>]}, decomposition = @impl_1, name = "chlo.ragged_dot", version = 1 : i32}> : (tensor<24x32xf32>, tensor<24x8xf32>, tensor<4xi32>) -> tensor<4x32x8xf32>
  %w = "stablehlo.convert"(%w2) : (tensor<4x32x8xbf16>) -> tensor<4x32x8xf32>
  %db = "stablehlo.composite"(%y, %w, %sizes) <{composite_attributes = {precision_config = ["DEFAULT", "DEFAULT"], ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<2> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>]}, decomposition = @impl_2, name = "chlo.ragged_dot", version = 1 : i32}> : (tensor<24x8xf32>, tensor<4x32x8xf32>, tensor<4xi32>) -> tensor<24x32xf32>
  %dh = "stablehlo.multiply"(%db, %h) : (tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32>
  %xw = "stablehlo.convert"(%x) : (tensor<24x16xbf16>) -> tensor<24x16xf32>
  %dw1 = "stablehlo.composite"(%xw, %dh, %sizes) <{composite_attributes = {precision_config = ["DEFAULT", "DEFAULT"], ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<> : tensor<0xi64>]}, decomposition = @impl_3, name = "chlo.ragged_dot", version = 1 : i32}> : (tensor<24x16xf32>, tensor<24x32xf32>, tensor<4xi32>) -> tensor<4x16x32xf32>
  return %dw1, %dw2 : tensor<4x16x32xf32>, tensor<4x32x8xf32>
}
func.func private @impl(%x: tensor<24x16xbf16>, %w: tensor<4x16x32xbf16>, %sizes: tensor<4xi32>) -> tensor<24x32xf32> {
  %0 = "test.rows"(%x, %sizes) : (tensor<24x16xbf16>, tensor<4xi32>) -> tensor<24x16xbf16>
  %1 = "test.matrix"(%w) : (tensor<4x16x32xbf16>) -> tensor<16x8xbf16>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<24x16xbf16>, tensor<16x8xbf16>) -> tensor<24x8xf32>
  %3 = "test.result"(%2) : (tensor<24x8xf32>) -> tensor<24x32xf32>
  return %3 : tensor<24x32xf32>
}
func.func private @impl_0(%x: tensor<24x32xbf16>, %w: tensor<4x32x8xbf16>, %sizes: tensor<4xi32>) -> tensor<24x8xf32> {
  %0 = "test.rows"(%x, %sizes) : (tensor<24x32xbf16>, tensor<4xi32>) -> tensor<24x16xbf16>
  %1 = "test.matrix"(%w) : (tensor<4x32x8xbf16>) -> tensor<16x8xbf16>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<24x16xbf16>, tensor<16x8xbf16>) -> tensor<24x8xf32>
  %3 = "test.result"(%2) : (tensor<24x8xf32>) -> tensor<24x8xf32>
  return %3 : tensor<24x8xf32>
}
func.func private @impl_1(%x: tensor<24x32xf32>, %w: tensor<24x8xf32>, %sizes: tensor<4xi32>) -> tensor<4x32x8xf32> {
  %0 = "test.rows"(%x, %sizes) : (tensor<24x32xf32>, tensor<4xi32>) -> tensor<24x16xbf16>
  %1 = "test.matrix"(%w) : (tensor<24x8xf32>) -> tensor<16x8xbf16>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<24x16xbf16>, tensor<16x8xbf16>) -> tensor<24x8xf32>
  %3 = "test.result"(%2) : (tensor<24x8xf32>) -> tensor<4x32x8xf32>
  return %3 : tensor<4x32x8xf32>
}
func.func private @impl_2(%x: tensor<24x8xf32>, %w: tensor<4x32x8xf32>, %sizes: tensor<4xi32>) -> tensor<24x32xf32> {
  %0 = "test.rows"(%x, %sizes) : (tensor<24x8xf32>, tensor<4xi32>) -> tensor<24x16xbf16>
  %1 = "test.matrix"(%w) : (tensor<4x32x8xf32>) -> tensor<16x8xbf16>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<24x16xbf16>, tensor<16x8xbf16>) -> tensor<24x8xf32>
  %3 = "test.result"(%2) : (tensor<24x8xf32>) -> tensor<24x32xf32>
  return %3 : tensor<24x32xf32>
}
func.func private @impl_3(%x: tensor<24x16xf32>, %w: tensor<24x32xf32>, %sizes: tensor<4xi32>) -> tensor<4x16x32xf32> {
  %0 = "test.rows"(%x, %sizes) : (tensor<24x16xf32>, tensor<4xi32>) -> tensor<24x16xbf16>
  %1 = "test.matrix"(%w) : (tensor<24x32xf32>) -> tensor<16x8xbf16>
  %2 = "stablehlo.dot_general"(%0, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<24x16xbf16>, tensor<16x8xbf16>) -> tensor<24x8xf32>
  %3 = "test.result"(%2) : (tensor<24x8xf32>) -> tensor<4x16x32xf32>
  return %3 : tensor<4x16x32xf32>
}
