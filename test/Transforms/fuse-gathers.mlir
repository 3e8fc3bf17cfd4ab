// Gathers of whole rows that quantizes alone read are read through their indices; what is left says why.
// Breaks if a gather whose rows are cut otherwise than those of `rows`, or that something else reads too,
// is not made any more.
//
// RUN: ufp4-opt %s --ufp4-fuse-gathers --canonicalize -split-input-file -verify-diagnostics | FileCheck %s

#f = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#g = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
#id = affine_map<(d0, d1) -> (d0, d1)>

// What `x[order]` and `jnp.take(x, order, axis=0, mode="clip")` become. Both quantizes and the maximum
// read x; indices are a vector again.
// CHECK-LABEL: func @dispatch(
// CHECK-SAME: %[[X:.*]]: tensor<64x32xbf16>, %[[ORDER:.*]]: tensor<128xi32>
// CHECK-NEXT: %[[Q:.*]] = ufp4.quantize %[[X]] rows(%[[ORDER]] : tensor<128xi32>) along 1 : tensor<64x32xbf16> -> !ufp4.tensor<128x32,
// CHECK-NEXT: %[[T:.*]] = ufp4.quantize %[[X]] rows(%[[ORDER]] : tensor<128xi32>) along 0 stochastic
// CHECK-NEXT: %[[A:.*]] = ufp4.amax %[[X]] rows(%[[ORDER]] : tensor<128xi32>) along 1
// CHECK-NEXT: return
func.func @dispatch(%x: tensor<64x32xbf16>, %order: tensor<128xi32>, %seed: i64, %step: i32)
    -> (!ufp4.tensor<128x32, #f, along = 1>, !ufp4.tensor<128x32, #f, along = 0>, f32) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %expanded = tensor.expand_shape %order [[0, 1]] output_shape [128, 1] : tensor<128xi32> into tensor<128x1xi32>
  %empty = tensor.empty() : tensor<128x32xbf16>
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<128x32xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %expanded[%i, %c0] : tensor<128x1xi32>
    %index = arith.index_cast %named : i32 to index
    %least = arith.maxsi %index, %c0 : index
    %row = arith.minsi %least, %c63 : index
    %element = tensor.extract %x[%row, %k] : tensor<64x32xbf16>
    linalg.yield %element : bf16
  } -> tensor<128x32xbf16>
  %q = ufp4.quantize %rows along 1 : tensor<128x32xbf16> -> !ufp4.tensor<128x32, #f, along = 1>
  %t = ufp4.quantize %rows along 0 stochastic(%seed, %step) {stream = 3} : tensor<128x32xbf16> -> !ufp4.tensor<128x32, #f, along = 0>
  %a = ufp4.amax %rows along 1 of #g : tensor<128x32xbf16>
  return %q, %t, %a : !ufp4.tensor<128x32, #f, along = 1>, !ufp4.tensor<128x32, #f, along = 0>, f32
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#id = affine_map<(d0, d1) -> (d0, d1)>

// The rows are wanted by others.
// CHECK-LABEL: func @read_elsewhere
// CHECK: %[[ROWS:.*]] = linalg.generic
// CHECK: ufp4.quantize %[[ROWS]] along 1
func.func @read_elsewhere(%x: tensor<64x32xbf16>, %order: tensor<128xi32>) -> (!ufp4.tensor<128x32, #f, along = 1>, tensor<128x32xbf16>) {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %empty = tensor.empty() : tensor<128x32xbf16>
  // expected-remark @below {{a gather is made before it is quantized: 'func.return' reads it too}}
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<128x32xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %order[%i] : tensor<128xi32>
    %index = arith.index_cast %named : i32 to index
    %least = arith.maxsi %index, %c0 : index
    %row = arith.minsi %least, %c63 : index
    %element = tensor.extract %x[%row, %k] : tensor<64x32xbf16>
    linalg.yield %element : bf16
  } -> tensor<128x32xbf16>
  %q = ufp4.quantize %rows along 1 : tensor<128x32xbf16> -> !ufp4.tensor<128x32, #f, along = 1>
  return %q, %rows : !ufp4.tensor<128x32, #f, along = 1>, tensor<128x32xbf16>
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#id = affine_map<(d0, d1) -> (d0, d1)>

