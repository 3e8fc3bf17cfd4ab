"""inputs DIR: a grouped layer's. compare CPU DIR...: all bit for bit but the last result, sums over groups, which are
equal to f32's rounding."""

import pathlib
import sys

import numpy


def bf16(shape, random):
    bits = random.standard_normal(shape, numpy.float32).view(numpy.uint32)
    return (bits >> 16).astype(numpy.uint16)


if sys.argv[1] == "inputs":
    random = numpy.random.default_rng(0)
    shapes = {"x": (200, 80), "w": (4, 80, 72), "dy": (200, 72), "tokens": (100, 80), "u": (48, 80)}
    for name, shape in shapes.items():
        numpy.save(f"{sys.argv[2]}/{name}.npy", bf16(shape, random))
    numpy.save(f"{sys.argv[2]}/sizes.npy", numpy.array([17, 0, 129, 0], numpy.int32))
    # Of the hundred tokens, and beyond them.
    numpy.save(f"{sys.argv[2]}/order.npy", random.integers(-20, 120, 200).astype(numpy.int32))
else:
    last = len(list(pathlib.Path(sys.argv[2]).glob("out*.npy"))) - 1
    for other in sys.argv[3:]:
        for i in range(last + 1):
            x, y = (numpy.load(f"{where}/out{i}.npy") for where in (sys.argv[2], other))
            if i < last:
                assert x.tobytes() == y.tobytes(), f"{other}: out{i}"
            else:
                assert numpy.abs(x - y).max() < 1e-5 * numpy.abs(x).max(), f"{other}: out{i}"
                assert not y[[1, 3]].any(), "a group without rows has no gradient"
