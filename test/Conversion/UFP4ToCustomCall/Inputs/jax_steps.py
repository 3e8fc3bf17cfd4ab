"""Training steps exported by JAX, rewritten by ufp4-opt and run by XLA.

Usage: jax_steps.py WORK_DIR CASE...

Each case is exported (jax.export), rewritten as generic text, parsed back, serialised and called
through jax.jit. The custom call is bound to plain_gemm.cpp, which multiplies without quantizing:
the results must be the original's up to rounding. For each case it prints the roles that were
rewritten, the largest relative difference, and how many different seeds and streams were drawn from.
"""

import ctypes
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.extend.mlir as jax_mlir
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax._src.interpreters import mlir as jax_context
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P
from jaxlib.mlir import ir

jax.config.update("jax_platforms", "cpu")
BF16, F32 = jnp.bfloat16, jnp.float32
SEED, STEP = 0x0123456789ABCDEF, 7


# Q10 in NumPy's place: Philox4x32-10 (Salmon et al. 2011).
def fold_in(seed, number):
    counter = [number & 0xFFFFFFFF, number >> 32, 0xFFFFFFFF, 0xFFFFFFFF]
    key = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [
            (b >> 32) ^ counter[1] ^ key[0],
            b & 0xFFFFFFFF,
            (a >> 32) ^ counter[3] ^ key[1],
            a & 0xFFFFFFFF,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter[0] | counter[1] << 32


def linear(x, w):
    return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def block(x, layer):
    return x + linear(jnp.tanh(linear(x, layer["w1"])), layer["w2"])


def mean_squared_error(y, target):
    return jnp.mean((y.astype(F32) - target.astype(F32)) ** 2)


def step_of(forward):
    def loss(p, x, y):
        return mean_squared_error(forward(p, x), y)

    return lambda p, x, y: jax.value_and_grad(loss)(p, x, y)


def make(rng, *shape):
    return jnp.asarray(rng.standard_normal(shape) * shape[-2] ** -0.5, BF16)


def layers(rng, count, width=32, hidden=64):
    return {"w1": make(rng, count, width, hidden), "w2": make(rng, count, hidden, width)}


def data(rng, *leading, width=32):
    return make(rng, *leading, width), make(rng, *leading, width)


def scan_remat(rng):
    """Layers by scan, each recomputed in the backward."""
    forward = lambda p, x: lax.scan(jax.checkpoint(lambda x, l: (block(x, l), None)), x, p)[0]
    seeds = {fold_in(SEED, trip) for trip in range(3)}
    return step_of(forward), (layers(rng, 3), *data(rng, 16)), seeds


def remat(rng):
    """Two blocks recomputed in the backward."""

    def forward(p, x):
        for i in range(2):
            x = jax.checkpoint(block)(x, jax.tree.map(lambda w: w[i], p))
        return x

    return step_of(forward), (layers(rng, 2), *data(rng, 16)), {SEED}


def sequences(rng):
    """Operands [B, S, D]."""
    forward = lambda p, x: block(x, jax.tree.map(lambda w: w[0], p))
    return step_of(forward), (layers(rng, 1), *data(rng, 2, 8)), {SEED}


def heads(rng):
    """Weights [D, H, Dh] and [H, Dh, D]; scores batched over heads."""

    def forward(p, x):
        q, k, v = (
            jnp.einsum("bsd,dhe->bhse", x, p[n], preferred_element_type=F32).astype(BF16)
            for n in "qkv"
        )
        s = jnp.einsum("bhse,bhte->bhst", q, k, preferred_element_type=F32)
        a = jax.nn.softmax(s).astype(BF16)
        z = jnp.einsum("bhst,bhte->bshe", a, v, preferred_element_type=F32).astype(BF16)
        return jnp.einsum("bshe,hed->bsd", z, p["o"], preferred_element_type=F32).astype(BF16)

    p = {n: make(rng, 32, 2, 16) for n in "qkv"} | {"o": make(rng, 2, 16, 32)}
    return step_of(forward), (p, *data(rng, 2, 8)), {SEED}


def experts(rng):
    """A batch dimension that both operands have."""

    def forward(p, x):
        h = jnp.einsum("etd,edf->etf", x, p["w1"], preferred_element_type=F32).astype(BF16)
        return jnp.einsum("etf,efd->etd", h, p["w2"], preferred_element_type=F32).astype(BF16)

    return step_of(forward), (layers(rng, 4), *data(rng, 4, 8)), {SEED}


def two_calls(rng):
    """A jitted layer that is called again: its backward draws with the ordinals folded in."""
    inner = jax.jit(block)

    def forward(p, x):
        for i in range(3):
            x = inner(x, jax.tree.map(lambda w: w[i], p))
        return x

    # The first layer's backward computes no dx, so it is another function, called once.
    seeds = {SEED} | {fold_in(SEED, call) for call in range(2)}
    return step_of(forward), (layers(rng, 3), *data(rng, 16)), seeds


def microbatches(rng):
    """Gradients added up over microbatches by a loop, layers by one inside it."""
    one = step_of(lambda p, x: lax.scan(lambda x, l: (block(x, l), None), x, p)[0])

    def step(p, x, y):
        def body(i, carry):
            loss, grads = one(p, x[i], y[i])
            return carry[0] + loss, jax.tree.map(jnp.add, carry[1], grads)

        zero = jax.tree.map(lambda w: jnp.zeros(w.shape, w.dtype), p)
        return lax.fori_loop(0, 2, body, (jnp.zeros((), F32), zero))

    seeds = {fold_in(fold_in(SEED, i), trip) for i in range(2) for trip in range(3)}
    return step, (layers(rng, 3), *data(rng, 2, 16)), seeds


def while_loop(rng):
    """A loop that counts nothing, or not from zero: it gains a counter."""
    one = step_of(lambda p, x: block(x, jax.tree.map(lambda w: w[0], p)))

    def step(p, x, y):
        def body(carry):
            left, loss, grads = carry
            new_loss, new = one(p, x, y)
            return left - 1, loss + new_loss, jax.tree.map(jnp.add, grads, new)

        zero = jax.tree.map(lambda w: jnp.zeros(w.shape, w.dtype), p)
        return lax.while_loop(lambda c: c[0] > 3, body, (5, jnp.zeros((), F32), zero))[1:]

    seeds = {fold_in(SEED, trip) for trip in range(2)}
    return step, (layers(rng, 1), *data(rng, 16)), seeds


def cond(rng):
    """A branch draws what the place around it draws."""
    one = step_of(lambda p, x: block(x, jax.tree.map(lambda w: w[0], p)))

    def step(p, x, y):
        zero = lambda: (jnp.zeros((), F32), jax.tree.map(lambda w: jnp.zeros(w.shape, w.dtype), p))
        return lax.cond(jnp.sum(y.astype(F32)) < 1e6, lambda: one(p, x, y), zero)

    return step, (layers(rng, 1), *data(rng, 16)), {SEED}


def composite(rng):
    """A layer that is a composite: it and its decomposition take the seed."""
    named = lax.composite(lambda x, w: x + linear(x, w), "test.layer")

    @jax.custom_vjp
    def layer(x, w):
        return named(x, w)

    def backward(saved, dy):
        x, w = saved
        grads = lax.composite(
            lambda x, w, dy: (dy + linear(dy, w.T), linear(x.T, dy)), "test.layer_backward"
        )
        return grads(x, w, dy)

    layer.defvjp(lambda x, w: (layer(x, w), (x, w)), backward)
    forward = lambda p, x: layer(layer(x, p[0]), p[1])
    return step_of(forward), (make(rng, 2, 32, 32), *data(rng, 16)), {SEED}


def sharded(rng, parameters=P(), loop=False):
    mesh = jax.make_mesh((4, 2), ("d", "t"), axis_types=(AxisType.Auto,) * 2)
    gather = parameters != P()

    def forward(p, x):
        whole = lambda l: jax.tree.map(lambda w: lax.all_gather(w, "d", axis=0, tiled=True), l)
        prepare = whole if gather else lambda l: l
        if loop:
            return lax.scan(lambda x, l: (block(x, prepare(l)), None), x, p)[0]
        return block(x, prepare(p))

    def part(p, x, y):
        loss, grads = step_of(forward)(p, x, y)
        return lax.pmean(loss, "d"), grads if gather else lax.pmean(grads, "d")

    specs = (parameters, P("d"), P("d"))
    step = jax.shard_map(
        part, mesh=mesh, in_specs=specs, out_specs=(P(), parameters), check_vma=False
    )
    p = layers(rng, 3) if loop else jax.tree.map(lambda w: w[0], layers(rng, 1))
    args = tuple(
        jax.device_put(a, NamedSharding(mesh, s)) for a, s in zip((p, *data(rng, 64)), specs)
    )
    seeds = {fold_in(SEED, trip) for trip in range(3)} if loop else {SEED}
    return step, args, seeds


def shard_map(rng):
    """Data parallelism by shard_map on 8 devices."""
    return sharded(rng)


def shard_map_scan(rng):
    """The same around a scan over layers."""
    return sharded(rng, loop=True)


def shard_map_fsdp(rng):
    """Parameters sharded and gathered for their use."""
    return sharded(rng, parameters=P("d"))


CASES = [scan_remat, remat, sequences, heads, experts, two_calls, microbatches, while_loop, cond, composite,
         shard_map, shard_map_scan, shard_map_fsdp]


class Call(ctypes.Structure):
    _fields_ = [(n, ctypes.c_int64)
                for n in ("gemm", "lhs_stream", "rhs_stream", "seed_low", "seed_high", "step")]


def build_handler(folder):
    source = pathlib.Path(__file__).with_name("plain_gemm.cpp")
    library = folder / "plain_gemm.so"
    subprocess.run(
        [os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-w", "-shared", "-fPIC",
         f"-I{jax.ffi.include_dir()}", source, "-o", library], check=True)
    handler = ctypes.CDLL(str(library))
    jax.ffi.register_ffi_target("ufp4.gemm", jax.ffi.pycapsule(handler.PlainGemm), platform="cpu")
    handler.getCalls.restype = ctypes.POINTER(Call)
    handler.countCalls.restype = ctypes.c_int64
    return handler


def rewrite(exported, args, folder, name, recipe="ufp4"):
    """The exported step with its GEMMs rewritten and the seed as a last argument."""
    with jax_context.make_ir_context():
        module = jax_mlir.deserialize_portable_artifact(exported.mlir_module_serialized)
        module = ir.Module.parse(module) if isinstance(module, str) else module
        text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    (folder / f"{name}.mlir").write_text(text)
    decisions = folder / f"{name}.json"
    out = subprocess.run(
        ["ufp4-opt", "--allow-unregistered-dialect", folder / f"{name}.mlir",
         f"--ufp4-quantize-training=recipe={recipe} fail-on-miss decisions={decisions}",
         "--mlir-print-op-generic", "--mlir-print-debuginfo"],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    (folder / f"{name}.out.mlir").write_text(out)
    with jax_context.make_ir_context():
        module = ir.Module.parse(out)
        module.operation.verify()
        serialized = jax_mlir.serialize_portable_artifact(module, "1.13.0")
    rng = jax.ShapeDtypeStruct((3,), jnp.int32)
    fields = {
        "mlir_module_serialized": serialized,
        "in_avals": (*exported.in_avals, jax.core.ShapedArray((3,), jnp.int32)),
        "in_tree": jax.tree.structure(((*args, rng), {})),
        "module_kept_var_idx": (*exported.module_kept_var_idx, len(exported.in_avals)),
        "_get_vjp": None,
    }
    for field in dataclasses.fields(exported):
        if field.name in ("in_shardings_hlo", "_in_named_shardings"):
            fields[field.name] = (*getattr(exported, field.name), None)
    return dataclasses.replace(exported, **fields), json.loads(decisions.read_text())["gemms"]


def difference(a, b):
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return np.abs(a - b).max() / max(np.abs(b).max(), 1e-30)


def run(case, handler, folder):
    step, args, seeds = case(np.random.default_rng(0))
    jitted = jax.jit(step, keep_unused=True)
    exported = export.export(jitted)(*args)
    rewritten, gemms = rewrite(exported, args, folder, case.__name__)
    rng = np.array([SEED & 0xFFFFFFFF, SEED >> 32, STEP], np.uint32).view(np.int32)
    handler.clearCalls()
    call = jax.jit(rewritten.call)
    results = jax.tree.leaves(call(*args, rng))
    jax.block_until_ready(results)
    calls = [handler.getCalls()[i] for i in range(handler.countCalls())]
    expected = jax.tree.leaves(jitted(*args))
    worst = max(difference(a, b) for a, b in zip(results, expected, strict=True))
    roles = " ".join(gemm["role"] for gemm in gemms if gemm["decision"] == "rewritten")
    drawn = {call.seed_low | call.seed_high << 32 for call in calls}
    assert all(call.step == STEP for call in calls)
    print(f"{case.__name__}: {roles}; difference {'ok' if worst < 0.02 else worst}; seeds "
          f"{'ok' if drawn == seeds else sorted(map(hex, drawn ^ seeds))}", flush=True)


def main(folder, *names):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    handler = build_handler(folder)
    for case in CASES:
        if case.__name__ in names or not names:
            run(case, handler, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
