"""moe_ragged: a mixture of experts whose tokens are sorted by expert (`lax.ragged_dot`).

The router's weight, the experts' [E, D, F] and [E, F, D] and an expert that every token has. Sizes
of groups are known on the device alone.
"""

import functools
import re

import jax
import jax.numpy as jnp
from common import BF16, F32, Random, gelu, linear, mean_squared_error, training_step

TOKENS, D, F, E, TOP = 64, 32, 64, 4, 2


def experts(x, w, sizes):
    return jax.lax.ragged_dot(x, w, sizes, preferred_element_type=F32).astype(BF16)


def moe(x, p):
    """[T, D] to [T, D]: each token by its TOP experts, weighted, and by the shared one."""
    with jax.named_scope("router"):
        weights, chosen = jax.lax.top_k(jax.nn.softmax(linear(x, p["wg"]).astype(F32)), TOP)
    number = p["w1"].shape[0]
    order = jnp.argsort(chosen.reshape(-1))
    sizes = jnp.bincount(chosen.reshape(-1), length=number).astype(jnp.int32)
    with jax.named_scope("experts"):
        rows = x[order // TOP]
        y = experts(gelu(experts(rows, p["w1"], sizes)), p["w2"], sizes)
        y = y.astype(F32) * weights.reshape(-1)[order][:, None]
        y = jnp.zeros((x.shape[0], y.shape[1]), F32).at[order // TOP].add(y)
    with jax.named_scope("shared"):
        shared = linear(gelu(linear(x, p["s1"])), p["s2"])
    return y.astype(BF16) + shared


def loss_fn(p, x, y):
    return mean_squared_error(moe(x, p), y)


def moe_ragged_step(p, x, y):
    return training_step(loss_fn)(p, x, y)


def parameters(r, d=D, f=F, e=E):
    return {
        "wg": r.weight(d, e, fan_in=d),
        "w1": r.weight(e, d, f, fan_in=d),
        "w2": r.weight(e, f, d, fan_in=f),
        "s1": r.weight(d, f, fan_in=d),
        "s2": r.weight(f, d, fan_in=f),
    }


def expect(text):
    # w1: fprop and wgrad, since x has no gradient; w2: all three.
    assert len(re.findall(r'name = "chlo.ragged_dot"', text)) == 5


if __name__ == "__main__":
    from common import export
    from jax._src.lax import lax as lax_internal

    # For the CPU, JAX expands a ragged dot over all experts; this keeps it one operation.
    lower = functools.partial(lax_internal._ragged_dot_general_lower, platform="tpu")
    r = Random(7)
    arguments = (parameters(r), r.normal(TOKENS, D), r.normal(TOKENS, D))
    overrides = ((lax_internal.ragged_dot_general_p, lower),)
    export("moe_ragged", moe_ragged_step, arguments, expect=expect, overrides=overrides)
