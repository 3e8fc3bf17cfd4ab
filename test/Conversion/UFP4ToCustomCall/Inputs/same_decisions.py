"""Compares what becomes of a model in two spellings: StableHLO and linalg.

Usage: same_decisions.py MODEL.generic.mlir MODEL.linalg.mlir [--unordered]

Both are rewritten by the same recipe. Each GEMM must have the same role, parameter, members,
decision, streams, schemes and rounding; `--unordered` is for models whose GEMMs stand in another
order, and compares all but streams. Each rewritten StableHLO GEMM must be one custom call that says
what its record says. Prints the counts, or the first difference.
"""

import json
import re
import subprocess
import sys

generic, linalg, *options = sys.argv[1:]
RECIPE = "recipe=ufp4:x.rounding=stochastic"


def rewrite(path):
    command = ["ufp4-opt", path, "--allow-unregistered-dialect", f"--ufp4-quantize-training={RECIPE} decisions=-",
               "-o", "-"]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    report, end = json.JSONDecoder().raw_decode(out)
    return report["gemms"], out[end:]


def describe(gemm, ordered):
    operands = [
        {key: operand[key] for key in operand if key != "stream" or ordered}
        for operand in gemm["operands"]
    ]
    parameter = gemm["parameter"] and gemm["parameter"]["name"]
    return json.dumps([gemm["role"], parameter, gemm["decision"], gemm["reason"], operands])


ordered = "--unordered" not in options
first, text = rewrite(generic)
second, _ = rewrite(linalg)
a, b = [describe(gemm, ordered) for gemm in first], [describe(gemm, ordered) for gemm in second]
if not ordered:
    a.sort()
    b.sort()
for index, (x, y) in enumerate(zip(a, b, strict=True)):
    if x != y:
        sys.exit(f"g{index}: {x}\nin linalg: {y}")

calls = {}
for line in text.splitlines():
    if 'call_target_name = "ufp4.gemm"' in line:
        g = int(re.search(r"\bgemm = (\d+)", line)[1])
        assert g not in calls
        calls[g] = line
rewritten = {g for g, gemm in enumerate(first) if gemm["decision"] == "rewritten"}
assert set(calls) == rewritten, (sorted(calls), sorted(rewritten))
for g, line in calls.items():
    assert f'role = "{first[g]["role"]}"' in line
    assert f'parameter = "{first[g]["parameter"]["name"]}"' in line
    for side, operand in zip(("lhs", "rhs"), first[g]["operands"]):
        assert f'{side}_rounding = "{operand["rounding"]}"' in line
        assert f'{side}_bits = {operand.get("bits", 0)} ' in line
        scheme = operand["scheme"]
        text = re.search(rf'{side}_scheme = "([^"]*)"', line)[1]
        assert f'<{scheme["format"]}, block = {scheme["block"]},' in text, text
        stream = int(re.search(rf"{side}_stream = (\d+)", line)[1])
        # A quantize that GEMMs share has the smallest of their streams.
        drawn = operand["rounding"] == "stochastic"
        assert (0 <= stream <= operand["stream"]) if drawn else stream == 0, (g, stream)
print(f"{len(first)} gemms, {len(rewritten)} rewritten, {len(calls)} calls")
