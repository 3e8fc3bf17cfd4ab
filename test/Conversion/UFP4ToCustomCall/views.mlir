// RUN: ufp4-opt %s --ufp4-quantize-training="params=w" | FileCheck %s
// RUN: ufp4-opt %s --ufp4-quantize-training="params=w" --mlir-print-debuginfo --mlir-print-op-generic \
// RUN:   | FileCheck %s --check-prefix=GENERIC
// RUN: ufp4-opt %s --ufp4-quantize-training="params=w" \
// RUN:   | not ufp4-opt --ufp4-quantize-training="params=w" 2>&1 | FileCheck %s --check-prefix=TWICE

// What a custom call reads and how it says so (docs/custom-call.md).
// GENERIC: "func.func"() <{arg_attrs = [{}, {ufp4.name = "w"}]
// GENERIC: "stablehlo.custom_call"(%{{.*}} loc(#[[LOC:.*]])
// GENERIC: #[[LOC]] = loc("jit(f)/layer/dot_general")
// TWICE: error: the module is rewritten already: 'stablehlo.custom_call' is not model IR

// An operand is its view root: widenings, identity casts and transposes are looked through, and go
// where nothing else reads them. The view says where the transpose went.
// CHECK-LABEL: @widened(
// CHECK-SAME: %[[X:[^ ]*]]: tensor<16x64xbf16>, %[[W:[^ ]*]]: tensor<32x64xbf16>
// CHECK-NEXT: %[[Y:.*]] = "stablehlo.custom_call"(%[[X]], %[[W]]) <{api_version = 4 : i32, backend_config = {gemm = 0 : i64, layer = "layer",
// CHECK-SAME: lhs_amax = 0 : i64, lhs_bits = 0 : i64, lhs_groups = array<i64: 0, 1, 1>,
// CHECK-SAME: lhs_of = array<i64: 16, 64>, lhs_rounding = "nearest",
// CHECK-SAME: lhs_scheme = "#ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>",
// CHECK-SAME: lhs_stream = 0 : i64, lhs_view = array<i64: 0, 1>, parameter = "w", recipe = "ufp4",
// CHECK-SAME: rhs_amax = 0 : i64, rhs_bits = 0 : i64, rhs_groups = array<i64: 0, 1, 1>,
// CHECK-SAME: rhs_of = array<i64: 32, 64>, rhs_rounding = "nearest",
// CHECK-SAME: rhs_stream = 0 : i64, rhs_view = array<i64: 0, 1>, role = "fprop", version = 2 : i64},
// CHECK-SAME: call_target_name = "ufp4.gemm", has_side_effect = false,
// CHECK-SAME: operand_layouts = [dense<[1, 0]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>],
// CHECK-SAME: result_layouts = [dense<[1, 0]> : tensor<2xindex>]}>
// CHECK-SAME: : (tensor<16x64xbf16>, tensor<32x64xbf16>) -> tensor<16x32xf32>
// CHECK-NEXT: return %[[Y]]
func.func @widened(%x: tensor<16x64xbf16>, %w: tensor<32x64xbf16> {ufp4.name = "w"}) -> tensor<16x32xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<16x64xbf16>) -> tensor<16x64xf32>
  %1 = "stablehlo.convert"(%0) : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = "stablehlo.transpose"(%w) <{permutation = array<i64: 1, 0>}>
    : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
  %3 = "stablehlo.convert"(%2) : (tensor<64x32xbf16>) -> tensor<64x32xf32>
  %4 = "stablehlo.dot_general"(%1, %3)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
    : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
    loc("jit(f)/layer/dot_general")
  return %4 : tensor<16x32xf32>
}

