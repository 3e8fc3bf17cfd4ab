// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w seed-arg=2" | FileCheck %s
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w fixed-seed=0x1234567800000005:7" \
// RUN:   | FileCheck %s --check-prefix=FIXED
// RUN: ufp4-opt %s --ufp4-quantize-training="params=w rng-arg=always" | FileCheck %s --check-prefix=ALWAYS
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w seed-arg=0" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE

// The same options as with linalg.
// CHECK: func.func @f(%{{.*}}, %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true}) -> tensor<32x32xbf16>
// CHECK-NEXT: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[RNG]])
// FIXED: func.func @f(%{{.*}}, %{{.*}}, %{{.*}}: tensor<3xi32>) -> tensor<32x32xbf16>
// FIXED-NEXT: %[[RNG:.*]] = "stablehlo.constant"() <{value = dense<[5, 305419896, 7]> : tensor<3xi32>}>
// FIXED-NEXT: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[RNG]])
// ALWAYS: func.func @f(%{{.*}}, %{{.*}}: tensor<3xi32>, %{{.*}}: tensor<3xi32> {ufp4.rng = true})
// ALWAYS-NEXT: "stablehlo.custom_call"(%arg0, %arg1)
// TYPE: error: seed-arg=0: expected an argument of type 'tensor<3xi32>', found 'tensor<32x32xbf16>'
func.func @f(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"}, %rng: tensor<3xi32>)
    -> tensor<32x32xbf16> {
  %y = "stablehlo.dot_general"(%x, %w)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}
