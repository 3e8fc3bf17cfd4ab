"""Time of a JAX training step on this machine's CPU: in BF16, as a fake quantization written in JAX, and by ufp4.

    python benchmarks/jax_step.py [--repetitions=20] [--sizes=handed,wide,mlp]

The steps run in turn, so that what else the machine does meets all of them alike; shown are medians, and the first and
third quartile. The fake quantization computes what the recipe ufp4 says, straightforwardly: rotation by a 16 x 16
matmul, the amax of blocks, rounding to nearest or by jax.random for dY, values back in bf16 into the same dots.
"""

import argparse
import functools
import os
import pathlib
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np
import scipy.linalg
import ufp4.jax

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))
import train_jax  # noqa: E402

BF16, F32 = jnp.bfloat16, jnp.float32
BLOCK = 16
SIGNS = np.array([-1.0 if 0xD7E8 >> i & 1 else 1.0 for i in range(BLOCK)])
ROTATION = (SIGNS[:, None] * scipy.linalg.hadamard(BLOCK) / BLOCK**0.5).astype(np.float32)


def fake_quantize(x, axis, key=None):
    """x with blocks of 16 along `axis`, a multiple of 16, rotated, rounded to the grid -7 to 7 and scaled back."""
    blocks = jnp.moveaxis(x, axis, -1)
    shape = blocks.shape
    blocks = blocks.reshape(*shape[:-1], -1, BLOCK).astype(F32) @ ROTATION
    scale = jnp.max(jnp.abs(blocks), axis=-1, keepdims=True) / 7
    scaled = blocks / jnp.where(scale == 0, 1, scale)
    rounded = jnp.round(scaled) if key is None else jnp.floor(scaled + jax.random.uniform(key, blocks.shape))
    return jnp.moveaxis((rounded * scale).astype(BF16).reshape(shape), -1, axis)


@jax.custom_vjp
def fake_linear(x, w, key):
    return _forward(x, w, key)[0]


def _forward(x, w, key):
    y = jnp.dot(fake_quantize(x, -1), fake_quantize(w, 0), preferred_element_type=F32)
    return y.astype(BF16), (x, w, key)


def _backward(saved, dy):
    x, w, key = saved
    rows, dy_rows = x.reshape(-1, x.shape[-1]), dy.reshape(-1, dy.shape[-1])
    for_dx, for_dw = jax.random.split(key)
    dx = jnp.dot(fake_quantize(dy_rows, -1, for_dx), fake_quantize(w, 1).T, preferred_element_type=F32)
    dw = jnp.dot(fake_quantize(rows, 0).T, fake_quantize(dy_rows, 0, for_dw), preferred_element_type=F32)
    return dx.astype(x.dtype).reshape(x.shape), dw.astype(w.dtype), None


fake_linear.defvjp(_forward, _backward)


def sgd_step(loss):
    def step(p, x, y):
        value, gradients = jax.value_and_grad(loss)(p, x, y)
        return jax.tree.map(lambda a, b: (a - 0.1 * b).astype(a.dtype), p, gradients), value, gradients

    return step


def mlp_loss(linear):
    def loss(p, x, y):
        for w in p[:-1]:
            x = jax.nn.gelu(linear(x, w))
        return jnp.mean((linear(x, p[-1]).astype(F32) - y.astype(F32)) ** 2)

    return loss


def bf16(tree):
    return jax.tree.map(lambda a: jnp.asarray(a, BF16), tree)


def transformer(size, length, **shape):
    data = map(jnp.asarray, train_jax.batch(0, size, length))
    return train_jax.make_loss, (bf16(train_jax.init(**shape)), *data)


def mlp(rows, widths):
    rng = np.random.default_rng(0)
    normal = lambda m, n, scale: jnp.asarray(rng.standard_normal((m, n)) * scale, BF16)
    p = [normal(m, n, m**-0.5) for m, n in zip(widths, widths[1:])]
    return mlp_loss, (p, normal(rows, widths[0], 1), normal(rows, widths[-1], 1))


SIZES = {
    "handed": ("transformer of examples/models: D 128, 2 blocks, 128 tokens", lambda: transformer(2, 64)),
    "wide": ("transformer: D 512, 2 blocks, 512 tokens", lambda: transformer(4, 128, width=512, hidden=2048)),
    "mlp": ("MLP 1024-4096-1024, 512 rows", lambda: mlp(512, (1024, 4096, 1024))),
}


def seconds(step, arguments, number):
    start = time.perf_counter()
    jax.block_until_ready(step(*arguments, number))
    return time.perf_counter() - start


def measure(name, repetitions):
    title, make = SIZES[name]
    make_loss, arguments = make()
    plain = jax.jit(sgd_step(make_loss(train_jax.linear)))

    @jax.jit
    def fake(p, x, y, number):
        # A key of its own for each call of the layer.
        keys = iter(jax.random.split(jax.random.fold_in(jax.random.key(0), number), 64))
        return sgd_step(make_loss(lambda x, w: fake_linear(x, w, next(keys))))(p, x, y)

    quantized = ufp4.jax.quantize(sgd_step(make_loss(train_jax.linear)))
    steps = {
        "bf16": lambda p, x, y, number: plain(p, x, y),
        "fake": fake,
        "ufp4": lambda p, x, y, number: quantized(p, x, y, seed=0, step=number),
    }
    flat = lambda tree: np.concatenate([np.asarray(leaf, np.float64).ravel() for leaf in jax.tree.leaves(tree)])
    gradients = {kind: flat(step(*arguments, 0)[2]) for kind, step in steps.items()}
    exact = gradients["bf16"]
    error = {kind: np.linalg.norm(found - exact) / np.linalg.norm(exact) for kind, found in gradients.items()}
    times = {kind: [] for kind in steps}
    for number in range(1, repetitions + 1):
        for kind, step in steps.items():
            times[kind].append(seconds(step, arguments, number))
    print(title)
    quartiles = {kind: np.percentile(found, [25, 50, 75]) * 1e3 for kind, found in times.items()}
    for kind, (low, median, high) in quartiles.items():
        ratio = f"{median / quartiles['bf16'][1]:6.2f} x bf16"
        spread = f"({low:.2f} to {high:.2f})"
        print(f"  {kind:5} {median:9.2f} ms {spread:22}{ratio}  gradients {error[kind]:.3f} from bf16's")
    print(f"  ufp4 is {quartiles['fake'][1] / quartiles['ufp4'][1]:.2f} times as fast as the fake quantization")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--sizes", default=",".join(SIZES))
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, jax {jax.__version__}, ufp4 {ufp4.__version__}")
    for name in arguments.sizes.split(","):
        measure(name, arguments.repetitions)
    print(f"load at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
