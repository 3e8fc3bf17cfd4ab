"""What the CPU path costs beside its peers, on one thread and on two, in one run.

    python benchmarks/cpu.py [--threads=1,2] [--repetitions=15] [--only=quantize,gemm,step]

Candidates of one row run in turn, so that what else the machine does meets all of them alike; shown are medians, the
first and third quartile, and the median of the ratios to the row's first candidate. Threads are cores that the process
may use: numpy's BLAS, XLA and IREE take as many. Needs the package, numpy, ml_dtypes and jax; with
iree-base-compiler and iree-base-runtime IREE takes part.
"""

import argparse
import ctypes
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ROOT / "examples" / "models"
ROTATION = ", rotation = <size = 16, signs = 0xD7E8>"


def measure(title, candidates, repetitions, unit=None):
    """Times of `candidates` (name to function); `unit` makes a rate of seconds: (name, function)."""
    seconds = {name: [] for name in candidates}
    for run in candidates.values():
        run()
    for _ in range(repetitions):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            seconds[name].append(time.perf_counter() - start)
    print(title)
    first = next(iter(seconds.values()))
    for name, values in seconds.items():
        low, middle, high = quartiles(values)
        ratio = quartiles([value / other for value, other in zip(values, first)])[1]
        rate = f"  {unit[1](middle):8.1f} {unit[0]}" if unit else ""
        print(f"  {name:34s} {middle * 1e3:9.3f} ms  [{low * 1e3:.3f}, {high * 1e3:.3f}]{rate}  x {ratio:.2f}", flush=True)


def quartiles(values):
    ordered = sorted(values)
    return [ordered[round(part * (len(ordered) - 1) / 4)] for part in (1, 2, 3)]


def quantize_text(n, along, scheme, stochastic):
    q = f"!ufp4.tensor<{n}x{n}, #ufp4.scheme<{scheme}>, along = {along}>"
    how = " stochastic(%seed, %step) {stream = 7}" if stochastic else ""
    return (f"func.func @f(%x: tensor<{n}x{n}xbf16>) -> {q} {{\n"
            f"  %seed = arith.constant 3 : i64\n  %step = arith.constant 5 : i32\n"
            f"  %q = ufp4.quantize %x along {along}{how} : tensor<{n}x{n}xbf16> -> {q}\n  return %q : {q}\n}}")


def gemm_text(n, scheme):
    a, b = (f"!ufp4.tensor<{n}x{n}, #ufp4.scheme<{scheme}>, along = {along}>" for along in (1, 0))
    x, y = f"tensor<{n}x{n}xbf16>", f"tensor<{n}x{n}xf32>"
    return (f"func.func @f(%x: {x}, %w: {x}) -> {y} {{\n"
            f"  %a = ufp4.quantize %x along 1 : {x} -> {a}\n  %b = ufp4.quantize %w along 0 : {x} -> {b}\n"
            f"  %y = ufp4.matmul %a, %b : {a}, {b} -> {y}\n  return %y : {y}\n}}")


def measure_quantizes(threads, repetitions):
    import ml_dtypes
    import numpy as np
    import ufp4

    n = 4096
    x = np.random.default_rng(1).standard_normal((n, n), np.float32).astype(ml_dtypes.bfloat16)
    target = np.empty_like(x)
    rate = ("GB/s, 4 bytes an element", lambda seconds: 4 * n * n / seconds / 1e9)

    def quantizer(along, rotation, stochastic=False):
        scheme = f"e1m2, block = 16, scale = f32{rotation}"
        program = ufp4.compile(quantize_text(n, along, scheme, stochastic))
        return lambda: program(x, threads=threads)

    measure(f"quantize {n} x {n} bf16 to e1m2, f32 scales, {threads} thread(s)", {
        "along rows, no rotation": quantizer(1, ""),
        "along rows, rotated": quantizer(1, ROTATION),
        "along columns, no rotation": quantizer(0, ""),
        "along columns, rotated": quantizer(0, ROTATION),
        "along rows, rotated, stochastic": quantizer(1, ROTATION, stochastic=True),
        "memcpy of the input": lambda: ctypes.memmove(target.ctypes.data, x.ctypes.data, x.nbytes),
    }, repetitions, rate)


