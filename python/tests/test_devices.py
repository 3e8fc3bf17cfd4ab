"""Steps for devices, on a machine that has none."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import ufp4
import ufp4.jax
from ufp4 import _native


def loss(w, x):
    return jnp.mean(jnp.tanh(x @ w).astype(jnp.float32) ** 2)


def step(w, x):
    value, gradient = jax.value_and_grad(loss)(w, x)
    return w - 0.1 * gradient, value


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    return jnp.asarray(rng.standard_normal((32, 48)), jnp.bfloat16), jnp.asarray(rng.standard_normal((64, 32)), jnp.bfloat16)


def test_handlers_of_every_platform_are_registered():
    ufp4.jax.register()
    platforms = ("cpu", "CUDA", "ROCM")
    assert set(_native.xla_handlers()) == {(p, t) for p in platforms for t in ("ufp4.gemm", "ufp4.grouped_gemm", "ufp4.amax")}


@pytest.mark.parametrize("platform", ["cuda", "rocm"])
def test_export_for_a_device(platform, data):
    step4 = ufp4.jax.quantize(step, platform=platform)
    function = jax.jit(lambda w, x: step4(w, x, seed=1, step=2))
    exported = jax.export.export(function, platforms=[platform], disabled_checks=ufp4.jax.CUSTOM_CALLS)(*data)
    assert exported.platforms == (platform,)
    # fprop and wgrad; x needs no gradient.
    assert exported.mlir_module().count("@ufp4.gemm(") == 2
    assert [gemm["role"] for gemm in step4.decisions] == ["fprop", "wgrad"]


def test_platforms_are_checked(data):
    with pytest.raises(ufp4.Error, match="platform: expected one of cpu, cuda, rocm, found 'tpu'"):
        ufp4.jax.quantize(step, platform="tpu")
    with pytest.raises(ValueError, match="exported for platforms .*cuda.* but it is used on .*cpu"):
        ufp4.jax.quantize(step, platform="cuda")(*data, seed=0, step=0)
