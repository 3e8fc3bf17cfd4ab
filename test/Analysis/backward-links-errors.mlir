// A link that does not fit its functions is an error that says what was expected.

// RUN: ufp4-opt %s --ufp4-annotate-roles --split-input-file --verify-diagnostics

// expected-error @+1 {{'ufp4.forward' of @backward: expected another public function of one block that is no backward itself, found @missing}}
func.func @backward() attributes {ufp4.forward = @missing} {
  return
}

// -----

func.func private @hidden() {
  return
}
// expected-error @+1 {{'ufp4.forward' of @backward: expected another public function of one block that is no backward itself, found @hidden}}
func.func @backward() attributes {ufp4.forward = @hidden} {
  call @hidden() : () -> ()
  return
}

// -----

func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{'ufp4.saved' of argument 0 of @backward: expected the number of one of the 1 results of @forward, found 1 : i64}}
func.func @backward(%x: tensor<4xf32> {ufp4.saved = 1 : i64})
    attributes {ufp4.forward = @forward} {
  return
}

// -----

func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{'ufp4.saved' of argument 0 of @backward: expected the number of one of the 1 results of @forward, found "x"}}
func.func @backward(%x: tensor<4xf32> {ufp4.saved = "x"}) attributes {ufp4.forward = @forward} {
  return
}

// -----

func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{'ufp4.tangent' of argument 0 of @backward: expected the type of result 0 of @forward, 'tensor<4xf32>', found 'tensor<8xf32>'}}
func.func @backward(%x: tensor<8xf32> {ufp4.tangent = 0 : i64})
    attributes {ufp4.forward = @forward} {
  return
}

// -----

// expected-error @+1 {{'ufp4.saved' of argument 0 of @backward: the function has no 'ufp4.forward' that names its forward}}
func.func @backward(%x: tensor<4xf32> {ufp4.saved = 0 : i64}) {
  return
}

// -----

func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{argument 0 of @backward: expected 'ufp4.saved' or 'ufp4.tangent', found both}}
func.func @backward(%x: tensor<4xf32> {ufp4.saved = 0 : i64, ufp4.tangent = 0 : i64})
    attributes {ufp4.forward = @forward} {
  return
}

// -----

func.func @forward(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @+1 {{argument 1 of @backward: expected one 'ufp4.tangent' of a result, found that of result 0 on argument 0 too}}
func.func @backward(%x: tensor<4xf32> {ufp4.tangent = 0 : i64},
                    %y: tensor<4xf32> {ufp4.tangent = 0 : i64})
    attributes {ufp4.forward = @forward} {
  return
}
