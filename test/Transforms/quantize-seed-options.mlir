// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w seed-arg=2" | FileCheck %s --check-prefix=ARG
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w fixed-seed=0xFFFFFFFFFFFFFFFF:7" | FileCheck %s --check-prefix=FIXED
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w rng-arg=always" | FileCheck %s --check-prefix=ALWAYS
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w seed-arg=1" 2>&1 | FileCheck %s --check-prefix=BADARG
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w fixed-seed=1" 2>&1 | FileCheck %s --check-prefix=BADSEED
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w rng-arg=never" 2>&1 | FileCheck %s --check-prefix=BADRNG

// ARG: func.func @forward(%{{.*}}, %{{.*}}, %{{.*}}: tensor<3xi32> {ufp4.rng}) -> tensor<16x32xf32>
// FIXED: func.func @forward(%{{.*}}, %{{.*}}, %{{.*}}: tensor<3xi32>) -> tensor<16x32xf32>
// FIXED: arith.constant -1 : i64
// FIXED: arith.constant 7 : i32
// ALWAYS: func.func @forward({{.*}}, %{{.*}}: tensor<3xi32>, %{{.*}}: tensor<3xi32> {ufp4.rng})
// BADARG: error: seed-arg=1: expected an argument of type 'tensor<3xi32>', found 'tensor<64x32xbf16>'
// BADSEED: error: fixed-seed='1': expected SEED:STEP
// BADRNG: error: rng-arg='never': expected auto or always
func.func @forward(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"},
                   %rng: tensor<3xi32>) -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
