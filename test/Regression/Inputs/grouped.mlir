// Grouped products whose extents are known at run time.

#rows = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
!x = !ufp4.tensor<?x48, #rows, along = 1, groups = <3 rows>>
!w = !ufp4.tensor<3x48x?, #rows, along = 1, groups = <3 stacked>>
!u = !ufp4.tensor<40x?, #rows, along = 0, groups = <3 contracted>>
!v = !ufp4.tensor<40x5, #rows, along = 0, groups = <3 contracted>>

func.func @fprop(%x: tensor<?x48xf32>, %w: tensor<3x48x?xf32>, %sizes: tensor<3xi32>,
                 %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %qx = ufp4.quantize %x along 1 groups(%sizes : tensor<3xi32>) : tensor<?x48xf32> -> !x
  %qw = ufp4.quantize %w along 1 : tensor<3x48x?xf32> -> !w
  %y = ufp4.matmul %qx, %qw groups(%sizes : tensor<3xi32>) accumulate(%c : tensor<?x?xf32>)
      : !x, !w -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func @wgrad(%u: tensor<40x?xf32>, %v: tensor<40x5xf32>, %sizes: tensor<3xi32>,
                 %c: tensor<3x?x5xf32>) -> tensor<3x?x5xf32> {
  %qu = ufp4.quantize %u along 0 groups(%sizes : tensor<3xi32>) : tensor<40x?xf32> -> !u
  %qv = ufp4.quantize %v along 0 groups(%sizes : tensor<3xi32>) : tensor<40x5xf32> -> !v
  %y = ufp4.matmul %qu, %qv groups(%sizes : tensor<3xi32>) accumulate(%c : tensor<3x?x5xf32>)
      : !u, !v -> tensor<3x?x5xf32>
  return %y : tensor<3x?x5xf32>
}
