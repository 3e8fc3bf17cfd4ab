// RUN: ufp4-opt %s --ufp4-outline-matmuls | FileCheck %s

// The doctest of --ufp4-outline-matmuls: equal kinds share a function, without what was noted of one
// of them; the only one of its kind stays.

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>
!a = !ufp4.tensor<2x8x32, #fmt, along = 2>
!s = !ufp4.tensor<2x2x32, #fmt, along = 2>

// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[A:[^:]*]]: !ufp4.tensor<2x8x32{{.*}}, %[[B:[^:]*]]: !ufp4.tensor<2x8x32
// CHECK: call @[[F:ufp4_matmul_0]](%[[A]], %[[B]])
// CHECK: call @[[F]](%[[B]], %[[A]])
// CHECK: call @[[G:ufp4_matmul_0_0]](
// CHECK: call @[[G]](
// CHECK: ufp4.matmul {{.*}} batch = [1] x [0]
// CHECK: func.func private @[[F]](%[[X:.*]]: !ufp4.tensor<{{.*}}, %[[Y:.*]]: !ufp4.tensor<
// CHECK-NEXT: ufp4.matmul %[[X]], %[[Y]] batch = [0] x [0] :
// CHECK: func.func private @[[G]](
// CHECK-NEXT: ufp4.matmul {{.*}} accumulate(
func.func @f(%a: !a, %b: !a, %c: tensor<2x8x8xf32>, %s: !s)
    -> (tensor<2x8x8xf32>, tensor<2x8x8xf32>, tensor<2x2x2xf32>) {
  %0 = ufp4.matmul %a, %b batch = [0] x [0] {ufp4.gemm = {role = "fprop"}} : !a, !a -> tensor<2x8x8xf32>
  %1 = ufp4.matmul %b, %a batch = [0] x [0] : !a, !a -> tensor<2x8x8xf32>
  %2 = ufp4.matmul %a, %b batch = [0] x [0] accumulate(%0 : tensor<2x8x8xf32>) : !a, !a -> tensor<2x8x8xf32>
  %3 = ufp4.matmul %a, %a batch = [0] x [0] accumulate(%1 : tensor<2x8x8xf32>) : !a, !a -> tensor<2x8x8xf32>
  %4 = ufp4.matmul %s, %s batch = [1] x [0] : !s, !s -> tensor<2x2x2xf32>
  return %2, %3, %4 : tensor<2x8x8xf32>, tensor<2x8x8xf32>, tensor<2x2x2xf32>
}
