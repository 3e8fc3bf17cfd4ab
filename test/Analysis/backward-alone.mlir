// A backward without its forward: where x and the weight are both arguments, and both readings of a
// dgrad and a wgrad would do, the one whose wgrad is returned is right; where both are, nothing tells,
// and the user says.
// Breaks if the first reading that fits is taken: counts of elements that agree by chance decide then.

// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 decisions=%t.json" -o /dev/null
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=GRAPH
// GRAPH: 0 {{.*}} wgrad {{.*}} rewritten none
// GRAPH: 1 {{.*}} dgrad {{.*}} rewritten none
// GRAPH: 2 {{.*}} none {{.*}} left no-gradient no result is the gradient of x0; if it is a parameter, name it: params=x0; if the function is a backward, name its forward: ufp4.forward
// GRAPH: 3 {{.*}} none {{.*}} left ambiguous-parameter both w and x may have their gradient here; name the parameter: params=w or params=x
// GRAPH: 4 {{.*}} none {{.*}} left ambiguous-parameter both w and x may have their gradient here; name the parameter: params=w or params=x

// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=w decisions=%t.json" -o /dev/null
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=NAMED
// NAMED: 3 {{.*}} wgrad {{.*}} rewritten none
// NAMED: 4 {{.*}} dgrad {{.*}} rewritten none
// RUN: ufp4-opt %s --ufp4-quantize-training="recipe=ufp4 params=x decisions=%t.json" -o /dev/null
// RUN: %python %S/../Transforms/decisions.py %t.json | FileCheck %s --check-prefix=OTHER
// OTHER: 3 {{.*}} dgrad {{.*}} rewritten none
// OTHER: 4 {{.*}} wgrad {{.*}} rewritten none

// dh, which a result of 64 x 64 is computed from, has as many elements as x1.
func.func @backward(%x0: tensor<64x64xbf16> {ufp4.name = "x0"},
                    %x1: tensor<64x64xbf16> {ufp4.name = "x1"},
                    %w1: tensor<128x64xbf16> {ufp4.name = "w1"},
                    %dy: tensor<64x128xbf16> {ufp4.name = "dy"})
    -> (tensor<128x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero1 = arith.constant dense<0.0> : tensor<128x64xf32>
  %empty = tensor.empty() : tensor<128x64xbf16>
  %dyt = linalg.transpose ins(%dy : tensor<64x128xbf16>) outs(%empty : tensor<128x64xbf16>)
           permutation = [1, 0]
  %dw1 = linalg.matmul ins(%dyt, %x1 : tensor<128x64xbf16>, tensor<64x64xbf16>)
                       outs(%zero1 : tensor<128x64xf32>) -> tensor<128x64xf32>
  %dx1 = linalg.matmul ins(%dy, %w1 : tensor<64x128xbf16>, tensor<128x64xbf16>)
                       outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  %db = arith.truncf %dx1 : tensor<64x64xf32> to tensor<64x64xbf16>
  %dh = math.tanh %db : tensor<64x64xbf16>
  %empty0 = tensor.empty() : tensor<64x64xbf16>
  %dht = linalg.transpose ins(%dh : tensor<64x64xbf16>) outs(%empty0 : tensor<64x64xbf16>)
           permutation = [1, 0]
  %dw0 = linalg.matmul ins(%dht, %x0 : tensor<64x64xbf16>, tensor<64x64xbf16>)
                       outs(%zero : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %dw1, %dw0 : tensor<128x64xf32>, tensor<64x64xf32>
}

// One layer of as many tokens as outputs, which returns dx too.
func.func @layer(%x: tensor<32x64xbf16> {ufp4.name = "x"},
                 %w: tensor<64x32xbf16> {ufp4.name = "w"},
                 %dy: tensor<32x32xbf16> {ufp4.name = "dy"})
    -> (tensor<64x32xf32>, tensor<32x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %zero1 = arith.constant dense<0.0> : tensor<32x64xf32>
  %empty = tensor.empty() : tensor<64x32xbf16>
  %xt = linalg.transpose ins(%x : tensor<32x64xbf16>) outs(%empty : tensor<64x32xbf16>)
          permutation = [1, 0]
  %dw = linalg.matmul ins(%xt, %dy : tensor<64x32xbf16>, tensor<32x32xbf16>)
                      outs(%zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %empty1 = tensor.empty() : tensor<32x64xbf16>
  %wt = linalg.transpose ins(%w : tensor<64x32xbf16>) outs(%empty1 : tensor<32x64xbf16>)
          permutation = [1, 0]
  %dx = linalg.matmul ins(%dy, %wt : tensor<32x32xbf16>, tensor<32x64xbf16>)
                      outs(%zero1 : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %dw, %dx : tensor<64x32xf32>, tensor<32x64xf32>
}
