// A layer of four experts whose tokens are not sorted: fprop and wgrad of rows that `order` names, by
// linalg's form of a gather.

#s = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#id = affine_map<(d0, d1) -> (d0, d1)>
!x = !ufp4.tensor<200x80, #s, along = 1, groups = <4 rows>>
!w = !ufp4.tensor<4x80x72, #s, along = 1, groups = <4 stacked>>
!xt = !ufp4.tensor<200x80, #s, along = 0, groups = <4 contracted>>
!dyt = !ufp4.tensor<200x72, #s, along = 0, groups = <4 contracted>>
!r = !ufp4.tensor<200x80, #s, along = 1>
!rt = !ufp4.tensor<200x80, #s, along = 0>
!u = !ufp4.tensor<48x80, #s, along = 1>
!ut = !ufp4.tensor<200x72, #s, along = 0>
func.func @step(%tokens: tensor<100x80xbf16>, %order: tensor<200xi32>, %w: tensor<4x80x72xbf16>, %dy: tensor<200x72xbf16>,
                %sizes: tensor<4xi32>, %u: tensor<48x80xbf16>)
    -> (tensor<200x72xf32>, tensor<200x48xf32>, tensor<80x72xf32>, tensor<4x80x72xf32>) {
  %seed = arith.constant 12345 : i64
  %step = arith.constant 7 : i32
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : index
  %empty = tensor.empty() : tensor<200x80xbf16>
  %x = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<200x80xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %order[%i] : tensor<200xi32>
    %index = arith.index_cast %named : i32 to index
    %least = arith.maxsi %index, %c0 : index
    %row = arith.minsi %least, %c99 : index
    %element = tensor.extract %tokens[%row, %k] : tensor<100x80xbf16>
    linalg.yield %element : bf16
  } -> tensor<200x80xbf16>
  %qx = ufp4.quantize %x along 1 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) {stream = 3} : tensor<200x80xbf16> -> !x
  %qw = ufp4.quantize %w along 1 : tensor<4x80x72xbf16> -> !w
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<4xi32>) : !x, !w -> tensor<200x72xf32>
  %qxt = ufp4.quantize %x along 0 groups(%sizes : tensor<4xi32>) : tensor<200x80xbf16> -> !xt
  %qdyt = ufp4.quantize %dy along 0 stochastic(%seed, %step) groups(%sizes : tensor<4xi32>) {stream = 5} : tensor<200x72xbf16> -> !dyt
  %dw = ufp4.matmul %qxt, %qdyt groups(%sizes : tensor<4xi32>) : !xt, !dyt -> tensor<4x80x72xf32>
  // Of the same rows without groups: one quantize along both dimensions.
  %r = ufp4.quantize %x along 1 : tensor<200x80xbf16> -> !r
  %qu = ufp4.quantize %u along 1 : tensor<48x80xbf16> -> !u
  %v = ufp4.matmul %r, %qu : !r, !u -> tensor<200x48xf32>
  %rt = ufp4.quantize %x along 0 stochastic(%seed, %step) {stream = 9} : tensor<200x80xbf16> -> !rt
  %ut = ufp4.quantize %dy along 0 : tensor<200x72xbf16> -> !ut
  %du = ufp4.matmul %rt, %ut : !rt, !ut -> tensor<80x72xf32>
  return %y, %v, %du, %dw : tensor<200x72xf32>, tensor<200x48xf32>, tensor<80x72xf32>, tensor<4x80x72xf32>
}
