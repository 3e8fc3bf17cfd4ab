// Constants fold by the numerics library, to the bits that every lowering has. The answers here were
// worked out by hand from docs/spec.md.
// Breaks if folding rounds, orders or pads otherwise, or folds what is no constant.
//
// RUN: ufp4-opt %s --canonicalize --split-input-file | FileCheck %s

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// The maximum is 7, so s = 1 and codes are the values. Ties go to even (Q6): 0.5 to 0, 1.5 and 2.5
// to 2, 6.5 to 6. A negative that rounds to zero is code 8, an exact zero is 0.
// CHECK-LABEL: func.func @nearest_e1m2
// CHECK-NEXT: ufp4.constant
// CHECK-SAME{LITERAL}: codes = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 9, 15, 0, 2, 2, 6, 8, 0]]> : tensor<1x16xi8>
// CHECK-SAME: scales = dense<1.000000e+00> : tensor<1x1xf32>>
func.func @nearest_e1m2() -> !ufp4.tensor<1x16, #s, along = 1> {
  %x = arith.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0,
                              -1.0, -7.0, 0.5, 1.5, 2.5, 6.5, -0.25, -0.0]]> : tensor<1x16xf32>
  %q = ufp4.quantize %x along 1 : tensor<1x16xf32> -> !ufp4.tensor<1x16, #s, along = 1>
  return %q : !ufp4.tensor<1x16, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e2m1, block = 16, scale = ue8m0, rule = ocp_floor>
// The maximum is 7: s = 2^(2 - 2), byte 127, and 7 is cut to 6. Ties: 0.25 to code 0 (its sign is
// kept), 0.75 to 2 (1.0), 2.5 to 4 (2.0), 3.5 to 6 (4.0), 5 to 6 (4.0).
// CHECK-LABEL: func.func @nearest_e2m1
// CHECK-NEXT: ufp4.constant
// CHECK-SAME{LITERAL}: codes = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 4, 6, 6, 15, 7, 12]]> : tensor<1x16xi8>
// CHECK-SAME: scales = dense<127> : tensor<1x1xi8>>
func.func @nearest_e2m1() -> !ufp4.tensor<1x16, #s, along = 1> {
  %x = arith.constant dense<[[0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0,
                              -0.25, 0.75, 2.5, 3.5, 5.0, -6.0, 7.0, -2.0]]> : tensor<1x16xbf16>
  %q = ufp4.quantize %x along 1 : tensor<1x16xbf16> -> !ufp4.tensor<1x16, #s, along = 1>
  return %q : !ufp4.tensor<1x16, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
