"""Mixtures of experts: `lax.ragged_dot` through ufp4.jax.quantize."""

import functools

import jax
import jax.numpy as jnp
import models
import numpy as np
import pytest
import ufp4.jax

BF16, F32 = jnp.bfloat16, jnp.float32


def relative(a, b):
    a, b = (np.concatenate([np.asarray(x, np.float64).ravel() for x in jax.tree.leaves(t)]) for t in (a, b))
    return np.linalg.norm(a - b) / np.linalg.norm(b)


@pytest.fixture(scope="module")
def moe():
    """The example's step, its arguments and JAX's own results."""
    step = models.step_function("moe_ragged")
    inputs, results = models.load("moe_ragged")
    names = ["s1", "s2", "w1", "w2", "wg"]
    p = dict(zip(names, map(jnp.asarray, inputs[: len(names)])))
    return step, (p, *map(jnp.asarray, inputs[len(names) :])), results


def test_roles_of_the_example(moe):
    step, arguments, _ = moe
    quantized = ufp4.jax.quantize(step)
    quantized.trace(*arguments)
    found = [(g["role"], g["parameter"]["name"], g.get("groups", 0), g["decision"]) for g in quantized.decisions]
    for parameter, roles in {"w1": ["fprop", "wgrad"], "w2": ["fprop", "wgrad", "dgrad"]}.items():
        ours = [(role, groups, decision) for role, name, groups, decision in found if name == f"p.{parameter}"]
        assert sorted(ours) == sorted((role, 4, "rewritten") for role in roles)
    # The router is a layer like others, and the shared expert is no group.
    assert sorted(role for role, name, groups, _ in found if name == "p.wg" and not groups) == ["fprop", "wgrad"]
    assert len(found) == 12 and all(decision == "rewritten" for *_, decision in found)


def test_a_router_is_left_alone_only_by_exclude(moe):
    step, arguments, _ = moe
    quantized = ufp4.jax.quantize(step, exclude="wg")
    quantized.trace(*arguments)
    left = [g for g in quantized.decisions if g["decision"] == "left"]
    assert [g["reason"] for g in left] == ["excluded"] * 2 and {g["parameter"]["name"] for g in left} == {"p.wg"}


def test_experts_and_shared_ones_are_told_apart(moe):
    step, arguments, _ = moe
    quantized = ufp4.jax.quantize(step, exclude="experts")
    results = quantized(*arguments, seed=1, step=0)
    left = {g["parameter"]["name"] for g in quantized.decisions if g["decision"] == "left"}
    assert left == {"p.w1", "p.w2"}
    assert np.isfinite(results[1])


def test_bf16_gradients_are_jax_s_own(moe):
    step, arguments, results = moe
    _, loss, gradients = ufp4.jax.quantize(step, "bf16")(*arguments)
    first = (len(results) - 1) // 2
    assert abs(loss - results[first]) < 1e-3 * abs(results[first])
    assert relative(list(gradients.values()), results[first + 1 :]) < 0.01


@pytest.mark.parametrize("recipe", ["ufp4", "ufp4-nv"])
def test_gradients(moe, recipe):
    step, arguments, results = moe
    quantized = ufp4.jax.quantize(step, recipe)
    _, loss, gradients = quantized(*arguments, seed=1, step=0)
    first = (len(results) - 1) // 2
    assert all(g["decision"] == "rewritten" for g in quantized.decisions)
    assert abs(loss - results[first]) < 0.2 * abs(results[first])
    assert relative(list(gradients.values()), results[first + 1 :]) < 0.6


