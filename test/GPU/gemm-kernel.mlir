// The shape of a GEMM kernel: what is copied, loaded and multiplied in a step of K, and no more.

// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_80 m=300 n=100 k=100 batch=2" \
// RUN:   | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a" \
// RUN:   | FileCheck %s --check-prefix=SM120
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="block=32 scale=ue4m3 path=post" \
// RUN:   | FileCheck %s --check-prefix=B32
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_90a scale=ue4m3 k=100 m=300 n=100" \
// RUN:   | FileCheck %s --check-prefix=FOLD
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="column-multiple=8 result=bf16" \
// RUN:   | FileCheck %s --check-prefix=WIDE
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="result=bf16 bias=f32 column-multiple=8" \
// RUN:   | FileCheck %s --check-prefix=BIAS
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 m=300 n=100 k=300" \
// RUN:   | FileCheck %s --check-prefix=FUSED
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_121a format=e2m1 scale=ue8m0 block=32 path=native" \
// RUN:   | FileCheck %s --check-prefix=FUSED2X
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 storage=natural transport=cp_async_rows depth-multiple=64 m=300 n=100 k=320" \
// RUN:   | FileCheck %s --check-prefix=ROWS
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 storage=natural transport=cp_async_rows depth-multiple=256" \
// RUN:   | FileCheck %s --check-prefix=WHOLE
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 storage=natural depth-multiple=256 m=300 n=100 k=512" \
// RUN:   | FileCheck %s --check-prefix=TENSOR
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 transport=bulk m=300 n=100 k=300" \
// RUN:   | FileCheck %s --check-prefix=BULK
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_100a format=e2m1 scale=ue4m3 tile=128x128 m=300 n=300 k=300" \
// RUN:   | FileCheck %s --check-prefix=TILE128
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_100a format=e2m1 scale=ue4m3 tile=256x256 m=300 n=300 k=300" \
// RUN:   | FileCheck %s --check-prefix=PAIR
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a scale=ue4m3" \
// RUN:   | FileCheck %s --check-prefix=UNIFORM
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 form=llvm" | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_120a -mattr=+ptx90 -O3 | FileCheck %s --check-prefix=PTX120
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="form=llvm" | mlir-translate --mlir-to-llvmir \
// RUN:   | llc -march=nvptx64 -mcpu=sm_80 -mattr=+ptx80 -O3 | FileCheck %s --check-prefix=PTX

module {}

// CHECK: ufp4.launch = {
// CHECK-SAME: arguments = ["codes_a", "scales_a", "codes_b", "scales_b", "result", "m", "n", "depth_tiles"]
// CHECK-SAME: depth_tiles = 2
// CHECK-SAME: dynamic_shared_bytes = 147456
// CHECK-SAME: grid = array<i64: 1, 3, 2>
// CHECK-SAME: storage = "tile_major_bf16"
// CHECK-SAME: threads = 256
// CHECK: gpu.func @[[NAME:ufp4_gemm_b16_mma_m16n8k16_bf16_128x128x64_s4_f32]](
// CHECK-SAME: kernel
// Three of four stages are filled ahead: four 16-byte copies of each operand's codes and one for the
// scales of both.
// CHECK-COUNT-27: nvvm.cp.async.shared.global
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 2
// CHECK-NEXT: gpu.barrier
// CHECK-COUNT-9: nvvm.cp.async.shared.global
// CHECK-NOT: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// One product for each 16 x 8 part of 64 x 32, each block of 16.
// CHECK-COUNT-64: nvvm.mma.sync
// CHECK-NOT: nvvm.mma.sync
// CHECK: scf.yield
// CHECK: nvvm.cp.async.wait.group 0

// Two stages fit into 99 KiB.
// SM120: gpu.func @{{.*}}_s2_f32
// SM120: nvvm.cp.async.wait.group 0

// Two products, one on top of the other, for a block of 32; one scaling.
// B32: gpu.func @{{.*}}_b32_{{.*}}_global
// B32: scf.for
// B32: %[[LOW:.*]] = nvvm.mma.sync
// B32: %[[SUM:.*]] = llvm.extractvalue %[[LOW]][0]
// B32: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[%[[SUM]],
// B32-COUNT-62: nvvm.mma.sync
// B32-NOT: nvvm.mma.sync

