// What --ufp4-quantize-training says of recipes that it cannot find, change or use.
// Breaks if an error does not name the recipe or the override, or not what is known or expected.
//
// RUN: split-file %s %t
//
// Names that are none.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=nope" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown recipe 'nope': known are ufp4, e2m1-baseline, ufp4-nv, ufp4-mx, nvidia-nvfp4, mxfp4, bf16, @mine, or a file with a ufp4.recipe
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=@nope" 2>&1 | FileCheck %s --check-prefix=SYMBOL
// SYMBOL: error: unknown recipe '@nope': known are ufp4,
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t/none.mlir" 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: unknown recipe '{{.*}}none.mlir': known are ufp4,
// Files without one recipe.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t/garbage.mlir" 2>&1 | FileCheck %s --check-prefix=GARBAGE
// GARBAGE: garbage.mlir:1:1: error: custom op 'garbage' is unknown
// GARBAGE: <unknown>:0: error: the recipe file '{{.*}}garbage.mlir' could not be read
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t" 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: the recipe file '{{.*}}' could not be read
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t/empty.mlir" 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: the file '{{.*}}empty.mlir' holds no ufp4.recipe
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t/two.mlir" 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: name one recipe of '{{.*}}two.mlir' as {{.*}}two.mlir@NAME: it holds a, b
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t/two.mlir@c" 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=%t/invalid.mlir" 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: invalid.mlir:3:1: error: 'ufp4.recipe' op the operands of fprop could not meet in a GEMM
// INVALID: <unknown>:0: error: the recipe file '{{.*}}invalid.mlir' could not be read
// Overrides that are none.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:format" 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: recipe override '{{.*}}': expected [fprop.|dgrad.|wgrad.][x.|w.|dy.]FIELD=VALUE
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:format=" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:fprop.q.format=e2m1" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:fprop.x.format.more=e2m1" 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:colour=red" 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: recipe override 'colour=red': expected a field format, block, rows, scale, rule, rotation, signs, evaluation, rounding or bits
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:fprop=off" 2>&1 | FileCheck %s --check-prefix=ROLE
// ROLE: error: recipe override 'fprop=off': expected none
// Values that are none.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:format=e3m0" 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: error: recipe override 'format=e3m0': expected e1m2 or e2m1
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:wgrad.scale=e8m0" 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: error: recipe override 'wgrad.scale=e8m0': expected f32, ue4m3 or ue8m0
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4-mx:rule=floor" 2>&1 | FileCheck %s --check-prefix=RULE
// RULE: error: recipe override 'rule=floor': expected ceil or ocp-floor
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:dy.rounding=up" 2>&1 | FileCheck %s --check-prefix=ROUNDING
// ROUNDING: error: recipe override 'dy.rounding=up': expected nearest or stochastic
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:evaluation=tensor" 2>&1 | FileCheck %s --check-prefix=EVALUATION
// EVALUATION: error: recipe override 'evaluation=tensor': expected butterfly or mma
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:block=x" 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: error: recipe override 'block=x': expected 16 or 32
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:rows=many" 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: recipe override 'rows=many': expected 1 or the block's size
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:bits=4294967312" 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: error: recipe override 'bits=4294967312': expected 16 or 8
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:rotation=17" 2>&1 | FileCheck %s --check-prefix=ROTATION
// ROTATION: error: recipe override 'rotation=17': expected none, 16, 32, 64 or 128
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:signs=0xD7E81" 2>&1 | FileCheck %s --check-prefix=SIGNS
// SIGNS: error: recipe override 'signs=0xD7E81': expected a mask of 16 bits
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=mxfp4:signs=0x1" 2>&1 | FileCheck %s --check-prefix=UNROTATED
// UNROTATED: error: recipe override 'signs=0x1': expected a mask of 0 bits
// Overrides that select nothing.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:fprop.dy.rounding=nearest" 2>&1 | FileCheck %s --check-prefix=SELECTED
// SELECTED: error: recipe override '{{.*}}': expected an operand that the recipe quantizes
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=bf16:format=e2m1" 2>&1 | FileCheck %s --check-prefix=SELECTED
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:fprop=none,fprop.x.format=e2m1" 2>&1 | FileCheck %s --check-prefix=SELECTED
// Recipes that are illegal once every override is made.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:block=17" 2>&1 | FileCheck %s --check-prefix=SCHEME
// SCHEME: error: recipe 'ufp4:block=17', fprop: x: the block size is 17, expected 16 or 32
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=mxfp4:format=e1m2" 2>&1 | FileCheck %s --check-prefix=MX
// MX: error: recipe 'mxfp4:format=e1m2', fprop: x: the scale rule is ocp-floor with format e1m2, expected e2m1
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:w.rows=16" 2>&1 | FileCheck %s --check-prefix=TWOD
// TWOD: error: recipe 'ufp4:w.rows=16', fprop: w: 2-D blocks are combined with a rotation, expected no rotation
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=mxfp4:dgrad.dy.rows=32,dgrad.dy.rounding=stochastic" 2>&1 | FileCheck %s --check-prefix=DRAW
// DRAW: error: recipe 'mxfp4:dgrad.dy.rows=32,dgrad.dy.rounding=stochastic', dgrad: dy: 2-D blocks need nearest rounding
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:bits=12" 2>&1 | FileCheck %s --check-prefix=TWELVE
// TWELVE: error: recipe 'ufp4:bits=12', fprop: x: stochastic rounding draws 16 or 8 bits, found 12
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:rotation=64,evaluation=mma" 2>&1 | FileCheck %s --check-prefix=MMA
// MMA: error: recipe 'ufp4:rotation=64,evaluation=mma', fprop: x: evaluation = mma needs a rotation of at most 32, found 64

// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=mxfp4:evaluation=mma" 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: error: recipe override 'evaluation=mma': expected an operand that the recipe rotates

// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:evaluation=mma,rotation=none" 2>&1 | FileCheck %s --check-prefix=LOST
// LOST: error: recipe 'ufp4:evaluation=mma,rotation=none', fprop: x: evaluation = mma needs a rotation of at most 32, found none

// Operands that could not meet.
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:fprop.x.format=e2m1" 2>&1 | FileCheck %s --check-prefix=MEET
// MEET: error: recipe 'ufp4:fprop.x.format=e2m1', fprop: the operands could not meet in a GEMM: e2m1 1x16 f32 rotation 16 0xD7E8 nearest and e1m2 1x16 f32 rotation 16 0xD7E8 nearest
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=ufp4:wgrad.dy.rotation=none" 2>&1 | FileCheck %s --check-prefix=BASES
// BASES: error: recipe 'ufp4:wgrad.dy.rotation=none', wgrad: the operands could not meet in a GEMM: e1m2 1x16 f32 rotation 16 0xD7E8 nearest and e1m2 1x16 f32 stochastic 16
// RUN: not ufp4-opt %t/model.mlir --ufp4-quantize-training="recipe=@mine:fprop.w.signs=1" 2>&1 | FileCheck %s --check-prefix=MINE
// MINE: error: recipe '@mine:fprop.w.signs=1', fprop: the operands could not meet in a GEMM

//--- model.mlir
#rotated = #ufp4.scheme<e1m2, block = 16, scale = f32, rotation = <size = 16, signs = 0xD7E8>>
ufp4.recipe @mine fprop(x = <#rotated, nearest>, w = <#rotated, nearest>)

//--- garbage.mlir
garbage

//--- empty.mlir
module {}

//--- two.mlir
ufp4.recipe @a
ufp4.recipe @b

//--- invalid.mlir
#a = #ufp4.scheme<e1m2, block = 16, scale = f32>
#b = #ufp4.scheme<e1m2, block = 32, scale = f32>
ufp4.recipe @a fprop(x = <#a, nearest>, w = <#b, nearest>)
