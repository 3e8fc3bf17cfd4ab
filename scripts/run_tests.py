"""Runs the unit tests, the IR tests, the documentation check and the Python package's tests, and counts them.

Usage: run_tests.py BUILD [SUITE…], where suites are unit, lit, docs and python, and all without one.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run_shard(binary, shard, shards, results):
    """Passed, failed and seconds."""
    start = time.monotonic()
    environment = {**os.environ, "GTEST_TOTAL_SHARDS": str(shards), "GTEST_SHARD_INDEX": str(shard)}
    command = [binary, "--gtest_brief=1", f"--gtest_output=json:{results}"]
    # NVIDIA's one disassembler that knows the uniform grid is in a wheel of 286 MB: docs/support.md.
    if "UFP4_NVDISASM" not in os.environ:
        command.append("--gtest_filter=-*TheDisassemblerReadsIt*")
    run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(run.stdout, end="", flush=True)
    if not results.exists():
        print(f"{binary.name} ended with {run.returncode} and no results")
        return 0, 1, time.monotonic() - start
    report = json.loads(results.read_text())
    # check.sh installs what tests ask for, so one that was skipped was not run for a fault of ours.
    skipped = sum(test.get("result") == "SKIPPED" for suite in report["testsuites"] for test in suite["testsuite"])
    failed = report["failures"] + report.get("errors", 0) + skipped
    # A crash after the last test fails no test by itself.
    return report["tests"] - failed, failed or int(run.returncode != 0), time.monotonic() - start


def run_unit_tests(binaries, folder):
    """Shares of the tests for whichever core is free: a few for each, since some tests take far longer than
    others. Which tests share a process changes with the number of cores."""
    cores = os.cpu_count() or 1
    shards = 4 * cores
    # The tests of kernels take longer than all others, whose shares fill what is left at the end.
    binaries = sorted(binaries, key=lambda binary: binary.name != "UFP4GPUTests")
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        parts = {
            binary: [
                pool.submit(run_shard, binary, i, shards, folder / f"{binary.name}.{i}.json") for i in range(shards)
            ]
            for binary in binaries
        }
    passed = failed = 0
    for binary, shares in parts.items():
        good, bad, seconds = map(sum, zip(*(share.result() for share in shares)))
        print(f"{binary.name}: {good} passed, {bad} failed in {seconds:.0f} s of a core")
        passed += good
        failed += bad
    return passed, failed


def run_lit(build, results):
    site = json.loads((build / "test" / "lit.json").read_text())
    code = subprocess.run([*site["command"], "--output", results, build / "test"]).returncode
    if not results.exists():
        print(f"lit ended with {code} and no results")
        return 0, 1
    codes = [test["code"] for test in json.loads(results.read_text())["tests"]]
    passed = sum(code in ("PASS", "XFAIL") for code in codes)
    return passed, len(codes) - passed


def run_docs():
    code = subprocess.run([ROOT / "scripts" / "generate-docs.sh", "--check"]).returncode
    return int(code == 0), int(code != 0)


def run_python():
    """The package in an environment of its own; its script ends with the counts."""
    process = subprocess.Popen([ROOT / "scripts" / "check_python.sh"], stdout=subprocess.PIPE, text=True)
    last = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        last = line.strip() or last
    code = process.wait()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed", last)
    if not counts:
        print(f"check_python.sh ended with {code} and no counts")
        return 0, 1
    passed, failed = map(int, counts.groups())
    return passed, failed or int(code != 0)


def main(build, *chosen):
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        suites = {
            "unit": lambda: run_unit_tests(sorted((build / "bin").glob("*Tests")), folder),
            "lit": lambda: run_lit(build, folder / "lit.json"),
            "docs": run_docs,
            "python": run_python,
        }
        for name, suite in suites.items():
            if chosen and name not in chosen:
                continue
            start = time.monotonic()
            good, bad = suite()
            print(f"{name}: {good} passed, {bad} failed in {time.monotonic() - start:.0f} s", flush=True)
            passed += good
            failed += bad
    print(f"{passed} passed, {failed} failed")
    return int(failed != 0 or passed == 0)


sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]))
