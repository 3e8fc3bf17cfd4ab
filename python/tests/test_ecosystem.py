"""ufp4.jax.quantize on models and optimizers of other packages, unmodified."""

import collections
import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import models
import numpy as np
import optax
import pytest
import ufp4
import ufp4.jax
from flax import linen, nnx

BF16, F32 = jnp.bfloat16, jnp.float32
sys.path.insert(0, str(models.MODELS / "make"))
import to_linalg  # noqa: E402


def normal(*shape, seed=0):
    return jnp.asarray(np.random.default_rng([seed, *shape]).standard_normal(shape).astype(np.float32))


def squared_error(y, target):
    return jnp.mean((y.astype(F32) - target) ** 2)


def in_bf16(tree):
    return jax.tree.map(lambda a: a.astype(BF16), tree)


def roles(gemms):
    """How many GEMMs were rewritten, by role, and how many were left, by reason."""
    return dict(collections.Counter(g["role"] if g["decision"] == "rewritten" else g["reason"] for g in gemms))


def distance(ours, theirs):
    """The norm of the difference of two trees, relative to that of the second."""
    flat = lambda tree: np.concatenate([np.asarray(leaf, np.float64).ravel() for leaf in jax.tree.leaves(tree)])
    a, b = flat(ours), flat(theirs)
    assert a.shape == b.shape and np.isfinite(a).all()
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def to_text(step, *arguments):
    module = jax.jit(step, keep_unused=True).lower(*arguments).compiler_ir("stablehlo")
    return module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


class Attention(linen.Module):
    @linen.compact
    def __call__(self, x):
        x = linen.gelu(linen.Dense(64, dtype=BF16, name="up")(x))
        x = linen.LayerNorm(dtype=BF16)(x)
        x = x + linen.MultiHeadDotProductAttention(num_heads=2, dtype=BF16, name="attention")(x)
        return linen.Dense(16, dtype=BF16, name="head")(x)


class Block(linen.Module):
    @linen.compact
    def __call__(self, x, _):
        h = linen.gelu(linen.Dense(64, dtype=BF16, name="up")(linen.RMSNorm(dtype=BF16)(x)))
        return x + linen.Dense(32, dtype=BF16, name="down")(h), None


class Stack(linen.Module):
    """Layers by scan, each rematerialised where `block` is so."""

    block: type

    @linen.compact
    def __call__(self, x):
        layers = linen.scan(self.block, variable_axes={"params": 0}, split_rngs={"params": True}, length=3)
        x, _ = layers(name="blocks")(x.astype(BF16), None)
        return linen.Dense(16, dtype=BF16, name="head")(x)


class Perceptron(nnx.Module):
    def __init__(self, rngs):
        self.up = nnx.Linear(32, 64, dtype=BF16, rngs=rngs)
        self.head = nnx.Linear(64, 16, dtype=BF16, rngs=rngs)

    def __call__(self, x):
        return self.head(nnx.gelu(self.up(x)))


def make_linen(model, *shape):
    x, y = normal(*shape), normal(*shape[:-1], 16)
    p = model.init(jax.random.key(0), x)
    return lambda p, x, y: squared_error(model.apply(p, x), y), (p, x, y)


def make_nnx():
    definition, p = nnx.split(Perceptron(nnx.Rngs(0)))
    return lambda p, x, y: squared_error(nnx.merge(definition, p)(x), y), (p, normal(16, 32), normal(16, 16))


def make_equinox():
    p, rest = eqx.partition(eqx.nn.MLP(32, 16, 64, 2, key=jax.random.key(0)), eqx.is_inexact_array)

    def loss(p, x, y):
        return squared_error(jax.vmap(eqx.combine(in_bf16(p), rest))(x.astype(BF16)), y)

    return loss, (p, normal(16, 32), normal(16, 16))


def make_shared():
    """One layer, called twice."""
    layer, rest = eqx.partition(eqx.nn.Linear(32, 32, key=jax.random.key(1)), eqx.is_array)

    def loss(p, x, y):
        call = jax.jit(jax.vmap(eqx.combine(in_bf16(p), rest)))
        return squared_error(call(jax.nn.gelu(call(x.astype(BF16)))), y)

    return loss, (layer, normal(16, 32), normal(16, 32))


