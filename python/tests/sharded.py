"""Training steps on a mesh, under shard_map or jax.jit alone, and the same steps on one device; prints as JSON how
they compare.

Layers are MLPs whose first GEMM is parallel by columns and the second by rows. Nothing but GEMMs and exact
elementwise functions is in them, all in f32: with the scales of `ufp4-mx`, powers of two, every sum is exact in
whatever order, so one code that differs shows.
"""

import functools
import json
import re
import warnings

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


def heads(p, x, y):
    """Dimensions of several factors: one head is a part of a contraction."""
    h = jnp.maximum(jnp.einsum("bsd,dhk->bshk", x, p["w1"]), 0)
    return (jnp.einsum("bshk,hkd->bsd", h, p["w2"]) - y) ** 2


def make(model):
    """Parameters, data and how they are split."""
    rng = np.random.default_rng(0)
    normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    if model is mlp:
        p = {"w1": normal(WIDTH, HIDDEN) / 8, "w2": normal(HIDDEN, WIDTH) / 16}
        specs = {"w1": P(None, "model"), "w2": P("model")}
        return (p, normal(512, WIDTH), normal(512, WIDTH)), (specs, P("data"), P("data"))
    if model is heads:
        p = {"w1": normal(WIDTH, 8, 32) / 8, "w2": normal(8, 32, WIDTH) / 16}
        specs = {"w1": P(None, "model"), "w2": P("model")}
        return (p, normal(8, 64, WIDTH), normal(8, 64, WIDTH)), (specs, P("data"), P("data"))
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


def whole(model):
    """The step on whole arrays."""

    def step(p, x, y):
        # A power of two, that the mean is exact.
        return jax.value_and_grad(lambda p: jnp.sum(model(p, x, y)) / y.size)(p)

    return step


@functools.cache
def alone(model, recipe):
    """What one device computes."""
    return ufp4.jax.quantize(whole(model), recipe, include_f32=True)(*make(model)[0], **SEED)


def make_mesh(shape):
    return jax.make_mesh(shape, ("data", "model"), axis_types=(AxisType.Auto,) * 2)


def place(mesh, arguments, specs):
    return jax.tree.map(lambda a, spec: jax.device_put(a, NamedSharding(mesh, spec)), arguments, specs)


def mapped(model, mesh, specs, count):
    """The step on parts of arrays."""

    def step(p, x, y):
        def local(p, x, y):
            reduce = lambda z: jax.lax.psum(z, "model")
            value, gradients = jax.value_and_grad(lambda p: jnp.sum(model(p, x, y, reduce)) / count)(p)
            # JAX sums the gradients of what devices hold alike.
            return jax.lax.psum(value, "data"), gradients

        return jax.shard_map(local, mesh=mesh, in_specs=specs, out_specs=(P(), specs[0]))(p, x, y)

    return step


