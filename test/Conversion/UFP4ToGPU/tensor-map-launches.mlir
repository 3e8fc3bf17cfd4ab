// Compiled host code passes addresses alone, so it launches no kernel that takes tensor maps.
// RUN: not ufp4-opt %s --ufp4-to-gpu=target=sm_120a --ufp4-emit-binaries=target=sm_120a 2>&1 | FileCheck %s

#n = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>

// CHECK: error: 'gpu.launch_func' op is of a kernel that takes a tensor map as argument 0, which only the launcher makes: compile by ufp4-compile, or quantize into a storage of tiles
func.func @rows(%ac: memref<20640xi8>, %as: memref<2580xi8>, %g: memref<f32>, %c: memref<129x129xf32>) {
  ufp4.block_gemm
    lhs(%ac, %as, %g : memref<20640xi8>, memref<2580xi8>, memref<f32>)
    as <!ufp4.tensor<129x320, #n, along = 1>, "natural">
    rhs(%ac, %as, %g : memref<20640xi8>, memref<2580xi8>, memref<f32>)
    as <!ufp4.tensor<129x320, #n, along = 1>, "natural">
    via <native> outs(%c : memref<129x129xf32>)
  return
}
