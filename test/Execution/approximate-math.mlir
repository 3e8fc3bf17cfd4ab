// Functions with good polynomials become arithmetic, that loops vectorise; others stay calls.
// RUN: ufp4-opt %s --ufp4-cpu-approximate-math | FileCheck %s
// RUN: ufp4-opt %s --ufp4-to-cpu | FileCheck %s --check-prefix=CALLS
// RUN: rm -rf %t
// RUN: ufp4-run %s --entry=values --inputs=random:1 --output-dir=%t
// RUN: %python %S/math_values.py %t | FileCheck %s --check-prefix=VALUES
// VALUES: 5 functions within 6 units of the last place

// CHECK-LABEL: func @scalar
// CHECK-NOT: math.{{exp|expm1|erf|log1p|tanh}}
// CHECK: return
// CHECK-LABEL: func @left_alone
// CHECK: math.exp %{{.*}} : f64
// CHECK: math.log %{{.*}} : f32
// CHECK: math.sin %{{.*}} : f32

// CALLS-NOT: @{{expf|expm1f|erff|log1pf|tanhf}}
func.func @scalar(%x: f32) -> (f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.expm1 %x : f32
  %2 = math.erf %x : f32
  %3 = math.log1p %x : f32
  %4 = math.tanh %x : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

func.func @left_alone(%x: f64, %y: f32) -> (f64, f32, f32) {
  %0 = math.exp %x : f64
  %1 = math.log %y : f32
  %2 = math.sin %y : f32
  return %0, %1, %2 : f64, f32, f32
}

// Every 2^16-th bit pattern: signs, exponents, infinities and NaNs, and seven bits of the fraction.
func.func @values() -> (tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>) {
  %e = tensor.empty() : tensor<65536xf32>
  %0:6 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      outs(%e, %e, %e, %e, %e, %e : tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>) {
  ^bb0(%o0: f32, %o1: f32, %o2: f32, %o3: f32, %o4: f32, %o5: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %c16 = arith.constant 16 : i32
    %bits = arith.shli %n, %c16 : i32
    %x = arith.bitcast %bits : i32 to f32
    %a = math.exp %x : f32
    %b = math.expm1 %x : f32
    %c = math.erf %x : f32
    %d = math.log1p %x : f32
    %f = math.tanh %x : f32
    linalg.yield %x, %a, %b, %c, %d, %f : f32, f32, f32, f32, f32, f32
  } -> (tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>, tensor<65536xf32>
}
