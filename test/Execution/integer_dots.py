"""integer_dots.py FOLDER: runs matmuls by each way of multiplying integers that this machine has."""

import itertools
import pathlib
import subprocess
import sys

import numpy as np

# By name, the flags of /proc/cpuinfo that it needs.
DOTS = {
    "plain": [],
    "pmaddubsw-256": ["avx2"],
    "pmaddubsw-512": ["avx512bw"],
    "vpdpbusd-256": ["avx_vnni"],
    "vpdpbusd-512": ["avx512_vnni"],
}
LEVELS = {"e1m2": np.arange(8.0), "e2m1": np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])}


def flags():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.split())
    return set()


def case(index, fmt, scale, block, ragged, kind):
    """One product: its arguments' types, itself, its type, the arguments, the exact result and G2's bound."""
    m, n, k = (37, 21, 3 * block) if ragged else (64, 48, 4 * block)
    batch = (2,) if kind == "batch" else ()
    rows = block if kind == "squares" else 1
    lead = "".join(f"{b}x" for b in batch)
    schemes = [f"#ufp4.scheme<{fmt}, block = {block}{part}, scale = {scale}>"
               for part in ("", f", rows = {rows}" if rows > 1 else "")]
    along = len(batch) + 1
    types = [f"!ufp4.tensor<{lead}{size}x{k}, {scheme}, along = {along}>" for size, scheme in zip((m, n), schemes)]
    result = f"tensor<{lead}{m}x{n}x{'bf16' if kind == 'bf16' else 'f32'}>"
    acc = f" accumulate(%c{index} : tensor<{lead}{m}x{n}xf32>)" if kind in ("accumulate", "bf16") else ""
    views = " batch = [0] x [0]" if batch else ""
    arguments = f"%a{index}: {types[0]}, %b{index}: {types[1]}, %c{index}: tensor<{lead}{m}x{n}xf32>"
    product = f"  %y{index} = ufp4.matmul %a{index}, %b{index}{views}{acc} : {types[0]}, {types[1]} -> {result}"
    rng = np.random.default_rng(index)

    def operand(size, rows):
        codes = rng.integers(0, 16, (*batch, size, k), np.uint8)
        shape = (*batch, -(-size // rows), k // block)
        stored = {
            "f32": rng.uniform(0.5, 2, shape).astype(np.float32),
            "ue4m3": rng.integers(40, 72, shape, np.uint8),
            "ue8m0": rng.integers(120, 134, shape, np.uint8),
        }[scale]
        parts = [codes, stored] + ([np.float32(rng.uniform(0.5, 2))] if scale == "ue4m3" else [])
        values = np.where(codes & 8, -1, 1) * LEVELS[fmt][codes & 7]
        real = decode(stored, scale) * (parts[2].astype(np.float64) if scale == "ue4m3" else 1)
        real = np.repeat(np.repeat(real, rows, axis=-2)[..., :size, :], block, axis=-1)
        return parts, values * real

    (a, x), (b, w) = operand(m, 1), operand(n, rows)
    c = rng.standard_normal((*batch, m, n)).astype(np.float32)
    exact, bound = x @ np.swapaxes(w, -1, -2), np.abs(x) @ np.swapaxes(np.abs(w), -1, -2)
    if acc:
        exact, bound = exact + c, bound + np.abs(c)
    return (arguments, product, result), [*a, *b, c], exact, (k + 16) * 2.0**-24 * bound + 2.0**-126


def decode(stored, scale):
    if scale == "f32":
        return stored.astype(np.float64)
    if scale == "ue8m0":
        return 2.0 ** (stored.astype(np.float64) - 127)
    exponent, mantissa = stored >> 3, stored & 7
    return (1 + mantissa / 8) * 2.0 ** (exponent.astype(np.float64) - 7)


def load(path):
    array = np.load(path)
    if array.dtype.kind == "V":
        array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return array


def main(folder):
    kinds = ["plain", "batch", "accumulate", "bf16"]
    grid = [(f, s, b, r, k) for f, s, r, k in itertools.product(LEVELS, ("f32", "ue4m3", "ue8m0"), (0, 1), kinds)
            for b in (32 if s == "ue8m0" else 16,)]
    # 2-D blocks in place of some of the plain ones.
    grid = [(f, s, b, r, "squares" if k == "plain" and r else k) for f, s, b, r, k in grid]
    cases = [case(i, *parameters) for i, parameters in enumerate(grid)]
    module = folder / "module.mlir"
    arguments, products, results = zip(*(text for text, *_ in cases))
    returned = ", ".join(f"%y{i}" for i in range(len(cases)))
    module.write_text(f"func.func @f({', '.join(arguments)}) -> ({', '.join(results)}) {{\n" + "\n".join(products)
                      + f"\n  return {returned} : {', '.join(results)}\n}}\n")
    paths = []
    for array in (array for _, inputs, *_ in cases for array in inputs):
        paths.append(folder / f"in{len(paths)}.npy")
        np.save(paths[-1], array)
    present = flags()
    found = {}
    for dot, needed in DOTS.items():
        if not present.issuperset(needed):
            print(f"{dot}: not on this machine")
            continue
        lowered = folder / f"{dot}.mlir"
        subprocess.run(["ufp4-opt", module, f"--ufp4-to-vector=dot={dot}", "-o", lowered], check=True)
        out = folder / dot
        subprocess.run(["ufp4-run", lowered, f"--inputs={','.join(map(str, paths))}", f"--output-dir={out}"],
                       check=True)
        found[dot] = []
        for i, (_, _, exact, bound) in enumerate(cases):
            result = load(out / f"out{i}.npy")
            if grid[i][4] == "bf16":
                bound = bound + np.abs(exact) * 2.0**-8
            if not (np.abs(result - exact) <= bound).all():
                print(f"{dot}: case {grid[i]} and the definition differ")
            if not np.array_equal(result, found.get("plain", {})[i] if dot != "plain" else result):
                print(f"{dot}: case {grid[i]} and plain differ")
            found[dot].append(result)
        print(f"{dot}: {len(cases)} cases" if dot == "plain" else f"{dot}: equal to plain")


main(pathlib.Path(sys.argv[1]))
