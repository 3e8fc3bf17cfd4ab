// Entries of every kind that C can call: static and dynamic extents, mixed results, results that are
// arguments, elements of every width, no arguments, names that are no identifiers.
func.func @"up.1"(%x: tensor<?x4xf32> {ufp4.name = "x"}, %w: tensor<4x8xf32> {ufp4.name = "class"})
    -> (tensor<?x8xf32> {ufp4.name = "y['a']"}, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%m) : tensor<?x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x8xf32>) outs(%init : tensor<?x8xf32>) -> tensor<?x8xf32>
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %v = arith.mulf %w, %half : tensor<4x8xf32>
  return %y, %v : tensor<?x8xf32>, tensor<4x8xf32>
}

func.func @up_1(%x: tensor<3xf32> {ufp4.name = "0"}, %y: tensor<3xf32> {ufp4.name = "_0"},
                %step: tensor<3xi32> {ufp4.rng}, %seed: tensor<i64> {ufp4.name = "seed"})
    -> (tensor<3xf32>, tensor<3xi32>, tensor<i64>, tensor<3xf32>) {
  %sum = arith.addf %x, %y : tensor<3xf32>
  return %sum, %step, %seed, %x : tensor<3xf32>, tensor<3xi32>, tensor<i64>, tensor<3xf32>
}

func.func @same(%x: tensor<?xf64> {ufp4.name = "x"}, %y: tensor<?x?xi8> {ufp4.name = "x_shape"})
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xi8>, tensor<?xf64>) {
  %sum = arith.addf %x, %x : tensor<?xf64>
  return %x, %x, %y, %sum : tensor<?xf64>, tensor<?xf64>, tensor<?x?xi8>, tensor<?xf64>
}

func.func @elements(%a: tensor<2x2xi1>, %b: tensor<2x2xf16>, %c: tensor<2x2xbf16>, %d: tensor<0xf32>)
    -> (tensor<2x2xf16>, tensor<2x2xbf16>, tensor<2x2xi1>, tensor<0xf32>) {
  %f = arith.addf %b, %b : tensor<2x2xf16>
  %g = arith.mulf %c, %c : tensor<2x2xbf16>
  %true = arith.constant dense<true> : tensor<2x2xi1>
  %not = arith.xori %a, %true : tensor<2x2xi1>
  return %f, %g, %not, %d : tensor<2x2xf16>, tensor<2x2xbf16>, tensor<2x2xi1>, tensor<0xf32>
}

func.func @constant() -> tensor<2xi32> {
  %0 = arith.constant dense<[7, -7]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @"out\22 *//.-"() {
  return
}
