"""Training steps under shard_map on a mesh and the same steps on one device; prints as JSON how they compare.

Layers are MLPs whose first GEMM is parallel by columns and the second by rows. Nothing but GEMMs and exact
elementwise functions is in them, all in f32: with the scales of `ufp4-mx`, powers of two, every sum is exact in
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

WIDTH, HIDDEN, LAYERS, TOKENS = 64, 256, 2, 48
MESHES = {"data": (8, 1), "tensor": (1, 8), "both": (2, 4)}


def layer(x, w1, w2, reduce):
    h = jnp.maximum(jnp.einsum("...d,dh->...h", x, w1), 0)
    return reduce(jnp.einsum("...h,hd->...d", h, w2))


def mlp(p, x, y, reduce=lambda z: z):
    return (layer(x, p["w1"], p["w2"], reduce) - y) ** 2


def blocks(p, tokens, y, reduce=lambda z: z):
    """Residual layers by scan, each recomputed in the backward, over embedded [B, S]."""
    body = jax.checkpoint(lambda x, l: (x + layer(x, l["w1"], l["w2"], reduce), None))
    return (jax.lax.scan(body, p["embed"][tokens], {"w1": p["w1"], "w2": p["w2"]})[0] - y) ** 2


def make(model):
    """Parameters, data and how they are split."""
    rng = np.random.default_rng(0)
    normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    if model is mlp:
        p = {"w1": normal(WIDTH, HIDDEN) / 8, "w2": normal(HIDDEN, WIDTH) / 16}
        specs = {"w1": P(None, "model"), "w2": P("model")}
        return (p, normal(512, WIDTH), normal(512, WIDTH)), (specs, P("data"), P("data"))
    # Multiples of 1/8: a residual adds exactly. A batch of eight is one sequence on each of eight devices.
    eighths = lambda *shape: np.round(normal(*shape) * 8) / 8
    p = {"w1": normal(LAYERS, WIDTH, HIDDEN) / 8, "w2": normal(LAYERS, HIDDEN, WIDTH) / 16, "embed": eighths(TOKENS, WIDTH)}
    specs = {"w1": P(None, None, "model"), "w2": P(None, "model"), "embed": P()}
    tokens = rng.integers(0, TOKENS, (8, 32)).astype(np.int32)
    return (p, tokens, eighths(8, 32, WIDTH)), (specs, P("data"), P("data"))


def collectives(text):
    """Kind and type of every collective of a compiled module, layouts apart."""
    kinds = "all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter"
    found = re.findall(rf"^\s*(?:ROOT )?%[\w.-]* = (.*?) ({kinds})(?:-start)?\(", text, re.M)
    return sorted(f"{kind} {part}" for types, kind in found for part in re.findall(r"\w+\[[\d,]*\]", types))


SEED = {"seed": 5, "step": 3}


@functools.cache
def alone(model, recipe):
    """What one device computes."""
    arguments, _ = make(model)

    def step(p, x, y):
        return jax.value_and_grad(lambda p: jnp.sum(model(p, x, y)) / y.size)(p)

    return ufp4.jax.quantize(step, recipe, include_f32=True)(*arguments, **SEED)


def compare(model, shape, recipe):
    mesh = jax.make_mesh(shape, ("data", "model"), axis_types=(AxisType.Auto,) * 2)
    arguments, specs = make(model)
    # A power of two, that the mean is exact.
    count = arguments[2].size

    def step(p, x, y):
        def local(p, x, y):
            reduce = lambda z: jax.lax.psum(z, "model")
            value, gradients = jax.value_and_grad(lambda p: jnp.sum(model(p, x, y, reduce)) / count)(p)
            # JAX sums the gradients of what devices hold alike.
            return jax.lax.psum(value, "data"), gradients

        return jax.shard_map(local, mesh=mesh, in_specs=specs, out_specs=(P(), specs[0]))(p, x, y)

    placed = jax.tree.map(lambda a, spec: jax.device_put(a, NamedSharding(mesh, spec)), arguments, specs)
    quantized = ufp4.jax.quantize(step, recipe, include_f32=True)
    ours, theirs = quantized(*placed, **SEED), alone(model, recipe)
    text, reference = (
        jax.jit(f).lower(*placed).compile().as_text() for f in (functools.partial(quantized, **SEED), step)
    )
    flat = lambda tree: {k: np.asarray(v, np.float64) for k, v in tree[1].items()}
    a, b, other = flat(ours), flat(theirs), flat(quantized(*placed, seed=5, step=4))
    distance = lambda x, y, k: float(np.linalg.norm(x[k] - y[k]) / np.linalg.norm(b[k]))
    return {
        "roles": [g["role"] for g in quantized.decisions],
        "left": [g["message"] for g in quantized.decisions if g["decision"] != "rewritten"],
        "equal": all(np.array_equal(a[k], b[k]) for k in a),
        "error": max(distance(a, b, k) for k in a),
        "noise": min(distance(a, other, k) for k in a),
        "loss": [float(ours[0]), float(theirs[0])],
        "collectives": collectives(text),
        "reference": collectives(reference),
    }


CASES = [(mlp, mesh, "ufp4-mx") for mesh in MESHES] + [
    (mlp, "both", "ufp4"),
    (mlp, "both", "ufp4-nv"),
    (blocks, "data", "ufp4-mx"),
    (blocks, "both", "ufp4-mx"),
]


if __name__ == "__main__":
    found = {f"{model.__name__}-{mesh}-{recipe}": compare(model, MESHES[mesh], recipe) for model, mesh, recipe in CASES}
    print(json.dumps(found))
