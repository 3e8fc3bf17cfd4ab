// RUN: ufp4-opt %s --ufp4-annotate-roles --split-input-file | FileCheck %s

// Steps whose GEMMs share values in ways that once led the analysis astray.

// Microbatches cut from one batch: the slices are different values.
// CHECK-LABEL: func.func @main(
// CHECK: role = "fprop"
// CHECK: role = "wgrad"
// CHECK: role = "fprop"
// CHECK: role = "wgrad"
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name="w"}, %t: tensor<16x32xbf16>) -> tensor<32x32xbf16> {
  %x0 = tensor.extract_slice %x[0,0][8,32][1,1] : tensor<16x32xbf16> to tensor<8x32xbf16>
  %t0 = tensor.extract_slice %t[0,0][8,32][1,1] : tensor<16x32xbf16> to tensor<8x32xbf16>
  %zy0 = arith.constant dense<0.0> : tensor<8x32xbf16>
  %y0 = linalg.matmul ins(%x0, %w : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%zy0 : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  %d0e = tensor.empty() : tensor<8x32xbf16>
  %d0 = linalg.sub ins(%y0, %t0 : tensor<8x32xbf16>, tensor<8x32xbf16>) outs(%d0e : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  %zg0 = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g0 = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x0, %d0 : tensor<8x32xbf16>, tensor<8x32xbf16>) outs(%zg0 : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %x1 = tensor.extract_slice %x[8,0][8,32][1,1] : tensor<16x32xbf16> to tensor<8x32xbf16>
  %t1 = tensor.extract_slice %t[8,0][8,32][1,1] : tensor<16x32xbf16> to tensor<8x32xbf16>
  %zy1 = arith.constant dense<0.0> : tensor<8x32xbf16>
  %y1 = linalg.matmul ins(%x1, %w : tensor<8x32xbf16>, tensor<32x32xbf16>) outs(%zy1 : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  %d1e = tensor.empty() : tensor<8x32xbf16>
  %d1 = linalg.sub ins(%y1, %t1 : tensor<8x32xbf16>, tensor<8x32xbf16>) outs(%d1e : tensor<8x32xbf16>) -> tensor<8x32xbf16>
  %zg1 = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g1 = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x1, %d1 : tensor<8x32xbf16>, tensor<8x32xbf16>) outs(%zg1 : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %ge = tensor.empty() : tensor<32x32xbf16>
  %g = linalg.add ins(%g0, %g1 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%ge : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %g : tensor<32x32xbf16>
}

// -----

// Two slices of one packed parameter on one input: each has its own gradient.
// CHECK-LABEL: func.func @main(
// CHECK: role = "fprop"
// CHECK: role = "wgrad"
// CHECK: role = "fprop"
// CHECK: role = "wgrad"
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x64xbf16> {ufp4.name="wkv"}, %t: tensor<16x32xbf16>) -> tensor<32x64xbf16> {
  %w0 = tensor.extract_slice %w[0,0][32,32][1,1] : tensor<32x64xbf16> to tensor<32x32xbf16>
  %zy0 = arith.constant dense<0.0> : tensor<16x32xbf16>
  %y0 = linalg.matmul ins(%x, %w0 : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zy0 : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %d0e = tensor.empty() : tensor<16x32xbf16>
  %d0 = linalg.sub ins(%y0, %t : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%d0e : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zg0 = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g0 = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x, %d0 : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%zg0 : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %w1 = tensor.extract_slice %w[0,32][32,32][1,1] : tensor<32x64xbf16> to tensor<32x32xbf16>
  %zy1 = arith.constant dense<0.0> : tensor<16x32xbf16>
  %y1 = linalg.matmul ins(%x, %w1 : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zy1 : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %d1e = tensor.empty() : tensor<16x32xbf16>
  %d1 = linalg.sub ins(%y1, %t : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%d1e : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zg1 = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g1 = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x, %d1 : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%zg1 : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %g = tensor.concat dim(1) %g0, %g1 : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x64xbf16>
  return %g : tensor<32x64xbf16>
}

// -----

// A frozen reference on the same input: the update tells which parameter learns.
// CHECK-LABEL: func.func @main(
// CHECK: role = "fprop"
// CHECK: role = "none"
// CHECK: role = "wgrad"
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name="student"}, %t: tensor<32x32xbf16> {ufp4.name="teacher"}) -> tensor<32x32xbf16> {
  %zy = arith.constant dense<0.0> : tensor<16x32xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zy : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zu = arith.constant dense<0.0> : tensor<16x32xbf16>
  %u = linalg.matmul ins(%x, %t : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zu : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %de = tensor.empty() : tensor<16x32xbf16>
  %d = linalg.sub ins(%y, %u : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%de : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zg = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x, %d : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%zg : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %ne = tensor.empty() : tensor<32x32xbf16>
  %n = linalg.sub ins(%w, %g : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%ne : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %n : tensor<32x32xbf16>
}

// -----

// dy is a constant: what pairs x with the parameter is the fprop all the same.
// CHECK-LABEL: func.func @main(
// CHECK: role = "fprop"
// CHECK: role = "wgrad"
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name="w"}) -> (tensor<16x32xbf16>, tensor<32x32xbf16>) {
  %o = arith.constant dense<1.0> : tensor<16x32xbf16>
  %zy = arith.constant dense<0.0> : tensor<16x32xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zy : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zg = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x, %o : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%zg : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %y, %g : tensor<16x32xbf16>, tensor<32x32xbf16>
}

// -----

// One parameter in two layers, of which the first has no dgrad.
// CHECK-LABEL: func.func @main(
// CHECK: role = "fprop"
// CHECK: role = "fprop"
// CHECK: role = "wgrad"
// CHECK: role = "dgrad"
// CHECK: role = "wgrad"
func.func @main(%x: tensor<16x32xbf16>, %w: tensor<32x32xbf16> {ufp4.name="w"}, %t: tensor<16x32xbf16>) -> tensor<32x32xbf16> {
  %zy = arith.constant dense<0.0> : tensor<16x32xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zy : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %he = tensor.empty() : tensor<16x32xbf16>
  %h = linalg.tanh ins(%y : tensor<16x32xbf16>) outs(%he : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zv = arith.constant dense<0.0> : tensor<16x32xbf16>
  %v = linalg.matmul ins(%h, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zv : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %de = tensor.empty() : tensor<16x32xbf16>
  %d = linalg.sub ins(%v, %t : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%de : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zg2 = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g2 = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%h, %d : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%zg2 : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %zdx = arith.constant dense<0.0> : tensor<16x32xbf16>
  %dx = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(m,k)>,affine_map<(m,n,k)->(n,k)>,affine_map<(m,n,k)->(m,n)>] ins(%d, %w : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%zdx : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %pe = tensor.empty() : tensor<16x32xbf16>
  %p = linalg.mul ins(%dx, %y : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%pe : tensor<16x32xbf16>) -> tensor<16x32xbf16>
  %zg1 = arith.constant dense<0.0> : tensor<32x32xbf16>
  %g1 = linalg.matmul indexing_maps=[affine_map<(m,n,k)->(k,m)>,affine_map<(m,n,k)->(k,n)>,affine_map<(m,n,k)->(m,n)>] ins(%x, %p : tensor<16x32xbf16>, tensor<16x32xbf16>) outs(%zg1 : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %ge = tensor.empty() : tensor<32x32xbf16>
  %g = linalg.add ins(%g1, %g2 : tensor<32x32xbf16>, tensor<32x32xbf16>) outs(%ge : tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %g : tensor<32x32xbf16>
}

