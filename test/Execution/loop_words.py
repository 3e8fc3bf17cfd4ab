"""Compares the codes of a two-trip loop within a dump and with two more: loop_words.py A B C."""

import json
import pathlib
import sys


def codes(folder):
    folder = pathlib.Path(folder)
    return {
        (record["rounding"], *record["trips"]): (record["seed"], (folder / record["codes"]).read_bytes())
        for record in json.loads((folder / "index.json").read_text())
    }


a, b, c = map(codes, sys.argv[1:])
assert set(a) == {(rounding, trip) for rounding in ("nearest", "stochastic") for trip in (0, 1)}
assert a["nearest", 0] == a["nearest", 1]
assert a["stochastic", 0][0] != a["stochastic", 1][0], "both trips have the same seed"
assert a["stochastic", 0][1] != a["stochastic", 1][1], "both trips drew the same words"
assert a == b, "a second run drew other words"
assert a["stochastic", 0][1] != c["stochastic", 0][1], "another step drew the same words"
assert a["nearest", 0] == c["nearest", 0]
print("trips [0] and [1] differ, runs agree, steps differ")
