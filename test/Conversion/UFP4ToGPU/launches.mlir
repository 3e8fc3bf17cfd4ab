// RUN: ufp4-opt %s --split-input-file --verify-diagnostics --ufp4-lower-launches | FileCheck %s

// Every argument as bits and bytes: the address and the size of a buffer, a scalar and 0.
// CHECK: llvm.mlir.global internal constant @ufp4.name.k("k\00")
// CHECK-LABEL: func.func @f
// CHECK-DAG: %[[WORDS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[BYTES:.*]] = arith.constant 400 : index
// CHECK: call @ufp4.launch
// CHECK-NOT: gpu.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%p: !llvm.ptr<1>, %n: i32, %x: f32, %s: i64) kernel {
      gpu.return
    }
  }
  func.func @f(%m: memref<10x10xf32>, %blocks: index, %n: i32, %x: f32, %s: i64) {
    %c1 = arith.constant 1 : index
    %address = memref.extract_aligned_pointer_as_index %m : memref<10x10xf32> -> index
    %bits = arith.index_cast %address : index to i64
    %p = llvm.inttoptr %bits : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@k blocks in (%blocks, %c1, %c1) threads in (%c1, %c1, %c1)
      args(%p : !llvm.ptr<1>, %n : i32, %x : f32, %s : i64)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%p: !llvm.ptr<1>) kernel {
      gpu.return
    }
  }
  func.func @f(%p: !llvm.ptr<1>) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{has a pointer operand that was not made of a memref}}
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !llvm.ptr<1>)
    return
  }
}
