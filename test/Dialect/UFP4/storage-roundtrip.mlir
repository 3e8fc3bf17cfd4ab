// The storage level prints what it parses, on tensors and on memrefs; bufferization writes in place.
// Breaks if a part of the syntax of quantize_into, amax_into or block_gemm, or of their attributes,
// is lost, or if a destination is copied.
//
// RUN: ufp4-opt %s | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s -mlir-print-op-generic | ufp4-opt | FileCheck %s
// RUN: ufp4-opt %s -one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFER

#f32 = #ufp4.scheme<e1m2, block = 16, scale = f32>
#rot = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#two = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
#square = #ufp4.scheme<e2m1, block = 16, rows = 16, scale = ue4m3>

// CHECK-LABEL: @one
// CHECK: ufp4.quantize_into ins(%{{.*}} : tensor<32x64xbf16>) outs(%{{.*}}, %{{.*}} : tensor<1024xi8>, tensor<512xi8>)
// CHECK-SAME: as [#ufp4.destination<!ufp4.tensor<32x64, #{{.*}}, along = 1>, "natural">] -> tensor<1024xi8>, tensor<512xi8>
// BUFFER-LABEL: @one
// BUFFER-SAME: memref<32x64xbf16, {{.*}}>, %[[C:.*]]: memref<1024xi8, {{.*}}>, %[[S:.*]]: memref<512xi8, {{.*}}>)
// BUFFER-NOT: memref.copy
// BUFFER: ufp4.quantize_into ins(%{{.*}} : memref<32x64xbf16, {{.*}}>) outs(%[[C]], %[[S]] :
// BUFFER-NOT: ->
// BUFFER: return
func.func @one(%x: tensor<32x64xbf16>, %c: tensor<1024xi8>, %s: tensor<512xi8>)
    -> (tensor<1024xi8>, tensor<512xi8>) {
  %0:2 = ufp4.quantize_into ins(%x : tensor<32x64xbf16>)
    outs(%c, %s : tensor<1024xi8>, tensor<512xi8>)
    as [#ufp4.destination<!ufp4.tensor<32x64, #rot, along = 1>, "natural">]
    -> tensor<1024xi8>, tensor<512xi8>
  return %0#0, %0#1 : tensor<1024xi8>, tensor<512xi8>
}

// CHECK-LABEL: @dual
// CHECK: ufp4.quantize_into ins(%{{.*}} : memref<32x64xf32>) amax(%{{.*}} : memref<f32>) seed(%{{[^)]*}}) step(%{{[^)]*}}) stream(%{{[^)]*}})
// CHECK-SAME: outs(%{{[^:]*}} : memref<16384xi8>, memref<2048xi8>, memref<f32>, memref<16384xi8>, memref<?xi8>)
// CHECK-SAME: as [#ufp4.destination<!ufp4.tensor<32x64, #{{.*}}, along = 1>, "tile_major_bf16">,
// CHECK-SAME: #ufp4.destination<!ufp4.tensor<32x64, #{{.*}}, along = 0>, "tile_major_bf16", stochastic, bits = 8, stream = dynamic>]
func.func @dual(%x: memref<32x64xf32>, %a: memref<f32>, %seed: i64, %step: i32, %stream: i32,
                %c: memref<16384xi8>, %s: memref<2048xi8>, %g: memref<f32>,
                %d: memref<16384xi8>, %t: memref<?xi8>) {
  ufp4.quantize_into ins(%x : memref<32x64xf32>) amax(%a : memref<f32>) seed(%seed) step(%step)
    stream(%stream)
    outs(%c, %s, %g, %d, %t : memref<16384xi8>, memref<2048xi8>, memref<f32>, memref<16384xi8>,
                              memref<?xi8>)
    as [#ufp4.destination<!ufp4.tensor<32x64, #two, along = 1>, "tile_major_bf16">,
        #ufp4.destination<!ufp4.tensor<32x64, #f32, along = 0>, "tile_major_bf16", stochastic,
                          bits = 8, stream = dynamic>]
  return
}

// CHECK-LABEL: @part
// CHECK: at(%{{[^)]*}}) outs({{.*}}) as [#ufp4.destination<!ufp4.tensor<2x32x64, #{{.*}}, along = 2>, "natural", batch = 1, stochastic, stream = 7,
// CHECK-SAME: place = <at {{\[\[}}0], [?], []] of {{\[\[}}4], [64], []] part {{\[\[}}2], [32], []]>>]
func.func @part(%x: tensor<2x32x64xf16>, %seed: i64, %step: i32, %at: i64, %c: tensor<2048xi8>,
                %s: tensor<1024xi8>) -> tensor<2048xi8> {
  %0:2 = ufp4.quantize_into ins(%x : tensor<2x32x64xf16>) seed(%seed) step(%step) at(%at)
    outs(%c, %s : tensor<2048xi8>, tensor<1024xi8>)
    as [#ufp4.destination<!ufp4.tensor<2x32x64, #f32, along = 2>, "natural", batch = 1, stochastic,
        stream = 7, place = <at [[0], [?], []] of [[4], [64], []] part [[2], [32], []]>>]
    -> tensor<2048xi8>, tensor<1024xi8>
  return %0#0 : tensor<2048xi8>
}

// What it held matters, so the argument that is used again is copied.
// CHECK-LABEL: @amax
// CHECK: ufp4.amax_into ins(%{{.*}} : tensor<?x64xf32>) along 1 of #{{.*}} outs(%{{.*}} : tensor<f32>) -> tensor<f32>
// BUFFER-LABEL: @amax
// BUFFER: memref.copy
// BUFFER: ufp4.amax_into
func.func @amax(%x: tensor<?x64xf32>, %a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = ufp4.amax_into ins(%x : tensor<?x64xf32>) along 1 of #two outs(%a : tensor<f32>)
    -> tensor<f32>
  return %0, %a : tensor<f32>, tensor<f32>
}

// CHECK-LABEL: @gemm
// CHECK: ufp4.block_gemm lhs(%{{.*}}, %{{.*}} : tensor<1024xi8>, tensor<512xi8>) as <!ufp4.tensor<32x64, #{{.*}}, along = 1>, "natural">
// CHECK-SAME: rhs(%{{.*}}, %{{.*}} : tensor<256xi8>, tensor<128xi8>) as <!ufp4.tensor<64x8, #{{.*}}, along = 0>, "natural"> via <post>
// CHECK-SAME: outs(%{{.*}} : tensor<32x8xf32>) accumulate -> tensor<32x8xf32>
// BUFFER-LABEL: @gemm
// BUFFER-SAME: %[[C:[a-z0-9]*]]: memref<32x8xf32, {{[^)]*}}>)
// BUFFER-NOT: memref.copy
// BUFFER: ufp4.block_gemm {{.*}} outs(%[[C]] :
// BUFFER: return
func.func @gemm(%ac: tensor<1024xi8>, %as: tensor<512xi8>, %bc: tensor<256xi8>,
                %bs: tensor<128xi8>, %c: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %0 = ufp4.block_gemm
    lhs(%ac, %as : tensor<1024xi8>, tensor<512xi8>)
    as <!ufp4.tensor<32x64, #f32, along = 1>, "natural">
    rhs(%bc, %bs : tensor<256xi8>, tensor<128xi8>)
    as <!ufp4.tensor<64x8, #f32, along = 0>, "natural">
    via <post> outs(%c : tensor<32x8xf32>) accumulate -> tensor<32x8xf32>
  return %0 : tensor<32x8xf32>
}

// CHECK-LABEL: @gemm_of_all
// CHECK: ufp4.block_gemm lhs(%{{.*}}, %{{.*}}, %{{.*}} : memref<2048xi8>, memref<256xi8>, memref<f32>) as <!ufp4.tensor<2x32x64, #{{.*}}, along = 2>, "natural", batch = 1>
// CHECK-SAME: rhs({{.*}}, %{{.*}}, %{{.*}} : memref<?xi8>, memref<?xi8>, memref<f32>) as <!ufp4.tensor<2x64x?, #{{.*}}, along = 1>, "natural", batch = 1>
// CHECK-SAME: via <native> alpha(%{{[^)]*}}) bias(%{{.*}} : memref<8xbf16>) outs(%{{.*}} : memref<2x32x8xbf16>)
func.func @gemm_of_all(%ac: memref<2048xi8>, %as: memref<256xi8>, %ag: memref<f32>,
                       %bc: memref<?xi8>, %bs: memref<?xi8>, %bg: memref<f32>, %alpha: f32,
                       %bias: memref<8xbf16>, %c: memref<2x32x8xbf16>) {
  ufp4.block_gemm
    lhs(%ac, %as, %ag : memref<2048xi8>, memref<256xi8>, memref<f32>)
    as <!ufp4.tensor<2x32x64, #two, along = 2>, "natural", batch = 1>
    rhs(%bc, %bs, %bg : memref<?xi8>, memref<?xi8>, memref<f32>)
    as <!ufp4.tensor<2x64x?, #two, along = 1>, "natural", batch = 1>
    via <native> alpha(%alpha) bias(%bias : memref<8xbf16>)
    outs(%c : memref<2x32x8xbf16>)
  return
}

// Groups: where they lie, one maximum and S of each, rows by stacked matrices and a product of each.
// CHECK-LABEL: @groups
// CHECK: ufp4.group_table_into ins(%{{.*}} : memref<2xi32>) of %{{.*}} by 128 outs(%{{.*}} : memref<5x4xi32>)
// CHECK: ufp4.amax_into ins(%{{.*}}) along 1 of #{{.*}} in <2 rows> table(%{{.*}} : memref<5x4xi32>) by 128 outs(%{{.*}} : memref<2xf32>)
// CHECK: ufp4.quantize_into ins(%{{.*}}) amax(%{{.*}} : memref<2xf32>) groups(%{{.*}} : memref<5x4xi32>) from %{{.*}} outs
// CHECK: ufp4.block_gemm {{.*}} via <native> groups(%{{.*}} : memref<5x4xi32>) outs(%{{.*}} : memref<100x8xf32>)
// CHECK: ufp4.block_gemm {{.*}} via <native> groups(%{{.*}} : memref<5x4xi32>) outs(%{{.*}} : memref<2x64x64xf32>) accumulate
func.func @groups(%x: memref<100x64xf32>, %sizes: memref<2xi32>, %t: memref<5x4xi32>, %a: memref<2xf32>,
                  %c: memref<?xi8>, %s: memref<?xi8>, %first: i64, %y: memref<100x8xf32>,
                  %dw: memref<2x64x64xf32>) {
  %rows = arith.constant 100 : index
  ufp4.group_table_into ins(%sizes : memref<2xi32>) of %rows by 128 outs(%t : memref<5x4xi32>)
  ufp4.amax_into ins(%x : memref<100x64xf32>) along 1 of #two in <2 rows>
    table(%t : memref<5x4xi32>) by 128 outs(%a : memref<2xf32>)
  ufp4.quantize_into ins(%x : memref<100x64xf32>) amax(%a : memref<2xf32>)
    groups(%t : memref<5x4xi32>) from %first outs(%c, %s, %a : memref<?xi8>, memref<?xi8>, memref<2xf32>)
    as [#ufp4.destination<!ufp4.tensor<100x64, #two, along = 1, groups = <2 rows>>, "tile_major_bf16">]
  ufp4.block_gemm
    lhs(%c, %s, %a : memref<?xi8>, memref<?xi8>, memref<2xf32>)
    as <!ufp4.tensor<100x64, #two, along = 1, groups = <2 rows>>, "tile_major_bf16">
    rhs(%c, %s, %a : memref<?xi8>, memref<?xi8>, memref<2xf32>)
    as <!ufp4.tensor<2x64x8, #two, along = 1, groups = <2 stacked>>, "tile_major_bf16", batch = 1>
    via <native> groups(%t : memref<5x4xi32>) outs(%y : memref<100x8xf32>)
  ufp4.block_gemm
    lhs(%c, %s, %a : memref<?xi8>, memref<?xi8>, memref<2xf32>)
    as <!ufp4.tensor<100x64, #two, along = 0, groups = <2 contracted>>, "tile_major_bf16">
    rhs(%c, %s, %a : memref<?xi8>, memref<?xi8>, memref<2xf32>)
    as <!ufp4.tensor<100x64, #two, along = 0, groups = <2 contracted>>, "tile_major_bf16">
    via <native> groups(%t : memref<5x4xi32>) outs(%dw : memref<2x64x64xf32>) accumulate
  return
}

// CHECK-LABEL: @attributes
// CHECK-SAME: a = #ufp4.storage<"natural">
// CHECK-SAME: b = #ufp4.stored<!ufp4.tensor<32x32, #{{.*}}, along = 1>, "tile_major_bf16">
// CHECK-SAME: c = [#ufp4.path<native>, #ufp4.path<container>, #ufp4.path<post>, #ufp4.path<fold>]
func.func private @attributes() attributes {
  a = #ufp4.storage<"natural">,
  b = #ufp4.stored<!ufp4.tensor<32x32, #square, along = 1>, "tile_major_bf16">,
  c = [#ufp4.path<native>, #ufp4.path<container>, #ufp4.path<post>, #ufp4.path<fold>]}
