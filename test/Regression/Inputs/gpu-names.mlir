#f = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>
func.func private @ufp4_kernels(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  return %x : tensor<8x16xf32>
}
func.func private @ufp4Launch(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  return %x : tensor<8x16xf32>
}
func.func @main(%x: tensor<8x64xbf16>, %w: tensor<64x16xbf16>) -> tensor<8x16xf32> {
  %a = ufp4.quantize %x along 1 : tensor<8x64xbf16> -> !ufp4.tensor<8x64, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<64x16xbf16> -> !ufp4.tensor<64x16, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<8x64, #f, along = 1>, !ufp4.tensor<64x16, #f, along = 0> -> tensor<8x16xf32>
  %z = func.call @ufp4_kernels(%y) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %u = func.call @ufp4Launch(%z) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %u : tensor<8x16xf32>
}
