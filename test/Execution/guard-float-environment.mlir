// RUN: ufp4-opt --ufp4-cpu-guard-float-environment --split-input-file --verify-diagnostics %s | FileCheck %s

// The entry keeps its name and signature; the body moves behind a call that must not be inlined,
// or arithmetic could move across the writes of the control register.
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  llvm.func @entry(%a: f32) -> f32 {
    %0 = llvm.fmul %a, %a : f32
    llvm.return %0 : f32
  }
  llvm.func internal @helper(%a: f32) -> f32 {
    llvm.return %a : f32
  }
}
// CHECK: llvm.func internal @entry__body(%{{.*}}: f32) -> f32 attributes {no_inline}
// CHECK: llvm.fmul
// CHECK: llvm.func @entry(%[[A:.*]]: f32) -> f32
// CHECK: llvm.call_intrinsic "llvm.x86.sse.stmxcsr"(%[[SAVED:.*]])
// CHECK: %[[MODE:.*]] = llvm.mlir.constant(8064 : i32)
// CHECK: llvm.store %[[MODE]], %[[FRESH:.*]] : i32
// CHECK: llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[FRESH]])
// CHECK: %[[R:.*]] = llvm.call @entry__body(%[[A]])
// CHECK: llvm.call_intrinsic "llvm.x86.sse.ldmxcsr"(%[[SAVED]])
// CHECK: llvm.return %[[R]]
// CHECK-NOT: @helper__body

// -----

module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu"} {
  llvm.func @entry() {
    llvm.return
  }
}
// CHECK-LABEL: llvm.func @entry()
// CHECK: %[[SAVED:.*]] = llvm.call_intrinsic "llvm.aarch64.get.fpcr"
// CHECK: llvm.call_intrinsic "llvm.aarch64.set.fpcr"
// CHECK: llvm.call @entry__body()
// CHECK: llvm.call_intrinsic "llvm.aarch64.set.fpcr"(%[[SAVED]])

// -----

// expected-remark @below {{no guard is known for target 'riscv64-unknown-linux-gnu' (known: x86_64, aarch64)}}
module attributes {llvm.target_triple = "riscv64-unknown-linux-gnu"} {
  llvm.func @entry() {
    llvm.return
  }
}
