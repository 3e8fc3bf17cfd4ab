"""Runs pytest and ends with the line `N passed, N failed`: run.py TESTS…"""

import os
import sys

import pytest


class Counter:
    def __init__(self):
        self.passed = self.failed = 0

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.passed += 1
        # What was skipped was not run, for whatever reason.
        elif report.failed or report.skipped:
            self.failed += 1

    def pytest_collectreport(self, report):
        self.failed += report.failed


counter = Counter()
# A worker for each core; the sharded tests run processes of their own.
workers = ["-n", str(os.cpu_count() or 1), "--dist=worksteal"]
code = pytest.main(["-q", "-p", "no:cacheprovider", *workers, *sys.argv[1:]], plugins=[counter])
print(f"{counter.passed} passed, {counter.failed} failed")
sys.exit(int(code != 0 or counter.failed != 0 or counter.passed == 0))
