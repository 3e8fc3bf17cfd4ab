"""The example, the benchmark and the documentation, as users run them."""

import csv
import pathlib
import re
import subprocess
import sys

import jax
import models
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*command):
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_train(tmp_path):
    recipes = ["bf16", "ufp4"]
    options = "--steps=12", f"--output-dir={tmp_path}"
    out = run(ROOT / "examples" / "train_jax.py", *options)
    assert re.findall(r"^(\S+) +loss \S+ at first, \S+ over the last 1 steps", out, re.M) == recipes
    with open(tmp_path / "losses.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["step", *recipes] and len(rows) == 12
    losses = np.array(rows, float)[:, 1:]
    # The task is learned, and no recipe falls back.
    assert np.all(losses[-1] < losses[0] - 1) and np.ptp(losses[-1]) < 0.2
    assert np.any(losses[:, 0] != losses[:, 1])
    assert (tmp_path / "losses.png").read_bytes().startswith(b"\x89PNG")


def test_model_is_the_handed_one(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    import train_jax

    inputs, expected = models.load("transformer_f32acc")
    *leaves, tokens, targets = map(jax.numpy.asarray, inputs)
    p = jax.tree.unflatten(jax.tree.structure(train_jax.init()), leaves)
    value, gradients = jax.jit(jax.value_and_grad(train_jax.loss))(p, tokens, targets)
    results = [*leaves, value, *jax.tree.leaves(gradients)]
    assert models.worst(results, expected)[1] < 0.02
    assert abs(value - expected[len(leaves)]) < 1e-3


def test_benchmark():
    out = run(ROOT / "benchmarks" / "jax_step.py", "--repetitions=2", "--sizes=handed")
    found = dict(re.findall(r"^  (\w+) .* gradients (\S+) from bf16's", out, re.M))
    assert set(found) == {"bf16", "fake", "ufp4"} and float(found["bf16"]) == 0
    # Both quantize alike, so that their errors are of one size.
    assert 0.8 < float(found["fake"]) / float(found["ufp4"]) < 1.25


@pytest.mark.parametrize("document", ["python.md"])
def test_documents(document, tmp_path, monkeypatch, capsys):
    """Runs the ```python blocks of a document in order, in one namespace; a ```text block after one is its output."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / document).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```\n(?:\n*^```text\n(.*?)^```\n)?", text, re.M | re.S)
    assert blocks
    namespace = {}
    for code, expected in blocks:
        exec(compile(code, f"docs/{document}", "exec"), namespace)
        printed = capsys.readouterr().out
        assert not expected or printed == expected