// Scales are in the operands: four steps of eight matrix loads and 32 products a stage, nothing
// between them.
// FOLD: arguments = ["codes_a", "codes_b", "result", "global_a", "global_b", "m", "n", "depth_tiles"]
// FOLD-SAME: dynamic_shared_bytes = 98304
// FOLD-SAME: storage = "tile_major_folded"
// FOLD: gpu.func @ufp4_gemm_b16_mma_m16n8k16_bf16_fold_128x128x64_s3_f32_global(
// FOLD: scf.for
// FOLD: nvvm.cp.async.wait.group 1
// FOLD-NEXT: gpu.barrier
// FOLD-COUNT-16: nvvm.cp.async.shared.global
// FOLD-NOT: nvvm.cp.async.shared.global
// FOLD-COUNT-8: nvvm.ldmatrix
// FOLD-NOT: llvm.load
// FOLD-COUNT-32: nvvm.mma.sync
// FOLD-COUNT-8: nvvm.ldmatrix
// FOLD-NOT: {{mulf|fma}}
// FOLD-COUNT-96: nvvm.mma.sync
// FOLD-NOT: nvvm.mma.sync
// FOLD: scf.yield

// WIDE: gpu.func @{{.*}}_bf16_n8
// WIDE-COUNT-8: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
// WIDE-NOT: llvm.store

// The bias of a lane's eight columns is loaded once, and rounded with the sum.
// BIAS: gpu.func @{{.*}}_bf16_bias_f32_n8
// BIAS: nvvm.cp.async.wait.group 0
// BIAS-COUNT-2: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// BIAS-NOT: llvm.load
// BIAS: arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
// BIAS-NOT: llvm.load

// A step of the ring is 256 deep: four steps of eight matrix loads and 32 products, all scales by
// four loads before them.
// FUSED: arguments = ["codes_a", "scales_a", "codes_b", "scales_b", "result", "global_a", "global_b", "m", "n", "depth_tiles"]
// FUSED-SAME: depth_tiles = 2
// FUSED-SAME: dynamic_shared_bytes = 73728
// FUSED-SAME: storage = "tile_major_4bit"
// FUSED-SAME: threads = 128
// FUSED: gpu.func @ufp4_gemm_b16_mma_m16n8k64_e2m1_ue4m3_128x128x256_s2_f32_global(
// FUSED: scf.for
// FUSED: nvvm.cp.async.wait.group 0
// FUSED-NEXT: gpu.barrier
// FUSED-COUNT-18: nvvm.cp.async.shared.global
// FUSED-NOT: nvvm.cp.async.shared.global
// FUSED-COUNT-8: nvvm.ldmatrix
// FUSED-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xi32>
// FUSED-COUNT-32: nvvm.mma.block_scale
// FUSED-COUNT-8: nvvm.ldmatrix
// FUSED-COUNT-32: nvvm.mma.block_scale
// FUSED-COUNT-8: nvvm.ldmatrix
// FUSED-COUNT-32: nvvm.mma.block_scale
// FUSED-COUNT-8: nvvm.ldmatrix
// FUSED-COUNT-32: nvvm.mma.block_scale
// FUSED-NOT: nvvm.mma.block_scale
// FUSED: scf.yield

// FUSED2X: gpu.func @ufp4_gemm_b32_mma_m16n8k64_e2m1_ue8m0_128x128x256_s2_f32(
// FUSED2X: nvvm.mma.block_scale {{.*}}block_scale_format<ue8m0>{{.*}}block_scale_kind<mxf4>{{.*}}x2
// FUSED2X-COUNT-127: nvvm.mma.block_scale
// FUSED2X-NOT: nvvm.mma.block_scale

