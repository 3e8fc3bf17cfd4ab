#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<() -> ()>
#map5 = affine_map<(d0, d1) -> (d1, d0)>
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
      %52 = arith.index_cast %arg5 : i32 to index
      %53 = arith.maxsi %52, %c0 : index
      %54 = arith.minsi %53, %c2 : index
      %extracted_slice = tensor.extract_slice %arg0[%54, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<3x32x64xbf16> to tensor<1x32x64xbf16>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x32x64xbf16> into tensor<32x64xbf16>
      %extracted_slice_13 = tensor.extract_slice %arg1[%54, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<3x64x32xbf16> to tensor<1x64x32xbf16>
      %collapsed_14 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2]] : tensor<1x64x32xbf16> into tensor<64x32xbf16>
      %55 = tensor.empty() : tensor<16x64xf32>
      %56 = linalg.fill ins(%cst_8 : f32) outs(%55 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %57 = linalg.matmul ins(%arg6, %collapsed : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%56 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %58 = tensor.empty() : tensor<16x64xbf16>
      %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<16x64xf32>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %86 = arith.truncf %in : f32 to bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.mulf %in, %in : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%60, %59 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %86 = arith.mulf %in, %in_21 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.mulf %in, %cst_7 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%61 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.mulf %in, %cst_6 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%59, %63 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %86 = arith.addf %in, %in_21 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%64 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.mulf %in, %cst_5 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = math.tanh %in : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.subf %cst_4, %in : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.addf %in, %cst_4 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%68 : tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %86 = arith.mulf %in, %cst_3 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%59, %69 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%58 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %86 = arith.mulf %in, %in_21 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x64xbf16>
      %71 = tensor.empty() : tensor<16x32xf32>
      %72 = linalg.fill ins(%cst_8 : f32) outs(%71 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %73 = linalg.matmul ins(%70, %collapsed_14 : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%72 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %74 = tensor.empty() : tensor<16x32xbf16>
      %75 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<16x32xf32>) outs(%74 : tensor<16x32xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %86 = arith.truncf %in : f32 to bf16
        linalg.yield %86 : bf16
      } -> tensor<16x32xbf16>
      %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6, %75 : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%74 : tensor<16x32xbf16>) {
      ^bb0(%in: bf16, %in_21: bf16, %out: bf16):
        %86 = arith.addf %in, %in_21 : bf16
        linalg.yield %86 : bf16
      } -> tensor<16x32xbf16>
      %77 = tensor.empty() : tensor<1x16x32xbf16>
      %78 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg6 : tensor<16x32xbf16>) outs(%77 : tensor<1x16x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x32xbf16>
      %inserted_slice = tensor.insert_slice %78 into %arg7[%54, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<1x16x32xbf16> into tensor<3x16x32xbf16>
      %79 = tensor.empty() : tensor<1x16x64xbf16>
      %80 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<16x64xbf16>) outs(%79 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_15 = tensor.insert_slice %80 into %arg8[%54, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %81 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%66 : tensor<16x64xbf16>) outs(%79 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_16 = tensor.insert_slice %81 into %arg9[%54, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %82 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<16x64xbf16>) outs(%79 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_17 = tensor.insert_slice %82 into %arg10[%54, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %83 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<16x64xbf16>) outs(%79 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_18 = tensor.insert_slice %83 into %arg11[%54, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %84 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<16x64xbf16>) outs(%79 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_19 = tensor.insert_slice %84 into %arg12[%54, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      %85 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<16x64xbf16>) outs(%79 : tensor<1x16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x16x64xbf16>
      %inserted_slice_20 = tensor.insert_slice %85 into %arg13[%54, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<1x16x64xbf16> into tensor<3x16x64xbf16>
      scf.yield %76, %inserted_slice, %inserted_slice_15, %inserted_slice_16, %inserted_slice_17, %inserted_slice_18, %inserted_slice_19, %inserted_slice_20 : tensor<16x32xbf16>, tensor<3x16x32xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>, tensor<3x16x64xbf16>
    }
    %1 = tensor.empty() : tensor<16x16xf32>
    %2 = linalg.fill ins(%cst_8 : f32) outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %3 = linalg.matmul ins(%0#0, %arg2 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%2 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %4 = tensor.empty() : tensor<16x16xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<16x16xf32>) outs(%4 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<16x16xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<16x16xbf16>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<16x16xbf16>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %52 = arith.subf %in, %in_13 : f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %in : f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %cst_2 : f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %11 = tensor.empty() : tensor<f32>
    %12 = linalg.fill ins(%cst_8 : f32) outs(%11 : tensor<f32>) -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "reduction"]} ins(%9 : tensor<16x16xf32>) outs(%12 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.addf %out, %in : f32
      linalg.yield %52 : f32
    } -> tensor<f32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%13 : tensor<f32>) outs(%11 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.divf %in, %cst_1 : f32
      linalg.yield %52 : f32
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
      %52 = arith.mulf %in, %in_13 : f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<16x16xf32>) outs(%4 : tensor<16x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<16x16xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<16x16xbf16>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<16x16xf32>
    %20 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<16x16xf32>) outs(%1 : tensor<16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x16xf32>
    %21 = tensor.empty() : tensor<16x32xf32>
    %22 = linalg.fill ins(%cst_8 : f32) outs(%21 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %23 = linalg.matmul ins(%20, %0#0 : tensor<16x16xf32>, tensor<16x32xbf16>) outs(%22 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %24 = tensor.empty() : tensor<16x32xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<16x32xf32>) outs(%24 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<16x32xbf16>
    %26 = tensor.empty() : tensor<32x16xbf16>
    %27 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<16x32xbf16>) outs(%26 : tensor<32x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<32x16xbf16>
    %28 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32x16xbf16>) outs(%24 : tensor<16x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<16x32xbf16>
    %29 = linalg.matmul ins(%18, %28 : tensor<16x16xbf16>, tensor<16x32xbf16>) outs(%22 : tensor<16x32xf32>) -> tensor<16x32xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<16x32xf32>) outs(%24 : tensor<16x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<16x32xbf16>
    %31:3 = scf.for %arg5 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg6 = %30, %arg7 = %cst_10, %arg8 = %cst_9) -> (tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>)  : i32 {
      %from_elements = tensor.from_elements %arg5 : tensor<i32>
      %52 = tensor.empty() : tensor<i32>
      %53 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%from_elements : tensor<i32>) outs(%52 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %101 = arith.subi %c3_i32, %in : i32
        linalg.yield %101 : i32
      } -> tensor<i32>
      %54 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%53 : tensor<i32>) outs(%52 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %101 = arith.subi %in, %c1_i32 : i32
        linalg.yield %101 : i32
      } -> tensor<i32>
      %extracted = tensor.extract %54[] : tensor<i32>
      %55 = arith.index_cast %extracted : i32 to index
      %56 = arith.maxsi %55, %c0 : index
      %57 = arith.minsi %56, %c2 : index
      %extracted_slice = tensor.extract_slice %arg0[%57, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<3x32x64xbf16> to tensor<1x32x64xbf16>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x32x64xbf16> into tensor<32x64xbf16>
      %extracted_slice_13 = tensor.extract_slice %0#1[%57, 0, 0] [1, 16, 32] [1, 1, 1] : tensor<3x16x32xbf16> to tensor<1x16x32xbf16>
      %collapsed_14 = tensor.collapse_shape %extracted_slice_13 [[0, 1], [2]] : tensor<1x16x32xbf16> into tensor<16x32xbf16>
      %extracted_slice_15 = tensor.extract_slice %0#2[%57, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_16 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_17 = tensor.extract_slice %0#3[%57, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_18 = tensor.collapse_shape %extracted_slice_17 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_19 = tensor.extract_slice %0#4[%57, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_20 = tensor.collapse_shape %extracted_slice_19 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_21 = tensor.extract_slice %0#5[%57, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_22 = tensor.collapse_shape %extracted_slice_21 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_23 = tensor.extract_slice %0#6[%57, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_24 = tensor.collapse_shape %extracted_slice_23 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %extracted_slice_25 = tensor.extract_slice %arg1[%57, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<3x64x32xbf16> to tensor<1x64x32xbf16>
      %collapsed_26 = tensor.collapse_shape %extracted_slice_25 [[0, 1], [2]] : tensor<1x64x32xbf16> into tensor<64x32xbf16>
      %extracted_slice_27 = tensor.extract_slice %0#7[%57, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<3x16x64xbf16> to tensor<1x16x64xbf16>
      %collapsed_28 = tensor.collapse_shape %extracted_slice_27 [[0, 1], [2]] : tensor<1x16x64xbf16> into tensor<16x64xbf16>
      %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<16x32xbf16>) outs(%21 : tensor<16x32xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %101 = arith.extf %in : bf16 to f32
        linalg.yield %101 : f32
      } -> tensor<16x32xf32>
      %59 = tensor.empty() : tensor<32x16xf32>
      %60 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<16x32xf32>) outs(%59 : tensor<32x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<32x16xf32>
      %61 = tensor.empty() : tensor<32x64xf32>
      %62 = linalg.fill ins(%cst_8 : f32) outs(%61 : tensor<32x64xf32>) -> tensor<32x64xf32>
      %63 = linalg.matmul ins(%60, %collapsed_28 : tensor<32x16xf32>, tensor<16x64xbf16>) outs(%62 : tensor<32x64xf32>) -> tensor<32x64xf32>
      %64 = tensor.empty() : tensor<32x64xbf16>
      %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%63 : tensor<32x64xf32>) outs(%64 : tensor<32x64xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %101 = arith.truncf %in : f32 to bf16
        linalg.yield %101 : bf16
      } -> tensor<32x64xbf16>
      %66 = tensor.empty() : tensor<64x32xbf16>
      %67 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%65 : tensor<32x64xbf16>) outs(%66 : tensor<64x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<64x32xbf16>
      %68 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_26 : tensor<64x32xbf16>) outs(%64 : tensor<32x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<32x64xbf16>
      %69 = tensor.empty() : tensor<16x64xf32>
      %70 = linalg.fill ins(%cst_8 : f32) outs(%69 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %71 = linalg.matmul ins(%arg6, %68 : tensor<16x32xbf16>, tensor<32x64xbf16>) outs(%70 : tensor<16x64xf32>) -> tensor<16x64xf32>
      %72 = tensor.empty() : tensor<16x64xbf16>
      %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%71 : tensor<16x64xf32>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %101 = arith.truncf %in : f32 to bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %74 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_24, %73 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.mulf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %75 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%73, %collapsed_22 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.mulf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%74 : tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %101 = arith.mulf %in, %cst_3 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%76, %collapsed_20 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.mulf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%77, %collapsed_18 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.mulf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%77, %78 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.addf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%79 : tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %101 = arith.mulf %in, %cst_5 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %81 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%75, %80 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.addf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %82 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%80 : tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        %101 = arith.mulf %in, %cst_6 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%82, %collapsed_16 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.mulf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %84 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%81, %83 : tensor<16x64xbf16>, tensor<16x64xbf16>) outs(%72 : tensor<16x64xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.addf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x64xbf16>
      %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%84 : tensor<16x64xbf16>) outs(%69 : tensor<16x64xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %101 = arith.extf %in : bf16 to f32
        linalg.yield %101 : f32
      } -> tensor<16x64xf32>
      %86 = tensor.empty() : tensor<64x16xf32>
      %87 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%85 : tensor<16x64xf32>) outs(%86 : tensor<64x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<64x16xf32>
      %88 = tensor.empty() : tensor<64x32xf32>
      %89 = linalg.fill ins(%cst_8 : f32) outs(%88 : tensor<64x32xf32>) -> tensor<64x32xf32>
      %90 = linalg.matmul ins(%87, %collapsed_14 : tensor<64x16xf32>, tensor<16x32xbf16>) outs(%89 : tensor<64x32xf32>) -> tensor<64x32xf32>
      %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<64x32xf32>) outs(%66 : tensor<64x32xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %101 = arith.truncf %in : f32 to bf16
        linalg.yield %101 : bf16
      } -> tensor<64x32xbf16>
      %92 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%91 : tensor<64x32xbf16>) outs(%64 : tensor<32x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<32x64xbf16>
      %93 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<32x64xbf16>) outs(%66 : tensor<64x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<64x32xbf16>
      %94 = linalg.matmul ins(%84, %93 : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%22 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %95 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%94 : tensor<16x32xf32>) outs(%24 : tensor<16x32xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %101 = arith.truncf %in : f32 to bf16
        linalg.yield %101 : bf16
      } -> tensor<16x32xbf16>
      %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg6, %95 : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%24 : tensor<16x32xbf16>) {
      ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
        %101 = arith.addf %in, %in_30 : bf16
        linalg.yield %101 : bf16
      } -> tensor<16x32xbf16>
      %97 = tensor.empty() : tensor<1x32x64xbf16>
      %98 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<32x64xbf16>) outs(%97 : tensor<1x32x64xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x32x64xbf16>
      %inserted_slice = tensor.insert_slice %98 into %arg7[%57, 0, 0] [1, 32, 64] [1, 1, 1] : tensor<1x32x64xbf16> into tensor<3x32x64xbf16>
      %99 = tensor.empty() : tensor<1x64x32xbf16>
      %100 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<64x32xbf16>) outs(%99 : tensor<1x64x32xbf16>) {
      ^bb0(%in: bf16, %out: bf16):
        linalg.yield %in : bf16
      } -> tensor<1x64x32xbf16>
      %inserted_slice_29 = tensor.insert_slice %100 into %arg8[%57, 0, 0] [1, 64, 32] [1, 1, 1] : tensor<1x64x32xbf16> into tensor<3x64x32xbf16>
      scf.yield %96, %inserted_slice, %inserted_slice_29 : tensor<16x32xbf16>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>
    }
    %32 = tensor.empty() : tensor<3x32x64xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3x32x64xbf16>) outs(%32 : tensor<3x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<3x32x64xf32>
    %34 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31#1 : tensor<3x32x64xbf16>) outs(%32 : tensor<3x32x64xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<3x32x64xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<3x32x64xf32>) outs(%32 : tensor<3x32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %cst_0 : f32
      linalg.yield %52 : f32
    } -> tensor<3x32x64xf32>
    %36 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<3x32x64xf32>, tensor<3x32x64xf32>) outs(%32 : tensor<3x32x64xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %52 = arith.subf %in, %in_13 : f32
      linalg.yield %52 : f32
    } -> tensor<3x32x64xf32>
    %37 = tensor.empty() : tensor<3x32x64xbf16>
    %38 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<3x32x64xf32>) outs(%37 : tensor<3x32x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<3x32x64xbf16>
    %39 = tensor.empty() : tensor<3x64x32xf32>
    %40 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x64x32xbf16>) outs(%39 : tensor<3x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<3x64x32xf32>
    %41 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31#2 : tensor<3x64x32xbf16>) outs(%39 : tensor<3x64x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<3x64x32xf32>
    %42 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<3x64x32xf32>) outs(%39 : tensor<3x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %cst_0 : f32
      linalg.yield %52 : f32
    } -> tensor<3x64x32xf32>
    %43 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40, %42 : tensor<3x64x32xf32>, tensor<3x64x32xf32>) outs(%39 : tensor<3x64x32xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %52 = arith.subf %in, %in_13 : f32
      linalg.yield %52 : f32
    } -> tensor<3x64x32xf32>
    %44 = tensor.empty() : tensor<3x64x32xbf16>
    %45 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<3x64x32xf32>) outs(%44 : tensor<3x64x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<3x64x32xbf16>
    %46 = tensor.empty() : tensor<32x16xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32x16xbf16>) outs(%46 : tensor<32x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<32x16xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<32x16xbf16>) outs(%46 : tensor<32x16xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %52 = arith.extf %in : bf16 to f32
      linalg.yield %52 : f32
    } -> tensor<32x16xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<32x16xf32>) outs(%46 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %52 = arith.mulf %in, %cst_0 : f32
      linalg.yield %52 : f32
    } -> tensor<32x16xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%47, %49 : tensor<32x16xf32>, tensor<32x16xf32>) outs(%46 : tensor<32x16xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %52 = arith.subf %in, %in_13 : f32
      linalg.yield %52 : f32
    } -> tensor<32x16xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<32x16xf32>) outs(%26 : tensor<32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %52 = arith.truncf %in : f32 to bf16
      linalg.yield %52 : bf16
    } -> tensor<32x16xbf16>
    return %38, %45, %51, %14, %31#1, %31#2, %27 : tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<32x16xbf16>, tensor<f32>, tensor<3x32x64xbf16>, tensor<3x64x32xbf16>, tensor<32x16xbf16>
  }
}

