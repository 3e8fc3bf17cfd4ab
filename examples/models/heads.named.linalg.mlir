#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map12 = affine_map<(d0, d1, d2) -> ()>
#map13 = affine_map<() -> ()>
#map14 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map15 = affine_map<(d0, d1) -> (d1, d0)>
#map16 = affine_map<(d0, d1, d2) -> (d0)>
#map17 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0, d1)>
#map20 = affine_map<(d0) -> (d0)>
module @jit_heads_step {
  func.func public @main(%arg0: tensor<32xbf16> {ufp4.name = "p.g1"}, %arg1: tensor<32xbf16> {ufp4.name = "p.g2"}, %arg2: tensor<64x32xbf16> {ufp4.name = "p.wd"}, %arg3: tensor<32x64xbf16> {ufp4.name = "p.wi"}, %arg4: tensor<32x2x16xbf16> {ufp4.name = "p.wk"}, %arg5: tensor<2x16x32xbf16> {ufp4.name = "p.wo"}, %arg6: tensor<32x2x16xbf16> {ufp4.name = "p.wq"}, %arg7: tensor<32x2x16xbf16> {ufp4.name = "p.wv"}, %arg8: tensor<2x16x32xbf16> {ufp4.name = "x"}, %arg9: tensor<2x16x32xbf16> {ufp4.name = "y"}) -> (tensor<32xbf16>, tensor<32xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<32x2x16xbf16>, tensor<2x16x32xbf16>, tensor<32x2x16xbf16>, tensor<32x2x16xbf16>, tensor<f32>, tensor<32xbf16>, tensor<32xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<32x2x16xbf16>, tensor<2x16x32xbf16>, tensor<32x2x16xbf16>, tensor<32x2x16xbf16>) {
    %cst = arith.constant 9.765625E-4 : f32
    %cst_0 = arith.constant 1.000000e-01 : f32
    %cst_1 = arith.constant 0.000000e+00 : bf16
    %cst_2 = arith.constant 1.024000e+03 : f32
    %cst_3 = arith.constant 2.000000e+00 : f32
    %cst_4 = arith.constant 5.000000e-01 : bf16
    %cst_5 = arith.constant 1.000000e+00 : bf16
    %cst_6 = arith.constant 7.968750e-01 : bf16
    %cst_7 = arith.constant 4.467770e-02 : bf16
    %cst_8 = arith.constant 3.000000e+00 : bf16
    %cst_9 = arith.constant -5.000000e-01 : f32
    %cst_10 = arith.constant 1.000000e+00 : f32
    %cst_11 = arith.constant 0xFF800000 : f32
    %cst_12 = arith.constant -1.000000e+09 : f32
    %cst_13 = arith.constant 2.500000e-01 : f32
    %cst_14 = arith.constant 9.99999974E-6 : f32
    %cst_15 = arith.constant 3.200000e+01 : f32
    %cst_16 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %3 = tensor.empty() : tensor<2x16xf32>
    %4 = linalg.fill ins(%cst_16 : f32) outs(%3 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16xf32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %6 = tensor.empty() : tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %in, %cst_15 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %in, %cst_14 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = math.rsqrt %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %10 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %12 = tensor.empty() : tensor<2x16x32xbf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed = tensor.collapse_shape %15 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %collapsed_17 = tensor.collapse_shape %arg6 [[0], [1, 2]] : tensor<32x2x16xbf16> into tensor<32x32xbf16>
    %16 = tensor.empty() : tensor<32x32xf32>
    %17 = linalg.fill ins(%cst_16 : f32) outs(%16 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %18 = linalg.matmul ins(%collapsed, %collapsed_17 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %19 = tensor.empty() : tensor<32x32xbf16>
    %20 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_18 = tensor.expand_shape %20 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xbf16> into tensor<2x16x2x16xbf16>
    %collapsed_19 = tensor.collapse_shape %arg4 [[0], [1, 2]] : tensor<32x2x16xbf16> into tensor<32x32xbf16>
    %21 = linalg.matmul ins(%collapsed, %collapsed_19 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_20 = tensor.expand_shape %22 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xbf16> into tensor<2x16x2x16xbf16>
    %collapsed_21 = tensor.collapse_shape %arg7 [[0], [1, 2]] : tensor<32x2x16xbf16> into tensor<32x32xbf16>
    %23 = linalg.matmul ins(%collapsed, %collapsed_21 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_22 = tensor.expand_shape %24 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xbf16> into tensor<2x16x2x16xbf16>
    %25 = tensor.empty() : tensor<2x2x16x16xbf16>
    %26 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x16x2x16xbf16>) outs(%25 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x16x16xbf16>
    %27 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x16x2x16xbf16>) outs(%25 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x16x16xbf16>
    %collapsed_23 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %collapsed_24 = tensor.collapse_shape %27 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %28 = tensor.empty() : tensor<4x16x16xf32>
    %29 = linalg.fill ins(%cst_16 : f32) outs(%28 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %30 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<4x16x16xbf16>, tensor<4x16x16xbf16>) outs(%29 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %expanded_25 = tensor.expand_shape %30 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf32> into tensor<2x2x16x16xf32>
    %31 = tensor.empty() : tensor<2x2x16x16xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_13 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %33 = tensor.empty() : tensor<16x16xi32>
    %34 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%33 : tensor<16x16xi32>) {
    ^bb0(%out: i32):
      %273 = linalg.index 0 : index
      %274 = arith.index_cast %273 : index to i32
      linalg.yield %274 : i32
    } -> tensor<16x16xi32>
    %35 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%33 : tensor<16x16xi32>) {
    ^bb0(%out: i32):
      %273 = linalg.index 1 : index
      %274 = arith.index_cast %273 : index to i32
      linalg.yield %274 : i32
    } -> tensor<16x16xi32>
    %36 = tensor.empty() : tensor<16x16xi1>
    %37 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%34, %35 : tensor<16x16xi32>, tensor<16x16xi32>) outs(%36 : tensor<16x16xi1>) {
    ^bb0(%in: i32, %in_78: i32, %out: i1):
      %273 = arith.cmpi sge, %in, %in_78 : i32
      linalg.yield %273 : i1
    } -> tensor<16x16xi1>
    %38 = tensor.empty() : tensor<2x2x16x16xi1>
    %39 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<16x16xi1>) outs(%38 : tensor<2x2x16x16xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x16x16xi1>
    %40 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %32 : tensor<2x2x16x16xi1>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: i1, %in_78: f32, %out: f32):
      %273 = arith.select %in, %in_78, %cst_12 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %41 = tensor.empty() : tensor<2x2x16xf32>
    %42 = linalg.fill ins(%cst_11 : f32) outs(%41 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40 : tensor<2x2x16x16xf32>) outs(%42 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.maximumf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16xf32>
    %44 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x2x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %44 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %46 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = math.exp %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %47 = linalg.fill ins(%cst_16 : f32) outs(%41 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %48 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<2x2x16x16xf32>) outs(%47 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16xf32>
    %49 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x2x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %50 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.divf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<2x2x16xf32>) outs(%41 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16xf32>
    %expanded_26 = tensor.expand_shape %51 [[0], [1], [2, 3]] output_shape [2, 2, 16, 1] : tensor<2x2x16xf32> into tensor<2x2x16x1xf32>
    %52 = tensor.empty() : tensor<2x2x16x1xf32>
    %53 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x2x16x1xf32>) outs(%52 : tensor<2x2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %cst_10, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x1xf32>
    %54 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<2x2x16x16xbf16>
    %55 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<2x16x2x16xbf16>) outs(%25 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x16x16xbf16>
    %56 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x2x16x16xbf16>) outs(%25 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x16x16xbf16>
    %collapsed_27 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %collapsed_28 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %57 = linalg.batch_matmul ins(%collapsed_27, %collapsed_28 : tensor<4x16x16xbf16>, tensor<4x16x16xbf16>) outs(%29 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %58 = tensor.empty() : tensor<4x16x16xbf16>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<4x16x16xf32>) outs(%58 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<4x16x16xbf16>
    %expanded_29 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xbf16> into tensor<2x2x16x16xbf16>
    %60 = tensor.empty() : tensor<2x16x2x16xbf16>
    %61 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x2x16x16xbf16>) outs(%60 : tensor<2x16x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x2x16xbf16>
    %collapsed_30 = tensor.collapse_shape %61 [[0, 1], [2, 3]] : tensor<2x16x2x16xbf16> into tensor<32x32xbf16>
    %collapsed_31 = tensor.collapse_shape %arg5 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %62 = linalg.matmul ins(%collapsed_30, %collapsed_31 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %63 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%62 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_32 = tensor.expand_shape %63 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8, %expanded_32 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%66 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16xf32>
    %expanded_33 = tensor.expand_shape %67 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_33 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %in, %cst_15 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %in, %cst_14 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = math.rsqrt %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %69 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.divf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_9 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %73 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %73 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %76 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %76 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_34 = tensor.collapse_shape %77 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %78 = tensor.empty() : tensor<32x64xf32>
    %79 = linalg.fill ins(%cst_16 : f32) outs(%78 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %80 = linalg.matmul ins(%collapsed_34, %arg3 : tensor<32x32xbf16>, tensor<32x64xbf16>) outs(%79 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %81 = tensor.empty() : tensor<32x64xbf16>
    %82 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%80 : tensor<32x64xf32>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x64xbf16>
    %expanded_35 = tensor.expand_shape %82 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %83 = tensor.empty() : tensor<2x16x64xbf16>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %expanded_35 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_8 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_7 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35, %87 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_6 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = math.tanh %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.subf %cst_5, %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.addf %in, %cst_5 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_4 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %94 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35, %93 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %collapsed_36 = tensor.collapse_shape %94 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %95 = linalg.matmul ins(%collapsed_36, %arg2 : tensor<32x64xbf16>, tensor<64x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %96 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_37 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %expanded_37 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %98 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %99 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_3 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %103 = tensor.empty() : tensor<f32>
    %104 = linalg.fill ins(%cst_16 : f32) outs(%103 : tensor<f32>) -> tensor<f32>
    %105 = linalg.generic {indexing_maps = [#map, #map12], iterator_types = ["reduction", "reduction", "reduction"]} ins(%101 : tensor<2x16x32xf32>) outs(%104 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<f32>
    %106 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = []} ins(%105 : tensor<f32>) outs(%103 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %in, %cst_2 : f32
      linalg.yield %273 : f32
    } -> tensor<f32>
    %107 = linalg.generic {indexing_maps = [#map13], iterator_types = []} outs(%103 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %108 = linalg.generic {indexing_maps = [#map12, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107 : tensor<f32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %102 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %112 = tensor.empty() : tensor<32x2x16xf32>
    %113 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<2x16x32xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x2x16xf32>
    %collapsed_38 = tensor.collapse_shape %113 [[0], [1, 2]] : tensor<32x2x16xf32> into tensor<32x32xf32>
    %114 = linalg.matmul ins(%collapsed_38, %collapsed_36 : tensor<32x32xf32>, tensor<32x64xbf16>) outs(%79 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %115 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%114 : tensor<32x64xf32>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x64xbf16>
    %116 = tensor.empty() : tensor<64x32xbf16>
    %117 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel"]} ins(%115 : tensor<32x64xbf16>) outs(%116 : tensor<64x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<64x32xbf16>
    %collapsed_39 = tensor.collapse_shape %111 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %118 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<64x32xbf16>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x64xbf16>
    %119 = linalg.matmul ins(%collapsed_39, %118 : tensor<32x32xf32>, tensor<32x64xbf16>) outs(%79 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %120 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<32x64xf32>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x64xbf16>
    %expanded_40 = tensor.expand_shape %120 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35, %expanded_40 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %93 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%121 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_4 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123, %91 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %125 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %90 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %126 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %125 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %127 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_6 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %128 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122, %127 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.mulf %in, %cst_7 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %130 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129, %86 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %131 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128, %130 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%83 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x64xbf16>
    %132 = tensor.empty() : tensor<2x16x64xf32>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<2x16x64xbf16>) outs(%132 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x64xf32>
    %134 = tensor.empty() : tensor<64x2x16xf32>
    %135 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133 : tensor<2x16x64xf32>) outs(%134 : tensor<64x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x2x16xf32>
    %collapsed_41 = tensor.collapse_shape %135 [[0], [1, 2]] : tensor<64x2x16xf32> into tensor<64x32xf32>
    %136 = tensor.empty() : tensor<64x32xf32>
    %137 = linalg.fill ins(%cst_16 : f32) outs(%136 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %138 = linalg.matmul ins(%collapsed_41, %collapsed_34 : tensor<64x32xf32>, tensor<32x32xbf16>) outs(%137 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %139 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%138 : tensor<64x32xf32>) outs(%116 : tensor<64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<64x32xbf16>
    %140 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel"]} ins(%139 : tensor<64x32xbf16>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x64xbf16>
    %collapsed_42 = tensor.collapse_shape %133 [[0, 1], [2]] : tensor<2x16x64xf32> into tensor<32x64xf32>
    %141 = linalg.generic {indexing_maps = [#map15, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x64xbf16>) outs(%116 : tensor<64x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<64x32xbf16>
    %142 = linalg.matmul ins(%collapsed_42, %141 : tensor<32x64xf32>, tensor<64x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%142 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_43 = tensor.expand_shape %143 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %144 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%75, %expanded_43 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %145 = tensor.empty() : tensor<32xbf16>
    %146 = linalg.fill ins(%cst_1 : bf16) outs(%145 : tensor<32xbf16>) -> tensor<32xbf16>
    %147 = linalg.generic {indexing_maps = [#map14, #map16], iterator_types = ["parallel", "reduction", "reduction"]} ins(%144 : tensor<2x16x32xbf16>) outs(%146 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.addf %out, %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<32xbf16>
    %expanded_44 = tensor.expand_shape %147 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xbf16> into tensor<1x1x32xbf16>
    %148 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_43, %76 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %149 = linalg.generic {indexing_maps = [#map14, #map16], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_44 : tensor<1x1x32xbf16>) outs(%146 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.addf %out, %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<32xbf16>
    %150 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %151 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %150 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%151 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16xf32>
    %expanded_45 = tensor.expand_shape %152 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %73 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45, %72 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.divf %in, %cst_15 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x1xf32>
    %156 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%155 : tensor<2x16x1xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x16xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x16xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %158 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %157 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %159 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%153, %158 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.addf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %160 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157, %65 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %161 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159, %160 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.addf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %162 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %163 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110, %162 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %164 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %165 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x16x32xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x2x16xf32>
    %collapsed_46 = tensor.collapse_shape %165 [[0], [1, 2]] : tensor<32x2x16xf32> into tensor<32x32xf32>
    %166 = linalg.matmul ins(%collapsed_46, %collapsed_30 : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %167 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%166 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_47 = tensor.expand_shape %167 [[0], [1, 2]] output_shape [32, 2, 16] : tensor<32x32xbf16> into tensor<32x2x16xbf16>
    %168 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_47 : tensor<32x2x16xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_48 = tensor.collapse_shape %164 [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %169 = tensor.empty() : tensor<32x2x16xbf16>
    %170 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<2x16x32xbf16>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %collapsed_49 = tensor.collapse_shape %170 [[0], [1, 2]] : tensor<32x2x16xbf16> into tensor<32x32xbf16>
    %171 = linalg.matmul ins(%collapsed_48, %collapsed_49 : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %172 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%171 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %173 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%172 : tensor<32x32xbf16>) outs(%16 : tensor<32x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x32xf32>
    %expanded_50 = tensor.expand_shape %173 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xf32> into tensor<2x16x2x16xf32>
    %174 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_50 : tensor<2x16x2x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %175 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174 : tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %collapsed_51 = tensor.collapse_shape %175 [[0, 1], [2], [3]] : tensor<2x2x16x16xf32> into tensor<4x16x16xf32>
    %176 = linalg.batch_matmul ins(%collapsed_51, %collapsed_27 : tensor<4x16x16xf32>, tensor<4x16x16xbf16>) outs(%29 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %177 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%176 : tensor<4x16x16xf32>) outs(%58 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<4x16x16xbf16>
    %178 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%177 : tensor<4x16x16xbf16>) outs(%28 : tensor<4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<4x16x16xf32>
    %expanded_52 = tensor.expand_shape %178 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf32> into tensor<2x2x16x16xf32>
    %collapsed_53 = tensor.collapse_shape %174 [[0, 1], [2], [3]] : tensor<2x2x16x16xf32> into tensor<4x16x16xf32>
    %collapsed_54 = tensor.collapse_shape %54 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %179 = linalg.batch_matmul ins(%collapsed_53, %collapsed_54 : tensor<4x16x16xf32>, tensor<4x16x16xbf16>) outs(%29 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %180 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%179 : tensor<4x16x16xf32>) outs(%58 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<4x16x16xbf16>
    %181 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%180 : tensor<4x16x16xbf16>) outs(%28 : tensor<4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<4x16x16xf32>
    %expanded_55 = tensor.expand_shape %181 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf32> into tensor<2x2x16x16xf32>
    %182 = tensor.empty() : tensor<2x16x2x16xf32>
    %183 = linalg.generic {indexing_maps = [#map11, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_55 : tensor<2x2x16x16xf32>) outs(%182 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %184 = linalg.generic {indexing_maps = [#map18, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x2x16x1xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %185 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_52, %184 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %186 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185, %46 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %187 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%186 : tensor<2x2x16x16xf32>) outs(%47 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16xf32>
    %188 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%187 : tensor<2x2x16xf32>) outs(%41 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.negf %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16xf32>
    %expanded_56 = tensor.expand_shape %188 [[0], [1], [2, 3]] output_shape [2, 2, 16, 1] : tensor<2x2x16xf32> into tensor<2x2x16x1xf32>
    %189 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_52, %49 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.divf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %190 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_56 : tensor<2x2x16x1xf32>) outs(%47 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.addf %out, %in : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16xf32>
    %191 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%190 : tensor<2x2x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %192 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189, %191 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.addf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %193 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%192, %46 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.mulf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %194 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %193 : tensor<2x2x16x16xi1>, tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: i1, %in_78: f32, %out: f32):
      %273 = arith.select %in, %in_78, %cst_16 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %195 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%194 : tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_13 : f32
      linalg.yield %273 : f32
    } -> tensor<2x2x16x16xf32>
    %196 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%195 : tensor<2x2x16x16xf32>) outs(%31 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %collapsed_57 = tensor.collapse_shape %196 [[0, 1], [2], [3]] : tensor<2x2x16x16xf32> into tensor<4x16x16xf32>
    %197 = linalg.batch_matmul ins(%collapsed_57, %collapsed_23 : tensor<4x16x16xf32>, tensor<4x16x16xbf16>) outs(%29 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %198 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%197 : tensor<4x16x16xf32>) outs(%58 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<4x16x16xbf16>
    %199 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%198 : tensor<4x16x16xbf16>) outs(%28 : tensor<4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<4x16x16xf32>
    %expanded_58 = tensor.expand_shape %199 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf32> into tensor<2x2x16x16xf32>
    %200 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_58 : tensor<2x2x16x16xf32>) outs(%182 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %201 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<2x16x2x16xbf16>) outs(%25 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x2x16x16xbf16>
    %collapsed_59 = tensor.collapse_shape %195 [[0, 1], [2], [3]] : tensor<2x2x16x16xf32> into tensor<4x16x16xf32>
    %collapsed_60 = tensor.collapse_shape %201 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %202 = linalg.batch_matmul ins(%collapsed_59, %collapsed_60 : tensor<4x16x16xf32>, tensor<4x16x16xbf16>) outs(%29 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %203 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202 : tensor<4x16x16xf32>) outs(%58 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<4x16x16xbf16>
    %204 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<4x16x16xbf16>) outs(%28 : tensor<4x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<4x16x16xf32>
    %expanded_61 = tensor.expand_shape %204 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf32> into tensor<2x2x16x16xf32>
    %205 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_61 : tensor<2x2x16x16xf32>) outs(%182 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %206 = linalg.generic {indexing_maps = [#map19, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%183 : tensor<2x16x2x16xf32>) outs(%182 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %collapsed_62 = tensor.collapse_shape %206 [[0, 1], [2, 3]] : tensor<2x16x2x16xf32> into tensor<32x32xf32>
    %207 = linalg.matmul ins(%collapsed_62, %collapsed : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %208 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%207 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_63 = tensor.expand_shape %208 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %209 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_63 : tensor<2x16x32xbf16>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %collapsed_64 = tensor.collapse_shape %183 [[0, 1], [2, 3]] : tensor<2x16x2x16xf32> into tensor<32x32xf32>
    %210 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<32x2x16xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_65 = tensor.collapse_shape %210 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %211 = linalg.matmul ins(%collapsed_64, %collapsed_65 : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %212 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%211 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_66 = tensor.expand_shape %212 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %213 = linalg.generic {indexing_maps = [#map19, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%200 : tensor<2x16x2x16xf32>) outs(%182 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %collapsed_67 = tensor.collapse_shape %213 [[0, 1], [2, 3]] : tensor<2x16x2x16xf32> into tensor<32x32xf32>
    %214 = linalg.matmul ins(%collapsed_67, %collapsed : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %215 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%214 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_68 = tensor.expand_shape %215 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %216 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_68 : tensor<2x16x32xbf16>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %collapsed_69 = tensor.collapse_shape %200 [[0, 1], [2, 3]] : tensor<2x16x2x16xf32> into tensor<32x32xf32>
    %217 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32x2x16xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_70 = tensor.collapse_shape %217 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %218 = linalg.matmul ins(%collapsed_69, %collapsed_70 : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %219 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%218 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_71 = tensor.expand_shape %219 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %220 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_66, %expanded_71 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %221 = linalg.generic {indexing_maps = [#map19, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%205 : tensor<2x16x2x16xf32>) outs(%182 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %collapsed_72 = tensor.collapse_shape %221 [[0, 1], [2, 3]] : tensor<2x16x2x16xf32> into tensor<32x32xf32>
    %222 = linalg.matmul ins(%collapsed_72, %collapsed : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %223 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%222 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_73 = tensor.expand_shape %223 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %224 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_73 : tensor<2x16x32xbf16>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %collapsed_74 = tensor.collapse_shape %205 [[0, 1], [2, 3]] : tensor<2x16x2x16xf32> into tensor<32x32xf32>
    %225 = linalg.generic {indexing_maps = [#map17, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<32x2x16xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %collapsed_75 = tensor.collapse_shape %225 [[0, 1], [2]] : tensor<2x16x32xbf16> into tensor<32x32xbf16>
    %226 = linalg.matmul ins(%collapsed_74, %collapsed_75 : tensor<32x32xf32>, tensor<32x32xbf16>) outs(%17 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %227 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%226 : tensor<32x32xf32>) outs(%19 : tensor<32x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x32xbf16>
    %expanded_76 = tensor.expand_shape %227 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xbf16> into tensor<2x16x32xbf16>
    %228 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%220, %expanded_76 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.addf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %229 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %228 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_78: bf16, %out: bf16):
      %273 = arith.mulf %in, %in_78 : bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %230 = linalg.generic {indexing_maps = [#map14, #map16], iterator_types = ["parallel", "reduction", "reduction"]} ins(%229 : tensor<2x16x32xbf16>) outs(%146 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.addf %out, %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<32xbf16>
    %expanded_77 = tensor.expand_shape %230 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xbf16> into tensor<1x1x32xbf16>
    %231 = linalg.generic {indexing_maps = [#map14, #map16], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_77 : tensor<1x1x32xbf16>) outs(%146 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %273 = arith.addf %out, %in : bf16
      linalg.yield %273 : bf16
    } -> tensor<32xbf16>
    %232 = tensor.empty() : tensor<32xf32>
    %233 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%arg0 : tensor<32xbf16>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %234 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%231 : tensor<32xbf16>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %235 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%234 : tensor<32xf32>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %236 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%233, %235 : tensor<32xf32>, tensor<32xf32>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %237 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%236 : tensor<32xf32>) outs(%145 : tensor<32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32xbf16>
    %238 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %239 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%149 : tensor<32xbf16>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %240 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%239 : tensor<32xf32>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %241 = linalg.generic {indexing_maps = [#map20, #map20, #map20], iterator_types = ["parallel"]} ins(%238, %240 : tensor<32xf32>, tensor<32xf32>) outs(%232 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<32xf32>
    %242 = linalg.generic {indexing_maps = [#map20, #map20], iterator_types = ["parallel"]} ins(%241 : tensor<32xf32>) outs(%145 : tensor<32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32xbf16>
    %243 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<64x32xbf16>) outs(%136 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<64x32xf32>
    %244 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%117 : tensor<64x32xbf16>) outs(%136 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<64x32xf32>
    %245 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%244 : tensor<64x32xf32>) outs(%136 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<64x32xf32>
    %246 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%243, %245 : tensor<64x32xf32>, tensor<64x32xf32>) outs(%136 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<64x32xf32>
    %247 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%246 : tensor<64x32xf32>) outs(%116 : tensor<64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<64x32xbf16>
    %248 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x64xbf16>) outs(%78 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x64xf32>
    %249 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%140 : tensor<32x64xbf16>) outs(%78 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x64xf32>
    %250 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%249 : tensor<32x64xf32>) outs(%78 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<32x64xf32>
    %251 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%248, %250 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%78 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<32x64xf32>
    %252 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%251 : tensor<32x64xf32>) outs(%81 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x64xbf16>
    %253 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32x2x16xbf16>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %254 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<32x2x16xbf16>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %255 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%254 : tensor<32x2x16xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %256 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%253, %255 : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %257 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%256 : tensor<32x2x16xf32>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x2x16xbf16>
    %258 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %259 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%168 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %260 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%259 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %261 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258, %260 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<2x16x32xf32>
    %262 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%261 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<2x16x32xbf16>
    %263 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<32x2x16xbf16>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %264 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%224 : tensor<32x2x16xbf16>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %265 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%264 : tensor<32x2x16xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %266 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%263, %265 : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %267 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%266 : tensor<32x2x16xf32>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x2x16xbf16>
    %268 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<32x2x16xbf16>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %269 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<32x2x16xbf16>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %273 = arith.extf %in : bf16 to f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %270 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%269 : tensor<32x2x16xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %273 = arith.mulf %in, %cst_0 : f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %271 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%268, %270 : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%112 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_78: f32, %out: f32):
      %273 = arith.subf %in, %in_78 : f32
      linalg.yield %273 : f32
    } -> tensor<32x2x16xf32>
    %272 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%271 : tensor<32x2x16xf32>) outs(%169 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %273 = arith.truncf %in : f32 to bf16
      linalg.yield %273 : bf16
    } -> tensor<32x2x16xbf16>
    return %237, %242, %247, %252, %257, %262, %267, %272, %106, %231, %149, %117, %140, %216, %168, %224, %209 : tensor<32xbf16>, tensor<32xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<32x2x16xbf16>, tensor<2x16x32xbf16>, tensor<32x2x16xbf16>, tensor<32x2x16xbf16>, tensor<f32>, tensor<32xbf16>, tensor<32xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<32x2x16xbf16>, tensor<2x16x32xbf16>, tensor<32x2x16xbf16>, tensor<32x2x16xbf16>
  }
}

