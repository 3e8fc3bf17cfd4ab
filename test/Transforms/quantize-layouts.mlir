// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --split-input-file | FileCheck %s

// How operands are brought to [R, K] or [G, R, K] (Q1): from their view roots, by a transpose only
// where a group's dimensions do not lie together.

// A transpose is a view: the root is quantized along its other dimension.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: %[[X:.*]]: tensor<16x64xbf16>, %[[W:.*]]: tensor<32x64xbf16>
// CHECK-NOT: linalg.transpose
// CHECK: ufp4.quantize %[[X]] along 1
// CHECK: ufp4.quantize %[[W]] along 1 : tensor<32x64xbf16>
func.func @transposed(%x: tensor<16x64xbf16>, %w: tensor<32x64xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %init = tensor.empty() : tensor<64x32xbf16>
  %t = linalg.transpose ins(%w : tensor<32x64xbf16>) outs(%init : tensor<64x32xbf16>)
         permutation = [1, 0]
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %t : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// -----

// A widening is looked through: what is quantized is the bf16 value.
// CHECK-LABEL: func.func @widened(
// CHECK-SAME: %[[X:.*]]: tensor<16x64xbf16>
// CHECK: ufp4.quantize %[[X]] along 1 : tensor<16x64xbf16>
func.func @widened(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %wide = arith.extf %x : tensor<16x64xbf16> to tensor<16x64xf32>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%wide, %w : tensor<16x64xf32>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// -----

// A cast that rounds is not: its result is quantized.
// CHECK-LABEL: func.func @rounded(
// CHECK: %[[R:.*]] = arith.truncf
// CHECK: ufp4.quantize %[[R]] along 1 : tensor<16x64xbf16>
func.func @rounded(%x: tensor<16x64xf32>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %narrow = arith.truncf %x : tensor<16x64xf32> to tensor<16x64xbf16>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%narrow, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// -----

// A cast inside the body rounds before the product: it comes before the quantize as well.
// CHECK-LABEL: func.func @rounded_inside(
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: arith.truncf
// CHECK: ufp4.quantize %[[R]] along 1 : tensor<16x64xbf16>
func.func @rounded_inside(%x: tensor<16x64xf32>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<16x64xf32>, tensor<64x32xbf16>) outs(%zero : tensor<16x32xf32>) {
    ^bb0(%a: f32, %b: bf16, %c: f32):
      %0 = arith.truncf %a : f32 to bf16
      %1 = arith.mulf %0, %b : bf16
      %2 = arith.extf %1 : bf16 to f32
      %3 = arith.addf %2, %c : f32
      linalg.yield %3 : f32
  } -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// -----

// [B, S, D]: the free dimensions merge, the result is split again.
// CHECK-LABEL: func.func @bsd(
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<2x8x64xbf16> into tensor<16x64xbf16>
// CHECK: ufp4.quantize %[[X]] along 1
// CHECK: %[[Y:.*]] = ufp4.matmul
// CHECK: tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]] output_shape [2, 8, 32]
func.func @bsd(%x: tensor<2x8x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"})
    -> tensor<2x8x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x8x32xf32>
  %y = linalg.contract indexing_maps = [affine_map<(b, s, n, k) -> (b, s, k)>,
                                        affine_map<(b, s, n, k) -> (k, n)>,
                                        affine_map<(b, s, n, k) -> (b, s, n)>]
      ins(%x, %w : tensor<2x8x64xbf16>, tensor<64x32xbf16>)
      outs(%zero : tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
  return %y : tensor<2x8x32xf32>
}

// -----

// Two reductions that do not lie together in the lhs: one transpose brings them to K, in the order
// of the lhs's memory for both operands. K comes first where its first dimension does, so that a
// quantize of the root along the other dimensions takes the same transpose.
// CHECK-LABEL: func.func @scattered(
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<4x16x8xbf16>) {{.*}} permutation = [0, 2, 1]
// CHECK: %[[X:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1], [2]] : tensor<4x8x16xbf16> into tensor<32x16xbf16>
// CHECK: ufp4.quantize %[[X]] along 0
// CHECK: linalg.transpose ins(%{{.*}} : tensor<8x32x4xbf16>) {{.*}} permutation = [1, 2, 0]
// CHECK: ufp4.quantize %{{.*}} along 1
func.func @scattered(%x: tensor<4x16x8xbf16>, %w: tensor<8x32x4xbf16> {ufp4.name = "w"})
    -> tensor<32x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, n, j, m) -> (i, m, j)>, affine_map<(i, n, j, m) -> (j, n, i)>,
                       affine_map<(i, n, j, m) -> (n, m)>],
      iterator_types = ["reduction", "parallel", "reduction", "parallel"]}
      ins(%x, %w : tensor<4x16x8xbf16>, tensor<8x32x4xbf16>) outs(%zero : tensor<32x16xf32>) {
    ^bb0(%a: bf16, %b: bf16, %c: f32):
      %0 = arith.extf %a : bf16 to f32
      %1 = arith.extf %b : bf16 to f32
      %2 = arith.mulf %1, %0 : f32
      %3 = arith.addf %c, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<32x16xf32>
  return %y : tensor<32x16xf32>
}

