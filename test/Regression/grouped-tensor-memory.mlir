// Where groups are left to another path, the remark named one that takes no groups either; asked for, such a
// path left them at the value level. Breaks if groups go to tensor memory, or where they go is not said.

// RUN: ufp4-opt %s --ufp4-materialize-storage=target=sm_100a 2>&1 | FileCheck %s --check-prefix=AUTO --implicit-check-not="when asked for"
// RUN: sed s/e1m2/e2m1/ %s | ufp4-opt --ufp4-materialize-storage=target=sm_100a 2>&1 | FileCheck %s --check-prefix=E2M1
// RUN: not ufp4-opt %s --ufp4-materialize-storage="target=sm_100a e1m2=container" 2>&1 | FileCheck %s --check-prefix=ASKED

// AUTO: remark: takes the fold path: schedule {{.*}}tcgen05_e2m3_ue8m0{{.*}} on sm_100a: kernels whose products are on tensor memory take no groups
// AUTO: ufp4.block_gemm
// AUTO-SAME: tile_major_folded
// E2M1: remark: takes the fold path: schedule {{.*}}tcgen05_e2m1_ue8m0{{.*}} take no groups
// ASKED: error: e1m2=container: schedule {{.*}} take no groups

#s = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>

func.func @rows(%x: tensor<4x64xbf16>, %w: tensor<2x64x8xbf16>, %n: tensor<2xi32>) -> tensor<4x8xf32> {
  %a = ufp4.quantize %x along 1 groups(%n : tensor<2xi32>) : tensor<4x64xbf16> -> !ufp4.tensor<4x64, #s, along = 1, groups = <2 rows>>
  %b = ufp4.quantize %w along 1 : tensor<2x64x8xbf16> -> !ufp4.tensor<2x64x8, #s, along = 1, groups = <2 stacked>>
  %y = ufp4.matmul %a, %b groups(%n : tensor<2xi32>) : !ufp4.tensor<4x64, #s, along = 1, groups = <2 rows>>, !ufp4.tensor<2x64x8, #s, along = 1, groups = <2 stacked>> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
