"""inputs DIR: a grouped layer's. compare CPU DIR...: rows bit for bit, sums to f32's rounding."""

import sys

import numpy


def bf16(shape, random):
    bits = random.standard_normal(shape, numpy.float32).view(numpy.uint32)
    return (bits >> 16).astype(numpy.uint16)


if sys.argv[1] == "inputs":
    random = numpy.random.default_rng(0)
    for name, shape in {"x": (200, 80), "w": (4, 80, 72), "dy": (200, 72)}.items():
        numpy.save(f"{sys.argv[2]}/{name}.npy", bf16(shape, random))
    numpy.save(f"{sys.argv[2]}/sizes.npy", numpy.array([17, 0, 129, 0], numpy.int32))
else:
    for other in sys.argv[3:]:
        for i in range(3):
            x, y = (numpy.load(f"{where}/out{i}.npy") for where in (sys.argv[2], other))
            if i < 2:
                assert x.tobytes() == y.tobytes(), f"{other}: out{i}"
            else:
                assert numpy.abs(x - y).max() < 1e-5 * numpy.abs(x).max(), f"{other}: out{i}"
                assert not y[[1, 3]].any(), "a group without rows has no gradient"
