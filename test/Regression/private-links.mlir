// A link on a function that is no entry went unseen, right or wrong.

// RUN: ufp4-opt %s --ufp4-annotate-roles --split-input-file --verify-diagnostics

// expected-error @+1 {{'ufp4.forward' of @backward: expected a public function with a body, found a private one; make it public, or remove the attribute}}
func.func private @backward() attributes {ufp4.forward = @missing} {
  return
}

// -----

// expected-error @+1 {{'ufp4.saved' of @backward: expected a public function with a body, found a private one}}
func.func private @backward(%x: tensor<4xf32> {ufp4.saved = 0 : i64}) {
  return
}

// -----

// expected-error @+1 {{'ufp4.tangent' of @backward: expected a public function with a body, found a declaration}}
func.func private @backward(tensor<4xf32> {ufp4.tangent = 0 : i64})