def compare(how, model, shape, recipe):
    mesh = make_mesh(shape)
    arguments, specs = make(model)
    step = mapped(model, mesh, specs, arguments[2].size) if how == "map" else whole(model)
    results = None
    if how == "fsdp":
        specs = {"w1": P("data", "model"), "w2": P("model", "data")}, *specs[1:]
        results = jax.tree.map(functools.partial(NamedSharding, mesh), (P(), specs[0]))
    placed = place(mesh, arguments, specs)
    quantized = ufp4.jax.quantize(step, recipe, include_f32=True)
    ours, theirs = quantized(*placed, **SEED), alone(model, recipe)
    text, reference = (
        jax.jit(f, out_shardings=results).lower(*placed).compile().as_text()
        for f in (functools.partial(quantized, **SEED), step)
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


def cut():
    """A batch of which parts cut blocks along the contraction of wgrad: that it is right, and what is said."""
    arguments, _ = make(mlp)
    arguments = arguments[0], *(a[:80] for a in arguments[1:])
    placed = place(make_mesh((8, 1)), arguments, ({"w1": P(), "w2": P()}, P("data"), P("data")))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ours = ufp4.jax.quantize(whole(mlp), "ufp4-mx", include_f32=True)(*placed, **SEED)
    theirs = ufp4.jax.quantize(whole(mlp), "ufp4-mx", include_f32=True)(*arguments, **SEED)
    equal = all(np.array_equal(ours[1][k], theirs[1][k]) for k in ours[1])
    return {"equal": equal, "said": sorted(str(warning.message) for warning in said)}


def partial():
    """shard_map over one of two axes: inside the step, what is said; around it, the error."""
    mesh = make_mesh((2, 4))
    arguments, specs = make(mlp)
    placed = place(mesh, arguments, specs)
    specs = (P(), P("data"), P("data"))
    over_data = functools.partial(
        jax.shard_map, mesh=mesh, in_specs=specs, out_specs=P(), axis_names={"data"}, check_vma=False
    )
    inside = over_data(lambda p, x, y: jax.lax.psum(whole(mlp)(p, x, y), "data"))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        ours = ufp4.jax.quantize(inside, include_f32=True)(*placed, **SEED)
    quantized = ufp4.jax.quantize(whole(mlp), include_f32=True)
    try:
        jax.jit(over_data(functools.partial(quantized, **SEED)))(*placed)
        error = ""
    except ufp4.Error as refused:
        error = str(refused)
    loss = float(jax.jit(inside)(*placed)[0])
    return {"loss": [float(ours[0]), loss], "said": sorted(str(warning.message) for warning in said), "error": error}


EXPERTS = 2  # Of each device.


def mixture(p, x, chosen, sizes):
    """Rows by the experts that they chose, in the order of the experts."""
    order = jnp.argsort(chosen, stable=True)
    dot = functools.partial(jax.lax.ragged_dot, group_sizes=sizes, preferred_element_type=jnp.float32)
    h = jnp.maximum(dot(x[order], p["w1"]), 0)
    return jnp.zeros((len(x), WIDTH), jnp.float32).at[order].set(dot(h, p["w2"]))


def experts(recipe):
    """Experts on eight devices, to which tokens go by all_to_all, and by which they come back."""
    rng = np.random.default_rng(0)
    normal = lambda *shape: rng.standard_normal(shape).astype(np.float32)
    p = {"w1": normal(8 * EXPERTS, WIDTH, 96) / 8, "w2": normal(8 * EXPERTS, 96, WIDTH) / 8}
    # From each device to each; the last expert of all gets nothing.
    x, y = normal(8, 8, 20, WIDTH), normal(8, 8, 20, WIDTH)
    chosen = rng.integers(0, EXPERTS, (8, 8, 20)).astype(np.int32)
    chosen[:, -1] = 0

    def alone(p, x, y, chosen):
        rows = jnp.swapaxes(x, 0, 1).reshape(-1, WIDTH)
        global_ = jnp.swapaxes(chosen, 0, 1) + EXPERTS * jnp.arange(8)[:, None, None]
        sizes = jnp.bincount(global_.reshape(-1), length=8 * EXPERTS).astype(jnp.int32)
        found = mixture(p, rows, global_.reshape(-1), sizes)
        return jnp.sum((jnp.swapaxes(found.reshape(x.shape), 0, 1) - y) ** 2) / 2**16

    def local(p, x, y, chosen):
        exchange = lambda z: jax.lax.all_to_all(z, "model", 0, 0)
        own = exchange(chosen[0]).reshape(-1)
        sizes = jnp.bincount(own, length=EXPERTS).astype(jnp.int32)
        found = mixture(p, exchange(x[0]).reshape(-1, WIDTH), own, sizes)
        return jnp.sum((exchange(found.reshape(x.shape[1:])) - y[0]) ** 2) / 2**16

    mesh = make_mesh((1, 8))
    specs = ({"w1": P("model"), "w2": P("model")}, P("model"), P("model"), P("model"))

    def sharded(p, x, y, chosen):
        def step(*arguments):
            value, gradients = jax.value_and_grad(local)(*arguments)
            return jax.lax.psum(value, "model"), gradients

        return jax.shard_map(step, mesh=mesh, in_specs=specs, out_specs=(P(), specs[0]))(p, x, y, chosen)

    arguments = p, x, y, chosen
    placed = place(mesh, arguments, specs)
    quantized = ufp4.jax.quantize(sharded, recipe, include_f32=True)
    ours = quantized(*placed, **SEED)
    theirs = ufp4.jax.quantize(jax.value_and_grad(alone), recipe, include_f32=True)(*arguments, **SEED)
    text, reference = (
        jax.jit(f).lower(*placed).compile().as_text() for f in (functools.partial(quantized, **SEED), sharded)
    )
    flat = lambda tree: {k: np.asarray(v, np.float64) for k, v in tree[1].items()}
    a, b, other = flat(ours), flat(theirs), flat(quantized(*placed, seed=5, step=4))
    distance = lambda x, y: max(float(np.linalg.norm(x[k] - y[k]) / np.linalg.norm(b[k])) for k in b)
    return {
        "roles": [(g["role"], g.get("groups"), g["decision"]) for g in quantized.decisions],
        "equal": all(np.array_equal(a[k], b[k]) for k in a),
        "noise": distance(a, other),
        "nothing": float(max(np.abs(a[k][-1]).max() for k in a)),
        "loss": [float(ours[0]), float(theirs[0])],
        "collectives": collectives(text),
        "reference": collectives(reference),
    }


CASES = (
    [("map", mlp, mesh, "ufp4-mx") for mesh in MESHES]
    + [("map", mlp, "both", "ufp4"), ("map", mlp, "both", "ufp4-nv")]
    + [("map", blocks, "data", "ufp4-mx"), ("map", blocks, "both", "ufp4-mx")]
    + [("jit", mlp, "data", "ufp4-mx"), ("jit", mlp, "tensor", "ufp4-mx")]
    + [("fsdp", mlp, "data", "ufp4-mx"), ("jit", mlp, "both", "ufp4-nv")]
    + [("jit", heads, "both", "ufp4-mx"), ("jit", blocks, "both", "ufp4-mx")]
)


def get_name(how, model, mesh, recipe):
    return f"{how}-{model.__name__}-{mesh}-{recipe}"


if __name__ == "__main__":
    # What is split along whole blocks is gathered nowhere.
    warnings.filterwarnings("error", message="GEMM ")
    found = {get_name(*case): compare(*case[:2], MESHES[case[2]], case[3]) for case in CASES}
    found |= {f"experts-{recipe}": experts(recipe) for recipe in ("ufp4-mx", "ufp4-nv")}
    print(json.dumps(found | {"cut": cut(), "partial": partial()}))
