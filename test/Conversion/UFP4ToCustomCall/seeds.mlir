// RUN: ufp4-opt %s --split-input-file \
// RUN:   --ufp4-quantize-training="recipe=ufp4:rotation=none,x.rounding=stochastic params=w" | FileCheck %s

// Where seeds come from in StableHLO and what is folded into them (Q10). The recipe draws in fprop,
// so that a forward function shows it.

// A public function's last argument is the seed as the calls take it. Equal quantizes of one value
// have the smallest of their streams (Q9).
// CHECK-LABEL: func.func @public(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<16x32xbf16>, %{{.*}}, %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true})
// CHECK: "stablehlo.custom_call"(%[[X]], %{{[^,]*}}, %[[RNG]])
// CHECK-SAME: lhs_bits = 16 : i64, {{.*}}lhs_rounding = "stochastic", {{.*}}lhs_stream = 0 : i64,
// CHECK-SAME: rhs_bits = 0 : i64, {{.*}}rhs_rounding = "nearest", {{.*}}rhs_stream = 0 : i64,
// CHECK: "stablehlo.custom_call"(%[[X]], %{{[^,]*}}, %[[RNG]])
// CHECK-SAME: gemm = 1 : i64, {{.*}}lhs_stream = 0 : i64
// CHECK-LABEL: func.func @other(%{{[^,]*}}: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: ufp4.fold_in
func.func @public(%x: tensor<16x32xbf16>, %w: tensor<32x64xbf16> {ufp4.name = "w"},
                  %v: tensor<48x32xbf16> {ufp4.name = "w"})
    -> (tensor<16x64xbf16>, tensor<16x48xbf16>) {
  %y = "stablehlo.dot_general"(%x, %w)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<16x32xbf16>, tensor<32x64xbf16>) -> tensor<16x64xbf16>
  %z = "stablehlo.dot_general"(%x, %v)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}>
      : (tensor<16x32xbf16>, tensor<48x32xbf16>) -> tensor<16x48xbf16>
  return %y, %z : tensor<16x64xbf16>, tensor<16x48xbf16>
}
func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// A value that the loop carries from 0 in steps of 1 is the number of the trip.
// CHECK-LABEL: func.func @scan(
// CHECK-SAME: %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true})
// CHECK: "stablehlo.while"(%{{[^,]*}}, %{{[^,]*}}) ({
// CHECK: }, {
// CHECK-NEXT: ^bb0(%[[I:[^ ]*]]: tensor<i32>, %{{.*}}):
// CHECK: %[[J:.*]] = "stablehlo.convert"(%[[I]]) : (tensor<i32>) -> tensor<i64>
// CHECK: %[[SEED:.*]] = func.call @ufp4.fold_in(%[[RNG]], %[[J]])
// CHECK: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[SEED]])
// CHECK: func.func private @ufp4.fold_in(%{{.*}}: tensor<3xi32>, %{{.*}}: tensor<i64>) -> tensor<3xi32>
// CHECK-COUNT-20: "stablehlo.multiply"
// CHECK-NOT: "stablehlo.multiply"
// CHECK: "stablehlo.concatenate"
func.func @scan(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"}) -> tensor<32x32xbf16> {
  %first = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%first, %x) ({
  ^bb0(%i: tensor<i32>, %h: tensor<32x32xbf16>):
    %n = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %c = "stablehlo.compare"(%i, %n)
        <{comparison_direction = #stablehlo<comparison_direction NE>}>
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %h: tensor<32x32xbf16>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %y = "stablehlo.dot_general"(%h, %w)
        <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
        : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %next = "stablehlo.add"(%one, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %y) : (tensor<i32>, tensor<32x32xbf16>) -> ()
  }) : (tensor<i32>, tensor<32x32xbf16>) -> (tensor<i32>, tensor<32x32xbf16>)
  return %0#1 : tensor<32x32xbf16>
}

// -----

