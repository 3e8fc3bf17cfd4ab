// RUN: ufp4-opt --ufp4-cpu-expand-narrow-floats --canonicalize %s | FileCheck %s

// Each op rounds: a truncf/extf pair between two ops must survive folding, so no `contract` flag.
// CHECK-LABEL: func @chain
// CHECK: %[[P:.*]] = arith.mulf %{{.*}} : f32
// CHECK: %[[R:.*]] = arith.truncf %[[P]] : f32 to bf16
// CHECK: %[[W:.*]] = arith.extf %[[R]] : bf16 to f32
// CHECK: arith.addf %[[W]], %{{.*}} : f32
func.func @chain(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.mulf %a, %b : bf16
  %1 = arith.addf %0, %a : bf16
  return %1 : bf16
}

// CHECK-LABEL: func @moves_bits
// CHECK-NOT: arith.extf
func.func @moves_bits(%c: i1, %a: bf16, %b: bf16) -> i16 {
  %0 = arith.select %c, %a, %b : bf16
  %1 = arith.bitcast %0 : bf16 to i16
  return %1 : i16
}

// CHECK-LABEL: func @from_f64
// CHECK: %[[ODD:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.truncf %[[ODD]] : f32 to bf16
func.func @from_f64(%a: f64) -> bf16 {
  %0 = arith.truncf %a : f64 to bf16
  return %0 : bf16
}
