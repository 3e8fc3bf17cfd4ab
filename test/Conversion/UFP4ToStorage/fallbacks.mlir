// Quantizes that have other readers than GEMMs on storages say which.
// Breaks if values are quantized on the host in silence.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage=target=sm_80 -verify-diagnostics | FileCheck %s
// RUN: not ufp4-opt %s --ufp4-materialize-storage="target=sm_80 fail-on-fallback" 2>&1 | FileCheck %s --check-prefix=FAIL
// FAIL: error: fail-on-fallback: quantizes at the value level: no kernel serves 'ufp4.dequantize', which reads it

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>

// CHECK-LABEL: @read_twice
// CHECK: ufp4.quantize_into
// CHECK: ufp4.quantize %
// CHECK: ufp4.block_gemm
// CHECK-NOT: ufp4.path_reason
func.func @read_twice(%x: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  // expected-remark @below {{quantizes at the value level: no kernel serves 'ufp4.dequantize', which reads it}}
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %d = ufp4.dequantize %a : !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  return %y, %d : tensor<32x32xf32>, tensor<32x32xf32>
}

// CHECK-LABEL: @left
// CHECK: ufp4.matmul {{.*}} {ufp4.path_reason = "kernels store f32 and bf16, and the result is f16"}
func.func @left(%x: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf16> -> !ufp4.tensor<32x32, #f, along = 1>
  // expected-remark @below {{left at the value level: kernels store f32 and bf16, and the result is f16}}
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf16>
  return %y : tensor<32x32xf16>
}

#nv = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// The products lie there without scales; what S multiplies comes behind them.
// CHECK-LABEL: @folded
// CHECK: ufp4.quantize_into {{.*}} outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<16384xi8>, tensor<0xi8>, tensor<f32>)
// CHECK: ufp4.block_gemm {{.*}}"tile_major_folded"{{.*}} via <fold>
func.func @folded(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #nv, along = 1>
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #nv, along = 1>, !ufp4.tensor<32x32, #nv, along = 1> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
