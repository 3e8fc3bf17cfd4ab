// Operands made elsewhere lie in rows, in natural storage, and are read there.
// RUN: ufp4-opt %s --split-input-file --ufp4-to-gpu=target=sm_120a --canonicalize | FileCheck %s

#n = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>
#r = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>

// Kp is an argument, and what it is a multiple of is the kernel's: one for 320 and 64, another for
// 512. Rows of 2-D blocks share their scales.
// CHECK-LABEL: func.func @rows
// CHECK-DAG: %[[DEPTH:.*]] = arith.constant 320 : i32
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_{{[a-z0-9_]*}}_tensor_rows_k64 blocks in
// CHECK-SAME: %[[DEPTH]] : i32
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_{{[a-z0-9_]*}}_tensor_rows_k256_rows1x16 blocks in
// CHECK: gpu.func @{{.*}}_tensor_rows_k64(
// CHECK: gpu.func @{{.*}}_tensor_rows_k256_rows1x16(
func.func @rows(%ac: memref<20640xi8>, %as: memref<2580xi8>, %ag: memref<f32>,
                %bc: memref<16000xi8>, %bs: memref<2000xi8>, %bg: memref<f32>,
                %c: memref<129x100xf32>,
                %dc: memref<33024xi8>, %ds: memref<4128xi8>,
                %ec: memref<25600xi8>, %es: memref<224xi8>) {
  ufp4.block_gemm
    lhs(%ac, %as, %ag : memref<20640xi8>, memref<2580xi8>, memref<f32>)
    as <!ufp4.tensor<129x320, #n, along = 1>, "natural">
    rhs(%bc, %bs, %bg : memref<16000xi8>, memref<2000xi8>, memref<f32>)
    as <!ufp4.tensor<100x320, #n, along = 1>, "natural">
    via <native> outs(%c : memref<129x100xf32>)
  ufp4.block_gemm
    lhs(%dc, %ds, %ag : memref<33024xi8>, memref<4128xi8>, memref<f32>)
    as <!ufp4.tensor<129x512, #n, along = 1>, "natural">
    rhs(%ec, %es, %bg : memref<25600xi8>, memref<224xi8>, memref<f32>)
    as <!ufp4.tensor<100x512, #r, along = 1>, "natural">
    via <native> outs(%c : memref<129x100xf32>)
  return
}

// -----

#n = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>

// Rows of 40 bytes are no tensor's.
// CHECK-LABEL: func.func @shallow
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_{{[a-z0-9_]*}}_cp_async_rows_k16 blocks in
func.func @shallow(%ac: memref<1280xi8>, %as: memref<160xi8>, %g: memref<f32>,
                   %c: memref<32x32xf32>) {
  ufp4.block_gemm
    lhs(%ac, %as, %g : memref<1280xi8>, memref<160xi8>, memref<f32>)
    as <!ufp4.tensor<32x80, #n, along = 1>, "natural">
    rhs(%ac, %as, %g : memref<1280xi8>, memref<160xi8>, memref<f32>)
    as <!ufp4.tensor<32x80, #n, along = 1>, "natural">
    via <native> outs(%c : memref<32x32xf32>)
  return
}
