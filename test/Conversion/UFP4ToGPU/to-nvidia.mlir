// The whole road: host code on memrefs that launches, and the kernels' binaries, printable as PTX.
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --ufp4-to-nvidia=chip=sm_80 2>&1 | FileCheck %s
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --ufp4-to-rocm=chip=gfx950 2>&1 | FileCheck %s --check-prefix=ROCM
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --ufp4-to-nvidia="chip=sm_80 ptxas=/none" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --ufp4-to-nvidia="chip=sm_120a e1m2=container fail-on-fallback" 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --ufp4-to-nvidia=chip=sm_120 2>&1 | FileCheck %s --check-prefix=CHIP

// CHECK-LABEL: func.func @step
// CHECK-COUNT-2: gpu.launch_func @ufp4_kernels::@ufp4_quantize_
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_b16_mma_m16n8k16_bf16_
// CHECK: gpu.binary @ufp4_kernels [
// CHECK-SAME: .target sm_80
// ROCM-LABEL: func.func @step
// ROCM-COUNT-2: gpu.launch_func @ufp4_kernels::@ufp4_quantize_
// ROCM: gpu.launch_func @ufp4_kernels::@ufp4_gemm_b16_mfma_32x32x16_fp8_
// ROCM: gpu.binary @ufp4_kernels [#gpu.object<#rocdl.target
// ROCM-SAME: .amdgcn_target
// NONE: error: {{.*}}/none
// PATH: error: {{.*}}e1m2=container: sm_120a has no container path for e1m2 with f32 scales per 16
// CHIP: unknown chip 'sm_120', did you mean sm_120a?

func.func @step(%x: tensor<32x64xbf16> {ufp4.name = "x"}, %w: tensor<64x48xbf16> {ufp4.name = "w"},
                %dy: tensor<32x48xbf16> {ufp4.name = "dy"}) -> (tensor<32x48xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<32x48xf32>
  %y0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<32x48xf32>) -> tensor<32x48xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%y0 : tensor<32x48xf32>) -> tensor<32x48xf32>
  %e1 = tensor.empty() : tensor<64x32xbf16>
  %xt = linalg.transpose ins(%x : tensor<32x64xbf16>) outs(%e1 : tensor<64x32xbf16>) permutation = [1, 0]
  %e2 = tensor.empty() : tensor<64x48xf32>
  %g0 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x48xf32>) -> tensor<64x48xf32>
  %g = linalg.matmul ins(%xt, %dy : tensor<64x32xbf16>, tensor<32x48xbf16>) outs(%g0 : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %y, %g : tensor<32x48xf32>, tensor<64x48xf32>
}
