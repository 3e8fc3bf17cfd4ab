// Functions, arguments and entries with the names of the C library, of C and of the header's own.
func.func private @malloc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @expf(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @expf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.exp %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @memcpy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.erf %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @_mlir_ciface__Bool(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @llvm.sqrt.f32(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = math.sqrt %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @_Bool(%x: tensor<4xf32> {ufp4.name = "EOF"},
                 %y: tensor<4xf32> {ufp4.name = "_Bool"},
                 %z: tensor<4xf32> {ufp4.name = "INT8_MAX"},
                 %w: tensor<4xi32> {ufp4.name = "int32_t"})
    -> (tensor<4xf32> {ufp4.name = "__LINE__"}, tensor<4xf32> {ufp4.name = "LIB_H"},
        tensor<4xf32> {ufp4.name = "complex"}, tensor<4xf32>) {
  %a = call @malloc(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = call @memcpy(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %c = call @_mlir_ciface__Bool(%z) : (tensor<4xf32>) -> tensor<4xf32>
  %d = call @llvm.sqrt.f32(%z) : (tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func @CODE(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
