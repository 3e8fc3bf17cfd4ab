#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<() -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map6 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1, d0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d2)>
module @jit_scan_step {
  func.func public @main(%arg0: tensor<3x32x64xbf16> {ufp4.name = "p.blocks.w1"}, %arg1: tensor<3x64x32xbf16> {ufp4.name = "p.blocks.w2"}, %arg2: tensor<32x16xbf16> {ufp4.name = "p.head"}, %arg3: tensor<16x32xbf16> {ufp4.name = "x"}, %arg4: tensor<16x16xbf16> {ufp4.name = "y"}) -> (tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<32x16xbf16>, tensor<f32>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<32x16xbf16>) {
    %cst = arith.constant 3.906250e-03 : f32
    %cst_0 = arith.constant 1.000000e-01 : f32
    %cst_1 = arith.constant 2.560000e+02 : f32
    %cst_2 = arith.constant 2.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : bf16
    %cst_4 = arith.constant 1.000000e+00 : bf16
    %cst_5 = arith.constant 7.968750e-01 : bf16
    %cst_6 = arith.constant 4.467770e-02 : bf16
    %cst_7 = arith.constant 3.000000e+00 : bf16
    %cst_8 = arith.constant 0.000000e+00 : f32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<3x64x32xbf16>
    %cst_10 = arith.constant dense<0.000000e+00> : tensor<3x32x64xbf16>
    %c1_i32 = arith.constant 1 : i32
    %c3_i32 = arith.constant 3 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_11 = arith.constant dense<0.000000e+00> : tensor<3x16x32xbf16>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<3x16x64xbf16>
    %0:8 = scf.for %arg5 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg6 = %arg3, %arg7 = %cst_11, %arg8 = %cst_12, %arg9 = %cst_12, %arg10 = %cst_12, %arg11 = %cst_12, %arg12 = %cst_12, %arg13 = %cst_12) -> (tensor<16x32xbf16>, tensor<3x16x32xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>)  : i32 {
      %51 = arith.index_cast %arg5 : i32 to index
      %52 = arith.maxsi %51, %c0 : index
      %53 = arith.minsi %52, %c2 : index
      %extracted_slice = tensor.extract_slice %arg0[%53, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<3x32x64xbf16> to tensor<1x32x64xbf16>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x32x64xbf16> into tensor<32x64xbf16>
      %extracted_slice_13 = tensor.extract_slice %arg1[%53, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<3x64x32xbf16> to tensor<1x64x32xbf16>
      %collapsed_14 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2]] : tensor<1x64x32xbf16> into tensor<64x32xbf16>
      %54 = tensor.empty() : tensor<16x64xf32>
      %55 = linalg.fill ins(%cst_8 : f32) outs(%54 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %56 = linalg.matmul ins(%arg6, %collapsed : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%55 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %57 = tensor.empty() : tensor<16x64xbf16>
      %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<16x64xf32>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %85 = arith.truncf %in : f32 to bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.mulf %in, %in : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%59, %58 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %85 = arith.mulf %in, %in_21 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.mulf %in, %cst_7 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.mulf %in, %cst_6 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%58, %62 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %85 = arith.addf %in, %in_21 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.mulf %in, %cst_5 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%64 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = math.tanh %in : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.subf %cst_4, %in : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.addf %in, %cst_4 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%67 : tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %85 = arith.mulf %in, %cst_3 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%58, %68 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%57 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %85 = arith.mulf %in, %in_21 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x64xbf16>
      %70 = tensor.empty() : tensor<16x32xf32>
      %71 = linalg.fill ins(%cst_8 : f32) outs(%70 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %72 = linalg.matmul ins(%69, %collapsed_14 : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%71 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %73 = tensor.empty() : tensor<16x32xbf16>
      %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%72 : tensor<16x32xf32>) outs(%73 : tensor<16x32xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %85 = arith.truncf %in : f32 to bf16
        linalg.yield %85 : bf16
      } -> tensor<16x32xbf16>
      %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6, %74 : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%73 : tensor<16x32xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %85 = arith.addf %in, %in_21 : bf16
        linalg.yield %85 : bf16
      } -> tensor<16x32xbf16>
      %76 = tensor.empty() : tensor<1x16x32xbf16>
      %77 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<16x32xbf16>) outs(%76 : tensor<1x16x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x32xbf16>
      %inserted_slice = tensor.insert_slice %77 into %arg7[%53, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<1x16x32xbf16> into tensor<3x16x32xbf16>
      %78 = tensor.empty() : tensor<1x16x64xbf16>
      %79 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61 : tensor<16x64xbf16>) outs(%78 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_15 = tensor.insert_slice %79 into %arg8[%53, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %80 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<16x64xbf16>) outs(%78 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_16 = tensor.insert_slice %80 into %arg9[%53, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %81 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<16x64xbf16>) outs(%78 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_17 = tensor.insert_slice %81 into %arg10[%53, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %82 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68 : tensor<16x64xbf16>) outs(%78 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_18 = tensor.insert_slice %82 into %arg11[%53, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %83 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58 : tensor<16x64xbf16>) outs(%78 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_19 = tensor.insert_slice %83 into %arg12[%53, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %84 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<16x64xbf16>) outs(%78 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_20 = tensor.insert_slice %84 into %arg13[%53, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      scf.yield %75, %inserted_slice, %inserted_slice_15, %inserted_slice_16, %inserted_slice_17, %inserted_slice_18, %inserted_slice_19, %inserted_slice_20 : tensor<16x32xbf16>, tensor<3x16x32xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>
    }
    %1 = tensor.empty() : tensor<16x16xf32>
    %2 = linalg.fill ins(%cst_8 : f32) outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %3 = linalg.matmul ins(%0#0, %arg2 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%2 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %4 = tensor.empty() : tensor<16x16xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<16x16xf32>) outs(%4 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<16x16xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<16x16xbf16>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16x16xbf16>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.subf %in, %in_13 : f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.mulf %in, %in : f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.mulf %in, %cst_2 : f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.fill ins(%cst_8 : f32) outs(%11 : tensor<f32>) -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "reduction"]} ins(%9 : tensor<16x16xf32>) outs(%12 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.addf %out, %in : f32
      linalg.yield %51 : f32
    } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%13 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.divf %in, %cst_1 : f32
      linalg.yield %51 : f32
    } -> tensor<f32>
    %15 = linalg.generic {indexing_maps = [#map4], iterator_types = []} outs(%11 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<f32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x16xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %10 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.mulf %in, %in_13 : f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<16x16xf32>) outs(%4 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<16x16xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<16x16xbf16>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<16x16xf32>
    %20 = tensor.empty() : tensor<16x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%0#0 : tensor<16x32xbf16>) outs(%20 : tensor<16x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<16x32xf32>
    %22 = linalg.fill ins(%cst_8 : f32) outs(%20 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %23 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19, %21 : tensor<16x16xf32>, tensor<16x32xf32>) outs(%22 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.mulf %in, %in_13 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<16x32xf32>
    %24 = tensor.empty() : tensor<16x32xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<16x32xf32>) outs(%24 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<16x32xbf16>
    %26 = tensor.empty() : tensor<32x16xbf16>
    %27 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<16x32xbf16>) outs(%26 : tensor<32x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x16xbf16>
    %28 = tensor.empty() : tensor<32x16xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32x16xbf16>) outs(%28 : tensor<32x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<32x16xf32>
    %30 = linalg.generic {indexing_maps = [#map9, #map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%19, %29 : tensor<16x16xf32>, tensor<32x16xf32>) outs(%22 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.mulf %in, %in_13 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<16x32xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<16x32xf32>) outs(%24 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<16x32xbf16>
    %32:3 = scf.for %arg5 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg6 = %31, %arg7 = %cst_10, %arg8 = %cst_9) -> (tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>)  : i32 {
      %from_elements = tensor.from_elements %arg5 : tensor<i32>
      %51 = tensor.empty() : tensor<i32>
      %52 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%from_elements : tensor<i32>) outs(%51 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %102 = arith.subi %c3_i32, %in : i32
        linalg.yield %102 : i32
      } -> tensor<i32>
      %53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%52 : tensor<i32>) outs(%51 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %102 = arith.subi %in, %c1_i32 : i32
        linalg.yield %102 : i32
      } -> tensor<i32>
      %extracted = tensor.extract %53[] : tensor<i32>
      %54 = arith.index_cast %extracted : i32 to index
      %55 = arith.maxsi %54, %c0 : index
      %56 = arith.minsi %55, %c2 : index
      %extracted_slice = tensor.extract_slice %arg0[%56, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<3x32x64xbf16> to tensor<1x32x64xbf16>
      %57 = tensor.empty() : tensor<1x32x64xf32>
      %58 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x32x64xbf16>) outs(%57 : tensor<1x32x64xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %102 = arith.extf %in : bf16 to f32
        linalg.yield %102 : f32
      } -> tensor<1x32x64xf32>
      %collapsed = tensor.collapse_shape %58 [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
      %extracted_slice_13 = tensor.extract_slice %0#1[%56, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<3x16x32xbf16> to tensor<1x16x32xbf16>
      %59 = tensor.empty() : tensor<1x16x32xf32>
      %60 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<1x16x32xbf16>) outs(%59 : tensor<1x16x32xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %102 = arith.extf %in : bf16 to f32
        linalg.yield %102 : f32
      } -> tensor<1x16x32xf32>
      %collapsed_14 = tensor.collapse_shape %60 [[0, 1], [2]] : tensor<1x16x32xf32> into tensor<16x32xf32>
      %extracted_slice_15 = tensor.extract_slice %0#2[%56, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_16 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_17 = tensor.extract_slice %0#3[%56, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_18 = tensor.collapse_shape %extracted_slice_17 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_19 = tensor.extract_slice %0#4[%56, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_20 = tensor.collapse_shape %extracted_slice_19 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_21 = tensor.extract_slice %0#5[%56, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_22 = tensor.collapse_shape %extracted_slice_21 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_23 = tensor.extract_slice %0#6[%56, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_24 = tensor.collapse_shape %extracted_slice_23 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_25 = tensor.extract_slice %arg1[%56, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<3x64x32xbf16> to tensor<1x64x32xbf16>
      %61 = tensor.empty() : tensor<1x64x32xf32>
      %62 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_25 : tensor<1x64x32xbf16>) outs(%61 : tensor<1x64x32xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %102 = arith.extf %in : bf16 to f32
        linalg.yield %102 : f32
      } -> tensor<1x64x32xf32>
      %collapsed_26 = tensor.collapse_shape %62 [[0, 1], [2]] : tensor<1x64x32xf32> into tensor<64x32xf32>
      %extracted_slice_27 = tensor.extract_slice %0#7[%56, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %63 = tensor.empty() : tensor<1x16x64xf32>
      %64 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_27 : tensor<1x16x64xbf16>) outs(%63 : tensor<1x16x64xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %102 = arith.extf %in : bf16 to f32
        linalg.yield %102 : f32
      } -> tensor<1x16x64xf32>
      %collapsed_28 = tensor.collapse_shape %64 [[0, 1], [2]] : tensor<1x16x64xf32> into tensor<16x64xf32>
      %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<16x32xbf16>) outs(%20 : tensor<16x32xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %102 = arith.extf %in : bf16 to f32
        linalg.yield %102 : f32
      } -> tensor<16x32xf32>
      %66 = tensor.empty() : tensor<32x64xf32>
      %67 = linalg.fill ins(%cst_8 : f32) outs(%66 : tensor<32x64xf32>) -> tensor<32x64xf32>
      %68 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65, %collapsed_28 : tensor<16x32xf32>, tensor<16x64xf32>) outs(%67 : tensor<32x64xf32>) {
      ^bb0(%in: f32, %in_30: f32, %out: f32):
        %102 = arith.mulf %in, %in_30 : f32
        %103 = arith.addf %out, %102 : f32
        linalg.yield %103 : f32
      } -> tensor<32x64xf32>
      %69 = tensor.empty() : tensor<32x64xbf16>
      %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%68 : tensor<32x64xf32>) outs(%69 : tensor<32x64xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %102 = arith.truncf %in : f32 to bf16
        linalg.yield %102 : bf16
      } -> tensor<32x64xbf16>
      %71 = tensor.empty() : tensor<64x32xbf16>
      %72 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel"]} ins(%70 : tensor<32x64xbf16>) outs(%71 : tensor<64x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<64x32xbf16>
      %73 = tensor.empty() : tensor<16x64xf32>
      %74 = linalg.fill ins(%cst_8 : f32) outs(%73 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %75 = linalg.generic {indexing_maps = [#map9, #map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65, %collapsed_26 : tensor<16x32xf32>, tensor<64x32xf32>) outs(%74 : tensor<16x64xf32>) {
      ^bb0(%in: f32, %in_30: f32, %out: f32):
        %102 = arith.mulf %in, %in_30 : f32
        %103 = arith.addf %out, %102 : f32
        linalg.yield %103 : f32
      } -> tensor<16x64xf32>
      %76 = tensor.empty() : tensor<16x64xbf16>
      %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%75 : tensor<16x64xf32>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %102 = arith.truncf %in : f32 to bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_24, %77 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.mulf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%77, %collapsed_22 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.mulf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%78 : tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %102 = arith.mulf %in, %cst_3 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%80, %collapsed_20 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.mulf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%81, %collapsed_18 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.mulf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%81, %82 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.addf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%83 : tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %102 = arith.mulf %in, %cst_5 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%79, %84 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.addf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%84 : tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %102 = arith.mulf %in, %cst_6 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%86, %collapsed_16 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.mulf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%85, %87 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%76 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.addf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x64xbf16>
      %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%88 : tensor<16x64xbf16>) outs(%73 : tensor<16x64xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %102 = arith.extf %in : bf16 to f32
        linalg.yield %102 : f32
      } -> tensor<16x64xf32>
      %90 = tensor.empty() : tensor<64x32xf32>
      %91 = linalg.fill ins(%cst_8 : f32) outs(%90 : tensor<64x32xf32>) -> tensor<64x32xf32>
      %92 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89, %collapsed_14 : tensor<16x64xf32>, tensor<16x32xf32>) outs(%91 : tensor<64x32xf32>) {
      ^bb0(%in: f32, %in_30: f32, %out: f32):
        %102 = arith.mulf %in, %in_30 : f32
        %103 = arith.addf %out, %102 : f32
        linalg.yield %103 : f32
      } -> tensor<64x32xf32>
      %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<64x32xf32>) outs(%71 : tensor<64x32xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %102 = arith.truncf %in : f32 to bf16
        linalg.yield %102 : bf16
      } -> tensor<64x32xbf16>
      %94 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<64x32xbf16>) outs(%69 : tensor<32x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<32x64xbf16>
      %95 = linalg.generic {indexing_maps = [#map9, #map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%89, %collapsed : tensor<16x64xf32>, tensor<32x64xf32>) outs(%22 : tensor<16x32xf32>) {
      ^bb0(%in: f32, %in_30: f32, %out: f32):
        %102 = arith.mulf %in, %in_30 : f32
        %103 = arith.addf %out, %102 : f32
        linalg.yield %103 : f32
      } -> tensor<16x32xf32>
      %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<16x32xf32>) outs(%24 : tensor<16x32xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %102 = arith.truncf %in : f32 to bf16
        linalg.yield %102 : bf16
      } -> tensor<16x32xbf16>
      %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6, %96 : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%24 : tensor<16x32xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %102 = arith.addf %in, %in_30 : bf16
        linalg.yield %102 : bf16
      } -> tensor<16x32xbf16>
      %98 = tensor.empty() : tensor<1x32x64xbf16>
      %99 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<32x64xbf16>) outs(%98 : tensor<1x32x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x32x64xbf16>
      %inserted_slice = tensor.insert_slice %99 into %arg7[%56, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<1x32x64xbf16> into tensor<3x32x64xbf16>
      %100 = tensor.empty() : tensor<1x64x32xbf16>
      %101 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<64x32xbf16>) outs(%100 : tensor<1x64x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x64x32xbf16>
      %inserted_slice_29 = tensor.insert_slice %101 into %arg8[%56, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<1x64x32xbf16> into tensor<3x64x32xbf16>
      scf.yield %97, %inserted_slice, %inserted_slice_29 : tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>
    }
    %33 = tensor.empty() : tensor<3x32x64xf32>
    %34 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x32x64xbf16>) outs(%33 : tensor<3x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<3x32x64xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32#1 : tensor<3x32x64xbf16>) outs(%33 : tensor<3x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<3x32x64xf32>
    %36 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<3x32x64xf32>) outs(%33 : tensor<3x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.mulf %in, %cst_0 : f32
      linalg.yield %51 : f32
    } -> tensor<3x32x64xf32>
    %37 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %36 : tensor<3x32x64xf32>, tensor<3x32x64xf32>) outs(%33 : tensor<3x32x64xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.subf %in, %in_13 : f32
      linalg.yield %51 : f32
    } -> tensor<3x32x64xf32>
    %38 = tensor.empty() : tensor<3x32x64xbf16>
    %39 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<3x32x64xf32>) outs(%38 : tensor<3x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<3x32x64xbf16>
    %40 = tensor.empty() : tensor<3x64x32xf32>
    %41 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x64x32xbf16>) outs(%40 : tensor<3x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<3x64x32xf32>
    %42 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32#2 : tensor<3x64x32xbf16>) outs(%40 : tensor<3x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<3x64x32xf32>
    %43 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<3x64x32xf32>) outs(%40 : tensor<3x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.mulf %in, %cst_0 : f32
      linalg.yield %51 : f32
    } -> tensor<3x64x32xf32>
    %44 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %43 : tensor<3x64x32xf32>, tensor<3x64x32xf32>) outs(%40 : tensor<3x64x32xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.subf %in, %in_13 : f32
      linalg.yield %51 : f32
    } -> tensor<3x64x32xf32>
    %45 = tensor.empty() : tensor<3x64x32xbf16>
    %46 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<3x64x32xf32>) outs(%45 : tensor<3x64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<3x64x32xbf16>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<32x16xbf16>) outs(%28 : tensor<32x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %51 = arith.extf %in : bf16 to f32
      linalg.yield %51 : f32
    } -> tensor<32x16xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<32x16xf32>) outs(%28 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.mulf %in, %cst_0 : f32
      linalg.yield %51 : f32
    } -> tensor<32x16xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %48 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%28 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %51 = arith.subf %in, %in_13 : f32
      linalg.yield %51 : f32
    } -> tensor<32x16xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<32x16xf32>) outs(%26 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %51 = arith.truncf %in : f32 to bf16
      linalg.yield %51 : bf16
    } -> tensor<32x16xbf16>
    return %39, %46, %50, %14, %32#1, %32#2, %27 : tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<32x16xbf16>, tensor<f32>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<32x16xbf16>
  }
}

