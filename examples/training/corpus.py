"""The text: Python sources and their English documentation, as the JAX package ships them.

Every machine that runs the example has it, without a download; its hash tells two versions apart.
"""

import hashlib
import importlib.util
import pathlib

import numpy as np

VOCABULARY = 256
# Tables of numbers and dumps of bytes are no text.
LEFT_OUT = ("internal_test_util", "tuned_block_sizes", "_pb2")


def files(root):
    """The sources below `root`, as (posix path, file), in an order that no file system decides."""
    found = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    return sorted((name, path) for name, path in found.items() if not any(part in name for part in LEFT_OUT))


def load(root=None):
    """The text as bytes [n], and the 16 first digits of its SHA-256.

    Args:
      root: a folder of Python sources, or one file of any text; None: the installed JAX.
    """
    if root is None:
        root = importlib.util.find_spec("jax").submodule_search_locations[0]
    root = pathlib.Path(root)
    texts = [root.read_bytes()] if root.is_file() else [path.read_bytes() for _, path in files(root)]
    text = b"\n".join(texts)
    if len(text) < 1_000_000:
        raise SystemExit(f"{root}: expected a text of a million bytes at least, found {len(text)}")
    return np.frombuffer(text, np.uint8), hashlib.sha256(text).hexdigest()[:16]


def batch(text, seed, step, size, length):
    """Tokens and targets [size, length] of a step: places drawn by seed and step alone, so that every row of the
    comparison sees the same data and a resumed run needs no state."""
    starts = np.random.default_rng([2, seed, step]).integers(len(text) - length, size=size)
    windows = text[starts[:, None] + np.arange(length + 1)].astype(np.int32)
    return windows[:, :-1], windows[:, 1:]
