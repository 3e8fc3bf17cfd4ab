// Every operation, type and attribute survives printing and parsing, in custom form, in generic
// form and as bytecode.
// Breaks if a printer and its parser disagree, or if a default is printed or a value is not.
//
// RUN: ufp4-opt %s | FileCheck %s
// RUN: ufp4-opt %s | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --mlir-print-op-generic | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --emit-bytecode | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

#plain = #ufp4.scheme<e1m2, block = 16, scale = f32>
#rotated = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#nv = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>
#weights = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>
#mx = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, rule = ocp_floor>
#long = #ufp4.scheme<e1m2, block = 32, scale = ue8m0,
                     rotation = <size = 128, signs = 0xFFFFFFFFFFFFFFFF0123456789ABCDEF>>
#unit = #ufp4.scheme<e1m2, block = 16, scale = f32,
                     rotation = <size = 32, signs = 0xD7E8D7E8, evaluation = mma>>

// CHECK-LABEL: module attributes
// CHECK-SAME: test.mask = #ufp4.rotation<size = 64, signs = 0x8000000000000001>
// CHECK-SAME{LITERAL}: test.place = #ufp4.place<at [[], [?, 1], [0]] of [[], [4, 2], [64]] part [[], [2, 1], [64]]>
// CHECK-SAME: test.zero = #ufp4.rotation<size = 16, signs = 0x0>
module attributes {
  test.mask = #ufp4.rotation<size = 64, signs = 0x8000000000000001>,
  test.place = #ufp4.place<at [[], [?, 1], [0]] of [[], [4, 2], [64]] part [[], [2, 1], [64]]>,
  test.zero = #ufp4.rotation<size = 16, signs = 0, evaluation = butterfly>
} {

// CHECK-LABEL: func.func private @types
// CHECK-SAME: !ufp4.tensor<256x512, #[[PLAIN:scheme[0-9]*]], along = 1>
// CHECK-SAME: !ufp4.tensor<?x512x?, #[[ROTATED:scheme[0-9]*]], along = 1>
// CHECK-SAME: !ufp4.tensor<32, #{{[a-z0-9]+}}, along = 0>
// CHECK-SAME: !ufp4.tensor<0x0, #{{[a-z0-9]+}}, along = 0>
func.func private @types(!ufp4.tensor<256x512, #plain, along = 1>,
                         !ufp4.tensor<?x512x?, #rotated, along = 1>,
                         !ufp4.tensor<32, #mx, along = 0>,
                         !ufp4.tensor<0x0, #long, along = 0>,
                         !ufp4.tensor<8x32x16, #weights, along = 2>,
                         !ufp4.tensor<4x32, #unit, along = 1>)

// The nearest form carries neither stream nor bits.
// CHECK-LABEL: func.func @quantize
// CHECK: ufp4.quantize %{{.*}} along 1 : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #{{[a-z0-9]+}}, along = 1>
// CHECK: ufp4.quantize %{{.*}} along 0 : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #{{[a-z0-9]+}}, along = 0>
// CHECK: ufp4.quantize %{{.*}} along 1 : tensor<?x32xf16> -> !ufp4.tensor<?x32, #{{[a-z0-9]+}}, along = 1>
// GENERIC-LABEL: sym_name = "quantize"
// GENERIC: "ufp4.quantize"(%{{.*}}) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0>}>
func.func @quantize(%x: tensor<4x32xbf16>, %y: tensor<?x32xf16>)
    -> (!ufp4.tensor<4x32, #unit, along = 1>, !ufp4.tensor<4x32, #plain, along = 0>,
        !ufp4.tensor<?x32, #mx, along = 1>) {
  %0 = ufp4.quantize %x along 1 : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #unit, along = 1>
  %1 = ufp4.quantize %x along 0 : tensor<4x32xbf16> -> !ufp4.tensor<4x32, #plain, along = 0>
  %2 = ufp4.quantize %y along 1 : tensor<?x32xf16> -> !ufp4.tensor<?x32, #mx, along = 1>
  return %0, %1, %2 : !ufp4.tensor<4x32, #unit, along = 1>, !ufp4.tensor<4x32, #plain, along = 0>,
                      !ufp4.tensor<?x32, #mx, along = 1>
}

// CHECK-LABEL: func.func @stochastic
// CHECK: along 1 stochastic(%{{.*}}, %{{.*}}) {stream = 4294967295 : i64} : tensor<4x32xf32>
// CHECK: along 1 stochastic(%{{.*}}, %{{.*}}) {bits = 8 : i64, stream = 0 : i64}
func.func @stochastic(%x: tensor<4x32xf32>, %seed: i64, %step: i32)
    -> (!ufp4.tensor<4x32, #plain, along = 1>, !ufp4.tensor<4x32, #plain, along = 1>) {
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 4294967295}
         : tensor<4x32xf32> -> !ufp4.tensor<4x32, #plain, along = 1>
  %1 = ufp4.quantize %x along 1 stochastic(%seed, %step) {bits = 8, stream = 0}
         : tensor<4x32xf32> -> !ufp4.tensor<4x32, #plain, along = 1>
  return %0, %1 : !ufp4.tensor<4x32, #plain, along = 1>, !ufp4.tensor<4x32, #plain, along = 1>
}

// Constant and computed offsets mix; amax comes first, then the draw, then the place.
// CHECK-LABEL: func.func @part
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<4x32xf32>, %[[A:[a-z0-9]*]]: f32, %[[SEED:[a-z0-9]*]]: i64, %[[STEP:[a-z0-9]*]]: i32, %[[O:[a-z0-9]*]]: i64, %[[P:[a-z0-9]*]]: i64
// CHECK: ufp4.quantize %[[X]] along 1 amax(%[[A]]) stochastic(%[[SEED]], %[[STEP]])
// CHECK-SAME: at {{\[}}[%[[O]], 1], [%[[P]]]] of {{\[}}[8, 2], [64]] part {{\[}}[4, 1], [32]] {stream = 3 : i64}
// CHECK: ufp4.quantize %[[X]] along 1
// CHECK-SAME{LITERAL}: at [[], [32]] of [[], [64]] part [[], [32]] : tensor
func.func @part(%x: tensor<4x32xf32>, %a: f32, %seed: i64, %step: i32, %o: i64, %p: i64)
    -> (!ufp4.tensor<4x32, #nv, along = 1>, !ufp4.tensor<4x32, #plain, along = 1>) {
  %0 = ufp4.quantize %x along 1 amax(%a) stochastic(%seed, %step)
         at [[%o, 1], [%p]] of [[8, 2], [64]] part [[4, 1], [32]] {stream = 3}
         : tensor<4x32xf32> -> !ufp4.tensor<4x32, #nv, along = 1>
  %1 = ufp4.quantize %x along 1 at [[], [32]] of [[], [64]] part [[], [32]]
         : tensor<4x32xf32> -> !ufp4.tensor<4x32, #plain, along = 1>
  return %0, %1 : !ufp4.tensor<4x32, #nv, along = 1>, !ufp4.tensor<4x32, #plain, along = 1>
}

// CHECK-LABEL: func.func @dequantize
// CHECK: ufp4.dequantize %{{.*}} : !ufp4.tensor<?x512x?, #[[ROTATED]], along = 1> -> tensor<?x512x?xbf16>
func.func @dequantize(%q: !ufp4.tensor<?x512x?, #rotated, along = 1>) -> tensor<?x512x?xbf16> {
  %0 = ufp4.dequantize %q : !ufp4.tensor<?x512x?, #rotated, along = 1> -> tensor<?x512x?xbf16>
  return %0 : tensor<?x512x?xbf16>
}

// A constant's parts are padded: 20 codes of K are 32 stored ones, two scales.
// CHECK-LABEL: func.func @constant
// CHECK: ufp4.constant <codes = dense<7> : tensor<1x32xi8>, scales = dense<1.000000e+00> : tensor<1x2xf32>> : !ufp4.tensor<1x20, #[[PLAIN]], along = 1>
// CHECK: ufp4.constant <codes = dense<15> : tensor<1x16xi8>, scales = dense<56> : tensor<1x1xi8>, global = 2.000000e+00 : f32>
// CHECK: ufp4.constant <codes = dense<0> : tensor<17x16xi8>, scales = dense<0> : tensor<2x1xi8>, global = 1.000000e+00 : f32>
func.func @constant() -> (!ufp4.tensor<1x20, #plain, along = 1>, !ufp4.tensor<1x16, #nv, along = 1>,
                          !ufp4.tensor<16x17, #weights, along = 0>) {
  %0 = ufp4.constant <codes = dense<7> : tensor<1x32xi8>, scales = dense<1.0> : tensor<1x2xf32>>
         : !ufp4.tensor<1x20, #plain, along = 1>
  %1 = ufp4.constant <codes = dense<15> : tensor<1x16xi8>, scales = dense<56> : tensor<1x1xi8>,
                      global = 2.0 : f32> : !ufp4.tensor<1x16, #nv, along = 1>
  %2 = ufp4.constant <codes = dense<0> : tensor<17x16xi8>, scales = dense<0> : tensor<2x1xi8>,
                      global = 1.0 : f32> : !ufp4.tensor<16x17, #weights, along = 0>
  return %0, %1, %2 : !ufp4.tensor<1x20, #plain, along = 1>, !ufp4.tensor<1x16, #nv, along = 1>,
                      !ufp4.tensor<16x17, #weights, along = 0>
}

// CHECK-LABEL: func.func @unpack
// CHECK: %{{.*}}:2 = ufp4.unpack %{{.*}} : !ufp4.tensor<32x4x3, #{{[a-z0-9]+}}, along = 0> -> tensor<4x3x32xi8>, tensor<4x3x1xi8>
// CHECK: %{{.*}}:3 = ufp4.unpack %{{.*}} : !ufp4.tensor<?x17x16, #{{[a-z0-9]+}}, along = 2> -> tensor<?x17x16xi8>, tensor<?x2x1xi8>, tensor<f32>
func.func @unpack(%q: !ufp4.tensor<32x4x3, #mx, along = 0>,
                  %w: !ufp4.tensor<?x17x16, #weights, along = 2>)
    -> (tensor<4x3x32xi8>, tensor<4x3x1xi8>, tensor<?x17x16xi8>) {
  %0, %1 = ufp4.unpack %q
    : !ufp4.tensor<32x4x3, #mx, along = 0> -> tensor<4x3x32xi8>, tensor<4x3x1xi8>
  %2, %3, %4 = ufp4.unpack %w
    : !ufp4.tensor<?x17x16, #weights, along = 2>
      -> tensor<?x17x16xi8>, tensor<?x2x1xi8>, tensor<f32>
  return %0, %1, %2 : tensor<4x3x32xi8>, tensor<4x3x1xi8>, tensor<?x17x16xi8>
}

// CHECK-LABEL: func.func @rotate
// CHECK: ufp4.rotate %{{.*}} along 1 by <size = 16, signs = 0xD7E8> : tensor<4x20xbf16> -> tensor<4x32xf32>
// CHECK: ufp4.rotate %{{.*}} along 1 by <size = 32, signs = 0x1, evaluation = mma> : tensor<4x20xbf16> -> tensor<4x32xf32>
// GENERIC-LABEL: sym_name = "rotate"
// GENERIC: "ufp4.rotate"(%{{.*}}) <{along = 1 : i64, rotation = #ufp4.rotation<size = 16, signs = 0xD7E8>}>
func.func @rotate(%x: tensor<4x20xbf16>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  %0 = ufp4.rotate %x along 1 by <size = 16, signs = 0xD7E8> : tensor<4x20xbf16> -> tensor<4x32xf32>
  %1 = ufp4.rotate %x along 1 by <size = 32, signs = 1, evaluation = mma>
         : tensor<4x20xbf16> -> tensor<4x32xf32>
  return %0, %1 : tensor<4x32xf32>, tensor<4x32xf32>
}

// CHECK-LABEL: func.func @amax
// CHECK: ufp4.amax %{{.*}} along 0 of #{{[a-z0-9]+}} : tensor<256x?xf16>
func.func @amax(%x: tensor<256x?xf16>) -> f32 {
  %0 = ufp4.amax %x along 0 of #nv : tensor<256x?xf16>
  return %0 : f32
}

// CHECK-LABEL: func.func @fold_in
// CHECK: ufp4.fold_in %{{.*}}, %{{.*}}{{$}}
func.func @fold_in(%seed: i64, %trip: i64) -> i64 {
  %0 = ufp4.fold_in %seed, %trip
  return %0 : i64
}

// A transpose is a view: each operand says along what it is contracted. An empty batch is not
// printed.
// CHECK-LABEL: func.func @matmul
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} : !ufp4.tensor<4x32, #[[ROTATED]], along = 1>, !ufp4.tensor<32x8, #[[ROTATED]], along = 0> -> tensor<4x8xf32>
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} {test.note} : {{.*}} -> tensor<4x8xbf16>
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} accumulate(%{{.*}} : tensor<4x8xf32>) : {{.*}} -> tensor<4x8xf16>
// GENERIC-LABEL: sym_name = "matmul"
// GENERIC: "ufp4.matmul"(%{{.*}}, %{{.*}}) <{lhs_batch = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, rhs_batch = array<i64>}>
func.func @matmul(%a: !ufp4.tensor<4x32, #rotated, along = 1>,
                  %b: !ufp4.tensor<32x8, #rotated, along = 0>, %c: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf16>) {
  %0 = ufp4.matmul %a, %b : !ufp4.tensor<4x32, #rotated, along = 1>,
                            !ufp4.tensor<32x8, #rotated, along = 0> -> tensor<4x8xf32>
  %1 = ufp4.matmul %a, %b batch = [] x [] {test.note}
         : !ufp4.tensor<4x32, #rotated, along = 1>, !ufp4.tensor<32x8, #rotated, along = 0>
         -> tensor<4x8xbf16>
  %2 = ufp4.matmul %a, %b accumulate(%c : tensor<4x8xf32>)
         : !ufp4.tensor<4x32, #rotated, along = 1>, !ufp4.tensor<32x8, #rotated, along = 0>
         -> tensor<4x8xf16>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf16>
}

