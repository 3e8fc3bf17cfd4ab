"""Writes arrays of numbers between 0 and 1, or of integers. Usage: make_floats.py FOLDER NAME:SHAPE[:TYPE]..."""

import pathlib
import sys

import numpy as np

random = np.random.default_rng(3)
for spec in sys.argv[2:]:
    name, shape, dtype = (spec.split(":") + ["f4"])[:3]
    extents = [int(extent) for extent in shape.split("x")]
    values = random.random(extents) * (100 if dtype.startswith("i") else 1)
    array = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) if dtype == "bf16" else values.astype(dtype)
    np.save(pathlib.Path(sys.argv[1]) / f"{name}.npy", array)
