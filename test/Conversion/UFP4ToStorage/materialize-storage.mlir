// What each matmul and each quantize becomes.
// Breaks if a GEMM, a destination, a draw, a maximum or a size of the storage level is wrong.
//
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_80 fail-on-left" | FileCheck %s
// RUN: ufp4-opt %s --ufp4-materialize-storage="target=sm_120a fail-on-left" | FileCheck %s --check-prefix=NATIVE

// CHECK-NOT: ufp4.matmul
// CHECK-NOT: unrealized

#f = #ufp4.scheme<e1m2, block = 16, scale = f32>
#rot = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
#two = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>

// CHECK-DAG: #[[F:scheme[0-9]*]] = #ufp4.scheme<e1m2, block = 16, scale = f32>
// CHECK-DAG: #[[ROT:scheme[0-9]*]] = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
// CHECK-DAG: #[[TWO:scheme[0-9]*]] = #ufp4.scheme<e2m1, block = 16, scale = ue4m3>

// Tiles of 128 x 64 codes of two bytes; four lines of 128 scales of four bytes.
// CHECK-LABEL: @single(
// CHECK-SAME: %[[X:.*]]: tensor<130x64xbf16>, %[[W:.*]]: tensor<64x8xbf16>)
// CHECK: %[[XC:.*]] = tensor.empty() : tensor<32768xi8>
// CHECK: %[[XS:.*]] = tensor.empty() : tensor<4096xi8>
// CHECK: %[[A:.*]]:2 = ufp4.quantize_into ins(%[[X]] : tensor<130x64xbf16>) outs(%[[XC]], %[[XS]] : tensor<32768xi8>, tensor<4096xi8>)
// CHECK-SAME: as [#ufp4.destination<!ufp4.tensor<130x64, #[[ROT]], along = 1>, "tile_major_bf16">]
// CHECK: %[[B:.*]]:2 = ufp4.quantize_into ins(%[[W]] :
// CHECK-SAME: as [#ufp4.destination<!ufp4.tensor<64x8, #[[ROT]], along = 0>, "tile_major_bf16">]
// CHECK: %[[C:.*]] = tensor.empty() : tensor<130x8xbf16>
// CHECK: %[[Y:.*]] = ufp4.block_gemm lhs(%[[A]]#0, %[[A]]#1 : tensor<32768xi8>, tensor<4096xi8>) as <!ufp4.tensor<130x64, #[[ROT]], along = 1>, "tile_major_bf16">
// CHECK-SAME: rhs(%[[B]]#0, %[[B]]#1 : {{.*}}) as <!ufp4.tensor<64x8, #[[ROT]], along = 0>, "tile_major_bf16"> via <post>
// CHECK-SAME: outs(%[[C]] : tensor<130x8xbf16>) {ufp4.gemm = {layer = "w"}} -> tensor<130x8xbf16>
// CHECK: return %[[Y]]
func.func @single(%x: tensor<130x64xbf16>, %w: tensor<64x8xbf16>) -> tensor<130x8xbf16> {
  %a = ufp4.quantize %x along 1 : tensor<130x64xbf16> -> !ufp4.tensor<130x64, #rot, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<64x8xbf16> -> !ufp4.tensor<64x8, #rot, along = 0>
  %y = ufp4.matmul %a, %b {ufp4.gemm = {layer = "w"}} : !ufp4.tensor<130x64, #rot, along = 1>, !ufp4.tensor<64x8, #rot, along = 0> -> tensor<130x8xbf16>
  return %y : tensor<130x8xbf16>
}

