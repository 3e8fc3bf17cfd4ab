// What is refused, with the numbers that matter.

// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a stages=3" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHARED
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=gfx942" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_81" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="result=bf16 accumulate" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=G3
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="column-multiple=8 m=4 n=12 k=16" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COLUMNS
// RUN: not ufp4-opt %s --ufp4-test-gemm-kernel="m=8388608 n=1 k=16" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GRID

module {}

// SHARED: error: schedule 128x128x64, 2x4 warps, 3 stages, mma_m16n8k16_bf16, cp_async on sm_120a: 110592 bytes of shared memory are needed, 3 stages of 36864; a block has at most 101376
// CHIP: error: no schedule fits: {{.*}} on gfx942: the chip has no mma_m16n8k16_bf16
// UNKNOWN: error: {{.*}}sm_81
// G3: error: a GEMM accumulates into f32 only (G3)
// COLUMNS: error: {{.*}} stores rows of C in runs of 8, which do not divide N = 12
// GRID: error: {{.*}} would need 65536 blocks along y; at most 65535 can be launched
