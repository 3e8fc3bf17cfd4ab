// RUN: ufp4-opt %s --ufp4-quantize-training="params=w fail-on-miss" --split-input-file | FileCheck %s

// GEMMs in regions and functions of every shape are seen and rewritten.

// CHECK: ufp4.matmul
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name="w"}, %i: index) -> tensor<16x32xbf16> {
  %z = arith.constant dense<0.0> : tensor<16x32xbf16>
  %r = scf.execute_region -> tensor<16x32xbf16> {
    %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%z : tensor<16x32xbf16>) -> tensor<16x32xbf16>
    scf.yield %y : tensor<16x32xbf16>
  }
  return %r : tensor<16x32xbf16>
}

// -----

// CHECK: ufp4.matmul
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name="w"}, %i: index) -> tensor<16x32xbf16> {
  %z = arith.constant dense<0.0> : tensor<16x32xbf16>
  %r = scf.index_switch %i -> tensor<16x32xbf16>
 default {
    %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%z : tensor<16x32xbf16>) -> tensor<16x32xbf16>
    scf.yield %y : tensor<16x32xbf16>
  }
  return %r : tensor<16x32xbf16>
}

// -----

// CHECK: ufp4.matmul
func.func @main(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16> {ufp4.name="w"}, %n: tensor<i64>) -> tensor<16x16xbf16> {
  %z = arith.constant dense<0.0> : tensor<16x16xbf16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %cm2 = arith.constant -2 : index
  %r = scf.forall (%i) in (3) shared_outs(%o = %x) -> (tensor<16x16xbf16>) { %xx = tensor.empty() : tensor<16x16xbf16>
 %yy = linalg.matmul ins(%x, %w : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%z : tensor<16x16xbf16>) -> tensor<16x16xbf16>
 scf.forall.in_parallel { tensor.parallel_insert_slice %yy into %o[0,0][16,16][1,1] : tensor<16x16xbf16> into tensor<16x16xbf16> } }
  return %r : tensor<16x16xbf16>
}

// -----

// CHECK: ufp4.matmul
func.func @main(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16> {ufp4.name="w"}) -> tensor<16x16xbf16> {
  %y = call @f(%x, %w) : (tensor<16x16xbf16>, tensor<16x16xbf16>) -> tensor<16x16xbf16>
  return %y : tensor<16x16xbf16>
}
func.func private @f(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16>) -> tensor<16x16xbf16> {
  %z = arith.constant dense<0.0> : tensor<16x16xbf16>
  cf.br ^b
^b:
  %y = linalg.matmul ins(%x, %w : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%z : tensor<16x16xbf16>) -> tensor<16x16xbf16>
  return %y : tensor<16x16xbf16>
}

// -----

// CHECK: ufp4.matmul
module {
module @inner {
func.func @main(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16> {ufp4.name="w"}) -> tensor<16x16xbf16> {
  %z = arith.constant dense<0.0> : tensor<16x16xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%z : tensor<16x16xbf16>) -> tensor<16x16xbf16>
  return %y : tensor<16x16xbf16>
}
}
}

