"""Compiles block-scaled GEMMs with TileLang for a chip that need not be there.

Usage: tilelang_gemm.py DIR CAPABILITY NAME…

NAME is e2m1_ue4m3, of 128 x 128 x 256 with 4 warps, operands row by row; `_128` behind it makes that 128 deep, `_lanes`
takes scales in the order in which the instruction's lanes hold them. Sizes are compiled in: M = N = K = 4096.

Writes DIR/NAME.cubin and prints one JSON object a line: name, CPU seconds of the compilation with its children and
without the import of TileLang, spilled bytes and registers as ptxas states them. A compilation that fails has `error`
instead.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys

os.environ.setdefault("TILELANG_DISABLE_CACHE", "1")

import tilelang  # noqa: E402
import tilelang.language as T  # noqa: E402
from tilelang.contrib import nvcc  # noqa: E402
from tvm.target import Target  # noqa: E402

SIZE, ROWS, GROUP = 4096, 128, 64
CODES, WORDS = "float4_e2m1fn", "uint32"


def make(depth, in_lanes):
    """C = A · Bᵀ; a word of scales is those of 64 positions."""
    words = depth // GROUP
    # A tile's words: row by row, or word by word with the rows of a word as lanes hold them.
    tile = (words, ROWS) if in_lanes else (ROWS, words)
    whole = (SIZE // GROUP, SIZE) if in_lanes else (SIZE, SIZE // GROUP)
    layout = "blockscaled_chunk_kmajor" if in_lanes else "rowmajor"

    @T.prim_func
    def gemm(a: T.Tensor((SIZE, SIZE), CODES), b: T.Tensor((SIZE, SIZE), CODES), a_scales: T.Tensor(whole, WORDS),
             b_scales: T.Tensor(whole, WORDS), c: T.Tensor((SIZE, SIZE), "bfloat16")):
        with T.Kernel(SIZE // ROWS, SIZE // ROWS, threads=128) as (column, row):
            left, right = T.alloc_shared((ROWS, depth), CODES), T.alloc_shared((ROWS, depth), CODES)
            left_scales, right_scales = T.alloc_shared(tile, WORDS), T.alloc_shared(tile, WORDS)
            sums = T.alloc_fragment((ROWS, ROWS), "float32")
            T.clear(sums)
            for step in T.Pipelined(SIZE // depth, num_stages=2):
                T.copy(a[row * ROWS, step * depth], left)
                T.copy(b[column * ROWS, step * depth], right)
                if in_lanes:
                    T.copy(a_scales[step * words, row * ROWS], left_scales)
                    T.copy(b_scales[step * words, column * ROWS], right_scales)
                else:
                    T.copy(a_scales[row * ROWS, step * words], left_scales)
                    T.copy(b_scales[column * ROWS, step * words], right_scales)
                T.mma_gemm_blockscaled(left, right, sums, left_scales, right_scales, transpose_B=True, k_start=0,
                                       sf_a_granularity_k=16, sf_b_granularity_k=16, sf_layout=layout)
            T.copy(sums, c[row * ROWS, column * ROWS])

    return gemm


def cpu():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(folder, capability, names):
    arch = f"sm_{capability}a"
    includes = [f"-I{path}" for path in (tilelang.env.TILELANG_TEMPLATE_PATH, tilelang.env.CUTLASS_INCLUDE_DIR)]
    for name in names:
        try:
            options = name.removeprefix("e2m1_ue4m3").split("_")
            begin = cpu()
            with Target({"kind": "cuda", "arch": arch}) as target:
                made = tilelang.lower(make(128 if "128" in options else 256, "lanes" in options), target=target)
            cubin = folder / f"{name}.cubin"
            source = folder / f"{name}.cu"
            source.write_text(made.kernel_source)
            got = subprocess.run([nvcc.get_nvcc_compiler(), "-cubin", f"-arch={arch}", "-std=c++17", "-O3", "-Xptxas=-v",
                                  *includes, "-o", cubin, source], capture_output=True, text=True)
            seconds = cpu() - begin
            if got.returncode:
                raise RuntimeError(next((line for line in got.stderr.splitlines() if "error" in line), got.stderr[-200:]))
            spills = sum(map(int, re.findall(r"(\d+) bytes spill", got.stderr)))
            registers = max(map(int, re.findall(r"Used (\d+) registers", got.stderr)), default=None)
            print(json.dumps({"name": name, "cpu": seconds, "registers": registers, "spills": spills}), flush=True)
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            print(json.dumps({"name": name, "error": text[:300]}), flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
