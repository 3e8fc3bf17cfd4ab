// RUN: ufp4-opt %s --ufp4-to-linalg | FileCheck %s
// RUN: ufp4-opt %s --ufp4-to-linalg | not grep -E "ufp4|unrealized"

// A quantized tensor crosses every boundary as its parts: two, or three with ue4m3.

#one = #ufp4.scheme<e1m2, block = 16, scale = f32>
#two = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>
#mx = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, rotation = <size = 64, signs = 1>>
!q = !ufp4.tensor<2x33x20, #two, along = 1>

// CHECK-NOT: recipe
ufp4.recipe @gone fprop(x = <#one, nearest>, w = <#one, nearest>)

// An argument's attributes belong to each of its parts; the others keep theirs.
// CHECK: func.func private @callee(tensor<2x20x48xi8> {llvm.noalias}, tensor<2x2x3xi8> {llvm.noalias}, tensor<f32> {llvm.noalias}, i32 {llvm.signext}) -> (tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>)
func.func private @callee(!q {llvm.noalias}, i32 {llvm.signext}) -> !q

// CHECK-LABEL: func.func @call
// CHECK: call @callee(%arg0, %arg1, %arg2, %arg3) : (tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>, i32)
func.func @call(%q: !q, %i: i32) -> !q {
  %0 = call @callee(%q, %i) : (!q, i32) -> !q
  return %0 : !q
}

// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %arg0, %{{.*}} = %arg1, %{{.*}} = %arg2) -> (tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>)
// CHECK: scf.yield %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>
func.func @loop(%q: !q, %n: index, %i: i32) -> !q {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = scf.for %j = %0 to %n step %1 iter_args(%a = %q) -> !q {
    %3 = func.call @callee(%a, %i) : (!q, i32) -> !q
    scf.yield %3 : !q
  }
  return %2 : !q
}

// CHECK-LABEL: func.func @conditions
// CHECK: scf.if %arg6 -> (tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>)
// CHECK-COUNT-3: arith.select %arg6
func.func @conditions(%q: !q, %r: !q, %c: i1) -> (!q, !q) {
  %0 = scf.if %c -> !q {
    scf.yield %q : !q
  } else {
    scf.yield %r : !q
  }
  %1 = arith.select %c, %0, %r : !q
  return %0, %1 : !q, !q
}

// CHECK-LABEL: func.func @while
// CHECK: scf.while (%{{.*}} = %arg0, %{{.*}} = %arg1, %{{.*}} = %arg2) : (tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>) -> (tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>)
// CHECK: scf.condition(%arg3) %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x20x48xi8>, tensor<2x2x3xi8>, tensor<f32>
func.func @while(%q: !q, %c: i1) -> !q {
  %0 = scf.while (%a = %q) : (!q) -> !q {
    scf.condition(%c) %a : !q
  } do {
  ^bb0(%a: !q):
    scf.yield %a : !q
  }
  return %0 : !q
}

// CHECK-LABEL: func.func @branches
// CHECK: cf.cond_br %arg3, ^bb1(%arg0, %arg1, %arg2 : {{.*}}), ^bb2
// CHECK: ^bb1(%{{.*}}: tensor<2x20x48xi8>, %{{.*}}: tensor<2x2x3xi8>, %{{.*}}: tensor<f32>):
// CHECK: cf.br ^bb1(%arg0, %arg1, %arg2
func.func @branches(%q: !q, %c: i1) -> !q {
  cf.cond_br %c, ^bb1(%q : !q), ^bb2
^bb1(%a: !q):
  return %a : !q
^bb2:
  cf.br ^bb1(%q : !q)
}

// Codes and scales in the order of the view, K padded; dynamic extents stay dynamic.
// CHECK-LABEL: func.func @shapes
// CHECK-SAME: -> (tensor<?x5x32xi8>, tensor<?x5x2xf32>, tensor<3x64xi8>, tensor<3x2xi8>)
func.func @shapes(%x: tensor<?x20x5xbf16>, %y: tensor<33x3xf16>)
    -> (!ufp4.tensor<?x20x5, #one, along = 1>, !ufp4.tensor<33x3, #mx, along = 0>) {
  %0 = ufp4.quantize %x along 1 : tensor<?x20x5xbf16> -> !ufp4.tensor<?x20x5, #one, along = 1>
  %1 = ufp4.quantize %y along 0 : tensor<33x3xf16> -> !ufp4.tensor<33x3, #mx, along = 0>
  return %0, %1 : !ufp4.tensor<?x20x5, #one, along = 1>, !ufp4.tensor<33x3, #mx, along = 0>
}
