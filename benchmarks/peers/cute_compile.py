"""What both programs with CuTe's Python DSL do: set it up for a chip that need not be there, and compile.

Imported before the DSL, which reads the environment.
"""

import json
import os
import pathlib
import resource
import sys
import tempfile

FOLDER, CAPABILITY, NAMES = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
DUMP = tempfile.TemporaryDirectory()
os.environ.update(CUTE_DSL_ARCH=f"sm_{CAPABILITY}a", CUTE_DSL_KEEP="cubin", CUTE_DSL_DUMP_DIR=DUMP.name,
                  CUTE_DSL_NO_CACHE="1", CUTE_DSL_DISABLE_FILE_CACHING="1")


def cpu():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def compile_all(gemm_of, kinds, **known):
    """Compiles `gemm_of(name)` of pointers to `kinds` and three sizes for every name, and prints what becomes of it."""
    import cutlass
    from cutlass import cute
    from cutlass.cute.runtime import make_ptr

    for name in NAMES:
        try:
            begin = cpu()
            pointers = [make_ptr(kind, 16, cute.AddressSpace.gmem, assumed_align=16) for kind in kinds]
            sizes = [cutlass.Int32(4096)] * 3
            cute.compile(gemm_of(name), *pointers, *sizes)
            seconds = cpu() - begin
            made = sorted(pathlib.Path(DUMP.name).rglob("*.cubin"), key=os.path.getmtime)
            (FOLDER / f"{name}.cubin").write_bytes(made[-1].read_bytes())
            print(json.dumps({"name": name, "cpu": seconds, **known}), flush=True)
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            print(json.dumps({"name": name, "error": text[:300]}), flush=True)