// Rules of scales and blocks in rows may differ between the operands (G1).
// CHECK-LABEL: func.func @batch
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} batch = [1, 0] x [0, 2] accumulate(%{{.*}} : tensor<3x?x4x5xf32>)
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} : {{.*}} -> tensor<f32>
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} : {{.*}} -> tensor<0x8xf32>
func.func @batch(%a: !ufp4.tensor<?x3x4x16, #plain, along = 3>,
                 %b: !ufp4.tensor<3x16x2x5, #plain, along = 1>, %c: tensor<3x?x4x5xf32>,
                 %v: !ufp4.tensor<32, #long, along = 0>, %e: !ufp4.tensor<0x16, #nv, along = 1>,
                 %w: !ufp4.tensor<8x16, #weights, along = 1>)
    -> (tensor<3x?x4x5xf32>, tensor<f32>, tensor<0x8xf32>) {
  %0 = ufp4.matmul %a, %b batch = [1, 0] x [0, 2] accumulate(%c : tensor<3x?x4x5xf32>)
         : !ufp4.tensor<?x3x4x16, #plain, along = 3>, !ufp4.tensor<3x16x2x5, #plain, along = 1>
         -> tensor<3x?x4x5xf32>
  %1 = ufp4.matmul %v, %v : !ufp4.tensor<32, #long, along = 0>,
                            !ufp4.tensor<32, #long, along = 0> -> tensor<f32>
  %2 = ufp4.matmul %e, %w : !ufp4.tensor<0x16, #nv, along = 1>,
                            !ufp4.tensor<8x16, #weights, along = 1> -> tensor<0x8xf32>
  return %0, %1, %2 : tensor<3x?x4x5xf32>, tensor<f32>, tensor<0x8xf32>
}

// CHECK-LABEL: ufp4.recipe @mine fprop(x = <#{{[a-z0-9]+}}, nearest>, w = <#{{[a-z0-9]+}}, nearest>)
// CHECK-SAME: dgrad(dy = <#{{[a-z0-9]+}}, stochastic, bits = 8>, w = <#{{[a-z0-9]+}}, nearest>)
// CHECK-SAME: wgrad(x = <#{{[a-z0-9]+}}, nearest>, dy = <#{{[a-z0-9]+}}, stochastic>)
ufp4.recipe @mine
  fprop(x = <#rotated, nearest>, w = <#rotated, nearest>)
  dgrad(dy = <#plain, stochastic, bits = 8>, w = <#plain, nearest>)
  wgrad(x = <#rotated, nearest>, dy = <#rotated, stochastic, bits = 16>)

// CHECK: ufp4.recipe @some wgrad(x = <#{{[a-z0-9]+}}, nearest>, dy = <#{{[a-z0-9]+}}, nearest>)
ufp4.recipe @some wgrad(x = <#mx, nearest>, dy = <#mx, nearest>)

// CHECK: ufp4.recipe @nothing{{$}}
ufp4.recipe @nothing

}
