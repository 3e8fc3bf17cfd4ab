// RUN: ufp4-opt %s --ufp4-to-linalg | FileCheck %s
// RUN: ufp4-opt %s --ufp4-to-vector=lanes=16 | FileCheck %s --check-prefix=VECTOR

// The example of the passes' documentation.

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>

// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf32>) -> (tensor<4x16xi8>, tensor<4x1xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: arith.maxui
// CHECK: linalg.generic
// CHECK: arith.divf
// CHECK: linalg.generic
// CHECK: arith.trunci {{.*}} : i32 to i8
// CHECK: return %{{.*}}, %{{.*}} : tensor<4x16xi8>, tensor<4x1xf32>

// VECTOR-LABEL: func.func @f
// VECTOR-SAME: (%[[X:.*]]: tensor<4x16xf32>) -> (tensor<4x16xi8>, tensor<4x1xf32>)
// VECTOR: scf.for
// VECTOR: scf.for
// VECTOR: vector.transfer_read %[[X]]
// VECTOR: vector.transfer_write {{.*}} : vector<1xf32>, tensor<4x1xf32>
// VECTOR: vector.transfer_write {{.*}} : vector<16xi8>, tensor<4x16xi8>
// VECTOR-NOT: linalg.
func.func @f(%x: tensor<4x16xf32>) -> !ufp4.tensor<4x16, #fmt, along = 1> {
  %q = ufp4.quantize %x along 1 : tensor<4x16xf32> -> !ufp4.tensor<4x16, #fmt, along = 1>
  return %q : !ufp4.tensor<4x16, #fmt, along = 1>
}
