// Quantizes whose codes and scales are results, and a GEMM beside its operands' codes.
#ufp4 = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#plain = #ufp4.scheme<e2m1, block = 16, scale = f32>
#nv = #ufp4.scheme<e1m2, block = 16, scale = ue4m3, rotation = <size = 64, signs = 0xD7E8D7E8D7E8D7E8>>
#mx = #ufp4.scheme<e1m2, block = 32, scale = ue8m0, rotation = <size = 32, signs = 0xD7E8D7E8>>

func.func @codes(%x: tensor<1024x80xbf16>, %rng: tensor<3xi32> {ufp4.rng})
    -> (tensor<1024x80xi8>, tensor<1024x5xf32>, tensor<1024x80xi8>, tensor<1024x5xf32>,
        tensor<1024x128xi8>, tensor<1024x8xi8>, tensor<f32>, tensor<80x1024xi8>,
        tensor<80x32xi8>, tensor<80x1024xi8>, tensor<80x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : i64
  %low32 = tensor.extract %rng[%c0] : tensor<3xi32>
  %high32 = tensor.extract %rng[%c1] : tensor<3xi32>
  %step = tensor.extract %rng[%c2] : tensor<3xi32>
  %low = arith.extui %low32 : i32 to i64
  %high = arith.extui %high32 : i32 to i64
  %shifted = arith.shli %high, %c32 : i64
  %seed = arith.ori %low, %shifted : i64

  %a = ufp4.quantize %x along 1 : tensor<1024x80xbf16> -> !ufp4.tensor<1024x80, #ufp4, along = 1>
  %0, %1 = ufp4.unpack %a : !ufp4.tensor<1024x80, #ufp4, along = 1>
      -> tensor<1024x80xi8>, tensor<1024x5xf32>
  %b = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 7 : i64}
      : tensor<1024x80xbf16> -> !ufp4.tensor<1024x80, #ufp4, along = 1>
  %2, %3 = ufp4.unpack %b : !ufp4.tensor<1024x80, #ufp4, along = 1>
      -> tensor<1024x80xi8>, tensor<1024x5xf32>
  %c = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 8 : i64}
      : tensor<1024x80xbf16> -> !ufp4.tensor<1024x80, #nv, along = 1>
  %4, %5, %6 = ufp4.unpack %c : !ufp4.tensor<1024x80, #nv, along = 1>
      -> tensor<1024x128xi8>, tensor<1024x8xi8>, tensor<f32>
  %d = ufp4.quantize %x along 0 : tensor<1024x80xbf16> -> !ufp4.tensor<1024x80, #mx, along = 0>
  %7, %8 = ufp4.unpack %d : !ufp4.tensor<1024x80, #mx, along = 0>
      -> tensor<80x1024xi8>, tensor<80x32xi8>
  %e = ufp4.quantize %x along 0 : tensor<1024x80xbf16> -> !ufp4.tensor<1024x80, #plain, along = 0>
  %9, %10 = ufp4.unpack %e : !ufp4.tensor<1024x80, #plain, along = 0>
      -> tensor<80x1024xi8>, tensor<80x64xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10
      : tensor<1024x80xi8>, tensor<1024x5xf32>, tensor<1024x80xi8>, tensor<1024x5xf32>,
        tensor<1024x128xi8>, tensor<1024x8xi8>, tensor<f32>, tensor<80x1024xi8>,
        tensor<80x32xi8>, tensor<80x1024xi8>, tensor<80x64xf32>
}

func.func @gemm(%x: tensor<48x80xbf16>, %w: tensor<80x32xbf16>)
    -> (tensor<48x80xi8>, tensor<48x5xf32>, tensor<32x80xi8>, tensor<32x5xf32>, tensor<48x32xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<48x80xbf16> -> !ufp4.tensor<48x80, #ufp4, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<80x32xbf16> -> !ufp4.tensor<80x32, #ufp4, along = 0>
  %0, %1 = ufp4.unpack %a : !ufp4.tensor<48x80, #ufp4, along = 1>
      -> tensor<48x80xi8>, tensor<48x5xf32>
  %2, %3 = ufp4.unpack %b : !ufp4.tensor<80x32, #ufp4, along = 0>
      -> tensor<32x80xi8>, tensor<32x5xf32>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<48x80, #ufp4, along = 1>,
      !ufp4.tensor<80x32, #ufp4, along = 0> -> tensor<48x32xf32>
  return %0, %1, %2, %3, %y : tensor<48x80xi8>, tensor<48x5xf32>, tensor<32x80xi8>,
                             tensor<32x5xf32>, tensor<48x32xf32>
}
