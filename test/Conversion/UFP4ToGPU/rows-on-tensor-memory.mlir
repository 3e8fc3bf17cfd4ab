// RUN: ufp4-opt %s --split-input-file --verify-diagnostics --ufp4-to-gpu=target=sm_100a

// Products on tensor memory read no operands that lie in rows. Breaks if one is taken for such a product, or
// the refusal does not say what else there is.

#u = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

func.func @uniform(%ac: memref<16384xi8>, %as: memref<2048xi8>, %s: memref<f32>, %c: memref<128x128xf32>) {
  // expected-error@+1 {{'ufp4.block_gemm' op has an operand in storage "natural"; sm_100a reads "tile_major_4bit_words" on this path: materialize storages for this target, or take the path fold, which reads it}}
  ufp4.block_gemm
    lhs(%ac, %as, %s : memref<16384xi8>, memref<2048xi8>, memref<f32>) as <!ufp4.tensor<128x256, #u, along = 1>, "natural">
    rhs(%ac, %as, %s : memref<16384xi8>, memref<2048xi8>, memref<f32>) as <!ufp4.tensor<128x256, #u, along = 1>, "natural">
    via <native> outs(%c : memref<128x128xf32>)
  return
}

// -----

#m = #ufp4.scheme<e2m1, block = 32, scale = ue8m0>

func.func @e2m1(%ac: memref<16384xi8>, %as: memref<1024xi8>, %c: memref<128x128xf32>) {
  // expected-error@+1 {{sm_100a reads "tile_major_4bit_words" on this path: materialize storages for this target}}
  ufp4.block_gemm
    lhs(%ac, %as : memref<16384xi8>, memref<1024xi8>) as <!ufp4.tensor<128x256, #m, along = 1>, "natural">
    rhs(%ac, %as : memref<16384xi8>, memref<1024xi8>) as <!ufp4.tensor<128x256, #m, along = 1>, "natural">
    via <native> outs(%c : memref<128x128xf32>)
  return
}
