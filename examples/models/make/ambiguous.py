"""stage_dx: the backward of one stage of a pipeline, which returns dx as well.

y = gelu(x·w1)·w2. Given x and dy the stage computes dx, dw1 and dw2. In the
first layer both operands, x and w1, are arguments whose gradient the function
computes: the graph alone does not say which of them is the weight.
"""

import jax
from common import Random, export, gelu, linear


def forward(p, x):
    with jax.named_scope("up"):
        h = gelu(linear(x, p["w1"]))
    with jax.named_scope("down"):
        return linear(h, p["w2"])


def stage_step(p, x, dy):
    _, pullback = jax.vjp(forward, p, x)
    grads, dx = pullback(dy)
    return dx, grads["w1"], grads["w2"]


def expect(text):
    assert text.count('"stablehlo.dot_general"(') in (5, 6)


if __name__ == "__main__":
    r = Random(5)
    params = {"w1": r.weight(32, 64, fan_in=32), "w2": r.weight(64, 48, fan_in=64)}
    export(
        "stage_dx",
        stage_step,
        (params, r.normal(16, 32), r.normal(16, 48)),
        linalg=["default", "named"],
        expect=expect,
    )
