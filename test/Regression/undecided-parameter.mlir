// RUN: ufp4-opt %s --ufp4-quantize-training="decisions=%t.json" -o /dev/null
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s
// RUN: ufp4-opt %s --ufp4-quantize-training="params=teacher decisions=%t.json" -o /dev/null
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=NAMED

// Two arguments of one shape on one input, one gradient, and no update that tells which of them it
// belongs to: never guessed.
// CHECK: 0 linalg.matmul {{.*}} none 0,1 left ambiguous-parameter both student and teacher may have their gradient here; name the parameter: params=student or params=teacher
// CHECK: 1 linalg.matmul {{.*}} none 2,3 left ambiguous-parameter
// CHECK: 2 linalg.contract {{.*}} none 4,5 left ambiguous-parameter
// NAMED: 0 linalg.matmul {{.*}} none 0,1 left
// NAMED: 1 linalg.matmul {{.*}} fprop 2,3 rewritten
// NAMED: 2 linalg.contract {{.*}} wgrad 4,5 rewritten
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "student"},
                %t: tensor<32x32xbf16> {ufp4.name = "teacher"}) -> tensor<32x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xbf16>
  %zero_w = arith.constant dense<0.0> : tensor<32x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %u = linalg.matmul ins(%x, %t : tensor<16x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %d = arith.subf %y, %u : tensor<16x32xbf16>
  %g = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                        affine_map<(m, n, k) -> (k, n)>,
                                        affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %d : tensor<16x32xbf16>, tensor<16x32xbf16>)
      outs(%zero_w : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %g : tensor<32x32xf32>
}
