// RUN: split-file %s %t
// RUN: ufp4-opt %t/mixed.mlir --ufp4-quantize-training="params=w" | FileCheck %s
// RUN: %python %S/../Execution/integers.py %t/in 4x0: 0x8:
// RUN: ufp4-run %t/empty.mlir --recipe=ufp4 --params=w --inputs=%t/in/in0.npy,%t/in/in1.npy --output-dir=%t/out
// RUN: %python %S/../Execution/arrays.py show %t/out/out0.npy | FileCheck %s --check-prefix=EMPTY

// Extents that are static in one place and dynamic in another, constant indices and empty extents.

// The result keeps the extents that its users rely on.
// CHECK-LABEL: func.func @result(
// CHECK: %[[Y:.*]] = ufp4.matmul {{.*}} -> tensor<?x16xf32>
// CHECK: tensor.cast %[[Y]] : tensor<?x16xf32> to tensor<16x16xf32>
// A cast to a static extent is not looked through: K must be known.
// CHECK-LABEL: func.func @cast(
// CHECK: %[[X:.*]] = tensor.cast
// CHECK: ufp4.quantize %[[X]] along 1 : tensor<16x32xbf16>
// A constant index picks one place of a dimension: a slice, not a view.
// CHECK-LABEL: func.func @picked(
// CHECK: %[[P:.*]] = linalg.generic
// CHECK: ufp4.quantize %{{.*}} along 1 : tensor<16x32xbf16>
// K = 0 gives zeros.
// EMPTY: <f4 (4, 8) 0 0 0

//--- mixed.mlir
func.func @result(%x: tensor<?x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"})
    -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x32xbf16>, tensor<32x16xbf16>)
                     outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
func.func @cast(%x: tensor<16x?xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"})
    -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %c = tensor.cast %x : tensor<16x?xbf16> to tensor<16x32xbf16>
  %y = linalg.matmul ins(%c, %w : tensor<16x32xbf16>, tensor<32x16xbf16>)
                     outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
func.func @picked(%x: tensor<16x4x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"})
    -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %init = tensor.empty() : tensor<16x1x32xbf16>
  %p = linalg.generic {
      indexing_maps = [affine_map<(m, u, k) -> (m, 0, k)>, affine_map<(m, u, k) -> (m, u, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<16x4x32xbf16>) outs(%init : tensor<16x1x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
  } -> tensor<16x1x32xbf16>
  %c = tensor.collapse_shape %p [[0, 1], [2]] : tensor<16x1x32xbf16> into tensor<16x32xbf16>
  %y = linalg.matmul ins(%c, %w : tensor<16x32xbf16>, tensor<32x16xbf16>)
                     outs(%zero : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}

//--- empty.mlir
func.func @main(%x: tensor<4x0xbf16>, %w: tensor<0x8xbf16> {ufp4.name = "w"}) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x0xbf16>, tensor<0x8xbf16>)
                     outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
