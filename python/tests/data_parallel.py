"""A quantized step under shard_map on all devices of the process; prints what it found as JSON."""

import json
import re

import jax
import jax.numpy as jnp
import numpy as np
import test_jax
import ufp4.jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P

devices = jax.device_count()
mesh = jax.make_mesh((devices,), ("data",), axis_types=(jax.sharding.AxisType.Auto,))


def step(p, x, y):
    def local(p, x, y):
        value, gradients = jax.value_and_grad(test_jax.loss)(p, x, y)
        gradients = jax.lax.pmean(gradients, "data")
        p = jax.tree.map(lambda a, b: (a - 0.1 * b).astype(a.dtype), p, gradients)
        return p, jax.lax.pmean(value, "data"), gradients

    specs = (P(), P("data"), P("data"))
    return jax.shard_map(local, mesh=mesh, in_specs=specs, out_specs=P(), check_vma=False)(p, x, y)


def collectives(text):
    kinds = "all-reduce|all-gather|all-to-all|collective-permute|reduce-scatter"
    return sorted(re.findall(rf"^\s*%[\w.-]* = .*? ({kinds})(?:-start)?\(", text, re.M))


def flat(tree):
    return np.concatenate([np.asarray(leaf, np.float64).ravel() for leaf in jax.tree.leaves(tree)])


rng = np.random.default_rng(0)
normal = lambda *shape: jnp.asarray(rng.standard_normal(shape).astype(np.float32))
bf16 = jnp.bfloat16
params = {"w1": (normal(32, 48) / 6).astype(bf16), "b1": jnp.zeros(48, bf16), "w2": (normal(48, 16) / 7).astype(bf16)}
params = jax.device_put(params, NamedSharding(mesh, P()))
x = jax.device_put(normal(16 * devices, 32).astype(bf16), NamedSharding(mesh, P("data")))
y = jax.device_put(normal(16 * devices, 16), NamedSharding(mesh, P("data")))

quantized = ufp4.jax.quantize(step)
results, reference = quantized(params, x, y, seed=1), jax.jit(step)(params, x, y)
ours = jax.jit(lambda p, x, y: quantized(p, x, y, seed=1)).lower(params, x, y).compile().as_text()
theirs = jax.jit(step).lower(params, x, y).compile().as_text()
shards = [np.asarray(shard.data) for shard in results[0]["w1"].addressable_shards]
report = {
    "roles": [gemm["role"] for gemm in quantized.decisions],
    "rewritten": sum(gemm["decision"] == "rewritten" for gemm in quantized.decisions),
    "collectives": collectives(ours),
    "reference_collectives": collectives(theirs),
    "error": np.linalg.norm(flat(results[2]) - flat(reference[2])) / np.linalg.norm(flat(reference[2])),
    "replicas_equal": len(shards) == devices and all(np.array_equal(shards[0], shard) for shard in shards),
}
print(json.dumps(report))
