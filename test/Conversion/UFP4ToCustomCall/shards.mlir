// RUN: split-file %s %t
// RUN: ufp4-opt %t/places.mlir --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w" \
// RUN:   | FileCheck %t/places.mlir
// RUN: ufp4-opt %t/maxima.mlir --ufp4-quantize-training="recipe=ufp4-nv params=w" | FileCheck %t/maxima.mlir
// RUN: ufp4-opt %t/reasons.mlir \
// RUN:   --ufp4-quantize-training="recipe=ufp4:x.rounding=stochastic params=w decisions=%t/reasons.json" \
// RUN:   -o /dev/null
// RUN: %python %S/../../Transforms/decisions.py %t/reasons.json | FileCheck %t/reasons.mlir
// RUN: ufp4-opt %t/reasons.mlir --ufp4-quantize-training="recipe=mxfp4 params=w decisions=%t/nearest.json" \
// RUN:   -o /dev/null
// RUN: %python %S/../../Transforms/decisions.py %t/nearest.json \
// RUN:   | FileCheck %t/reasons.mlir --check-prefix=NEAREST

// In a manual computation an operand of stochastic rounding is placed in the whole tensor (Q8): its
// extents are an attribute, its offsets an operand computed from the device's number.

//--- places.mlir
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=4]>, sym_name = "mesh"}> : () -> ()

// Rows by a, K by b: device 4a + b begins at [16 a, 32 b].
// CHECK-LABEL: @argument(
// CHECK-DAG: %[[ID32:.*]] = "stablehlo.partition_id"() : () -> tensor<ui32>
// CHECK-DAG: %[[ID:.*]] = "stablehlo.convert"(%[[ID32]])
// CHECK-DAG: %[[ONE:.*]] = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}>
// CHECK-DAG: %[[Q:.*]] = "stablehlo.divide"(%[[ID]], %[[ONE]])
// CHECK-DAG: "stablehlo.remainder"(%[[Q]], %{{.*}})
// CHECK-DAG: "stablehlo.constant"() <{value = dense<[0, 32]> : tensor<2xi64>}>
// CHECK-DAG: "stablehlo.constant"() <{value = dense<[16, 0]> : tensor<2xi64>}>
// CHECK: %[[AT:.*]] = "stablehlo.add"
// CHECK-NEXT: "stablehlo.custom_call"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %[[AT]])
// CHECK-SAME: lhs_of = array<i64: 32, 128>
// CHECK-SAME: rhs_of = array<i64: 32, 16>
func.func @argument(%x: tensor<32x128xbf16>, %w: tensor<128x16xbf16> {ufp4.name = "w"}) -> tensor<32x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {"b"}]>, <@mesh, [{"b"}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a", "b"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}> ({
  ^bb0(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
    "sdy.return"(%1) : (tensor<16x16xf32>) -> ()
  }) : (tensor<32x128xbf16>, tensor<128x16xbf16>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

// A dimension split over two axes, b the outer one, merged with a whole one; a batch of one here and
// of two everywhere, followed through what was computed of it.
// CHECK-LABEL: @computed(
// CHECK: dense<[96, 0]> : tensor<2xi64>
// CHECK: dense<[48, 0]> : tensor<2xi64>
// CHECK: "stablehlo.custom_call"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// CHECK-SAME: lhs_groups = array<i64: 0, 1, 1>, lhs_of = array<i64: 384, 32>
// CHECK: dense<[24, 0, 0, 0]> : tensor<4xi64>
// CHECK-NOT: custom_call
// CHECK: dense<[0, 1, 0, 0]> : tensor<4xi64>
// CHECK: "stablehlo.custom_call"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// CHECK-SAME: lhs_groups = array<i64: 0, 3, 1>, lhs_of = array<i64: 96, 2, 1, 32>
// CHECK-SAME: lhs_view = array<i64: 2, 0, 1, 3>
func.func @computed(%x: tensor<8x48x32xbf16>, %y: tensor<96x2x1x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> (tensor<384x16xf32>, tensor<96x2x1x16xf32>) {
  %0:2 = "sdy.manual_computation"(%x, %y, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"b", "a"}, {}, {}]>, <@mesh, [{"b"}, {"a"}, {}, {}]>, <@mesh, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a", "b"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"b", "a"}, {}]>, <@mesh, [{"b"}, {"a"}, {}, {}]>]>}> ({
  ^bb0(%a: tensor<1x48x32xbf16>, %c: tensor<24x1x1x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = "stablehlo.tanh"(%a) : (tensor<1x48x32xbf16>) -> tensor<1x48x32xbf16>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x48x32xbf16>) -> tensor<48x32xbf16>
    %3 = "stablehlo.negate"(%2) : (tensor<48x32xbf16>) -> tensor<48x32xbf16>
    %4 = "stablehlo.dot_general"(%3, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<48x32xbf16>, tensor<32x16xbf16>) -> tensor<48x16xf32>
    %5 = "stablehlo.dot_general"(%c, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [0]>}> : (tensor<24x1x1x32xbf16>, tensor<32x16xbf16>) -> tensor<24x1x1x16xf32>
    "sdy.return"(%4, %5) : (tensor<48x16xf32>, tensor<24x1x1x16xf32>) -> ()
  }) : (tensor<8x48x32xbf16>, tensor<96x2x1x32xbf16>, tensor<32x16xbf16>) -> (tensor<384x16xf32>, tensor<96x2x1x16xf32>)
  return %0#0, %0#1 : tensor<384x16xf32>, tensor<96x2x1x16xf32>
}

