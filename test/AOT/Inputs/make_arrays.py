"""Writes the inputs of entries.test. Usage: make_arrays.py FOLDER"""

import pathlib
import sys

import numpy as np

rng = np.random.default_rng(1)


def bf16(*shape):
    return (rng.standard_normal(shape, np.float32).view(np.uint32) >> 16).astype(np.uint16)


arrays = {
    "x": rng.standard_normal((5, 4), np.float32),
    "none": np.zeros((0, 4), np.float32),
    "w": rng.standard_normal((4, 8), np.float32),
    "a": rng.standard_normal(3, np.float32),
    "b": rng.standard_normal(3, np.float32),
    "seed": np.array(-5, np.int64),
    "d": rng.standard_normal(7),
    "bytes": rng.integers(-128, 128, (3, 5), np.int8),
    "bits": np.array([[True, False], [False, True]]),
    "f16": rng.standard_normal((2, 2)).astype(np.float16),
    "bf16": bf16(2, 2),
    "empty": np.zeros(0, np.float32),
    "wd": bf16(64, 32),
    "tokens": bf16(48, 64),
    "dy": bf16(48, 32),
}
for name, array in arrays.items():
    np.save(pathlib.Path(sys.argv[1]) / f"{name}.npy", array)
