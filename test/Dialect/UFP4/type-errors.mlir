// What the type refuses: V6 and V7, and spellings that are none.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V6
// expected-error @below {{along = 2 is not a dimension of a tensor of rank 2}}
func.func private @v6_along(!ufp4.tensor<4x16, #s, along = 2>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V6
// expected-error @below {{along = -1 is not a dimension of a tensor of rank 2}}
func.func private @v6_along_negative(!ufp4.tensor<4x16, #s, along = -1>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V6
// expected-error @below {{along = 0 is not a dimension of a tensor of rank 0}}
func.func private @v6_rank_0(!ufp4.tensor<, #s, along = 0>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V6
// expected-error @below {{the dimension that is quantized along (1) must be static, found ?}}
func.func private @v6_dynamic_k(!ufp4.tensor<4x?, #s, along = 1>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V6: 2^63 - 1 would be padded to 2^63.
// expected-error @below {{a quantized tensor has less than 2^63 codes, padding included}}
func.func private @v6_padded_k_overflows(!ufp4.tensor<9223372036854775807, #s, along = 0>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V6
// expected-error @below {{a quantized tensor has less than 2^63 codes, padding included}}
func.func private @v6_codes_overflow(!ufp4.tensor<4294967296x?x2147483648x1, #s, along = 3>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// expected-error @below {{integer value too large}}
func.func private @along_overflows(!ufp4.tensor<4x16, #s, along = 9223372036854775808>)

// -----

// V7
#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// expected-error @below {{2-D blocks need a view [R, K] or [G, R, K], found rank 1}}
func.func private @v7_rank_1(!ufp4.tensor<16, #s, along = 0>)

// -----

// V7
#s = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32>
// expected-error @below {{2-D blocks need a view [R, K] or [G, R, K], found rank 4}}
func.func private @v7_rank_4(!ufp4.tensor<1x1x16x16, #s, along = 3>)

// -----

// expected-error @below {{expected a #ufp4.scheme attribute}}
func.func private @no_scheme(!ufp4.tensor<4x16, 4 : i32, along = 1>)

// -----

// expected-error @below {{expected a #ufp4.scheme attribute}}
func.func private @rotation_for_scheme(!ufp4.tensor<4x16, #ufp4.rotation<size = 16, signs = 0>, along = 1>)

// -----

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>
// expected-error @below {{expected 'along'}}
func.func private @no_along(!ufp4.tensor<4x16, #s, 1>)
