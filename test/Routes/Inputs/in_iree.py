"""Runs a function of an IREE module by iree-run-module and compares it with ufp4-run's results.

  in_iree.py operands DIR                       writes the operands of codes.mlir and of torch_mlp_aot
  in_iree.py run VMFB FUNCTION OUT CPU RNG F…   F…: .npy files or a .npz; RNG: low,high,step or -
  in_iree.py g2 DIR                             G2 on the results of @gemm

IREE_RUN_MODULE names the tool. bf16 arrays are uint16 here and `bf16` on IREE's command line.
"""

import os
import pathlib
import subprocess
import sys

import numpy as np

NAMES = {"uint16": "bf16", "float32": "f32", "int32": "i32"}


def bf16(values):
    bits = values.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def operands(folder):
    """Every bf16 once, NaNs and infinities too, but those that IREE's runtime flushes on their way
    through a rotation; then Gaussian rows of all magnitudes."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(5)
    x = np.zeros(1024 * 80, np.uint16)
    x[: 1 << 16] = rng.permutation(1 << 16)
    rows = rng.standard_normal((204, 80)) * 2.0 ** rng.integers(-100, 120, (204, 1))
    x[-204 * 80 :] = bf16(rows).ravel()
    x[(x & 0x7FFF) < (127 - 116) << 7] = 0
    np.save(folder / "x.npy", x.reshape(1024, 80))
    np.save(folder / "a.npy", bf16(rng.standard_normal((48, 80))))
    np.save(folder / "w.npy", bf16(rng.standard_normal((80, 32))))
    shapes = [(16, 64), (128, 64), (128,), (32, 128), (32,), (16, 32)]
    for i, shape in enumerate(shapes):
        scale = shape[-1] ** -0.5 if i in (1, 3) else 1
        np.save(folder / f"s{i}.npy", bf16(scale * rng.standard_normal(shape)))


def read(path):
    array = np.load(path)
    return array.view(np.uint16) if array.dtype.kind == "V" else array


def arguments(files):
    for name in files:
        if name.endswith(".npz"):
            archive = np.load(name)
            yield from (archive[f"i{i}"] for i in range(sum(key[0] == "i" for key in archive)))
        else:
            yield read(name)


def run(vmfb, function, out, cpu, rng, *files):
    out, cpu = pathlib.Path(out), pathlib.Path(cpu)
    out.mkdir(parents=True, exist_ok=True)
    arrays = list(arguments(files))
    if rng != "-":
        arrays.append(np.array([int(word) for word in rng.split(",")], np.int32))
    command = [os.environ["IREE_RUN_MODULE"], "--device=local-task", f"--module={vmfb}", f"--function={function}"]
    for i, array in enumerate(arrays):
        array.tofile(out / f"in{i}.bin")
        shape = "x".join(map(str, array.shape))
        command.append(f"--input={shape}x{NAMES[array.dtype.name]}=@{out / f'in{i}.bin'}")
    expected = [read(cpu / f"out{i}.npy") for i in range(len(list(cpu.glob("out*.npy"))))]
    command += [f"--output=@{out / f'out{i}.bin'}" for i in range(len(expected))]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for i, want in enumerate(expected):
        got = np.fromfile(out / f"out{i}.bin", want.dtype).reshape(want.shape)
        np.save(out / f"out{i}.npy", got)
        word = f"u{want.itemsize}"
        different = np.count_nonzero(got.view(word) != want.view(word))
        values = [(a.astype(np.uint32) << 16).view(np.float32) if word == "u2" else a.astype(np.float64) for a in (got, want)]
        with np.errstate(invalid="ignore"):
            error = np.nanmax(np.abs(values[0] - values[1])) / max(np.nanmax(np.abs(values[1])), 1e-30)
        print(f"{function} result {i}: {different} of {want.size} differ, worst {error:.1e}")


def g2(folder):
    codes_a, scales_a, codes_b, scales_b, c = (np.load(folder / f"out{i}.npy") for i in range(5))

    def values(codes, scales):
        # 27 bits at most: exact in f64, and products of two in long double.
        signed = np.where(codes & 8, -1, 1) * (codes & 7)
        return signed.astype(np.longdouble) * np.repeat(scales, 16, axis=1).astype(np.longdouble)

    a, b = values(codes_a, scales_a), values(codes_b, scales_b)
    exact, size = a @ b.T, np.abs(a) @ np.abs(b).T
    bound = (80 + 16) * np.longdouble(2) ** -24 * size + np.longdouble(2) ** -126
    outside = np.count_nonzero(np.abs(c - exact) > bound)
    print(f"G2: {outside} of {c.size} outside, {np.abs(c).max():.1f} the greatest")


if __name__ == "__main__":
    if sys.argv[1] == "run":
        run(*sys.argv[2:])
    else:
        {"operands": operands, "g2": g2}[sys.argv[1]](pathlib.Path(sys.argv[2]))
