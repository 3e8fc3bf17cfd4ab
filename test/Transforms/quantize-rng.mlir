// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:rotation=none,x.rounding=stochastic params=w" --split-input-file | FileCheck %s

// Where seeds come from and what is folded into them (Q10). The recipe draws in fprop, so that a
// forward function shows it.

// A public function unpacks its last argument, (seed low, seed high, step).
// CHECK-LABEL: func.func @public(
// CHECK-SAME: %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng})
// CHECK-DAG: %[[LOW:.*]] = tensor.extract %[[RNG]][%c0
// CHECK-DAG: %[[HIGH:.*]] = tensor.extract %[[RNG]][%c1
// CHECK-DAG: %[[L:.*]] = arith.extui %[[LOW]]
// CHECK-DAG: %[[H:.*]] = arith.extui %[[HIGH]]
// CHECK: %[[S:.*]] = arith.shli %[[H]], %c32
// CHECK: %[[SEED:.*]] = arith.ori %[[L]], %[[S]]
// CHECK: %[[STEP:.*]] = tensor.extract %[[RNG]][%c2
// CHECK: ufp4.quantize %{{.*}} stochastic(%[[SEED]], %[[STEP]]) {stream = 0 : i64}
// The function that draws nothing keeps its signature.
// CHECK-LABEL: func.func @other(%{{[^,]*}}: tensor<4xf32>) -> tensor<4xf32>
func.func @public(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// A loop folds in its trip number, counted from its lower bound in steps.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[SEED:.*]] = arith.ori
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK: %[[D:.*]] = arith.subi %[[I]], %{{.*}} : index
// CHECK: %[[T:.*]] = arith.divui %[[D]], %{{.*}} : index
// CHECK: %[[TRIP:.*]] = arith.index_cast %[[T]] : index to i64
// CHECK: %[[FOLDED:.*]] = ufp4.fold_in %[[SEED]], %[[TRIP]]
// CHECK: stochastic(%[[FOLDED]], %{{.*}}) {stream = 0 : i64}
func.func @loop(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"})
    -> tensor<32x32xbf16> {
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant dense<0.0> : tensor<32x32xbf16>
  %y = scf.for %i = %c2 to %c6 step %c2 iter_args(%h = %x) -> tensor<32x32xbf16> {
    %z = linalg.matmul ins(%h, %w : tensor<32x32xbf16>, tensor<32x32xbf16>)
                       outs(%zero : tensor<32x32xbf16>) -> tensor<32x32xbf16>
    scf.yield %z : tensor<32x32xbf16>
  }
  return %y : tensor<32x32xbf16>
}

// -----

// A while loop has no trip number: it gains one, that both its regions see.
// CHECK-LABEL: func.func @while(
// CHECK: %[[R:.*]]:2 = scf.while (%{{.*}} = %{{.*}}, %[[N:.*]] = %c0_i64) : (tensor<32x32xbf16>, i64)
// CHECK: scf.condition(%{{.*}}) %{{.*}}, %[[N]]
// CHECK: ^bb0(%{{.*}}: tensor<32x32xbf16>, %[[TRIP:.*]]: i64):
// CHECK: ufp4.fold_in %{{.*}}, %[[TRIP]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[TRIP]], %c1_i64
// CHECK: scf.yield %{{.*}}, %[[NEXT]]
// CHECK: return %[[R]]#0
func.func @while(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"})
    -> tensor<32x32xbf16> {
  %c0 = arith.constant 0 : index
  %big = arith.constant 1.0 : bf16
  %zero = arith.constant dense<0.0> : tensor<32x32xbf16>
  %y = scf.while (%h = %x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16> {
    %first = tensor.extract %h[%c0, %c0] : tensor<32x32xbf16>
    %more = arith.cmpf olt, %first, %big : bf16
    scf.condition(%more) %h : tensor<32x32xbf16>
  } do {
  ^bb0(%h: tensor<32x32xbf16>):
    %z = linalg.matmul ins(%h, %w : tensor<32x32xbf16>, tensor<32x32xbf16>)
                       outs(%zero : tensor<32x32xbf16>) -> tensor<32x32xbf16>
    scf.yield %z : tensor<32x32xbf16>
  }
  return %y : tensor<32x32xbf16>
}

// -----

// A private function takes seed and step; where it is called twice, each call folds in its ordinal.
// CHECK-LABEL: func.func @caller(
// CHECK: %[[SEED:.*]] = arith.ori
// CHECK: %[[STEP:.*]] = tensor.extract %{{.*}}[%c2
// CHECK: %[[S0:.*]] = ufp4.fold_in %[[SEED]], %c0_i64
// CHECK: call @layer(%{{.*}}, %{{.*}}, %[[S0]], %[[STEP]])
// CHECK: %[[S1:.*]] = ufp4.fold_in %[[SEED]], %c1_i64
// CHECK: call @layer(%{{.*}}, %{{.*}}, %[[S1]], %[[STEP]])
// CHECK: call @once(%{{.*}}, %{{.*}}, %[[SEED]], %[[STEP]])
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: %[[A:[^ ]*]]: i64, %[[B:[^ ]*]]: i32)
// CHECK: stochastic(%[[A]], %[[B]])
func.func @caller(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"})
    -> tensor<32x32xbf16> {
  %0 = call @layer(%x, %w) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = call @layer(%0, %w) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %2 = call @once(%1, %w) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %2 : tensor<32x32xbf16>
}
func.func private @layer(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %zero = arith.constant dense<0.0> : tensor<32x32xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<32x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}
func.func private @once(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %zero = arith.constant dense<0.0> : tensor<32x32xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<32x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}
