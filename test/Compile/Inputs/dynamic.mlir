#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @gemm(%x: tensor<?x96xbf16>, %w: tensor<?x96xbf16>) -> tensor<?x?xf32> {
  %a = ufp4.quantize %x along 1 : tensor<?x96xbf16> -> !ufp4.tensor<?x96, #f, along = 1>
  %b = ufp4.quantize %w along 1 : tensor<?x96xbf16> -> !ufp4.tensor<?x96, #f, along = 1>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<?x96, #f, along = 1>, !ufp4.tensor<?x96, #f, along = 1> -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
