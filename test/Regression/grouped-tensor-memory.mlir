// Groups were left to another path where products are on tensor memory, and the remark named one that took
// none either. Breaks if a path that is chosen or asked for does not take groups.

// RUN: ufp4-opt %s --ufp4-materialize-storage=target=sm_100a 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_100a e1m2=container" 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: sed s/e1m2/e2m1/ %s | ufp4-opt --ufp4-materialize-storage=target=sm_100a 2>&1 | FileCheck %s --check-prefix=E2M1 --implicit-check-not=remark

// CHECK: ufp4.block_gemm
// CHECK-SAME: tile_major_e2m3_packed
// E2M1: ufp4.block_gemm
// E2M1-SAME: tile_major_4bit_words

#s = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>

func.func @rows(%x: tensor<4x64xbf16>, %w: tensor<2x64x8xbf16>, %n: tensor<2xi32>) -> tensor<4x8xf32> {
  %a = ufp4.quantize %x along 1 groups(%n : tensor<2xi32>) : tensor<4x64xbf16> -> !ufp4.tensor<4x64, #s, along = 1, groups = <2 rows>>
  %b = ufp4.quantize %w along 1 : tensor<2x64x8xbf16> -> !ufp4.tensor<2x64x8, #s, along = 1, groups = <2 stacked>>
  %y = ufp4.matmul %a, %b groups(%n : tensor<2xi32>) : !ufp4.tensor<4x64, #s, along = 1, groups = <2 rows>>, !ufp4.tensor<2x64x8, #s, along = 1, groups = <2 stacked>> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
