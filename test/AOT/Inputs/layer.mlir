// A layer's fprop and wgrad over any number of tokens, named as JAX names: by a location and by attributes.
func.func @layer(%w: tensor<64x32xbf16> loc("p['blocks'][0]['wd']"), %x: tensor<?x64xbf16> loc("x"),
                 %dy: tensor<?x32xbf16> loc("dy"))
    -> (tensor<64x32xbf16> {jax.result_info = "result[0]['wd']"}, tensor<?x32xbf16>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %empty = tensor.empty(%m) : tensor<?x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y32 = linalg.matmul ins(%x, %w : tensor<?x64xbf16>, tensor<64x32xbf16>) outs(%init : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y = arith.truncf %y32 : tensor<?x32xf32> to tensor<?x32xbf16>
  %dwempty = tensor.empty() : tensor<64x32xf32>
  %dwinit = linalg.fill ins(%zero : f32) outs(%dwempty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %dw32 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %dy : tensor<?x64xbf16>, tensor<?x32xbf16>) outs(%dwinit : tensor<64x32xf32>) -> tensor<64x32xf32>
  %dw = arith.truncf %dw32 : tensor<64x32xf32> to tensor<64x32xbf16>
  return %dw, %y : tensor<64x32xbf16>, tensor<?x32xbf16>
}
