// RUN: ufp4-opt %s --ufp4-outline-quantizes -split-input-file | FileCheck %s

// The doctest of --ufp4-outline-quantizes: equal kinds share a function, whose stream is an argument;
// the only one of its kind stays.

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:.*]]: tensor<4x32xbf16>, %[[B:.*]]: tensor<4x32xbf16>, %[[SEED:.*]]: i64, %[[STEP:.*]]: i32)
// CHECK: %[[S7:.*]] = arith.constant 7 : i32
// CHECK: call @[[F:.*]](%[[A]], %[[SEED]], %[[STEP]], %[[S7]])
// CHECK: %[[MAX:.*]] = arith.constant -1 : i32
// CHECK: call @[[F]](%[[B]], %[[SEED]], %[[STEP]], %[[MAX]])
// CHECK: ufp4.quantize %[[A]] along 1 :
// CHECK: func.func private @[[F]](%[[X:.*]]: tensor<4x32xbf16>, %[[K:.*]]: i64, %[[T:.*]]: i32, %[[S:.*]]: i32)
// CHECK: ufp4.quantize %[[X]] along 1 stochastic(%[[K]], %[[T]], %[[S]]) :
func.func @f(%a: tensor<4x32xbf16>, %b: tensor<4x32xbf16>, %seed: i64, %step: i32)
    -> (!ufp4.tensor<4x32, #fmt, along = 1>, !ufp4.tensor<4x32, #fmt, along = 1>,
        !ufp4.tensor<4x32, #fmt, along = 1>) {
  %0 = ufp4.quantize %a along 1 stochastic(%seed, %step) {stream = 7}
      : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #fmt, along = 1>
  %1 = ufp4.quantize %b along 1 stochastic(%seed, %step) {stream = 4294967295}
      : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #fmt, along = 1>
  %2 = ufp4.quantize %a along 1 : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #fmt, along = 1>
  return %0, %1, %2 : !ufp4.tensor<4x32, #fmt, along = 1>, !ufp4.tensor<4x32, #fmt, along = 1>,
                      !ufp4.tensor<4x32, #fmt, along = 1>
}

// -----

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>

// Gathered ones share it too, and those of as many indices alone.
// CHECK-LABEL: func.func @gathered(
// CHECK: call @[[G:.*]](%[[A:.*]], %[[R:.*]])
// CHECK: call @[[G]](%[[B:.*]], %[[R]])
// CHECK: ufp4.quantize %[[A]] rows(%{{.*}} : tensor<?xi32>) along 1
// CHECK: func.func private @[[G]](%[[X:.*]]: tensor<8x32xbf16>, %[[ROWS:.*]]: tensor<4xi32>)
// CHECK: ufp4.quantize %[[X]] rows(%[[ROWS]] : tensor<4xi32>) along 1
func.func @gathered(%a: tensor<8x32xbf16>, %b: tensor<8x32xbf16>, %r: tensor<4xi32>, %s: tensor<?xi32>)
    -> (!ufp4.tensor<4x32, #fmt, along = 1>, !ufp4.tensor<4x32, #fmt, along = 1>,
        !ufp4.tensor<4x32, #fmt, along = 1>) {
  %0 = ufp4.quantize %a rows(%r : tensor<4xi32>) along 1
      : tensor<8x32xbf16> -> !ufp4.tensor<4x32, #fmt, along = 1>
  %1 = ufp4.quantize %b rows(%r : tensor<4xi32>) along 1
      : tensor<8x32xbf16> -> !ufp4.tensor<4x32, #fmt, along = 1>
  %2 = ufp4.quantize %a rows(%s : tensor<?xi32>) along 1
      : tensor<8x32xbf16> -> !ufp4.tensor<4x32, #fmt, along = 1>
  return %0, %1, %2 : !ufp4.tensor<4x32, #fmt, along = 1>, !ufp4.tensor<4x32, #fmt, along = 1>,
                      !ufp4.tensor<4x32, #fmt, along = 1>
}
