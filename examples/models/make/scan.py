"""scan_mlp: residual MLP blocks with stacked weights, run by `lax.scan`.

One loop runs the forward and one, downwards, the backward. Weights come to the
dots as slices of the stacks, activations for the backward through stacks that
the forward loop fills, gradients leave through stacks that the backward loop
fills. An output layer outside the loops stands beside them.
"""

import re

import jax
from common import Random, export, gelu, linear, mean_squared_error, training_step

LAYERS, BATCH, WIDTH, HIDDEN, OUT = 3, 16, 32, 64, 16


def block(x, layer):
    h = gelu(linear(x, layer["w1"]))
    return x + linear(h, layer["w2"]), None


def loss_fn(p, x, y):
    with jax.named_scope("blocks"):
        x, _ = jax.lax.scan(block, x, p["blocks"])
    with jax.named_scope("head"):
        x = linear(x, p["head"])
    return mean_squared_error(x, y)


def scan_step(p, x, y):
    return training_step(loss_fn)(p, x, y)


def expect(text):
    assert len(re.findall(r'"stablehlo.while"\(', text)) == 2
    assert len(re.findall(r'"stablehlo.dot_general"\(', text)) == 9


if __name__ == "__main__":
    r = Random(2)
    params = {
        "blocks": {
            "w1": r.weight(LAYERS, WIDTH, HIDDEN, fan_in=WIDTH),
            "w2": r.weight(LAYERS, HIDDEN, WIDTH, fan_in=HIDDEN),
        },
        "head": r.weight(WIDTH, OUT, fan_in=WIDTH),
    }
    export(
        "scan_mlp",
        scan_step,
        (params, r.normal(BATCH, WIDTH), r.normal(BATCH, OUT)),
        linalg=["default", "named"],
        expect=expect,
    )