// One expert on each of two devices is a batch of one that is split. Whole dimensions regroup freely.
// CHECK-LABEL: @experts(
// CHECK: "stablehlo.custom_call"(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// CHECK-SAME: lhs_groups = array<i64: 1, 1, 1>, lhs_of = array<i64: 2, 96, 32>
// CHECK-SAME: lhs_view = array<i64: 0, 1, 2>
func.func @experts(%x: tensor<2x6x4x4x32xbf16>, %w: tensor<2x32x16xbf16> {ufp4.name = "w"}) -> tensor<2x8x12x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}, {}, {}, {}]>, <@mesh, [{"a"}, {}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a", "b"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}, {}, {}]>]>}> ({
  ^bb0(%a: tensor<1x6x4x4x32xbf16>, %b: tensor<1x32x16xbf16>):
    %1 = "stablehlo.reshape"(%a) : (tensor<1x6x4x4x32xbf16>) -> tensor<1x8x12x32xbf16>
    %2 = "stablehlo.tanh"(%1) : (tensor<1x8x12x32xbf16>) -> tensor<1x8x12x32xbf16>
    %3 = "stablehlo.reshape"(%2) : (tensor<1x8x12x32xbf16>) -> tensor<1x96x32xbf16>
    %4 = "stablehlo.tanh"(%3) : (tensor<1x96x32xbf16>) -> tensor<1x96x32xbf16>
    %5 = "stablehlo.dot_general"(%4, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<1x96x32xbf16>, tensor<1x32x16xbf16>) -> tensor<1x96x16xf32>
    %6 = "stablehlo.reshape"(%5) : (tensor<1x96x16xf32>) -> tensor<1x8x12x16xf32>
    "sdy.return"(%6) : (tensor<1x8x12x16xf32>) -> ()
  }) : (tensor<2x6x4x4x32xbf16>, tensor<2x32x16xbf16>) -> tensor<2x8x12x16xf32>
  return %0 : tensor<2x8x12x16xf32>
}