// dY is read row-wise for dgrad and column-wise for wgrad, by draws of two streams; schemes differ.
// CHECK-LABEL: @dual(
// CHECK-SAME: %[[DY:.*]]: tensor<32x64xbf16>, %{{.*}}: tensor<48x64xbf16>, %{{.*}}: tensor<32x48xbf16>, %[[SEED:.*]]: i64, %[[STEP:.*]]: i32)
// CHECK: %[[D:.*]]:4 = ufp4.quantize_into ins(%[[DY]] : tensor<32x64xbf16>) seed(%[[SEED]], %[[SEED]]) step(%[[STEP]], %[[STEP]])
// CHECK-SAME: as [#ufp4.destination<!ufp4.tensor<32x64, #[[F]], along = 1>, "tile_major_bf16", stochastic, stream = 2>,
// CHECK-SAME: #ufp4.destination<!ufp4.tensor<32x64, #[[ROT]], along = 0>, "tile_major_bf16", stochastic, bits = 8, stream = 5>]
// CHECK: ufp4.block_gemm lhs(%[[D]]#0, %[[D]]#1 :
// CHECK: ufp4.block_gemm lhs({{.*}} rhs(%[[D]]#2, %[[D]]#3 :
func.func @dual(%dy: tensor<32x64xbf16>, %w: tensor<48x64xbf16>, %x: tensor<32x48xbf16>, %seed: i64, %step: i32) -> (tensor<32x48xf32>, tensor<48x64xf32>) {
  %a = ufp4.quantize %dy along 1 stochastic(%seed, %step) {stream = 2} : tensor<32x64xbf16> -> !ufp4.tensor<32x64, #f, along = 1>
  %b = ufp4.quantize %w along 1 : tensor<48x64xbf16> -> !ufp4.tensor<48x64, #f, along = 1>
  %dx = ufp4.matmul %a, %b : !ufp4.tensor<32x64, #f, along = 1>, !ufp4.tensor<48x64, #f, along = 1> -> tensor<32x48xf32>
  %c = ufp4.quantize %x along 0 : tensor<32x48xbf16> -> !ufp4.tensor<32x48, #rot, along = 0>
  %d = ufp4.quantize %dy along 0 stochastic(%seed, %step) {stream = 5, bits = 8} : tensor<32x64xbf16> -> !ufp4.tensor<32x64, #rot, along = 0>
  %dw = ufp4.matmul %c, %d : !ufp4.tensor<32x48, #rot, along = 0>, !ufp4.tensor<32x64, #rot, along = 0> -> tensor<48x64xf32>
  return %dx, %dw : tensor<32x48xf32>, tensor<48x64xf32>
}

// The second's seed is not there yet, but nothing reads the first before it is: both wait.
// CHECK-LABEL: @dual_waits(
// CHECK: ufp4.fold_in
// CHECK: ufp4.quantize_into {{.*}} along = 1>{{.*}} along = 0>
// CHECK-NOT: ufp4.quantize_into
// CHECK: return
func.func @dual_waits(%x: tensor<32x32xbf16>, %seed: i64, %step: i32) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<32x32xbf16> -> !ufp4.tensor<32x32, #f, along = 1>
  %folded = ufp4.fold_in %seed, %seed
  %b = ufp4.quantize %x along 0 stochastic(%folded, %step) {stream = 1} : tensor<32x32xbf16> -> !ufp4.tensor<32x32, #f, along = 0>
  %0 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %1 = ufp4.matmul %b, %b : !ufp4.tensor<32x32, #f, along = 0>, !ufp4.tensor<32x32, #f, along = 0> -> tensor<32x32xf32>
  return %0, %1 : tensor<32x32xf32>, tensor<32x32xf32>
}

// The second's seed comes after a reader of the first: two operations.
// CHECK-LABEL: @no_dual(
// CHECK: ufp4.quantize_into {{.*}} along = 1>, "tile_major_bf16">] ->
// CHECK: ufp4.block_gemm
// CHECK: ufp4.fold_in
// CHECK: ufp4.quantize_into {{.*}} along = 0>, "tile_major_bf16", stochastic, stream = 1>] ->
func.func @no_dual(%x: tensor<32x32xbf16>, %seed: i64, %step: i32) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<32x32xbf16> -> !ufp4.tensor<32x32, #f, along = 1>
  %0 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %folded = ufp4.fold_in %seed, %seed
  %b = ufp4.quantize %x along 0 stochastic(%folded, %step) {stream = 1} : tensor<32x32xbf16> -> !ufp4.tensor<32x32, #f, along = 0>
  %1 = ufp4.matmul %b, %b : !ufp4.tensor<32x32, #f, along = 0>, !ufp4.tensor<32x32, #f, along = 0> -> tensor<32x32xf32>
  return %0, %1 : tensor<32x32xf32>, tensor<32x32xf32>
}

