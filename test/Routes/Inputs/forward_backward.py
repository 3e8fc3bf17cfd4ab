"""Runs a step that is two functions, as a training loop would: @forward, then @backward on what it
saved and on the gradient of its result. Compares with PyTorch's own numbers, and to the bit with the
same step in one function, which calls the two.

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


def read_signature(text, name):
    signature = re.search(rf"@{name}\((.*?)\) -> \((.*?)\)", text)
    return [re.findall(r"tensor<[^>]*>", part) for part in signature.groups()]


def join(text, links):
    """The module with @step, which takes the forward's arguments and the tangents."""
    arguments, results = read_signature(text, "forward")
    operands, gradients = read_signature(text, "backward")
    tangents = [type for type, (kind, _) in zip(operands, links) if kind == "tangent"]
    names = [f"%a{i}" for i in range(len(arguments) + len(tangents))]
    passed = [f"%f#{n}" if kind == "saved" else names[len(arguments) + int(n)] for kind, n in links]
    step = f"""
  func.func @step({", ".join(map(": ".join, zip(names, arguments + tangents)))}) -> ({", ".join(gradients)}) {{
    %f:{len(results)} = call @forward({", ".join(names[:len(arguments)])}) : ({", ".join(arguments)}) -> ({", ".join(results)})
    %b:{len(gradients)} = call @backward({", ".join(passed)}) : ({", ".join(operands)}) -> ({", ".join(gradients)})
    return {", ".join(f"%b#{i}" for i in range(len(gradients)))} : {", ".join(gradients)}
  }}
}}
"""
    # Links are of entries, which these functions no longer are.
    text = re.sub(r" \{ufp4\.(saved|tangent) = \d+ : i64\}| attributes \{ufp4\.forward = @forward\}", "", text)
    return re.sub(r"@(forward|backward)\(", r"private @\1(", text.rstrip()[:-1]) + step


def main(model, archive, out, *options):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    npz = np.load(archive)
    text = pathlib.Path(model).read_text()
    links = re.findall(r"\{ufp4\.(saved|tangent) = (\d+) : i64\}", text)

    def run(module, entry, inputs):
        command = ["ufp4-run", module, *options, f"--entry={entry}"]
        subprocess.run([*command, f"--inputs={','.join(map(str, inputs))}", f"--output-dir={out / entry}"], check=True)

    def save(name):
        np.save(out / f"{name}.npy", npz[name])
        return out / f"{name}.npy"

    forward = [save(name) for name in npz.files if name[0] == "i"]
    tangents = [save(name) for name in npz.files if name[0] == "t"]
    run(model, "forward", forward)
    saved = [out / f"forward/out{n}.npy" if kind == "saved" else tangents[int(n)] for kind, n in links]
    run(model, "backward", saved)
    print(f"result: relative error {relative_error(out / 'forward/out0.npy', npz['o0']):.4f}")
    gradients = [name[1:] for name in npz.files if name[0] == "g"]
    errors = [relative_error(out / f"backward/out{n}.npy", npz[f"g{n}"]) for n in gradients]
    print(f"{len(errors)} gradients: relative errors {min(errors):.4f} to {max(errors):.4f}")
    (out / "joint.mlir").write_text(join(text, links))
    run(out / "joint.mlir", "step", forward + tangents)
    equal = [(out / f"{entry}/out{n}.npy").read_bytes() for entry in ("backward", "step") for n in gradients]
    print(f"in one function: {sum(map(bytes.__eq__, equal[: len(gradients)], equal[len(gradients) :]))} equal")


main(*sys.argv[1:])
