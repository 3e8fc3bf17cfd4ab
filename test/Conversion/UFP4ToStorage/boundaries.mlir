// Quantized values cross functions, loops, conditionals and branches as their buffers where GEMMs
// read them there, and as they are where somebody reads their value.
// Breaks if a boundary is missed, or converted for a reader that needs the value.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage=target=sm_80 -verify-diagnostics -split-input-file | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#two = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
!x = !ufp4.tensor<32x32, #f, along = 1>
!t = !ufp4.tensor<32x32, #two, along = 1>

// CHECK-NOT: unrealized_conversion_cast
// CHECK-LABEL: func.func private @external(tensor<16384xi8>, tensor<0xi8>, tensor<f32>) -> (tensor<16384xi8>, tensor<0xi8>, tensor<f32>)
func.func private @external(%q: !t) -> !t

// CHECK-LABEL: func.func private @callee
// CHECK-SAME: (%[[C:.*]]: tensor<16384xi8> {a.b}, %[[S:.*]]: tensor<2048xi8> {a.b}, %{{.*}}: i1) -> (tensor<32x32xf32>, tensor<16384xi8>, tensor<2048xi8>)
// CHECK: %[[Y:.*]] = ufp4.block_gemm lhs(%[[C]], %[[S]] :
// CHECK: return %[[Y]], %[[C]], %[[S]]
func.func private @callee(%q: !x {a.b}, %b: i1) -> (tensor<32x32xf32>, !x) {
  %y = ufp4.matmul %q, %q : !x, !x -> tensor<32x32xf32>
  return %y, %q : tensor<32x32xf32>, !x
}

// CHECK-LABEL: @caller(
// CHECK: %[[Q:.*]]:2 = ufp4.quantize_into
// CHECK: %[[R:.*]]:3 = {{.*}}call @callee(%[[Q]]#0, %[[Q]]#1, %{{.*}})
// CHECK: ufp4.block_gemm lhs(%[[R]]#1, %[[R]]#2 :
func.func @caller(%x: tensor<32x32xf32>, %b: i1) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %q = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !x
  %y, %p = call @callee(%q, %b) : (!x, i1) -> (tensor<32x32xf32>, !x)
  %z = ufp4.matmul %p, %q : !x, !x -> tensor<32x32xf32>
  return %y, %z : tensor<32x32xf32>, tensor<32x32xf32>
}

// CHECK-LABEL: @with_global(
// CHECK: %[[Q:.*]]:3 = ufp4.quantize_into
// CHECK: %[[R:.*]]:3 = call @external(%[[Q]]#0, %[[Q]]#1, %[[Q]]#2)
// CHECK: ufp4.block_gemm lhs(%[[R]]#0, %[[R]]#1, %[[R]]#2 :
func.func @with_global(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %q = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !t
  %r = call @external(%q) : (!t) -> !t
  %y = ufp4.matmul %r, %r : !t, !t -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// CHECK-LABEL: @loop(
// CHECK: %[[Q:.*]]:2 = ufp4.quantize_into
// CHECK: scf.for {{.*}} iter_args(%[[C:.*]] = %[[Q]]#0, %[[S:.*]] = %[[Q]]#1, %[[SUM:.*]] = %{{.*}}) -> (tensor<16384xi8>, tensor<2048xi8>, tensor<32x32xf32>)
// CHECK: ufp4.block_gemm lhs(%[[C]], %[[S]] : {{.*}} outs(%[[SUM]] : tensor<32x32xf32>) accumulate
// CHECK: %[[N:.*]]:2 = ufp4.quantize_into
// CHECK: scf.yield %[[N]]#0, %[[N]]#1
func.func @loop(%x: tensor<32x32xf32>, %sum: tensor<32x32xf32>, %n: index) -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !x
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %q, %s = %sum) -> (!x, tensor<32x32xf32>) {
    %y = ufp4.matmul %p, %p accumulate(%s : tensor<32x32xf32>) : !x, !x -> tensor<32x32xf32>
    %next = ufp4.quantize %y along 1 : tensor<32x32xf32> -> !x
    scf.yield %next, %y : !x, tensor<32x32xf32>
  }
  return %r#1 : tensor<32x32xf32>
}

