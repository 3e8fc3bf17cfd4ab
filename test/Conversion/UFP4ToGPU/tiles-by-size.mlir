// Where sizes are known they choose a block's tile, of schedules that read the same storage by the same
// instruction; a fallback has the same. Breaks when N = 128 leaves half of each tile empty, where M is
// unknown too, or unknown sizes are taken for small ones.
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_100a" --one-shot-bufferize=bufferize-function-boundaries \
// RUN:   --ufp4-to-gpu=target=sm_100a | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// CHECK-LABEL: func @narrow
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_b16_tcgen05_e0m3_ue4m3_128x128x256_
func.func @narrow(%x: tensor<8192x512xbf16>, %w: tensor<512x128xbf16>) -> tensor<8192x128xf32> {
  %a = ufp4.quantize %x along 1 : tensor<8192x512xbf16> -> !ufp4.tensor<8192x512, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<512x128xbf16> -> !ufp4.tensor<512x128, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<8192x512, #f, along = 1>, !ufp4.tensor<512x128, #f, along = 0> -> tensor<8192x128xf32>
  return %y : tensor<8192x128xf32>
}

// CHECK-LABEL: func @large
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_b16_tcgen05_e0m3_ue4m3_128x256x256_
func.func @large(%x: tensor<8192x512xbf16>, %w: tensor<512x8192xbf16>) -> tensor<8192x8192xf32> {
  %a = ufp4.quantize %x along 1 : tensor<8192x512xbf16> -> !ufp4.tensor<8192x512, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<512x8192xbf16> -> !ufp4.tensor<512x8192, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<8192x512, #f, along = 1>, !ufp4.tensor<512x8192, #f, along = 0> -> tensor<8192x8192xf32>
  return %y : tensor<8192x8192xf32>
}

// CHECK-LABEL: func @unknown
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_b16_tcgen05_e0m3_ue4m3_128x256x256_
func.func @unknown(%x: tensor<?x512xbf16>, %w: tensor<512x?xbf16>) -> tensor<?x?xf32> {
  %a = ufp4.quantize %x along 1 : tensor<?x512xbf16> -> !ufp4.tensor<?x512, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<512x?xbf16> -> !ufp4.tensor<512x?, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<?x512, #f, along = 1>, !ufp4.tensor<512x?, #f, along = 0> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: func @unknown_rows
// CHECK: gpu.launch_func @ufp4_kernels::@ufp4_gemm_b16_tcgen05_e0m3_ue4m3_128x128x256_
func.func @unknown_rows(%x: tensor<?x512xbf16>, %w: tensor<512x128xbf16>) -> tensor<?x128xf32> {
  %a = ufp4.quantize %x along 1 : tensor<?x512xbf16> -> !ufp4.tensor<?x512, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<512x128xbf16> -> !ufp4.tensor<512x128, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<?x512, #f, along = 1>, !ufp4.tensor<512x128, #f, along = 0> -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}

// CHECK-DAG: gpu.func @ufp4_gemm_b16_tcgen05_e0m3_ue4m3_128x128x256_
// CHECK-DAG: gpu.func @ufp4_gemm_b16_mma_m16n8k16_bf16_codes_words_128x128x256_
// CHECK-DAG: gpu.func @ufp4_gemm_b16_tcgen05_e0m3_ue4m3_128x256x256_
// CHECK-DAG: gpu.func @ufp4_gemm_b16_mma_m16n8k16_bf16_codes_words_128x256x256_