// A third dimension has an operation of its own.
// CHECK-LABEL: @three_dimensions(
// CHECK: ufp4.quantize_into {{.*}} along = 2>, "tile_major_bf16", batch = 1>, {{.*}} along = 1>, "tile_major_bf16", batch = 1>]
// CHECK: ufp4.quantize_into {{.*}} along = 0>, "tile_major_bf16", batch = 1>] ->
func.func @three_dimensions(%x: tensor<16x16x16xf32>) -> (tensor<16x16x16xf32>, tensor<16x16x16xf32>, tensor<16x16x16xf32>) {
  %a = ufp4.quantize %x along 2 : tensor<16x16x16xf32> -> !ufp4.tensor<16x16x16, #f, along = 2>
  %b = ufp4.quantize %x along 1 : tensor<16x16x16xf32> -> !ufp4.tensor<16x16x16, #f, along = 1>
  %c = ufp4.quantize %x along 0 : tensor<16x16x16xf32> -> !ufp4.tensor<16x16x16, #f, along = 0>
  %0 = ufp4.matmul %a, %a batch = [0] x [0] : !ufp4.tensor<16x16x16, #f, along = 2>, !ufp4.tensor<16x16x16, #f, along = 2> -> tensor<16x16x16xf32>
  %1 = ufp4.matmul %b, %b batch = [0] x [0] : !ufp4.tensor<16x16x16, #f, along = 1>, !ufp4.tensor<16x16x16, #f, along = 1> -> tensor<16x16x16xf32>
  %2 = ufp4.matmul %c, %c batch = [1] x [1] : !ufp4.tensor<16x16x16, #f, along = 0>, !ufp4.tensor<16x16x16, #f, along = 0> -> tensor<16x16x16xf32>
  return %0, %1, %2 : tensor<16x16x16xf32>, tensor<16x16x16xf32>, tensor<16x16x16xf32>
}

// One value read with and without a batch lies in two forms.
// CHECK-LABEL: @batch(
// CHECK: %[[A:.*]]:2 = ufp4.quantize_into {{.*}} as [#ufp4.destination<!ufp4.tensor<2x130x32, #[[F]], along = 2>, "tile_major_bf16", batch = 1>] -> tensor<65536xi8>, tensor<8192xi8>
// CHECK: %[[R:.*]]:2 = ufp4.quantize_into {{.*}} as [#ufp4.destination<!ufp4.tensor<2x130x32, #[[F]], along = 2>, "tile_major_bf16">] -> tensor<49152xi8>, tensor<6144xi8>
// CHECK: ufp4.block_gemm lhs(%[[A]]#0,{{.*}} batch = 1> rhs({{.*}} batch = 1> via <post> outs(%{{.*}} : tensor<2x130x8xf32>)
// CHECK: ufp4.block_gemm lhs(%[[R]]#0,{{.*}} outs(%{{.*}} : tensor<2x130x8xf32>)
func.func @batch(%x: tensor<2x130x32xf32>, %w: tensor<2x32x8xf32>, %v: tensor<32x8xf32>) -> (tensor<2x130x8xf32>, tensor<2x130x8xf32>) {
  %a = ufp4.quantize %x along 2 : tensor<2x130x32xf32> -> !ufp4.tensor<2x130x32, #f, along = 2>
  %b = ufp4.quantize %w along 1 : tensor<2x32x8xf32> -> !ufp4.tensor<2x32x8, #f, along = 1>
  %c = ufp4.quantize %v along 0 : tensor<32x8xf32> -> !ufp4.tensor<32x8, #f, along = 0>
  %0 = ufp4.matmul %a, %b batch = [0] x [0] : !ufp4.tensor<2x130x32, #f, along = 2>, !ufp4.tensor<2x32x8, #f, along = 1> -> tensor<2x130x8xf32>
  %1 = ufp4.matmul %a, %c : !ufp4.tensor<2x130x32, #f, along = 2>, !ufp4.tensor<32x8, #f, along = 0> -> tensor<2x130x8xf32>
  return %0, %1 : tensor<2x130x8xf32>, tensor<2x130x8xf32>
}

