"""remat_mlp: a three-layer MLP whose forward is recomputed in the backward.

`jax.checkpoint` keeps only each block's inputs. The backward computes the
block's forward again from them, behind an `optimization_barrier` that keeps XLA
from merging the two. So the first two layers have two forward dots each, on
equal values; nothing needs the last layer's again.
"""

import re

import jax
from common import Random, export, gelu, linear, mean_squared_error, training_step


@jax.checkpoint
def hidden(x, layer):
    return gelu(linear(x, layer["w"]) + layer["b"])


@jax.checkpoint
def output(x, layer):
    return linear(x, layer["w"]) + layer["b"]


def loss_fn(p, x, y):
    with jax.named_scope("layer0"):
        x = hidden(x, p["layer0"])
    with jax.named_scope("layer1"):
        x = hidden(x, p["layer1"])
    with jax.named_scope("layer2"):
        x = output(x, p["layer2"])
    return mean_squared_error(x, y)


def remat_step(p, x, y):
    return training_step(loss_fn)(p, x, y)


def expect(text):
    # 3 forward, 3 wgrad, 2 dgrad, 2 recomputed.
    assert len(re.findall(r'"stablehlo.dot_general"\(', text)) == 10
    assert len(re.findall(r'loc\("[^"]*/rematted_computation/[^"]*dot_general"', text)) == 2
    assert '"stablehlo.optimization_barrier"' in text


if __name__ == "__main__":
    r = Random(1)
    params = {
        f"layer{i}": {"w": r.weight(m, n, fan_in=m), "b": r.normal(n, scale=0.1)}
        for i, (m, n) in enumerate([(64, 96), (96, 96), (96, 32)])
    }
    export(
        "remat_mlp",
        remat_step,
        (params, r.normal(16, 64), r.normal(16, 32)),
        expect=expect,
    )