// One that begins or steps otherwise is not; the loop gains a counter, and keeps what is said of it.
// CHECK-LABEL: func.func @late(
// CHECK-SAME: %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true})
// CHECK: %[[ZERO:.*]] = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}>
// CHECK: %[[W:.*]]:3 = "stablehlo.while"(%{{[^,]*}}, %{{[^,]*}}, %[[ZERO]])
// CHECK-NEXT: ^bb0(%{{.*}}, %{{.*}}, %{{.*}}: tensor<i64>):
// CHECK: }, {
// CHECK-NEXT: ^bb0(%{{.*}}, %{{.*}}, %[[J:[^ ]*]]: tensor<i64>):
// CHECK: %[[SEED:.*]] = func.call @ufp4.fold_in(%[[RNG]], %[[J]])
// CHECK: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[SEED]])
// CHECK: %[[ONE:.*]] = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}>
// CHECK: %[[NEXT:.*]] = "stablehlo.add"(%[[J]], %[[ONE]]) : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK: "stablehlo.return"(%{{.*}}, %{{.*}}, %[[NEXT]])
// CHECK: return %[[W]]#1
func.func @late(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"}) -> tensor<32x32xbf16> {
  %first = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%first, %x) ({
  ^bb0(%i: tensor<i32>, %h: tensor<32x32xbf16>):
    %n = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %c = "stablehlo.compare"(%i, %n)
        <{comparison_direction = #stablehlo<comparison_direction NE>}>
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %h: tensor<32x32xbf16>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %y = "stablehlo.dot_general"(%h, %w)
        <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
        : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %next = "stablehlo.add"(%one, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %y) : (tensor<i32>, tensor<32x32xbf16>) -> ()
  }) : (tensor<i32>, tensor<32x32xbf16>) -> (tensor<i32>, tensor<32x32xbf16>)
  return %0#1 : tensor<32x32xbf16>
}

// -----

// CHECK-LABEL: func.func @down(
// CHECK-SAME: %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true})
// CHECK: %[[ZERO:.*]] = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}>
// CHECK: %[[W:.*]]:3 = "stablehlo.while"(%{{[^,]*}}, %{{[^,]*}}, %[[ZERO]])
// CHECK-NEXT: ^bb0(%{{.*}}, %{{.*}}, %{{.*}}: tensor<i64>):
// CHECK: }, {
// CHECK-NEXT: ^bb0(%{{.*}}, %{{.*}}, %[[J:[^ ]*]]: tensor<i64>):
// CHECK: %[[SEED:.*]] = func.call @ufp4.fold_in(%[[RNG]], %[[J]])
// CHECK: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[SEED]])
// CHECK: %[[ONE:.*]] = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}>
// CHECK: %[[NEXT:.*]] = "stablehlo.add"(%[[J]], %[[ONE]]) : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK: "stablehlo.return"(%{{.*}}, %{{.*}}, %[[NEXT]])
// CHECK: {mhlo.frontend_attributes = {a = "b"}}
// CHECK: return %[[W]]#1
func.func @down(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"}) -> tensor<32x32xbf16> {
  %first = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
  %0:2 = "stablehlo.while"(%first, %x) ({
  ^bb0(%i: tensor<i32>, %h: tensor<32x32xbf16>):
    %n = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %c = "stablehlo.compare"(%i, %n)
        <{comparison_direction = #stablehlo<comparison_direction NE>}>
        : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%i: tensor<i32>, %h: tensor<32x32xbf16>):
    %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %y = "stablehlo.dot_general"(%h, %w)
        <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
        : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %next = "stablehlo.subtract"(%i, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%next, %y) : (tensor<i32>, tensor<32x32xbf16>) -> ()
  }) {mhlo.frontend_attributes = {a = "b"}} : (tensor<i32>, tensor<32x32xbf16>) -> (tensor<i32>, tensor<32x32xbf16>)
  return %0#1 : tensor<32x32xbf16>
}