// Rows of operands made elsewhere: 16 pieces of codes and eight of scales a thread. Each of four
// pieces of a row asks whether it lies behind Kp, for all rows.
// ROWS: arguments = ["codes_a", "scales_a", "codes_b", "scales_b", "result", "global_a", "global_b", "m", "n", "depth"]
// ROWS-SAME: depth_tiles = 2
// ROWS-SAME: storage = "natural"
// ROWS: gpu.func @ufp4_gemm_b16_mma_m16n8k64_e2m1_ue4m3_128x128x256_s2_f32_global_cp_async_rows_k64(
// ROWS: scf.for
// ROWS: nvvm.cp.async.wait.group 0
// ROWS-NEXT: gpu.barrier
// ROWS: %[[FIRST:.*]] = arith.select
// ROWS-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, %[[FIRST]]
// ROWS: %[[SECOND:.*]] = arith.select
// ROWS-COUNT-4: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg, %[[SECOND]]
// ROWS-COUNT-8: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg
// ROWS-COUNT-8: nvvm.cp.async.shared.global {{.*}}, 4, cache = ca
// ROWS-NOT: nvvm.cp.async.shared.global
// ROWS-COUNT-128: nvvm.mma.block_scale
// ROWS-NOT: nvvm.mma.block_scale

// Where Kp is a multiple of a tile's depth nothing lies behind it.
// WHOLE: scf.for
// WHOLE-NOT: arith.select
// WHOLE-COUNT-18: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg :
// WHOLE-NOT: nvvm.cp.async.shared.global
// WHOLE-NOT: arith.select
// WHOLE: nvvm.mma.block_scale

// One thread of each of four warps copies a box of both operands, whose ends their tensor maps know;
// scales, a row of 16 bytes of each a thread, complete by group.
// TENSOR: dynamic_shared_bytes = 75776
// TENSOR-SAME: storage = "natural"
// TENSOR: gpu.func @{{.*}}_global_tensor_rows_k256(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>}
// TENSOR-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
// TENSOR: scf.for
// TENSOR: nvvm.cp.async.wait.group 0
// TENSOR: llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"
// TENSOR: gpu.barrier
// TENSOR: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta"
// TENSOR-COUNT-2: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d"
// TENSOR-COUNT-2: nvvm.cp.async.shared.global {{.*}}, 16, cache = cg :
// TENSOR-NOT: cp.async.{{shared|bulk}}
// TENSOR-COUNT-128: nvvm.mma.block_scale

// A barrier in each stage, which one thread tells what is to come; all ask it, and ask again.
// BULK: dynamic_shared_bytes = 73984
// BULK-SAME: storage = "tile_major_4bit"
// BULK: gpu.func @{{.*}}_global_bulk(
// BULK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.mbarrier.init.shared"
// BULK: llvm.call_intrinsic "llvm.nvvm.fence.mbarrier_init.release.cluster"
// BULK: nvvm.barrier
// BULK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.global.to.shared.cta"
// BULK: scf.for
// BULK: scf.while
// BULK: llvm.call_intrinsic "llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta"
// BULK: gpu.barrier
// BULK: scf.if
// BULK: llvm.call_intrinsic "llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta"
// BULK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.cp.async.bulk.global.to.shared.cta"
// BULK-NOT: cp.async
// BULK-COUNT-128: nvvm.mma.block_scale

// The uniform grid has no documented instruction of its own.
// UNIFORM: gpu.func @ufp4_gemm_b16_mma_m16n8k16_bf16_fold_

// PTX120-NOT: .local
// PTX120-COUNT-128: mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3
// PTX120-NOT: mma.sync

// Registers hold everything; f32 arithmetic rounds as IEEE does.
// PTX-NOT: .local
// PTX-NOT: {{\.ftz|\.approx}}
// PTX: .entry ufp4_gemm
// PTX: .maxntid 256
// PTX: cp.async.cg.shared.global
// PTX: ldmatrix.sync.aligned.m8n8.x4
// PTX: ld.shared.v4.{{f32|b32}}
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// PTX: mul.rn.f32
// PTX: fma.rn.f32
// PTX-NOT: .local
// PTX-NOT: {{\.ftz|\.approx}}

// Tiles of one block, and of two.
// TILE128: grid = array<i64: 3, 3, 1>
// PAIR: grid = array<i64: 2, 4, 1>
