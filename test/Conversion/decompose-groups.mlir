// Groups become loops over their rows alone; what is known to be wrong is an error.
//
// RUN: ufp4-opt %s --ufp4-decompose-groups | FileCheck %s
// RUN: ufp4-opt %s --ufp4-decompose-groups=report=true | FileCheck %s --check-prefix=REPORT
// RUN: ufp4-opt %S/Inputs/group-sizes.mlir --ufp4-decompose-groups -split-input-file -verify-diagnostics

// REPORT: func.func private @ufp4ReportGroups(i64, i64, i64)

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
#n = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// One quantize for all rows: nothing in it knows of groups.
// CHECK-LABEL: func @nearest_rows
// REPORT-LABEL: func @nearest_rows
func.func @nearest_rows(%x: tensor<40x16xf32>, %sizes: tensor<4xi32>) -> !ufp4.tensor<40x16, #s, along = 1, groups = <4 rows>> {
  // CHECK: ufp4.quantize %{{.*}} along 1 : tensor<40x16xf32> -> !ufp4.tensor<40x16, #{{[a-z0-9]*}}, along = 1>
  // CHECK: scf.for
  // CHECK-NOT: ufp4.quantize
  // CHECK: ufp4.pack
  // REPORT: scf.if
  // REPORT-NEXT: arith.extui
  // REPORT-NEXT: call @ufp4ReportGroups
  %q = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<40x16xf32> -> !ufp4.tensor<40x16, #s, along = 1, groups = <4 rows>>
  return %q : !ufp4.tensor<40x16, #s, along = 1, groups = <4 rows>>
}

// S is each group's own: so is its quantize, of its rows.
// CHECK-LABEL: func @rows_with_scales
func.func @rows_with_scales(%x: tensor<40x16xf32>, %sizes: tensor<4xi32>) -> !ufp4.tensor<40x16, #n, along = 1, groups = <4 rows>> {
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK: ufp4.quantize %{{.*}} along 1 : tensor<?x16xf32> -> !ufp4.tensor<?x16, #{{[a-z0-9]*}}, along = 1>
  %q = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<40x16xf32> -> !ufp4.tensor<40x16, #n, along = 1, groups = <4 rows>>
  return %q : !ufp4.tensor<40x16, #n, along = 1, groups = <4 rows>>
}

// A word's index is counted in the group's own K.
// CHECK-LABEL: func @drawn
func.func @drawn(%x: tensor<40x16xf32>, %sizes: tensor<4xi32>, %seed: i64, %step: i32) -> !ufp4.tensor<40x16, #s, along = 0, groups = <4 contracted>> {
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: ufp4.fold_in
  // CHECK: ufp4.quantize %{{.*}} along 0 stochastic(%{{.*}}, %{{.*}}) at {{\[\[}}], [%{{.*}}]] of {{\[\[}}], [%{{.*}}]] part {{\[\[}}], [16]] {stream = 1 : i64} : tensor<16x16xf32>
  %q = ufp4.quantize %x along 0 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) {stream = 1} : tensor<40x16xf32> -> !ufp4.tensor<40x16, #s, along = 0, groups = <4 contracted>>
  return %q : !ufp4.tensor<40x16, #s, along = 0, groups = <4 contracted>>
}

// One weight for each group that has rows; sums go on in the result.
// CHECK-LABEL: func @product
func.func @product(%x: !ufp4.tensor<40x16, #s, along = 1, groups = <4 rows>>, %w: !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>, %sizes: tensor<4xi32>) -> tensor<40x8xf32> {
  // CHECK: scf.for
  // CHECK: scf.if
  // CHECK: ufp4.matmul %{{.*}}, %{{.*}} : !ufp4.tensor<?x16, #{{[a-z0-9]*}}, along = 1>, !ufp4.tensor<8x16, #{{[a-z0-9]*}}, along = 1> -> tensor<?x8xf32>
  // CHECK: tensor.insert_slice
  %y = ufp4.matmul %x, %w groups(%sizes : tensor<4xi32>) : !ufp4.tensor<40x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>> -> tensor<40x8xf32>
  return %y : tensor<40x8xf32>
}

// Many rows at once, then runs.
// CHECK-LABEL: func @gradient
func.func @gradient(%x: !ufp4.tensor<300x16, #s, along = 0, groups = <4 contracted>>, %sizes: tensor<4xi32>) -> tensor<4x16x16xf32> {
  // CHECK: ufp4.matmul %{{.*}} accumulate(%{{.*}} : tensor<16x16xf32>) : !ufp4.tensor<16x128, #{{[a-z0-9]*}}, along = 1>
  // CHECK: ufp4.matmul %{{.*}} accumulate(%{{.*}} : tensor<16x16xf32>) : !ufp4.tensor<16x16, #{{[a-z0-9]*}}, along = 1>
  %y = ufp4.matmul %x, %x groups(%sizes : tensor<4xi32>) : !ufp4.tensor<300x16, #s, along = 0, groups = <4 contracted>>, !ufp4.tensor<300x16, #s, along = 0, groups = <4 contracted>> -> tensor<4x16x16xf32>
  return %y : tensor<4x16x16xf32>
}
