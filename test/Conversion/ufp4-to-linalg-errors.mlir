// RUN: ufp4-opt %s --ufp4-to-linalg --split-input-file --verify-diagnostics --allow-unregistered-dialect
// RUN: ufp4-opt %s --ufp4-to-vector --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What holds a ufp4 type and cannot be lowered is named.

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>
!q = !ufp4.tensor<4x16, #fmt, along = 1>

func.func @unknown(%x: !q) {
  // expected-error @+1 {{failed to legalize operation 'other.use'}}
  "other.use"(%x) : (!q) -> ()
  return
}

// -----

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>
!q = !ufp4.tensor<4x16, #fmt, along = 1>

// A tuple of quantized tensors has no parts.
// expected-error @+1 {{failed to legalize operation 'func.func'}}
func.func private @tuple(tuple<!q, i32>)

// -----

#fmt = #ufp4.scheme<e1m2, block = 16, scale = f32>
!q = !ufp4.tensor<4x16, #fmt, along = 1>

// Nor has a function value.
func.func private @callee(!q)
func.func @functionValue() {
  // expected-error @+1 {{failed to legalize operation 'func.constant'}}
  %0 = func.constant @callee : (!q) -> ()
  return
}
