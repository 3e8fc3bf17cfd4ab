// RUN: ufp4-opt --ufp4-widen-accumulators --split-input-file %s | FileCheck %s

// G3: accumulation is f32, whatever the result type.
// A bf16 accumulator rounds after every addition; both the sum and the product must be f32.
// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<16x8xbf16>
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<16x8xbf16>)
// CHECK: arith.extf
// CHECK: linalg.generic {{.*}} outs(%[[WIDE]] : tensor<16x8xf32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: bf16, %[[B:.*]]: bf16, %[[O:.*]]: f32):
// CHECK-DAG: %[[WA:.*]] = arith.extf %[[A]]
// CHECK-DAG: %[[WB:.*]] = arith.extf %[[B]]
// CHECK: %[[P:.*]] = arith.mulf %[[WA]], %[[WB]] : f32
// CHECK: arith.addf %[[O]], %[[P]] : f32
// CHECK: linalg.generic
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @matmul(%a: tensor<16x64xbf16>, %b: tensor<64x8xbf16>, %c: tensor<16x8xbf16>) -> tensor<16x8xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x8xbf16>) outs(%c : tensor<16x8xbf16>) -> tensor<16x8xbf16>
  return %0 : tensor<16x8xbf16>
}

// -----

// A filled init stays a fill, so that later passes still see that it is zero.
// CHECK-LABEL: func @reduce
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.fill ins(%[[ZERO]] : f32)
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: arith.addf %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @reduce(%a: tensor<16x64xf16>) -> tensor<64xf16> {
  %zero = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<64xf16>
  %init = linalg.fill ins(%zero : f16) outs(%empty : tensor<64xf16>) -> tensor<64xf16>
  %0 = linalg.reduce { arith.addf } ins(%a : tensor<16x64xf16>) outs(%init : tensor<64xf16>) dimensions = [0]
  return %0 : tensor<64xf16>
}

// -----

// A maximum does not accumulate rounding, and an f32 sum needs nothing.
// CHECK-LABEL: func @others
// CHECK-NOT: arith.extf
// CHECK-NOT: arith.truncf
func.func @others(%a: tensor<16x64xbf16>, %m: tensor<64xbf16>, %b: tensor<16x64xf32>, %s: tensor<64xf32>) -> (tensor<64xbf16>, tensor<64xf32>) {
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<16x64xbf16>) outs(%m : tensor<64xbf16>) dimensions = [0]
  %1 = linalg.reduce { arith.addf } ins(%b : tensor<16x64xf32>) outs(%s : tensor<64xf32>) dimensions = [0]
  return %0, %1 : tensor<64xbf16>, tensor<64xf32>
}

// -----

// A product that was f32 already and rounded before it was added is added as it is.
// CHECK-LABEL: func @rounded_product
// CHECK: %[[P:.*]] = arith.mulf %{{.*}} : f32
// CHECK-NEXT: arith.addf %{{.*}}, %[[P]] : f32
func.func @rounded_product(%a: tensor<4x8xbf16>, %b: tensor<8x4xbf16>, %c: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xbf16>, tensor<8x4xbf16>) outs(%c : tensor<4x4xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %o: bf16):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %r = arith.truncf %p : f32 to bf16
    %s = arith.addf %o, %r : bf16
    linalg.yield %s : bf16
  } -> tensor<4x4xbf16>
  return %0 : tensor<4x4xbf16>
}
