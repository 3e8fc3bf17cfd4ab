// What is refused, with the numbers that matter.

// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a stages=3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=gfx1250" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_81" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="result=bf16 accumulate" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=G3
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="column-multiple=8 m=4 n=12 k=16" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COLUMNS
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="m=8388608 n=1 k=16" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GRID
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_100a scale=ue4m3 path=native storage=natural" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PERMISSION
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 path=native" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SCALES
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_100a format=e2m1 scale=ue8m0 block=32 path=container storage=natural" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CONTAINER
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="path=fold" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLD
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="path=native" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NATIVE
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 storage=natural transport=tensor_rows depth-multiple=80" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEPTH
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 storage=natural depth-multiple=64 m=4 n=4 k=96" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PIECES
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_80 storage=natural depth-multiple=64" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STORAGE
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_80 transport=bulk" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TRANSPORT
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_100a format=e2m1 scale=ue4m3 tile=256x128" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TILE

module {}

// SHARED: error: schedule 128x128x64, 2x4 warps, 3 stages, mma_m16n8k16_bf16, cp_async on sm_120a: 110592 bytes of shared memory are needed, 3 stages of 36864; a block has at most 101376
// CHIP: error: no schedule fits: gfx1250 has no native path for e1m2 with f32 scales per 16: {{.*}}; gfx1250 has no post path for e1m2 with f32 scales per 16
// UNKNOWN: error: {{.*}}sm_81
// G3: error: a GEMM accumulates into f32 only (G3)
// COLUMNS: error: {{.*}} stores rows of C in runs of 8, which do not divide N = 12
// GRID: error: {{.*}} would need 65536 blocks along y; at most 65535 can be launched
// PERMISSION: error: no schedule fits: there is no kernel for e1m2 with ue4m3 scales per 16 in storage natural on the native path of sm_100a, which is tcgen05.mma kind::mxf4nvf4 block16, element format 0 (by permission)
// SCALES: error: no schedule fits: sm_120a has no native path for e2m1 with f32 scales per 16: that path takes {{.*}}e2m1 with ue4m3 scales per 16; e2m1 with ue8m0 scales per 32
// CONTAINER: error: no schedule fits: there is no kernel for e2m1 with ue8m0 scales per 32 in storage natural on the container path of sm_100a
// FOLD: error: no schedule fits: sm_80 has no fold path for e1m2 with f32 scales per 16: that path takes e1m2, e2m1 with ue4m3, ue8m0
// NATIVE: error: no schedule fits: sm_80 has no native path for e1m2 with f32 scales per 16: it has no such path for any scheme, but for this one it has post
// DEPTH: error: K must be a multiple of 32 for tensor_rows of e2m1 with ue4m3 scales per 16 in storage natural, and is known to be one of 80: pad K, or quantize into storage tile_major_4bit
// PIECES: copies rows in pieces of 64 positions, which do not divide K = 96
// STORAGE: there is no kernel for e1m2 with f32 scales per 16 in storage natural on the post path of sm_80
// TRANSPORT: schedule {{.*}}, bulk on sm_80: the chip has no bulk
// TILE: error: tile: no schedule of tcgen05_e2m1_ue4m3 has 256x128
