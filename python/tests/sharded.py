"""A training step under shard_map on a mesh and the same step on one device; prints as JSON how they compare.

The layers are an MLP whose first GEMM is parallel by columns and the second by rows. Nothing but GEMMs and exact
elementwise functions is in it, all in f32: with the scales of `ufp4-mx`, powers of two, every sum is exact in
whatever order, so one code that differs shows.
"""

import functools
import json
import re

import jax
import jax.numpy as jnp
import numpy as np
import ufp4.jax
from jax.sharding import AxisType, NamedSharding
from jax.sharding import PartitionSpec as P

BATCH, WIDTH, HIDDEN = 512, 64, 256
MESHES = {"data": (8, 1), "tensor": (1, 8), "both": (2, 4)}
SPECS = {"w1": P(None, "model"), "w2": P("model", None)}, P("data"), P("data")


def loss(p, x, y, reduce=lambda z: z):
    h = jnp.maximum(x @ p["w1"], 0)
    # A power of two, that the mean is exact.
    return jnp.sum((reduce(h @ p["w2"]) - y) ** 2) / (BATCH * WIDTH)


def alone(p, x, y):
    return jax.value_and_grad(loss)(p, x, y)


def sharded(mesh, p, x, y):
    def local(p, x, y):
        value, gradients = jax.value_and_grad(loss)(p, x, y, lambda z: jax.lax.psum(z, "model"))
        return jax.lax.psum(value, "data"), gradients

    # The gradient of what devices hold alike is summed by JAX.
    return jax.shard_map(local, mesh=mesh, in_specs=SPECS, out_specs=(P(), SPECS[0]))(p, x, y)


def collectives(text):
    """Kind and type of every collective of a compiled module, layouts apart."""
    kinds = "all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter"
    found = re.findall(rf"^\s*(?:ROOT )?%[\w.-]* = (.*?) ({kinds})(?:-start)?\(", text, re.M)
    return sorted(f"{kind} {part}" for types, kind in found for part in re.findall(r"\w+\[[\d,]*\]", types))


def compare(shape, recipe):
    mesh = jax.make_mesh(shape, ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    rng = np.random.default_rng(0)
    normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    p = {"w1": normal(WIDTH, HIDDEN) / 8, "w2": normal(HIDDEN, WIDTH) / 16}
    arguments = p, normal(BATCH, WIDTH), normal(BATCH, WIDTH)
    placed = jax.tree.map(lambda a, spec: jax.device_put(a, NamedSharding(mesh, spec)), arguments, SPECS)
    step = functools.partial(sharded, mesh)
    quantized = ufp4.jax.quantize(step, recipe, include_f32=True)
    one = ufp4.jax.quantize(alone, recipe, include_f32=True)
    seed = {"seed": 5, "step": 3}
    ours, theirs = quantized(*placed, **seed), one(*arguments, **seed)
    texts = [
        jax.jit(f).lower(*placed).compile().as_text() for f in (lambda *args: quantized(*args, **seed), step)
    ]
    flat = lambda tree: {k: np.asarray(v, np.float64) for k, v in tree[1].items()}
    a, b = flat(ours), flat(theirs)
    other = flat(quantized(*placed, seed=5, step=4))
    return {
        "decisions": [[g["role"], g["decision"], g["message"]] for g in quantized.decisions],
        "equal": {k: bool(np.array_equal(a[k], b[k])) for k in a},
        "error": max(float(np.linalg.norm(a[k] - b[k]) / np.linalg.norm(b[k])) for k in a),
        "noise": min(float(np.linalg.norm(a[k] - other[k]) / np.linalg.norm(b[k])) for k in a),
        "loss": [float(ours[0]), float(theirs[0])],
        "collectives": collectives(texts[0]),
        "reference": collectives(texts[1]),
    }


if __name__ == "__main__":
    recipes = "ufp4-mx", "ufp4", "ufp4-nv"
    print(json.dumps({mesh: {r: compare(shape, r) for r in recipes} for mesh, shape in MESHES.items()}))
