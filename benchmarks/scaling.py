"""Time of the rewriting over program size: scaling.py UFP4_OPT

Rewrites the training step of 10 to 10 000 chained linear layers (three GEMMs each) and fits
seconds = a * layers^b over the larger sizes: b near 1 is linear. Times are of whole processes: parse,
analyse, rewrite, print.
"""

import math
import pathlib
import subprocess
import sys
import tempfile
import time

SIZES = (10, 100, 1000, 2000, 5000, 10000)
MAKE = pathlib.Path(__file__).parent.parent / "test" / "Scaling" / "make_chain.py"


def measure(tool, layers, folder):
    step = pathlib.Path(folder) / f"{layers}.mlir"
    step.write_text(subprocess.run([sys.executable, MAKE, str(layers)], check=True, capture_output=True, text=True).stdout)
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([tool, step, "--ufp4-quantize-training", "-o", step.with_suffix(".out")], check=True)
        times.append(time.perf_counter() - start)
    return sorted(times)[1]


def main(tool):
    with tempfile.TemporaryDirectory() as folder:
        seconds = {layers: measure(tool, layers, folder) for layers in SIZES}
    for layers, time_taken in seconds.items():
        print(f"{layers:6} layers  {3 * layers - 1:6} GEMMs  {time_taken:7.3f} s")
    points = [(math.log(layers), math.log(seconds[layers])) for layers in SIZES if layers >= 1000]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    print(f"seconds grow as layers^{slope:.2f} from 1000 layers on")


main(sys.argv[1])
