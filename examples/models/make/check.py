"""Runs the models and compares them with JAX's results in their .npz.

    check.py [--llvm=/usr/lib/llvm-22] [FILE.mlir ...]

StableHLO text runs in XLA, linalg text through `mlir-opt` and clang.
Prints the worst |difference| / max |reference| over each file's results, apart
for new parameters (one step hardly moves them, so they hide a wrong gradient),
for loss and gradients of matrices, and for gradients of vectors. The last are
sums over all tokens: linalg text has them literally in bf16 where XLA adds in
f32, so their bound is wider. Fails above the bounds.
"""

import argparse
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

BOUNDS = {"parameters": 0.02, "gradients": 0.02, "vector gradients": 0.05}


def element_types(signature):
    """The element types of all tensors in a piece of a function's type."""
    return [t.split("x")[-1] for t in re.findall(r"tensor<([^>]*)>", signature)]


def from_bits(array, element_type):
    """Undoes what np.save needed: bf16 lies in files as its bit patterns."""
    if element_type == "bf16" and array.dtype != ml_dtypes.bfloat16:
        return array.view(ml_dtypes.bfloat16)
    return array


def load(npz, types, letter):
    return [from_bits(npz[f"{letter}{i}"], t) for i, t in enumerate(types)]


def run_in_xla(text, inputs):
    import jax
    from jax.interpreters.mlir import make_ir_context
    from jaxlib import _jax
    from jaxlib.mlir import ir

    device = jax.devices("cpu")[0]
    with make_ir_context():
        program = str(ir.Module.parse(text))
    executable = device.client.compile_and_load(
        program, _jax.DeviceList((device,)), _jax.CompileOptions()
    )
    results = executable.execute_sharded([jax.device_put(x, device) for x in inputs])
    return [np.asarray(r[0]) for r in results.disassemble_into_single_device_arrays()]


# Loops over memrefs, bf16 operations one by one as the text has them (each in
# f32, then rounded): slow, and nothing that could hide a wrong text.
CPU_PASSES = """builtin.module(
  one-shot-bufferize{bufferize-function-boundaries=true allow-return-allocs-from-loops=true
                     function-boundary-type-conversion=identity-layout-map},
  buffer-results-to-out-params{hoist-static-allocs=true modify-public-functions=true},
  canonicalize, convert-linalg-to-loops, expand-strided-metadata, lower-affine,
  math-extend-to-supported-types,
  arith-emulate-unsupported-floats{source-types=bf16 target-type=f32},
  arith-expand{include-bf16=true}, canonicalize, convert-scf-to-cf,
  func.func(llvm-request-c-wrappers),
  convert-math-to-llvm, convert-math-to-libm, convert-arith-to-llvm,
  finalize-memref-to-llvm, convert-func-to-llvm, convert-cf-to-llvm,
  reconcile-unrealized-casts)"""


def memref(array):
    """A descriptor of a contiguous array, as MLIR's C interface takes it."""

    class Descriptor(ctypes.Structure):
        _fields_ = [
            ("allocated", ctypes.c_void_p),
            ("aligned", ctypes.c_void_p),
            ("offset", ctypes.c_int64),
            ("sizes", ctypes.c_int64 * array.ndim),
            ("strides", ctypes.c_int64 * array.ndim),
        ]

    strides = [s // array.itemsize for s in array.strides]
    data = array.ctypes.data
    sizes = ctypes.c_int64 * array.ndim
    return Descriptor(data, data, 0, sizes(*array.shape), sizes(*strides))


def run_on_cpu(text, inputs, like, llvm):
    """Compiles with LLVM's own tools and runs. `like` has the results' shapes and types."""
    entry = re.search(r"func\.func (?:public )?@(\w+)", text)[1]
    with tempfile.TemporaryDirectory() as folder:
        stem = pathlib.Path(folder) / "model"
        source, lowered, module, library = (
            f"{stem}{e}" for e in (".mlir", ".llvm.mlir", ".ll", ".so")
        )
        pathlib.Path(source).write_text(text)
        tools, libraries = llvm / "bin", llvm / "lib"
        for command in (
            [tools / "mlir-opt", source, f"--pass-pipeline={CPU_PASSES}", "-o", lowered],
            [tools / "mlir-translate", "--mlir-to-llvmir", lowered, "-o", module],
            [tools / "clang", "-w", "-O1", "-shared", "-fPIC", module, "-o", library, "-lm"]
            + [f"-L{libraries}", "-lmlir_c_runner_utils", f"-Wl,-rpath,{libraries}"],
        ):
            subprocess.run([str(c) for c in command], check=True)
        function = getattr(ctypes.CDLL(library), f"_mlir_ciface_{entry}")
        # A function may use its arguments' memory.
        arrays = [np.array(x, order="C", copy=True) for x in inputs]
        results = [np.zeros(o.shape, o.dtype) for o in like]
        descriptors = [memref(a) for a in arrays + results]
        function(*[ctypes.byref(d) for d in descriptors])
    return results


def error(result, reference):
    result, reference = np.asarray(result, np.float64), np.asarray(reference, np.float64)
    assert result.shape == reference.shape, (result.shape, reference.shape)
    return np.abs(result - reference).max() / max(np.abs(reference).max(), 1e-30)


def check(path, llvm):
    """Returns the worst error of each kind in BOUNDS."""
    text = path.read_text()
    npz = np.load(path.with_name(path.name.split(".")[0] + ".npz"))
    if ".linalg." in path.name:
        signature = re.search(r"func\.func (?:public )?@main\((.*?)\) -> (.*?) \{$", text, re.M)
    else:
        signature = re.search(
            r'function_type = \((.*?)\) -> (.*?), res_attrs.*sym_name = "main"', text
        )
    inputs = load(npz, element_types(signature[1]), "i")
    references = load(npz, element_types(signature[2]), "o")
    if ".linalg." in path.name:
        results = run_on_cpu(text, inputs, references, llvm)
    else:
        results = run_in_xla(text, inputs)
    # New parameters stand before the loss, which is the only scalar. Without a
    # loss all results are gradients.
    loss = next((i for i, o in enumerate(references) if o.ndim == 0), 0)
    worst = dict.fromkeys(BOUNDS, 0.0)
    for i, (result, reference) in enumerate(zip(results, references, strict=True)):
        vector = reference.ndim == 1
        kind = "parameters" if i < loss else "vector gradients" if vector else "gradients"
        # Not max(), which would lose a NaN.
        e = error(result, reference)
        worst[kind] = e if not e <= worst[kind] else worst[kind]
    return worst


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--llvm", type=pathlib.Path, default="/usr/lib/llvm-22")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent.parent
    files = args.files or [
        f
        for f in sorted(folder.glob("*.mlir"))
        if f.with_name(f.name.split(".")[0] + ".npz").exists()
    ]
    failed = 0
    for path in files:
        worst = check(path, args.llvm)
        good = all(worst[kind] <= bound for kind, bound in BOUNDS.items())
        failed += not good
        errors = ", ".join(f"{kind} {e:.1e}" for kind, e in worst.items())
        print(f"{path.name}: {errors}{'' if good else ' FAILED'}", flush=True)
    print(f"{len(files) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
