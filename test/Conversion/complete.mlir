// RUN: ufp4-opt %s --ufp4-to-linalg -o %t.linalg.mlir
// RUN: ufp4-opt %s --ufp4-to-vector -o %t.vector.mlir
// RUN: FileCheck %s < %t.linalg.mlir
// No ufp4 op or type, no cast left over; linalg alone without vectors or buffers; no fast-math flag
// and no operation that a compiler might contract. Vectors fuse where they say so.
// RUN: not grep -E "ufp4|unrealized" %t.linalg.mlir
// RUN: not grep -E "[!#]ufp4|ufp4\.[^p]|unrealized" %t.vector.mlir
// RUN: not grep -E "vector|memref|fastmath|math\.|fma|roundeven" %t.linalg.mlir
// RUN: not grep -E "memref|fastmath|roundeven" %t.vector.mlir
// Without names that LLVM does not have, either goes down the stock road.
// RUN: ufp4-opt %t.linalg.mlir --one-shot-bufferize="bufferize-function-boundaries" -o /dev/null
// RUN: ufp4-opt %t.vector.mlir --one-shot-bufferize="bufferize-function-boundaries" -o /dev/null

#rht = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#nv = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>
#nv2 = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>
#mx = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, rule = ocp_floor>

// One contraction in f32 whose maps read both operands as they lie, then one rounding.
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @gemm
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins({{.*}} : tensor<?x512xf32>, tensor<64x512xf32>) outs(%arg4 : tensor<?x64xf32>)
// CHECK: arith.truncf {{.*}} : f32 to bf16
func.func @gemm(%x: tensor<?x512xbf16>, %w: tensor<512x64xbf16>, %seed: i64, %step: i32,
                %c: tensor<?x64xf32>) -> tensor<?x64xbf16> {
  %0 = ufp4.quantize %x along 1 stochastic(%seed, %step) {stream = 7}
         : tensor<?x512xbf16> -> !ufp4.tensor<?x512, #rht, along = 1>
  %1 = ufp4.quantize %w along 0 : tensor<512x64xbf16> -> !ufp4.tensor<512x64, #rht, along = 0>
  %2 = ufp4.matmul %0, %1 accumulate(%c : tensor<?x64xf32>)
         : !ufp4.tensor<?x512, #rht, along = 1>, !ufp4.tensor<512x64, #rht, along = 0>
         -> tensor<?x64xbf16>
  return %2 : tensor<?x64xbf16>
}

// Ten rounds of two multiplications, once for each 128 bits.
// CHECK-LABEL: func.func @words
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<8x2x2xi32>, tensor<8x2x2xi32>, tensor<8x2x2xi32>, tensor<8x2x2xi32>)
// CHECK-COUNT-20: arith.extui {{.*}} : i32 to i64
// CHECK-NOT: arith.extui {{.*}} : i32 to i64
// CHECK: return
func.func @words(%x: tensor<8x32xf32>, %seed: i64, %step: i32, %amax: f32, %at: i64)
    -> !ufp4.tensor<8x32, #nv, along = 1> {
  %0 = ufp4.quantize %x along 1 amax(%amax) stochastic(%seed, %step)
         at [[%at, 1], [0]] of [[4, 8], [64]] part [[2, 4], [32]] {stream = 7}
         : tensor<8x32xf32> -> !ufp4.tensor<8x32, #nv, along = 1>
  return %0 : !ufp4.tensor<8x32, #nv, along = 1>
}

func.func @others(%x: tensor<64x48xf16>, %seed: i64)
    -> (tensor<64x48xf32>, f32, i64, tensor<64x48xbf16>, tensor<2x48xf32>, tensor<64x48xf32>) {
  %0 = ufp4.rotate %x along 0 by <size = 32, signs = 0xD7E8D7E8>
         : tensor<64x48xf16> -> tensor<64x48xf32>
  %1 = ufp4.amax %x along 1 of #nv2 : tensor<64x48xf16>
  %2 = ufp4.fold_in %seed, %seed
  %3 = ufp4.quantize %x along 1 : tensor<64x48xf16> -> !ufp4.tensor<64x48, #nv2, along = 1>
  %4 = ufp4.dequantize %3 : !ufp4.tensor<64x48, #nv2, along = 1> -> tensor<64x48xbf16>
  %5 = ufp4.constant <codes = dense<9> : tensor<2x64xi8>, scales = dense<127> : tensor<2x2xi8>>
         : !ufp4.tensor<2x64, #mx, along = 1>
  %6 = ufp4.quantize %x along 0 : tensor<64x48xf16> -> !ufp4.tensor<64x48, #mx, along = 0>
  %7 = ufp4.matmul %5, %6 : !ufp4.tensor<2x64, #mx, along = 1>,
         !ufp4.tensor<64x48, #mx, along = 0> -> tensor<2x48xf32>
  %8 = ufp4.dequantize %6 : !ufp4.tensor<64x48, #mx, along = 0> -> tensor<64x48xf32>
  return %0, %1, %2, %4, %7, %8
    : tensor<64x48xf32>, f32, i64, tensor<64x48xbf16>, tensor<2x48xf32>, tensor<64x48xf32>
}
