#f = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>
func.func @main(%x: tensor<8x64xbf16>, %w: tensor<64x16xbf16>) -> (!ufp4.tensor<8x64, #f, along = 1>, tensor<8x16xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<8x64xbf16> -> !ufp4.tensor<8x64, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<64x16xbf16> -> !ufp4.tensor<64x16, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<8x64, #f, along = 1>, !ufp4.tensor<64x16, #f, along = 0> -> tensor<8x16xf32>
  return %a, %y : !ufp4.tensor<8x64, #f, along = 1>, tensor<8x16xf32>
}
