func.func @step(%x: tensor<32x64xbf16>, %w: tensor<64x48xbf16>, %h: tensor<32x64xf16>, %v: tensor<64x48xf16>)
    -> (tensor<32x48xf32>, tensor<32x48xf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %c = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xbf16>, tensor<64x48xbf16>) outs(%c : tensor<32x48xf32>) -> tensor<32x48xf32>
  %zero16 = arith.constant 0.0 : f16
  %e16 = tensor.empty() : tensor<32x48xf16>
  %c16 = linalg.fill ins(%zero16 : f16) outs(%e16 : tensor<32x48xf16>) -> tensor<32x48xf16>
  %z = linalg.matmul ins(%h, %v : tensor<32x64xf16>, tensor<64x48xf16>) outs(%c16 : tensor<32x48xf16>) -> tensor<32x48xf16>
  return %y, %z : tensor<32x48xf32>, tensor<32x48xf16>
}
