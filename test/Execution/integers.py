"""Writes inputs that quantize exactly: integers times a power of two, 7 in every block of 16.

Usage: integers.py FOLDER SHAPE:ALONG[,ALONG…] ...   e.g.  integers.py t 16x64:1 64x32:0

Each array's elements are integers from -7 to 7, bf16, and every aligned run of 16 along each ALONG
(several dimensions joined by `+` run as one, row-major) holds a 7, so that the uniform grid with f32
scales and no rotation keeps them all and every GEMM is exact. Files in0.npy, in1.npy, … of uint16.
"""

import pathlib
import sys

import numpy as np


def place_sevens(array, dims):
    """Puts a 7 at the first place of each aligned run of 16 along the merged dimensions."""
    moved = np.moveaxis(array, dims, range(array.ndim - len(dims), array.ndim))
    flat = moved.reshape(-1, int(np.prod([array.shape[dim] for dim in dims])))
    flat[:, ::16] = 7
    moved[...] = flat.reshape(moved.shape)


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
random = np.random.default_rng(7)
for number, spec in enumerate(sys.argv[2:]):
    shape, alongs = spec.split(":")
    values = random.integers(-7, 8, [int(extent) for extent in shape.split("x")]).astype(np.float32)
    for along in filter(None, alongs.split(",")):
        place_sevens(values, [int(dim) for dim in along.split("+")])
    np.save(folder / f"in{number}.npy", (values.view(np.uint32) >> 16).astype(np.uint16))