//--- maxima.mlir
// A scale of the whole tensor: its maximum is reduced over the axes that split an operand, and over
// no others. w is whole.
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=4]>, sym_name = "mesh"}> : () -> ()
// CHECK-LABEL: @maxima(
// CHECK: ^bb0(%[[X:.*]]: tensor<16x32xbf16>, %[[W:.*]]: tensor<32x16xbf16>):
// CHECK-NEXT: %[[MINE:.*]] = "stablehlo.custom_call"(%[[X]]) <{api_version = 4 : i32, backend_config = {groups = array<i64: 0, 1, 1>,
// CHECK-SAME: scheme = "#ufp4.scheme<e1m2, block = 16, scale = ue4m3, rotation = <size = 16, signs = 0xD7E8>>",
// CHECK-SAME: version = 2 : i64, view = array<i64: 0, 1>}, call_target_name = "ufp4.amax"
// CHECK-NEXT: %[[ALL:.*]] = "stablehlo.all_reduce"(%[[MINE]]) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>,
// CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}>
// CHECK: "stablehlo.maximum"
// CHECK: "stablehlo.custom_call"(%[[X]], %[[W]], %[[ALL]])
// CHECK-SAME: lhs_amax = 1 : i64
// CHECK-SAME: rhs_amax = 0 : i64
func.func @maxima(%x: tensor<32x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> tensor<32x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a", "b"}>,
    out_shardings = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>]>}> ({
  ^bb0(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
    "sdy.return"(%1) : (tensor<16x16xf32>) -> ()
  }) : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}

//--- reasons.mlir
// What has no place is left alone; where each device rounds to nearest within its own blocks, only
// what cuts a block is.
// CHECK: 0 stablehlo.dot_general 1x32x16x8 fprop 0,1 left shard the lhs: the part cuts or moves a run of 16 along K, expected whole aligned runs
// CHECK-NEXT: 1 stablehlo.dot_general 1x32x16x32 fprop 2,3 left shard the lhs differs along the mesh axis 'a', but is not seen to be a part of one tensor that is split along it
// CHECK-NEXT: 2 stablehlo.dot_general 1x16x16x32 fprop 4,5 left shard its place in the whole tensor is not known: some axes of the mesh are not manual
// CHECK-NEXT: 3 stablehlo.dot_general 1x16x16x32 fprop 6,7 left shard its place in the whole tensor is not known: its mesh is not a list of axes
// CHECK-NEXT: 4 stablehlo.dot_general 1x32x16x32 fprop 8,9 left shard its place in the whole tensor is not known: its function is called outside of a manual computation too
// CHECK-NEXT: 5 stablehlo.dot_general 1x16x16x32 fprop 10,11 left shard the lhs differs along the mesh axis 'a', but is not seen to be a part of one tensor that is split along it
// NEAREST: 0 stablehlo.dot_general {{.*}} left shard the lhs: the part cuts
// NEAREST-NEXT: 1 stablehlo.dot_general {{.*}} rewritten
// NEAREST-NEXT: 2 stablehlo.dot_general {{.*}} rewritten
// NEAREST-NEXT: 3 stablehlo.dot_general {{.*}} rewritten
// NEAREST-NEXT: 4 stablehlo.dot_general {{.*}} rewritten
// NEAREST-NEXT: 5 stablehlo.dot_general {{.*}} rewritten
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=4]>, sym_name = "line"}> : () -> ()
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2, "b"=2]>, sym_name = "square"}> : () -> ()
"sdy.mesh"() <{mesh = #sdy.mesh<["a"=2], device_ids=[1, 0]>, sym_name = "turned"}> : () -> ()
func.func @cut(%x: tensor<32x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> tensor<32x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@line, [{}, {"a"}]>, <@line, [{"a"}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a"}>,
    out_shardings = #sdy.sharding_per_value<[<@line, [{}, {}]>]>}> ({
  ^bb0(%a: tensor<32x8xbf16>, %b: tensor<8x16xbf16>):
    %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<32x8xbf16>, tensor<8x16xbf16>) -> tensor<32x16xf32>
    "sdy.return"(%1) : (tensor<32x16xf32>) -> ()
  }) : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
