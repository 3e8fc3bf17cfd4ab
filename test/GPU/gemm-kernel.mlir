// The shape of a GEMM kernel: what is copied, loaded and multiplied in a step of K, and no more.

// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_80 m=300 n=100 k=100 batch=2" \
// RUN:   | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a" \
// RUN:   | FileCheck %s --check-prefix=SM120
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="block=32 scale=ue4m3" \
// RUN:   | FileCheck %s --check-prefix=B32
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="column-multiple=8 result=bf16" \
// RUN:   | FileCheck %s --check-prefix=WIDE
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

// WIDE: gpu.func @{{.*}}_bf16_n8
// WIDE-COUNT-8: llvm.store {{.*}} {alignment = 16 : i64} : vector<8xbf16>, !llvm.ptr<1>
// WIDE-NOT: llvm.store

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
