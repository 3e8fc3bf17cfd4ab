// A linear layer's three GEMMs, and two recipes of the user's own.

#grid = #ufp4.scheme<e1m2, block = 16, scale = f32>
#rotated = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 32, signs = 0x0123ABCD>>

ufp4.recipe @mine
  fprop(x = <#grid, nearest>, w = <#grid, nearest>)
  dgrad(dy = <#grid, stochastic, bits = 8>, w = <#grid, nearest>)
  wgrad(x = <#rotated, nearest>, dy = <#rotated, stochastic>)

func.func @step(%x: tensor<16x64xbf16> {ufp4.name = "x"}, %w: tensor<64x32xbf16> {ufp4.name = "w"},
                %dy: tensor<16x32xbf16> {ufp4.name = "dy"})
    -> (tensor<16x32xf32>, tensor<16x64xf32>, tensor<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<16x32xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%f0 : tensor<16x32xf32>) -> tensor<16x32xf32>
  %e1 = tensor.empty() : tensor<16x64xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %dx = linalg.matmul
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                           affine_map<(m, n, k) -> (m, n)>]
          ins(%dy, %w : tensor<16x32xbf16>, tensor<64x32xbf16>)
          outs(%f1 : tensor<16x64xf32>) -> tensor<16x64xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %dw = linalg.matmul
          indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                           affine_map<(m, n, k) -> (m, n)>]
          ins(%x, %dy : tensor<16x64xbf16>, tensor<16x32xbf16>)
          outs(%f2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y, %dx, %dw : tensor<16x32xf32>, tensor<16x64xf32>, tensor<64x32xf32>
}
