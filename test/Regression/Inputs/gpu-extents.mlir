#f = #ufp4.scheme<e1m2, block = 32, scale = ue8m0, rotation = <size = 32, signs = 0xD7E8D7E8>>

func.func @step(%x: tensor<?x64xbf16>, %w: tensor<64x48xbf16>) -> (tensor<?x48xf32>, tensor<?x48xf32>) {
  %qx = ufp4.quantize %x along 1 : tensor<?x64xbf16> -> !ufp4.tensor<?x64, #f, along = 1>
  %qw = ufp4.quantize %w along 0 : tensor<64x48xbf16> -> !ufp4.tensor<64x48, #f, along = 0>
  %y = ufp4.matmul %qx, %qw : !ufp4.tensor<?x64, #f, along = 1>, !ufp4.tensor<64x48, #f, along = 0> -> tensor<?x48xf32>
  %z = ufp4.matmul %qx, %qw accumulate(%y : tensor<?x48xf32>) : !ufp4.tensor<?x64, #f, along = 1>, !ufp4.tensor<64x48, #f, along = 0> -> tensor<?x48xf32>
  return %y, %z : tensor<?x48xf32>, tensor<?x48xf32>
}
