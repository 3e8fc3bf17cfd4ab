"""Steps that differ in the order of sums only: spread.py CPU REVERSED RUN…

Exit code 1 where a run's loss is more than 1e-2 from CPU's, or its gradients are further from CPU's
than 1e-2 and than twice what REVERSED's are (norms of all differences over the norm of CPU's).
"""

import pathlib
import sys

import numpy as np


def read(folder):
    arrays = []
    for i in range(len(list(pathlib.Path(folder).glob("out*.npy")))):
        array = np.load(f"{folder}/out{i}.npy")
        if array.dtype.itemsize == 2:
            array = (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
        arrays.append(array.astype(np.float64))
    return arrays


def distances(run, reference):
    loss = (len(reference) - 1) // 2
    gradients = list(zip(run, reference))[loss + 1 :]
    squared = sum(np.square(x - y).sum() for x, y in gradients)
    norm = sum(np.square(y).sum() for _, y in gradients)
    return abs(run[loss] - reference[loss]).max() / abs(reference[loss]).max(), np.sqrt(squared / norm)


def main(cpu, reversed_sums, *runs):
    reference = read(cpu)
    spread = distances(read(reversed_sums), reference)
    print(f"reversed sums: loss {spread[0]:.2e}, gradients {spread[1]:.4f}")
    failed = False
    for run in runs:
        loss, gradients = distances(read(run), reference)
        print(f"{run}: loss {loss:.2e}, gradients {gradients:.4f}")
        failed |= not (loss <= 1e-2 and gradients <= max(1e-2, 2 * spread[1]))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
