// Public functions of the C library's names, also where their own code calls the library's.
func.func @free(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = math.exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func @exp(%x: tensor<4xf64>) -> tensor<4xf64> {
  %y = math.exp %x : tensor<4xf64>
  return %y : tensor<4xf64>
}
func.func @create(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}
