#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1, d0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2)>
module @jit_stage_step {
  func.func public @main(%arg0: tensor<32x64xbf16> {ufp4.name = "p.w1"}, %arg1: tensor<64x48xbf16> {ufp4.name = "p.w2"}, %arg2: tensor<16x32xbf16> {ufp4.name = "x"}, %arg3: tensor<16x48xbf16> {ufp4.name = "dy"}) -> (tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x48xbf16>) {
    %cst = arith.constant 5.000000e-01 : bf16
    %cst_0 = arith.constant 1.000000e+00 : bf16
    %cst_1 = arith.constant 7.968750e-01 : bf16
    %cst_2 = arith.constant 4.467770e-02 : bf16
    %cst_3 = arith.constant 3.000000e+00 : bf16
    %cst_4 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x64xf32>
    %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %2 = linalg.matmul ins(%arg2, %arg0 : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = tensor.empty() : tensor<16x64xbf16>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<16x64xf32>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %57 = arith.truncf %in : f32 to bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %in : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %4 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst_3 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst_2 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %8 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.addf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst_1 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = math.tanh %in : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.subf %cst_0, %in : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.addf %in, %cst_0 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %14 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %16 = tensor.empty() : tensor<16x48xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<16x48xbf16>) outs(%16 : tensor<16x48xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %57 = arith.extf %in : bf16 to f32
      linalg.yield %57 : f32
    } -> tensor<16x48xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<16x64xbf16>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %57 = arith.extf %in : bf16 to f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %19 = tensor.empty() : tensor<48x64xf32>
    %20 = linalg.fill ins(%cst_4 : f32) outs(%19 : tensor<48x64xf32>) -> tensor<48x64xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17, %18 : tensor<16x48xf32>, tensor<16x64xf32>) outs(%20 : tensor<48x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %57 = arith.mulf %in, %in_5 : f32
      %58 = arith.addf %out, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<48x64xf32>
    %22 = tensor.empty() : tensor<48x64xbf16>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<48x64xf32>) outs(%22 : tensor<48x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %57 = arith.truncf %in : f32 to bf16
      linalg.yield %57 : bf16
    } -> tensor<48x64xbf16>
    %24 = tensor.empty() : tensor<64x48xbf16>
    %25 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<48x64xbf16>) outs(%24 : tensor<64x48xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<64x48xbf16>
    %26 = tensor.empty() : tensor<64x48xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<64x48xbf16>) outs(%26 : tensor<64x48xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %57 = arith.extf %in : bf16 to f32
      linalg.yield %57 : f32
    } -> tensor<64x48xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map6, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17, %27 : tensor<16x48xf32>, tensor<64x48xf32>) outs(%1 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %57 = arith.mulf %in, %in_5 : f32
      %58 = arith.addf %out, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<16x64xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<16x64xf32>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %57 = arith.truncf %in : f32 to bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %29 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %14 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%32, %12 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %11 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.addf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst_1 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %36 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.addf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %57 = arith.mulf %in, %cst_2 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%38, %7 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.mulf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %39 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%3 : tensor<16x64xbf16>) {
    ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
      %57 = arith.addf %in, %in_5 : bf16
      linalg.yield %57 : bf16
    } -> tensor<16x64xbf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<16x64xbf16>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %57 = arith.extf %in : bf16 to f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %42 = tensor.empty() : tensor<16x32xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<16x32xbf16>) outs(%42 : tensor<16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %57 = arith.extf %in : bf16 to f32
      linalg.yield %57 : f32
    } -> tensor<16x32xf32>
    %44 = tensor.empty() : tensor<64x32xf32>
    %45 = linalg.fill ins(%cst_4 : f32) outs(%44 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%41, %43 : tensor<16x64xf32>, tensor<16x32xf32>) outs(%45 : tensor<64x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %57 = arith.mulf %in, %in_5 : f32
      %58 = arith.addf %out, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<64x32xf32>
    %47 = tensor.empty() : tensor<64x32xbf16>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<64x32xf32>) outs(%47 : tensor<64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %57 = arith.truncf %in : f32 to bf16
      linalg.yield %57 : bf16
    } -> tensor<64x32xbf16>
    %49 = tensor.empty() : tensor<32x64xbf16>
    %50 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<64x32xbf16>) outs(%49 : tensor<32x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x64xbf16>
    %51 = tensor.empty() : tensor<32x64xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<32x64xbf16>) outs(%51 : tensor<32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %57 = arith.extf %in : bf16 to f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %53 = linalg.fill ins(%cst_4 : f32) outs(%42 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map6, #map3], iterator_types = ["parallel", "parallel", "reduction"]} ins(%41, %52 : tensor<16x64xf32>, tensor<32x64xf32>) outs(%53 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %57 = arith.mulf %in, %in_5 : f32
      %58 = arith.addf %out, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<16x32xf32>
    %55 = tensor.empty() : tensor<16x32xbf16>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<16x32xf32>) outs(%55 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %57 = arith.truncf %in : f32 to bf16
      linalg.yield %57 : bf16
    } -> tensor<16x32xbf16>
    return %56, %50, %25 : tensor<16x32xbf16>, tensor<32x64xbf16>, tensor<64x48xbf16>
  }
}