// A maximum that was given is stored, another is found.
// CHECK-LABEL: @maxima(
// CHECK-SAME: %[[X:.*]]: tensor<32x32xf32>, %[[W:.*]]: tensor<32x32xf32>, %[[AMAX:.*]]: f32)
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%{{.*}} : tensor<f32>)
// CHECK: %[[MAX:.*]] = ufp4.amax_into ins(%[[X]] : tensor<32x32xf32>) along 1 of #[[TWO]] outs(%[[FILL]] : tensor<f32>)
// CHECK: %[[A:.*]]:3 = ufp4.quantize_into ins(%[[X]] : tensor<32x32xf32>) amax(%[[MAX]] : tensor<f32>) outs(%{{.*}} : tensor<16384xi8>, tensor<0xi8>, tensor<f32>)
// CHECK: %[[GIVEN:.*]] = tensor.from_elements %[[AMAX]] : tensor<f32>
// CHECK: %[[B:.*]]:3 = ufp4.quantize_into ins(%[[W]] : tensor<32x32xf32>) amax(%[[GIVEN]] : tensor<f32>)
// CHECK: ufp4.block_gemm lhs(%[[A]]#0, %[[A]]#1, %[[A]]#2 : {{.*}} rhs(%[[B]]#0, %[[B]]#1, %[[B]]#2 :
// NATIVE-LABEL: @maxima(
// NATIVE: ufp4.quantize_into {{.*}} along = 1>, "tile_major_4bit">]
// NATIVE: ufp4.block_gemm {{.*}} via <native>
func.func @maxima(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>, %amax: f32) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #two, along = 1>
  %b = ufp4.quantize %w along 0 amax(%amax) : tensor<32x32xf32> -> !ufp4.tensor<32x32, #two, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<32x32, #two, along = 1>, !ufp4.tensor<32x32, #two, along = 0> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// A stream that is a value.
