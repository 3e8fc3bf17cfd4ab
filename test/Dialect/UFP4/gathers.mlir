// Rows that are gathered are printed as they are parsed, in both forms, at both levels.
//
// RUN: ufp4-opt %s | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --mlir-print-op-generic | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --canonicalize | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
!x = !ufp4.tensor<128x32, #f, along = 1, groups = <4 rows>>

// CHECK-LABEL: func @values
func.func @values(%x: tensor<64x32xbf16>, %rows: tensor<128xi32>, %sizes: tensor<4xi32>, %seed: i64, %step: i32) -> (!x, f32) {
  // CHECK: ufp4.quantize %{{.*}} rows(%{{.*}} : tensor<128xi32>) along 1 stochastic(%{{.*}}, %{{.*}}) groups(%{{.*}} : tensor<4xi32>) {stream = 7 : i64} : tensor<64x32xbf16> -> !ufp4.tensor<128x32, #{{.*}}, along = 1, groups = <4 rows>>
  %q = ufp4.quantize %x rows(%rows : tensor<128xi32>) along 1 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) {stream = 7} : tensor<64x32xbf16> -> !x
  // CHECK: ufp4.amax %{{.*}} rows(%{{.*}} : tensor<128xi32>) along 0 of #{{.*}} : tensor<64x32xbf16>
  %a = ufp4.amax %x rows(%rows : tensor<128xi32>) along 0 of #f : tensor<64x32xbf16>
  return %q, %a : !x, f32
}

// A constant is not gathered from.
// CHECK-LABEL: func @constant
func.func @constant(%rows: tensor<4xi32>) -> (!ufp4.tensor<4x16, #f, along = 1>, f32) {
  %x = arith.constant dense<1.0> : tensor<2x16xf32>
  // CHECK: ufp4.quantize
  %q = ufp4.quantize %x rows(%rows : tensor<4xi32>) along 1 : tensor<2x16xf32> -> !ufp4.tensor<4x16, #f, along = 1>
  // CHECK: ufp4.amax
  %a = ufp4.amax %x rows(%rows : tensor<4xi32>) along 1 of #f : tensor<2x16xf32>
  return %q, %a : !ufp4.tensor<4x16, #f, along = 1>, f32
}

// CHECK-LABEL: func @buffers
func.func @buffers(%x: memref<64x32xbf16>, %rows: memref<128xi32>, %a: memref<f32>, %c: memref<2048xi8>, %s: memref<256xi8>, %g: memref<f32>) {
  // CHECK: ufp4.amax_into ins(%{{.*}} : memref<64x32xbf16>) rows(%{{.*}} : memref<128xi32>) along 1 of #{{.*}} outs(%{{.*}} : memref<f32>)
  ufp4.amax_into ins(%x : memref<64x32xbf16>) rows(%rows : memref<128xi32>) along 1 of #f outs(%a : memref<f32>)
  // CHECK: ufp4.quantize_into ins(%{{.*}} : memref<64x32xbf16>) rows(%{{.*}} : memref<128xi32>) amax(%{{.*}} : memref<f32>) outs(
  ufp4.quantize_into ins(%x : memref<64x32xbf16>) rows(%rows : memref<128xi32>) amax(%a : memref<f32>)
    outs(%c, %s, %g : memref<2048xi8>, memref<256xi8>, memref<f32>)
    as [#ufp4.destination<!ufp4.tensor<128x32, #f, along = 1>, "natural">]
  return
}