// An index beyond the last row is another row's here.
func.func @cut_elsewhere(%x: tensor<64x32xbf16>, %order: tensor<128xi32>) -> !ufp4.tensor<128x32, #f, along = 1> {
  %c0 = arith.constant 0 : index
  %c62 = arith.constant 62 : index
  %empty = tensor.empty() : tensor<128x32xbf16>
  // expected-remark @below {{a gather is made before it is quantized: its indices are not cut to the rows that there are}}
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<128x32xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %order[%i] : tensor<128xi32>
    %index = arith.index_cast %named : i32 to index
    %least = arith.maxsi %index, %c0 : index
    %row = arith.minsi %least, %c62 : index
    %element = tensor.extract %x[%row, %k] : tensor<64x32xbf16>
    linalg.yield %element : bf16
  } -> tensor<128x32xbf16>
  %q = ufp4.quantize %rows along 1 : tensor<128x32xbf16> -> !ufp4.tensor<128x32, #f, along = 1>
  return %q : !ufp4.tensor<128x32, #f, along = 1>
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @wide_indices(%x: tensor<64x32xbf16>, %order: tensor<128xi64>) -> !ufp4.tensor<128x32, #f, along = 1> {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %empty = tensor.empty() : tensor<128x32xbf16>
  // expected-remark @below {{a gather is made before it is quantized: its indices are no i32}}
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<128x32xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %order[%i] : tensor<128xi64>
    %index = arith.index_cast %named : i64 to index
    %least = arith.maxsi %index, %c0 : index
    %row = arith.minsi %least, %c63 : index
    %element = tensor.extract %x[%row, %k] : tensor<64x32xbf16>
    linalg.yield %element : bf16
  } -> tensor<128x32xbf16>
  %q = ufp4.quantize %rows along 1 : tensor<128x32xbf16> -> !ufp4.tensor<128x32, #f, along = 1>
  return %q : !ufp4.tensor<128x32, #f, along = 1>
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Fewer rows than indices.
func.func @first_indices(%x: tensor<64x32xbf16>, %order: tensor<128xi32>) -> !ufp4.tensor<100x32, #f, along = 1> {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %empty = tensor.empty() : tensor<100x32xbf16>
  // expected-remark @below {{a gather is made before it is quantized: its indices are not known to be all of a tensor's}}
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<100x32xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %order[%i] : tensor<128xi32>
    %index = arith.index_cast %named : i32 to index
    %least = arith.maxsi %index, %c0 : index
    %row = arith.minsi %least, %c63 : index
    %element = tensor.extract %x[%row, %k] : tensor<64x32xbf16>
    linalg.yield %element : bf16
  } -> tensor<100x32xbf16>
  %q = ufp4.quantize %rows along 1 : tensor<100x32xbf16> -> !ufp4.tensor<100x32, #f, along = 1>
  return %q : !ufp4.tensor<100x32, #f, along = 1>
}

// -----

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Columns are gathered, which are no rows: nothing is said.
// CHECK-LABEL: func @columns
// CHECK: %[[G:.*]] = linalg.generic
// CHECK: ufp4.quantize %[[G]] along 1
func.func @columns(%x: tensor<128x64xbf16>, %order: tensor<32xi32>) -> !ufp4.tensor<128x32, #f, along = 1> {
  %c0 = arith.constant 0 : index
  %c63 = arith.constant 63 : index
  %empty = tensor.empty() : tensor<128x32xbf16>
  %columns = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%empty : tensor<128x32xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %named = tensor.extract %order[%k] : tensor<32xi32>
    %index = arith.index_cast %named : i32 to index
    %least = arith.maxsi %index, %c0 : index
    %column = arith.minsi %least, %c63 : index
    %element = tensor.extract %x[%i, %column] : tensor<128x64xbf16>
    linalg.yield %element : bf16
  } -> tensor<128x32xbf16>
  %q = ufp4.quantize %columns along 1 : tensor<128x32xbf16> -> !ufp4.tensor<128x32, #f, along = 1>
  return %q : !ufp4.tensor<128x32, #f, along = 1>
}
