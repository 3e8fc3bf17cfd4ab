// Narrow floats under masks, and a choice between 1 and 0, once became calls of a library that is
// not there, on machines without AVX-512.
// RUN: rm -rf %t && mkdir %t
// RUN: ufp4-run %s --inputs=random:1 --output-dir=%t --recipe=ufp4 --params=w
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w" --ufp4-to-cpu | FileCheck %s
// CHECK-NOT: masked.{{load|store}}{{.*}}bf16

func.func @main(%x: tensor<9x17xbf16>, %w: tensor<17x5xbf16> {ufp4.name = "w"}) -> (tensor<9x5xbf16>, tensor<9x17xf32>) {
  %zero = arith.constant 0.0 : bf16
  %c = tensor.empty() : tensor<9x5xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%c : tensor<9x5xf32>) -> tensor<9x5xf32>
  %y = linalg.matmul ins(%x, %w : tensor<9x17xbf16>, tensor<17x5xbf16>) outs(%f : tensor<9x5xf32>) -> tensor<9x5xf32>
  %e = tensor.empty() : tensor<9x5xbf16>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<9x5xf32>) outs(%e : tensor<9x5xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<9x5xbf16>
  %one = arith.constant 1.0 : bf16
  %m = tensor.empty() : tensor<9x17xf32>
  %mask = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<9x17xbf16>) outs(%m : tensor<9x17xf32>) {
  ^bb0(%a: bf16, %b: f32):
    %above = arith.cmpf ogt, %a, %zero : bf16
    %t = arith.select %above, %one, %zero : bf16
    %wide = arith.extf %t : bf16 to f32
    linalg.yield %wide : f32
  } -> tensor<9x17xf32>
  return %r, %mask : tensor<9x5xbf16>, tensor<9x17xf32>
}
