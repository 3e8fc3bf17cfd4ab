// Loops whose iterations write apart become functions of ranges, which the runtime calls; the rest
// of the loop nest stays inside, with its sizes.

// RUN: ufp4-opt %s --ufp4-cpu-linalg-to-loops --ufp4-cpu-outline-parallel | FileCheck %s
// RUN: ufp4-opt %s --ufp4-to-cpu=threads | FileCheck %s --check-prefix=LLVM
// RUN: ufp4-opt %s --ufp4-to-cpu | FileCheck %s --check-prefix=ALONE

// The same bits on one thread and on two, in a whole step.
// RUN: rm -rf %t && mkdir %t
// RUN: ufp4-run %models/mlp_f32acc.linalg.mlir --recipe=ufp4 --inputs=%models/mlp_f32acc.npz --output-dir=%t/one
// RUN: ufp4-run %models/mlp_f32acc.linalg.mlir --recipe=ufp4 --inputs=%models/mlp_f32acc.npz --output-dir=%t/two --num-threads=2
// RUN: diff -r %t/one %t/two
// RUN: ufp4-run %models/mlp_f32acc.linalg.mlir --inputs=%models/mlp_f32acc.npz --output-dir=%t/plain
// RUN: ufp4-run %models/mlp_f32acc.linalg.mlir --inputs=%models/mlp_f32acc.npz --output-dir=%t/plain-two --num-threads=2
// RUN: diff -r %t/plain %t/plain-two
// RUN: not ufp4-run %s --inputs=random:1 --output-dir=%t/x --num-threads=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ufp4-run %s --inputs=random:1 --output-dir=%t/x --num-threads=2 --target=sm_80 2>&1 | FileCheck %s --check-prefix=DEVICE
// NONE: --num-threads: expected 1 to 1024, found 0
// DEVICE: --num-threads: a device is emulated on one thread

// CHECK-LABEL: func.func @doubled(
// CHECK-SAME: %[[X:.*]]: memref<?x64xbf16>, %[[Y:.*]]: memref<?x64xbf16>
// CHECK: %[[ROWS:.*]] = memref.dim
// CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : bf16 to i16
// CHECK: call @[[RANGE:ufp4_range_0]](%{{.*}}, %{{.*}}, %[[X]], %[[Y]], %[[BITS]])
// CHECK-NOT: scf.for
// CHECK: return

// LLVM: llvm.func @ufp4ParallelFor(!llvm.ptr, !llvm.ptr, i64, i64)
// LLVM: llvm.call @ufp4ParallelFor
// ALONE-NOT: ufp4ParallelFor
func.func @doubled(%x: memref<?x64xbf16>, %y: memref<?x64xbf16>, %s: memref<bf16>) {
  %scale = memref.load %s[] : memref<bf16>
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x64xbf16>) outs(%y : memref<?x64xbf16>) {
  ^bb0(%a: bf16, %b: bf16):
    %more = arith.cmpf ogt, %a, %scale : bf16
    %c = arith.select %more, %a, %scale : bf16
    linalg.yield %c : bf16
  }
  return
}

// A sum over everything is one loop that no two threads may share.
// CHECK-LABEL: func.func @total(
// CHECK: scf.for
// CHECK-NOT: call
// CHECK: return
func.func @total(%x: memref<64xf32>, %y: memref<f32>) {
  linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<64xf32>) outs(%y : memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    linalg.yield %c : f32
  }
  return
}

// Neither may they share one that carries its value.
// CHECK-LABEL: func.func @carried(
// CHECK: scf.for
// CHECK-NOT: call
// CHECK: return
func.func @carried(%n: index, %x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f32 {
    %a = memref.load %x[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  } {ufp4.parallel}
  return %sum : f32
}

// A narrow float is passed as its bits.
// CHECK: func.func private @[[RANGE]](%[[FIRST:.*]]: index, %[[END:.*]]: index, %{{.*}}: memref<?x64xbf16>, %{{.*}}: memref<?x64xbf16>, %{{.*}}: i16)
// CHECK-SAME: ufp4.grain = {{[0-9]+}}
// CHECK: %[[C64:.*]] = arith.constant 64
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[END]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[C64]]
