// RUN: not ufp4-opt %s 2>&1 | FileCheck %s

// No StableHLO library is linked: the generic form is what is read, and the message says how to get it.
// CHECK: error: custom op 'stablehlo.add' is read in MLIR's generic form only; print the module with print_generic_op_form=True (jaxlib) or --mlir-print-op-generic
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