def measure_gemms(threads, repetitions):
    import ml_dtypes
    import numpy as np
    import ufp4

    for n in (1024, 2048):
        rng = np.random.default_rng(n)
        x, w = (rng.standard_normal((n, n), np.float32) for _ in range(2))
        narrow = [array.astype(ml_dtypes.bfloat16) for array in (x, w)]
        programs = {
            "ufp4, operands quantized": f"e1m2, block = 16, scale = f32{ROTATION}",
            "ufp4-nv, operands quantized": f"e1m2, block = 16, scale = ue4m3{ROTATION}",
        }
        candidates = {"f32 of numpy's BLAS": lambda: x @ w}
        for name, scheme in programs.items():
            program = ufp4.compile(gemm_text(n, scheme))
            candidates[name] = lambda program=program: program(*narrow, threads=threads)
        measure(f"GEMM {n} x {n} x {n}, {threads} thread(s)", candidates, repetitions,
                ("GFLOP/s", lambda seconds, n=n: 2 * n**3 / seconds / 1e9))


def jax_step(name, inputs):
    """The model's own step in BF16 as XLA compiles it."""
    import io

    import jax
    from jax._src import xla_bridge
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jax._src.lib.mlir import ir

    client = xla_bridge.get_backend("cpu")
    with mlir.make_ir_context():
        module = ir.Module.parse((MODELS / f"{name}.generic.mlir").read_text())
        code = io.BytesIO()
        module.operation.write_bytecode(code)
    devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
    compiled = client.compile_and_load(code.getvalue(), devices, xla_client.CompileOptions())
    buffers = [jax.device_put(array) for array in inputs]

    def run():
        for result in compiled.execute_sharded(buffers).disassemble_into_single_device_arrays():
            result[0].block_until_ready()

    return run


def iree_step(name, inputs, threads):
    """The model's own step in BF16 as IREE compiles it; None, with the reason printed, where it does not."""
    try:
        import iree.compiler
        import iree.runtime
    except ImportError as error:
        print(f"IREE takes no part: {error}")
        return None
    import numpy as np

    try:
        binary = iree.compiler.compile_file(str(MODELS / f"{name}.generic.mlir"), input_type="stablehlo",
                                            target_backends=["llvm-cpu"],
                                            extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3"])
    except iree.compiler.CompilerToolError as error:
        reason = next((line for line in str(error).splitlines() if "error:" in line), "iree-compile fails")
        print(f"IREE takes no part: {reason}")
        return None
    if threads > 1:
        iree.runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
    config = iree.runtime.Config("local-task" if threads > 1 else "local-sync")
    context = iree.runtime.SystemContext(config=config)
    context.add_vm_module(iree.runtime.VmModule.copy_buffer(context.instance, binary))
    (module,) = (module for key, module in context.modules.items() if key != "hal")
    function = module["main"]
    arrays = [iree.runtime.asdevicearray(config.device, np.ascontiguousarray(array)) for array in inputs]

    def run():
        results = function(*arrays)
        np.asarray(results[0].to_host())

    return run


def measure_steps(threads, repetitions):
    import ml_dtypes
    import numpy as np
    import ufp4

    # At the second IREE 3.13's compiler fails: it moves an operation before one that it reads.
    for name in ("transformer_f32acc", "transformer_compat"):
        text = (MODELS / f"{name}.linalg.mlir").read_text()
        stored = np.load(MODELS / f"{name}.npz")
        inputs = [stored[f"i{i}"] for i in range(len([key for key in stored.files if key[0] == "i"]))]
        # bf16 is stored as its bits.
        inputs = [array.view(ml_dtypes.bfloat16) if array.dtype.kind in "Vu" else array for array in inputs]
        candidates = {"XLA, BF16": jax_step(name, inputs)}
        if iree := iree_step(name, inputs, threads):
            candidates["IREE, BF16"] = iree
        for recipe in ("bf16", "ufp4", "ufp4-nv", "e2m1-baseline"):
            program = ufp4.compile(text, recipe=recipe)
            candidates[f"UFP4's CPU path, {recipe}"] = (
                lambda program=program: program(*inputs, seed=1, step=0, threads=threads))
        measure(f"one step of {name}, {threads} thread(s)", candidates, repetitions)


PARTS = {"quantize": measure_quantizes, "gemm": measure_gemms, "step": measure_steps}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    parts = options.only.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"--only: expected some of {', '.join(PARTS)}, found {', '.join(unknown)}")
    cores = sorted(os.sched_getaffinity(0))
    for count in map(int, options.threads.split(",")):
        if not 1 <= count <= len(cores):
            parser.error(f"--threads: this process may use {len(cores)} cores, found {count}")
        if options.worker:
            for part in parts:
                PARTS[part](count, options.repetitions)
            continue
        # Libraries size their pools by the cores that they find when they are loaded.
        arguments = [f"--threads={count}", f"--repetitions={options.repetitions}", f"--only={options.only}", "--worker"]
        subprocess.run([sys.executable, __file__, *arguments], check=True,
                       preexec_fn=lambda count=count: os.sched_setaffinity(0, cores[:count]))


if __name__ == "__main__":
    main()
