"""Trains a small transformer from JAX, in BF16 and in 4 bits, and draws the loss curves.

    pip install ".[examples]"
    python examples/train_jax.py --output-dir=curves

The model is that of examples/models/transformer_f32acc. Its task is to predict a noisy sequence, offline and the same
on every machine; `best` in the last line is the loss of a model that knows the rule. Writes losses.csv and losses.png.
"""

import argparse
import csv
import math
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
import optax
import ufp4.jax

BF16, F32 = jnp.bfloat16, jnp.float32
VOCABULARY, HEAD, NOISE = 256, 32, 0.1


def linear(x, w):
    return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def rms_norm(x, gain):
    xf = x.astype(F32)
    return (xf * jax.lax.rsqrt(jnp.mean(xf * xf, axis=-1, keepdims=True) + 1e-5)).astype(BF16) * gain


def attention(x, p, linear):
    batch, length, width = x.shape
    q, k, v = jnp.moveaxis(linear(x, p["wqkv"]).reshape(batch, length, 3, width // HEAD, HEAD), 2, 0)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=F32) / math.sqrt(HEAD)
    scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(BF16), v, preferred_element_type=F32)
    return linear(mixed.astype(BF16).reshape(x.shape), p["wo"])


def make_loss(linear):
    def loss(p, tokens, targets):
        """The mean cross-entropy, in f32, of a causal transformer on [batch, length] tokens; parameters in bf16."""
        x = p["emb"][tokens]
        for block in p["blocks"]:
            x = x + attention(rms_norm(x, block["g1"]), block, linear)
            x = x + linear(jax.nn.gelu(linear(rms_norm(x, block["g2"]), block["wi"])), block["wd"])
        logits = linear(rms_norm(x, p["gf"]), p["head"]).astype(F32)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1))

    return loss


loss = make_loss(linear)


def init(width=128, layers=2, hidden=512, seed=0):
    """Parameters in f32: the optimizer's copy."""
    rng = np.random.default_rng(seed)
    weight = lambda m, n, scale=None: jnp.asarray(rng.standard_normal((m, n)) * (scale or m**-0.5), F32)
    gain = lambda: jnp.ones(width, F32)
    block = lambda: {
        "g1": gain(), "wqkv": weight(width, 3 * width), "wo": weight(width, width),
        "g2": gain(), "wi": weight(width, hidden), "wd": weight(hidden, width),
    }  # fmt: skip
    blocks = [block() for _ in range(layers)]
    return {"emb": weight(VOCABULARY, width, 1.0), "blocks": blocks, "gf": gain(), "head": weight(width, VOCABULARY)}


def batch(i, size=8, length=64):
    """Sequences in which 5 t + 17 follows t, and now and then any token instead."""
    rng = np.random.default_rng([1, i])
    tokens = np.empty((size, length + 1), np.int32)
    tokens[:, 0] = rng.integers(VOCABULARY, size=size)
    for k in range(length):
        noise = rng.integers(VOCABULARY, size=size)
        tokens[:, k + 1] = np.where(rng.random(size) < NOISE, noise, (5 * tokens[:, k] + 17) % VOCABULARY)
    return tokens[:, :-1], tokens[:, 1:]


def best():
    right = 1 - NOISE + NOISE / VOCABULARY
    return -right * math.log(right) - (1 - right) * math.log(NOISE / VOCABULARY)


optimizer = optax.adam(5e-4)


def train_step(p, state, tokens, targets):
    in_bf16 = lambda p: loss(jax.tree.map(lambda a: a.astype(BF16), p), tokens, targets)
    value, gradients = jax.value_and_grad(in_bf16)(p)
    updates, state = optimizer.update(gradients, state)
    return optax.apply_updates(p, updates), state, value


def train(step, steps):
    p = init()
    state = optimizer.init(p)
    losses = []
    for i in range(steps):
        p, state, value = step(p, state, *batch(i))
        losses.append(float(value))
    return losses


def draw(curves, path):
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for recipe, losses in curves.items():
        axes.plot(losses, label=recipe, linewidth=1)
    axes.axhline(best(), color="gray", linestyle=":", label="best")
    axes.set(xlabel="step", ylabel="loss")
    axes.legend()
    figure.savefig(path, dpi=120, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--recipes", default="bf16,ufp4", help="any of python -m ufp4, as in bf16,ufp4,e2m1-baseline")
    parser.add_argument("--output-dir", type=pathlib.Path, default=pathlib.Path())
    arguments = parser.parse_args()

    curves = {}
    for recipe in arguments.recipes.split(","):
        # The one line: everything else is the training loop as it was.
        step = jax.jit(train_step) if recipe == "bf16" else ufp4.jax.quantize(train_step, recipe=recipe)
        curves[recipe] = train(step, arguments.steps)

    arguments.output_dir.mkdir(parents=True, exist_ok=True)
    with open(arguments.output_dir / "losses.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["step", *curves])
        writer.writerows([i, *row] for i, row in enumerate(zip(*curves.values())))
    draw(curves, arguments.output_dir / "losses.png")
    last = max(1, arguments.steps // 10)
    for recipe, losses in curves.items():
        end = np.mean(losses[-last:])
        print(f"{recipe:14} loss {losses[0]:.3f} at first, {end:.3f} over the last {last} steps (best {best():.3f})")


if __name__ == "__main__":
    main()
