"""What the model scripts share: layers, the SGD update, and the export.

A model script defines a step function and its arguments and calls `export`,
which writes NAME.generic.mlir (StableHLO in MLIR's generic form, with
locations) and NAME.npz (the flat inputs i0... and JAX's own results o0...).
"""

import argparse
import pathlib

import jax
import jax.export
import jax.numpy as jnp
import ml_dtypes
import numpy as np

import to_linalg
from npz import save_npz

BF16 = jnp.bfloat16
F32 = jnp.float32
LEARNING_RATE = 0.1

# Locations name source files. Without their folders, so that the text does not
# depend on where the scripts lie.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
jax.config.update("jax_platforms", "cpu")


def linear(x, w):
    """x·w of bf16 operands: accumulated in f32, stored in bf16."""
    return jnp.dot(x, w, preferred_element_type=F32).astype(BF16)


def einsum(spec, x, w):
    """The same for any einsum of two operands."""
    return jnp.einsum(spec, x, w, preferred_element_type=F32).astype(BF16)


def gelu(x):
    return jax.nn.gelu(x, approximate=True)


def rms_norm(x, gain):
    xf = x.astype(F32)
    scale = jax.lax.rsqrt(jnp.mean(xf * xf, axis=-1, keepdims=True) + 1e-5)
    return (xf * scale).astype(BF16) * gain


def mean_squared_error(y, target):
    return jnp.mean((y.astype(F32) - target.astype(F32)) ** 2)


def sgd(params, grads):
    """One step of SGD in f32, stored back in the parameter's type."""
    return jax.tree.map(
        lambda p, g: (p.astype(F32) - LEARNING_RATE * g.astype(F32)).astype(p.dtype),
        params,
        grads,
    )


def training_step(loss_fn):
    """(params, *data) -> (new params, loss, gradients)."""

    def step(p, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(p, x, y)
        return sgd(p, grads), loss, grads

    return step


class Random:
    """Seeded bf16 tensors. NumPy's generator, so that a new JAX changes none."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def normal(self, *shape, scale=1.0):
        return jnp.asarray((self.rng.standard_normal(shape) * scale).astype(ml_dtypes.bfloat16))

    def weight(self, *shape, fan_in):
        return self.normal(*shape, scale=fan_in**-0.5)

    def near_one(self, *shape):
        return jnp.asarray(
            (1 + 0.1 * self.rng.standard_normal(shape)).astype(ml_dtypes.bfloat16)
        )


def bits(array):
    """A NumPy array that np.save can store: bf16 becomes its bit patterns."""
    array = np.asarray(array)
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


def export(name, step, args, linalg=(), expect=None, overrides=None):
    """Writes the model's files into the folder given by --output-dir.

    `linalg` lists the linalg spellings to make (see to_linalg.SPELLINGS).
    `expect` is called with the StableHLO text and asserts that it has the
    feature that the model is an example of. `overrides` are pairs of a
    primitive and how it is lowered; the text is then the one that jax.export
    keeps.
    """
    parser = argparse.ArgumentParser(description=f"makes {name}")
    parser.add_argument(
        "--output-dir",
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent,
    )
    out = parser.parse_args().output_dir
    out.mkdir(parents=True, exist_ok=True)

    jitted = jax.jit(step, keep_unused=True)
    if overrides is None:
        module = jitted.lower(*args).compiler_ir("stablehlo")
        text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    else:
        from jax.interpreters.mlir import make_ir_context

        exported = jax.export.export(jitted, platforms=["cpu"], _override_lowering_rules=overrides)
        with make_ir_context():
            module = exported(*args).mlir_module(serialized=False)
            text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)
    if expect is not None:
        expect(text)
    (out / f"{name}.generic.mlir").write_text(text)

    inputs = jax.tree.leaves(args)
    results = jax.tree.leaves(jitted(*args))
    arrays = {f"i{i}": bits(x) for i, x in enumerate(inputs)}
    arrays |= {f"o{i}": bits(x) for i, x in enumerate(results)}
    save_npz(out / f"{name}.npz", arrays)

    for spelling in linalg:
        (out / f"{name}{to_linalg.SPELLINGS[spelling]}").write_text(
            to_linalg.convert(text, spelling)
        )
