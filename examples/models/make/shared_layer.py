"""shared_layer: one layer function, jitted by itself and called twice.

An inner `jax.jit` becomes a private function. Here its forward and its backward
have two call sites each: one dot in the text is two dots of the model, with
another parameter at each call.
"""

import re

import jax
from common import Random, export, gelu, linear, mean_squared_error, training_step


@jax.jit
def layer(x, w):
    return gelu(linear(x, w))


def loss_fn(p, x, y):
    # The first layer's input has no gradient, so a call there would be of
    # another function: the two calls come after a layer of its own.
    with jax.named_scope("embed"):
        x = linear(x, p["embed"])
    with jax.named_scope("first"):
        x = layer(x, p["first"])
    with jax.named_scope("second"):
        x = layer(x, p["second"])
    with jax.named_scope("head"):
        x = linear(x, p["head"])
    return mean_squared_error(x, y)


def shared_layer_step(p, x, y):
    return training_step(loss_fn)(p, x, y)


def expect(text):
    calls = re.findall(r'"func.call"\([^)]*\) <\{callee = @([A-Za-z0-9_]*layer[A-Za-z0-9_]*)', text)
    assert len(calls) == 4 and len(set(calls)) == 2, calls
    assert all(calls.count(name) == 2 for name in calls), calls


if __name__ == "__main__":
    r = Random(3)
    params = {
        "embed": r.weight(48, 64, fan_in=48),
        "first": r.weight(64, 64, fan_in=64),
        "second": r.weight(64, 64, fan_in=64),
        "head": r.weight(64, 32, fan_in=64),
    }
    export(
        "shared_layer",
        shared_layer_step,
        (params, r.normal(16, 48), r.normal(16, 32)),
        expect=expect,
    )
