"""Prints `index decision reason message` of each record of a decisions.json, for FileCheck."""

import json
import sys

report = json.load(open(sys.argv[1], encoding="utf-8"))
for index, gemm in enumerate(report["gemms"]):
    size = "x".join("?" if gemm[key] is None else str(gemm[key]) for key in ("batch", "m", "n", "k"))
    streams = ",".join(str(operand["stream"]) for operand in gemm["operands"])
    print(index, gemm["op"], size, gemm["role"], streams, gemm["decision"], gemm["reason"], gemm["message"])