// A barrier and a sharding constraint are looked through for what is quantized, but the call still
// reads what is behind them: they are there for XLA. What others say of the dot is kept.
// CHECK-LABEL: @barrier(
// CHECK-NEXT: %[[B:.*]]:2 = "stablehlo.optimization_barrier"
// CHECK-NEXT: %[[S:.*]] = "sdy.sharding_constraint"(%[[B]]#1)
// CHECK-NEXT: "stablehlo.custom_call"(%[[B]]#0, %[[S]])
// CHECK-SAME: rhs_view = array<i64: 1, 0>
// CHECK-SAME: {mhlo.frontend_attributes = {a = "b"}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"t"}]>]>}
// CHECK-SAME: -> tensor<16x32xbf16>
func.func @barrier(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<16x32xbf16> {
  %0:2 = "stablehlo.optimization_barrier"(%x, %w)
    : (tensor<16x64xbf16>, tensor<64x32xbf16>) -> (tensor<16x64xbf16>, tensor<64x32xbf16>)
  %1 = "stablehlo.convert"(%0#0) : (tensor<16x64xbf16>) -> tensor<16x64xf32>
  %2 = "sdy.sharding_constraint"(%0#1) <{sharding = #sdy.sharding<@mesh, [{}, {"t"}]>}>
    : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %4 = "stablehlo.dot_general"(%1, %2)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> {mhlo.frontend_attributes = {a = "b"}, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"t"}]>]>}
    : (tensor<16x64xf32>, tensor<64x32xbf16>) -> tensor<16x32xbf16>
  return %4 : tensor<16x32xbf16>
}

// Batch dimensions come first in the view.
// CHECK-LABEL: @batched(
// CHECK-NEXT: "stablehlo.custom_call"(%arg0, %arg1)
// CHECK-SAME: lhs_groups = array<i64: 1, 1, 1>
// CHECK-SAME: lhs_view = array<i64: 1, 0, 2>
// CHECK-SAME: rhs_groups = array<i64: 1, 1, 1>
// CHECK-SAME: rhs_view = array<i64: 0, 2, 1>
// CHECK-SAME: -> tensor<2x8x32xf32>
func.func @batched(%x: tensor<8x2x64xbf16>, %w: tensor<2x64x32xbf16> {ufp4.name = "w"}) -> tensor<2x8x32xf32> {
  %4 = "stablehlo.dot_general"(%x, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}>
    : (tensor<8x2x64xbf16>, tensor<2x64x32xbf16>) -> tensor<2x8x32xf32>
  return %4 : tensor<2x8x32xf32>
}

// Contracted dimensions are merged as they lie in the lhs (Q1); where they lie otherwise in a
// dimension of the rhs's root, that is split.
// CHECK-LABEL: @cut(
// CHECK-NEXT: %[[R:.*]] = "stablehlo.reshape"(%arg1) : (tensor<32x64xbf16>) -> tensor<8x4x64xbf16>
// CHECK-NEXT: "stablehlo.custom_call"(%arg0, %[[R]])
// CHECK-SAME: lhs_groups = array<i64: 0, 1, 2>
// CHECK-SAME: lhs_view = array<i64: 2, 0, 1>
// CHECK-SAME: rhs_groups = array<i64: 0, 1, 2>
// CHECK-SAME: rhs_view = array<i64: 2, 1, 0>
func.func @cut(%x: tensor<4x8x16xbf16>, %w: tensor<32x64xbf16> {ufp4.name = "w"}) -> tensor<16x64xf32> {
  %0 = "stablehlo.reshape"(%w) : (tensor<32x64xbf16>) -> tensor<8x4x64xbf16>
  %4 = "stablehlo.dot_general"(%x, %0)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0, 1], rhs_contracting_dimensions = [1, 0]>}>
    : (tensor<4x8x16xbf16>, tensor<8x4x64xbf16>) -> tensor<16x64xf32>
  return %4 : tensor<16x64xf32>
}

// Free dimensions are merged as they lie in their own root; the result is transposed to the dot's
// order.
// CHECK-LABEL: @order(
// CHECK-NEXT: %[[C:.*]] = "stablehlo.custom_call"(%arg0, %arg1)
// CHECK-SAME: lhs_groups = array<i64: 0, 2, 1>
// CHECK-SAME: lhs_view = array<i64: 1, 2, 0>
// CHECK-SAME: -> tensor<4x8x32xf32>
// CHECK-NEXT: %[[T:.*]] = "stablehlo.transpose"(%[[C]]) <{permutation = array<i64: 1, 0, 2>}>
// CHECK-NEXT: return %[[T]]
func.func @order(%x: tensor<64x4x8xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<8x4x32xf32> {
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 2, 1, 0>}>
    : (tensor<64x4x8xbf16>) -> tensor<8x4x64xbf16>
  %4 = "stablehlo.dot_general"(%0, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}>
    : (tensor<8x4x64xbf16>, tensor<64x32xbf16>) -> tensor<8x4x32xf32>
  return %4 : tensor<8x4x32xf32>
}