def test_tokens_are_read_by_their_order():
    """The gather that sorts tokens is no operation of the step, unless its rows are wanted besides; either way they
    have the same codes."""
    rng = np.random.default_rng(5)
    order = jnp.asarray(rng.permutation(120) // 2, jnp.int32)
    x, dy = (jnp.asarray(rng.standard_normal(shape), BF16) for shape in ((60, 48), (120, 40)))
    p = jnp.asarray(rng.standard_normal((4, 48, 40)), BF16)
    sizes = jnp.array([17, 0, 100, 3], jnp.int32)

    def loss(p, rows):
        return jnp.sum(jax.lax.ragged_dot(rows, p, sizes, preferred_element_type=F32) * dy)

    def fused(p, x):
        return jax.value_and_grad(lambda p: loss(p, x[order]))(p)

    def kept(p, x):
        rows = x[order]
        return *jax.value_and_grad(lambda p: loss(p, rows))(p), rows

    results = {}
    for step, calls in ((fused, 2), (kept, 0)):
        quantized = ufp4.jax.quantize(step, "ufp4-nv")
        text = jax.jit(functools.partial(quantized, seed=1, step=2)).lower(p, x).as_text()
        assert text.count("lhs_rows = 1") == calls
        results[step] = quantized(p, x, seed=1, step=2)[:2]
    for a, b in zip(results[fused], results[kept]):
        assert np.array_equal(np.asarray(a, np.float32), np.asarray(b, np.float32))


def linear(p, x, sizes):
    return jnp.sum(jax.lax.ragged_dot(x, p, sizes, preferred_element_type=F32) * jnp.cos(jnp.arange(24, dtype=F32)))


def test_groups_are_gemms_of_their_own():
    """A group's products and gradient are those of a plain layer with its rows and its expert, whose dots round to
    nearest."""
    rng = np.random.default_rng(3)
    sizes = np.array([17, 0, 1, 30, 16], np.int32)
    x = jnp.asarray(rng.standard_normal((sizes.sum(), 40)), BF16)
    p = jnp.asarray(rng.standard_normal((len(sizes), 40, 24)), BF16)
    recipe = "ufp4-nv:dy.rounding=nearest"

    def step(p, x, sizes):
        y = jax.lax.ragged_dot(x, p, sizes, preferred_element_type=F32)
        return y, jax.grad(linear)(p, x, sizes)

    def plain(w, x):
        dot = lambda w, x: jnp.dot(x, w, preferred_element_type=F32)
        return dot(w, x), jax.grad(lambda w: jnp.sum(dot(w, x) * jnp.cos(jnp.arange(24, dtype=F32))))(w)

    y, gradient = ufp4.jax.quantize(step, recipe)(p, x, jnp.asarray(sizes))
    begin = 0
    for group, size in enumerate(sizes):
        if size:
            ours, theirs = ufp4.jax.quantize(plain, recipe)(p[group], x[begin : begin + size])
            assert np.array_equal(y[begin : begin + size], ours)
            assert relative(gradient[group], theirs) < 1e-6
        else:
            assert not np.asarray(gradient[group], np.float32).any()
        begin += size


def test_export_for_a_device(moe):
    step, arguments, _ = moe
    step4 = ufp4.jax.quantize(step, platform="cuda")
    function = jax.jit(lambda *a: step4(*a, seed=1, step=2))
    exported = jax.export.export(function, platforms=["cuda"], disabled_checks=ufp4.jax.CUSTOM_CALLS)(*arguments)
    assert exported.mlir_module().count("@ufp4.grouped_gemm(") == 5


VOCABULARY, WIDTH, HEADS, LENGTH = 32, 32, 2, 16


def norm(x):
    x = x.astype(F32)
    return (x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)).astype(BF16)


def attention(x, p):
    q, k, v = (jnp.dot(x, p[name]).reshape(*x.shape[:2], HEADS, -1) for name in "qkv")
    scores = jnp.einsum("bihd,bjhd->bhij", q, k).astype(F32) / (WIDTH // HEADS) ** 0.5
    scores = jnp.where(jnp.tri(LENGTH, dtype=bool), scores, -jnp.inf)
    heads = jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(scores).astype(BF16), v)
    return jnp.dot(heads.reshape(x.shape), p["o"])


