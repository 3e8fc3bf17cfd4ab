#!/usr/bin/env python3
"""Writes the LLVM IR of kernels that another compiler made: foreign witnesses of the emulator's layouts.

usage: make_witnesses.py OUTPUT_DIRECTORY, with `pip install triton==3.9.0`. No GPU is needed.
The kernels are plain products C = A B^T, in bf16 and in block-scaled 4-bit numbers."""
import pathlib
import re
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def bf16_gemm(a, b, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for i in tl.range(0, K // BK, num_stages=3):
        x = tl.load(a + rows[:, None] * K + (i * BK + k)[None, :])
        y = tl.load(b + columns[:, None] * K + (i * BK + k)[None, :])
        acc = tl.dot(x, y.T, acc)
    tl.store(c + rows[:, None] * N + columns[None, :], acc)


@triton.jit
def scaled_gemm(a, sa, b, sb, c, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    byte = tl.arange(0, BK // 2)
    group = tl.arange(0, BK // BLOCK)
    acc = tl.zeros((BM, BN), tl.float32)
    for i in tl.range(0, K // BK, num_stages=2):
        x = tl.load(a + rows[:, None] * (K // 2) + (i * (BK // 2) + byte)[None, :])
        y = tl.load(b + columns[:, None] * (K // 2) + (i * (BK // 2) + byte)[None, :])
        sx = tl.load(sa + rows[:, None] * (K // BLOCK) + (i * (BK // BLOCK) + group)[None, :])
        sy = tl.load(sb + columns[:, None] * (K // BLOCK) + (i * (BK // BLOCK) + group)[None, :])
        acc = tl.dot_scaled(x, sx, "e2m1", y.T, sy, "e2m1", acc)
    tl.store(c + rows[:, None] * N + columns[None, :], acc)


def compile_to_ir(kernel, signature, constants, chip):
    names = kernel.arg_names
    types = {n: signature.get(n, "constexpr") for n in names}
    aligned = {(names.index(n),): [["tt.divisibility", 16]] for n in signature}
    source = ASTSource(fn=kernel, signature=types, attrs=aligned,
                       constexprs={(names.index(n),): v for n, v in constants.items()})
    compiled = triton.compile(source, target=GPUTarget("cuda", chip, 32), options=dict(num_warps=4))
    text = compiled.asm["llir"]
    # Debug information names files of the machine it was made on.
    text = re.sub(r", !dbg !\d+| !dbg !\d+", "", text)
    text = "\n".join(line for line in text.splitlines()
                     if not re.match(r"!\d+ = (distinct )?!DI|!\d+ = !\{null|!llvm\.dbg|source_filename|; ModuleID", line))
    head = f"; Made by make_witnesses.py for sm_{chip}; shared memory {compiled.metadata.shared}\n"
    return f'{head}target triple = "nvptx64-nvidia-cuda"\n{text}\n'


def main():
    out = pathlib.Path(sys.argv[1])
    product = dict(a="*bf16", b="*bf16", c="*fp32", N="i32", K="i32")
    (out / "bf16_gemm.sm_80.ll").write_text(compile_to_ir(bf16_gemm, product, dict(BM=64, BN=64, BK=32), 80))
    (out / "bf16_gemm.sm_100.ll").write_text(compile_to_ir(bf16_gemm, product, dict(BM=128, BN=32, BK=64), 100))
    for name, scale, block in (("nvfp4", "*fp8e4nv", 16), ("mxfp4", "*u8", 32)):
        signature = dict(a="*u8", sa=scale, b="*u8", sb=scale, c="*fp32", N="i32", K="i32")
        (out / f"{name}_gemm.sm_120.ll").write_text(
            compile_to_ir(scaled_gemm, signature, dict(BM=64, BN=64, BK=128, BLOCK=block), 120))
        (out / f"{name}_gemm.sm_100.ll").write_text(
            compile_to_ir(scaled_gemm, signature, dict(BM=128, BN=32, BK=256, BLOCK=block), 100))


main()
