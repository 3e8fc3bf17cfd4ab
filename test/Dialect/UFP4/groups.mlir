// Groups are printed as they are parsed, in both forms, and one constant's groups are quantized alone.
//
// RUN: ufp4-opt %s | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --mlir-print-op-generic | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// CHECK-LABEL: func @rows
func.func @rows(%x: tensor<32x16xbf16>, %w: tensor<4x16x8xbf16>, %sizes: tensor<4xi32>, %seed: i64, %step: i32, %g: i64) -> tensor<32x8xf32> {
  // CHECK: ufp4.quantize %{{.*}} along 1 groups(%{{.*}} : tensor<4xi32>) : tensor<32x16xbf16> -> !ufp4.tensor<32x16, #{{.*}}, along = 1, groups = <4 rows>>
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<32x16xbf16> -> !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>
  // CHECK: ufp4.quantize %{{.*}} along 1 stochastic(%{{.*}}, %{{.*}}) from %{{.*}} {stream = 3 : i64} : tensor<4x16x8xbf16> -> !ufp4.tensor<4x16x8, #{{.*}}, along = 1, groups = <4 stacked>>
  %qw = ufp4.quantize %w along 1 stochastic(%seed, %step) from %g {stream = 3} : tensor<4x16x8xbf16> -> !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>>
  // CHECK: ufp4.matmul %{{.*}}, %{{.*}} groups(%{{.*}} : tensor<4xi32>) :
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<4xi32>) : !ufp4.tensor<32x16, #s, along = 1, groups = <4 rows>>, !ufp4.tensor<4x16x8, #s, along = 1, groups = <4 stacked>> -> tensor<32x8xf32>
  return %y : tensor<32x8xf32>
}

// CHECK-LABEL: func @contracted
func.func @contracted(%x: tensor<32x16xbf16>, %sizes: tensor<4xi32>, %c: tensor<4x16x16xf32>) -> tensor<4x16x16xf32> {
  // CHECK: ufp4.quantize %{{.*}} along 0 groups(%{{.*}} : tensor<4xi32>) : tensor<32x16xbf16> -> !ufp4.tensor<32x16, #{{.*}}, along = 0, groups = <4 contracted>>
  %q = ufp4.quantize %x along 0 groups(%sizes : tensor<4xi32>) : tensor<32x16xbf16> -> !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>>
  // Codes have room for 4 runs, each padded.
  // CHECK: ufp4.unpack %{{.*}} -> tensor<16x80xi8>, tensor<16x5xf32>
  %codes, %scales = ufp4.unpack %q : !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>> -> tensor<16x80xi8>, tensor<16x5xf32>
  // CHECK: ufp4.pack %{{.*}}, %{{.*}} : tensor<16x80xi8>, tensor<16x5xf32> ->
  %p = ufp4.pack %codes, %scales : tensor<16x80xi8>, tensor<16x5xf32> -> !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>>
  // CHECK: ufp4.matmul %{{.*}}, %{{.*}} groups(%{{.*}} : tensor<4xi32>) accumulate(%{{.*}} : tensor<4x16x16xf32>)
  %y = ufp4.matmul %q, %p groups(%sizes : tensor<4xi32>) accumulate(%c : tensor<4x16x16xf32>) : !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>>, !ufp4.tensor<32x16, #s, along = 0, groups = <4 contracted>> -> tensor<4x16x16xf32>
  return %y : tensor<4x16x16xf32>
}

// Two tokens in groups of one: each is a block of its own, and has the greatest code.
// FOLD-LABEL: func @fold
func.func @fold() -> !ufp4.tensor<2x1, #s, along = 0, groups = <2 contracted>> {
  %x = arith.constant dense<[[1.0], [-100.0]]> : tensor<2x1xf32>
  %sizes = arith.constant dense<1> : tensor<2xi32>
  // FOLD: ufp4.constant <codes = dense<{{\[\[}}7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 15, 0, {{.*}}> : tensor<1x32xi8>, scales = dense<{{\[\[}}0.142857149, 14.2857141]]> : tensor<1x2xf32>>
  %q = ufp4.quantize %x along 0 groups(%sizes : tensor<2xi32>) : tensor<2x1xf32> -> !ufp4.tensor<2x1, #s, along = 0, groups = <2 contracted>>
  return %q : !ufp4.tensor<2x1, #s, along = 0, groups = <2 contracted>>
}
