// Operations are pure and draw from operands, so upstream's passes are right about them.
// Breaks if an operation loses its purity, or a draw hides a state.
//
// RUN: ufp4-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: ufp4-opt %s --canonicalize | FileCheck %s --check-prefix=DCE
// RUN: ufp4-opt %s --loop-invariant-code-motion | FileCheck %s --check-prefix=LICM

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
!q = !ufp4.tensor<4x16, #s, along = 1>

// One value quantized twice to nearest is one quantize.
// CSE-LABEL: func.func @equal
// CSE-COUNT-1: ufp4.quantize
// CSE-NOT: ufp4.quantize
// CSE: return %[[Q:.*]], %[[Q]] :
func.func @equal(%x: tensor<4x16xbf16>) -> (!q, !q) {
  %0 = ufp4.quantize %x along 1 : tensor<4x16xbf16> -> !q
  %1 = ufp4.quantize %x along 1 : tensor<4x16xbf16> -> !q
  return %0, %1 : !q, !q
}

// Equal draws are one draw: seed, step and stream say all. Another stream, seed, step or number of
// bits is another draw.
// CSE-LABEL: func.func @draws
// CSE-COUNT-5: ufp4.quantize
// CSE-NOT: ufp4.quantize
// CSE: return %[[A:[0-9]+]], %[[A]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} :
func.func @draws(%x: tensor<4x16xbf16>, %seed: i64, %step: i32, %seed2: i64, %step2: i32)
    -> (!q, !q, !q, !q, !q, !q) {
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 1} : tensor<4x16xbf16> -> !q
  %1 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 1} : tensor<4x16xbf16> -> !q
  %2 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 2} : tensor<4x16xbf16> -> !q
  %3 = ufp4.quantize %x along 1 stochastic(%seed2, %step) {stream = 1} : tensor<4x16xbf16> -> !q
  %4 = ufp4.quantize %x along 1 stochastic(%seed, %step2) {stream = 1} : tensor<4x16xbf16> -> !q
  %5 = ufp4.quantize %x along 1 stochastic(%seed, %step) {bits = 8, stream = 1}
         : tensor<4x16xbf16> -> !q
  return %0, %1, %2, %3, %4, %5 : !q, !q, !q, !q, !q, !q
}

// Seeds of equal indices are equal.
// CSE-LABEL: func.func @seeds
// CSE: %[[S:.*]] = ufp4.fold_in
// CSE-NEXT: return %[[S]], %[[S]] : i64, i64
func.func @seeds(%seed: i64, %j: i64) -> (i64, i64) {
  %0 = ufp4.fold_in %seed, %j
  %1 = ufp4.fold_in %seed, %j
  return %0, %1 : i64, i64
}

// What nobody uses goes, draws included; a recipe stays, it is no value.
// DCE-LABEL: func.func @unused
// DCE-NEXT: return
// DCE: ufp4.recipe @unused_recipe
func.func @unused(%x: tensor<4x16xbf16>, %seed: i64, %step: i32) {
  %j = ufp4.fold_in %seed, %seed
  %0 = ufp4.quantize %x along 1 stochastic(%j, %step) {stream = 1} : tensor<4x16xbf16> -> !q
  %1 = ufp4.dequantize %0 : !q -> tensor<4x16xf32>
  %2 = ufp4.rotate %1 along 1 by <size = 16, signs = 0> : tensor<4x16xf32> -> tensor<4x16xf32>
  %3 = ufp4.amax %2 along 1 of #s : tensor<4x16xf32>
  %4 = ufp4.matmul %0, %0 : !q, !q -> tensor<4x4xf32>
  %5:2 = ufp4.unpack %0 : !q -> tensor<4x16xi8>, tensor<4x1xf32>
  return
}
ufp4.recipe @unused_recipe

// A weight is quantized once, before the loop. The draw of each trip has its own seed and stays.
// LICM-LABEL: func.func @hoisted
// LICM: %[[W:.*]] = ufp4.quantize %{{.*}} along 1 : tensor<4x16xbf16>
// LICM: scf.for
// LICM-NEXT: arith.index_cast
// LICM-NEXT: ufp4.fold_in
// LICM-NEXT: ufp4.quantize {{.*}} stochastic
// LICM-NEXT: ufp4.matmul %{{.*}}, %[[W]]
func.func @hoisted(%x: tensor<4x16xbf16>, %w: tensor<4x16xbf16>, %seed: i64, %step: i32, %n: index,
                   %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> tensor<4x4xf32> {
    %trip = arith.index_cast %i : index to i64
    %j = ufp4.fold_in %seed, %trip
    %0 = ufp4.quantize %x along 1 stochastic(%j, %step) {stream = 1} : tensor<4x16xbf16> -> !q
    %1 = ufp4.quantize %w along 1 : tensor<4x16xbf16> -> !q
    %2 = ufp4.matmul %0, %1 accumulate(%acc : tensor<4x4xf32>) : !q, !q -> tensor<4x4xf32>
    scf.yield %2 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
