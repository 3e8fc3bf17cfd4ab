// How a quantize's input lies decides the kernel; strides are arguments, so slices need no copy.
// RUN: ufp4-opt %s --ufp4-to-gpu=target=sm_80 --canonicalize 2>&1 | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#m = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8, evaluation = mma>>

// Rows of a slice: the inner kernel, the second stride as it is.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.copy
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_quantize_bf16_inner_e1m2_f32_b16_natural_i8
// CHECK-SAME: %c96_i64 : i64)
func.func @rows(%x: memref<8x64xbf16, strided<[96, 1], offset: 32>>, %c: memref<256xi8>, %s: memref<128xi8>) {
  ufp4.quantize_into ins(%x : memref<8x64xbf16, strided<[96, 1], offset: 32>>)
    outs(%c, %s : memref<256xi8>, memref<128xi8>)
    as [#ufp4.destination<!ufp4.tensor<8x64, #f, along = 1>, "natural">]
  return
}

// An offset of one element leaves no wide load.
// CHECK-LABEL: func.func @offset
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_quantize_bf16_inner_e1m2_f32_b16_natural blocks
func.func @offset(%x: memref<8x64xbf16, strided<[96, 1], offset: 33>>, %c: memref<256xi8>, %s: memref<128xi8>) {
  ufp4.quantize_into ins(%x : memref<8x64xbf16, strided<[96, 1], offset: 33>>)
    outs(%c, %s : memref<256xi8>, memref<128xi8>)
    as [#ufp4.destination<!ufp4.tensor<8x64, #f, along = 1>, "natural">]
  return
}

// Rotations by a matrix unit.
// CHECK-LABEL: func.func @matrix
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_quantize_bf16_inner_e1m2_f32_b16_r16_mma_natural_i8
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_quantize_bf16_outer_e1m2_f32_b16_r16_mma_natural_i8
func.func @matrix(%x: memref<64x64xbf16>, %c: memref<2048xi8>, %s: memref<1024xi8>) {
  ufp4.quantize_into ins(%x : memref<64x64xbf16>)
    outs(%c, %s : memref<2048xi8>, memref<1024xi8>)
    as [#ufp4.destination<!ufp4.tensor<64x64, #m, along = 1>, "natural">]
  ufp4.quantize_into ins(%x : memref<64x64xbf16>)
    outs(%c, %s : memref<2048xi8>, memref<1024xi8>)
    as [#ufp4.destination<!ufp4.tensor<64x64, #m, along = 0>, "natural">]
  return
}

// Both directions of one value: one launch.
// CHECK-LABEL: func.func @both
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_quantize_bf16_inner_e1m2_f32_b16_natural_outer_e1m2_f32_b16_natural_i8
// CHECK-NOT: gpu.launch_func
func.func @both(%x: memref<16x64xbf16>, %c: memref<512xi8>, %s: memref<256xi8>, %d: memref<512xi8>, %t: memref<256xi8>) {
  ufp4.quantize_into ins(%x : memref<16x64xbf16>)
    outs(%c, %s, %d, %t : memref<512xi8>, memref<256xi8>, memref<512xi8>, memref<256xi8>)
    as [#ufp4.destination<!ufp4.tensor<16x64, #f, along = 1>, "natural">,
        #ufp4.destination<!ufp4.tensor<16x64, #f, along = 0>, "natural">]
  return
}

// K between two dimensions of R has no view: a copy, and a remark.
// CHECK-LABEL: func.func @middle
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<4x8x32xbf16>
// CHECK: linalg.transpose ins(%{{.*}} : memref<4x32x8xbf16>) outs(%[[COPY]] : memref<4x8x32xbf16>) permutation = [0, 2, 1]
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_quantize_bf16_inner_e1m2_f32_b16_natural_i8
// CHECK: memref.dealloc %[[COPY]]
func.func @middle(%x: memref<4x32x8xbf16>, %c: memref<512xi8>, %s: memref<256xi8>) {
  ufp4.quantize_into ins(%x : memref<4x32x8xbf16>)
    outs(%c, %s : memref<512xi8>, memref<256xi8>)
    as [#ufp4.destination<!ufp4.tensor<4x32x8, #f, along = 1>, "natural">]
  return
}

// Nothing to do is nothing to launch; what is not known to be nothing is guarded.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty(%x: memref<0x64xbf16>, %c: memref<0xi8>, %s: memref<0xi8>) {
  ufp4.quantize_into ins(%x : memref<0x64xbf16>) outs(%c, %s : memref<0xi8>, memref<0xi8>)
    as [#ufp4.destination<!ufp4.tensor<0x64, #f, along = 1>, "natural">]
  return
}

// CHECK-LABEL: func.func @dynamic
// CHECK: scf.if
// CHECK: gpu.launch_func
func.func @dynamic(%x: memref<?x64xbf16>, %c: memref<?xi8>, %s: memref<?xi8>) {
  ufp4.quantize_into ins(%x : memref<?x64xbf16>) outs(%c, %s : memref<?xi8>, memref<?xi8>)
    as [#ufp4.destination<!ufp4.tensor<?x64, #f, along = 1>, "natural">]
  return
}