// CHECK-LABEL: @conditions(
// CHECK: %[[IF:.*]]:2 = scf.if %{{.*}} -> (tensor<16384xi8>, tensor<2048xi8>)
// CHECK: %[[C:.*]] = arith.select %{{.*}}, %[[IF]]#0, %{{.*}} : tensor<16384xi8>
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %[[IF]]#1, %{{.*}} : tensor<2048xi8>
// CHECK: scf.while (%{{.*}} = %[[C]], %{{.*}} = %[[S]])
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}}, %{{.*}} : tensor<16384xi8>, tensor<2048xi8>), ^bb1(
// CHECK: ^bb1(%{{.*}}: tensor<16384xi8>, %{{.*}}: tensor<2048xi8>):
// CHECK: ufp4.block_gemm
func.func @conditions(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>, %b: i1) -> tensor<32x32xf32> {
  %q = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !x
  %p = ufp4.quantize %w along 1 : tensor<32x32xf32> -> !x
  %i = scf.if %b -> !x {
    scf.yield %q : !x
  } else {
    scf.yield %p : !x
  }
  %s = arith.select %b, %i, %p : !x
  %v = scf.while (%u = %s) : (!x) -> !x {
    scf.condition(%b) %u : !x
  } do {
  ^bb0(%u: !x):
    scf.yield %u : !x
  }
  cf.cond_br %b, ^bb1(%v : !x), ^bb1(%q : !x)
^bb1(%r: !x):
  %y = ufp4.matmul %r, %r : !x, !x -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// A constant is packed where it enters.
// CHECK-LABEL: @constant(
// CHECK: %[[S:.*]] = arith.constant dense<{{.*}}> : tensor<2048xi8>
// CHECK: return %{{.*}}, %[[S]] : tensor<16384xi8>, tensor<2048xi8>
func.func private @constant() -> !ufp4.tensor<1x16, #f, along = 1> {
  %0 = ufp4.constant <codes = dense<7> : tensor<1x16xi8>, scales = dense<1.0> : tensor<1x1xf32>> : !ufp4.tensor<1x16, #f, along = 1>
  return %0 : !ufp4.tensor<1x16, #f, along = 1>
}

// -----

// What reads the value decides for every boundary of the type, and for the GEMMs behind them; a
// GEMM that quantizes for itself does not mind.
#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
!x = !ufp4.tensor<32x32, #f, along = 1>
!w = !ufp4.tensor<16x32, #f, along = 1>

// CHECK-LABEL: @reads_value(
// CHECK-SAME: %{{.*}}: !ufp4.tensor<32x32,
func.func private @reads_value(%q: !x) -> tensor<32x32xf32> {
  %y = ufp4.dequantize %q : !x -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// CHECK-LABEL: @gemm_behind(
// CHECK-SAME: %{{.*}}: !ufp4.tensor<32x32, {{.*}}, %{{.*}}: !ufp4.tensor<16x32,
// CHECK: ufp4.matmul
func.func private @gemm_behind(%q: !x, %p: !w) -> tensor<32x16xf32> {
  // expected-remark @below {{left at the value level: an operand crosses functions or loops as a value: 'ufp4.dequantize' reads it}}
  %y = ufp4.matmul %q, %p : !x, !w -> tensor<32x16xf32>
  return %y : tensor<32x16xf32>
}

// CHECK-LABEL: @also_behind(
// CHECK-SAME: %{{.*}}: !ufp4.tensor<16x32,
// CHECK: ufp4.matmul
func.func private @also_behind(%p: !w) -> tensor<16x16xf32> {
  // expected-remark @below {{left at the value level: an operand crosses functions or loops as a value: a matmul that is left at the value level reads it}}
  %y = ufp4.matmul %p, %p : !w, !w -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

// CHECK-LABEL: @not_behind(
// CHECK: %[[INTO:.*]]:2 = ufp4.quantize_into
// CHECK: %[[Q:.*]] = ufp4.quantize %
// CHECK: ufp4.block_gemm lhs(%[[INTO]]#0
// CHECK: call @reads_value(%[[Q]])
func.func @not_behind(%x: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  // expected-remark @below {{quantizes at the value level: no kernel serves 'func.call', which reads it}}
  %q = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !x
  %y = ufp4.matmul %q, %q : !x, !x -> tensor<32x32xf32>
  %z = call @reads_value(%q) : (!x) -> tensor<32x32xf32>
  return %y, %z : tensor<32x32xf32>, tensor<32x32xf32>
}

// -----

// A type that a region of another operation yields, or that a function value holds.
#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
!x = !ufp4.tensor<32x32, #f, along = 1>
!w = !ufp4.tensor<16x32, #f, along = 1>
// CHECK-LABEL: @elsewhere(
// CHECK: scf.execute_region -> !ufp4.tensor<32x32,
// CHECK: ufp4.matmul
// CHECK: constant @holds : (!ufp4.tensor<16x32, {{.*}}) -> ()
func.func @elsewhere(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %q = scf.execute_region -> !x {
    // expected-remark @below {{quantizes at the value level: no kernel serves 'scf.yield', which reads it}}
    %p = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !x
    scf.yield %p : !x
  }
  // expected-remark @below {{left at the value level: the lhs is computed by 'scf.execute_region'}}
  %y = ufp4.matmul %q, %q : !x, !x -> tensor<32x32xf32>
  %f = func.constant @holds : (!w) -> ()
  return %y : tensor<32x32xf32>
}
// CHECK: func.func private @holds(!ufp4.tensor<16x32,
func.func private @holds(!w)
// The type crosses in a storage all the same where it can.
// CHECK-LABEL: @carried(
// CHECK-SAME: tensor<16384xi8>
func.func private @carried(%q: !x) -> tensor<32x32xf32> {
  %y = ufp4.matmul %q, %q : !x, !x -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
