"""Lists what a rewritten model has that the model has not, by lines without the names of values.

Usage: untouched.py MODEL

New are calls of ufp4 functions, the seed's argument wherever it passes, and what folds a trip number
into it. Prints any other new line and any line that is gone, but for dots and for the views and casts
that only they read, and the count of these.
"""

import collections
import re
import subprocess
import sys


def lines(*options):
    command = ["ufp4-opt", sys.argv[1], "--allow-unregistered-dialect", "--mlir-print-op-generic", *options]
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    # The function that folds seeds is new as a whole.
    text = re.sub(r'  "func\.func"\(\)[^\n]*"ufp4\.fold_in"[^\n]*\n.*?\n  \}\) : \(\) -> \(\)\n', "", text, flags=re.S)
    # So is the seed, wherever it passes; operands have no names here and no number.
    text = re.sub(r", ufp4\.recipe = \{.*?\}|, \{ufp4\.rng = true\}|, (%\w+: )?tensor<3xi32>", "", text)
    text = re.sub(r"arg_attrs = \[\{\}(, \{\})*\], ", "", text)
    text = re.sub(r"\(%[\w#]+(, %[\w#]+)*\)", "(%)", text)
    return collections.Counter(re.sub(r"%[\w#:]+", "%", line).strip() for line in text.splitlines())


before, after = lines(), lines("--ufp4-quantize-training")
assert any("ufp4.gemm" in line for line in after)
added = re.compile(r"ufp4\.|convert.*\(tensor<i32>\) -> tensor<i64>|constant.*dense<\d+> : tensor<i64>")
gone = re.compile(r"stablehlo\.(dot_general|convert|transpose|reshape)")
other = [f"new: {line}" for line in after - before if not added.search(line)]
other += [f"gone: {line}" for line in before - after if not gone.search(line)]
print(*other, sep="\n")
print(len(other), "other lines")
