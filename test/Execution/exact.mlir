// Layouts are judged by exact arithmetic: inputs are integers that the uniform grid keeps
// (integers.py), so the quantized GEMM must equal the untouched one to the bit, whatever views,
// transposes, ragged extents and accumulators lie between. One wrong index changes an element.

// RUN: rm -rf %t && split-file %s %t
// RUN: %python %S/integers.py %t/a 16x64:1,0 64x32:0,1 16x32:0,1
// RUN: sh %t/run.sh %t step %t/a/in0.npy,%t/a/in1.npy,%t/a/in2.npy
// RUN: %python %S/integers.py %t/b 4x16x8:0+2,1 8x32x4:2+0,1
// RUN: sh %t/run.sh %t scattered %t/b/in0.npy,%t/b/in1.npy
// RUN: %python %S/integers.py %t/c 3x17x40:2 3x40x5:1
// RUN: sh %t/run.sh %t experts %t/c/in0.npy,%t/c/in1.npy
// RUN: %python %S/integers.py %t/d 2x5x3x32:3 32x3x7:0
// RUN: sh %t/run.sh %t heads %t/d/in0.npy,%t/d/in1.npy
// RUN: %python %S/integers.py %t/e 7x50:1 50x9:0 7x9:
// RUN: sh %t/run.sh %t accumulates %t/e/in0.npy,%t/e/in1.npy,%t/e/in2.npy

//--- run.sh
# run.sh FOLDER FUNCTION INPUTS: the same results without and with quantization.
set -e
folder=$1; entry=$2; inputs=$3
ufp4-run $folder/model.mlir --entry=$entry --inputs=$inputs --output-dir=$folder/$entry.plain
for recipe in ufp4:rotation=none,rounding=nearest ufp4:rotation=none,rounding=nearest,scale=ue8m0; do
  ufp4-run $folder/model.mlir --entry=$entry --inputs=$inputs --output-dir=$folder/$entry.fp4 \
    --recipe=$recipe --params=w --dump-quantized=$folder/$entry.dump
  test -s $folder/$entry.dump/index.json
  for result in $folder/$entry.plain/*.npy; do cmp $result $folder/$entry.fp4/$(basename $result); done
done

//--- model.mlir
func.func @step(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16> {ufp4.name = "w"},
                %dy: tensor<16x32xbf16>)
    -> (tensor<16x32xf32>, tensor<32x64xf32>, tensor<16x64xf32>) {
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %zero_w = arith.constant dense<0.0> : tensor<32x64xf32>
  %zero_x = arith.constant dense<0.0> : tensor<16x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x32xbf16>)
                     outs(%zero : tensor<16x32xf32>) -> tensor<16x32xf32>
  %dw = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>,
                                         affine_map<(m, n, k) -> (k, n)>,
                                         affine_map<(m, n, k) -> (m, n)>]
      ins(%dy, %x : tensor<16x32xbf16>, tensor<16x64xbf16>)
      outs(%zero_w : tensor<32x64xf32>) -> tensor<32x64xf32>
  %dx = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                                         affine_map<(m, n, k) -> (n, k)>,
                                         affine_map<(m, n, k) -> (m, n)>]
      ins(%dy, %w : tensor<16x32xbf16>, tensor<64x32xbf16>)
      outs(%zero_x : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %y, %dw, %dx : tensor<16x32xf32>, tensor<32x64xf32>, tensor<16x64xf32>
}

func.func @scattered(%x: tensor<4x16x8xbf16>, %w: tensor<8x32x4xbf16> {ufp4.name = "w"})
    -> tensor<32x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x16xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i, n, j, m) -> (i, m, j)>, affine_map<(i, n, j, m) -> (j, n, i)>,
                       affine_map<(i, n, j, m) -> (n, m)>],
      iterator_types = ["reduction", "parallel", "reduction", "parallel"]}
      ins(%x, %w : tensor<4x16x8xbf16>, tensor<8x32x4xbf16>) outs(%zero : tensor<32x16xf32>) {
    ^bb0(%a: bf16, %b: bf16, %c: f32):
      %0 = arith.extf %a : bf16 to f32
      %1 = arith.extf %b : bf16 to f32
      %2 = arith.mulf %1, %0 : f32
      %3 = arith.addf %c, %2 : f32
      linalg.yield %3 : f32
  } -> tensor<32x16xf32>
  return %y : tensor<32x16xf32>
}

func.func @experts(%x: tensor<3x17x40xbf16>, %w: tensor<3x40x5xbf16> {ufp4.name = "w"})
    -> tensor<3x17x5xf32> {
  %zero = arith.constant dense<0.0> : tensor<3x17x5xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<3x17x40xbf16>, tensor<3x40x5xbf16>)
      outs(%zero : tensor<3x17x5xf32>) -> tensor<3x17x5xf32>
  return %y : tensor<3x17x5xf32>
}

// Batch and free dimensions interleave: [b, s, h, d] against [d, h, e], batched over h.
func.func @heads(%x: tensor<2x5x3x32xbf16>, %w: tensor<32x3x7xbf16> {ufp4.name = "w"})
    -> tensor<2x3x5x7xbf16> {
  %zero = arith.constant dense<0.0> : tensor<2x3x5x7xbf16>
  %y = linalg.contract indexing_maps = [affine_map<(h, b, s, e, d) -> (b, s, h, d)>,
                                        affine_map<(h, b, s, e, d) -> (d, h, e)>,
                                        affine_map<(h, b, s, e, d) -> (b, h, s, e)>]
      ins(%x, %w : tensor<2x5x3x32xbf16>, tensor<32x3x7xbf16>)
      outs(%zero : tensor<2x3x5x7xbf16>) -> tensor<2x3x5x7xbf16>
  return %y : tensor<2x3x5x7xbf16>
}

func.func @accumulates(%x: tensor<7x50xbf16>, %w: tensor<50x9xbf16> {ufp4.name = "w"},
                       %c: tensor<7x9xbf16>) -> tensor<7x9xbf16> {
  %y = linalg.matmul ins(%x, %w : tensor<7x50xbf16>, tensor<50x9xbf16>)
                     outs(%c : tensor<7x9xbf16>) -> tensor<7x9xbf16>
  return %y : tensor<7x9xbf16>
}
