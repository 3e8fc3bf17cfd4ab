#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @sum(%x: tensor<40x16xf32>) -> !ufp4.tensor<40x16, #s, along = 1, groups = <2 rows>> {
  %sizes = arith.constant dense<[20, 19]> : tensor<2xi32>
  // expected-error @below {{the sizes of the groups add up to 39, expected 40, the rows that they divide}}
  %q = ufp4.quantize %x along 1 groups(%sizes : tensor<2xi32>) : tensor<40x16xf32> -> !ufp4.tensor<40x16, #s, along = 1, groups = <2 rows>>
  return %q : !ufp4.tensor<40x16, #s, along = 1, groups = <2 rows>>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @negative(%x: !ufp4.tensor<40x16, #s, along = 0, groups = <2 contracted>>) -> tensor<2x16x16xf32> {
  %sizes = arith.constant dense<[-1, 41]> : tensor<2xi32>
  // expected-error @below {{group 0 has a negative size, -1}}
  %y = ufp4.matmul %x, %x groups(%sizes : tensor<2xi32>) : !ufp4.tensor<40x16, #s, along = 0, groups = <2 contracted>>, !ufp4.tensor<40x16, #s, along = 0, groups = <2 contracted>> -> tensor<2x16x16xf32>
  return %y : tensor<2x16x16xf32>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @dynamic(%x: tensor<40x?xf32>, %sizes: tensor<2xi32>, %seed: i64, %step: i32) -> !ufp4.tensor<40x?, #s, along = 0, groups = <2 contracted>> {
  // expected-error @below {{stochastic rounding of groups along K needs static rows}}
  %q = ufp4.quantize %x along 0 stochastic(%seed, %step) groups(%sizes : tensor<2xi32>) {stream = 1} : tensor<40x?xf32> -> !ufp4.tensor<40x?, #s, along = 0, groups = <2 contracted>>
  return %q : !ufp4.tensor<40x?, #s, along = 0, groups = <2 contracted>>
}
