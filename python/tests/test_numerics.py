"""ufp4.quantize, dequantize and rotate against docs/spec.md in NumPy."""

import itertools

import ml_dtypes
import numpy as np
import numpy_definition as definition
import pytest
import ufp4

BF16 = ml_dtypes.bfloat16
SCHEMES = [
    ("e1m2", 16, "f32", 16, "ceil"),
    ("e1m2", 32, "f32", None, "ceil"),
    ("e1m2", 16, "ue4m3", 128, "ceil"),
    ("e1m2", 32, "ue8m0", 32, "ceil"),
    ("e2m1", 16, "f32", 16, "ceil"),
    ("e2m1", 16, "ue4m3", None, "ceil"),
    ("e2m1", 32, "ue8m0", 64, "ceil"),
    ("e2m1", 32, "ue8m0", None, "ocp-floor"),
]


def check(q, expected):
    codes, scales, s = expected
    np.testing.assert_array_equal(q.codes, codes)
    assert q.scales.dtype == scales.dtype
    np.testing.assert_array_equal(q.scales, scales)
    assert (q.global_scale is None) == (s is None)
    assert s is None or q.global_scale == s


def random(*shape, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(shape) * np.exp(2 * rng.standard_normal(shape[:-1] + (1,)))).astype(np.float32)


@pytest.mark.parametrize("format,block,scale,rotation,rule", SCHEMES)
@pytest.mark.parametrize("draw", [None, (7, 3, 5, 16), (2**63 + 9, 2**32 - 1, 2**31, 8)])
def test_schemes(format, block, scale, rotation, rule, draw):
    for shape in [(5, 96), (3, 77), (1, 1)]:
        x = random(*shape)
        q = ufp4.quantize(x, format, block, scale, rule, rotation, stochastic=draw)
        check(q, definition.quantize(x, format, block, scale, rotation, draw=draw, rule=rule))


@pytest.mark.parametrize("dtype", [BF16, np.float16])
def test_narrow_inputs(dtype):
    x = random(4, 64).astype(dtype)
    check(ufp4.quantize(x, rotation=16), definition.quantize(x.astype(np.float32), "e1m2", 16, "f32", 16))


@pytest.mark.parametrize("companion", [0.0, 1.0, 3.0e38])
def test_every_bfloat16(companion):
    # Each pattern sets its own block's scale, or meets a larger neighbour; NaN, infinities, denormals, zeros.
    patterns = np.arange(1 << 16, dtype=np.uint16).view(BF16)
    x = np.full((1 << 16, 16), companion, BF16)
    x[:, 5] = patterns
    x[:, 6] = -patterns
    with np.errstate(invalid="ignore"):
        expected = definition.quantize(x.astype(np.float32), "e1m2", 16, "f32", None)
    q = ufp4.quantize(x)
    check(q, expected)
    # Poison stays in its block, and is read back as NaN.
    np.testing.assert_array_equal(np.isnan(ufp4.dequantize(q)).all(1), ~np.isfinite(patterns.astype(np.float32)))


