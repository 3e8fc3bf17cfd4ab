"""heads: one transformer block on [B, S, D] whose weights carry heads.

wq, wk and wv are [D, H, Dh] and wo is [H, Dh, D]: the dots have two free or two
contracted dimensions on a side and nothing is flattened in between.
"""

import re

import jax
import jax.numpy as jnp
from common import (
    BF16,
    F32,
    Random,
    einsum,
    export,
    gelu,
    mean_squared_error,
    rms_norm,
    training_step,
)

B, S, D, H, DH, F = 2, 16, 32, 2, 16, 64


def attention(x, p):
    q = einsum("bsd,dhk->bshk", x, p["wq"])
    k = einsum("bsd,dhk->bshk", x, p["wk"])
    v = einsum("bsd,dhk->bshk", x, p["wv"])
    scores = jnp.einsum("bshk,bthk->bhst", q, k, preferred_element_type=F32) * DH**-0.5
    causal = jnp.tril(jnp.ones((S, S), bool))
    probabilities = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1).astype(BF16)
    o = einsum("bhst,bthk->bshk", probabilities, v)
    return einsum("bshk,hkd->bsd", o, p["wo"])


def mlp(x, p):
    return einsum("bsf,fd->bsd", gelu(einsum("bsd,df->bsf", x, p["wi"])), p["wd"])


def loss_fn(p, x, y):
    with jax.named_scope("attention"):
        x = x + attention(rms_norm(x, p["g1"]), p)
    with jax.named_scope("mlp"):
        x = x + mlp(rms_norm(x, p["g2"]), p)
    return mean_squared_error(x, y)


def heads_step(p, x, y):
    return training_step(loss_fn)(p, x, y)


def expect(text):
    # 6 layers × 3 roles and 2 + 4 of attention itself.
    assert len(re.findall(r'"stablehlo.dot_general"\(', text)) == 24


if __name__ == "__main__":
    r = Random(4)
    params = {
        "g1": r.near_one(D),
        "g2": r.near_one(D),
        "wq": r.weight(D, H, DH, fan_in=D),
        "wk": r.weight(D, H, DH, fan_in=D),
        "wv": r.weight(D, H, DH, fan_in=D),
        "wo": r.weight(H, DH, D, fan_in=H * DH),
        "wi": r.weight(D, F, fan_in=D),
        "wd": r.weight(F, D, fan_in=F),
    }
    export(
        "heads",
        heads_step,
        (params, r.normal(B, S, D), r.normal(B, S, D)),
        linalg=["default", "named"],
        expect=expect,
    )
