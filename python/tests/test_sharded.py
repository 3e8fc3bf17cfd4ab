"""Steps under shard_map on eight devices against the same steps on one (sharded.py)."""

import json
import os
import subprocess
import sys

import pytest
import sharded

NAMES = [f"{model.__name__}-{mesh}-{recipe}" for model, mesh, recipe in sharded.CASES]
ROLES = {
    "mlp": ["fprop", "fprop", "wgrad", "dgrad", "wgrad"],
    "blocks": ["fprop", "fprop", "fprop", "wgrad", "dgrad", "wgrad", "dgrad"],
}


@pytest.fixture(scope="module")
def found():
    # Devices are counted once for a process.
    environment = os.environ | {"XLA_FLAGS": "--xla_force_host_platform_device_count=8"}
    run = subprocess.run([sys.executable, sharded.__file__], env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_codes_are_those_of_one_device(found, name):
    case = found[name]
    assert case["roles"] == ROLES[name.split("-")[0]] and case["left"] == []
    if name.endswith("ufp4-mx"):
        # Sums are exact: another code, or another word, would show in some bit.
        assert case["equal"]
    # Sums in another order differ in an f32's last bits; other words by far more.
    assert case["error"] < 2e-6 and case["noise"] > 0.01
    ours, theirs = case["loss"]
    assert abs(ours - theirs) < 1e-5 * theirs


@pytest.mark.parametrize("name", NAMES)
def test_collectives_are_those_of_the_step(found, name):
    case = found[name]
    ours = list(case["collectives"])
    assert case["reference"]
    for collective in case["reference"]:
        ours.remove(collective)
    # A scale of the whole tensor needs its maximum: one for each of two operands of five GEMMs.
    maxima = 10 if name.endswith("ufp4-nv") else 0
    assert ours == ["all-reduce f32[]"] * maxima
