"""Compiles block-scaled GEMMs with Triton for a chip that need not be there.

Usage: triton_gemm.py DIR CHIP NAME…

CHIP is a compute capability (120) or an AMD chip (gfx950). NAME is bf16 or e2m1_ue4m3, of 128 x 128 x 256 with 4 warps;
`_128` behind it makes that 128 deep, `_8` eight warps, `_128x256` a tile of C with warps by role, for tensor memory; for
AMD e2m1_ue8m0, of 128 x 128 x 128, or `_256` each.

Writes DIR/NAME.cubin, or NAME.amdgcn and NAME.hsaco, and prints one JSON object a line: name, CPU seconds of the
compilation with its children and without the import of Triton, and for NVIDIA registers and spilled bytes as Triton's
own ptxas states them, and how many warps copy, multiply and store. A compilation that fails has `error` instead.
"""

import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def scaled(a, a_scales, b, b_scales, c, k, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr,
           ROLES: tl.constexpr):
    """C = A · Bᵀ with E2M1 elements and UE4M3 scales per 16: tiles by tensor maps, scales laid out in advance in the
    order in which the instruction's lanes hold them, which is the form that is fastest with Triton."""
    row, column = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    GROUPS: tl.constexpr = DEPTH // 64
    for step in tl.range(0, tl.cdiv(k, DEPTH), warp_specialize=ROLES):
        left = a.load([row, step * (DEPTH // 2)])
        right = b.load([column, step * (DEPTH // 2)])
        left_scales = a_scales.load([0, row // 128, step * GROUPS, 0, 0])
        right_scales = b_scales.load([0, column // 128, step * GROUPS, 0, 0])
        left_scales = left_scales.reshape(ROWS // 128, GROUPS, 32, 4, 4).trans(0, 3, 2, 1, 4).reshape(ROWS, DEPTH // 16)
        right_scales = right_scales.reshape(COLUMNS // 128, GROUPS, 32, 4, 4).trans(0, 3, 2, 1, 4)
        right_scales = right_scales.reshape(COLUMNS, DEPTH // 16)
        sums = tl.dot_scaled(left, left_scales, "e2m1", right.T, right_scales, "e2m1", sums)
    c.store([row, column], sums.to(tl.bfloat16))


@triton.jit
def scaled_by_pointers(a, a_scales, b, b_scales, c, n, k, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
                       DEPTH: tl.constexpr):
    """C = A · Bᵀ with E2M1 elements and E8M0 scales per 32, both row-major; whole tiles only."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    codes, groups = tl.arange(0, DEPTH // 2), tl.arange(0, DEPTH // 32)
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    for step in tl.range(0, k // DEPTH):
        code, group = step * (DEPTH // 2) + codes, step * (DEPTH // 32) + groups
        left = tl.load(a + rows[:, None] * (k // 2) + code[None, :])
        right = tl.load(b + columns[:, None] * (k // 2) + code[None, :])
        left_scales = tl.load(a_scales + rows[:, None] * (k // 32) + group[None, :])
        right_scales = tl.load(b_scales + columns[:, None] * (k // 32) + group[None, :])
        sums = tl.dot_scaled(left, left_scales, "e2m1", right.T, right_scales, "e2m1", sums)
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(tl.bfloat16))


@triton.jit
def plain(a, b, c, m, n, k, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    """C = A · Bᵀ on bf16, by pointers."""
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    columns = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    depth = tl.arange(0, DEPTH)
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    for step in tl.range(0, tl.cdiv(k, DEPTH)):
        at = step * DEPTH + depth
        left = tl.load(a + rows[:, None] * k + at[None, :], (rows[:, None] < m) & (at[None, :] < k), 0)
        right = tl.load(b + columns[:, None] * k + at[None, :], (columns[:, None] < n) & (at[None, :] < k), 0)
        sums = tl.dot(left, right.T, sums)
    tl.store(c + rows[:, None] * n + columns[None, :], sums.to(tl.bfloat16),
             (rows[:, None] < m) & (columns[None, :] < n))


def source(function, signature, constants):
    names = function.arg_names
    types = {name: signature.get(name, "constexpr") for name in names}
    aligned = {(names.index(name),): [["tt.divisibility", 16]] for name, kind in signature.items()
               if kind[0] == "*" or kind == "i32"}
    return ASTSource(fn=function, signature=types, constexprs={(names.index(k),): v for k, v in constants.items()},
                     attrs=aligned)


def make(name):
    """Source and options of a GEMM."""
    if name.startswith("e2m1_ue4m3"):
        options = name.removeprefix("e2m1_ue4m3").split("_")
        depth, warps = 128 if "128" in options else 256, 8 if "8" in options else 4
        tile = next((option for option in options if "x" in option), None)
        rows, columns = map(int, (tile or "128x128").split("x"))
        types = {"a": f"tensordesc<u8[{rows}, {depth // 2}]>",
                 "a_scales": f"tensordesc<fp8e4nv[1, {rows // 128}, {depth // 64}, 2, 256]>",
                 "b": f"tensordesc<u8[{columns}, {depth // 2}]>",
                 "b_scales": f"tensordesc<fp8e4nv[1, {columns // 128}, {depth // 64}, 2, 256]>",
                 "c": f"tensordesc<bf16[{rows}, {columns}]>", "k": "i32"}
        size = {"ROWS": rows, "COLUMNS": columns, "DEPTH": depth, "ROLES": tile is not None}
        # As many stages as shared memory has room for.
        stages = 2 if depth == 256 and (warps == 8 or columns == 256) else 3
        return source(scaled, types, size), {"num_warps": warps, "num_stages": stages}
    if name.startswith("e2m1_ue8m0"):
        size = 256 if name.endswith("_256") else 128
        types = {"a": "*u8", "a_scales": "*u8", "b": "*u8", "b_scales": "*u8", "c": "*bf16", "n": "i32", "k": "i32"}
        return (source(scaled_by_pointers, types, {"ROWS": size, "COLUMNS": size, "DEPTH": size}),
                {"num_warps": 8, "num_stages": 2})
    types = {"a": "*bf16", "b": "*bf16", "c": "*bf16", "m": "i32", "n": "i32", "k": "i32"}
    return source(plain, types, {"ROWS": 128, "COLUMNS": 128, "DEPTH": 64}), {"num_warps": 4, "num_stages": 3}


def count_warps(text):
    """Warps that copy, multiply and store, of a kernel as Triton's GPU dialect has it: all, or those of a partition."""
    default = int(re.search(r'"ttg.num-warps" = (\d+)', text)[1])
    _, *parts = re.split(r"^ *partition\d+\(.*\) num_warps\((\d+)\)", text, flags=re.M)
    counts = {"copies": default, "products": default, "stores": default}
    for warps, body in zip(parts[::2], parts[1::2]):
        for kind, operation in (("copies", "tma_copy_global_to_local"), ("products", "tc_gen5_mma")):
            if operation in body:
                counts[kind] = int(warps)
    return counts


def cpu():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(folder, chip, names):
    is_amd = chip.startswith("gfx")
    target = GPUTarget("hip", chip, 64) if is_amd else GPUTarget("cuda", int(chip), 32)
    for name in names:
        try:
            with tempfile.TemporaryDirectory() as cache:
                triton.knobs.cache.dir = cache
                begin = cpu()
                code, options = make(name)
                kernel = triton.compile(code, target=target, options=options)
                seconds = cpu() - begin
            if is_amd:
                (folder / f"{name}.amdgcn").write_text(kernel.asm["amdgcn"])
                (folder / f"{name}.hsaco").write_bytes(kernel.asm["hsaco"])
                print(json.dumps({"name": name, "cpu": seconds}), flush=True)
                continue
            (folder / f"{name}.cubin").write_bytes(kernel.asm["cubin"])
            ptx = folder / f"{name}.ptx"
            ptx.write_text(kernel.asm["ptx"])
            arch = re.search(r"\.target (\S+)", kernel.asm["ptx"])[1].rstrip(",")
            knob = "ptxas_blackwell" if int(chip) >= 100 else "ptxas"
            ptxas = getattr(triton.knobs.nvidia, knob, triton.knobs.nvidia.ptxas).path
            log = subprocess.run([ptxas, "-v", f"-arch={arch}", "-o", "/dev/null", ptx], capture_output=True, text=True).stderr
            spills = sum(map(int, re.findall(r"(\d+) bytes spill", log)))
            registers = max(map(int, re.findall(r"Used (\d+) registers", log)), default=None)
            warps = count_warps(kernel.asm["ttgir"])
            print(json.dumps({"name": name, "cpu": seconds, "registers": registers, "spills": spills, "warps": warps}),
                  flush=True)
        except Exception as error:
            print(json.dumps({"name": name, "error": f"{type(error).__name__}: {error}"[:300]}), flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