// CHECK-LABEL: @stream(
// CHECK: ufp4.quantize_into ins({{.*}}) seed(%{{.*}}) step(%{{.*}}) stream(%{{[^)]*}}) outs
// CHECK-SAME: stochastic, stream = dynamic>]
func.func @stream(%x: tensor<32x32xf32>, %seed: i64, %step: i32, %stream: i32) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 stochastic(%seed, %step, %stream) : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// Rows that are not known: ⌈R / 128⌉ tiles of 16384 bytes.
// CHECK-LABEL: @dynamic(
// CHECK-SAME: %[[X:.*]]: tensor<?x32xf32>
// CHECK: %[[R:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?x32xf32>
// CHECK: %[[TILES:.*]] = arith.ceildivui %[[R]], %{{.*}} : index
// CHECK: %[[BYTES:.*]] = arith.muli %[[TILES]], %{{.*}} : index
// CHECK: tensor.empty(%[[BYTES]]) : tensor<?xi8>
// CHECK: ufp4.quantize_into {{.*}} -> tensor<?xi8>, tensor<?xi8>
// CHECK: %[[M:.*]] = tensor.dim %[[X]]
// CHECK: %[[C:.*]] = tensor.empty(%[[M]]) : tensor<?x8xf32>
// CHECK: ufp4.block_gemm {{.*}} outs(%[[C]] : tensor<?x8xf32>)
func.func @dynamic(%x: tensor<?x32xf32>, %w: tensor<32x8xf32>) -> tensor<?x8xf32> {
  %a = ufp4.quantize %x along 1 : tensor<?x32xf32> -> !ufp4.tensor<?x32, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<32x8xf32> -> !ufp4.tensor<32x8, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<?x32, #f, along = 1>, !ufp4.tensor<32x8, #f, along = 0> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// A vector is a matrix of one row.
// CHECK-LABEL: @vector(
// CHECK: ufp4.block_gemm {{.*}} as <!ufp4.tensor<32, #[[F]], along = 0>, "tile_major_bf16"> {{.*}} outs(%{{.*}} : tensor<8xf32>)
func.func @vector(%x: tensor<32xf32>, %w: tensor<32x8xf32>) -> tensor<8xf32> {
  %a = ufp4.quantize %x along 0 : tensor<32xf32> -> !ufp4.tensor<32, #f, along = 0>
  %b = ufp4.quantize %w along 0 : tensor<32x8xf32> -> !ufp4.tensor<32x8, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<32, #f, along = 0>, !ufp4.tensor<32x8, #f, along = 0> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Code 7 is bf16 7.0 = 0x40E0; scale 1.0 = 0x3F800000; the rest of the tile is zero.
// CHECK-LABEL: @constant(
// CHECK-DAG: %[[CODES:.*]] = arith.constant dense<"0xE040E040{{(E040)+(00)+}}"> : tensor<16384xi8>
// CHECK-DAG: %[[SCALES:.*]] = arith.constant dense<"0x0000803F{{(00)+}}"> : tensor<2048xi8>
// CHECK: ufp4.block_gemm {{.*}} rhs(%[[CODES]], %[[SCALES]] :
// CHECK-NOT: ufp4.constant
// CHECK: return
func.func @constant(%x: tensor<8x16xf32>) -> tensor<8x1xf32> {
  %a = ufp4.quantize %x along 1 : tensor<8x16xf32> -> !ufp4.tensor<8x16, #f, along = 1>
  %b = ufp4.constant <codes = dense<7> : tensor<1x16xi8>, scales = dense<1.0> : tensor<1x1xf32>> : !ufp4.tensor<1x16, #f, along = 1>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<8x16, #f, along = 1>, !ufp4.tensor<1x16, #f, along = 1> -> tensor<8x1xf32>
  return %y : tensor<8x1xf32>
}

// Who reads the value has a quantize on the value level.
// CHECK-LABEL: @readers(
// CHECK: ufp4.quantize_into
// CHECK: %[[Q:.*]] = ufp4.quantize %
// CHECK: ufp4.block_gemm
// CHECK: ufp4.dequantize %[[Q]]
func.func @readers(%x: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %z = ufp4.dequantize %a : !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  return %y, %z : tensor<32x32xf32>, tensor<32x32xf32>
}

// CHECK-LABEL: @accumulate(
// CHECK-SAME: %[[C0:[a-z0-9]*]]: tensor<32x32xf32>)
// CHECK: %[[Y:.*]] = ufp4.block_gemm {{.*}} outs(%[[C0]] : tensor<32x32xf32>) accumulate -> tensor<32x32xf32>
// CHECK: return %[[Y]]
func.func @accumulate(%x: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %y = ufp4.matmul %a, %a accumulate(%c : tensor<32x32xf32>) : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// The sum is f32 (G3), rounded once.
// CHECK-LABEL: @accumulate_rounded(
// CHECK: %[[Y:.*]] = ufp4.block_gemm {{.*}} accumulate -> tensor<32x32xf32>
// CHECK: %[[Z:.*]] = arith.truncf %[[Y]] : tensor<32x32xf32> to tensor<32x32xbf16>
// CHECK: return %[[Z]]
func.func @accumulate_rounded(%x: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xbf16> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %y = ufp4.matmul %a, %a accumulate(%c : tensor<32x32xf32>) : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xbf16>
  return %y : tensor<32x32xbf16>
}

// CHECK-LABEL: @add(
// CHECK-SAME: %[[C0:[a-z0-9]*]]: tensor<32x32xf32>)
// CHECK-NOT: arith.addf
// CHECK: ufp4.block_gemm {{.*}} outs(%[[C0]] : tensor<32x32xf32>) accumulate
// CHECK-NOT: arith.addf
// CHECK: return
func.func @add(%x: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %y = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %z = arith.addf %c, %y : tensor<32x32xf32>
  return %z : tensor<32x32xf32>
}

// CHECK-LABEL: @bias(
// CHECK-SAME: %[[BIAS:[a-z0-9]*]]: tensor<8xf32>)
// CHECK: ufp4.block_gemm {{.*}} bias(%[[BIAS]] : tensor<8xf32>) outs(%{{[^:]*}} : tensor<32x8xf32>) -> tensor<32x8xf32>
// CHECK-NOT: arith.addf
// CHECK: return
func.func @bias(%x: tensor<32x32xf32>, %w: tensor<32x8xf32>, %bias: tensor<8xf32>) -> tensor<32x8xf32> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<32x8xf32> -> !ufp4.tensor<32x8, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x8, #f, along = 0> -> tensor<32x8xf32>
  %empty = tensor.empty() : tensor<32x8xf32>
  %rows = linalg.broadcast ins(%bias : tensor<8xf32>) outs(%empty : tensor<32x8xf32>) dimensions = [0]
  %z = arith.addf %y, %rows : tensor<32x8xf32>
  return %z : tensor<32x8xf32>
}

#id = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>
// The forms that models have: a row is added, the sum rounded.
// CHECK-LABEL: @bias_rounded(
// CHECK-SAME: %[[BIAS:[a-z0-9]*]]: tensor<8xf32>)
// CHECK: %[[Y:.*]] = ufp4.block_gemm {{.*}} bias(%[[BIAS]] : tensor<8xf32>) outs(%{{[^:]*}} : tensor<32x8xbf16>) -> tensor<32x8xbf16>
// CHECK-NOT: linalg.generic
// CHECK: return %[[Y]]
func.func @bias_rounded(%x: tensor<32x32xf32>, %w: tensor<32x8xf32>, %bias: tensor<8xf32>) -> tensor<32x8xbf16> {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %b = ufp4.quantize %w along 0 : tensor<32x8xf32> -> !ufp4.tensor<32x8, #f, along = 0>
  %y = ufp4.matmul %a, %b : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x8, #f, along = 0> -> tensor<32x8xf32>
  %empty = tensor.empty() : tensor<32x8xf32>
  %z = linalg.generic {indexing_maps = [#last, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias, %y : tensor<8xf32>, tensor<32x8xf32>) outs(%empty : tensor<32x8xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %sum = arith.addf %u, %v : f32
    linalg.yield %sum : f32
  } -> tensor<32x8xf32>
  %narrow = tensor.empty() : tensor<32x8xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<32x8xf32>) outs(%narrow : tensor<32x8xbf16>) {
  ^bb0(%u: f32, %out: bf16):
    %t = arith.truncf %u : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x8xbf16>
  return %r : tensor<32x8xbf16>
}

// A sum is rounded after it; f16, a transpose, what is added twice and other bodies stay.
// CHECK-LABEL: @generics_that_stay(
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<32x32xf32>) accumulate
// CHECK: arith.truncf
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<32x32xf32>) ->
// CHECK: arith.truncf
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<32x32xf32>) ->
// CHECK: linalg.generic
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<32x32xf32>) ->
// CHECK: linalg.generic
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<32x32xf32>) ->
// CHECK: arith.subf
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @generics_that_stay(%x: tensor<32x32xf32>, %c: tensor<32x32xf32>) -> (tensor<32x32xbf16>, tensor<32x32xf16>, tensor<32x32xbf16>, tensor<32x32xf32>, tensor<32x32xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<32x32xf32> -> !ufp4.tensor<32x32, #f, along = 1>
  %0 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %1 = arith.addf %0, %c : tensor<32x32xf32>
  %2 = arith.truncf %1 : tensor<32x32xf32> to tensor<32x32xbf16>
  %3 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %4 = arith.truncf %3 : tensor<32x32xf32> to tensor<32x32xf16>
  %5 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %narrow = tensor.empty() : tensor<32x32xbf16>
  %6 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%5 : tensor<32x32xf32>) outs(%narrow : tensor<32x32xbf16>) {
  ^bb0(%u: f32, %out: bf16):
    %t = arith.truncf %u : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<32x32xbf16>
  %7 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %wide = tensor.empty() : tensor<32x32xf32>
  %8 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%7, %c : tensor<32x32xf32>, tensor<32x32xf32>) outs(%wide : tensor<32x32xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %sum = arith.addf %u, %u : f32
    linalg.yield %sum : f32
  } -> tensor<32x32xf32>
  %9 = ufp4.matmul %a, %a : !ufp4.tensor<32x32, #f, along = 1>, !ufp4.tensor<32x32, #f, along = 1> -> tensor<32x32xf32>
  %10 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%9, %c : tensor<32x32xf32>, tensor<32x32xf32>) outs(%wide : tensor<32x32xf32>) {
  ^bb0(%u: f32, %v: f32, %out: f32):
    %sum = arith.subf %u, %v : f32
    linalg.yield %sum : f32
  } -> tensor<32x32xf32>
  return %2, %4, %6, %8, %10 : tensor<32x32xbf16>, tensor<32x32xf16>, tensor<32x32xbf16>, tensor<32x32xf32>, tensor<32x32xf32>
}