# The last number: how far our code and the linalg route's may be apart, relative to the quantization error. XLA and
# our CPU code round element-wise operations differently, which moves codes: the more of them lie before a GEMM, the
# more. Were blocks, rotations or roles different, errors would be independent and this number 1.4.
MODELS = {
    "linen": (lambda: make_linen(Attention(), 4, 8, 32), {"fprop": 6, "wgrad": 6, "dgrad": 5, "no-parameter": 6}, 0.6),
    "linen_scan": (lambda: make_linen(Stack(Block), 16, 32), {"fprop": 3, "wgrad": 3, "dgrad": 3}, 0.3),
    "nnx": (make_nnx, {"fprop": 2, "wgrad": 2, "dgrad": 1}, 0.1),
    "equinox": (make_equinox, {"fprop": 3, "wgrad": 3, "dgrad": 2}, 0.3),
    "shared": (make_shared, {"fprop": 2, "wgrad": 2, "dgrad": 1}, 0.3),
}
PARAMETERS = {
    "linen": {"p.params.up.kernel", "p.params.head.kernel"}
    | {f"p.params.attention.{name}.kernel" for name in ("query", "key", "value", "out")},
    "linen_scan": {"p.params.blocks.up.kernel", "p.params.blocks.down.kernel", "p.params.head.kernel"},
    "nnx": {"p.up.kernel.value", "p.head.kernel.value"},
    "equinox": {f"p.layers.{i}.weight" for i in range(3)},
    "shared": {"p.weight"},
}


@pytest.mark.parametrize("name", MODELS)
def test_step_with_an_optimizer(name):
    make, expected, _ = MODELS[name]
    loss, (p, *data) = make()
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))

    def step(p, state, *data):
        value, gradients = jax.value_and_grad(loss)(p, *data)
        updates, state = optimizer.update(gradients, state, p)
        return optax.apply_updates(p, updates), state, value, gradients

    quantized = ufp4.jax.quantize(step)
    arguments = p, optimizer.init(p), *data
    results, reference = quantized(*arguments, seed=1), jax.jit(step)(*arguments)
    assert jax.tree.structure(results) == jax.tree.structure(reference)
    assert roles(quantized.decisions) == expected
    assert {g["parameter"]["name"] for g in quantized.decisions if g["decision"] == "rewritten"} == PARAMETERS[name]
    # The recipe's noise; one GEMM in a wrong role, or of a wrong operand, makes an error of the order of 1.
    assert 0.05 < distance(results[3], reference[3]) < 0.45
    assert abs(results[2] - reference[2]) < 0.2 * reference[2]
    again = quantized(*results[:2], *data, seed=1, step=1)
    assert np.isfinite(again[2])


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_those_of_the_linalg_route(name):
    make, _, limit = MODELS[name]
    loss, arguments = make()
    step = lambda p, x, y: jax.value_and_grad(loss)(p, x, y)
    recipe = "ufp4:rounding=nearest"
    ours = jax.tree.leaves(ufp4.jax.quantize(step, recipe=recipe)(*arguments))
    program = ufp4.compile(to_linalg.convert(to_text(step, *arguments)), recipe=recipe)
    theirs = program(*map(np.asarray, jax.tree.leaves(arguments)))
    reference = jax.tree.leaves(jax.jit(step)(*arguments))
    assert distance(ours, theirs) < limit * distance(ours, reference)


def test_remat_repeats_the_forward():
    make = lambda block: make_linen(Stack(block), 16, 32)
    (loss, arguments), (remat_loss, _) = make(Block), make(linen.remat(Block))
    plain = ufp4.jax.quantize(lambda p, x, y: jax.value_and_grad(loss)(p, x, y))
    remat = ufp4.jax.quantize(lambda p, x, y: jax.value_and_grad(remat_loss)(p, x, y))
    ours, theirs = remat(*arguments, seed=1), plain(*arguments, seed=1)
    # Of a block again: up; the backward does not need what down gave.
    assert roles(remat.decisions) == {"fprop": 4, "wgrad": 3, "dgrad": 3}
    # The streams differ with the number of GEMMs; the forward draws nothing.
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-3)


