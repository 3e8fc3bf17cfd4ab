// Groups cross over to the storage level: one table for each way in which sizes divide an extent, an
// S of each group, a product for each. What has no kernel says why.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_80" -split-input-file -verify-diagnostics | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
!x = !ufp4.tensor<300x80, #f, along = 1, groups = <4 rows>>
!w = !ufp4.tensor<4x80x72, #f, along = 1, groups = <4 stacked>>
!xt = !ufp4.tensor<300x80, #f, along = 0, groups = <4 contracted>>
!dyt = !ufp4.tensor<300x72, #f, along = 0, groups = <4 contracted>>

// Rows take 3 + 4 tiles of 128, K takes 5 + 4 of 64; a record for each, and for each group.
// CHECK-LABEL: func @layer
// CHECK-DAG: %[[ROWS:.*]] = ufp4.group_table_into ins(%[[SIZES:.*]] : tensor<4xi32>) of %{{.*}} by 128 outs(%{{.*}} : tensor<11x4xi32>)
// CHECK-DAG: %[[K:.*]] = ufp4.group_table_into ins(%[[SIZES]] : tensor<4xi32>) of %{{.*}} by 64 outs(%{{.*}} : tensor<13x4xi32>)
// CHECK-NOT: group_table_into
// CHECK: ufp4.quantize_into {{.*}} groups(%[[ROWS]] : tensor<11x4xi32>) outs(%{{.*}}, %{{.*}} : tensor<229376xi8>, tensor<28672xi8>)
// CHECK: ufp4.block_gemm {{.*}} groups(%[[ROWS]] : tensor<11x4xi32>) outs(%{{.*}} : tensor<300x72xf32>)
// CHECK: ufp4.quantize_into {{.*}} seed(%{{.*}}) {{.*}} groups(%[[K]] : tensor<13x4xi32>) from %{{.*}} outs(%{{.*}}, %{{.*}} : tensor<147456xi8>, tensor<18432xi8>)
// CHECK: ufp4.block_gemm {{.*}} groups(%[[K]] : tensor<13x4xi32>) outs(%{{.*}} : tensor<4x80x72xf32>) accumulate
func.func @layer(%x: tensor<300x80xbf16>, %w: tensor<4x80x72xbf16>, %dy: tensor<300x72xbf16>, %sizes: tensor<4xi32>,
                 %sum: tensor<4x80x72xf32>, %seed: i64, %step: i32, %first: i64) -> (tensor<300x72xf32>, tensor<4x80x72xf32>) {
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<300x80xbf16> -> !x
  %qw = ufp4.quantize %w along 1 : tensor<4x80x72xbf16> -> !w
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<4xi32>) : !x, !w -> tensor<300x72xf32>
  %qxt = ufp4.quantize %x along 0 groups(%sizes : tensor<4xi32>) : tensor<300x80xbf16> -> !xt
  %qdyt = ufp4.quantize %dy along 0 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) from %first {stream = 5} : tensor<300x72xbf16> -> !dyt
  %dw = ufp4.matmul %qxt, %qdyt groups(%sizes : tensor<4xi32>) accumulate(%sum : tensor<4x80x72xf32>) : !xt, !dyt -> tensor<4x80x72xf32>
  return %y, %dw : tensor<300x72xf32>, tensor<4x80x72xf32>
}

// -----

// CHECK-LABEL: func @scales
// CHECK: %[[A:.*]] = ufp4.amax_into ins(%{{.*}}) along 1 of {{.*}} in <4 rows> table(%{{.*}} : tensor<11x4xi32>) by 128 outs(%{{.*}} : tensor<4xf32>)
// CHECK: ufp4.quantize_into {{.*}} amax(%[[A]] : tensor<4xf32>) groups
// CHECK: ufp4.amax_into ins(%{{.*}}) along 1 of {{.*}} in <4 stacked> outs(%{{.*}} : tensor<4xf32>)
#n = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
!x = !ufp4.tensor<300x80, #n, along = 1, groups = <4 rows>>
!w = !ufp4.tensor<4x80x72, #n, along = 1, groups = <4 stacked>>
func.func @scales(%x: tensor<300x80xbf16>, %w: tensor<4x80x72xbf16>, %sizes: tensor<4xi32>) -> tensor<300x72xf32> {
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<300x80xbf16> -> !x
  %qw = ufp4.quantize %w along 1 : tensor<4x80x72xbf16> -> !w
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<4xi32>) : !x, !w -> tensor<300x72xf32>
  return %y : tensor<300x72xf32>
}

// -----

// Extents at run time.
// CHECK-LABEL: func @dynamic
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[R:.*]], %c128
// CHECK: %[[RECORDS:.*]] = arith.addi %[[TILES]], %c8
// CHECK: %[[E:.*]] = tensor.empty(%[[RECORDS]]) : tensor<?x4xi32>
// CHECK: ufp4.group_table_into ins(%{{.*}} : tensor<4xi32>) of %[[R]] by 128 outs(%[[E]] : tensor<?x4xi32>)
#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
!x = !ufp4.tensor<?x80, #f, along = 1, groups = <4 rows>>
!w = !ufp4.tensor<4x80x72, #f, along = 1, groups = <4 stacked>>
func.func @dynamic(%x: tensor<?x80xbf16>, %w: tensor<4x80x72xbf16>, %sizes: tensor<4xi32>) -> tensor<?x72xf32> {
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<?x80xbf16> -> !x
  %qw = ufp4.quantize %w along 1 : tensor<4x80x72xbf16> -> !w
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<4xi32>) : !x, !w -> tensor<?x72xf32>
  return %y : tensor<?x72xf32>
}

// -----

#r = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 128, signs = 0xD7E8>>
!u = !ufp4.tensor<300x80, #r, along = 0, groups = <4 contracted>>
func.func @long_runs(%u: tensor<300x80xbf16>, %sizes: tensor<4xi32>) -> tensor<4x80x80xf32> {
  %q = ufp4.quantize %u along 0 groups(%sizes : tensor<4xi32>) : tensor<300x80xbf16> -> !u
  // expected-remark @below {{left at the value level: groups of K begin at tiles, 64 deep in storage tile_major_bf16, and a run of 128 is longer}}
  %dw = ufp4.matmul %q, %q groups(%sizes : tensor<4xi32>) : !u, !u -> tensor<4x80x80xf32>
  return %dw : tensor<4x80x80xf32>
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
!x = !ufp4.tensor<300x80, #f, along = 1, groups = <4 rows>>
!w = !ufp4.tensor<4x80x72, #f, along = 1, groups = <4 stacked>>
func.func private @use(%w: !w, %x: tensor<300x80xbf16>, %sizes: tensor<4xi32>) -> tensor<300x72xf32> {
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<300x80xbf16> -> !x
  // expected-remark @below {{left at the value level: the rhs is in groups, and crosses functions or loops as a value}}
  %y = ufp4.matmul %qx, %w groups(%sizes : tensor<4xi32>) : !x, !w -> tensor<300x72xf32>
  return %y : tensor<300x72xf32>
}
