"""Runs a step that is two functions, as a training loop would: @forward, then @backward on what it
saved and on the gradient of its result; compares with PyTorch's own numbers.

Usage: forward_backward.py MODEL.linalg.mlir MODEL.npz DIR OPTION…   (options of ufp4-run)

The .npz holds the forward's inputs i0…, its result o0, the gradient t0 of that, and the gradients
g0… that the backward returns.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np


def floats(array):
    bits = array.view(np.uint16) if array.dtype.itemsize == 2 else array
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def relative_error(path, reference):
    got, want = floats(np.load(path)), floats(reference)
    assert got.shape == want.shape, (path, got.shape, want.shape)
    return np.linalg.norm(got - want) / np.linalg.norm(want)


def main(model, archive, out, *options):
    out = pathlib.Path(out)
    npz = np.load(archive)
    run = ["ufp4-run", model, *options]
    subprocess.run([*run, "--entry=forward", f"--inputs={archive}", f"--output-dir={out}/forward"], check=True)
    signature = re.search(r"@backward\((.*?)\) ->", pathlib.Path(model).read_text())[1]
    out.mkdir(parents=True, exist_ok=True)
    inputs = []
    for kind, number in re.findall(r"\{ufp4\.(saved|tangent) = (\d+) : i64\}", signature):
        if kind == "saved":
            inputs.append(f"{out}/forward/out{number}.npy")
        else:
            np.save(out / f"tangent{number}.npy", npz[f"t{number}"])
            inputs.append(f"{out}/tangent{number}.npy")
    subprocess.run([*run, "--entry=backward", "--inputs=" + ",".join(inputs), f"--output-dir={out}/backward"], check=True)
    print(f"result: relative error {relative_error(out / 'forward/out0.npy', npz['o0']):.4f}")
    gradients = [name for name in npz.files if re.fullmatch(r"g\d+", name)]
    errors = [relative_error(out / f"backward/out{name[1:]}.npy", npz[name]) for name in gradients]
    print(f"{len(errors)} gradients: relative errors {min(errors):.4f} to {max(errors):.4f}")


main(*sys.argv[1:])
