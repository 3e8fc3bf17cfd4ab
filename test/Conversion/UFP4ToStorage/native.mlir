// By itself, e1m2 with ue4m3 scales takes the undocumented instruction only beside a documented kernel
// that reads the same operands; where assembled kernels cannot be rewritten, the documented path alone.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_120a" 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH --implicit-check-not=remark
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_121a e1m2=native" | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_120a can-rewrite=false" 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not ufp4-opt %s --ufp4-materialize-storage="target=sm_120a e1m2=native can-rewrite=false" 2>&1 | FileCheck %s --check-prefix=ERROR

// WITHOUT: native.mlir:[[@LINE+15]]:8: remark: takes the {{post|fold}} path: the native path of sm_120a for e1m2 with ue4m3 scales per 16 is a rewrite of the assembled kernel, and there is no assembler: install CUDA 13, or name ptxas in UFP4_PTXAS
// WITHOUT: ufp4.block_gemm {{.*}} via <{{post|fold}}>
// WITHOUT-NOT: ufp4.fallback
// ERROR: native.mlir:[[@LINE+12]]:8: error: e1m2=native: the native path of sm_120a for e1m2 with ue4m3 scales per 16 is a rewrite of the assembled kernel, and there is no assembler

#f = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// CHECK-LABEL: func @gemm
// CHECK-COUNT-2: "tile_major_4bit"
// BOTH: ufp4.block_gemm {{.*}} "tile_major_4bit"{{.*}} via <native> {{.*}} {ufp4.fallback = #ufp4.path<fold>}
// ALONE: via <native>
// ALONE-NOT: ufp4.fallback
func.func @gemm(%x: tensor<40x96xf32>, %w: tensor<96x24xf32>) -> tensor<40x24xf32> {
  %a = ufp4.quantize %x along 1 : tensor<40x96xf32> -> !ufp4.tensor<40x96, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<96x24xf32> -> !ufp4.tensor<96x24, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<40x96, #f, along = 1>, !ufp4.tensor<96x24, #f, along = 0> -> tensor<40x24xf32>
  return %y : tensor<40x24xf32>
}
