// One residual block of two layers under jax.checkpoint and lax.scan, as JAX 0.10.2 exports its step
// (Inputs/jax_steps.py, scan_remat).
module @jit__lambda attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x32x64xbf16>, %arg1: tensor<3x64x32xbf16>, %arg2: tensor<16x32xbf16>, %arg3: tensor<16x32xbf16>) -> (tensor<f32>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>) {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<5.120000e+02> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %7 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x16x32xbf16>
    %9:5 = "stablehlo.while"(%arg0, %arg1, %6, %arg2, %8) ({
    ^bb0(%arg4: tensor<3x32x64xbf16>, %arg5: tensor<3x64x32xbf16>, %arg6: tensor<i32>, %arg7: tensor<16x32xbf16>, %arg8: tensor<3x16x32xbf16>):
      %25 = "stablehlo.compare"(%arg6, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%25) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<3x32x64xbf16>, %arg5: tensor<3x64x32xbf16>, %arg6: tensor<i32>, %arg7: tensor<16x32xbf16>, %arg8: tensor<3x16x32xbf16>):
      %25 = func.call @dynamic_index_in_dim(%arg4, %arg6) : (tensor<3x32x64xbf16>, tensor<i32>) -> tensor<32x64xbf16>
      %26 = func.call @dynamic_index_in_dim_0(%arg5, %arg6) : (tensor<3x64x32xbf16>, tensor<i32>) -> tensor<64x32xbf16>
      %27:2 = func.call @closed_call(%arg7, %25, %26) : (tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>) -> (tensor<16x32xbf16>, tensor<16x32xbf16>)
      %28 = func.call @dynamic_update_index_in_dim(%arg8, %27#1, %arg6) : (tensor<3x16x32xbf16>, tensor<16x32xbf16>, tensor<i32>) -> tensor<3x16x32xbf16>
      %29 = "stablehlo.add"(%arg6, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg4, %arg5, %29, %27#0, %28) : (tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<i32>, tensor<16x32xbf16>, tensor<3x16x32xbf16>) -> ()
    }) : (tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<i32>, tensor<16x32xbf16>, tensor<3x16x32xbf16>) -> (tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<i32>, tensor<16x32xbf16>, tensor<3x16x32xbf16>)
    %10 = "stablehlo.convert"(%9#3) : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %11 = "stablehlo.convert"(%arg3) : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %12 = "stablehlo.subtract"(%10, %11) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %14 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x32xf32>
    %15 = "stablehlo.multiply"(%14, %12) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %16 = "stablehlo.reduce"(%13, %2) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %25 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%25) : (tensor<f32>) -> ()
    }) : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.divide"(%16, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.divide"(%0, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16x32xf32>
    %20 = "stablehlo.multiply"(%19, %15) : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf32>
    %21 = "stablehlo.convert"(%20) : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %22 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x32x64xbf16>
    %23 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<3x64x32xbf16>
    %24:7 = "stablehlo.while"(%9#4, %arg0, %arg1, %6, %21, %22, %23) ({
    ^bb0(%arg4: tensor<3x16x32xbf16>, %arg5: tensor<3x32x64xbf16>, %arg6: tensor<3x64x32xbf16>, %arg7: tensor<i32>, %arg8: tensor<16x32xbf16>, %arg9: tensor<3x32x64xbf16>, %arg10: tensor<3x64x32xbf16>):
      %25 = "stablehlo.compare"(%arg7, %5) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%25) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<3x16x32xbf16>, %arg5: tensor<3x32x64xbf16>, %arg6: tensor<3x64x32xbf16>, %arg7: tensor<i32>, %arg8: tensor<16x32xbf16>, %arg9: tensor<3x32x64xbf16>, %arg10: tensor<3x64x32xbf16>):
      %25 = "stablehlo.subtract"(%5, %arg7) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %26 = "stablehlo.subtract"(%25, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %27 = func.call @dynamic_index_in_dim_1(%arg4, %26) : (tensor<3x16x32xbf16>, tensor<i32>) -> tensor<16x32xbf16>
      %28 = func.call @dynamic_index_in_dim(%arg5, %26) : (tensor<3x32x64xbf16>, tensor<i32>) -> tensor<32x64xbf16>
      %29 = func.call @dynamic_index_in_dim_0(%arg6, %26) : (tensor<3x64x32xbf16>, tensor<i32>) -> tensor<64x32xbf16>
      %30:3 = func.call @closed_call_2(%arg8, %27, %28, %29) : (tensor<16x32xbf16>, tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>) -> (tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>)
      %31 = func.call @dynamic_update_index_in_dim_3(%arg9, %30#1, %26) : (tensor<3x32x64xbf16>, tensor<32x64xbf16>, tensor<i32>) -> tensor<3x32x64xbf16>
      %32 = func.call @dynamic_update_index_in_dim_4(%arg10, %30#2, %26) : (tensor<3x64x32xbf16>, tensor<64x32xbf16>, tensor<i32>) -> tensor<3x64x32xbf16>
      %33 = "stablehlo.add"(%arg7, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg4, %arg5, %arg6, %33, %30#0, %31, %32) : (tensor<3x16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<i32>, tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>) -> ()
    }) : (tensor<3x16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<i32>, tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>) -> (tensor<3x16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<i32>, tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>)
    return %17, %24#5, %24#6 : tensor<f32>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x32x64xbf16>, %arg1: tensor<i32>) -> tensor<32x64xbf16> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.dynamic_slice"(%arg0, %arg1, %0, %0) <{slice_sizes = array<i64: 1, 32, 64>}> : (tensor<3x32x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x64xbf16>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x32x64xbf16>) -> tensor<32x64xbf16>
    return %2 : tensor<32x64xbf16>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x64x32xbf16>, %arg1: tensor<i32>) -> tensor<64x32xbf16> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.dynamic_slice"(%arg0, %arg1, %0, %0) <{slice_sizes = array<i64: 1, 64, 32>}> : (tensor<3x64x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x32xbf16>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x64x32xbf16>) -> tensor<64x32xbf16>
    return %2 : tensor<64x32xbf16>
  }
  func.func private @closed_call(%arg0: tensor<16x32xbf16>, %arg1: tensor<32x64xbf16>, %arg2: tensor<64x32xbf16>) -> (tensor<16x32xbf16>, tensor<16x32xbf16>) {
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x64xbf16>) -> tensor<16x64xf32>
    %1 = "stablehlo.convert"(%0) : (tensor<16x64xf32>) -> tensor<16x64xbf16>
    %2 = "stablehlo.tanh"(%1) : (tensor<16x64xbf16>) -> tensor<16x64xbf16>
    %3 = "stablehlo.dot_general"(%2, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x64xbf16>, tensor<64x32xbf16>) -> tensor<16x32xf32>
    %4 = "stablehlo.convert"(%3) : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %5 = "stablehlo.add"(%arg0, %4) : (tensor<16x32xbf16>, tensor<16x32xbf16>) -> tensor<16x32xbf16>
    return %5, %arg0 : tensor<16x32xbf16>, tensor<16x32xbf16>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x16x32xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<i32>) -> tensor<3x16x32xbf16> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x32xbf16>) -> tensor<1x16x32xbf16>
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %1, %arg2, %0, %0) : (tensor<3x16x32xbf16>, tensor<1x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x32xbf16>
    return %2 : tensor<3x16x32xbf16>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x16x32xbf16>, %arg1: tensor<i32>) -> tensor<16x32xbf16> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.dynamic_slice"(%arg0, %arg1, %0, %0) <{slice_sizes = array<i64: 1, 16, 32>}> : (tensor<3x16x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xbf16>
    %2 = "stablehlo.reshape"(%1) : (tensor<1x16x32xbf16>) -> tensor<16x32xbf16>
    return %2 : tensor<16x32xbf16>
  }
  func.func private @closed_call_2(%arg0: tensor<16x32xbf16>, %arg1: tensor<16x32xbf16>, %arg2: tensor<32x64xbf16>, %arg3: tensor<64x32xbf16>) -> (tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>) {
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %1:4 = "stablehlo.optimization_barrier"(%arg1, %arg2, %arg3, %arg0) : (tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>, tensor<16x32xbf16>) -> (tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>, tensor<16x32xbf16>)
    %2 = "stablehlo.dot_general"(%1#0, %1#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xbf16>, tensor<32x64xbf16>) -> tensor<16x64xf32>
    %3 = "stablehlo.convert"(%2) : (tensor<16x64xf32>) -> tensor<16x64xbf16>
    %4 = "stablehlo.tanh"(%3) : (tensor<16x64xbf16>) -> tensor<16x64xbf16>
    %5 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<16x64xbf16>
    %6 = "stablehlo.subtract"(%5, %4) : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x64xbf16>
    %7 = "stablehlo.convert"(%1#3) : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %8 = "stablehlo.convert"(%7) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %9 = "stablehlo.convert"(%4) : (tensor<16x64xbf16>) -> tensor<16x64xf32>
    %10 = "stablehlo.dot_general"(%8, %9) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<16x32xf32>, tensor<16x64xf32>) -> tensor<32x64xf32>
    %11 = "stablehlo.transpose"(%10) <{permutation = array<i64: 1, 0>}> : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %12 = "stablehlo.convert"(%11) : (tensor<64x32xf32>) -> tensor<64x32xbf16>
    %13 = "stablehlo.convert"(%7) : (tensor<16x32xf32>) -> tensor<16x32xf32>
    %14 = "stablehlo.convert"(%1#2) : (tensor<64x32xbf16>) -> tensor<64x32xf32>
    %15 = "stablehlo.dot_general"(%13, %14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<16x32xf32>, tensor<64x32xf32>) -> tensor<16x64xf32>
    %16 = "stablehlo.convert"(%15) : (tensor<16x64xf32>) -> tensor<16x64xbf16>
    %17 = "stablehlo.multiply"(%16, %6) : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x64xbf16>
    %18 = "stablehlo.multiply"(%17, %4) : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x64xbf16>
    %19 = "stablehlo.add"(%17, %18) : (tensor<16x64xbf16>, tensor<16x64xbf16>) -> tensor<16x64xbf16>
    %20 = "stablehlo.convert"(%19) : (tensor<16x64xbf16>) -> tensor<16x64xf32>
    %21 = "stablehlo.convert"(%20) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %22 = "stablehlo.convert"(%1#0) : (tensor<16x32xbf16>) -> tensor<16x32xf32>
    %23 = "stablehlo.dot_general"(%21, %22) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<16x64xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %24 = "stablehlo.transpose"(%23) <{permutation = array<i64: 1, 0>}> : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %25 = "stablehlo.convert"(%24) : (tensor<32x64xf32>) -> tensor<32x64xbf16>
    %26 = "stablehlo.convert"(%20) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    %27 = "stablehlo.convert"(%1#1) : (tensor<32x64xbf16>) -> tensor<32x64xf32>
    %28 = "stablehlo.dot_general"(%26, %27) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
    %29 = "stablehlo.convert"(%28) : (tensor<16x32xf32>) -> tensor<16x32xbf16>
    %30 = "stablehlo.add"(%1#3, %29) : (tensor<16x32xbf16>, tensor<16x32xbf16>) -> tensor<16x32xbf16>
    return %30, %25, %12 : tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x32xbf16>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<3x32x64xbf16>, %arg1: tensor<32x64xbf16>, %arg2: tensor<i32>) -> tensor<3x32x64xbf16> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<32x64xbf16>) -> tensor<1x32x64xbf16>
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %1, %arg2, %0, %0) : (tensor<3x32x64xbf16>, tensor<1x32x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x32x64xbf16>
    return %2 : tensor<3x32x64xbf16>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<3x64x32xbf16>, %arg1: tensor<64x32xbf16>, %arg2: tensor<i32>) -> tensor<3x64x32xbf16> {
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<64x32xbf16>) -> tensor<1x64x32xbf16>
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %1, %arg2, %0, %0) : (tensor<3x64x32xbf16>, tensor<1x64x32xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x32xbf16>
    return %2 : tensor<3x64x32xbf16>
  }
}

