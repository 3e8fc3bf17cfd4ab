"""ufp4.jax.quantize on training steps."""

import functools
import json
import os
import subprocess
import sys
import warnings

import jax
import jax.numpy as jnp
import ml_dtypes
import models
import numpy as np
import pytest
import ufp4
import ufp4.jax

BF16 = jnp.bfloat16


def dot(x, w):
    return jnp.dot(x, w, preferred_element_type=jnp.float32).astype(BF16)


def loss(p, x, y):
    h = jax.nn.gelu(dot(x, p["w1"]) + p["b1"])
    return jnp.mean((dot(h, p["w2"]).astype(jnp.float32) - y) ** 2)


def train(p, x, y, rate=0.1):
    value, gradients = jax.value_and_grad(loss)(p, x, y)
    return jax.tree.map(lambda a, b: (a - rate * b).astype(a.dtype), p, gradients), value, gradients


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    normal = lambda *shape: jnp.asarray(rng.standard_normal(shape).astype(np.float32))
    p = {"w1": (normal(32, 48) / 6).astype(BF16), "b1": jnp.zeros(48, BF16), "w2": (normal(48, 16) / 7).astype(BF16)}
    return p, normal(16, 32).astype(BF16), normal(16, 16)


@pytest.fixture(scope="module")
def quantized():
    return ufp4.jax.quantize(train)


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True))


def gradient_error(results, references):
    a, b = (np.concatenate([np.asarray(x, np.float64).ravel() for x in jax.tree.leaves(t[2])]) for t in (results, references))
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def test_used_like_the_step(quantized, data):
    results = quantized(*data, seed=1, step=0)
    reference = jax.jit(train)(*data)
    assert jax.tree.structure(results) == jax.tree.structure(reference)
    for ours, theirs in zip(jax.tree.leaves(results), jax.tree.leaves(reference)):
        assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    assert 0.05 < gradient_error(results, reference) < 0.4
    assert [g["role"] for g in quantized.decisions] == ["fprop", "fprop", "wgrad", "dgrad", "wgrad"]
    assert {g["decision"] for g in quantized.decisions} == {"rewritten"}
    assert [g["parameter"]["name"] for g in quantized.decisions] == ["p.w1", "p.w2", "p.w2", "p.w2", "p.w1"]
    assert quantized.__name__ == "train"


def test_seeds(quantized, data):
    first = quantized(*data, seed=1, step=0)
    assert same(first, quantized(*data, seed=jax.random.key(1), step=jnp.int32(0)))
    assert same(first, quantized(*data, seed=jax.random.PRNGKey(1), step=np.int64(0)))
    assert same(first, quantized(*data, seed=jnp.uint32(1)))
    assert same(quantized(*data, seed=-1), quantized(*data, seed=jnp.int32(-1)))
    assert same(quantized(*data, seed=-1), quantized(*data, seed=2**64 - 1))
    for other in ({"seed": 2}, {"seed": 1, "step": 1}, {"seed": 1 | 1 << 32}):
        assert not same(first, quantized(*data, **other))
    for bad in (1.5, "x", jnp.ones(3)):
        with pytest.raises(ufp4.Error, match="seed: expected an integer"):
            quantized(*data, seed=bad)
    with pytest.raises(ufp4.Error, match="step: expected an integer"):
        quantized(*data, step=0.5)


def test_calls_are_counted(data):
    fresh = ufp4.jax.quantize(train)
    calls = [fresh(*data) for _ in range(3)]
    assert [same(calls[i], fresh(*data, seed=0, step=i)) for i in range(3)] == [True] * 3
    assert not same(calls[0], calls[1])


def test_under_jit_and_in_loops(quantized, data):
    p, x, y = data
    with pytest.raises(ufp4.Error, match="Give step=… .*, or call the quantized step outside of jit"):
        jax.jit(quantized)(*data)
    assert same(jax.jit(lambda p, i: quantized(p, x, y, step=i))(p, 3), quantized(*data, step=3))

    def body(p, i):
        p, value, _ = quantized(p, x, y, seed=4, step=i)
        return p, value

    _, losses = jax.jit(lambda p: jax.lax.scan(body, p, jnp.arange(3)))(p)
    expected = []
    for i in range(3):
        p, value, _ = quantized(p, x, y, seed=4, step=i)
        expected.append(value)
    np.testing.assert_allclose(losses, expected, rtol=1e-2)