// A sum over a device's part that was not reduced over all.
func.func @partial(%x: tensor<32x32x4xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> tensor<32x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@line, [{}, {}, {"a"}]>, <@line, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a"}>,
    out_shardings = #sdy.sharding_per_value<[<@line, [{}, {}]>]>}> ({
  ^bb0(%a: tensor<32x32x1xbf16>, %b: tensor<32x16xbf16>):
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<bf16>}> : () -> tensor<bf16>
    %sum = "stablehlo.reduce"(%a, %zero) <{dimensions = array<i64: 2>}> ({
    ^bb0(%l: tensor<bf16>, %r: tensor<bf16>):
      %s = "stablehlo.add"(%l, %r) : (tensor<bf16>, tensor<bf16>) -> tensor<bf16>
      "stablehlo.return"(%s) : (tensor<bf16>) -> ()
    }) : (tensor<32x32x1xbf16>, tensor<bf16>) -> tensor<32x32xbf16>
    %1 = "stablehlo.dot_general"(%sum, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
    "sdy.return"(%1) : (tensor<32x16xf32>) -> ()
  }) : (tensor<32x32x4xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
func.func @automatic(%x: tensor<32x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> tensor<32x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@square, [{"a"}, {}]>, <@square, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a"}>,
    out_shardings = #sdy.sharding_per_value<[<@square, [{"a"}, {}]>]>}> ({
  ^bb0(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
    "sdy.return"(%1) : (tensor<16x16xf32>) -> ()
  }) : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
func.func @numbered(%x: tensor<32x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> tensor<32x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@turned, [{"a"}, {}]>, <@turned, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a"}>,
    out_shardings = #sdy.sharding_per_value<[<@turned, [{"a"}, {}]>]>}> ({
  ^bb0(%a: tensor<16x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
    "sdy.return"(%1) : (tensor<16x16xf32>) -> ()
  }) : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %0 : tensor<32x16xf32>
}
func.func private @layer(%x: tensor<32x32xbf16>, %w: tensor<32x16xbf16>) -> tensor<32x16xf32> {
  %1 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}
func.func @both(%x: tensor<32x32xbf16>, %z: tensor<128x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> (tensor<32x16xf32>, tensor<128x16xf32>) {
  %0 = "sdy.manual_computation"(%z, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@line, [{"a"}, {}]>, <@line, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a"}>,
    out_shardings = #sdy.sharding_per_value<[<@line, [{"a"}, {}]>]>}> ({
  ^bb0(%a: tensor<32x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = func.call @layer(%a, %b) : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
    "sdy.return"(%1) : (tensor<32x16xf32>) -> ()
  }) : (tensor<128x32xbf16>, tensor<32x16xbf16>) -> tensor<128x16xf32>
  %2 = func.call @layer(%x, %w) : (tensor<32x32xbf16>, tensor<32x16xbf16>) -> tensor<32x16xf32>
  return %2, %0 : tensor<32x16xf32>, tensor<128x16xf32>
}
// Whether the dimension of one was the inside of the first or the outside of the last is not known.
func.func @unclear(%x: tensor<16x4x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"}) -> tensor<16x16xf32> {
  %0 = "sdy.manual_computation"(%x, %w) <{
    in_shardings = #sdy.sharding_per_value<[<@line, [{}, {"a"}, {}]>, <@line, [{}, {}]>]>,
    manual_axes = #sdy<manual_axes{"a"}>,
    out_shardings = #sdy.sharding_per_value<[<@line, [{}, {}]>]>}> ({
  ^bb0(%a: tensor<16x1x32xbf16>, %b: tensor<32x16xbf16>):
    %1 = "stablehlo.reshape"(%a) : (tensor<16x1x32xbf16>) -> tensor<16x32xbf16>
    %2 = "stablehlo.tanh"(%1) : (tensor<16x32xbf16>) -> tensor<16x32xbf16>
    %3 = "stablehlo.dot_general"(%2, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
    "sdy.return"(%3) : (tensor<16x16xf32>) -> ()
  }) : (tensor<16x4x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