// Unit dimensions stand at the head of the free ones.
// CHECK-LABEL: @units(
// CHECK-NEXT: "stablehlo.custom_call"(%arg0, %arg1)
// CHECK-SAME: lhs_groups = array<i64: 0, 3, 1>
// CHECK-SAME: lhs_view = array<i64: 0, 2, 1, 3>
// CHECK-SAME: rhs_groups = array<i64: 0, 2, 1>
// CHECK-SAME: rhs_view = array<i64: 1, 2, 0>
// CHECK-SAME: -> tensor<1x8x1x1x32xf32>
func.func @units(%x: tensor<1x8x1x64xbf16>, %w: tensor<64x1x32xbf16> {ufp4.name = "w"}) -> tensor<1x8x1x1x32xf32> {
  %4 = "stablehlo.dot_general"(%x, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [0]>}>
    : (tensor<1x8x1x64xbf16>, tensor<64x1x32xbf16>) -> tensor<1x8x1x1x32xf32>
  return %4 : tensor<1x8x1x1x32xf32>
}

// A reshape that mixes groups ends the walk; the values are bf16's all the same.
// CHECK-LABEL: @mixed(
// CHECK: %[[R:.*]] = "stablehlo.reshape"(%{{.*}}) : (tensor<2x512xf32>) -> tensor<16x64xf32>
// CHECK-NEXT: %[[C:.*]] = "stablehlo.convert"(%[[R]]) : (tensor<16x64xf32>) -> tensor<16x64xbf16>
// CHECK-NEXT: "stablehlo.custom_call"(%[[C]], %arg1)
func.func @mixed(%x: tensor<2x8x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<16x32xf32> {
  %0 = "stablehlo.convert"(%x) : (tensor<2x8x64xbf16>) -> tensor<2x8x64xf32>
  %1 = "stablehlo.reshape"(%0) : (tensor<2x8x64xf32>) -> tensor<2x512xf32>
  %2 = "stablehlo.reshape"(%1) : (tensor<2x512xf32>) -> tensor<16x64xf32>
  %4 = "stablehlo.dot_general"(%2, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
    : (tensor<16x64xf32>, tensor<64x32xbf16>) -> tensor<16x32xf32>
  return %4 : tensor<16x32xf32>
}

// A dimension of the view may be several of the root.
// CHECK-LABEL: @half(
// CHECK-NEXT: "stablehlo.custom_call"(%arg0, %arg1)
// CHECK-SAME: lhs_groups = array<i64: 0, 1, 3>
// CHECK-SAME: rhs_groups = array<i64: 0, 1, 1>
func.func @half(%x: tensor<8x16x2x4xbf16>, %w: tensor<128x32xbf16> {ufp4.name = "w"}) -> tensor<8x32xf32> {
  %2 = "stablehlo.reshape"(%x) : (tensor<8x16x2x4xbf16>) -> tensor<8x128xbf16>
  %4 = "stablehlo.dot_general"(%2, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
    : (tensor<8x128xbf16>, tensor<128x32xbf16>) -> tensor<8x32xf32>
  return %4 : tensor<8x32xf32>
}

// No rows, and a row without a dimension.
// CHECK-LABEL: @empty(
// CHECK-NEXT: "stablehlo.custom_call"(%arg0, %arg1)
// CHECK-SAME: (tensor<0x64xbf16>, tensor<64x32xbf16>) -> tensor<0x32xf32>
func.func @empty(%x: tensor<0x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<0x32xf32> {
  %4 = "stablehlo.dot_general"(%x, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
    : (tensor<0x64xbf16>, tensor<64x32xbf16>) -> tensor<0x32xf32>
  return %4 : tensor<0x32xf32>
}

// CHECK-LABEL: @vector(
// CHECK-NEXT: "stablehlo.custom_call"(%arg0, %arg1)
// CHECK-SAME: lhs_groups = array<i64: 0, 0, 1>
// CHECK-SAME: lhs_view = array<i64: 0>
// CHECK-SAME: -> tensor<32xf32>
func.func @vector(%x: tensor<64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"}) -> tensor<32xf32> {
  %4 = "stablehlo.dot_general"(%x, %w)
    <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}>
    : (tensor<64xbf16>, tensor<64x32xbf16>) -> tensor<32xf32>
  return %4 : tensor<32xf32>
}
