#f = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>
func.func @main(%x: tensor<8388736x1xbf16>, %w: tensor<1x1xbf16>) -> tensor<8388736x1xf32> {
  %a = ufp4.quantize %x along 1 : tensor<8388736x1xbf16> -> !ufp4.tensor<8388736x1, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<1x1xbf16> -> !ufp4.tensor<1x1, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<8388736x1, #f, along = 1>, !ufp4.tensor<1x1, #f, along = 0> -> tensor<8388736x1xf32>
  return %y : tensor<8388736x1xf32>
}