@pytest.mark.parametrize("scale", ["f32", "ue4m3", "ue8m0"])
def test_blocks_of_two_dimensions(scale):
    for shape in [(48, 64), (17, 40)]:
        x = random(*shape)
        q = ufp4.quantize(x, "e2m1", 16, scale, block_rows=16)
        check(q, definition.quantize(x, "e2m1", 16, scale, None, block_rows=16))
        assert q.scales.shape == (-(-shape[0] // 16), -(-shape[1] // 16))


def test_given_maximum():
    x = random(4, 64)
    check(
        ufp4.quantize(x, scale="ue4m3", amax=100.0),
        definition.quantize(x, "e1m2", 16, "ue4m3", None, amax=np.float32(100)),
    )
    assert ufp4.amax(x) == np.abs(x).max()
    assert np.isnan(ufp4.quantize(x, scale="ue4m3", amax=-1.0).global_scale)


def test_every_axis_and_layout():
    x = random(4, 6, 80).astype(BF16)
    layouts = [x, np.asfortranarray(x), np.repeat(x, 2, axis=2)[:, :, ::2], x[::-1][::-1], x[:, ::-1][:, ::-1]]
    for axis, layout in itertools.product((-3, -2, -1, 0, 1, 2), layouts):
        moved = np.ascontiguousarray(np.moveaxis(x, axis, -1))
        q, expected = ufp4.quantize(layout, rotation=16, axis=axis), ufp4.quantize(moved, rotation=16)
        np.testing.assert_array_equal(q.codes, expected.codes)
        np.testing.assert_array_equal(q.scales, expected.scales)
        assert q.shape == x.shape and q.axis == axis % 3
        back = ufp4.dequantize(ufp4.quantize(layout, axis=axis))
        assert back.shape == x.shape
        np.testing.assert_array_equal(
            np.moveaxis(back, axis, -1), ufp4.dequantize(ufp4.quantize(moved))
        )


def test_dequantize_rounds_once():
    x = random(8, 64)
    q = ufp4.quantize(x, scale="ue4m3")
    levels = definition.LEVELS["e1m2"].astype(np.float64)
    values = levels[q.codes & 7] * np.where(q.codes & 8, -1, 1)
    scales = q.scales.view(ml_dtypes.float8_e4m3fn).astype(np.float64) * float(q.global_scale)
    exact = values * np.repeat(scales, 16, 1)
    np.testing.assert_array_equal(ufp4.dequantize(q), (exact + 0.0).astype(np.float32))
    np.testing.assert_array_equal(ufp4.dequantize(q, np.float16), (exact + 0.0).astype(np.float16))
    narrow = ufp4.dequantize(q, BF16)
    assert narrow.dtype == BF16
    assert np.all(np.abs(narrow.astype(np.float64) - exact) <= np.abs(exact) * 2.0**-8)


def test_rotate():
    x = random(3, 2, 40)
    for size in (16, 32, 64, 128):
        padded = np.pad(x.reshape(6, 40), ((0, 0), (0, -40 % size)))
        signs = sum(0xD7E8 << 16 * i for i in range(size // 16))
        expected = definition.rotate(padded, size, signs).reshape(3, 2, -1)
        np.testing.assert_array_equal(ufp4.rotate(x, size), expected)
        np.testing.assert_array_equal(ufp4.rotate(np.moveaxis(x, -1, 0), size, axis=0), np.moveaxis(expected, -1, 0))
    plain = ufp4.rotate(np.eye(16, dtype=np.float32), (16, 0))
    np.testing.assert_array_equal(plain * 4, [[(-1) ** (i & j).bit_count() for j in range(16)] for i in range(16)])


def test_padding_of_rotated_values():
    q = ufp4.quantize(random(2, 40), rotation=16)
    assert ufp4.dequantize(q, padded=True).shape == (2, 48)
    with pytest.raises(ufp4.Error, match="padded=True"):
        ufp4.dequantize(q)


def test_packed_codes():
    q = ufp4.quantize(random(2, 32))
    np.testing.assert_array_equal(q.packed & 15, q.codes[:, 0::2])
    np.testing.assert_array_equal(q.packed >> 4, q.codes[:, 1::2])


def test_empty():
    for shape in [(0, 16), (3, 0), (0,)]:
        q = ufp4.quantize(np.zeros(shape, np.float32), rotation=16, scale="ue4m3")
        assert q.codes.shape == shape
        assert ufp4.dequantize(q).shape == shape


@pytest.mark.parametrize(
    "arguments,message",
    [
        ({"format": "e3m0"}, "format: expected e1m2 or e2m1, found 'e3m0'"),
        ({"block": 17}, "the block size is 17, expected 16 or 32"),
        ({"block": 16.5}, "block: expected an integer, found 16.5"),
        ({"scale": "f64"}, "scale: expected f32, ue4m3 or ue8m0, found 'f64'"),
        ({"rotation": 24}, "the rotation size is 24, expected 16, 32, 64 or 128"),
        ({"rotation": (16, 1 << 16)}, "expected signs of 16 bits"),
        ({"axis": 2}, "axis: expected -2 to 1 for an array of rank 2, found 2"),
        ({"block_rows": 16, "rotation": 16}, "2-D blocks"),
        ({"block_rows": 16, "stochastic": (1,)}, "2-D blocks"),
        ({"stochastic": (1, 2, 3, 12)}, "12"),
        ({"stochastic": (1, 2, 3, 4, 5)}, r"expected \(seed, step, stream, bits\)"),
        ({"stochastic": ("x",)}, "seed: expected an integer, found 'x'"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ufp4.Error, match=message):
        ufp4.quantize(np.ones((4, 16), np.float32), **arguments)


@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.complex64, "U1", object])
def test_wrong_element_types(dtype):
    with pytest.raises(ufp4.Error, match="expected"):
        ufp4.quantize(np.zeros((2, 16), dtype))


def test_rank_zero():
    with pytest.raises(ufp4.Error, match="rank 0"):
        ufp4.quantize(np.float32(1))
