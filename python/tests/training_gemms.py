"""The three GEMMs of each linear layer on given operands, quantized, on some cores: training_gemms.py OPERANDS CORE…

Prints as JSON the hash of each product's bits, and how many threads XLA had. Equal bits need equal codes.
"""

import hashlib
import json
import os
import sys

os.sched_setaffinity(0, set(map(int, sys.argv[2:])))

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import ufp4.jax  # noqa: E402


def gemms(w, x, dy):
    y, backward = jax.vjp(lambda x, w: jnp.dot(x, w, preferred_element_type=jnp.float32), x, w)
    dx, dw = backward(dy.astype(jnp.float32))
    return y, dx, dw


quantized = ufp4.jax.quantize(gemms, params=["w"])
sums = {}
with np.load(sys.argv[1]) as arrays:
    for layer in sorted({key.split("/")[0] for key in arrays.files}):
        operands = [jnp.asarray(arrays[f"{layer}/{member}"], jnp.bfloat16) for member in ("w", "x", "dy")]
        for role, product in zip(("fprop", "dgrad", "wgrad"), quantized(*operands, seed=1, step=2)):
            sums[f"{layer} {role}"] = hashlib.sha256(np.asarray(product).tobytes()).hexdigest()
        assert [gemm["decision"] for gemm in quantized.decisions] == ["rewritten"] * 3
print(json.dumps({"threads": len(os.sched_getaffinity(0)), "sums": sums}))
