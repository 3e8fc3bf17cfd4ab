// What cannot be gathered: V55. Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text
// changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v55_rank(%x: tensor<2x64x32xbf16>, %rows: tensor<128xi32>) {
  // expected-error @below {{gathers rows of a tensor of rank 2, found 'tensor<2x64x32xbf16>'}}
  %q = ufp4.quantize %x rows(%rows : tensor<128xi32>) along 2 : tensor<2x64x32xbf16> -> !ufp4.tensor<2x64x32, #s, along = 2>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v55_dynamic(%x: tensor<?x32xbf16>, %rows: tensor<128xi32>) {
  // expected-error @below {{gathers from a static number of rows, one at least, found 'tensor<?x32xbf16>'}}
  %q = ufp4.quantize %x rows(%rows : tensor<128xi32>) along 1 : tensor<?x32xbf16> -> !ufp4.tensor<128x32, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v55_no_rows(%x: tensor<0x32xbf16>, %rows: tensor<128xi32>) -> f32 {
  // expected-error @below {{gathers from a static number of rows, one at least, found 'tensor<0x32xbf16>'}}
  %a = ufp4.amax %x rows(%rows : tensor<128xi32>) along 1 of #s : tensor<0x32xbf16>
  return %a : f32
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v8_gathered(%x: tensor<64x32xbf16>, %rows: tensor<128xi32>) {
  // expected-error @below {{the input of type 'tensor<128x32xbf16>' does not have the shape of '!ufp4.tensor<64x32}}
  %q = ufp4.quantize %x rows(%rows : tensor<128xi32>) along 1 : tensor<64x32xbf16> -> !ufp4.tensor<64x32, #s, along = 1>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v9_gathered(%x: tensor<64x32xbf16>, %rows: tensor<?xi32>) -> f32 {
  // expected-error @below {{needs a static extent along 0, found 'tensor<?x32xbf16>'}}
  %a = ufp4.amax %x rows(%rows : tensor<?xi32>) along 0 of #s : tensor<64x32xbf16>
  return %a : f32
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v55_of_into(%x: memref<2x64x32xbf16>, %rows: memref<128xi32>, %c: memref<2048xi8>, %p: memref<1024xi8>) {
  // expected-error @below {{gathers rows of a tensor of rank 2, found 'memref<2x64x32xbf16>'}}
  ufp4.quantize_into ins(%x : memref<2x64x32xbf16>) rows(%rows : memref<128xi32>) outs(%c, %p : memref<2048xi8>, memref<1024xi8>)
    as [#ufp4.destination<!ufp4.tensor<2x64x32, #s, along = 2>, "natural">]
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v55_of_amax(%x: memref<64xbf16>, %rows: memref<128xi32>, %a: memref<f32>) {
  // expected-error @below {{gathers rows of a tensor of rank 2, found 'memref<64xbf16>'}}
  ufp4.amax_into ins(%x : memref<64xbf16>) rows(%rows : memref<128xi32>) along 0 of #s outs(%a : memref<f32>)
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v35_of_amax(%x: memref<64x32xbf16>, %rows: memref<128xi32>, %a: memref<f32>) {
  // expected-error @below {{needs one input, found 2}}
  "ufp4.amax_into"(%x, %x, %rows, %a) <{along = 1 : i64, scheme = #s, operandSegmentSizes = array<i32: 2, 1, 0, 1>}>
    : (memref<64x32xbf16>, memref<64x32xbf16>, memref<128xi32>, memref<f32>) -> ()
  return
}
