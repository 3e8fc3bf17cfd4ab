// RUN: ufp4-opt %s | ufp4-opt | FileCheck %s

// Calls inside operations of one region resolve, as StableHLO and Shardy are known by name; so no
// flag is needed for them, and their attributes and types stay text.
// CHECK-LABEL: func.func @reduce(
// CHECK: "chlo.square"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: "stablehlo.reduce"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0>}> ({
// CHECK: func.call @hypot(
// CHECK: "stablehlo.compare"(%{{.*}}, %{{.*}}) <{comparison_direction = #stablehlo<comparison_direction EQ>}>
// CHECK: "stablehlo.after_all"() : () -> !stablehlo.token
func.func @reduce(%x: tensor<4xf32>, %zero: tensor<f32>) -> tensor<f32> {
  %square = "chlo.square"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %0 = "stablehlo.reduce"(%square, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = func.call @hypot(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%1) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.compare"(%0, %zero) <{comparison_direction = #stablehlo<comparison_direction EQ>}>
      : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = "stablehlo.after_all"() : () -> !stablehlo.token
  return %0 : tensor<f32>
}
func.func private @hypot(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
