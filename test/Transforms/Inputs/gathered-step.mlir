// What examples/models/make/to_linalg.py makes of the step of
//
//   def loss(p, x, order, y):
//       h = jnp.dot(x[order], p["w1"], preferred_element_type=jnp.float32)
//       return jnp.mean((h - y) ** 2)
//
// with jax.value_and_grad: 128 rows of 64, negative indices counted from the end.

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> (d1, d0)>
module @jit_step {
  func.func public @main(%arg0: tensor<32x64xbf16> {ufp4.name = "p.w1"}, %arg1: tensor<64x32xbf16> {ufp4.name = "x"}, %arg2: tensor<128xi32> {ufp4.name = "o"}, %arg3: tensor<128x64xf32> {ufp4.name = "y"}) -> (tensor<f32>, tensor<32x64xbf16>) {
    %cst = arith.constant 1.22070313E-4 : f32
    %cst_0 = arith.constant 8.192000e+03 : f32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %c63 = arith.constant 63 : index
    %c0 = arith.constant 0 : index
    %c64_i32 = arith.constant 64 : i32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<128xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<128xi32>) outs(%0 : tensor<128xi1>) {
    ^bb0(%in: i32, %out: i1):
      %29 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %29 : i1
    } -> tensor<128xi1>
    %2 = tensor.empty() : tensor<128xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<128xi32>) outs(%2 : tensor<128xi32>) {
    ^bb0(%in: i32, %out: i32):
      %29 = arith.addi %in, %c64_i32 : i32
      linalg.yield %29 : i32
    } -> tensor<128xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel"]} ins(%1, %3, %arg2 : tensor<128xi1>, tensor<128xi32>, tensor<128xi32>) outs(%2 : tensor<128xi32>) {
    ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32):
      %29 = arith.select %in, %in_3, %in_4 : i32
      linalg.yield %29 : i32
    } -> tensor<128xi32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [128, 1] : tensor<128xi32> into tensor<128x1xi32>
    %5 = tensor.empty() : tensor<128x32xbf16>
    %6 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%5 : tensor<128x32xbf16>) {
    ^bb0(%out: bf16):
      %29 = linalg.index 0 : index
      %30 = linalg.index 1 : index
      %extracted = tensor.extract %expanded[%29, %c0] : tensor<128x1xi32>
      %31 = arith.index_cast %extracted : i32 to index
      %32 = arith.maxsi %31, %c0 : index
      %33 = arith.minsi %32, %c63 : index
      %extracted_3 = tensor.extract %arg1[%33, %30] : tensor<64x32xbf16>
      linalg.yield %extracted_3 : bf16
    } -> tensor<128x32xbf16>
    %7 = tensor.empty() : tensor<128x64xf32>
    %8 = linalg.fill ins(%cst_2 : f32) outs(%7 : tensor<128x64xf32>) -> tensor<128x64xf32>
    %9 = linalg.matmul ins(%6, %arg0 : tensor<128x32xbf16>, tensor<32x64xbf16>) outs(%8 : tensor<128x64xf32>) -> tensor<128x64xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %arg3 : tensor<128x64xf32>, tensor<128x64xf32>) outs(%7 : tensor<128x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %29 = arith.subf %in, %in_3 : f32
      linalg.yield %29 : f32
    } -> tensor<128x64xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<128x64xf32>) outs(%7 : tensor<128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %in : f32
      linalg.yield %29 : f32
    } -> tensor<128x64xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<128x64xf32>) outs(%7 : tensor<128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.mulf %in, %cst_1 : f32
      linalg.yield %29 : f32
    } -> tensor<128x64xf32>
    %13 = tensor.empty() : tensor<f32>
    %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<f32>) -> tensor<f32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "reduction"]} ins(%11 : tensor<128x64xf32>) outs(%14 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%15 : tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.divf %in, %cst_0 : f32
      linalg.yield %29 : f32
    } -> tensor<f32>
    %17 = linalg.generic {indexing_maps = [#map3], iterator_types = []} outs(%13 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %18 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<f32>) outs(%7 : tensor<128x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x64xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %12 : tensor<128x64xf32>, tensor<128x64xf32>) outs(%7 : tensor<128x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %29 = arith.mulf %in, %in_3 : f32
      linalg.yield %29 : f32
    } -> tensor<128x64xf32>
    %20 = tensor.empty() : tensor<128x32xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<128x32xbf16>) outs(%20 : tensor<128x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %29 = arith.extf %in : bf16 to f32
      linalg.yield %29 : f32
    } -> tensor<128x32xf32>
    %22 = tensor.empty() : tensor<64x32xf32>
    %23 = linalg.fill ins(%cst_2 : f32) outs(%22 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19, %21 : tensor<128x64xf32>, tensor<128x32xf32>) outs(%23 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %29 = arith.mulf %in, %in_3 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<64x32xf32>
    %25 = tensor.empty() : tensor<64x32xbf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<64x32xf32>) outs(%25 : tensor<64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<64x32xbf16>
    %27 = tensor.empty() : tensor<32x64xbf16>
    %28 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<64x32xbf16>) outs(%27 : tensor<32x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x64xbf16>
    return %16, %28 : tensor<f32>, tensor<32x64xbf16>
  }
}

