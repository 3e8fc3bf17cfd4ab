"""The training comparison of examples/training: what its rows are, how it resumes, and what its report says."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import jax
import numpy as np
import pytest
import ufp4

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "training"
sys.path.insert(0, str(FOLDER))

import corpus  # noqa: E402
import mechanism  # noqa: E402
import report  # noqa: E402
import train  # noqa: E402
import trainer as training  # noqa: E402

ROWS = train.table("rows.json")
TINY = train.table("settings.json")["smoke"]


def run(*command, **environment):
    done = subprocess.run(
        [sys.executable, *map(str, command)], capture_output=True, text=True, env=os.environ | environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def bits(tree):
    return hashlib.sha256(b"".join(np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(tree))).hexdigest()


@pytest.fixture(scope="module")
def text():
    return corpus.load()[0]


@pytest.fixture(scope="module")
def tiny(text):
    """A trainer that is compiled, and its state before the first step."""
    trainer = training.Trainer(TINY, "ufp4", 3, text)
    start = trainer.state
    trainer.run(1)
    trainer.state, trainer.losses = start, []
    return trainer, start


def begin(tiny):
    trainer, start = tiny
    trainer.state, trainer.losses = start, []
    return trainer


# What each row rotates and where it draws; everything quantizes all three GEMMs but bf16.
ROTATED = {
    "e2m1-baseline": {"wgrad"},
    "ufp4": {"fprop", "dgrad", "wgrad"},
    "ufp4-nv": {"fprop", "dgrad", "wgrad"},
    "nvidia-nvfp4": {"wgrad"},
    "no-rotation": set(),
    "wgrad": {"wgrad"},
    "dgrad-wgrad": {"dgrad", "wgrad"},
    "fprop-wgrad": {"fprop", "wgrad"},
    "nearest": {"fprop", "dgrad", "wgrad"},
}


def test_rows_are_what_they_are_called(tiny):
    trainer = begin(tiny)
    hashes = set()
    for row, entry in ROWS.items():
        step = ufp4.jax.quantize(trainer.function, recipe=entry["recipe"], exclude="head")
        found = step.trace(trainer.state, *trainer.batch(0))
        hashes.add(found.recipe["hash"])
        gemms = [gemm for gemm in found.decisions if gemm["decision"] == "rewritten"]
        if row == "bf16":
            assert not gemms
            continue
        # Four layers in each of two blocks; the head is left, as the setting says.
        roles = [gemm["role"] for gemm in gemms]
        assert {role: roles.count(role) for role in set(roles)} == {"fprop": 8, "dgrad": 8, "wgrad": 8}
        left = [g for g in found.decisions if g["reason"] == "excluded"]
        assert [g["parameter"]["name"].rsplit(".", 1)[-1] for g in left] == ["head"] * 3
        operands = [(gemm["role"], operand) for gemm in gemms for operand in gemm["operands"]]
        assert {role for role, operand in operands if operand["scheme"]["rotation"]} == ROTATED[row]
        stochastic = {(role, o["member"]) for role, o in operands if o["rounding"] == "stochastic"}
        assert stochastic == (set() if row == "nearest" else {("dgrad", "dy"), ("wgrad", "dy")})
        formats = {operand["scheme"]["format"] for _, operand in operands}
        assert formats == ({"e2m1"} if "e2m1" in row or "nvfp4" in row else {"e1m2"})
    assert len(hashes) == len(ROWS)


def test_text_and_batches(text, tmp_path):
    assert len(text) > 5_000_000
    tokens, targets = corpus.batch(text, 0, 7, 4, 16)
    assert tokens.shape == (4, 16) and np.array_equal(tokens[:, 1:], targets[:, :-1])
    again = corpus.batch(text, 0, 7, 4, 16)[0]
    assert np.array_equal(tokens, again)
    assert not np.array_equal(tokens, corpus.batch(text, 1, 7, 4, 16)[0])
    assert not np.array_equal(tokens, corpus.batch(text, 0, 8, 4, 16)[0])
    (tmp_path / "b.py").write_bytes(b"b" * 600_000)
    (tmp_path / "a.py").write_bytes(b"a" * 600_000)
    (tmp_path / "a_pb2.py").write_bytes(b"c" * 600_000)
    assert corpus.load(tmp_path)[0].tobytes() == b"a" * 600_000 + b"\n" + b"b" * 600_000
    with pytest.raises(SystemExit, match="expected a text of a million bytes at least, found 600000"):
        corpus.load(tmp_path / "a.py")


def test_resumed_is_uninterrupted(tiny, tmp_path):
    trainer = begin(tiny)
    trainer.run(5)
    trainer.save(tmp_path / "checkpoint.npz")
    trainer.run(10)
    whole, losses = bits(trainer.state), list(trainer.losses)
    # Another process's trainer knows nothing but the file.
    begin(tiny)
    trainer.load(tmp_path / "checkpoint.npz")
    assert len(trainer.losses) == 5 and bits(trainer.state) != whole
    trainer.run(10)
    assert trainer.losses == losses and bits(trainer.state) == whole


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """What one process compiled, the next one need not."""
    return {"JAX_COMPILATION_CACHE_DIR": str(tmp_path_factory.mktemp("cache"))}


def test_document(tmp_path, cache):
    """The commands of docs/training.md: the short comparison, and the report on the committed runs."""
    text = (ROOT / "docs" / "training.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?", text, re.M | re.S)
    assert blocks
    tools = {"PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    before = {path: path.read_bytes() for path in (FOLDER / "results").glob("*.jsonl")}
    for commands, expected in blocks:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands],
            cwd=ROOT, capture_output=True, text=True, env=os.environ | tools | cache,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        place = 0
        for line in filter(None, map(str.strip, expected.splitlines())):
            place = done.stdout.find(line, place)
            assert place >= 0, f"{commands}does not print, where it should:\n{line}\nbut:\n{done.stdout}"
    # The committed runs are all that the page speaks of: nothing was trained for it.
    assert before == {path: path.read_bytes() for path in before}

    bf16, ufp4_run = train.stored(tmp_path / "ufp4-training" / "runs.jsonl")
    assert [bf16["row"], ufp4_run["row"]] == ["bf16", "ufp4"] and bf16["losses"] != ufp4_run["losses"]
    assert ufp4_run["recipe_hash"] == ufp4.recipes()["ufp4"]["hash"]
    # It learns, and 4 bits do not fall back.
    assert bf16["final"] < bf16["losses"][0] - 1 and abs(ufp4_run["final"] / bf16["final"] - 1) < 0.05
    assert 100 < bf16["peak_mib"] < 4096 and 0 < bf16["cpu_ms"]
    report_folder = tmp_path / "ufp4-training" / "report"
    for name in ("runs.png", "mechanism.png"):
        assert (report_folder / name).read_bytes().startswith(b"\x89PNG")
    assert (report_folder / "report.html").read_text().count('src="data:image/png;base64,') == 2
    assert len((report_folder / "runs.csv").read_text().splitlines()) == 3


def test_operands_are_judged_as_the_report_does(text):
    """mechanism.py on captured arrays against Program.report on the step by the linalg route, which trains alike."""
    setting = TINY | {"model": TINY["model"] | {"layers": 1, "mlp": "gelu"}}
    trainer = training.Trainer(setting, "ufp4", 3, text)
    linalg = training.Trainer(setting, "ufp4", 3, text, route="linalg")
    assert linalg.step.recipe == {"name": "ufp4", "hash": ufp4.recipes()["ufp4"]["hash"]}
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves((linalg.state, *linalg.batch(0)))]
    told = linalg.step.program.report(*leaves, seed=3, step=0, compare=list(mechanism.SCHEMES.values())[1:])
    judged = mechanism.measure(trainer, mechanism.plans(trainer))["schemes"]
    compared = 0
    for name, recipe in mechanism.SCHEMES.items():
        ours = {(gemm["role"], gemm["layer"]): gemm for gemm in judged[name]["gemms"]}
        for gemm in told["gemms"]:
            layer = gemm["layer"].split(".", 2)[-1]
            for operand in gemm["operands"]:
                theirs = operand if recipe == "ufp4" else operand["rivals"][recipe]
                mine = ours[gemm["role"], layer][operand["member"]]
                # Behind the first GEMM one forward is in BF16 and the other in 4 bits.
                exact = operand["member"] == "w" or (operand["member"] == "x" and layer == "blocks.0.wqkv")
                assert abs(mine["sqnr_db"] - theirs["sqnr_db"]) < (0.01 if exact else 1.5)
                assert abs(mine["alpha"] - theirs["alpha"]) < (1e-4 if exact else 0.02)
                compared += 1
    assert compared == 4 * 24
    trainer.run(3)
    linalg.run(3)
    assert np.allclose(trainer.losses, linalg.losses, rtol=2e-3)


def test_equal_codes_on_one_and_two_threads(tiny, tmp_path):
    trainer = begin(tiny)
    trainer.run(4)
    arrays = mechanism.operands(trainer.model, trainer.state[0], *trainer.batch(4))
    # One block and the head have all shapes.
    arrays = {layer: operands for layer, operands in arrays.items() if not layer.startswith("blocks.1")}
    np.savez(
        tmp_path / "operands.npz",
        **{f"{layer}/{m}": a.astype(np.float32) for layer, o in arrays.items() for m, a in o.items()},
    )
    script = pathlib.Path(__file__).with_name("training_gemms.py")
    cores = sorted(os.sched_getaffinity(0))
    found = [json.loads(run(script, tmp_path / "operands.npz", *cores[:count])) for count in (1, 2)]
    assert found[0]["threads"] == 1 and found[1]["threads"] == min(2, len(cores))
    assert len(found[0]["sums"]) == 15 and found[0]["sums"] == found[1]["sums"]


# The report's statistics.


def record(row, seed, final):
    setting = train.table("settings.json")["smoke"]
    return {
        "setting": "smoke", "setting_hash": train.digest(setting), "row": row, "recipe": ROWS[row]["recipe"],
        "recipe_hash": row, "seed": seed, "final": final, "parameters": 1, "tokens": 1, "wall_ms": 1.0, "cpu_ms": 1.0,
        "peak_mib": 1, "threads": 1, "route": "jax", "processor": "", "ufp4": "", "jax": "", "text": "", "date": "",
        "command": "", "losses": [final] * 40,
    }  # fmt: skip


def compare(finals):
    return report.Comparison([record(row, seed, f) for row, fs in finals.items() for seed, f in enumerate(fs)], "smoke")


def test_gaps_are_paired_by_seed():
    comparison = compare({"bf16": [2.0, 4.0], "e2m1-baseline": [2.04, 4.08, 9.9], "ufp4": [2.02]})
    assert comparison.gaps["e2m1-baseline"] == pytest.approx({0: 2.0, 1: 2.0})
    assert comparison.pairs("e2m1-baseline", "ufp4") == (pytest.approx([2.0]), pytest.approx([1.0]))
    said = report.verdicts(comparison, report.table_rows(comparison), json.loads((FOLDER / "paper.json").read_text()))
    assert said[0] == (
        "From e2m1-baseline to ufp4 the gap to BF16 shrinks by 50.0 % (1 seed, no interval), beside 19.9 to 23.0 % of"
        " arXiv 2606.20381."
    )
    assert said[1] == "ufp4: 1 seed cannot tell its place beside e2m1-baseline at this size."


def test_orders_are_claimed_where_seeds_carry_them():
    clear = compare(
        {"bf16": [2.0] * 4, "e2m1-baseline": [2.04, 2.041, 2.039, 2.04], "ufp4": [2.03, 2.031, 2.03, 2.029]}
    )
    noisy = compare({"bf16": [2.0] * 4, "e2m1-baseline": [2.04, 2.02, 2.05, 2.01], "ufp4": [2.01, 2.04, 2.02, 2.03]})
    (row,) = [row for row in report.table_rows(clear) if row["row"] == "ufp4"]
    assert row["resolved"] and row["below"][0] == pytest.approx(0.5)
    (row,) = [row for row in report.table_rows(noisy) if row["row"] == "ufp4"]
    assert not row["resolved"] and row["to_resolve"] > 4
    said = report.verdicts(noisy, report.table_rows(noisy), json.loads((FOLDER / "paper.json").read_text()))
    assert "4 seeds cannot tell its place beside e2m1-baseline at this size; about" in said[-1]


def test_intervals():
    mean, half = report.interval([1.0, 2.0, 3.0])
    assert mean == 2 and half == pytest.approx(4.302653 / 3**0.5, rel=1e-6)
    assert report.interval([1.0]) == (1, None)
    # Fieller's ends are those θ at which the mean of ours − θ · baseline is as far from 0 as its own interval.
    baseline, ours = np.array([2.0, 2.2, 1.9, 2.1]), np.array([1.5, 1.7, 1.6, 1.6])
    value, ends = report.reduction(baseline, ours)
    assert value == pytest.approx(1 - 6.4 / 8.2) and ends[0] < value < ends[1]
    for end in ends:
        mean, half = report.interval(ours - (1 - end) * baseline)
        assert abs(mean) == pytest.approx(half, rel=1e-9)
    # A baseline that may be 0 bounds no ratio.
    assert report.reduction([1.0, -1.0, 0.5], [0.1, 0.2, 0.3])[1] is None


def test_runs_of_other_kinds_are_not_mixed():
    records = [
        record("bf16", 0, 2.0),
        record("ufp4", 0, 2.1) | {"setting_hash": "another"},
        record("ufp4", 1, 2.1) | {"route": "linalg"},
    ]
    comparison = report.Comparison(records, "smoke")
    assert list(comparison.runs) == ["bf16"] and comparison.left_out == 2
    with pytest.raises(SystemExit, match="the runs are of several texts"):
        report.Comparison([record("bf16", 0, 2.0), record("bf16", 1, 2.0) | {"text": "another"}], "smoke")
    with pytest.raises(SystemExit, match="the runs are of two recipes of that name"):
        report.Comparison([record("ufp4", 0, 2.0), record("ufp4", 0, 2.0) | {"recipe_hash": "another"}], "smoke")


def test_wrong_names_are_named():
    for option, said in (
        ("--rows=ufp5", "--rows: expected one of bf16, e2m1"),
        ("--setting=big", "--setting: expected one of smoke"),
    ):
        done = subprocess.run([sys.executable, FOLDER / "train.py", option], capture_output=True, text=True)
        assert done.returncode and said in done.stderr


def test_stored_runs_are_whole():
    """The committed runs are of the committed settings and rows."""
    for path in sorted((FOLDER / "results").glob("*.jsonl")):
        for stored in train.stored(path):
            assert stored["setting_hash"] == train.digest(train.table("settings.json")[stored["setting"]]), path
            if "losses" in stored:
                assert stored["recipe"] == ROWS[stored["row"]]["recipe"] and len(stored["losses"]) == train.POINTS