// 3136 = 7 * 448, so S = 1; the blocks' scales are 448 (0x7E) and 1 (0x38).
// CHECK-LABEL: func.func @two_levels
// CHECK: ufp4.constant
// CHECK-SAME{LITERAL}: codes = dense<[[7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]>
// CHECK-SAME{LITERAL}: scales = dense<[[126], [56]]> : tensor<2x1xi8>, global = 1.000000e+00 : f32>
// With twice the maximum as an operand, S = 2: the scales are 224 (0x76) and 0.5 (0x30).
// CHECK: ufp4.constant
// CHECK-SAME{LITERAL}: scales = dense<[[118], [48]]> : tensor<2x1xi8>, global = 2.000000e+00 : f32>
func.func @two_levels() -> (!ufp4.tensor<2x1, #s, along = 1>, !ufp4.tensor<2x1, #s, along = 1>) {
  %x = arith.constant dense<[[3136.0], [7.0]]> : tensor<2x1xf32>
  %a = arith.constant 6272.0 : f32
  %q = ufp4.quantize %x along 1 : tensor<2x1xf32> -> !ufp4.tensor<2x1, #s, along = 1>
  %r = ufp4.quantize %x along 1 amax(%a) : tensor<2x1xf32> -> !ufp4.tensor<2x1, #s, along = 1>
  return %q, %r : !ufp4.tensor<2x1, #s, along = 1>, !ufp4.tensor<2x1, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// K goes last and is padded: columns 7, 14 and -7, 0 are rows of the view (Q1, Q3).
// CHECK-LABEL: func.func @view
// CHECK-NEXT: ufp4.constant
// CHECK-SAME{LITERAL}: codes = dense<[[4, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<2x16xi8>
// CHECK-SAME{LITERAL}: scales = dense<[[2.000000e+00], [1.000000e+00]]> : tensor<2x1xf32>>
func.func @view() -> !ufp4.tensor<2x2, #s, along = 0> {
  %x = arith.constant dense<[[7.0, -7.0], [14.0, 0.0]]> : tensor<2x2xf16>
  %q = ufp4.quantize %x along 0 : tensor<2x2xf16> -> !ufp4.tensor<2x2, #s, along = 0>
  return %q : !ufp4.tensor<2x2, #s, along = 0>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// Two rows share one scale: 14 / 7 = 2.
// CHECK-LABEL: func.func @rows
// CHECK-NEXT: ufp4.constant
// CHECK-SAME{LITERAL}: codes = dense<[[7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]>
// CHECK-SAME: scales = dense<2.000000e+00> : tensor<1x1xf32>>
func.func @rows() -> !ufp4.tensor<2x1, #s, along = 1> {
  %x = arith.constant dense<[[14.0], [2.0]]> : tensor<2x1xf32>
  %q = ufp4.quantize %x along 1 : tensor<2x1xf32> -> !ufp4.tensor<2x1, #s, along = 1>
  return %q : !ufp4.tensor<2x1, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// A block with an infinity is poisoned (codes 0, scale NaN), one below 2^-120 is zero (Q4).
// CHECK-LABEL: func.func @poison
// CHECK-NEXT: ufp4.constant <codes = dense<0> : tensor<2x16xi8>
// CHECK-SAME{LITERAL}: scales = dense<[[0x7FC00000], [0.000000e+00]]> : tensor<2x1xf32>>
func.func @poison() -> !ufp4.tensor<2x2, #s, along = 1> {
  %x = arith.constant dense<[[0x7F800000, 1.0], [7.0e-37, -1.0e-40]]> : tensor<2x2xf32>
  %q = ufp4.quantize %x along 1 : tensor<2x2xf32> -> !ufp4.tensor<2x2, #s, along = 1>
  return %q : !ufp4.tensor<2x2, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0x1>>
// Element 0, negated by the mask: -28 / 4 everywhere.
// CHECK-LABEL: func.func @rotated
// CHECK-NEXT: ufp4.constant <codes = dense<15> : tensor<1x16xi8>, scales = dense<1.000000e+00> : tensor<1x1xf32>>
func.func @rotated() -> !ufp4.tensor<1x1, #s, along = 1> {
  %x = arith.constant dense<28.0> : tensor<1x1xf32>
  %q = ufp4.quantize %x along 1 : tensor<1x1xf32> -> !ufp4.tensor<1x1, #s, along = 1>
  return %q : !ufp4.tensor<1x1, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// Nothing is folded to nothing: empty rows, empty K.
// CHECK-LABEL: func.func @empty
// CHECK: ufp4.constant <codes = dense<> : tensor<0x16xi8>, scales = dense<> : tensor<0x1xf32>>
// CHECK: ufp4.constant <codes = dense<> : tensor<2x0xi8>, scales = dense<> : tensor<2x0xf32>>
func.func @empty() -> (!ufp4.tensor<0x16, #s, along = 1>, !ufp4.tensor<2x0, #s, along = 1>) {
  %x = arith.constant dense<> : tensor<0x16xf32>
  %y = arith.constant dense<> : tensor<2x0xf32>
  %q = ufp4.quantize %x along 1 : tensor<0x16xf32> -> !ufp4.tensor<0x16, #s, along = 1>
  %r = ufp4.quantize %y along 1 : tensor<2x0xf32> -> !ufp4.tensor<2x0, #s, along = 1>
  return %q, %r : !ufp4.tensor<0x16, #s, along = 1>, !ufp4.tensor<2x0, #s, along = 1>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
#nv = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>
// Codes 7, 8 (-0, read as 0) and 15; the padding is dropped and `along` goes back to its place.
// CHECK-LABEL: func.func @dequantize
// CHECK-DAG{LITERAL}: arith.constant dense<[[1.400000e+01], [0.000000e+00], [-1.400000e+01]]> : tensor<3x1xf32>
// 7 * (1 + 2^-8) = 7.02734375 lies between the bf16 numbers 7 and 7.03125.
// CHECK-DAG: arith.constant dense<7.031250e+00> : tensor<1x1xbf16>
// 70000 exceeds f16.
// CHECK-DAG: arith.constant dense<0x7C00> : tensor<1x1xf16>
// (-6 * 1.5) * 2.
// CHECK-DAG: arith.constant dense<-1.800000e+01> : tensor<1x1xf32>
// CHECK-DAG: arith.constant dense<0x7FC00000> : tensor<2x1xf32>
// CHECK-NOT: ufp4
// CHECK: return
func.func @dequantize()
    -> (tensor<3x1xf32>, tensor<1x1xbf16>, tensor<1x1xf16>, tensor<1x1xf32>, tensor<2x1xf32>) {
  %a = ufp4.constant <codes = dense<[[7, 8, 15, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]]> : tensor<1x16xi8>,
                      scales = dense<2.0> : tensor<1x1xf32>> : !ufp4.tensor<3x1, #s, along = 0>
  %b = ufp4.constant <codes = dense<7> : tensor<1x16xi8>, scales = dense<1.00390625> : tensor<1x1xf32>>
         : !ufp4.tensor<1x1, #s, along = 1>
  %c = ufp4.constant <codes = dense<7> : tensor<1x16xi8>, scales = dense<10000.0> : tensor<1x1xf32>>
         : !ufp4.tensor<1x1, #s, along = 1>
  %d = ufp4.constant <codes = dense<15> : tensor<1x16xi8>, scales = dense<0x3C> : tensor<1x1xi8>,
                      global = 2.0 : f32> : !ufp4.tensor<1x1, #nv, along = 1>
  %e = ufp4.constant <codes = dense<0> : tensor<2x16xi8>, scales = dense<0x7FC00000> : tensor<2x1xf32>>
         : !ufp4.tensor<2x1, #s, along = 1>
  %0 = ufp4.dequantize %a : !ufp4.tensor<3x1, #s, along = 0> -> tensor<3x1xf32>
  %1 = ufp4.dequantize %b : !ufp4.tensor<1x1, #s, along = 1> -> tensor<1x1xbf16>
  %2 = ufp4.dequantize %c : !ufp4.tensor<1x1, #s, along = 1> -> tensor<1x1xf16>
  %3 = ufp4.dequantize %d : !ufp4.tensor<1x1, #nv, along = 1> -> tensor<1x1xf32>
  %4 = ufp4.dequantize %e : !ufp4.tensor<2x1, #s, along = 1> -> tensor<2x1xf32>
  return %0, %1, %2, %3, %4
    : tensor<3x1xf32>, tensor<1x1xbf16>, tensor<1x1xf16>, tensor<1x1xf32>, tensor<2x1xf32>
}

// -----

// Element 1 is row 1 of H: 1 and -1 in turn, times 1/4. Element 0 negated: -1/4 everywhere. K = 1 is
// padded to a run, along dimension 0.
// CHECK-LABEL: func.func @rotate
// CHECK-DAG{LITERAL}: dense<[[2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01, 2.500000e-01, -2.500000e-01]]> : tensor<1x16xf32>
// CHECK-DAG: dense<-2.500000e-01> : tensor<16x1xf32>
// CHECK-NOT: ufp4
// CHECK: return
func.func @rotate() -> (tensor<1x16xf32>, tensor<16x1xf32>) {
  %x = arith.constant dense<[[0.0, 1.0]]> : tensor<1x2xbf16>
  %y = arith.constant dense<1.0> : tensor<1x1xf32>
  %0 = ufp4.rotate %x along 1 by <size = 16, signs = 0> : tensor<1x2xbf16> -> tensor<1x16xf32>
  %1 = ufp4.rotate %y along 0 by <size = 16, signs = 1> : tensor<1x1xf32> -> tensor<16x1xf32>
  return %0, %1 : tensor<1x16xf32>, tensor<16x1xf32>
}

// -----

// The maximum is taken after the rotation and without poisoned blocks; an empty tensor's is 0.
// CHECK-LABEL: func.func @amax
// CHECK-DAG: arith.constant 3.000000e+00 : f32
// CHECK-DAG: arith.constant 7.500000e-01 : f32
// CHECK-DAG: arith.constant 0.000000e+00 : f32
// CHECK-NOT: ufp4
// CHECK: return
func.func @amax() -> (f32, f32, f32) {
  %x = arith.constant dense<[[1.0, -3.0], [0x7FC0, 9.0]]> : tensor<2x2xbf16>
  %y = arith.constant dense<-3.0> : tensor<1x1xbf16>
  %z = arith.constant dense<> : tensor<0x16xf32>
  %0 = ufp4.amax %x along 1 of <e1m2, block = 16, scale = ue4m3> : tensor<2x2xbf16>
  %1 = ufp4.amax %y along 1 of <e1m2, block = 16, scale = ue4m3, rotation = <size = 16, signs = 0xD7E8>>
         : tensor<1x1xbf16>
  %2 = ufp4.amax %z along 1 of <e1m2, block = 16, scale = ue4m3> : tensor<0x16xf32>
  return %0, %1, %2 : f32, f32, f32
}

// -----

// Words 0 and 1 of the published answer for a key and a counter of ones (Random123's kat_vectors):
// 0x408F276D, 0x41C83B0E. The others are from a second implementation of Philox; a seed and an index
// that swap places differ.
// CHECK-LABEL: func.func @fold_in
// CHECK-DAG: arith.constant 4740103540206151533 : i64
// CHECK-DAG: arith.constant -9092638030538989149 : i64
// CHECK-DAG: arith.constant -2892123689022879423 : i64
// CHECK-DAG: arith.constant -4462230704111605351 : i64
// CHECK-NOT: ufp4
// CHECK: return
func.func @fold_in() -> (i64, i64, i64, i64) {
  %ones = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %high = arith.constant 0x10000000000 : i64
  %0 = ufp4.fold_in %ones, %ones
  %1 = ufp4.fold_in %zero, %zero
  %2 = ufp4.fold_in %seven, %high
  %3 = ufp4.fold_in %high, %seven
  return %0, %1, %2, %3 : i64, i64, i64, i64
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
#nv = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
// A draw is no constant, even of constants; a part is a shard of what nobody knows here; an unknown
// maximum decides the scale; and constants that are kept elsewhere are not read.
// CHECK-LABEL: func.func @not_constant
// CHECK: ufp4.quantize {{.*}} stochastic
// CHECK: ufp4.quantize {{.*}} at
// CHECK: ufp4.quantize {{.*}} amax
// CHECK: ufp4.quantize
func.func @not_constant(%a: f32)
    -> (!ufp4.tensor<1x16, #s, along = 1>, !ufp4.tensor<1x16, #s, along = 1>,
        !ufp4.tensor<1x16, #nv, along = 1>, !ufp4.tensor<1x16, #s, along = 1>) {
  %x = arith.constant dense<1.0> : tensor<1x16xf32>
  %y = arith.constant dense_resource<stored> : tensor<1x16xf32>
  %seed = arith.constant 0 : i64
  %step = arith.constant 0 : i32
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 0}
         : tensor<1x16xf32> -> !ufp4.tensor<1x16, #s, along = 1>
  %1 = ufp4.quantize %x along 1 at [[1], [0]] of [[2], [16]] part [[1], [16]]
         : tensor<1x16xf32> -> !ufp4.tensor<1x16, #s, along = 1>
  %2 = ufp4.quantize %x along 1 amax(%a) : tensor<1x16xf32> -> !ufp4.tensor<1x16, #nv, along = 1>
  %3 = ufp4.quantize %y along 1 : tensor<1x16xf32> -> !ufp4.tensor<1x16, #s, along = 1>
  return %0, %1, %2, %3
    : !ufp4.tensor<1x16, #s, along = 1>, !ufp4.tensor<1x16, #s, along = 1>,
      !ufp4.tensor<1x16, #nv, along = 1>, !ufp4.tensor<1x16, #s, along = 1>
}

// -----

#mma = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0, evaluation = mma>>
// A matrix unit may sum in another order.
// CHECK-LABEL: func.func @not_exact
// CHECK: ufp4.quantize
// CHECK: ufp4.rotate
// CHECK: ufp4.amax
func.func @not_exact() -> (!ufp4.tensor<1x16, #mma, along = 1>, tensor<1x16xf32>, f32) {
  %x = arith.constant dense<1.0> : tensor<1x16xbf16>
  %0 = ufp4.quantize %x along 1 : tensor<1x16xbf16> -> !ufp4.tensor<1x16, #mma, along = 1>
  %1 = ufp4.rotate %x along 1 by <size = 16, signs = 0, evaluation = mma>
         : tensor<1x16xbf16> -> tensor<1x16xf32>
  %2 = ufp4.amax %x along 1 of #mma : tensor<1x16xbf16>
  return %0, %1, %2 : !ufp4.tensor<1x16, #mma, along = 1>, tensor<1x16xf32>, f32
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
#long = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 128, signs = 0>>
// More than 2^21 elements, or as many once they are padded, stay; 2^21 are folded.
// CHECK-LABEL: func.func @not_small
// CHECK-DAG: ufp4.constant {{.*}} : !ufp4.tensor<131072x16,
// CHECK-DAG: ufp4.quantize {{.*}} : tensor<131073x16xf32>
// CHECK-DAG: ufp4.quantize {{.*}} : tensor<16385x1xf32>
// CHECK-DAG: ufp4.rotate {{.*}} : tensor<16385x1xf32>
// CHECK-DAG: ufp4.amax {{.*}} : tensor<16385x1xf32>
// CHECK-DAG: ufp4.dequantize {{.*}} : !ufp4.tensor<131073x1,
func.func @not_small()
    -> (!ufp4.tensor<131072x16, #s, along = 1>, !ufp4.tensor<131073x16, #s, along = 1>,
        !ufp4.tensor<16385x1, #long, along = 1>, tensor<16385x128xf32>, f32, tensor<131073x1xf32>) {
  %x = arith.constant dense<1.0> : tensor<131072x16xf32>
  %y = arith.constant dense<1.0> : tensor<131073x16xf32>
  %z = arith.constant dense<1.0> : tensor<16385x1xf32>
  %c = ufp4.constant <codes = dense<1> : tensor<131073x16xi8>, scales = dense<1.0> : tensor<131073x1xf32>>
         : !ufp4.tensor<131073x1, #s, along = 1>
  %0 = ufp4.quantize %x along 1 : tensor<131072x16xf32> -> !ufp4.tensor<131072x16, #s, along = 1>
  %1 = ufp4.quantize %y along 1 : tensor<131073x16xf32> -> !ufp4.tensor<131073x16, #s, along = 1>
  %2 = ufp4.quantize %z along 1 : tensor<16385x1xf32> -> !ufp4.tensor<16385x1, #long, along = 1>
  %3 = ufp4.rotate %z along 1 by <size = 128, signs = 0> : tensor<16385x1xf32> -> tensor<16385x128xf32>
  %4 = ufp4.amax %z along 1 of #long : tensor<16385x1xf32>
  %5 = ufp4.dequantize %c : !ufp4.tensor<131073x1, #s, along = 1> -> tensor<131073x1xf32>
  return %0, %1, %2, %3, %4, %5
    : !ufp4.tensor<131072x16, #s, along = 1>, !ufp4.tensor<131073x16, #s, along = 1>,
      !ufp4.tensor<16385x1, #long, along = 1>, tensor<16385x128xf32>, f32, tensor<131073x1xf32>
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// The codes of a dynamic shape have no constant.
// CHECK-LABEL: func.func @not_static
// CHECK: ufp4.quantize
func.func @not_static() -> !ufp4.tensor<?x16, #s, along = 1> {
  %x = arith.constant dense<1.0> : tensor<2x16xf32>
  %q = ufp4.quantize %x along 1 : tensor<2x16xf32> -> !ufp4.tensor<?x16, #s, along = 1>
  return %q : !ufp4.tensor<?x16, #s, along = 1>
}
