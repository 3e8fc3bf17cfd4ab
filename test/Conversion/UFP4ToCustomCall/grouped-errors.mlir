// Sizes of groups that a program says, and that are not those of its rows, are errors where they stand.
//
// RUN: ufp4-opt %s --allow-unregistered-dialect --ufp4-quantize-training="recipe=ufp4 params=w" -split-input-file -verify-diagnostics

func.func @sum(%x: tensor<24x16xbf16>, %w: tensor<4x16x32xbf16> {ufp4.name = "w"}) -> tensor<24x32xf32> {
  %sizes = "stablehlo.constant"() <{value = dense<[6, 6, 6, 5]> : tensor<4xi32>}> : () -> tensor<4xi32>
  // expected-error @below {{the sizes of the groups add up to 23, expected 24, the rows that they divide}}
  %y = "stablehlo.composite"(%x, %w, %sizes) <{composite_attributes = {ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<1> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>]}, decomposition = @impl, name = "chlo.ragged_dot"}> : (tensor<24x16xbf16>, tensor<4x16x32xbf16>, tensor<4xi32>) -> tensor<24x32xf32>
  return %y : tensor<24x32xf32>
}
func.func private @impl(tensor<24x16xbf16>, tensor<4x16x32xbf16>, tensor<4xi32>) -> tensor<24x32xf32>

// -----

func.func @negative(%x: tensor<24x16xbf16>, %w: tensor<4x16x32xbf16> {ufp4.name = "w"}) -> tensor<24x32xf32> {
  %sizes = "stablehlo.constant"() <{value = dense<[30, -6, 0, 0]> : tensor<4xi32>}> : () -> tensor<4xi32>
  // expected-error @below {{a group has a negative size, -6}}
  %y = "stablehlo.composite"(%x, %w, %sizes) <{composite_attributes = {ragged_dot_dimension_numbers = [dense<> : tensor<0xi64>, dense<> : tensor<0xi64>, dense<1> : tensor<1xi64>, dense<1> : tensor<1xi64>, dense<0> : tensor<1xi64>, dense<0> : tensor<1xi64>]}, decomposition = @impl, name = "chlo.ragged_dot"}> : (tensor<24x16xbf16>, tensor<4x16x32xbf16>, tensor<4xi32>) -> tensor<24x32xf32>
  return %y : tensor<24x32xf32>
}
func.func private @impl(tensor<24x16xbf16>, tensor<4x16x32xbf16>, tensor<4xi32>) -> tensor<24x32xf32>