def test_new_shapes(quantized, data):
    p, x, y = data
    for size in (16, 8):
        assert quantized(p, x[:size], y[:size], seed=0)[1].shape == ()
    assert [g["m"] for g in quantized.decisions][0] == 8
    assert [g["m"] for g in quantized.trace(p, jax.ShapeDtypeStruct((4, 32), BF16), y[:4]).decisions][0] == 4


def test_static_and_donated_arguments(data):
    p, x, y = data
    for jitted in (
        ufp4.jax.quantize(jax.jit(train, static_argnums=3, donate_argnums=0)),
        ufp4.jax.quantize(train, static_argnums=3, donate_argnums=0),
    ):
        mine = jax.tree.map(jnp.copy, p)
        results = jitted(mine, x, y, 0.5, seed=1)
        assert all(leaf.is_deleted() for leaf in jax.tree.leaves(mine)) and not x.is_deleted()
        other = jitted(jax.tree.map(jnp.copy, p), x, y, 0.25, seed=1)
        assert not same(results[0], other[0]) and same(results[2], other[2])
    named = ufp4.jax.quantize(train, static_argnames="rate")
    assert same(named(p, x, y, rate=0.5, seed=1), results)
    with pytest.raises(ufp4.Error, match="jitted already"):
        ufp4.jax.quantize(jax.jit(train), static_argnums=3)


def test_keys_pass_through(data):
    def noisy(key, p, x, y):
        key, use = jax.random.split(key)
        return key, train(p, x + jax.random.normal(use, x.shape, x.dtype), y)

    step = ufp4.jax.quantize(noisy)
    key, results = step(jax.random.key(3), *data, seed=0)
    assert key.dtype == jax.random.key(0).dtype and np.isfinite(results[1])


def test_an_argument_called_step(data):
    def numbered(p, x, y, step):
        return train(p, x, y)[1] * step

    with pytest.raises(ufp4.Error, match="step_keyword='fp4_step'"):
        ufp4.jax.quantize(numbered)
    own = ufp4.jax.quantize(numbered, exclude="nothing", step_keyword="fp4_step", params="p.w1,p.w2")
    assert own(*data, step=2, fp4_step=1).shape == ()


def test_nearest_recipes_take_no_words(data):
    step = ufp4.jax.quantize(train, recipe="mxfp4")
    assert not step.trace(*data).stochastic
    assert same(step(*data, seed=1), step(*data, seed=2))
    assert same(jax.jit(step)(*data), step(*data))