def transformer_loss(p, tokens):
    """Next tokens, by two layers of attention and a mixture of experts each."""
    p = jax.tree.map(lambda w: w.astype(BF16), p)
    x = p["embed"][tokens[:, :-1]]
    for layer in ("first", "second"):
        x = x + attention(norm(x), p[layer]["attention"])
        moe = models.module("moe_ragged").moe(norm(x).reshape(-1, WIDTH), p[layer]["moe"])
        x = x + moe.reshape(x.shape)
    logits = jnp.dot(norm(x), p["head"]).astype(F32)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1))


def transformer_step(p, momentum, tokens):
    loss, gradients = jax.value_and_grad(transformer_loss)(p, tokens)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, gradients)
    return jax.tree.map(lambda w, m: w - 0.05 * m, p, momentum), momentum, loss, gradients


@pytest.fixture(scope="module")
def transformer():
    rng = np.random.default_rng(0)
    weight = lambda *shape: jnp.asarray(rng.standard_normal(shape) / shape[-2] ** 0.5, F32)
    layer = lambda: {
        "attention": {name: weight(WIDTH, WIDTH) for name in "qkvo"},
        "moe": {"wg": weight(WIDTH, 4), "w1": weight(4, WIDTH, 64), "w2": weight(4, 64, WIDTH)}
        | {"s1": weight(WIDTH, 64), "s2": weight(64, WIDTH)},
    }
    p = {"embed": weight(VOCABULARY, WIDTH), "head": weight(WIDTH, VOCABULARY), "first": layer(), "second": layer()}
    # Each sequence steps through the vocabulary at a pace of its own, which its first two tokens tell.
    start, pace = rng.integers(0, VOCABULARY, (200, 8, 1)), rng.integers(1, 8, (200, 8, 1))
    batches = jnp.asarray((start + pace * np.arange(LENGTH + 1)) % VOCABULARY, jnp.int32)
    return p, jax.tree.map(jnp.zeros_like, p), batches


def test_roles_of_a_transformer_of_experts(transformer):
    p, momentum, batches = transformer
    quantized = ufp4.jax.quantize(transformer_step)
    quantized.trace(p, momentum, batches[0])
    grouped = [(g["parameter"]["name"], g["role"]) for g in quantized.decisions if g.get("groups")]
    assert sorted(grouped) == sorted(
        (f"p.{layer}.moe.{w}", role) for layer in ("first", "second") for w in ("w1", "w2") for role in ("fprop", "dgrad", "wgrad")
    )
    # Attention's products have no parameter.
    left = {g["reason"] for g in quantized.decisions if g["decision"] == "left"}
    assert left == {"no-parameter"}


def test_gradients_of_a_transformer_of_experts(transformer):
    p, momentum, batches = transformer
    theirs = jax.jit(transformer_step)(p, momentum, batches[0])
    ours = ufp4.jax.quantize(transformer_step, "bf16")(p, momentum, batches[0])
    assert abs(ours[2] - theirs[2]) < 1e-3 * theirs[2]
    assert relative(ours[3], theirs[3]) < 0.02


def test_a_transformer_of_experts_trains(transformer):
    finals = {}
    for name, step in {"jax": jax.jit(transformer_step), "ufp4": ufp4.jax.quantize(transformer_step)}.items():
        p, momentum, batches = transformer
        losses = []
        for i, tokens in enumerate(batches):
            seed = {} if name == "jax" else {"seed": 1, "step": i}
            p, momentum, loss, _ = step(p, momentum, tokens, **seed)
            losses.append(float(loss))
        assert np.isfinite(losses).all()
        finals[name] = np.mean(losses[-20:])
    # It is far below chance, log 32, on either, and 4 bits cost little.
    assert finals["jax"] < 1.5 and finals["ufp4"] < finals["jax"] + 0.3, finals