// -----

// A manual computation sees only its operands: the seed becomes one, whole on every device. Private
// functions take it; where one is called twice, each call folds in its ordinal.
// CHECK-LABEL: func.func @manual(
// CHECK-SAME: %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true})
// CHECK: "sdy.manual_computation"(%{{[^,]*}}, %{{[^,]*}}, %[[RNG]])
// CHECK-SAME: in_shardings = #sdy.sharding_per_value<[<@mesh, [{"d"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}]>]>
// CHECK-SAME: out_shardings = #sdy.sharding_per_value<[<@mesh, [{"d"}, {}]>]>
// CHECK-NEXT: ^bb0(%{{.*}}, %{{.*}}, %[[R:[^ ]*]]: tensor<3xi32>):
// CHECK: %[[C0:.*]] = "stablehlo.constant"() <{value = dense<0> : tensor<i64>}>
// CHECK: %[[S0:.*]] = func.call @ufp4.fold_in(%[[R]], %[[C0]])
// CHECK: func.call @layer(%{{.*}}, %{{.*}}, %[[S0]])
// CHECK: %[[C1:.*]] = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}>
// CHECK: %[[S1:.*]] = func.call @ufp4.fold_in(%[[R]], %[[C1]])
// CHECK: func.call @layer(%{{.*}}, %{{.*}}, %[[S1]])
// CHECK: func.call @once(%{{.*}}, %{{.*}}, %[[R]])
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: %[[S:[^ ]*]]: tensor<3xi32>)
// CHECK: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[S]], %{{.*}}) <{
// CHECK-SAME: lhs_of = array<i64: 128, 32>
"sdy.mesh"() <{mesh = #sdy.mesh<["d"=4]>, sym_name = "mesh"}> : () -> ()
func.func @manual(%x: tensor<128x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"})
    -> tensor<128x32xbf16> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"d"}, {}]>, <@mesh, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"d"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"d"}, {}]>]>}> ({
  ^bb0(%a: tensor<32x32xbf16>, %b: tensor<32x32xbf16>):
    %1 = func.call @layer(%a, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %2 = func.call @layer(%1, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %3 = func.call @once(%2, %b) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    "sdy.return"(%3) : (tensor<32x32xbf16>) -> ()
  }) : (tensor<128x32xbf16>, tensor<32x32xbf16>) -> tensor<128x32xbf16>
  return %0 : tensor<128x32xbf16>
}
func.func private @layer(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %y = "stablehlo.dot_general"(%x, %w)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}
func.func private @once(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %y = "stablehlo.dot_general"(%x, %w)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}

// -----

// A branch draws what the place around it draws. So does a composite, whose decomposition is a
// function that it calls.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME: %[[RNG:[^ ]*]]: tensor<3xi32> {ufp4.rng = true})
// CHECK: "stablehlo.case"
// CHECK: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[RNG]])
// CHECK: "stablehlo.composite"(%{{[^,]*}}, %{{[^,]*}}, %[[RNG]]) <{decomposition = @layer, name = "test.layer"}>
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: %[[S:[^ ]*]]: tensor<3xi32>)
// CHECK: "stablehlo.custom_call"(%{{.*}}, %{{.*}}, %[[S]])
func.func @branch(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name = "w"}, %i: tensor<i32>)
    -> tensor<32x32xbf16> {
  %0 = "stablehlo.case"(%i) ({
    %y = "stablehlo.dot_general"(%x, %w)
        <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
        : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    "stablehlo.return"(%y) : (tensor<32x32xbf16>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<32x32xbf16>) -> ()
  }) : (tensor<i32>) -> tensor<32x32xbf16>
  %1 = "stablehlo.composite"(%0, %w) <{decomposition = @layer, name = "test.layer"}>
      : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}
func.func private @layer(%x: tensor<32x32xbf16>, %w: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %y = "stablehlo.dot_general"(%x, %w)
      <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}