def test_data_parallel():
    # Devices are counted once for a process.
    environment = os.environ | {"XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
    out = subprocess.run(
        [sys.executable, models.pathlib.Path(__file__).parent / "data_parallel.py"],
        env=environment, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    found = json.loads(out)
    assert found["roles"] == ["fprop", "fprop", "wgrad", "dgrad", "wgrad"] and found["rewritten"] == 5
    # One reduction for all gradients and the loss, or several: as many as without quantization.
    assert found["collectives"] == found["reference_collectives"] != []
    assert 0.05 < found["error"] < 0.4
    assert found["replicas_equal"]


def test_recipe_without_quantization(data):
    step = ufp4.jax.quantize(train, recipe="bf16")
    assert gradient_error(step(*data), jax.jit(train)(*data)) < 0.01


#===------------------------------------------------------------------------===#
# The example models: against the linalg route on equal operands
#===------------------------------------------------------------------------===#

TREES = {
    "heads": jax.tree.structure(({k: 0 for k in ("g1", "g2", "wd", "wi", "wk", "wo", "wq", "wv")}, 0, 0)),
    "scan_mlp": jax.tree.structure(({"blocks": {"w1": 0, "w2": 0}, "head": 0}, 0, 0)),
    "shared_layer": jax.tree.structure(({k: 0 for k in ("embed", "first", "head", "second")}, 0, 0)),
    "remat_mlp": jax.tree.structure(({f"layer{i}": {"b": 0, "w": 0} for i in range(3)}, 0, 0)),
}
# How many GEMMs of each role the analysis finds (examples/models/README.md).
ROLES = {
    "heads": {"fprop": 6, "dgrad": 6, "wgrad": 6, "none": 6},
    "scan_mlp": {"fprop": 3, "dgrad": 3, "wgrad": 3},
    "remat_mlp": {"fprop": 5, "dgrad": 2, "wgrad": 3},
}


@functools.cache
def load(name):
    inputs, expected = models.load(name)
    return jax.tree.unflatten(TREES[name], [jnp.asarray(x) for x in inputs]), expected


@pytest.mark.parametrize("name,script", [("heads", "heads"), ("scan_mlp", "scan"), ("remat_mlp", "remat"), ("shared_layer", "shared_layer")])
def test_models(name, script):
    arguments, expected = load(name)
    step = ufp4.jax.quantize(models.step_function(script))
    results = jax.tree.leaves(step(*arguments, seed=1))
    roles = [g["role"] for g in step.decisions]
    if name in ROLES:
        assert {role: roles.count(role) for role in set(roles)} == ROLES[name]
    assert all(g["decision"] == "rewritten" for g in step.decisions if g["role"] != "none")
    error = models.worst(results, expected)[1]
    assert 0.05 < error < 0.5


@pytest.mark.parametrize("name,script", [("heads", "heads"), ("scan_mlp", "scan")])
def test_gradients_are_those_of_the_linalg_route(name, script):
    arguments, expected = load(name)
    recipe = "ufp4:rounding=nearest"
    ours = jax.tree.leaves(ufp4.jax.quantize(models.step_function(script), recipe=recipe)(*arguments))
    program = ufp4.compile(models.MODELS / f"{name}.linalg.mlir", recipe=recipe)
    theirs = program(*jax.tree.leaves(arguments))
    # XLA and our CPU code round element-wise operations differently, which moves some codes; where blocks or
    # rotations differed, the two errors would be independent and their distance 1.4 times as large as each.
    between, quantization = models.worst(ours, theirs)[1], models.worst(ours, expected)[1]
    assert between < 0.6 * quantization


#===------------------------------------------------------------------------===#
# Errors
#===------------------------------------------------------------------------===#


def test_no_gradient_of_the_quantized_step(quantized, data):
    p, x, y = data
    with pytest.raises(ufp4.Error, match="Quantize the function that calls jax.grad"):
        jax.grad(lambda p: quantized(p, x, y, seed=0)[1])(p)
    for jit in (lambda f: f, jax.jit):
        value = jit(lambda x: quantized(p, x, y, seed=0, step=0)[1])
        for derivative in (jax.grad, jax.jacfwd, jax.jacrev, jax.hessian):
            with pytest.raises(ufp4.Error, match="the quantized step 'train' has no gradient of its own"):
                jit(derivative(value))(x)
        for derivative in (lambda f, x: jax.jvp(f, (x,), (x,)), jax.linearize, jax.vjp):
            with pytest.raises(ufp4.Error, match="the quantized step 'train' has no gradient of its own"):
                derivative(value, x)
    # Where nothing of it is differentiated, it is a number like another.
    assert jax.grad(lambda z: z**2 + value(x))(3.0) == 6


def test_no_vmap(quantized, data):
    p, x, y = data
    plain = functools.partial(quantized, p, seed=0, step=0)
    compiled = jax.jit(plain)
    in_loop = lambda x, y: jax.lax.fori_loop(0, 2, lambda i, z: z + plain(x, y)[1], 0.0)
    for step in (plain, compiled, in_loop, lambda x, y: plain(x, y)[1] + 1):
        for mapped in (jax.vmap(step), jax.jit(jax.vmap(step))):
            with pytest.raises(ufp4.Error, match="'train' has no batching rule for jax.vmap: .*quantize.jax.vmap.step"):
                mapped(x[None], y[None])
    assert jax.vmap(lambda z: z + compiled(x, y)[1])(jnp.ones(3)).shape == (3,)


def test_vmap_inside(data):
    p, x, y = data
    inside = ufp4.jax.quantize(jax.vmap(train, (None, 0, 0)))
    assert same(inside(p, x[None], y[None], seed=1), jax.tree.map(lambda a: a[None], ufp4.jax.quantize(train)(*data, seed=1)))
    mean = lambda p, xs, ys: jax.grad(lambda p: jax.vmap(loss, (None, 0, 0))(p, xs, ys).mean())(p)
    batched = ufp4.jax.quantize(mean)
    batched(p, jnp.stack([x, x]), jnp.stack([y, y]), seed=1)
    assert {g["decision"] for g in batched.decisions} == {"rewritten"}


def test_symbolic_shapes(quantized, data):
    p, x, y = data
    (b,) = jax.export.symbolic_shape("b")
    shapes = jax.ShapeDtypeStruct((b, 32), BF16), jax.ShapeDtypeStruct((b, 16), jnp.float32)
    with pytest.raises(ufp4.Error, match=r"argument \[1\] has the symbolic shape"):
        quantized.trace(p, *shapes)


def callback(p, x, y):
    jax.debug.callback(lambda value: None, x)
    return train(p, x, y)


@pytest.mark.parametrize(
    "step,options,message",
    [
        (callback, {}, "cannot export the step 'callback': NotImplementedError: .*host_callbacks.*outside of the step"),
        (lambda p, x, y: np.sum(np.asarray(x)), {}, "TracerArrayConversionError: .*; a step is what jax.jit and jax.export"),
        (lambda p, x, y: train(p, x), {}, "TypeError: train.. missing 1 required positional argument: 'y'"),
        (lambda p, x, y: "a value", {}, "not a valid JAX type; a step is what"),
        (lambda p, x, y: x + 1, {}, "quantizes nothing in '<lambda>': matmuls left: none; a step has matmuls"),
        (lambda p, x, y: dot(x, x.T), {}, "matmuls left: 1 no-gradient; no-gradient: a step holds its gradient"),
        (lambda p, x, y: loss(p, x, y), {}, "matmuls left: 2 no-gradient; .* returns it or what is made of it"),
        (lambda p, x, y: train({k: a.astype(jnp.int8) for k, a in p.items()}, x, y), {}, "TypeError: grad requires real-"),
        (train, {"recipe": "fp5"}, "unknown recipe 'fp5': known are ufp4, "),
        (train, {"params": "q"}, "q"),
        (train, {"exclude": "("}, "exclude"),
    ],
)
def test_errors(step, options, message, data):
    with pytest.raises(ufp4.Error, match=message):
        ufp4.jax.quantize(step, **options)(*data)


def test_what_is_no_array(quantized, data):
    with pytest.raises(ufp4.Error, match=r"argument \[2\] is no array but a str; name it in static_argnums"):
        quantized(*data[:2], "y")
    with pytest.raises(ufp4.Error, match=r"keyword argument \['rate'\] is no array but a object"):
        quantized(*data, rate=object())
    with pytest.raises(ufp4.Error, match="expected a function, jitted or not, found int"):
        ufp4.jax.quantize(3)
    for read in (lambda step: step.decisions, lambda step: step.recipe):
        with pytest.raises(ufp4.Error, match="nothing was traced yet"):
            read(ufp4.jax.quantize(train))


def test_element_types(data):
    def plain(p, x, y):
        return jax.value_and_grad(lambda p: jnp.mean((jax.nn.gelu(x @ p["w1"]) @ p["w2"] - y).astype(jnp.float32) ** 2))(p)

    step = ufp4.jax.quantize(plain)
    for dtype in (jnp.bfloat16, jnp.float16):
        step(*jax.tree.map(lambda a: a.astype(dtype), data), seed=0)
        assert {g["decision"] for g in step.decisions} == {"rewritten"}
    with pytest.raises(ufp4.Error, match="5 operand-type; operand-type: compute in bf16 or f16, or give include_f32=True"):
        step(*jax.tree.map(lambda a: a.astype(jnp.float32), data))


def test_what_is_missed_is_said(data):
    def stage(p, x, dy):
        _, pullback = jax.vjp(lambda p, x: dot(jax.nn.gelu(dot(x, p["w1"])), p["w2"]), p, x)
        return pullback(dy)

    p, x, y = data
    arguments = {name: p[name] for name in ("w1", "w2")}, x, y.astype(BF16)
    with pytest.warns(UserWarning, match="leaves matmuls of 'stage': . ambiguous-parameter; ambiguous-parameter: params=…"):
        ufp4.jax.quantize(stage)(*arguments, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        named = ufp4.jax.quantize(stage, params="p.w1")
        named(*arguments, seed=0)
    assert {g["decision"] for g in named.decisions} == {"rewritten"}


def test_wrappers_that_are_not_jit():
    with pytest.raises(ufp4.Error, match="wrapped by Wrapper, not by jax.jit: give its function"):
        ufp4.jax.quantize(Wrapper())


class Wrapper:
    """As flax.nnx.jit and others make them: callable and staged, but none of jax.jit's."""

    def __call__(self, *arguments):
        return arguments

    lower = trace = __call__
