"""Judges the numbers of JSON reports.

report_rivals.py table MODULE FOLDER     rivals against runs of their own, of a layer
report_rivals.py loop MODULE FOLDER      the same of a GEMM in a loop
report_rivals.py numpy REPORT DUMP       e2m1-baseline's nearest operands against NumPy
report_rivals.py self REPORT             products; the rival ufp4:block=16 against the run's own ufp4
"""

import json
import math
import pathlib
import subprocess
import sys

import numpy as np

ERROR = ("sqnr_db", "alpha", "clipped", "zeroed")
RECIPES = ["ufp4", "e2m1-baseline", "nvidia-nvfp4", "mxfp4"]
LOOP_RECIPES = ["ufp4", "ufp4:x.rounding=stochastic"]


def numbers(entry, rival=None):
    """The numbers of each operand and GEMM, of the run's own recipe or of a rival."""
    pick = (lambda e: e["rivals"][rival]) if rival else (lambda e: e)
    return [
        [pick(gemm)["alpha_product"], *([pick(e)[key] for key in ERROR] for e in [gemm, *gemm["operands"]])]
        for gemm in entry["gemms"]
    ]


def table(recipes, gemms, module, folder):
    reports = {}
    for recipe in recipes:
        rivals = [rival for rival in recipes if rival != recipe]
        reports[recipe] = json.loads(subprocess.run(
            ["ufp4-run", module, f"--recipe={recipe}", "--params=w", "--inputs=random:1", "--seed=5", "--step=6",
             f"--output-dir={folder}/o", "--report=json", "--compare=" + ",".join(rivals)],
            check=True, stdout=subprocess.PIPE).stdout)
    for recipe, report in reports.items():
        assert len(report["gemms"]) == gemms and all(len(gemm["operands"]) == 2 for gemm in report["gemms"])
        for rival in recipes:
            if rival == recipe:
                continue
            assert numbers(report, rival) == numbers(reports[rival]), (recipe, rival)
    print(f"{len(recipes)} recipes, each equal under {len(reports) - 1}")


def rotate(x):
    """Q2, in f64: signs of 0xD7E8, then the Hadamard matrix of 16."""
    i = np.arange(16)
    parity = np.array([[bin(a & b).count("1") & 1 for b in i] for a in i])
    signs = np.where(0xD7E8 >> i & 1, -1.0, 1.0)
    runs = x.reshape(*x.shape[:-1], -1, 16)
    return ((runs * signs) @ (1.0 - 2.0 * parity) / 4).reshape(x.shape)


def judge_e2m1(x, rotated):
    """F1, Q3 to Q6 with f32 scales of 1 x 16, nearest."""
    k = x.shape[-1]
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(0, -k % 16)]).astype(np.float64)
    reference = rotate(x) if rotated else x
    blocks = reference.astype(np.float32).reshape(*x.shape[:-1], -1, 16)
    scale = np.abs(blocks).max(-1, keepdims=True) / np.float32(6)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(blocks) * np.where(scale > 0, np.float32(1) / scale, np.float32(0))
    levels = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    middles = (levels[1:] + levels[:-1]) / 2
    even = np.arange(1, 8) % 2 == 0
    code = ((t[..., None] > middles) | ((t[..., None] == middles) & even)).sum(-1)
    q = (np.sign(blocks) * levels[code] * scale.astype(np.float64)).reshape(x.shape)
    code = code.reshape(x.shape)
    return {
        "sqnr_db": 10 * math.log10((reference**2).sum() / ((reference - q) ** 2).sum()),
        "alpha": (reference * q).sum() / (reference**2).sum(),
        "clipped": 0.0,
        "zeroed": (code[reference != 0] == 0).mean(),
    }


def read_bf16(path):
    bits = np.load(path).view(np.uint16).astype(np.uint32) << 16
    return bits.view(np.float32)


def against_numpy(report, dump):
    records = {(r["gemm"], r["operand"]): r for r in json.loads((dump / "index.json").read_text())}
    judged = 0
    for gemm in report["gemms"]:
        for operand in gemm["operands"]:
            rival = operand["rivals"]["e2m1-baseline"]
            record = records.get((gemm["gemm"], operand["operand"]))
            if record is None or rival["rounding"] != "nearest":
                continue
            assert (rival["scheme"]["rotation"] is not None) == (gemm["role"] == "wgrad")
            input_ = dump / record["input"]
            x = read_bf16(input_) if np.load(input_).dtype != np.float32 else np.load(input_)
            expected = judge_e2m1(x, gemm["role"] == "wgrad")
            for key, value in expected.items():
                # A rotation in f32 moves a few elements over a threshold that f64 does not.
                assert math.isclose(rival[key], value, rel_tol=1e-3, abs_tol=1e-3), (gemm["gemm"], key, rival, value)
                if gemm["role"] != "wgrad":
                    assert math.isclose(rival[key], value, rel_tol=1e-9, abs_tol=1e-12), (gemm["gemm"], key, rival, value)
            judged += 1
    print(f"{judged} operands as NumPy has them")


def check_self(report):
    products = {}
    for gemm in report["gemms"]:
        for name in [None, *gemm["rivals"]]:
            pick = (lambda e: e["rivals"][name]) if name else (lambda e: e)
            alphas = [pick(operand)["alpha"] for operand in gemm["operands"]]
            assert len(alphas) == 2 and math.isclose(pick(gemm)["alpha"], math.prod(alphas), rel_tol=1e-12)
            key = (gemm["role"], name)
            products[key] = products.get(key, 1.0) * pick(gemm)["alpha"]
            assert math.isclose(pick(gemm)["alpha_product"], products[key], rel_tol=1e-12)
            noise = sum(10 ** (-pick(operand)["sqnr_db"] / 10) for operand in gemm["operands"])
            assert math.isclose(pick(gemm)["sqnr_db"], -10 * math.log10(noise), rel_tol=1e-12)
    assert numbers(report, "ufp4:block=16") == numbers(report)
    for index, recipe in enumerate(report["recipes"]):
        for role, product in recipe["alpha_product"].items():
            assert product == products[role, recipe["name"] if index else None]


command, *arguments = sys.argv[1:]
if command == "table":
    table(RECIPES, 3, *arguments)
elif command == "loop":
    table(LOOP_RECIPES, 1, *arguments)
elif command == "numpy":
    against_numpy(json.loads(pathlib.Path(arguments[0]).read_text()), pathlib.Path(arguments[1]))
else:
    check_self(json.loads(pathlib.Path(arguments[0]).read_text()))
    print("products and rivals agree")
