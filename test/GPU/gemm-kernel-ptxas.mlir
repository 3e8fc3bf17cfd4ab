// NVIDIA's assembler takes the kernel for every generation and finds room for it in registers.
// REQUIRES: ptxas

// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_80 form=llvm" | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -march=nvptx64 -mcpu=sm_80 -mattr=+ptx80 -O3 -disable-lsr --nvptx-short-ptr %t.ll -o %t.80.ptx
// RUN: %ptxas -arch=sm_80 -v %t.80.ptx -o %t.80.cubin 2>&1 | FileCheck %s
// RUN: llc -march=nvptx64 -mcpu=sm_90a -mattr=+ptx80 -O3 -disable-lsr --nvptx-short-ptr %t.ll -o %t.90.ptx
// RUN: %ptxas -arch=sm_90a -v %t.90.ptx -o %t.90.cubin 2>&1 | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_100a form=llvm" | mlir-translate --mlir-to-llvmir -o %t.100.ll
// RUN: llc -march=nvptx64 -mcpu=sm_100a -mattr=+ptx90 -O3 -disable-lsr --nvptx-short-ptr %t.100.ll -o %t.100.ptx
// RUN: FileCheck %s --check-prefix=PAIRS < %t.100.ptx
// RUN: %ptxas -arch=sm_100a -v %t.100.ptx -o %t.100.cubin 2>&1 | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a form=llvm" | mlir-translate --mlir-to-llvmir -o %t.120.ll
// RUN: llc -march=nvptx64 -mcpu=sm_120a -mattr=+ptx90 -O3 -disable-lsr --nvptx-short-ptr %t.120.ll -o %t.120.ptx
// RUN: %ptxas -arch=sm_120a -v %t.120.ptx -o %t.120.cubin 2>&1 | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_80 block=32 scale=ue4m3 path=post alpha accumulate column-multiple=8 form=llvm" | mlir-translate --mlir-to-llvmir -o %t.32.ll
// RUN: llc -march=nvptx64 -mcpu=sm_80 -mattr=+ptx80 -O3 -disable-lsr --nvptx-short-ptr %t.32.ll -o %t.32.ptx
// RUN: %ptxas -arch=sm_80 -v %t.32.ptx -o %t.32.cubin 2>&1 | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue4m3 result=bf16 bias=bf16 alpha form=llvm" | mlir-translate --mlir-to-llvmir -o %t.4x.ll
// RUN: llc -march=nvptx64 -mcpu=sm_120a -mattr=+ptx90 -O3 -disable-lsr --nvptx-short-ptr %t.4x.ll -o %t.4x.ptx
// RUN: %ptxas -arch=sm_120a -v %t.4x.ptx -o %t.4x.cubin 2>&1 | FileCheck %s
// RUN: ufp4-opt %s --ufp4-test-gemm-kernel="chip=sm_120a format=e2m1 scale=ue8m0 block=32 accumulate column-multiple=8 form=llvm" | mlir-translate --mlir-to-llvmir -o %t.2x.ll
// RUN: llc -march=nvptx64 -mcpu=sm_120a -mattr=+ptx90 -O3 -disable-lsr --nvptx-short-ptr %t.2x.ll -o %t.2x.ptx
// RUN: %ptxas -arch=sm_120a -v %t.2x.ptx -o %t.2x.cubin 2>&1 | FileCheck %s

module {}

// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

// Where the chip multiplies pairs of f32, all scaling goes in pairs.
// PAIRS-COUNT-128: fma.rn.f32x2
// PAIRS-NOT: fma.rn.f32{{ }}
