// RUN: ufp4-opt %s --ufp4-to-vector="lanes=16 dot=plain" --canonicalize --cse --split-input-file | FileCheck %s
// RUN: ufp4-opt %s --ufp4-to-vector="lanes=16 dot=plain" --canonicalize --cse --split-input-file --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s --check-prefix=BUFFER
// RUN: ufp4-opt %s --pass-pipeline="builtin.module(ufp4-to-vector{lanes=8})" --split-input-file | FileCheck %s --check-prefix=EIGHT
// RUN: not ufp4-opt %s --pass-pipeline="builtin.module(ufp4-to-vector{lanes=12})" --split-input-file 2>&1 | FileCheck %s --check-prefix=LANES

// RUN: not ufp4-opt %s --pass-pipeline="builtin.module(ufp4-to-vector{dot=mma})" --split-input-file 2>&1 | FileCheck %s --check-prefix=DOT
// RUN: not ufp4-opt %s --pass-pipeline="builtin.module(ufp4-to-vector{cpu=zmver3})" --split-input-file 2>&1 | FileCheck %s --check-prefix=CPU

// DOT: error: ufp4-to-vector: dot is one of vpdpbusd-512, pmaddubsw-512, vpdpbusd-256, pmaddubsw-256, plain, found 'mma'
// CPU: error: ufp4-to-vector: LLVM knows no 64-bit processor 'zmver3'
// LANES: error: ufp4-to-vector: lanes is a power of two from 4 to 16, found 12

// One pass over memory, in place: two results are all that is allocated, nothing is copied.

#rht = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>

// K innermost: sixteen runs of a row at a time, contiguous in and out.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[R:.*]] = %c0 to %c8 step %c1 iter_args
// CHECK: scf.for %[[T:.*]] = %c0 to %c32 step %c16 iter_args
// CHECK-COUNT-16: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<8x512xbf16>, vector<16xbf16>
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write {{.*}} : vector<16xf32>, tensor<8x32xf32>
// CHECK: vector.transfer_write {{.*}} : vector<256xi8>, tensor<8x512xi8>
// CHECK-NOT: vector.transfer_write
// CHECK: return
// BUFFER-LABEL: func.func @rows
// BUFFER-COUNT-2: memref.alloc
// BUFFER-NOT: {{memref.alloc|memref.copy|linalg.copy}}
// BUFFER: return
// EIGHT-LABEL: func.func @rows
// EIGHT: vector.transfer_write {{.*}} : vector<128xi8>, tensor<8x512xi8>
func.func @rows(%x: tensor<8x512xbf16>) -> !ufp4.tensor<8x512, #rht, along = 1> {
  %0 = ufp4.quantize %x along 1 : tensor<8x512xbf16> -> !ufp4.tensor<8x512, #rht, along = 1>
  return %0 : !ufp4.tensor<8x512, #rht, along = 1>
}

// -----

#rht = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>

// K outermost: sixteen columns at a time, the last ones moved back to end with the row.
// CHECK-LABEL: func.func @columns
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 iter_args
// CHECK: scf.for %{{.*}} = %c0 to %c40 step %c16 iter_args
// CHECK: arith.minui
// CHECK-COUNT-16: vector.transfer_read %arg0{{.*}} {in_bounds = [true]} : tensor<64x40xbf16>, vector<16xbf16>
// CHECK-NOT: vector.transfer_read
// CHECK-COUNT-16: vector.transfer_write {{.*}} : vector<1xf32>, tensor<40x4xf32>
// CHECK-COUNT-16: vector.transfer_write {{.*}} : vector<16xi8>, tensor<40x64xi8>
// BUFFER-LABEL: func.func @columns
// BUFFER-COUNT-2: memref.alloc
// BUFFER-NOT: {{memref.alloc|memref.copy|linalg.copy}}
// BUFFER: return
func.func @columns(%x: tensor<64x40xbf16>) -> !ufp4.tensor<64x40, #rht, along = 0> {
  %0 = ufp4.quantize %x along 0 : tensor<64x40xbf16> -> !ufp4.tensor<64x40, #rht, along = 0>
  return %0 : !ufp4.tensor<64x40, #rht, along = 0>
}

// -----

#nv = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

// Two-level scales need the maximum first, unless it is given.
// CHECK-LABEL: func.func @twoPasses
// CHECK: scf.for {{.*}} -> (vector<16xi32>)
// CHECK: vector.reduction <maxui>
// CHECK: scf.for {{.*}} -> (tensor<8x512xi8>, tensor<8x32xi8>)
// CHECK-LABEL: func.func @onePass
// CHECK-NOT: vector.reduction
func.func @twoPasses(%x: tensor<8x512xbf16>) -> !ufp4.tensor<8x512, #nv, along = 1> {
  %0 = ufp4.quantize %x along 1 : tensor<8x512xbf16> -> !ufp4.tensor<8x512, #nv, along = 1>
  return %0 : !ufp4.tensor<8x512, #nv, along = 1>
}
func.func @onePass(%x: tensor<8x512xbf16>, %a: f32) -> !ufp4.tensor<8x512, #nv, along = 1> {
  %0 = ufp4.quantize %x along 1 amax(%a)
         : tensor<8x512xbf16> -> !ufp4.tensor<8x512, #nv, along = 1>
  return %0 : !ufp4.tensor<8x512, #nv, along = 1>
}

// -----

#square = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>

// Maxima of 2-D blocks cross rows: first those of rows, then of blocks, then the codes.
// CHECK-LABEL: func.func @squares
// CHECK: scf.for {{.*}} -> (tensor<40x2xi32>)
// CHECK: tensor.pad {{.*}} low[0, 0] high[8, 0]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]
// CHECK: scf.for {{.*}} -> (tensor<40x32xi8>)
func.func @squares(%x: tensor<40x32xbf16>, %a: f32) -> !ufp4.tensor<40x32, #square, along = 1> {
  %0 = ufp4.quantize %x along 1 amax(%a)
         : tensor<40x32xbf16> -> !ufp4.tensor<40x32, #square, along = 1>
  return %0 : !ufp4.tensor<40x32, #square, along = 1>
}
