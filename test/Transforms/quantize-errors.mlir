// RUN: not ufp4-opt %s --ufp4-quantize-training="params=q" 2>&1 | FileCheck %s --check-prefix=PARAM
// RUN: not ufp4-opt %s --ufp4-quantize-training="exclude='a('" 2>&1 | FileCheck %s --check-prefix=ERE
// RUN: not ufp4-opt %s --ufp4-quantize-training="recipe=ufp5" 2>&1 | FileCheck %s --check-prefix=RECIPE
// RUN: ufp4-opt %s --ufp4-quantize-training="params=p.w" -o %t.mlir
// RUN: not ufp4-opt %t.mlir --ufp4-quantize-training="params=p.w" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not ufp4-opt %s --ufp4-quantize-training="params=p.w decisions=%t.no/such/d.json" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: sed 's/ role = "fprop"/ role = "gprop"/' %s > %t.role.mlir
// RUN: not ufp4-opt %t.role.mlir --ufp4-quantize-training="params=p.w" 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: sed 's/{ role = "fprop"/{ rule = "fprop"/' %s > %t.key.mlir
// RUN: not ufp4-opt %t.key.mlir --ufp4-quantize-training="params=p.w" 2>&1 | FileCheck %s --check-prefix=KEY

// Bad options and annotations: what, where, what is known.

// PARAM: error: unknown parameter 'q': known are x, p.w
// ERE: error: exclude='a(' is no POSIX extended regular expression:
// RECIPE: error: unknown recipe 'ufp5': known are ufp4, e2m1-baseline, ufp4-nv, ufp4-mx, nvidia-nvfp4, mxfp4, bf16, or a file with a ufp4.recipe
// TWICE: error: the module is rewritten already: 'ufp4.quantize' is not model IR; run it without a recipe
// FILE: cannot be written:
// ROLE: error: 'ufp4.gemm': expected role to be none, fprop, dgrad or wgrad, found "gprop"
// KEY: error: 'ufp4.gemm' has no key 'rule': known are role, layer, stream
func.func @forward(%x: tensor<16x64xbf16> {ufp4.name = "x"},
                   %w: tensor<64x32xbf16> {ufp4.name = "p.w"}) -> tensor<16x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %y = linalg.matmul {ufp4.gemm = { role = "fprop" }}
      ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
      outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
