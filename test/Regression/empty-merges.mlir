// RUN: split-file %s %t
// RUN: %python %S/../Execution/integers.py %t/in 5x0x32: 32x16:
// RUN: ufp4-run %t/merged.mlir --inputs=%t/in/in0.npy,%t/in/in1.npy --output-dir=%t/out
// RUN: %python %S/../Execution/arrays.py show %t/out/out0.npy | FileCheck %s --check-prefix=MERGED
// RUN: ufp4-run %t/merged.mlir --recipe=ufp4 --params=w --inputs=%t/in/in0.npy,%t/in/in1.npy --output-dir=%t/out
// RUN: %python %S/../Execution/arrays.py show %t/out/out0.npy | FileCheck %s --check-prefix=MERGED
// RUN: ufp4-run %t/batched.mlir --inputs=%t/in/in0.npy,%t/in/in1.npy --output-dir=%t/out
// RUN: %python %S/../Execution/arrays.py show %t/out/out0.npy | FileCheck %s --check-prefix=BATCHED
// RUN: ufp4-run %t/batched.mlir --recipe=ufp4 --params=w --inputs=%t/in/in0.npy,%t/in/in1.npy --output-dir=%t/out
// RUN: %python %S/../Execution/arrays.py show %t/out/out0.npy | FileCheck %s --check-prefix=BATCHED
// RUN: ufp4-run %t/batched.mlir --recipe=ufp4 --params=w --list-layers | FileCheck %s --check-prefix=LEFT

// A static extent of 0 that is merged with a dynamic one, by the model or by a lowering, did not compile.
// MERGED: <f4 (0, 16)
// BATCHED: <f4 (5, 0, 16)
// A GEMM's dimensions are merged, and such a pair could not be told apart again.
// LEFT: left: shape (a dynamic extent would be merged with one of 0, which it could not be split from)

//--- merged.mlir
func.func @main(%x: tensor<?x0x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"})
    -> tensor<?x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x0x32xbf16> into tensor<?x32xbf16>
  %c0 = arith.constant 0 : index
  %m = tensor.dim %c, %c0 : tensor<?x32xbf16>
  %e = tensor.empty(%m) : tensor<?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %y = linalg.matmul ins(%c, %w : tensor<?x32xbf16>, tensor<32x16xbf16>)
                     outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}

//--- batched.mlir
func.func @main(%x: tensor<?x0x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name = "w"})
    -> tensor<?x0x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x0x32xbf16>
  %e = tensor.empty(%m) : tensor<?x0x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x0x16xf32>) -> tensor<?x0x16xf32>
  %y = linalg.contract indexing_maps = [affine_map<(a, b, n, k) -> (a, b, k)>,
                                        affine_map<(a, b, n, k) -> (k, n)>,
                                        affine_map<(a, b, n, k) -> (a, b, n)>]
                     ins(%x, %w : tensor<?x0x32xbf16>, tensor<32x16xbf16>)
                     outs(%f : tensor<?x0x16xf32>) -> tensor<?x0x16xf32>
  return %y : tensor<?x0x16xf32>
}
