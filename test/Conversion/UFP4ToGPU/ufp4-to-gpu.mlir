// RUN: ufp4-opt %s --ufp4-to-gpu=target=sm_80 --canonicalize | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#r = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#n = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// Sizes are arguments: two sizes, one kernel. 129 x 100 of C is 2 x 1 tiles; Kp = 112 is two deep.
// CHECK-LABEL: func.func @sizes
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: gpu.launch_func @ufp4_kernels::@[[GEMM:[a-z0-9_]+]] blocks in (%[[ONE]], %[[TWO]], %[[ONE]])
// CHECK-SAME: args(%{{[^:]*}} : !llvm.ptr<1>, {{.*}} : i32)
// CHECK: gpu.launch_func @ufp4_kernels::@[[GEMM]] blocks in
func.func @sizes(%ac: memref<65536xi8>, %as: memref<8192xi8>, %bc: memref<32768xi8>,
                 %bs: memref<4096xi8>, %c: memref<129x100xf32>, %d: memref<100x100xf32>) {
  ufp4.block_gemm
    lhs(%ac, %as : memref<65536xi8>, memref<8192xi8>)
    as <!ufp4.tensor<129x100, #f, along = 1>, "tile_major_bf16">
    rhs(%bc, %bs : memref<32768xi8>, memref<4096xi8>)
    as <!ufp4.tensor<100x100, #f, along = 1>, "tile_major_bf16">
    via <post> outs(%c : memref<129x100xf32>)
  ufp4.block_gemm
    lhs(%bc, %bs : memref<32768xi8>, memref<4096xi8>)
    as <!ufp4.tensor<100x100, #f, along = 1>, "tile_major_bf16">
    rhs(%bc, %bs : memref<32768xi8>, memref<4096xi8>)
    as <!ufp4.tensor<100x100, #f, along = 1>, "tile_major_bf16">
    via <post> outs(%d : memref<100x100xf32>)
  return
}
// CHECK: gpu.module @ufp4_kernels
// CHECK: gpu.func @[[GEMM]]
// CHECK-NOT: gpu.func
