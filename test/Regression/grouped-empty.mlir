// Groups of an array without extents were refused on the CPU with an internal error: slices of nothing.
// Breaks if an empty K is no product of zeros, or an empty M or N has a result (G1, G4).

// RUN: rm -rf %t && ufp4-run %s --entry=depth --target=cpu --inputs=random:1 --output-dir=%t
// RUN: %python -c "import numpy as np, sys; y = np.load(sys.argv[1]); assert y.shape == (4, 8) and not y.any()" %t/out0.npy
// RUN: rm -rf %t && ufp4-run %s --entry=depth --target=sm_80 --inputs=random:1 --output-dir=%t
// RUN: %python -c "import numpy as np, sys; y = np.load(sys.argv[1]); assert y.shape == (4, 8) and not y.any()" %t/out0.npy
// RUN: rm -rf %t && ufp4-run %s --entry=columns --target=cpu --inputs=random:1 --output-dir=%t
// RUN: %python -c "import numpy as np, sys; y = np.load(sys.argv[1]); assert y.shape == (4, 0)" %t/out0.npy
// RUN: rm -rf %t && ufp4-run %s --entry=columns --target=sm_80 --inputs=random:1 --output-dir=%t
// RUN: %python -c "import numpy as np, sys; y = np.load(sys.argv[1]); assert y.shape == (4, 0)" %t/out0.npy
// RUN: rm -rf %t && ufp4-run %s --entry=rows --target=cpu --inputs=random:1 --output-dir=%t
// RUN: %python -c "import numpy as np, sys; y = np.load(sys.argv[1]); assert y.shape == (2, 0, 8)" %t/out0.npy
// RUN: rm -rf %t && ufp4-run %s --entry=rows --target=sm_80 --inputs=random:1 --output-dir=%t
// RUN: %python -c "import numpy as np, sys; y = np.load(sys.argv[1]); assert y.shape == (2, 0, 8)" %t/out0.npy

#s = #ufp4.scheme<e1m2, block = 16, scale = f32>

func.func @depth(%x: tensor<4x0xbf16>, %w: tensor<2x0x8xbf16>, %n: tensor<2xi32>) -> tensor<4x8xf32> {
  %a = ufp4.quantize %x along 1 groups(%n : tensor<2xi32>) : tensor<4x0xbf16> -> !ufp4.tensor<4x0, #s, along = 1, groups = <2 rows>>
  %b = ufp4.quantize %w along 1 : tensor<2x0x8xbf16> -> !ufp4.tensor<2x0x8, #s, along = 1, groups = <2 stacked>>
  %y = ufp4.matmul %a, %b groups(%n : tensor<2xi32>) : !ufp4.tensor<4x0, #s, along = 1, groups = <2 rows>>, !ufp4.tensor<2x0x8, #s, along = 1, groups = <2 stacked>> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

func.func @columns(%x: tensor<4x16xbf16>, %w: tensor<2x16x0xbf16>, %n: tensor<2xi32>) -> tensor<4x0xf32> {
  %a = ufp4.quantize %x along 1 groups(%n : tensor<2xi32>) : tensor<4x16xbf16> -> !ufp4.tensor<4x16, #s, along = 1, groups = <2 rows>>
  %b = ufp4.quantize %w along 1 : tensor<2x16x0xbf16> -> !ufp4.tensor<2x16x0, #s, along = 1, groups = <2 stacked>>
  %y = ufp4.matmul %a, %b groups(%n : tensor<2xi32>) : !ufp4.tensor<4x16, #s, along = 1, groups = <2 rows>>, !ufp4.tensor<2x16x0, #s, along = 1, groups = <2 stacked>> -> tensor<4x0xf32>
  return %y : tensor<4x0xf32>
}

func.func @rows(%x: tensor<4x0xbf16>, %n: tensor<2xi32>, %d: tensor<4x8xbf16>) -> tensor<2x0x8xf32> {
  %a = ufp4.quantize %x along 0 groups(%n : tensor<2xi32>) : tensor<4x0xbf16> -> !ufp4.tensor<4x0, #s, along = 0, groups = <2 contracted>>
  %b = ufp4.quantize %d along 0 groups(%n : tensor<2xi32>) : tensor<4x8xbf16> -> !ufp4.tensor<4x8, #s, along = 0, groups = <2 contracted>>
  %y = ufp4.matmul %a, %b groups(%n : tensor<2xi32>) : !ufp4.tensor<4x0, #s, along = 0, groups = <2 contracted>>, !ufp4.tensor<4x8, #s, along = 0, groups = <2 contracted>> -> tensor<2x0x8xf32>
  return %y : tensor<2x0x8xf32>
}