// -----

// A batch stays a dimension of its own.
// CHECK-LABEL: func.func @experts(
// CHECK: ufp4.quantize %{{.*}} along 2 : tensor<4x16x64xbf16>
// CHECK: ufp4.quantize %{{.*}} along 1 : tensor<4x64x32xbf16>
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} batch = [0] x [0]
func.func @experts(%x: tensor<4x16x64xbf16>, %w: tensor<4x64x32xbf16> {ufp4.name = "w"})
    -> tensor<4x16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x16x32xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<4x16x64xbf16>, tensor<4x64x32xbf16>)
      outs(%zero : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
  return %y : tensor<4x16x32xf32>
}

// -----

// A bf16 result is rounded once, after f32 accumulation; a non-zero accumulator is widened.
// CHECK-LABEL: func.func @accumulates(
// CHECK: %[[C:.*]] = linalg.generic
// CHECK: arith.extf
// CHECK: ufp4.matmul %{{.*}}, %{{.*}} accumulate(%[[C]] : tensor<16x32xf32>)
// CHECK-SAME: -> tensor<16x32xbf16>
func.func @accumulates(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"},
                       %c: tensor<16x32xbf16>) -> tensor<16x32xbf16> {
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%c : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  return %y : tensor<16x32xbf16>
}

// -----

// A dynamic number of rows is no obstacle; a matrix times a vector has one row.
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK: ufp4.quantize %{{.*}} along 1 : tensor<?x64xbf16> -> !ufp4.tensor<?x64,
// CHECK: ufp4.matmul {{.*}} -> tensor<?x32xf32>
// CHECK: ufp4.quantize %{{.*}} along 1 : tensor<1x64xbf16>
// CHECK: ufp4.matmul {{.*}} -> tensor<1x32xf32>
func.func @dynamic_rows(%x: tensor<?x64xbf16>, %v: tensor<64xbf16>,
                        %w: tensor<64x32xbf16> {ufp4.name = "w"}, %init: tensor<?x32xf32>)
    -> (tensor<?x32xf32>, tensor<32xf32>) {
  %y = linalg.matmul ins(%x, %w : tensor<?x64xbf16>, tensor<64x32xbf16>)
                     outs(%init : tensor<?x32xf32>) -> tensor<?x32xf32>
  %zero = arith.constant dense<0.0> : tensor<32xf32>
  %z = linalg.vecmat ins(%v, %w : tensor<64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<32xf32>) -> tensor<32xf32>
  return %y, %z : tensor<?x32xf32>, tensor<32xf32>
}

// -----

// One value with one view is quantized once, whoever reads it.
// CHECK-LABEL: func.func @shared(
// CHECK-COUNT-3: ufp4.quantize
// CHECK-NOT: ufp4.quantize
// CHECK: return
func.func @shared(%x: tensor<16x64xbf16>, %w: tensor<2x64x32xbf16> {ufp4.name = "w"})
    -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %w0 = tensor.extract_slice %w[0, 0, 0] [1, 64, 32] [1, 1, 1]
      : tensor<2x64x32xbf16> to tensor<64x32xbf16>
  %w1 = tensor.extract_slice %w[1, 0, 0] [1, 64, 32] [1, 1, 1]
      : tensor<2x64x32xbf16> to tensor<64x32xbf16>
  %y = linalg.matmul ins(%x, %w0 : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %z = linalg.matmul ins(%x, %w1 : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y, %z : tensor<16x32xf32>, tensor<16x32xf32>
}
