"""Steps on eight devices against the same steps on one (sharded.py)."""

import json
import os
import subprocess
import sys

import pytest
import sharded
from ufp4 import _sharding

NAMES = [sharded.get_name(*case) for case in sharded.CASES]
ROLES = {
    "heads": ["fprop", "fprop", "wgrad", "dgrad", "wgrad"],
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
    assert case["roles"] == ROLES[name.split("-")[1]] and case["left"] == []
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


def test_parts_that_cut_blocks_are_gathered_and_named(found):
    assert found["cut"]["equal"]
    first, second = found["cut"]["said"]
    assert first.startswith("GEMM 2 (wgrad of p.w2) is not divided as its arrays are: dimension 0 of the rhs, of 80,")
    assert "is split into 8 parts that cut runs of 32 elements. Devices gather them and several compute" in first
    assert second.startswith("GEMM 4 (wgrad of p.w1)")


@pytest.mark.parametrize("recipe", ["ufp4-mx", "ufp4-nv"])
def test_experts_on_eight_devices(found, recipe):
    """A group's codes, words and S are those of one device, wherever its expert is; XLA's exchange is the step's."""
    case = found[f"experts-{recipe}"]
    assert sorted(case["roles"]) == [[role, 2, "rewritten"] for role in ("dgrad", "fprop", "fprop", "wgrad", "wgrad")]
    assert case["equal"] and case["noise"] > 0.01 and case["nothing"] == 0
    ours, theirs = case["loss"]
    assert abs(ours - theirs) < 1e-5 * theirs
    assert case["collectives"] == case["reference"] and any("all-to-all" in one for one in case["reference"])


def test_shard_map_over_some_axes(found):
    case = found["partial"]
    ours, theirs = case["loss"]
    assert abs(ours - theirs) < 0.05 * theirs
    *gathered, left = case["said"]
    assert [text.split(" is")[0] for text in gathered] == ["GEMM 0 (fprop of p.w1)", "GEMM 1 (fprop of p.w2)"]
    assert "split over others" in gathered[0] and "let shard_map have all axes, or none" in gathered[0]
    assert "leaves matmuls of '<lambda>': 3 shard" in left
    assert "in a shard_map over data of the mesh axes data, model" in case["error"]
    assert "Put the shard_map inside the step, or over all axes" in case["error"]


def test_dimensions_are_cut_into_common_factors():
    assert _sharding._refine([4, 6], [24], [2, 1, 12]) == (
        [2, 2, 6],
        [[[0, 1], [2]], [[0, 1, 2]], [[0], [], [1, 2]]],
    )
    assert _sharding._refine([2, 3], [3, 2]) is None
