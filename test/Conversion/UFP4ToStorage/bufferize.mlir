// One-shot bufferization writes operands, results and accumulators in place.
// Breaks if the storage level's bufferization reads what it only writes, or the reverse.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_80 fail-on-fallback" \
// RUN:   -one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#two = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// CHECK-LABEL: @step(
// CHECK-SAME: %[[X:.*]]: memref<32x64xbf16>, %[[W:.*]]: memref<64x48xbf16>, %[[DY:.*]]: memref<32x48xf32>, %[[DW:.*]]: memref<64x48xf32>)
// CHECK-NOT: memref.copy
// CHECK: %[[XC:.*]] = memref.alloc() {{.*}} : memref<16384xi8>
// CHECK: %[[XS:.*]] = memref.alloc() {{.*}} : memref<2048xi8>
// CHECK: %[[YC:.*]] = memref.alloc() {{.*}} : memref<16384xi8>
// CHECK: %[[YS:.*]] = memref.alloc() {{.*}} : memref<2048xi8>
// CHECK: ufp4.quantize_into ins(%[[X]] : memref<32x64xbf16>) outs(%[[XC]], %[[XS]], %[[YC]], %[[YS]] :
// CHECK-NOT: memref.copy
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}} : memref<32x48xbf16>
// CHECK: ufp4.block_gemm lhs(%[[XC]], %[[XS]] : {{.*}} outs(%[[OUT]] : memref<32x48xbf16>)
// CHECK-NOT: memref.copy
// CHECK: ufp4.block_gemm lhs(%[[YC]], %[[YS]] : {{.*}} outs(%[[DW]] : memref<64x48xf32>) accumulate
// CHECK-NOT: memref.copy
// CHECK: return %[[OUT]]
func.func @step(%x: tensor<32x64xbf16>, %w: tensor<64x48xbf16>, %dy: tensor<32x48xf32>, %dw: tensor<64x48xf32>) -> (tensor<32x48xbf16>, tensor<64x48xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<32x64xbf16> -> !ufp4.tensor<32x64, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<64x48xbf16> -> !ufp4.tensor<64x48, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<32x64, #f, along = 1>, !ufp4.tensor<64x48, #f, along = 0> -> tensor<32x48xbf16>
  %c = ufp4.quantize %x along 0 : tensor<32x64xbf16> -> !ufp4.tensor<32x64, #f, along = 0>
  %d = ufp4.quantize %dy along 0 : tensor<32x48xf32> -> !ufp4.tensor<32x48, #f, along = 0>
  %z = ufp4.matmul %c, %d accumulate(%dw : tensor<64x48xf32>) : !ufp4.tensor<32x64, #f, along = 0>, !ufp4.tensor<32x48, #f, along = 0> -> tensor<64x48xf32>
  return %y, %z : tensor<32x48xbf16>, tensor<64x48xf32>
}

// An accumulator that is read again is copied.
// CHECK-LABEL: @read_again(
// CHECK: memref.copy
// CHECK: ufp4.block_gemm
func.func @read_again(%x: tensor<32x64xbf16>, %c: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<32x64xbf16> -> !ufp4.tensor<32x64, #f, along = 1>
  %y = ufp4.matmul %a, %a accumulate(%c : tensor<32x32xf32>) : !ufp4.tensor<32x64, #f, along = 1>, !ufp4.tensor<32x64, #f, along = 1> -> tensor<32x32xf32>
  return %y, %c : tensor<32x32xf32>, tensor<32x32xf32>
}

// A maximum is raised where its zero lies, and read there.
// CHECK-LABEL: @maximum(
// CHECK-NOT: memref.copy
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[MAX:.*]] : memref<f32>)
// CHECK: ufp4.amax_into {{.*}} outs(%[[MAX]] : memref<f32>)
// CHECK: ufp4.quantize_into {{.*}} amax(%[[MAX]] : memref<f32>)
// CHECK-NOT: memref.copy
// CHECK: return
func.func @maximum(%x: tensor<32x64xbf16>) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 : tensor<32x64xbf16> -> !ufp4.tensor<32x64, #two, along = 1>
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x64, #two, along = 1>, !ufp4.tensor<32x64, #two, along = 1> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// A sum over a loop stays where it is.
// CHECK-LABEL: @loop(
// CHECK-SAME: %[[SUM:[a-z0-9]*]]: memref<32x32xf32>, %{{[a-z0-9]*}}: index)
// CHECK-NOT: memref.copy
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %[[SUM]])
// CHECK-NOT: memref.copy
// CHECK: ufp4.block_gemm {{.*}} outs(%[[S]] : memref<32x32xf32>) accumulate
// CHECK-NOT: memref.copy
// CHECK: return
func.func @loop(%x: tensor<32x32xf32>, %sum: tensor<32x32xf32>, %n: index) -> tensor<32x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %q = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %sum) -> tensor<32x32xf32> {
    %y = ufp4.matmul %q, %q accumulate(%s : tensor<32x32xf32>) : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
    scf.yield %y : tensor<32x32xf32>
  }
  return %r : tensor<32x32xf32>
}
