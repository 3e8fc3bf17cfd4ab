"""math_values.py FOLDER: out1.npy to out5.npy there against functions of out0.npy, in f32."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import arrays

FUNCTIONS = [math.exp, math.expm1, math.erf, math.log1p, math.tanh]
LARGEST = (2.0 - 2.0**-23) * 2.0**127


def exact(function, x):
    """In f64; infinite where f32 is."""
    try:
        y = function(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return -math.inf if x == -1 else math.nan
    return math.copysign(math.inf, y) if abs(y) >= LARGEST * (1 + 2.0**-25) else y


def is_near(found, wanted):
    if not math.isfinite(wanted):
        return math.isnan(found) if math.isnan(wanted) else found == wanted
    # A result below the least normal number may be 0.
    unit = 2.0 ** (math.frexp(wanted)[1] - 24) if abs(wanted) >= 2.0**-126 else 2.0**-128
    return abs(found - wanted) <= 6 * unit


def load(i):
    return arrays.read((pathlib.Path(sys.argv[1]) / f"out{i}.npy").read_bytes())[2]


xs = load(0)
good = 0
for i, function in enumerate(FUNCTIONS):
    wrong = [(x, y) for x, y in zip(xs, load(i + 1)) if not is_near(y, exact(function, x))]
    good += not wrong
    for x, y in wrong[:5]:
        print(f"{function.__name__}({x}) gives {y} instead of {exact(function, x)}")
print(good, "functions within 6 units of the last place")
