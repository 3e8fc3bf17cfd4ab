// RUN: split-file %s %t
// RUN: sh %t/run.sh %t %python %S/../Transforms/decisions.py | FileCheck %s

// Casts in and around a body are honoured: none is dropped on the way to a quantize.
// CHECK: integers: 0 linalg.generic {{.*}} left shape its body casts an operand to integers and back
// CHECK: product: 0 linalg.generic {{.*}} left shape its body casts the product to integers or to fewer than 16 bits
// CHECK: twice: 0 linalg.generic {{.*}} left shape its body rounds an operand twice
// CHECK: copy: 0 linalg.matmul {{.*}} rewritten
// CHECK: ufp4.quantize {{.*}} : tensor<16x32xbf16>

//--- run.sh
for name in integers product twice copy; do
  ufp4-opt $1/$name.mlir --ufp4-quantize-training="params=w decisions=$1/$name.json" -o $1/$name.out
  echo "$name: $($2 $3 $1/$name.json)"
done
grep "ufp4.quantize" $1/copy.out

//--- integers.mlir
// body rounds a to integers before the product
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name="w"}) -> tensor<16x16xf32> {
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types=["parallel","parallel","reduction"]} ins(%x,%w: tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%z: tensor<16x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %i = arith.fptosi %a : bf16 to i32
    %0 = arith.sitofp %i : i32 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
//--- product.mlir
// product cast to int and back
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x16xbf16> {ufp4.name="w"}) -> tensor<16x16xf32> {
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types=["parallel","parallel","reduction"]} ins(%x,%w: tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%z: tensor<16x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %i = arith.fptosi %2 : f32 to i8
    %j = arith.sitofp %i : i8 to f32
    %3 = arith.addf %c, %j : f32
    linalg.yield %3 : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
//--- twice.mlir
func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x16xbf16> {ufp4.name="w"}) -> tensor<16x16xf32> {
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m,n,k)->(m,k)>, affine_map<(m,n,k)->(k,n)>, affine_map<(m,n,k)->(m,n)>], iterator_types=["parallel","parallel","reduction"]} ins(%x,%w: tensor<16x32xf32>, tensor<32x16xbf16>) outs(%z: tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: bf16, %c: f32):
    %a1 = arith.truncf %a : f32 to f16
    %a2 = arith.extf %a1 : f16 to f32
    %a3 = arith.truncf %a2 : f32 to bf16
    %0 = arith.extf %a3 : bf16 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
//--- copy.mlir
// copy that rounds
func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x16xf32> {ufp4.name="w"}) -> tensor<16x16xf32> {
  %z = arith.constant dense<0.0> : tensor<16x16xf32>
  %e = tensor.empty() : tensor<16x32xbf16>
  %e2 = tensor.empty() : tensor<32x16xbf16>
  %s = linalg.copy ins(%x: tensor<16x32xf32>) outs(%e: tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %s2 = linalg.copy ins(%w: tensor<32x16xf32>) outs(%e2: tensor<32x16xbf16>) -> tensor<32x16xbf16>
  %y = linalg.matmul ins(%s, %s2 : tensor<16x32xbf16>, tensor<32x16xbf16>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %y : tensor<16x16xf32>
}
