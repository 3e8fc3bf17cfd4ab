"""Compares a run's results with a model's own: compare.py RUN_DIR MODEL.npz [--limit=X] [--vector-limit=X]

RUN_DIR holds out0.npy, out1.npy, ... as ufp4-run writes them; MODEL.npz the results o0, o1, ... that
JAX computed: new parameters, the loss, the gradients. Prints one line; with limits, exit code 1 where
worst |difference| / max |reference| over the loss and a gradient exceeds its limit.
"""

import pathlib
import sys

import numpy as np


def widen(array):
    """bfloat16, as uint16 bit patterns or as the two-byte void that ml_dtypes writes, to float32."""
    if array.dtype == np.uint16 or (array.dtype.kind == "V" and array.dtype.itemsize == 2):
        bits = array.view(np.uint16).astype(np.uint32) << 16
        return bits.view(np.float32).reshape(array.shape).astype(np.float64)
    return array.astype(np.float64)


def main(run, model, limits):
    reference = np.load(model)
    count = sum(key.startswith("o") for key in reference.files)
    ours = [widen(np.load(pathlib.Path(run) / f"out{i}.npy")) for i in range(count)]
    theirs = [widen(reference[f"o{i}"]) for i in range(count)]
    loss = (count - 1) // 2
    worst = {"matrix": 0.0, "vector": 0.0}
    squared = norm = 0.0
    for i in range(loss, count):
        if ours[i].shape != theirs[i].shape:
            sys.exit(f"result {i}: expected shape {theirs[i].shape}, found {ours[i].shape}")
        difference = np.abs(ours[i] - theirs[i]).max() / max(np.abs(theirs[i]).max(), 1e-30)
        kind = "vector" if ours[i].ndim == 1 else "matrix"
        worst[kind] = max(worst[kind], difference) if difference == difference else np.inf
        if i > loss:
            squared += np.square(ours[i] - theirs[i]).sum()
            norm += np.square(theirs[i]).sum()
    print(
        f"loss {float(ours[loss]):.6f} (JAX {float(theirs[loss]):.6f}), gradients:"
        f" relative error {np.sqrt(squared / norm):.4f},"
        f" worst |d|/max |ref| {worst['matrix']:.4f} (vectors {worst['vector']:.4f})"
    )
    return any(worst[kind] > limit for kind, limit in limits.items())


if __name__ == "__main__":
    options = dict(arg[2:].split("=") for arg in sys.argv[1:] if arg.startswith("--"))
    paths = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    if len(paths) != 2 or not set(options) <= {"limit", "vector-limit"}:
        sys.exit(__doc__)
    kinds = {"limit": "matrix", "vector-limit": "vector"}
    sys.exit(int(main(*paths, {kinds[key]: float(value) for key, value in options.items()})))
