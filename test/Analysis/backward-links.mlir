// A step cut into forward and backward is one step to the analysis: fprop in one function, dgrad and
// wgrad of the same parameters in the other, a recomputed GEMM with the forward's stream.
// Breaks if a saved value is taken for a new one, a parameter for its activation, or a tangent for
// something that its forward's result does not precede.

// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 decisions=%t.json" -o %t.mlir
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=LINKED
// RUN: FileCheck %s --check-prefix=SEED --input-file=%t.mlir

// LINKED: 0 linalg.matmul 1x16x32x64 fprop 0,1 rewritten none
// LINKED: 1 linalg.matmul 1x16x64x32 fprop 2,3 rewritten none
// LINKED: 2 linalg.matmul 1x16x32x64 fprop 0,1 rewritten none
// LINKED: 3 linalg.matmul 1x64x32x16 wgrad 6,7 rewritten none
// LINKED: 4 linalg.matmul 1x16x32x64 dgrad 8,9 rewritten none
// LINKED: 5 linalg.matmul 1x32x64x16 wgrad 10,11 rewritten none

// The forward draws nothing and keeps its arguments; the backward gains the seed.
// SEED: func.func @forward(%{{[^)]*}}) ->
// SEED-NOT: ufp4.rng
// SEED: func.func @backward(
// SEED-SAME: tensor<3xi32> {ufp4.rng}

// Without the link the backward is a step of which the first layer has neither fprop nor dgrad, and
// the recomputed GEMM stands alone.

// RUN: sed -e 's/attributes {ufp4.forward = @forward}//' -e 's/{ufp4.saved = [0-9]* : i64}//' -e 's/{ufp4.tangent = 0 : i64}//' %s > %t.apart.mlir
// RUN: ufp4-opt %t.apart.mlir --ufp4-quantize-training="recipe=ufp4 decisions=%t.json" -o %t.mlir
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=APART
// APART: 0 {{.*}} none {{.*}} left no-gradient
// APART: 1 {{.*}} none {{.*}} left no-gradient
// APART: 3 {{.*}} wgrad {{.*}} rewritten
// APART: 4 {{.*}} dgrad {{.*}} rewritten

func.func @forward(%w1: tensor<32x64xbf16> {ufp4.name = "up"},
                   %w2: tensor<64x32xbf16> {ufp4.name = "down"},
                   %x: tensor<16x64xbf16> {ufp4.name = "x"})
    -> (tensor<16x64xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<16x64xbf16>) {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %zero64 = arith.constant dense<0.0> : tensor<16x64xf32>
  %empty = tensor.empty() : tensor<64x32xbf16>
  %t = linalg.transpose ins(%w1 : tensor<32x64xbf16>) outs(%empty : tensor<64x32xbf16>)
         permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %h = arith.truncf %y : tensor<16x32xf32> to tensor<16x32xbf16>
  %a = math.tanh %h : tensor<16x32xbf16>
  %empty2 = tensor.empty() : tensor<32x64xbf16>
  %t2 = linalg.transpose ins(%w2 : tensor<64x32xbf16>) outs(%empty2 : tensor<32x64xbf16>)
          permutation = [1, 0]
  %z = linalg.matmul ins(%a, %t2 : tensor<16x32xbf16>, tensor<32x64xbf16>)
                     outs(%zero64 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %out = arith.truncf %z : tensor<16x64xf32> to tensor<16x64xbf16>
  return %out, %t, %t2, %x
      : tensor<16x64xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<16x64xbf16>
}

func.func @backward(%t: tensor<64x32xbf16> {ufp4.saved = 1 : i64},
                    %t2: tensor<32x64xbf16> {ufp4.saved = 2 : i64},
                    %x: tensor<16x64xbf16> {ufp4.saved = 3 : i64},
                    %dy: tensor<16x64xbf16> {ufp4.tangent = 0 : i64})
    -> (tensor<32x64xf32>, tensor<64x32xf32>) attributes {ufp4.forward = @forward} {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %zero1 = arith.constant dense<0.0> : tensor<32x64xf32>
  %zero2 = arith.constant dense<0.0> : tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %t : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %h = arith.truncf %y : tensor<16x32xf32> to tensor<16x32xbf16>
  %a = math.tanh %h : tensor<16x32xbf16>
  %empty = tensor.empty() : tensor<64x16xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<16x64xbf16>) outs(%empty : tensor<64x16xbf16>)
           permutation = [1, 0]
  %dw2 = linalg.matmul ins(%dyt, %a : tensor<64x16xbf16>, tensor<16x32xbf16>)
                       outs(%zero2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %empty2 = tensor.empty() : tensor<64x32xbf16>
  %w2 = linalg.transpose ins(%t2 : tensor<32x64xbf16>) outs(%empty2 : tensor<64x32xbf16>)
          permutation = [1, 0]
  %da = linalg.matmul ins(%dy, %w2 : tensor<16x64xbf16>, tensor<64x32xbf16>)
                      outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %db = arith.truncf %da : tensor<16x32xf32> to tensor<16x32xbf16>
  %dh = arith.mulf %db, %a : tensor<16x32xbf16>
  %empty3 = tensor.empty() : tensor<32x16xbf16>
  %dht = linalg.transpose ins(%dh : tensor<16x32xbf16>) outs(%empty3 : tensor<32x16xbf16>)
           permutation = [1, 0]
  %dw1 = linalg.matmul ins(%dht, %x : tensor<32x16xbf16>, tensor<16x64xbf16>)
                       outs(%zero1 : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %dw1, %dw2 : tensor<32x64xf32>, tensor<64x32xf32>
}
