"""A decoder language model: RMSNorm, causal attention with rotary positions, a SwiGLU or GELU MLP.

Parameters are f32, the optimizer's copy, and are cast to bf16 for the step; matmuls accumulate in f32.
"""

import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np

BF16, F32 = jnp.bfloat16, jnp.float32


@dataclasses.dataclass(frozen=True)
class Model:
    vocabulary: int = 256
    width: int = 128
    layers: int = 4
    head: int = 32
    hidden: int = 352
    mlp: str = "swiglu"

    def __post_init__(self):
        if self.mlp not in ("swiglu", "gelu"):
            raise SystemExit(f"mlp: expected swiglu or gelu, found {self.mlp}")
        if self.width % self.head or self.head % 2:
            raise SystemExit(f"expected heads of an even size that divides the width {self.width}, found {self.head}")


def linear(x, w, name):
    """[…, k] by [k, n], in bf16 with f32 sums. `name` is of use to those who replace this function."""
    del name
    return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def rms_norm(x, gain):
    wide = x.astype(F32)
    return (wide * jax.lax.rsqrt(jnp.mean(wide * wide, axis=-1, keepdims=True) + 1e-5)).astype(BF16) * gain


def rotary(x):
    """Positions as rotations of pairs of [batch, length, heads, head] (arXiv 2104.09864)."""
    length, half = x.shape[1], x.shape[-1] // 2
    angles = np.arange(length)[:, None] * 10000.0 ** (-np.arange(half) / half)
    cos, sin = (jnp.asarray(f(angles)[:, None, :], F32) for f in (np.cos, np.sin))
    a, b = jnp.split(x.astype(F32), 2, axis=-1)
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(BF16)


def attention(x, p, model, linear, name):
    batch, length, width = x.shape
    qkv = linear(x, p["wqkv"], f"{name}.wqkv").reshape(batch, length, 3, width // model.head, model.head)
    q, k, v = rotary(qkv[:, :, 0]), rotary(qkv[:, :, 1]), qkv[:, :, 2]
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=F32) / math.sqrt(model.head)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(BF16), v, preferred_element_type=F32)
    return linear(mixed.astype(BF16).reshape(x.shape), p["wo"], f"{name}.wo")


def mlp(x, p, model, linear, name):
    h = linear(x, p["wi"], f"{name}.wi")
    if model.mlp == "gelu":
        h = jax.nn.gelu(h)
    else:
        gate, up = jnp.split(h, 2, axis=-1)
        h = jax.nn.silu(gate) * up
    return linear(h, p["wd"], f"{name}.wd")


def make_loss(model, linear=linear):
    def loss(p, tokens, targets):
        """The mean cross-entropy in nats a token, in f32, on [batch, length] tokens; parameters in bf16."""
        # One index dimension, as the linalg route takes the gradient's scatter.
        x = p["emb"][tokens.ravel()].reshape(*tokens.shape, model.width)
        for i, block in enumerate(p["blocks"]):
            x = x + attention(rms_norm(x, block["g1"]), block, model, linear, f"blocks.{i}")
            x = x + mlp(rms_norm(x, block["g2"]), block, model, linear, f"blocks.{i}")
        logits = linear(rms_norm(x, p["gf"]), p["head"], "head").astype(F32)
        # Not by indices: their gradient is a scatter, which XLA's CPU and linalg make slow loops of.
        right = targets[..., None] == jnp.arange(model.vocabulary)
        return -jnp.mean(jnp.sum(jnp.where(right, jax.nn.log_softmax(logits), 0), axis=-1))

    return loss


def init(model, seed):
    """Parameters in f32: normal, 1/√k, those that add to the residual divided by √(2 layers)."""
    rng = np.random.default_rng([1, seed])
    weight = lambda k, n, scale=1.0: jnp.asarray(rng.standard_normal((k, n)) * scale / math.sqrt(k), F32)
    gain = lambda: jnp.ones(model.width, F32)
    residual = 1 / math.sqrt(2 * model.layers)
    wide = model.hidden * (2 if model.mlp == "swiglu" else 1)
    block = lambda: {
        "g1": gain(), "wqkv": weight(model.width, 3 * model.width), "wo": weight(model.width, model.width, residual),
        "g2": gain(), "wi": weight(model.width, wide), "wd": weight(model.hidden, model.width, residual),
    }  # fmt: skip
    emb = jnp.asarray(rng.standard_normal((model.vocabulary, model.width)) * 0.5, F32)
    blocks = [block() for _ in range(model.layers)]
    return {"emb": emb, "blocks": blocks, "gf": gain(), "head": weight(model.width, model.vocabulary)}
