"""Makes the GEMM of an artifact one that must pass a canary, with a copy of it as fallback.

Usage: add_canary.py FROM TO EXPECTED [--alone]

The canary multiplies 64 pairs of codes 1: the result is 64 everywhere. The kernel says that its path is
`native`, so that a launch of it can be told from one of the fallback, whose path is `post`.
"""

import copy
import json
import pathlib
import shutil
import sys

source, target, expected, *alone = sys.argv[1:]
shutil.copytree(source, target, dirs_exist_ok=True)
path = pathlib.Path(target, "manifest.json")
manifest = json.loads(path.read_text())
gemm = next(kernel for kernel in manifest["kernels"] if kernel["path"] == "post")
gemm |= {"path": "native", "documented": False, "canary": "codes"}
if not alone:
    fallback = copy.deepcopy(gemm) | {"path": "post", "documented": True, "canary": None}
    fallback["name"] += "_copy"
    gemm["fallback"] = fallback["name"]
    manifest["kernels"].append(fallback)
manifest["canaries"] = [
    {"name": "codes", "kernel": gemm["name"], "m": 16, "n": 8, "k": 64, "code_a": 1, "code_b": 1,
     "expected": float(expected), "otherwise": 129 - float(expected)}
]  # fmt: skip
path.write_text(json.dumps(manifest))
text = pathlib.Path(target, "kernels.ll").read_text()
pathlib.Path(target, "copy.ll").write_text(text.replace(gemm["name"], gemm["name"] + "_copy"))
