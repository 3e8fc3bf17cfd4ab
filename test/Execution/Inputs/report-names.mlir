// A layer with a name that HTML would read, and a product of activations.

func.func @step(%x: tensor<16x32xbf16>,
                %w: tensor<32x32xbf16> {ufp4.name = "</script><b a='1'>&amp; \22w\22"})
    -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xbf16>
  %h = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>)
                     outs(%zero : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %g = arith.addf %h, %h : tensor<16x32xbf16>
  %none = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.matmul
         indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                          affine_map<(m, n, k) -> (m, n)>]
         ins(%h, %g : tensor<16x32xbf16>, tensor<16x32xbf16>)
         outs(%none : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
