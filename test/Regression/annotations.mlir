// RUN: ufp4-opt %s --ufp4-quantize-training="params=w" | FileCheck %s
// RUN: sed 's/role = "dgrad"/role = 3/' %s > %t.role
// RUN: not ufp4-opt %t.role --ufp4-quantize-training 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: sed 's/role = "dgrad"/stream = 3/' %s > %t.stream
// RUN: not ufp4-opt %t.stream --ufp4-quantize-training 2>&1 | FileCheck %s --check-prefix=STREAM
// RUN: sed 's/role = "dgrad"/layer = 5/' %s > %t.layer
// RUN: not ufp4-opt %t.layer --ufp4-quantize-training 2>&1 | FileCheck %s --check-prefix=LAYER

// An annotated role keeps the side that is known to be the parameter: w on the left is rounded to
// nearest, dy on the right draws. Words of another type are errors, not silence.
// CHECK: ufp4.quantize %arg1 along 1 :
// CHECK: ufp4.quantize %arg0 along 0 stochastic
// ROLE: error: 'ufp4.gemm': expected role to be none, fprop, dgrad or wgrad, found 3 : i64
// STREAM: error: 'ufp4.gemm': expected stream to be an even integer of 32 bits: the lhs's, the rhs's is one more, found 3 : i64
// LAYER: error: 'ufp4.gemm': expected layer to be a string, found 5 : i64
func.func @main(%dy: tensor<32x16xbf16>, %w: tensor<16x32xbf16> {ufp4.name = "w"})
    -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.matmul {ufp4.gemm = {role = "dgrad"}}
      ins(%w, %dy : tensor<16x32xbf16>, tensor<32x16xbf16>)
      outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
