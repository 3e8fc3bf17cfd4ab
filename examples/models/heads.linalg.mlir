#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map10 = affine_map<(d0, d1) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map20 = affine_map<(d0, d1, d2) -> ()>
#map21 = affine_map<() -> ()>
#map22 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map25 = affine_map<(d0, d1) -> (d1, d0)>
#map26 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map27 = affine_map<(d0, d1, d2) -> (d0)>
#map28 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d0)>
#map29 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d1, d2)>
#map30 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map31 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4)>
#map32 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map33 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map34 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map35 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map36 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map37 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map38 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map39 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d0, d1)>
#map40 = affine_map<(d0) -> (d0)>
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
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %3 = tensor.empty() : tensor<2x16xf32>
    %4 = linalg.fill ins(%cst_16 : f32) outs(%3 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16xf32>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %6 = tensor.empty() : tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.divf %in, %cst_15 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %in, %cst_14 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = math.rsqrt %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %10 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %12 = tensor.empty() : tensor<2x16x32xbf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %14 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %16 = tensor.empty() : tensor<2x16x2x16xf32>
    %17 = linalg.fill ins(%cst_16 : f32) outs(%16 : tensor<2x16x2x16xf32>) -> tensor<2x16x2x16xf32>
    %18 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15, %arg6 : tensor<2x16x32xbf16>, tensor<32x2x16xbf16>) outs(%17 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x16x2x16xf32>
    %19 = tensor.empty() : tensor<2x16x2x16xbf16>
    %20 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x16x2x16xf32>) outs(%19 : tensor<2x16x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x2x16xbf16>
    %21 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15, %arg4 : tensor<2x16x32xbf16>, tensor<32x2x16xbf16>) outs(%17 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x16x2x16xf32>
    %22 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<2x16x2x16xf32>) outs(%19 : tensor<2x16x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x2x16xbf16>
    %23 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15, %arg7 : tensor<2x16x32xbf16>, tensor<32x2x16xbf16>) outs(%17 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x16x2x16xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x16x2x16xf32>) outs(%19 : tensor<2x16x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x2x16xbf16>
    %25 = tensor.empty() : tensor<2x2x16x16xf32>
    %26 = linalg.fill ins(%cst_16 : f32) outs(%25 : tensor<2x2x16x16xf32>) -> tensor<2x2x16x16xf32>
    %27 = linalg.generic {indexing_maps = [#map8, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%20, %22 : tensor<2x16x2x16xbf16>, tensor<2x16x2x16xbf16>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x2x16x16xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_13 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %29 = tensor.empty() : tensor<16x16xi32>
    %30 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel"]} outs(%29 : tensor<16x16xi32>) {
    ^bb0(%out: i32):
      %260 = linalg.index 0 : index
      %261 = arith.index_cast %260 : index to i32
      linalg.yield %261 : i32
    } -> tensor<16x16xi32>
    %31 = linalg.generic {indexing_maps = [#map10], iterator_types = ["parallel", "parallel"]} outs(%29 : tensor<16x16xi32>) {
    ^bb0(%out: i32):
      %260 = linalg.index 1 : index
      %261 = arith.index_cast %260 : index to i32
      linalg.yield %261 : i32
    } -> tensor<16x16xi32>
    %32 = tensor.empty() : tensor<16x16xi1>
    %33 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%30, %31 : tensor<16x16xi32>, tensor<16x16xi32>) outs(%32 : tensor<16x16xi1>) {
    ^bb0(%in: i32, %in_23: i32, %out: i1):
      %260 = arith.cmpi sge, %in, %in_23 : i32
      linalg.yield %260 : i1
    } -> tensor<16x16xi1>
    %34 = tensor.empty() : tensor<2x2x16x16xi1>
    %35 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<16x16xi1>) outs(%34 : tensor<2x2x16x16xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x16x16xi1>
    %36 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %28 : tensor<2x2x16x16xi1>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: i1, %in_23: f32, %out: f32):
      %260 = arith.select %in, %in_23, %cst_12 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %37 = tensor.empty() : tensor<2x2x16xf32>
    %38 = linalg.fill ins(%cst_11 : f32) outs(%37 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %39 = linalg.generic {indexing_maps = [#map7, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<2x2x16x16xf32>) outs(%38 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.maximumf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16xf32>
    %40 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x2x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %41 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %42 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = math.exp %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %43 = linalg.fill ins(%cst_16 : f32) outs(%37 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %44 = linalg.generic {indexing_maps = [#map7, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%42 : tensor<2x2x16x16xf32>) outs(%43 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16xf32>
    %expanded_17 = tensor.expand_shape %44 [[0], [1], [2, 3]] output_shape [2, 2, 16, 1] : tensor<2x2x16xf32> into tensor<2x2x16x1xf32>
    %45 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<2x2x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %46 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %45 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.divf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %47 = tensor.empty() : tensor<2x2x16x1xf32>
    %48 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<2x2x16x1xf32>) outs(%47 : tensor<2x2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x1xf32>
    %49 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<2x2x16x1xf32>) outs(%47 : tensor<2x2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.divf %cst_10, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x1xf32>
    %50 = tensor.empty() : tensor<2x2x16x16xbf16>
    %51 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x2x16x16xf32>) outs(%50 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x2x16x16xbf16>
    %52 = linalg.generic {indexing_maps = [#map13, #map14, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%24, %51 : tensor<2x16x2x16xbf16>, tensor<2x2x16x16xbf16>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x2x16x16xf32>
    %53 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x2x16x16xf32>) outs(%50 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x2x16x16xbf16>
    %54 = linalg.generic {indexing_maps = [#map15, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x2x16x16xbf16>) outs(%19 : tensor<2x16x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x2x16xbf16>
    %55 = linalg.fill ins(%cst_16 : f32) outs(%0 : tensor<2x16x32xf32>) -> tensor<2x16x32xf32>
    %56 = linalg.generic {indexing_maps = [#map14, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%54, %arg5 : tensor<2x16x2x16xbf16>, tensor<2x16x32xbf16>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x16x32xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg8, %57 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%60 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16xf32>
    %expanded_18 = tensor.expand_shape %61 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_18 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.divf %in, %cst_15 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %in, %cst_14 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = math.rsqrt %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %63 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.divf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_9 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %67 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %67 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %70 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %71 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %70 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %72 = tensor.empty() : tensor<2x16x64xf32>
    %73 = linalg.fill ins(%cst_16 : f32) outs(%72 : tensor<2x16x64xf32>) -> tensor<2x16x64xf32>
    %74 = linalg.generic {indexing_maps = [#map18, #map19, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71, %arg3 : tensor<2x16x32xbf16>, tensor<32x64xbf16>) outs(%73 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x16x64xf32>
    %75 = tensor.empty() : tensor<2x16x64xbf16>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74 : tensor<2x16x64xf32>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77, %76 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_8 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_7 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %80 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_6 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = math.tanh %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.subf %cst_5, %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.addf %in, %cst_5 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_4 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %86 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %88 = linalg.generic {indexing_maps = [#map18, #map19, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%87, %arg2 : tensor<2x16x64xbf16>, tensor<64x32xbf16>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      %261 = arith.extf %in_23 : bf16 to f32
      %262 = arith.mulf %260, %261 : f32
      %263 = arith.addf %out, %262 : f32
      linalg.yield %263 : f32
    } -> tensor<2x16x32xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %90 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %89 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg9 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91, %92 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_3 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %96 = tensor.empty() : tensor<f32>
    %97 = linalg.fill ins(%cst_16 : f32) outs(%96 : tensor<f32>) -> tensor<f32>
    %98 = linalg.generic {indexing_maps = [#map, #map20], iterator_types = ["reduction", "reduction", "reduction"]} ins(%94 : tensor<2x16x32xf32>) outs(%97 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<f32>
    %99 = linalg.generic {indexing_maps = [#map21, #map21], iterator_types = []} ins(%98 : tensor<f32>) outs(%96 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.divf %in, %cst_2 : f32
      linalg.yield %260 : f32
    } -> tensor<f32>
    %100 = linalg.generic {indexing_maps = [#map21], iterator_types = []} outs(%96 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %101 = linalg.generic {indexing_maps = [#map20, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<f32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %95 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%102 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x16x64xbf16>) outs(%72 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x64xf32>
    %106 = tensor.empty() : tensor<32x64xf32>
    %107 = linalg.fill ins(%cst_16 : f32) outs(%106 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %108 = linalg.generic {indexing_maps = [#map22, #map23, #map24], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%104, %105 : tensor<2x16x32xf32>, tensor<2x16x64xf32>) outs(%107 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<32x64xf32>
    %109 = tensor.empty() : tensor<32x64xbf16>
    %110 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%108 : tensor<32x64xf32>) outs(%109 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32x64xbf16>
    %111 = tensor.empty() : tensor<64x32xbf16>
    %112 = linalg.generic {indexing_maps = [#map25, #map10], iterator_types = ["parallel", "parallel"]} ins(%110 : tensor<32x64xbf16>) outs(%111 : tensor<64x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<64x32xbf16>
    %113 = tensor.empty() : tensor<64x32xf32>
    %114 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<64x32xbf16>) outs(%113 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<64x32xf32>
    %115 = linalg.generic {indexing_maps = [#map18, #map11, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%104, %114 : tensor<2x16x32xf32>, tensor<64x32xf32>) outs(%73 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x64xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115 : tensor<2x16x64xf32>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %116 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %86 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %119 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_4 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%119, %84 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %121 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %83 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %122 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%120, %121 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %123 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%122 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_6 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %124 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %123 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%123 : tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.mulf %in, %cst_7 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %126 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%125, %79 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %127 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124, %126 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%75 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x64xbf16>
    %128 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<2x16x64xbf16>) outs(%72 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x64xf32>
    %129 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %130 = linalg.fill ins(%cst_16 : f32) outs(%113 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %131 = linalg.generic {indexing_maps = [#map22, #map23, #map24], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%128, %129 : tensor<2x16x64xf32>, tensor<2x16x32xf32>) outs(%130 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<64x32xf32>
    %132 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%131 : tensor<64x32xf32>) outs(%111 : tensor<64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<64x32xbf16>
    %133 = linalg.generic {indexing_maps = [#map25, #map10], iterator_types = ["parallel", "parallel"]} ins(%132 : tensor<64x32xbf16>) outs(%109 : tensor<32x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x64xbf16>
    %134 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x64xbf16>) outs(%106 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x64xf32>
    %135 = linalg.generic {indexing_maps = [#map18, #map11, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%128, %134 : tensor<2x16x64xf32>, tensor<32x64xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %137 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69, %136 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %138 = tensor.empty() : tensor<32xbf16>
    %139 = linalg.fill ins(%cst_1 : bf16) outs(%138 : tensor<32xbf16>) -> tensor<32xbf16>
    %140 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "reduction", "reduction"]} ins(%137 : tensor<2x16x32xbf16>) outs(%139 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.addf %out, %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<32xbf16>
    %expanded_19 = tensor.expand_shape %140 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xbf16> into tensor<1x1x32xbf16>
    %141 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %70 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %142 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_19 : tensor<1x1x32xbf16>) outs(%139 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.addf %out, %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<32xbf16>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %144 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %143 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%144 : tensor<2x16x32xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16xf32>
    %expanded_20 = tensor.expand_shape %145 [[0], [1, 2]] output_shape [2, 16, 1] : tensor<2x16xf32> into tensor<2x16x1xf32>
    %146 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %67 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_20, %66 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %148 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147 : tensor<2x16x1xf32>) outs(%6 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.divf %in, %cst_15 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x1xf32>
    %149 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%148 : tensor<2x16x1xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x16xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<2x16xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x32xf32>
    %151 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59, %150 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %152 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146, %151 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.addf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %153 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %59 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %154 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%152, %153 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.addf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %155 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %156 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103, %155 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %157 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %158 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x16x2x16xbf16>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x2x16xf32>
    %159 = tensor.empty() : tensor<32x2x16xf32>
    %160 = linalg.fill ins(%cst_16 : f32) outs(%159 : tensor<32x2x16xf32>) -> tensor<32x2x16xf32>
    %161 = linalg.generic {indexing_maps = [#map28, #map29, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%157, %158 : tensor<2x16x32xf32>, tensor<2x16x2x16xf32>) outs(%160 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<32x2x16xf32>
    %162 = tensor.empty() : tensor<32x2x16xbf16>
    %163 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161 : tensor<32x2x16xf32>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32x2x16xbf16>
    %164 = linalg.generic {indexing_maps = [#map30, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<32x2x16xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<2x16x32xbf16>
    %165 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %166 = linalg.generic {indexing_maps = [#map4, #map31, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%157, %165 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%17 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x2x16xf32>
    %167 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<2x16x2x16xf32>) outs(%19 : tensor<2x16x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x2x16xbf16>
    %168 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167 : tensor<2x16x2x16xbf16>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x2x16xf32>
    %169 = linalg.generic {indexing_maps = [#map32, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%168 : tensor<2x16x2x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %170 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<2x16x2x16xbf16>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x2x16xf32>
    %171 = linalg.generic {indexing_maps = [#map33, #map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%169, %170 : tensor<2x2x16x16xf32>, tensor<2x16x2x16xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x2x16x16xf32>
    %172 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%171 : tensor<2x2x16x16xf32>) outs(%50 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x2x16x16xbf16>
    %173 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<2x2x16x16xbf16>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %174 = linalg.generic {indexing_maps = [#map34, #map35, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%169, %173 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x2x16x16xf32>
    %175 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174 : tensor<2x2x16x16xf32>) outs(%50 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x2x16x16xbf16>
    %176 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175 : tensor<2x2x16x16xbf16>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %177 = linalg.generic {indexing_maps = [#map15, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%176 : tensor<2x2x16x16xf32>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %178 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%172 : tensor<2x2x16x16xbf16>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %179 = linalg.generic {indexing_maps = [#map36, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<2x2x16x1xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %180 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178, %179 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %181 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%180, %42 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %182 = linalg.generic {indexing_maps = [#map7, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%181 : tensor<2x2x16x16xf32>) outs(%43 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16xf32>
    %183 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%182 : tensor<2x2x16xf32>) outs(%37 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.negf %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16xf32>
    %expanded_21 = tensor.expand_shape %183 [[0], [1], [2, 3]] output_shape [2, 2, 16, 1] : tensor<2x2x16xf32> into tensor<2x2x16x1xf32>
    %184 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178, %45 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.divf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %185 = linalg.generic {indexing_maps = [#map7, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_21 : tensor<2x2x16x1xf32>) outs(%43 : tensor<2x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.addf %out, %in : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16xf32>
    %186 = linalg.generic {indexing_maps = [#map12, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185 : tensor<2x2x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x16x16xf32>
    %187 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%184, %186 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.addf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %188 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%187, %42 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %189 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %188 : tensor<2x2x16x16xi1>, tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: i1, %in_23: f32, %out: f32):
      %260 = arith.select %in, %in_23, %cst_16 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %190 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189 : tensor<2x2x16x16xf32>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_13 : f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %191 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x16x2x16xbf16>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x2x16xf32>
    %192 = linalg.generic {indexing_maps = [#map33, #map37, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%190, %191 : tensor<2x2x16x16xf32>, tensor<2x16x2x16xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x2x16x16xf32>
    %193 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%192 : tensor<2x2x16x16xf32>) outs(%50 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x2x16x16xbf16>
    %194 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193 : tensor<2x2x16x16xbf16>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %195 = linalg.generic {indexing_maps = [#map38, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%194 : tensor<2x2x16x16xf32>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %196 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x16x2x16xbf16>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x2x16xf32>
    %197 = linalg.generic {indexing_maps = [#map34, #map37, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%190, %196 : tensor<2x2x16x16xf32>, tensor<2x16x2x16xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x2x16x16xf32>
    %198 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%197 : tensor<2x2x16x16xf32>) outs(%50 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x2x16x16xbf16>
    %199 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%198 : tensor<2x2x16x16xbf16>) outs(%25 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x2x16x16xf32>
    %200 = linalg.generic {indexing_maps = [#map38, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%199 : tensor<2x2x16x16xf32>) outs(%16 : tensor<2x16x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x2x16xf32>
    %201 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %202 = linalg.generic {indexing_maps = [#map39, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%177, %201 : tensor<2x16x2x16xf32>, tensor<2x16x32xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %203 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%202 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %204 = linalg.generic {indexing_maps = [#map26, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%203 : tensor<2x16x32xbf16>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %205 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg7 : tensor<32x2x16xbf16>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %206 = linalg.generic {indexing_maps = [#map14, #map31, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%177, %205 : tensor<2x16x2x16xf32>, tensor<32x2x16xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %207 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%206 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %208 = linalg.generic {indexing_maps = [#map39, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%195, %201 : tensor<2x16x2x16xf32>, tensor<2x16x32xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %209 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%208 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %210 = linalg.generic {indexing_maps = [#map26, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%209 : tensor<2x16x32xbf16>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %211 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<32x2x16xbf16>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %212 = linalg.generic {indexing_maps = [#map14, #map31, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%195, %211 : tensor<2x16x2x16xf32>, tensor<32x2x16xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %213 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%212 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %214 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%207, %213 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %215 = linalg.generic {indexing_maps = [#map39, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%200, %201 : tensor<2x16x2x16xf32>, tensor<2x16x32xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %216 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%215 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %217 = linalg.generic {indexing_maps = [#map26, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%216 : tensor<2x16x32xbf16>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x2x16xbf16>
    %218 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<32x2x16xbf16>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %219 = linalg.generic {indexing_maps = [#map14, #map31, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%200, %218 : tensor<2x16x2x16xf32>, tensor<32x2x16xf32>) outs(%55 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.mulf %in, %in_23 : f32
      %261 = arith.addf %out, %260 : f32
      linalg.yield %261 : f32
    } -> tensor<2x16x32xf32>
    %220 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%219 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %221 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%214, %220 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.addf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %222 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %221 : tensor<2x16x32xbf16>, tensor<2x16x32xbf16>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %260 = arith.mulf %in, %in_23 : bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %223 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "reduction", "reduction"]} ins(%222 : tensor<2x16x32xbf16>) outs(%139 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.addf %out, %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<32xbf16>
    %expanded_22 = tensor.expand_shape %223 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xbf16> into tensor<1x1x32xbf16>
    %224 = linalg.generic {indexing_maps = [#map26, #map27], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_22 : tensor<1x1x32xbf16>) outs(%139 : tensor<32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %260 = arith.addf %out, %in : bf16
      linalg.yield %260 : bf16
    } -> tensor<32xbf16>
    %225 = tensor.empty() : tensor<32xf32>
    %226 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%arg0 : tensor<32xbf16>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %227 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%224 : tensor<32xbf16>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %228 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%227 : tensor<32xf32>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %229 = linalg.generic {indexing_maps = [#map40, #map40, #map40], iterator_types = ["parallel"]} ins(%226, %228 : tensor<32xf32>, tensor<32xf32>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %230 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%229 : tensor<32xf32>) outs(%138 : tensor<32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32xbf16>
    %231 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%arg1 : tensor<32xbf16>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %232 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%142 : tensor<32xbf16>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %233 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%232 : tensor<32xf32>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %234 = linalg.generic {indexing_maps = [#map40, #map40, #map40], iterator_types = ["parallel"]} ins(%231, %233 : tensor<32xf32>, tensor<32xf32>) outs(%225 : tensor<32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<32xf32>
    %235 = linalg.generic {indexing_maps = [#map40, #map40], iterator_types = ["parallel"]} ins(%234 : tensor<32xf32>) outs(%138 : tensor<32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32xbf16>
    %236 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%112 : tensor<64x32xbf16>) outs(%113 : tensor<64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<64x32xf32>
    %237 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%236 : tensor<64x32xf32>) outs(%113 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<64x32xf32>
    %238 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%114, %237 : tensor<64x32xf32>, tensor<64x32xf32>) outs(%113 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<64x32xf32>
    %239 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%238 : tensor<64x32xf32>) outs(%111 : tensor<64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<64x32xbf16>
    %240 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%133 : tensor<32x64xbf16>) outs(%106 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x64xf32>
    %241 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%240 : tensor<32x64xf32>) outs(%106 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<32x64xf32>
    %242 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%134, %241 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%106 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<32x64xf32>
    %243 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel"]} ins(%242 : tensor<32x64xf32>) outs(%109 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32x64xbf16>
    %244 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%210 : tensor<32x2x16xbf16>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %245 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%244 : tensor<32x2x16xf32>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %246 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%211, %245 : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %247 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%246 : tensor<32x2x16xf32>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32x2x16xbf16>
    %248 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<2x16x32xbf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %249 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%248 : tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %250 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165, %249 : tensor<2x16x32xf32>, tensor<2x16x32xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<2x16x32xf32>
    %251 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%250 : tensor<2x16x32xf32>) outs(%12 : tensor<2x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<2x16x32xbf16>
    %252 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%217 : tensor<32x2x16xbf16>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %253 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%252 : tensor<32x2x16xf32>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %254 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%218, %253 : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %255 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%254 : tensor<32x2x16xf32>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32x2x16xbf16>
    %256 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%204 : tensor<32x2x16xbf16>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %260 = arith.extf %in : bf16 to f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %257 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%256 : tensor<32x2x16xf32>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %260 = arith.mulf %in, %cst_0 : f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %258 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%205, %257 : tensor<32x2x16xf32>, tensor<32x2x16xf32>) outs(%159 : tensor<32x2x16xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %260 = arith.subf %in, %in_23 : f32
      linalg.yield %260 : f32
    } -> tensor<32x2x16xf32>
    %259 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%258 : tensor<32x2x16xf32>) outs(%162 : tensor<32x2x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %260 = arith.truncf %in : f32 to bf16
      linalg.yield %260 : bf16
    } -> tensor<32x2x16xbf16>
    return %230, %235, %239, %243, %247, %251, %255, %259, %99, %224, %142, %112, %133, %210, %164, %217, %204 : tensor<32xbf16>, tensor<32xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<32x2x16xbf16>, tensor<2x16x32xbf16>, tensor<32x2x16xbf16>, tensor<32x2x16xbf16>, tensor<f32>, tensor<32xbf16>, tensor<32xbf16>, tensor<64x32xbf16>, tensor<32x64xbf16>, tensor<32x2x16xbf16>, tensor<2x16x32xbf16>, tensor<32x2x16xbf16>, tensor<32x2x16xbf16>
  }
}

