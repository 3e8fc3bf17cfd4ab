"""Two dumps of one step in two spellings: same_codes.py DUMP DUMP.

Every record has the same GEMM, role, operand, stream, scheme, seed and view; where the inputs are
equal, so are codes, scales and S, to the bit. Inputs may differ in a last bit that GEMMs are free in.
"""

import json
import pathlib
import sys

a, b = (pathlib.Path(path) for path in sys.argv[1:])
first, second = (json.loads((path / "index.json").read_text()) for path in (a, b))
names = ("gemm", "role", "operand", "uses", "scheme", "rounding", "bits", "seed", "stream", "step")
assert len(first) == len(second), f"{len(first)} records and {len(second)}"
equal = 0
for number, (x, y) in enumerate(zip(first, second)):
    for name in (*names, "trips"):
        assert x.get(name) == y.get(name), f"record {number}: {name} is {x.get(name)} and {y.get(name)}"
    read = lambda record, folder, name: (folder / record[name]).read_bytes() if record[name] else b""
    if read(x, a, "input") != read(y, b, "input"):
        assert len(read(x, a, "codes")) == len(read(y, b, "codes")), f"record {number}: sizes differ"
        continue
    equal += 1
    for name in ("codes", "scales", "global"):
        assert read(x, a, name) == read(y, b, name), f"record {number}: {name} differ on equal inputs"
print(f"{len(first)} records agree, {equal} on equal inputs")
