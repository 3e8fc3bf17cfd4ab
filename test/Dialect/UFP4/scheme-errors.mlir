// What the attributes refuse: V1 to V5, and spellings that are none.
// Breaks if a rule of docs/spec.md, "Verifier rules", is lost or its text changes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

// V1
// expected-error @below {{a rotation's size is 16, 32, 64 or 128, found 24}}
func.func private @v1_rotation_size() attributes {a = #ufp4.rotation<size = 24, signs = 0>}

// -----

// V1
// expected-error @below {{a rotation's size is 16, 32, 64 or 128, found 0}}
func.func private @v1_rotation_zero() attributes {a = #ufp4.rotation<size = 0, signs = 0>}

// -----

// V1: no mask of this many bits is made before the size is judged.
// expected-error @below {{a rotation's size is 16, 32, 64 or 128, found 4294967295}}
func.func private @v1_rotation_huge() attributes {a = #ufp4.rotation<size = 4294967295, signs = 0>}

// -----

// V1
// expected-error @below {{the mask has 20 bits, but the rotation's size is 16}}
func.func private @v1_mask_too_wide() attributes {a = #ufp4.rotation<size = 16, signs = 0xD7E81>}

// -----

// V1
// expected-error @below {{the mask has 129 bits, but the rotation's size is 128}}
func.func private @v1_mask_of_129_bits() attributes {a = #ufp4.rotation<size = 128, signs = 0x1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF>}

// -----

// V1: a mask is a set of bits, not a number with a sign.
// expected-error @below {{expected an integer mask of 16 bits}}
func.func private @v1_mask_negative() attributes {a = #ufp4.rotation<size = 16, signs = -1>}

// -----

// expected-error @below {{expected an integer mask of 32 bits}}
func.func private @mask_missing() attributes {a = #ufp4.rotation<size = 32, signs = none>}

// -----

// V2
// expected-error @below {{evaluation = mma needs a rotation of at most 32, found 64}}
func.func private @v2_mma_of_64() attributes {a = #ufp4.rotation<size = 64, signs = 0, evaluation = mma>}

// -----

// expected-error @below {{unknown evaluation 'matrix': expected butterfly or mma}}
func.func private @evaluation_unknown() attributes {a = #ufp4.rotation<size = 16, signs = 0, evaluation = matrix>}

// -----

// V3
// expected-error @below {{the block size is 64, expected 16 or 32}}
func.func private @v3_block() attributes {a = #ufp4.scheme<e1m2, block = 64, scale = f32>}

// -----

// V3
// expected-error @below {{the block size is 0, expected 16 or 32}}
func.func private @v3_block_zero() attributes {a = #ufp4.scheme<e1m2, block = 0, scale = f32>}

// -----

// Not 16: 2^32 + 16 does not wrap.
// expected-error @below {{integer value too large}}
func.func private @block_overflow() attributes {a = #ufp4.scheme<e1m2, block = 4294967312, scale = f32>}

// -----

// V3
// expected-error @below {{a block has 32 rows, expected 1 or 16, the block size}}
func.func private @v3_rows() attributes {a = #ufp4.scheme<e1m2, block = 16, rows = 32, scale = f32>}

// -----

// V3
// expected-error @below {{a block has 0 rows, expected 1 or 32, the block size}}
func.func private @v3_rows_zero() attributes {a = #ufp4.scheme<e1m2, block = 32, rows = 0, scale = f32>}

// -----

// V3
// expected-error @below {{2-D blocks are combined with a rotation, expected no rotation}}
func.func private @v3_rows_rotated() attributes {a = #ufp4.scheme<e1m2, block = 16, rows = 16, scale = f32, rotation = <size = 16, signs = 0>>}

// -----

// V3
// expected-error @below {{the scale rule is ocp-floor with f32 scales, expected ue8m0 scales}}
func.func private @v3_rule_of_f32() attributes {a = #ufp4.scheme<e2m1, block = 32, scale = f32, rule = ocp_floor>}

// -----

// V3
// expected-error @below {{the scale rule is ocp-floor with ue4m3 scales, expected ue8m0 scales}}
func.func private @v3_rule_of_ue4m3() attributes {a = #ufp4.scheme<e2m1, block = 16, scale = ue4m3, rule = ocp_floor>}

// -----

// V3
// expected-error @below {{the scale rule is ocp-floor with format e1m2, expected e2m1}}
func.func private @v3_rule_of_e1m2() attributes {a = #ufp4.scheme<e1m2, block = 32, scale = ue8m0, rule = ocp_floor>}

// -----

// expected-error @below {{unknown format 'e3m0': expected e1m2 or e2m1}}
func.func private @format_unknown() attributes {a = #ufp4.scheme<e3m0, block = 16, scale = f32>}

// -----

// expected-error @below {{unknown scale 'e8m0': expected f32, ue4m3 or ue8m0}}
func.func private @scale_unknown() attributes {a = #ufp4.scheme<e2m1, block = 32, scale = e8m0>}

// -----

// expected-error @below {{unknown scale rule 'floor': expected ceil or ocp_floor}}
func.func private @rule_unknown() attributes {a = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, rule = floor>}

// -----

// expected-error @below {{expected 'rotation' or 'rule'}}
func.func private @field_unknown() attributes {a = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, round = up>}

// -----

// expected-error @below {{expected 'rotation'}}
func.func private @rule_twice() attributes {a = #ufp4.scheme<e2m1, block = 32, scale = ue8m0, rule = ceil, rule = ocp_floor>}

// -----

// expected-error @below {{expected '>' after the rotation}}
func.func private @rotation_twice() attributes {a = #ufp4.scheme<e2m1, block = 32, scale = f32, rotation = <size = 16, signs = 0>, rotation = <size = 32, signs = 0>>}

// -----

// V4
// expected-error @below {{a place has one list per view dimension (2 or 3), found 1}}
func.func private @v4_one_list() attributes {a = #ufp4.place<at [[0]] of [[4]] part [[4]]>}

// -----

// V4
// expected-error @below {{a place has one list per view dimension (2 or 3), found 0}}
func.func private @v4_no_list() attributes {a = #ufp4.place<at [] of [] part []>}

// -----

// V4
// expected-error @below {{at, of and part have as many lists each, found 2, 3 and 2}}
func.func private @v4_lists() attributes {a = #ufp4.place<at [[0], [0]] of [[1], [4], [16]] part [[4], [16]]>}

// -----

// V4
// expected-error @below {{at, of and part have as many values per view dimension, found 2, 1 and 1}}
func.func private @v4_values() attributes {a = #ufp4.place<at [[0, 0], [0]] of [[4], [16]] part [[4], [16]]>}

// -----

// V4: positions are counted in 64 bits.
// expected-error @below {{a view dimension has 2^63 - 1 positions at most}}
func.func private @v4_overflow() attributes {a = #ufp4.place<at [[0, 0], [0]] of [[4294967296, 4294967296], [16]] part [[1, 1], [16]]>}

// -----

// V5
// expected-error @below {{stochastic rounding draws 16 or 8 bits, found 12}}
func.func private @v5_bits() attributes {a = #ufp4.plan<<e1m2, block = 16, scale = f32>, stochastic, bits = 12>}

// -----

// V5
// expected-error @below {{2-D blocks need nearest rounding}}
func.func private @v5_rows() attributes {a = #ufp4.plan<<e1m2, block = 16, rows = 16, scale = f32>, stochastic>}

// -----

// expected-error @below {{struct is missing required parameter: scales}}
func.func private @quantized_without_scales() attributes {a = #ufp4.quantized<codes = dense<1> : tensor<1xi8>>}
