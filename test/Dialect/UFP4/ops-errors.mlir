// What dequantize, constant, unpack, rotate and amax refuse: V8 to V10, V16 to V18 and V29.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v8_dequantize(%q: !ufp4.tensor<4x16, #s, along = 1>) {
  // V8
  // expected-error @below {{the result of type 'tensor<16x4xf32>' does not have the shape of '!ufp4.tensor<4x16, #ufp4.scheme<e1m2, block = 16, scale = f32>, along = 1>'}}
  %0 = ufp4.dequantize %q : !ufp4.tensor<4x16, #s, along = 1> -> tensor<16x4xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 32, signs = 0>>
func.func @v16_padded_run(%q: !ufp4.tensor<4x48, #s, along = 1>) {
  // V16
  // expected-error @below {{needs K a multiple of the rotation's size 32, found 48}}
  %0 = ufp4.dequantize %q : !ufp4.tensor<4x48, #s, along = 1> -> tensor<4x48xf32>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V17: K is padded.
// expected-error @below {{needs codes of type 'tensor<1x32xi8>', found 'tensor<1x20xi8>'}}
%v17_codes = ufp4.constant <codes = dense<0> : tensor<1x20xi8>, scales = dense<1.0> : tensor<1x2xf32>>
               : !ufp4.tensor<1x20, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V17: K is last.
// expected-error @below {{needs codes of type 'tensor<4x16xi8>', found 'tensor<16x4xi8>'}}
%v17_view = ufp4.constant <codes = dense<0> : tensor<16x4xi8>, scales = dense<1.0> : tensor<4x1xf32>>
              : !ufp4.tensor<16x4, #s, along = 0>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V17
// expected-error @below {{needs codes of type 'tensor<?x16xi8>', found 'tensor<4x16xi8>'}}
%v17_dynamic = ufp4.constant <codes = dense<0> : tensor<4x16xi8>, scales = dense<1.0> : tensor<4x1xf32>>
                 : !ufp4.tensor<?x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// V17: rows share scales in 2-D blocks.
// expected-error @below {{needs scales of type 'tensor<2x1xf32>', found 'tensor<17x1xf32>'}}
%v17_rows = ufp4.constant <codes = dense<0> : tensor<17x16xi8>, scales = dense<1.0> : tensor<17x1xf32>>
              : !ufp4.tensor<17x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue8m0>
// V17
// expected-error @below {{needs scales of type 'tensor<1x1xi8>', found 'tensor<1x1xf32>'}}
%v17_scales = ufp4.constant <codes = dense<0> : tensor<1x16xi8>, scales = dense<1.0> : tensor<1x1xf32>>
                : !ufp4.tensor<1x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
// V17
// expected-error @below {{a global scale belongs to ue4m3 scales and only to them}}
%v17_global_missing = ufp4.constant <codes = dense<0> : tensor<1x16xi8>, scales = dense<0> : tensor<1x1xi8>>
                        : !ufp4.tensor<1x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue8m0>
// V17
// expected-error @below {{a global scale belongs to ue4m3 scales and only to them}}
%v17_global = ufp4.constant <codes = dense<0> : tensor<1x16xi8>, scales = dense<0> : tensor<1x1xi8>, global = 1.0 : f32>
                : !ufp4.tensor<1x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
// V17
// expected-error @below {{needs a global scale of type 'f32', found 'f64'}}
%v17_global_type = ufp4.constant <codes = dense<0> : tensor<1x16xi8>, scales = dense<0> : tensor<1x1xi8>, global = 1.0 : f64>
                     : !ufp4.tensor<1x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V17: there is no -8 in two's complement either.
// expected-error @below {{a code is 0 to 15, found 248}}
%v17_code = ufp4.constant <codes = dense<-8> : tensor<1x16xi8>, scales = dense<1.0> : tensor<1x1xf32>>
              : !ufp4.tensor<1x16, #s, along = 1>

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// expected-error @below {{requires attribute 'value'}}
%no_value = "ufp4.constant"() : () -> !ufp4.tensor<1x16, #s, along = 1>

// -----

func.func @v9_rotate_along(%x: tensor<4x16xf32>) {
  // V9
  // expected-error @below {{along 2 is not a dimension of 'tensor<4x16xf32>'}}
  %0 = ufp4.rotate %x along 2 by <size = 16, signs = 0> : tensor<4x16xf32> -> tensor<4x16xf32>
  return
}

// -----

func.func @v9_rotate_rank_0(%x: tensor<f32>) {
  // V9
  // expected-error @below {{along 0 is not a dimension of 'tensor<f32>'}}
  %0 = ufp4.rotate %x along 0 by <size = 16, signs = 0> : tensor<f32> -> tensor<f32>
  return
}

// -----

func.func @v9_amax_negative(%x: tensor<4x16xf32>) {
  // V9
  // expected-error @below {{along -1 is not a dimension of 'tensor<4x16xf32>'}}
  %0 = ufp4.amax %x along -1 of <e1m2, block = 16, scale = ue4m3> : tensor<4x16xf32>
  return
}

// -----

func.func @v9_amax_dynamic(%x: tensor<?x16xf32>) {
  // V9
  // expected-error @below {{needs a static extent along 0, found 'tensor<?x16xf32>'}}
  %0 = ufp4.amax %x along 0 of <e1m2, block = 16, scale = ue4m3> : tensor<?x16xf32>
  return
}

// -----

func.func @v10_rotate(%x: tensor<4x16xf16>) {
  // V10
  // expected-error @below {{evaluation = mma needs a bf16 input, found 'f16'}}
  %0 = ufp4.rotate %x along 1 by <size = 16, signs = 0, evaluation = mma> : tensor<4x16xf16> -> tensor<4x16xf32>
  return
}

// -----

func.func @v10_amax(%x: tensor<4x16xf32>) {
  // V10
  // expected-error @below {{evaluation = mma needs a bf16 input, found 'f32'}}
  %0 = ufp4.amax %x along 1 of <e1m2, block = 16, scale = ue4m3, rotation = <size = 16, signs = 0, evaluation = mma>> : tensor<4x16xf32>
  return
}

// -----

func.func @v18_not_padded(%x: tensor<4x20xbf16>) {
  // V18
  // expected-error @below {{needs a result of type 'tensor<4x32xf32>', found 'tensor<4x20xf32>'}}
  %0 = ufp4.rotate %x along 1 by <size = 16, signs = 0> : tensor<4x20xbf16> -> tensor<4x20xf32>
  return
}

// -----

func.func @v18_too_large(%x: tensor<9223372036854775807xbf16>) {
  // V18
  // expected-error @below {{an extent of 9223372036854775807 is too large to be padded}}
  %0 = ufp4.rotate %x along 0 by <size = 16, signs = 0> : tensor<9223372036854775807xbf16> -> tensor<?xf32>
  return
}

// -----

func.func @missing_attributes(%x: tensor<4x16xf32>) {
  // expected-error @below {{requires attribute 'along'}}
  %0 = "ufp4.amax"(%x) : (tensor<4x16xf32>) -> f32
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>
func.func @v29_no_global(%q: !ufp4.tensor<4x16, #s, along = 1>) {
  // V29
  // expected-error @below {{needs results of types 'tensor<4x16xi8>', 'tensor<4x1xi8>', 'tensor<f32>', found 'tensor<4x16xi8>', 'tensor<4x1xi8>'}}
  %0:2 = ufp4.unpack %q : !ufp4.tensor<4x16, #s, along = 1> -> tensor<4x16xi8>, tensor<4x1xi8>
  return
}

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
func.func @v29_natural_order(%q: !ufp4.tensor<16x4, #s, along = 0>) {
  // V29
  // expected-error @below {{needs results of types 'tensor<4x16xi8>', 'tensor<4x1xf32>', found 'tensor<16x4xi8>', 'tensor<1x4xf32>'}}
  %0:2 = ufp4.unpack %q : !ufp4.tensor<16x4, #s, along = 0> -> tensor<16x4xi8>, tensor<1x4xf32>
  return
}
