// A two-iteration loop on equal data draws different words each trip, and the same words in the next
// run; another step draws others. Nearest quantizes of the same data are equal in both trips.

// RUN: rm -rf %t && mkdir %t
// RUN: ufp4-run %s --recipe=ufp4:x.rounding=stochastic --params=w --inputs=random:1 --seed=9 --step=4 --output-dir=%t/o --dump-quantized=%t/a
// RUN: ufp4-run %s --recipe=ufp4:x.rounding=stochastic --params=w --inputs=random:1 --seed=9 --step=4 --output-dir=%t/o --dump-quantized=%t/b
// RUN: ufp4-run %s --recipe=ufp4:x.rounding=stochastic --params=w --inputs=random:1 --seed=9 --step=5 --output-dir=%t/o --dump-quantized=%t/c
// RUN: %python %S/loop_words.py %t/a %t/b %t/c | FileCheck %s
// RUN: ufp4-run --replay=%t/a > %t/said
// CHECK: trips [0] and [1] differ, runs agree, steps differ
func.func @loop(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = scf.for %i = %c0 to %c2 step %c1 iter_args(%sum = %zero) -> tensor<16x32xf32> {
    %z = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                       outs(%sum : tensor<16x32xf32>) -> tensor<16x32xf32>
    scf.yield %z : tensor<16x32xf32>
  }
  return %y : tensor<16x32xf32>
}
