#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map7 = affine_map<(d0, d1, d2) -> ()>
#map8 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map9 = affine_map<(d0) -> (d0)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<64xbf16> {ufp4.name = "norm1.weight"}, %arg1: tensor<192x64xbf16> {ufp4.name = "qkv.weight"}, %arg2: tensor<64x64xbf16> {ufp4.name = "out.weight"}, %arg3: tensor<64xbf16> {ufp4.name = "norm2.weight"}, %arg4: tensor<128x64xbf16> {ufp4.name = "up.weight"}, %arg5: tensor<64x128xbf16> {ufp4.name = "down.weight"}, %arg6: tensor<2x16x64xbf16> {ufp4.name = "x"}) -> (tensor<2x16x64xbf16>, tensor<64xbf16>, tensor<2x16x64xf32>, tensor<64x192xbf16>, tensor<32x64xbf16>, tensor<4x16x32xbf16>, tensor<4x32x16xbf16>, tensor<2x2x16x16xf32>, tensor<4x16x16xbf16>, tensor<4x16x32xbf16>, tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<2x16x64xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x64xf32>, tensor<64x128xbf16>, tensor<32x64xbf16>, tensor<2x16x128xbf16>, tensor<128x64xbf16>, tensor<32x128xbf16>) {
    %c3_i64 = arith.constant 3 : i64
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 4.467770e-02 : bf16
    %cst_2 = arith.constant 7.968750e-01 : bf16
    %cst_3 = arith.constant 1.000000e+00 : bf16
    %cst_4 = arith.constant 5.000000e-01 : bf16
    %cst_5 = arith.constant 5.6568542494923806 : f64
    %cst_6 = arith.constant 6.400000e+01 : f32
    %cst_7 = arith.constant 9.99999974E-6 : f32
    %0 = tensor.empty() : tensor<2x16x64xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<2x16x64xbf16>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %76 = arith.extf %in : bf16 to f32
      linalg.yield %76 : f32
    } -> tensor<2x16x64xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x64xf32>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %76 : f32
    } -> tensor<2x16x64xf32>
    %3 = tensor.empty() : tensor<2x16x1xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<2x16x64xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.addf %in, %out : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.divf %in, %cst_6 : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.addf %in, %cst_7 : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = math.rsqrt %in : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<2x16x64xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %76 = arith.mulf %in, %in_30 : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x64xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %arg0 : tensor<2x16x64xf32>, tensor<64xbf16>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_30: bf16, %out: f32):
      %76 = arith.extf %in_30 : bf16 to f32
      %77 = arith.mulf %in, %76 : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x64xf32>
    %11 = tensor.empty() : tensor<2x16x64xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x16x64xf32>) outs(%11 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<2x16x64xbf16>
    %13 = tensor.empty() : tensor<64x192xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<192x64xbf16>) outs(%13 : tensor<64x192xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %12 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %14 = tensor.empty() : tensor<32x192xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<32x192xf32>) -> tensor<32x192xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<32x64xbf16>, tensor<64x192xbf16>) outs(%15 : tensor<32x192xf32>) -> tensor<32x192xf32>
    %17 = tensor.empty() : tensor<32x192xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x192xf32>) outs(%17 : tensor<32x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<32x192xbf16>
    %expanded = tensor.expand_shape %18 [[0, 1], [2, 3, 4]] output_shape [2, 16, 3, 2, 32] : tensor<32x192xbf16> into tensor<2x16x3x2x32xbf16>
    %19 = tensor.empty() : tensor<3x2x2x16x32xbf16>
    %transposed_8 = linalg.transpose ins(%expanded : tensor<2x16x3x2x32xbf16>) outs(%19 : tensor<3x2x2x16x32xbf16>) permutation = [2, 0, 3, 1, 4] 
    %extracted_slice = tensor.extract_slice %transposed_8[0, 0, 0, 0, 0] [1, 2, 2, 16, 32] [1, 1, 1, 1, 1] : tensor<3x2x2x16x32xbf16> to tensor<1x2x2x16x32xbf16>
    %extracted_slice_9 = tensor.extract_slice %transposed_8[1, 0, 0, 0, 0] [1, 2, 2, 16, 32] [1, 1, 1, 1, 1] : tensor<3x2x2x16x32xbf16> to tensor<1x2x2x16x32xbf16>
    %extracted_slice_10 = tensor.extract_slice %transposed_8[2, 0, 0, 0, 0] [1, 2, 2, 16, 32] [1, 1, 1, 1, 1] : tensor<3x2x2x16x32xbf16> to tensor<1x2x2x16x32xbf16>
    %collapsed_11 = tensor.collapse_shape %extracted_slice_9 [[0, 1], [2], [3], [4]] : tensor<1x2x2x16x32xbf16> into tensor<2x2x16x32xbf16>
    %20 = tensor.empty() : tensor<2x2x32x16xbf16>
    %transposed_12 = linalg.transpose ins(%collapsed_11 : tensor<2x2x16x32xbf16>) outs(%20 : tensor<2x2x32x16xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_13 = tensor.collapse_shape %extracted_slice [[0, 1, 2], [3], [4]] : tensor<1x2x2x16x32xbf16> into tensor<4x16x32xbf16>
    %collapsed_14 = tensor.collapse_shape %transposed_12 [[0, 1], [2], [3]] : tensor<2x2x32x16xbf16> into tensor<4x32x16xbf16>
    %21 = tensor.empty() : tensor<4x16x16xf32>
    %22 = linalg.fill ins(%cst : f32) outs(%21 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %23 = linalg.batch_matmul ins(%collapsed_13, %collapsed_14 : tensor<4x16x32xbf16>, tensor<4x32x16xbf16>) outs(%22 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %24 = tensor.empty() : tensor<4x16x16xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<4x16x16xf32>) outs(%24 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<4x16x16xbf16>
    %expanded_15 = tensor.expand_shape %25 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xbf16> into tensor<2x2x16x16xbf16>
    %26 = tensor.empty() : tensor<2x2x16x16xf32>
    %27 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<2x2x16x16xbf16>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %76 = arith.extf %in : bf16 to f32
      linalg.yield %76 : f32
    } -> tensor<2x2x16x16xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x2x16x16xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.truncf %cst_5 : f64 to f32
      %77 = arith.divf %in, %76 : f32
      linalg.yield %77 : f32
    } -> tensor<2x2x16x16xf32>
    %29 = tensor.empty() : tensor<2x2x16xi64>
    %30 = linalg.fill ins(%c0_i64 : i64) outs(%29 : tensor<2x2x16xi64>) -> tensor<2x2x16xi64>
    %31 = tensor.empty() : tensor<2x2x16xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %33:2 = linalg.generic {indexing_maps = [#map4, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x2x16x16xf32>) outs(%32, %30 : tensor<2x2x16xf32>, tensor<2x2x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_30: i64):
      %76 = linalg.index 3 : index
      %77 = arith.index_cast %76 : index to i64
      %78 = arith.maximumf %in, %out : f32
      %79 = arith.cmpf ogt, %in, %out : f32
      %80 = arith.select %79, %77, %out_30 : i64
      linalg.yield %78, %80 : f32, i64
    } -> (tensor<2x2x16xf32>, tensor<2x2x16xi64>)
    %expanded_16 = tensor.expand_shape %33#0 [[0], [1], [2, 3]] output_shape [2, 2, 16, 1] : tensor<2x2x16xf32> into tensor<2x2x16x1xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %expanded_16 : tensor<2x2x16x16xf32>, tensor<2x2x16x1xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %76 = arith.subf %in, %in_30 : f32
      linalg.yield %76 : f32
    } -> tensor<2x2x16x16xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<2x2x16x16xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = math.exp %in : f32
      linalg.yield %76 : f32
    } -> tensor<2x2x16x16xf32>
    %36 = tensor.empty() : tensor<2x2x16x1xf32>
    %37 = linalg.fill ins(%cst : f32) outs(%36 : tensor<2x2x16x1xf32>) -> tensor<2x2x16x1xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%35 : tensor<2x2x16x16xf32>) outs(%37 : tensor<2x2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.addf %in, %out : f32
      linalg.yield %76 : f32
    } -> tensor<2x2x16x1xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %38 : tensor<2x2x16x16xf32>, tensor<2x2x16x1xf32>) outs(%26 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %76 = arith.divf %in, %in_30 : f32
      linalg.yield %76 : f32
    } -> tensor<2x2x16x16xf32>
    %40 = tensor.empty() : tensor<2x2x16x16xbf16>
    %41 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x2x16x16xf32>) outs(%40 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<2x2x16x16xbf16>
    %collapsed_17 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %collapsed_18 = tensor.collapse_shape %extracted_slice_10 [[0, 1, 2], [3], [4]] : tensor<1x2x2x16x32xbf16> into tensor<4x16x32xbf16>
    %42 = tensor.empty() : tensor<4x16x32xf32>
    %43 = linalg.fill ins(%cst : f32) outs(%42 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %44 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<4x16x16xbf16>, tensor<4x16x32xbf16>) outs(%43 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %45 = tensor.empty() : tensor<4x16x32xbf16>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<4x16x32xf32>) outs(%45 : tensor<4x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<4x16x32xbf16>
    %expanded_19 = tensor.expand_shape %46 [[0, 1], [2], [3]] output_shape [2, 2, 16, 32] : tensor<4x16x32xbf16> into tensor<2x2x16x32xbf16>
    %47 = tensor.empty() : tensor<2x16x2x32xbf16>
    %transposed_20 = linalg.transpose ins(%expanded_19 : tensor<2x2x16x32xbf16>) outs(%47 : tensor<2x16x2x32xbf16>) permutation = [0, 2, 1, 3] 
    %48 = tensor.empty() : tensor<64x64xbf16>
    %transposed_21 = linalg.transpose ins(%arg2 : tensor<64x64xbf16>) outs(%48 : tensor<64x64xbf16>) permutation = [1, 0] 
    %collapsed_22 = tensor.collapse_shape %transposed_20 [[0, 1], [2, 3]] : tensor<2x16x2x32xbf16> into tensor<32x64xbf16>
    %49 = tensor.empty() : tensor<32x64xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %51 = linalg.matmul ins(%collapsed_22, %transposed_21 : tensor<32x64xbf16>, tensor<64x64xbf16>) outs(%50 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %52 = tensor.empty() : tensor<32x64xbf16>
    %53 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<32x64xf32>) outs(%52 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<32x64xbf16>
    %expanded_23 = tensor.expand_shape %53 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6, %expanded_23 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%11 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %76 = arith.addf %in, %in_30 : bf16
      linalg.yield %76 : bf16
    } -> tensor<2x16x64xbf16>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54 : tensor<2x16x64xbf16>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %76 = arith.extf %in : bf16 to f32
      linalg.yield %76 : f32
    } -> tensor<2x16x64xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<2x16x64xf32>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = math.fpowi %in, %c2_i64 : f32, i64
      linalg.yield %76 : f32
    } -> tensor<2x16x64xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<2x16x64xf32>) outs(%4 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.addf %in, %out : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.divf %in, %cst_6 : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = arith.addf %in, %cst_7 : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x16x1xf32>) outs(%3 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %76 = math.rsqrt %in : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x1xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %60 : tensor<2x16x64xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_30: f32, %out: f32):
      %76 = arith.mulf %in, %in_30 : f32
      linalg.yield %76 : f32
    } -> tensor<2x16x64xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %arg3 : tensor<2x16x64xf32>, tensor<64xbf16>) outs(%0 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_30: bf16, %out: f32):
      %76 = arith.extf %in_30 : bf16 to f32
      %77 = arith.mulf %in, %76 : f32
      linalg.yield %77 : f32
    } -> tensor<2x16x64xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x16x64xf32>) outs(%11 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<2x16x64xbf16>
    %64 = tensor.empty() : tensor<64x128xbf16>
    %transposed_24 = linalg.transpose ins(%arg4 : tensor<128x64xbf16>) outs(%64 : tensor<64x128xbf16>) permutation = [1, 0] 
    %collapsed_25 = tensor.collapse_shape %63 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %65 = tensor.empty() : tensor<32x128xf32>
    %66 = linalg.fill ins(%cst : f32) outs(%65 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %67 = linalg.matmul ins(%collapsed_25, %transposed_24 : tensor<32x64xbf16>, tensor<64x128xbf16>) outs(%66 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %68 = tensor.empty() : tensor<32x128xbf16>
    %69 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<32x128xf32>) outs(%68 : tensor<32x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<32x128xbf16>
    %expanded_26 = tensor.expand_shape %69 [[0, 1], [2]] output_shape [2, 16, 128] : tensor<32x128xbf16> into tensor<2x16x128xbf16>
    %70 = tensor.empty() : tensor<2x16x128xbf16>
    %71 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x16x128xbf16>) outs(%70 : tensor<2x16x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %76 = math.fpowi %in, %c3_i64 : bf16, i64
      %77 = arith.mulf %76, %cst_1 : bf16
      %78 = arith.addf %in, %77 : bf16
      %79 = arith.mulf %78, %cst_2 : bf16
      %80 = math.tanh %79 : bf16
      %81 = arith.addf %80, %cst_3 : bf16
      %82 = arith.mulf %81, %cst_4 : bf16
      %83 = arith.mulf %in, %82 : bf16
      linalg.yield %83 : bf16
    } -> tensor<2x16x128xbf16>
    %72 = tensor.empty() : tensor<128x64xbf16>
    %transposed_27 = linalg.transpose ins(%arg5 : tensor<64x128xbf16>) outs(%72 : tensor<128x64xbf16>) permutation = [1, 0] 
    %collapsed_28 = tensor.collapse_shape %71 [[0, 1], [2]] : tensor<2x16x128xbf16> into tensor<32x128xbf16>
    %73 = linalg.matmul ins(%collapsed_28, %transposed_27 : tensor<32x128xbf16>, tensor<128x64xbf16>) outs(%50 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %74 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<32x64xf32>) outs(%52 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %76 = arith.truncf %in : f32 to bf16
      linalg.yield %76 : bf16
    } -> tensor<32x64xbf16>
    %expanded_29 = tensor.expand_shape %74 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %expanded_29 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%11 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %76 = arith.addf %in, %in_30 : bf16
      linalg.yield %76 : bf16
    } -> tensor<2x16x64xbf16>
    return %75, %arg3, %9, %transposed, %collapsed, %collapsed_13, %collapsed_14, %39, %collapsed_17, %collapsed_18, %transposed_21, %collapsed_22, %55, %60, %60, %61, %transposed_24, %collapsed_25, %expanded_26, %transposed_27, %collapsed_28 : tensor<2x16x64xbf16>, tensor<64xbf16>, tensor<2x16x64xf32>, tensor<64x192xbf16>, tensor<32x64xbf16>, tensor<4x16x32xbf16>, tensor<4x32x16xbf16>, tensor<2x2x16x16xf32>, tensor<4x16x16xbf16>, tensor<4x16x32xbf16>, tensor<64x64xbf16>, tensor<32x64xbf16>, tensor<2x16x64xf32>, tensor<2x16x1xf32>, tensor<2x16x1xf32>, tensor<2x16x64xf32>, tensor<64x128xbf16>, tensor<32x64xbf16>, tensor<2x16x128xbf16>, tensor<128x64xbf16>, tensor<32x128xbf16>
  }
  func.func @backward(%arg0: tensor<64xbf16> {ufp4.saved = 1 : i64}, %arg1: tensor<2x16x64xf32> {ufp4.saved = 2 : i64}, %arg2: tensor<64x192xbf16> {ufp4.saved = 3 : i64}, %arg3: tensor<32x64xbf16> {ufp4.saved = 4 : i64}, %arg4: tensor<4x16x32xbf16> {ufp4.saved = 5 : i64}, %arg5: tensor<4x32x16xbf16> {ufp4.saved = 6 : i64}, %arg6: tensor<2x2x16x16xf32> {ufp4.saved = 7 : i64}, %arg7: tensor<4x16x16xbf16> {ufp4.saved = 8 : i64}, %arg8: tensor<4x16x32xbf16> {ufp4.saved = 9 : i64}, %arg9: tensor<64x64xbf16> {ufp4.saved = 10 : i64}, %arg10: tensor<32x64xbf16> {ufp4.saved = 11 : i64}, %arg11: tensor<2x16x64xf32> {ufp4.saved = 12 : i64}, %arg12: tensor<2x16x1xf32> {ufp4.saved = 13 : i64}, %arg13: tensor<2x16x1xf32> {ufp4.saved = 14 : i64}, %arg14: tensor<2x16x64xf32> {ufp4.saved = 15 : i64}, %arg15: tensor<64x128xbf16> {ufp4.saved = 16 : i64}, %arg16: tensor<32x64xbf16> {ufp4.saved = 17 : i64}, %arg17: tensor<2x16x128xbf16> {ufp4.saved = 18 : i64}, %arg18: tensor<128x64xbf16> {ufp4.saved = 19 : i64}, %arg19: tensor<32x128xbf16> {ufp4.saved = 20 : i64}, %arg20: tensor<2x16x64xbf16> {ufp4.tangent = 0 : i64}) -> (tensor<64xbf16>, tensor<192x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<128x64xbf16>, tensor<64x128xbf16>) attributes {ufp4.forward = @forward} {
    %c3_i64 = arith.constant 3 : i64
    %c1_i64 = arith.constant 1 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.6568542494923806 : f64
    %cst_1 = arith.constant 1.341450e-01 : f64
    %cst_2 = arith.constant 0.79788456080286541 : f64
    %cst_3 = arith.constant 4.471500e-02 : f64
    %cst_4 = arith.constant 5.000000e-01 : f32
    %cst_5 = arith.constant 1.000000e+00 : f32
    %cst_6 = arith.constant -5.000000e-01 : f32
    %cst_7 = arith.constant 6.400000e+01 : f32
    %cst_8 = arith.constant 2.000000e+00 : f32
    %cst_9 = arith.constant dense<1> : tensor<i64>
    %collapsed = tensor.collapse_shape %arg20 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %0 = tensor.empty() : tensor<64x32xbf16>
    %transposed = linalg.transpose ins(%collapsed : tensor<32x64xbf16>) outs(%0 : tensor<64x32xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<64x128xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<64x128xf32>) -> tensor<64x128xf32>
    %3 = linalg.matmul ins(%transposed, %arg19 : tensor<64x32xbf16>, tensor<32x128xbf16>) outs(%2 : tensor<64x128xf32>) -> tensor<64x128xf32>
    %4 = tensor.empty() : tensor<64x128xbf16>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<64x128xf32>) outs(%4 : tensor<64x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<64x128xbf16>
    %transposed_10 = linalg.transpose ins(%arg18 : tensor<128x64xbf16>) outs(%4 : tensor<64x128xbf16>) permutation = [1, 0] 
    %6 = tensor.empty() : tensor<32x128xf32>
    %7 = linalg.fill ins(%cst : f32) outs(%6 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %8 = linalg.matmul ins(%collapsed, %transposed_10 : tensor<32x64xbf16>, tensor<64x128xbf16>) outs(%7 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %9 = tensor.empty() : tensor<32x128xbf16>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<32x128xf32>) outs(%9 : tensor<32x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<32x128xbf16>
    %expanded = tensor.expand_shape %10 [[0, 1], [2]] output_shape [2, 16, 128] : tensor<32x128xbf16> into tensor<2x16x128xbf16>
    %11 = tensor.empty() : tensor<2x16x128xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x16x128xbf16>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %120 = arith.extf %in : bf16 to f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg17 : tensor<2x16x128xbf16>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %120 = arith.extf %in : bf16 to f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %13 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %13 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_3 : f64 to f32
      %121 = arith.mulf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x128xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %16 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.addf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_2 : f64 to f32
      %121 = arith.mulf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x128xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.tanh %in : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.mulf %in, %cst_4 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %cst_5 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.mulf %in, %cst_4 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %19 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_9, %23 : tensor<i64>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: i64, %in_40: f32, %out: f32):
      %120 = arith.sitofp %in : i64 to f32
      %121 = arith.subf %120, %in_40 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x128xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_1 : f64 to f32
      %121 = arith.mulf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x128xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %cst_5 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26 : tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_2 : f64 to f32
      %121 = arith.mulf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x128xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %24 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %27 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %29 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.addf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %30 : tensor<2x16x128xf32>, tensor<2x16x128xf32>) outs(%11 : tensor<2x16x128xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x128xf32>
    %32 = tensor.empty() : tensor<2x16x128xbf16>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<2x16x128xf32>) outs(%32 : tensor<2x16x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<2x16x128xbf16>
    %collapsed_11 = tensor.collapse_shape %33 [[0, 1], [2]] : tensor<2x16x128xbf16> into tensor<32x128xbf16>
    %34 = tensor.empty() : tensor<128x32xbf16>
    %transposed_12 = linalg.transpose ins(%collapsed_11 : tensor<32x128xbf16>) outs(%34 : tensor<128x32xbf16>) permutation = [1, 0] 
    %35 = tensor.empty() : tensor<128x64xf32>
    %36 = linalg.fill ins(%cst : f32) outs(%35 : tensor<128x64xf32>) -> tensor<128x64xf32>
    %37 = linalg.matmul ins(%transposed_12, %arg16 : tensor<128x32xbf16>, tensor<32x64xbf16>) outs(%36 : tensor<128x64xf32>) -> tensor<128x64xf32>
    %38 = tensor.empty() : tensor<128x64xbf16>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<128x64xf32>) outs(%38 : tensor<128x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<128x64xbf16>
    %transposed_13 = linalg.transpose ins(%arg15 : tensor<64x128xbf16>) outs(%38 : tensor<128x64xbf16>) permutation = [1, 0] 
    %40 = tensor.empty() : tensor<32x64xf32>
    %41 = linalg.fill ins(%cst : f32) outs(%40 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %42 = linalg.matmul ins(%collapsed_11, %transposed_13 : tensor<32x128xbf16>, tensor<128x64xbf16>) outs(%41 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %43 = tensor.empty() : tensor<32x64xbf16>
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%42 : tensor<32x64xf32>) outs(%43 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<32x64xbf16>
    %expanded_14 = tensor.expand_shape %44 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %45 = tensor.empty() : tensor<2x16x64xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<2x16x64xbf16>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %120 = arith.extf %in : bf16 to f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %arg14 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %arg0 : tensor<2x16x64xf32>, tensor<64xbf16>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: bf16, %out: f32):
      %120 = arith.extf %in_40 : bf16 to f32
      %121 = arith.mulf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x64xf32>
    %49 = tensor.empty() : tensor<1x1x64xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%49 : tensor<1x1x64xf32>) -> tensor<1x1x64xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["reduction", "reduction", "parallel"]} ins(%47 : tensor<2x16x64xf32>) outs(%50 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_15 = tensor.collapse_shape %51 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %52 = tensor.empty() : tensor<64xbf16>
    %53 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel"]} ins(%collapsed_15 : tensor<64xf32>) outs(%52 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<64xbf16>
    %54 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48, %arg11 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48, %arg12 : tensor<2x16x64xf32>, tensor<2x16x1xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %56 = tensor.empty() : tensor<2x16x1xf32>
    %57 = linalg.fill ins(%cst : f32) outs(%56 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%54 : tensor<2x16x64xf32>) outs(%57 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg13 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.fpowi %in, %c3_i64 : f32, i64
      linalg.yield %120 : f32
    } -> tensor<2x16x1xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.mulf %in, %cst_6 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x1xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%60, %59 : tensor<2x16x1xf32>, tensor<2x16x1xf32>) outs(%56 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x1xf32>
    %collapsed_16 = tensor.collapse_shape %61 [[0], [1, 2]] : tensor<2x16x1xf32> into tensor<2x16xf32>
    %62 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_16 : tensor<2x16xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16x64xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.divf %in, %cst_7 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11 : tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = math.fpowi %in, %c1_i64 : f32, i64
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.mulf %in, %cst_8 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %65 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %66 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.addf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %68 = tensor.empty() : tensor<2x16x64xbf16>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<2x16x64xf32>) outs(%68 : tensor<2x16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<2x16x64xbf16>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg20, %69 : tensor<2x16x64xbf16>, tensor<2x16x64xbf16>) outs(%68 : tensor<2x16x64xbf16>) {
    ^bb0(%in: bf16, %in_40: bf16, %out: bf16):
      %120 = arith.addf %in, %in_40 : bf16
      linalg.yield %120 : bf16
    } -> tensor<2x16x64xbf16>
    %collapsed_17 = tensor.collapse_shape %70 [[0, 1], [2]] : tensor<2x16x64xbf16> into tensor<32x64xbf16>
    %transposed_18 = linalg.transpose ins(%collapsed_17 : tensor<32x64xbf16>) outs(%0 : tensor<64x32xbf16>) permutation = [1, 0] 
    %71 = tensor.empty() : tensor<64x64xf32>
    %72 = linalg.fill ins(%cst : f32) outs(%71 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %73 = linalg.matmul ins(%transposed_18, %arg10 : tensor<64x32xbf16>, tensor<32x64xbf16>) outs(%72 : tensor<64x64xf32>) -> tensor<64x64xf32>
    %74 = tensor.empty() : tensor<64x64xbf16>
    %75 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<64x64xf32>) outs(%74 : tensor<64x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<64x64xbf16>
    %transposed_19 = linalg.transpose ins(%arg9 : tensor<64x64xbf16>) outs(%74 : tensor<64x64xbf16>) permutation = [1, 0] 
    %76 = linalg.matmul ins(%collapsed_17, %transposed_19 : tensor<32x64xbf16>, tensor<64x64xbf16>) outs(%41 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %77 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%76 : tensor<32x64xf32>) outs(%43 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<32x64xbf16>
    %expanded_20 = tensor.expand_shape %77 [[0, 1], [2, 3]] output_shape [2, 16, 2, 32] : tensor<32x64xbf16> into tensor<2x16x2x32xbf16>
    %78 = tensor.empty() : tensor<2x2x16x32xbf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<2x16x2x32xbf16>) outs(%78 : tensor<2x2x16x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<2x2x16x32xbf16> into tensor<4x16x32xbf16>
    %79 = tensor.empty() : tensor<4x16x16xbf16>
    %transposed_23 = linalg.transpose ins(%arg7 : tensor<4x16x16xbf16>) outs(%79 : tensor<4x16x16xbf16>) permutation = [0, 2, 1] 
    %80 = tensor.empty() : tensor<4x16x32xf32>
    %81 = linalg.fill ins(%cst : f32) outs(%80 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %82 = linalg.batch_matmul ins(%transposed_23, %collapsed_22 : tensor<4x16x16xbf16>, tensor<4x16x32xbf16>) outs(%81 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %83 = tensor.empty() : tensor<4x16x32xbf16>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<4x16x32xf32>) outs(%83 : tensor<4x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<4x16x32xbf16>
    %85 = tensor.empty() : tensor<4x32x16xbf16>
    %transposed_24 = linalg.transpose ins(%arg8 : tensor<4x16x32xbf16>) outs(%85 : tensor<4x32x16xbf16>) permutation = [0, 2, 1] 
    %86 = tensor.empty() : tensor<4x16x16xf32>
    %87 = linalg.fill ins(%cst : f32) outs(%86 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %88 = linalg.batch_matmul ins(%collapsed_22, %transposed_24 : tensor<4x16x32xbf16>, tensor<4x32x16xbf16>) outs(%87 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<4x16x16xf32>) outs(%79 : tensor<4x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<4x16x16xbf16>
    %expanded_25 = tensor.expand_shape %84 [[0, 1], [2], [3]] output_shape [2, 2, 16, 32] : tensor<4x16x32xbf16> into tensor<2x2x16x32xbf16>
    %expanded_26 = tensor.expand_shape %89 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xbf16> into tensor<2x2x16x16xbf16>
    %90 = tensor.empty() : tensor<2x2x16x16xf32>
    %91 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<2x2x16x16xbf16>) outs(%90 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %120 = arith.extf %in : bf16 to f32
      linalg.yield %120 : f32
    } -> tensor<2x2x16x16xf32>
    %92 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91, %arg6 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%90 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x2x16x16xf32>
    %93 = tensor.empty() : tensor<2x2x16x1xf32>
    %94 = linalg.fill ins(%cst : f32) outs(%93 : tensor<2x2x16x1xf32>) -> tensor<2x2x16x1xf32>
    %95 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%92 : tensor<2x2x16x16xf32>) outs(%94 : tensor<2x2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<2x2x16x1xf32>
    %96 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6, %95 : tensor<2x2x16x16xf32>, tensor<2x2x16x1xf32>) outs(%90 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x2x16x16xf32>
    %97 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %96 : tensor<2x2x16x16xf32>, tensor<2x2x16x16xf32>) outs(%90 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.subf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x2x16x16xf32>
    %98 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<2x2x16x16xf32>) outs(%90 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.truncf %cst_0 : f64 to f32
      %121 = arith.divf %in, %120 : f32
      linalg.yield %121 : f32
    } -> tensor<2x2x16x16xf32>
    %99 = tensor.empty() : tensor<2x2x16x16xbf16>
    %100 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<2x2x16x16xf32>) outs(%99 : tensor<2x2x16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<2x2x16x16xbf16>
    %collapsed_27 = tensor.collapse_shape %100 [[0, 1], [2], [3]] : tensor<2x2x16x16xbf16> into tensor<4x16x16xbf16>
    %transposed_28 = linalg.transpose ins(%arg4 : tensor<4x16x32xbf16>) outs(%85 : tensor<4x32x16xbf16>) permutation = [0, 2, 1] 
    %101 = tensor.empty() : tensor<4x32x16xf32>
    %102 = linalg.fill ins(%cst : f32) outs(%101 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %103 = linalg.batch_matmul ins(%transposed_28, %collapsed_27 : tensor<4x32x16xbf16>, tensor<4x16x16xbf16>) outs(%102 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %104 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<4x32x16xf32>) outs(%85 : tensor<4x32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<4x32x16xbf16>
    %transposed_29 = linalg.transpose ins(%arg5 : tensor<4x32x16xbf16>) outs(%83 : tensor<4x16x32xbf16>) permutation = [0, 2, 1] 
    %105 = linalg.batch_matmul ins(%collapsed_27, %transposed_29 : tensor<4x16x16xbf16>, tensor<4x16x32xbf16>) outs(%81 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<4x16x32xf32>) outs(%83 : tensor<4x16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<4x16x32xbf16>
    %expanded_30 = tensor.expand_shape %104 [[0, 1], [2], [3]] output_shape [2, 2, 32, 16] : tensor<4x32x16xbf16> into tensor<2x2x32x16xbf16>
    %expanded_31 = tensor.expand_shape %106 [[0, 1], [2], [3]] output_shape [2, 2, 16, 32] : tensor<4x16x32xbf16> into tensor<2x2x16x32xbf16>
    %transposed_32 = linalg.transpose ins(%expanded_30 : tensor<2x2x32x16xbf16>) outs(%78 : tensor<2x2x16x32xbf16>) permutation = [0, 1, 3, 2] 
    %concat = tensor.concat dim(0) %expanded_31, %transposed_32, %expanded_25 : (tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>, tensor<2x2x16x32xbf16>) -> tensor<6x2x16x32xbf16>
    %expanded_33 = tensor.expand_shape %concat [[0, 1], [2], [3], [4]] output_shape [3, 2, 2, 16, 32] : tensor<6x2x16x32xbf16> into tensor<3x2x2x16x32xbf16>
    %107 = tensor.empty() : tensor<2x16x3x2x32xbf16>
    %transposed_34 = linalg.transpose ins(%expanded_33 : tensor<3x2x2x16x32xbf16>) outs(%107 : tensor<2x16x3x2x32xbf16>) permutation = [1, 3, 0, 2, 4] 
    %collapsed_35 = tensor.collapse_shape %transposed_34 [[0, 1], [2, 3, 4]] : tensor<2x16x3x2x32xbf16> into tensor<32x192xbf16>
    %108 = tensor.empty() : tensor<192x32xbf16>
    %transposed_36 = linalg.transpose ins(%collapsed_35 : tensor<32x192xbf16>) outs(%108 : tensor<192x32xbf16>) permutation = [1, 0] 
    %109 = tensor.empty() : tensor<192x64xf32>
    %110 = linalg.fill ins(%cst : f32) outs(%109 : tensor<192x64xf32>) -> tensor<192x64xf32>
    %111 = linalg.matmul ins(%transposed_36, %arg3 : tensor<192x32xbf16>, tensor<32x64xbf16>) outs(%110 : tensor<192x64xf32>) -> tensor<192x64xf32>
    %112 = tensor.empty() : tensor<192x64xbf16>
    %113 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%111 : tensor<192x64xf32>) outs(%112 : tensor<192x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<192x64xbf16>
    %transposed_37 = linalg.transpose ins(%arg2 : tensor<64x192xbf16>) outs(%112 : tensor<192x64xbf16>) permutation = [1, 0] 
    %114 = linalg.matmul ins(%collapsed_35, %transposed_37 : tensor<32x192xbf16>, tensor<192x64xbf16>) outs(%41 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %115 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%114 : tensor<32x64xf32>) outs(%43 : tensor<32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<32x64xbf16>
    %expanded_38 = tensor.expand_shape %115 [[0, 1], [2]] output_shape [2, 16, 64] : tensor<32x64xbf16> into tensor<2x16x64xbf16>
    %116 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38 : tensor<2x16x64xbf16>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %120 = arith.extf %in : bf16 to f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %arg1 : tensor<2x16x64xf32>, tensor<2x16x64xf32>) outs(%45 : tensor<2x16x64xf32>) {
    ^bb0(%in: f32, %in_40: f32, %out: f32):
      %120 = arith.mulf %in, %in_40 : f32
      linalg.yield %120 : f32
    } -> tensor<2x16x64xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map8], iterator_types = ["reduction", "reduction", "parallel"]} ins(%117 : tensor<2x16x64xf32>) outs(%50 : tensor<1x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %120 = arith.addf %in, %out : f32
      linalg.yield %120 : f32
    } -> tensor<1x1x64xf32>
    %collapsed_39 = tensor.collapse_shape %118 [[0, 1, 2]] : tensor<1x1x64xf32> into tensor<64xf32>
    %119 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel"]} ins(%collapsed_39 : tensor<64xf32>) outs(%52 : tensor<64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %120 = arith.truncf %in : f32 to bf16
      linalg.yield %120 : bf16
    } -> tensor<64xbf16>
    return %119, %113, %75, %53, %39, %5 : tensor<64xbf16>, tensor<192x64xbf16>, tensor<64x64xbf16>, tensor<64xbf16>, tensor<128x64xbf16>, tensor<64x128xbf16>
  }
}
