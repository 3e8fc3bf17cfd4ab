"""Writes the training step of N chained linear layers: 3 N - 1 GEMMs in linalg.

Usage: make_chain.py N > step.mlir
"""

import sys

LAYER = "tensor<32x32xbf16>"
SUM = "tensor<32x32xf32>"


def matmul(out, name, lhs, rhs, maps):
    a, b = maps
    out.append(
        f"  %{name}f = linalg.matmul indexing_maps = [#{a}, #{b}, #out]"
        f" ins({lhs}, {rhs} : {LAYER}, {LAYER}) outs(%zero : {SUM}) -> {SUM}"
    )
    out.append(f"  %{name} = arith.truncf %{name}f : {SUM} to {LAYER}")


def main(layers):
    args = [f"%w{i}: {LAYER} {{ufp4.name = \"w{i}\"}}" for i in range(layers)]
    out = [
        "#mk = affine_map<(m, n, k) -> (m, k)>",
        "#km = affine_map<(m, n, k) -> (k, m)>",
        "#kn = affine_map<(m, n, k) -> (k, n)>",
        "#nk = affine_map<(m, n, k) -> (n, k)>",
        "#out = affine_map<(m, n, k) -> (m, n)>",
        f"func.func @step(%y0: {LAYER}, %loss: {LAYER}, {', '.join(args)})"
        f" -> ({', '.join([LAYER] * layers)}) {{",
        f"  %zero = arith.constant dense<0.0> : {SUM}",
    ]
    for i in range(layers):
        matmul(out, f"y{i + 1}", f"%y{i}", f"%w{i}", ("mk", "kn"))
    out.append(f"  %d{layers} = arith.mulf %loss, %y{layers} : {LAYER}")
    for i in reversed(range(layers)):
        matmul(out, f"g{i}", f"%y{i}", f"%d{i + 1}", ("km", "kn"))
        if i:
            # As an activation's derivative would, this keeps the forward alive.
            matmul(out, f"e{i}", f"%d{i + 1}", f"%w{i}", ("mk", "nk"))
            out.append(f"  %d{i} = arith.mulf %e{i}, %y{i} : {LAYER}")
    grads = ", ".join(f"%g{i}" for i in range(layers))
    out.append(f"  return {grads} : {', '.join([LAYER] * layers)}")
    out.append("}")
    sys.stdout.write("\n".join(out) + "\n")


main(int(sys.argv[1]))
