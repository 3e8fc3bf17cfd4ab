// What ufp4.recipe refuses: V28.
// Breaks if a recipe could ask for a GEMM that ufp4.matmul refuses, or if a half of a role crashes.
//
// RUN: ufp4-opt %s -split-input-file -verify-diagnostics

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
#b = #ufp4.scheme<e2m1, block = 16, scale = f32>
// V28
// expected-error @below {{the operands of fprop could not meet in a GEMM: #ufp4.scheme<e1m2, block = 16, scale = f32> and #ufp4.scheme<e2m1, block = 16, scale = f32>}}
ufp4.recipe @v28_formats_differ fprop(x = <#a, nearest>, w = <#b, nearest>)

// -----

#a = #ufp4.scheme<e1m2, block = 32, scale = f32>
#b = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>
// V28
// expected-error @below {{the operands of dgrad could not meet in a GEMM}}
ufp4.recipe @v28_scales_differ dgrad(dy = <#a, nearest>, w = <#b, nearest>)

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
#b = #ufp4.scheme<e1m2, block = 32, scale = f32>
// V28
// expected-error @below {{the operands of wgrad could not meet in a GEMM}}
ufp4.recipe @v28_blocks_differ wgrad(x = <#a, nearest>, dy = <#b, stochastic>)

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
#b = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0>>
// V28
// expected-error @below {{the operands of wgrad could not meet in a GEMM}}
ufp4.recipe @v28_one_is_rotated wgrad(x = <#a, nearest>, dy = <#b, stochastic>)

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 1>>
#b = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0>>
// V28
// expected-error @below {{the operands of fprop could not meet in a GEMM}}
ufp4.recipe @v28_masks_differ fprop(x = <#a, nearest>, w = <#b, nearest>)

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V28
// expected-error @below {{fprop has one plan, expected both or none}}
"ufp4.recipe"() {sym_name = "v28_x_alone", fprop_x = #ufp4.plan<#a, nearest>} : () -> ()

// -----

#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
// V28
// expected-error @below {{wgrad has one plan, expected both or none}}
"ufp4.recipe"() {sym_name = "v28_dy_alone", wgrad_dy = #ufp4.plan<#a, nearest>} : () -> ()

// -----

// expected-error @below {{requires attribute 'sym_name'}}
"ufp4.recipe"() : () -> ()

// -----

// expected-error @below {{attribute 'fprop_x' failed to satisfy constraint: how a recipe quantizes one operand of one role}}
"ufp4.recipe"() {sym_name = "no_plan", fprop_x = 4 : i32} : () -> ()
