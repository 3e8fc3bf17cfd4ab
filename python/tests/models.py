"""The example models: their files, arrays and step functions."""

import importlib
import pathlib
import sys

import ml_dtypes
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "models"


def load(name):
    """Inputs and JAX's own results of a model, bf16 as ml_dtypes.bfloat16."""
    with np.load(MODELS / f"{name}.npz") as arrays:
        lists = []
        for kind in "io":
            count = sum(key.startswith(kind) for key in arrays.files)
            loaded = [arrays[f"{kind}{i}"] for i in range(count)]
            lists.append([a.view(ml_dtypes.bfloat16) if a.dtype == np.uint16 else a for a in loaded])
    return lists


def module(script):
    """A script of examples/models/make."""
    sys.path.insert(0, str(MODELS / "make"))
    try:
        return importlib.import_module(script)
    finally:
        sys.path.pop(0)


def step_function(script):
    """The training step that a script of examples/models/make exports."""
    return getattr(module(script), f"{script}_step")


def worst(results, references):
    """The greatest |difference| / max |reference| over the loss and the gradients (examples/compare.py), and
    the relative error of all gradients together."""
    first = (len(references) - 1) // 2
    greatest = squared = norm = 0.0
    for i in range(first, len(references)):
        a, b = (np.asarray(x).astype(np.float64) for x in (results[i], references[i]))
        assert a.shape == b.shape and np.isfinite(a).all()
        greatest = max(greatest, np.abs(a - b).max() / np.abs(b).max())
        if i > first:
            squared += np.square(a - b).sum()
            norm += np.square(b).sum()
    return greatest, (squared / norm) ** 0.5
