// A layer of four experts: fprop, dgrad and wgrad, dy rounded stochastically.

#s = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
!x = !ufp4.tensor<200x80, #s, along = 1, groups = <4 rows>>
!w = !ufp4.tensor<4x80x72, #s, along = 1, groups = <4 stacked>>
!wt = !ufp4.tensor<4x80x72, #s, along = 2, groups = <4 stacked>>
!dy = !ufp4.tensor<200x72, #s, along = 1, groups = <4 rows>>
!xt = !ufp4.tensor<200x80, #s, along = 0, groups = <4 contracted>>
!dyt = !ufp4.tensor<200x72, #s, along = 0, groups = <4 contracted>>
func.func @step(%x: tensor<200x80xbf16>, %w: tensor<4x80x72xbf16>, %dy: tensor<200x72xbf16>, %sizes: tensor<4xi32>)
    -> (tensor<200x72xf32>, tensor<200x80xf32>, tensor<4x80x72xf32>) {
  %seed = arith.constant 12345 : i64
  %step = arith.constant 7 : i32
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<4xi32>) : tensor<200x80xbf16> -> !x
  %qw = ufp4.quantize %w along 1 : tensor<4x80x72xbf16> -> !w
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<4xi32>) : !x, !w -> tensor<200x72xf32>
  %qdy = ufp4.quantize %dy along 1 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) {stream = 3} : tensor<200x72xbf16> -> !dy
  %qwt = ufp4.quantize %w along 2 : tensor<4x80x72xbf16> -> !wt
  %dx = ufp4.matmul %qdy, %qwt groups(%sizes : tensor<4xi32>) : !dy, !wt -> tensor<200x80xf32>
  %qxt = ufp4.quantize %x along 0 groups(%sizes : tensor<4xi32>) : tensor<200x80xbf16> -> !xt
  %qdyt = ufp4.quantize %dy along 0 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) {stream = 5} : tensor<200x72xbf16> -> !dyt
  %dw = ufp4.matmul %qxt, %qdyt groups(%sizes : tensor<4xi32>) : !xt, !dyt -> tensor<4x80x72xf32>
  return %y, %dx, %dw : tensor<200x72xf32>, tensor<200x80xf32>, tensor<4x80x72xf32>
}
