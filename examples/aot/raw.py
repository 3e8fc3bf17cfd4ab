"""Raw files for the arguments of a compiled entry, and their comparison with ufp4-run's results.

raw.py write MANIFEST NPZ FOLDER     writes i0, i1, … of an archive as files called after the fields
raw.py compare MANIFEST FOLDER RUN   exit code 1 unless the results in FOLDER are RUN's out0.npy, … bit for bit
"""

import json
import pathlib
import sys

import numpy as np


def read_entry(manifest):
    (entry,) = json.loads(pathlib.Path(manifest).read_text())["entries"]
    return entry


def write(manifest, archive, folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    arrays = np.load(archive)
    inputs = [a for a in read_entry(manifest)["arguments"] if a["kind"] == "input"]
    for i, argument in enumerate(inputs):
        np.ascontiguousarray(arrays[f"i{i}"]).tofile(pathlib.Path(folder) / argument["field"])


def compare(manifest, folder, run):
    different = 0
    results = read_entry(manifest)["results"]
    for i, result in enumerate(results):
        found = (pathlib.Path(folder) / result["field"]).read_bytes()
        different += found != np.load(pathlib.Path(run) / f"out{i}.npy").tobytes()
    print(f"{len(results)} results, {different} different")
    return int(different != 0)


if __name__ == "__main__":
    sys.exit({"write": write, "compare": compare}[sys.argv[1]](*sys.argv[2:]))
