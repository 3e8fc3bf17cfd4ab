// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w,f32,dynamic exclude=^lay decisions=%t.json" -o /dev/null
// RUN: %python %S/decisions.py %t.json | FileCheck %s
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w,f32,dynamic include-f32 decisions=%t.json" -o /dev/null
// RUN: %python %S/decisions.py %t.json | FileCheck %s --check-prefix=F32
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w,f32,dynamic fail-on-miss" 2>&1 | FileCheck %s --check-prefix=MISS
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4:fprop=none params=w" -o /dev/null \
// RUN:   --remarks-filter-missed=ufp4 --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Each reason for leaving a matmul alone, in the order of the enum. A GEMM that is not seen at all
// would shift every index and stream below.

// CHECK: 0 linalg.matmul 1x16x16x64 none 0,1 left no-parameter neither operand is a view of an argument
// CHECK: 1 linalg.matmul 1x16x32x64 none 2,3 left no-gradient no result is the gradient of frozen; if it is a parameter, name it: params=frozen
// CHECK: 2 linalg.matmul 1x16x32x64 fprop 4,5 left excluded exclude='^lay'
// CHECK: 3 linalg.matmul 1x16x32x64 fprop 6,7 left operand-type an operand of bf16 or f16 (or include-f32), found f32 and f32
// CHECK: 4 linalg.matmul 1x16x32x? fprop 8,9 left shape a contracted extent is dynamic; rotation and blocks need it at compile time
// CHECK: 5 linalg.generic 1x16x32x64 fprop 10,11 left shape it sums along a dimension that only one operand has
// CHECK: 6 linalg.matmul 1x16x32x64 none 12,13 left no-parameter no public function calls this
// CHECK-NOT: {{.}}
// F32: 2 linalg.matmul 1x16x32x64 fprop 4,5 rewritten none
// F32: 3 linalg.matmul 1x16x32x64 fprop 6,7 rewritten none
// MISS: error: fail-on-miss: linalg.matmul of layer '{{.*}}' is left: no-gradient:
// MISS: error: fail-on-miss: linalg.matmul of layer '{{.*}}' is left: operand-type:
// REMARK: remark: [Missed] left | Category:ufp4
// REMARK-SAME: no-parameter
func.func @step(%x: tensor<16x64xbf16>, %frozen: tensor<64x32xbf16> {ufp4.name = "frozen"},
                %w: tensor<64x32xbf16> {ufp4.name = "w"},
                %f32: tensor<64x32xf32> {ufp4.name = "f32"},
                %d: tensor<?x32xbf16> {ufp4.name = "dynamic"})
    -> (tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>,
        tensor<16x32xf32>, tensor<16x32xf32>) {
  %zero16 = arith.constant dense<0.0> : tensor<16x16xf32>
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %h = math.tanh %x : tensor<16x64xbf16>
  %init = tensor.empty() : tensor<64x16xbf16>
  %t = linalg.transpose ins(%h : tensor<16x64xbf16>) outs(%init : tensor<64x16xbf16>)
         permutation = [1, 0]
  %0 = linalg.matmul ins(%h, %t : tensor<16x64xbf16>, tensor<64x16xbf16>)
                     outs(%zero16 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = linalg.matmul ins(%h, %frozen : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %2 = linalg.matmul {ufp4.gemm = {layer = "layer.0"}}
      ins(%h, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
      outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %hf = math.exp %f32 : tensor<64x32xf32>
  %hx = arith.extf %h : tensor<16x64xbf16> to tensor<16x64xf32>
  %hy = math.exp %hx : tensor<16x64xf32>
  %3 = linalg.matmul ins(%hy, %f32 : tensor<16x64xf32>, tensor<64x32xf32>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %dh = tensor.cast %h : tensor<16x64xbf16> to tensor<16x?xbf16>
  %4 = linalg.matmul ins(%dh, %d : tensor<16x?xbf16>, tensor<?x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %h3 = tensor.expand_shape %h [[0], [1, 2]] output_shape [16, 64, 1]
      : tensor<16x64xbf16> into tensor<16x64x1xbf16>
  %5 = linalg.generic {
      indexing_maps = [affine_map<(m, n, k, j) -> (m, k, j)>, affine_map<(m, n, k, j) -> (k, n)>,
                       affine_map<(m, n, k, j) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%h3, %w : tensor<16x64x1xbf16>, tensor<64x32xbf16>) outs(%zero : tensor<16x32xf32>) {
    ^bb0(%a: bf16, %b: bf16, %c: f32):
      %6 = arith.extf %a : bf16 to f32
      %7 = arith.extf %b : bf16 to f32
      %8 = arith.mulf %6, %7 : f32
      %9 = arith.addf %c, %8 : f32
      linalg.yield %9 : f32
  } -> tensor<16x32xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x32xf32>,
                                  tensor<16x32xf32>, tensor<16x32xf32>, tensor<16x32xf32>
}
func.func private @uncalled(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