def test_a_stage_returns_dx():
    p, rest = eqx.partition(eqx.nn.MLP(32, 48, 64, 1, use_bias=False, key=jax.random.key(0)), eqx.is_inexact_array)

    def stage(p, x, dy):
        _, pullback = jax.vjp(lambda p, x: jax.vmap(eqx.combine(p, rest))(x), p, x)
        return pullback(dy)

    arguments = in_bf16(p), normal(16, 32).astype(BF16), normal(16, 48, seed=1).astype(BF16)
    step = ufp4.jax.quantize(stage)
    with pytest.warns(UserWarning, match="ambiguous-parameter: params=… names which arguments are weights"):
        step(*arguments, seed=1)
    assert roles(step.decisions)["ambiguous-parameter"] == 3
    with pytest.raises(ufp4.Error):
        ufp4.jax.quantize(stage, fail_on_miss=True)(*arguments)
    named = ufp4.jax.quantize(stage, params="p.layers.0.weight", fail_on_miss=True)
    results = named(*arguments, seed=1)
    found = roles(named.decisions)
    assert (found["wgrad"], found["dgrad"]) == (2, 2) and "ambiguous-parameter" not in found
    assert 0.05 < distance(results, jax.jit(stage)(*arguments)) < 0.45


def test_optimizers():
    """Each optimizer sees the quantized gradients: its update is the one it makes of them by itself."""
    loss, (p, *data) = make_equinox()
    for optimizer in (optax.sgd(0.1, momentum=0.9), optax.lion(1e-3), optax.adafactor(1e-3)):
        state = optimizer.init(p)

        def step(p, state, *data):
            value, gradients = jax.value_and_grad(loss)(p, *data)
            updates, state = optimizer.update(gradients, state, p)
            return updates, value, gradients

        updates, _, gradients = ufp4.jax.quantize(step)(p, state, *data, seed=1)
        expected, _ = jax.jit(optimizer.update)(gradients, state, p)
        assert distance(updates, expected) < 1e-3


#===------------------------------------------------------------------------===#
# Wrappers that are not jax.jit
#===------------------------------------------------------------------------===#


def test_nnx_jit_is_refused():
    @nnx.jit
    def step(model, x, y):
        return nnx.value_and_grad(lambda model: squared_error(model(x), y))(model)

    with pytest.raises(ufp4.Error, match="wrapped by JitWrapped, not by jax.jit: give its function, .*flax.nnx.split"):
        ufp4.jax.quantize(step)


def test_nnx_modules_are_trees():
    def step(model, x, y):
        return nnx.value_and_grad(lambda model: squared_error(model(x), y))(model)

    quantized = ufp4.jax.quantize(step)
    value, gradients = quantized(Perceptron(nnx.Rngs(0)), normal(16, 32), normal(16, 16))
    assert roles(quantized.decisions) == {"fprop": 2, "wgrad": 2, "dgrad": 1}
    assert np.isfinite(value) and gradients["up"]["kernel"].shape == (32, 64)


def test_nnx_updates_in_place_are_refused():
    model = Perceptron(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)

    def step(model, optimizer, x, y):
        value, gradients = nnx.value_and_grad(lambda model: squared_error(model(x), y))(model)
        optimizer.update(model, gradients)
        return value

    # What it changed is not returned, so that its gradients are dead.
    with pytest.raises(ufp4.Error, match="no-gradient: a step holds its gradient .* and returns it"):
        ufp4.jax.quantize(step)(model, optimizer, normal(16, 32), normal(16, 16))


def test_equinox_modules_are_partitioned():
    model = eqx.nn.MLP(32, 16, 64, 2, key=jax.random.key(0))

    @eqx.filter_jit
    def step(model, x, y):
        return eqx.filter_value_and_grad(lambda model: squared_error(jax.vmap(model)(x), y))(model)

    with pytest.raises(ufp4.Error, match=r"argument \[0\].activation is no array but .*equinox.partition"):
        ufp4.jax.quantize(step)(model, normal(16, 32), normal(16, 16))


def test_f32_models():
    p, rest = eqx.partition(eqx.nn.MLP(32, 16, 64, 2, key=jax.random.key(0)), eqx.is_inexact_array)

    def step(p, x, y):
        return jax.value_and_grad(lambda p: squared_error(jax.vmap(eqx.combine(p, rest))(x), y))(p)

    arguments = p, normal(16, 32), normal(16, 16)
    with pytest.raises(ufp4.Error, match="8 operand-type; .* give include_f32=True"):
        ufp4.jax.quantize(step)(*arguments)
    wide = ufp4.jax.quantize(step, include_f32=True)
    results = wide(*arguments, seed=1)
    assert roles(wide.decisions) == {"fprop": 3, "wgrad": 3, "dgrad": 2}
    assert 0.05 < distance(results[1], jax.jit(step)(*arguments)[1]) < 0.45