// A column is no bias; a product with two readers, a bf16 sum and an add in a loop stay.
// CHECK-LABEL: @adds_that_stay(
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<8x8xf32>) accumulate
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<8x8xf32>) ->
// CHECK: arith.addf
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<8x8xbf16>) ->
// CHECK: arith.addf
// CHECK: ufp4.block_gemm {{.*}} outs(%{{[^:]*}} : tensor<8x8xf32>) ->
// CHECK: scf.for
// CHECK: arith.addf
func.func @adds_that_stay(%x: tensor<8x32xf32>, %c: tensor<8x8xf32>, %d: tensor<8x8xbf16>, %column: tensor<8xf32>, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xf32>) {
  %a = ufp4.quantize %x along 1 : tensor<8x32xf32> -> !ufp4.tensor<8x32, #f, along = 1>
  %empty = tensor.empty() : tensor<8x8xf32>
  %columns = linalg.broadcast ins(%column : tensor<8xf32>) outs(%empty : tensor<8x8xf32>) dimensions = [1]
  %0 = ufp4.matmul %a, %a : !ufp4.tensor<8x32, #f, along = 1>, !ufp4.tensor<8x32, #f, along = 1> -> tensor<8x8xf32>
  %1 = arith.addf %0, %columns : tensor<8x8xf32>
  %2 = ufp4.matmul %a, %a : !ufp4.tensor<8x32, #f, along = 1>, !ufp4.tensor<8x32, #f, along = 1> -> tensor<8x8xf32>
  %3 = arith.addf %2, %c : tensor<8x8xf32>
  %4 = ufp4.matmul %a, %a : !ufp4.tensor<8x32, #f, along = 1>, !ufp4.tensor<8x32, #f, along = 1> -> tensor<8x8xbf16>
  %5 = arith.addf %4, %d : tensor<8x8xbf16>
  %6 = ufp4.matmul %a, %a : !ufp4.tensor<8x32, #f, along = 1>, !ufp4.tensor<8x32, #f, along = 1> -> tensor<8x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %7 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %c) -> tensor<8x8xf32> {
    %8 = arith.addf %6, %sum : tensor<8x8xf32>
    scf.yield %8 : tensor<8x8xf32>
  }
  return %1, %2, %3, %5, %7 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xf32>
}
