// Extents that are known at run time only and have to agree for the products to be defined.
func.func @main(%x: tensor<?x32xbf16>, %w: tensor<32x?xbf16> {ufp4.name = "w"},
                %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<?x32xbf16>, tensor<32x?xbf16>)
                     outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
func.func private @product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>)
                     outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
// K differs inside a callee; what it returns is added to a third argument.
func.func @calls(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>)
    -> tensor<?x?xf32> {
  %y = call @product(%a, %b) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %z = arith.addf %y, %c : tensor<?x?xf32>
  return %z : tensor<?x?xf32>
}
// A dynamic K is one that the cast promises.
func.func @promised(%a: tensor<4x?xf32>) -> tensor<4x8xf32> {
  %y = tensor.cast %a : tensor<4x?xf32> to tensor<4x8xf32>
  %z = arith.addf %y, %y : tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
// Two loops over one argument, of which neither must run: nothing has to agree.
func.func @free(%a: tensor<?xf32>, %b: tensor<?xf32>, %if: tensor<i1>) -> tensor<?xf32> {
  %c = tensor.extract %if[] : tensor<i1>
  %y = scf.if %c -> tensor<?xf32> {
    %z = arith.addf %a, %b : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  } else {
    scf.yield %a : tensor<?xf32>
  }
  return %y : tensor<?xf32>
}
