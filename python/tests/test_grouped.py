"""Mixtures of experts: `lax.ragged_dot` through ufp4.jax.quantize."""

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
