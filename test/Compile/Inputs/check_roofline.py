"""Checks roofline.json of an artifact against manifest.json and formulas written down here.

Usage: check_roofline.py DIR
"""

import json
import math
import pathlib
import sys

BITS = {"u4": 4, "u8": 8, "bf16": 16, "f16": 16, "f32": 32}


def up(value, multiple):
    return -(-value // multiple) * multiple


def main(folder):
    roofline = json.loads((folder / "roofline.json").read_text())
    kernels = {k["name"]: k for k in json.loads((folder / "manifest.json").read_text())["kernels"]}
    rates = roofline["rates"]
    assert roofline["schema_version"] and roofline["recipe"]["name"] == "ufp4-nv" and len(roofline["assumptions"]) > 5
    assert {k["name"] for k in roofline["kernels"]} == set(kernels)
    for kernel in roofline["kernels"]:
        entry = kernels[kernel["name"]]
        threads = entry["block"][0]
        limits = [32, rates["threads"] // threads, rates["shared_bytes"] // (entry["dynamic_shared_bytes"] + 1024),
                  65536 // (up(entry["registers"] * 32, 256) * threads // 32)]
        assert kernel["occupancy"]["blocks"] == min(limits), kernel
        assert kernel["occupancy"]["warps"] == min(limits) * threads // 32
        if entry["path"] != "quantize":
            assert kernel["loop"]["mma"] == 128 and kernel["loop"]["instructions"] < 384, kernel
            assert kernel["code"]["mma"] == 128
    gemms = 0
    for launch in roofline["launches"]:
        entry, sizes, got = kernels[launch["kernel"]], launch["extents"], launch["estimate"]
        total = 0
        for argument in entry["arguments"]:
            if argument["kind"] == "scalar":
                continue
            assert argument["kind"] != "scales", "folded operands have none"
            elements = 1
            for extent, padding in zip(argument["shape"], argument["padding"] or [1] * 3):
                elements *= up(int(extent) if str(extent).isdigit() else sizes[extent], padding)
            total += elements * BITS[argument["element"]] // 8 * (2 if argument["access"] == "read_write" else 1)
        assert got["bytes"] == total, (launch, total)
        clocks = got["clocks"]
        assert math.isclose(clocks["memory"], total / rates["memory_bytes"] / rates["multiprocessors"], rel_tol=1e-6)
        assert all(clocks[name] >= 0 for name in ("f32", "issue", "shared"))
        known = {name: value for name, value in clocks.items() if value is not None}
        assert known[got["binds"]] == max(known.values()) and 0 < got["share"] <= 1
        if entry["path"] == "quantize":
            assert clocks["mma"] is None and clocks["issue"] > 0
            continue
        gemms += 1
        assert launch["location"].count(":") == 2, launch
        blocks = sizes["g"] * up(sizes["m"], 128) // 128 * up(sizes["n"], 128) // 128
        assert got["blocks"] == blocks
        busiest = -(-blocks // rates["multiprocessors"])
        rate = rates["bf16"] * rates["mma_sync"]
        assert math.isclose(clocks["mma"], busiest * 2 * 128 * 128 * up(sizes["k"], 64) / rate, rel_tol=1e-6)
        # 4 warps of 64 x 64: for each step of 16, 8 matrix loads of 512 bytes; ptxas adds loads that never run.
        loads = busiest * 4 * up(sizes["k"], 64) // 16 * 8 * 512 / 128
        assert loads <= clocks["shared"] < 1.5 * loads, (clocks, loads)
    print(f"{len(roofline['launches'])} launches, {gemms} of GEMMs")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
