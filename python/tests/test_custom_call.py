"""The CPU handler of ufp4.gemm (docs/custom-call.md), called by itself."""

import math
import threading

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
import ufp4
import ufp4.jax
from ufp4 import _native

BF16 = ml_dtypes.bfloat16


@pytest.fixture(scope="module", autouse=True)
def handlers():
    ufp4.jax.register()


def scheme_text(format="e1m2", block=16, scale="f32", rotation=16, block_rows=1):
    text = f"#ufp4.scheme<{format}, block = {block}, "
    if block_rows > 1:
        text += f"rows = {block_rows}, "
    text += f"scale = {scale}"
    if rotation:
        text += f", rotation = <size = {rotation}, signs = 0x{'D7E8' * (rotation // 16)}>"
    return text + ">"


def attributes(views, scheme=None, roundings=("nearest", "nearest"), streams=(0, 0), **more):
    """The call's dictionary but for the wholes' extents; `views` are (permutation, groups) of both operands."""
    result = {"version": np.int64(2), "gemm": np.int64(0), "recipe": "ufp4", "role": "fprop"}
    result |= {"layer": "l", "parameter": "p"}
    for side, (view, groups), rounding, stream in zip(("lhs", "rhs"), views, roundings, streams):
        result |= {
            f"{side}_scheme": scheme or scheme_text(),
            f"{side}_rounding": rounding,
            f"{side}_bits": np.int64(16 if rounding == "stochastic" else 0),
            f"{side}_stream": np.int64(stream),
            f"{side}_view": np.array(view, np.int64),
            f"{side}_groups": np.array(groups, np.int64),
            f"{side}_amax": np.int64(0),
        }
    return result | more


def call(operands, shape, dtype=np.float32, target="ufp4.gemm", **dictionary):
    for side, operand in zip(("lhs", "rhs"), operands):
        dictionary.setdefault(f"{side}_of", np.array(operand.shape, np.int64))
    function = jax.ffi.ffi_call(target, jax.ShapeDtypeStruct(shape, dtype))
    return np.asarray(jax.jit(lambda *args: function(*args, **dictionary))(*operands))


def values(operand, view, groups, scheme, draw=None):
    """The definition's dequantized view [G, R, Kp] in f64."""
    shape = operand.transpose(view).shape
    g, r, _ = groups
    merged = operand.transpose(view).reshape(math.prod(shape[:g]), math.prod(shape[g : g + r]), -1)
    quantized = ufp4.quantize(merged, **scheme, stochastic=draw)
    return ufp4.dequantize(quantized, padded=True).astype(np.float64)


def random(shape, seed, dtype=BF16):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def check(left, right, shape, scheme, dtype=np.float32, rng=None, streams=(0, 0), roundings=("nearest", "nearest")):
    (lshape, *lview), (rshape, *rview) = left, right
    lhs, rhs = random(lshape, 1), random(rshape, 2)
    operands = (lhs, rhs) + (() if rng is None else (np.array(rng, np.uint32).view(np.int32),))
    text = scheme_text(**{"rotation": None} | scheme)
    result = call(operands, shape, dtype, **attributes((lview, rview), text, roundings, streams))
    draws = [
        (rng[0] | rng[1] << 32, rng[2], stream, 16) if rounding == "stochastic" else None
        for rounding, stream in zip(roundings, streams)
    ]
    a, b = values(lhs, *lview, scheme, draws[0]), values(rhs, *rview, scheme, draws[1])
    exact = np.einsum("gmk,gnk->gmn", a, b).reshape(shape)
    magnitude = np.einsum("gmk,gnk->gmn", np.abs(a), np.abs(b)).reshape(shape)
    # G2, and half a unit in the last place of a narrow result.
    bound = (a.shape[2] + 16) * 2.0**-24 * magnitude + 2.0**-126
    if dtype == BF16:
        bound += np.abs(exact) * 2.0**-8
    assert result.dtype == dtype and np.all(np.abs(result.astype(np.float64) - exact) <= bound)


VIEW = ((0, 1), (0, 1, 1))
PLAIN = ((16, 32), (0, 1), (0, 1, 1)), ((24, 32), (0, 1), (0, 1, 1)), (16, 24)
LAYOUTS = [
    PLAIN,
    (((32, 16), (1, 0), (0, 1, 1)), ((32, 24), (1, 0), (0, 1, 1)), (16, 24)),
    (((2, 8, 32), (0, 1, 2), (0, 2, 1)), ((32, 24), (1, 0), (0, 1, 1)), (2, 8, 24)),
    (((2, 8, 32), (2, 0, 1), (0, 1, 2)), ((2, 8, 24), (2, 0, 1), (0, 1, 2)), (32, 24)),
    (((16, 20), (1, 0), (0, 1, 1)), ((2, 8, 24), (2, 0, 1), (0, 1, 2)), (20, 24)),
    (((3, 8, 32), (0, 1, 2), (1, 1, 1)), ((3, 32, 5), (0, 2, 1), (1, 1, 1)), (3, 8, 5)),
    (((8, 3, 32), (1, 0, 2), (1, 1, 1)), ((3, 32, 5), (0, 2, 1), (1, 1, 1)), (3, 8, 5)),
    (((8, 3, 4, 10), (2, 0, 3, 1), (1, 1, 2)), ((10, 4, 3, 5), (1, 3, 0, 2), (1, 1, 2)), (4, 8, 5)),
    (((40,), (0,), (0, 0, 1)), ((40, 7), (1, 0), (0, 1, 1)), (1, 7, 1)),
    (((40,), (0,), (0, 0, 1)), ((40,), (0,), (0, 0, 1)), ()),
    (((2, 40), (0, 1), (1, 0, 1)), ((2, 40), (0, 1), (1, 0, 1)), (2,)),
    (((1, 5, 40), (0, 1, 2), (1, 1, 1)), ((7, 40), (0, 1), (0, 1, 1)), (1, 5, 7)),
    (((16, 3), (0, 1), (0, 2, 0)), ((8,), (0,), (0, 1, 0)), (16, 3, 8)),
]


@pytest.mark.parametrize("left,right,shape", LAYOUTS)
def test_layouts(left, right, shape):
    check(left, right, shape, {"rotation": 16})


@pytest.mark.parametrize(
    "scheme",
    [
        {"format": "e2m1", "scale": "ue4m3", "block_rows": 16},
        {"block": 32, "scale": "ue8m0", "rotation": 32},
        {"scale": "ue4m3", "rotation": 128},
    ],
)
def test_schemes(scheme):
    check(*PLAIN, scheme)


def test_narrow_results():
    check(*PLAIN, {"rotation": 16}, BF16)


def test_stochastic_words_are_operands():
    arguments = {"scheme": {"rotation": 16}, "roundings": ("stochastic", "stochastic")}
    check(*PLAIN, rng=(5, 6, 7), streams=(3, 9), **arguments)
    compiled = _native.compiled_gemm_calls()
    check(*PLAIN, rng=(2**32 - 1, 0, 2**32 - 1), streams=(2**32 - 1, 0), **arguments)
    # Neither seed, step nor stream asks for another function.
    assert _native.compiled_gemm_calls() == compiled


RNG = np.array((5, 6, 7), np.int32)


def dequantized(operand, scheme, stream):
    quantized = ufp4.quantize(operand, **scheme, stochastic=(5 | 6 << 32, 7, stream, 16))
    return ufp4.dequantize(quantized).astype(np.float32)


@pytest.mark.parametrize("device", range(4))
def test_parts_draw_the_words_of_the_whole(device):
    # Four devices in a 2x2 mesh: rows and K of the lhs, a batch of one and K of the rhs.
    scheme = {"block": 32, "scale": "ue8m0"}
    i, j = divmod(device, 2)
    lhs, rhs = random((2, 12, 128), 1), random((2, 20, 128), 2)
    views = ((0, 1, 2), (1, 1, 1)), ((0, 1, 2), (1, 1, 1))
    parts = lhs[i : i + 1, :, 64 * j : 64 * j + 64], rhs[i : i + 1, :, 64 * j : 64 * j + 64]
    at = np.array([i, 0, 64 * j] * 2, np.int64)
    with jax.enable_x64(True):
        result = call(
            (*parts, RNG, at), (1, 12, 20), lhs_of=np.array(lhs.shape), rhs_of=np.array(rhs.shape),
            **attributes(views, scheme_text(**scheme, rotation=None), ("stochastic",) * 2, (3, 9)),
        )  # fmt: skip
    a, b = dequantized(lhs, scheme, 3)[i], dequantized(rhs, scheme, 9)[i]
    # The scales are powers of two: all is exact.
    np.testing.assert_array_equal(result[0], a[:, 64 * j : 64 * j + 64] @ b[:, 64 * j : 64 * j + 64].T)


def test_parts_lie_inside():
    half = random((4, 32), 1)
    dictionary = attributes((VIEW, VIEW), roundings=("stochastic", "nearest")) | {"lhs_of": np.array((8, 32))}
    with jax.enable_x64(True), pytest.raises(jax.errors.JaxRuntimeError, match=r"\[4, 32\] at \[5, 0\] is not inside"):
        call((half, half, RNG, np.array((5, 0), np.int64)), (4, 4), **dictionary)


def test_maxima_of_parts():
    # Of two halves of rows, each is scaled by the maximum of both.
    lhs, rhs = random((32, 64), 1), random((24, 64), 2)
    text = scheme_text(scale="ue4m3")
    amax = jax.ffi.ffi_call("ufp4.amax", jax.ShapeDtypeStruct((), np.float32))
    view = {"view": np.array((0, 1)), "groups": np.array((0, 1, 1)), "scheme": text, "version": np.int64(2)}
    maxima = [np.asarray(amax(half, **view)) for half in (lhs[:16], lhs[16:])]
    assert maxima[0] != maxima[1] and max(maxima) == np.asarray(amax(lhs, **view))
    whole = call((lhs, rhs), (32, 24), **attributes((VIEW, VIEW), text))
    for i, half in enumerate((lhs[:16], lhs[16:])):
        dictionary = attributes((VIEW, VIEW), text) | {"lhs_amax": np.int64(1)}
        np.testing.assert_array_equal(call((half, rhs, max(maxima)), (16, 24), **dictionary), whole[16 * i : 16 * i + 16])


def test_integers_are_exact():
    lhs = np.random.default_rng(0).integers(-7, 8, (16, 64)).astype(np.float32)
    rhs = np.random.default_rng(1).integers(-7, 8, (24, 64)).astype(np.float32)
    lhs[:, ::16] = rhs[:, ::16] = 7
    views = ((0, 1), (0, 1, 1)), ((0, 1), (0, 1, 1))
    result = call((lhs, rhs), (16, 24), **attributes(views, scheme_text(rotation=None)))
    np.testing.assert_array_equal(result, lhs @ rhs.T)


def test_denormals_survive_xla():
    # XLA calls with denormals flushed; scales of 2^-119 / 7 times themselves are denormal products.
    lhs = np.full((1, 16), 7 * 2.0**-65, np.float32)
    views = ((0, 1), (0, 1, 1)), ((0, 1), (0, 1, 1))
    result = call((lhs, lhs), (1, 1), **attributes(views, scheme_text(rotation=None)))
    np.testing.assert_array_equal(result, np.float32(16 * 49 * 2.0**-130))


def test_empty_operands():
    views = ((0, 1), (0, 1, 1)), ((0, 1), (0, 1, 1))
    zero = call((np.zeros((4, 0), BF16), np.zeros((3, 0), BF16)), (4, 3), **attributes(views))
    np.testing.assert_array_equal(zero, np.zeros((4, 3)))
    assert call((np.zeros((0, 16), BF16), np.zeros((3, 16), BF16)), (0, 3), **attributes(views)).shape == (0, 3)


def test_one_compilation_for_many_threads():
    views = ((0, 1), (0, 1, 1)), ((0, 1), (0, 1, 1))
    lhs, rhs = random((17, 48), 1), random((23, 48), 2)
    function = jax.ffi.ffi_call("ufp4.gemm", jax.ShapeDtypeStruct((17, 23), np.float32))
    wholes = {"lhs_of": np.array(lhs.shape), "rhs_of": np.array(rhs.shape)}
    program = jax.jit(lambda a, b: function(a, b, **attributes(views), **wholes)).lower(lhs, rhs).compile()
    before, results = _native.compiled_gemm_calls(), []
    threads = [threading.Thread(target=lambda: results.append(np.asarray(program(lhs, rhs)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert _native.compiled_gemm_calls() == before + 1
    assert len(results) == 4 and all(np.array_equal(results[0], r) for r in results)


@pytest.mark.parametrize(
    "shape,dictionary,message",
    [
        ((4, 4), attributes((VIEW, VIEW), version=np.int64(1)), "knows version 2 of the call, found 1"),
        ((4, 5), attributes((VIEW, VIEW)), "expected a result of G M N = 16 elements, found 20"),
        ((4, 4), attributes((((0, 0), (0, 1, 1)), VIEW)), "lhs_view: expected a permutation"),
        ((4, 4), attributes((VIEW, ((0, 1), (0, 1, 2)))), "rhs_groups: expected three numbers"),
        ((4, 4), attributes((VIEW, VIEW), "#ufp4.scheme<e9m9>"), "scheme"),
        ((4, 4), attributes((VIEW, VIEW), "16"), "expected a #ufp4.scheme, found '16'"),
        ((4, 4), attributes((VIEW, VIEW), roundings=("up", "nearest")), "expected nearest or stochastic"),
        ((4, 4), attributes((VIEW, VIEW), roundings=("stochastic", "nearest")), "needs the operand rng"),
        ((4, 4), attributes((VIEW, VIEW), lhs_amax=np.int64(1)), "lhs_amax needs an operand"),
        ((4, 4), attributes((VIEW, VIEW), lhs_of=np.array((8, 32))), "parts need the operand at, tensor<2xi64>"),
        ((4, 4), {"version": np.int64(2)}, "attribute 'lhs_view' is missing"),
        ((4, 32, 1), attributes((VIEW, ((1, 0), (0, 1, 1)))), "the operands differ in K: 32 and 4"),
    ],
)
def test_errors(shape, dictionary, message):
    operand = np.ones((4, 32), BF16)
    with pytest.raises(jax.errors.JaxRuntimeError, match=message):
        call((operand, operand), shape, **dictionary)


def test_gathered_tokens():
    rng = np.random.default_rng(1)
    x, w = (rng.standard_normal(shape).astype(BF16) for shape in ((6, 32), (2, 16, 32)))
    sizes, rows = np.array([3, 5], np.int32), np.array([4, -3, 5, 1, 99, 0, 1, 2], np.int32)
    dictionary = attributes((VIEW, ((0, 1, 2), (1, 1, 1))), ragged="rows", first=np.int64(0))
    dictionary |= {"lhs_of": np.array((8, 32), np.int64), "rhs_of": np.array(w.shape, np.int64)}
    grouped = lambda *operands, **more: call(operands, (8, 16), target="ufp4.grouped_gemm", **dictionary, **more)
    ones = {"lhs_rows": np.int64(1)}
    # An index beyond the tokens stands for the nearest of them.
    assert np.array_equal(grouped(x, w, sizes, rows, **ones), grouped(x[np.clip(rows, 0, 5)], w, sizes))
    with pytest.raises(jax.errors.JaxRuntimeError, match="lhs_rows needs an operand, tensor<8xi32>"):
        grouped(x, w, sizes, rows[1:], **ones)
    with pytest.raises(jax.errors.JaxRuntimeError, match="expected 3 operands, found 4"):
        grouped(x[np.clip(rows, 0, 5)], w, sizes, rows)
    with pytest.raises(jax.errors.JaxRuntimeError, match="rhs_rows: expected an operand of rank 2"):
        grouped(x[np.clip(rows, 0, 5)], w, sizes, rows, rhs_rows=np.int64(1))


def test_wrong_element_types():
    with pytest.raises(jax.errors.JaxRuntimeError, match="must be bf16, f16 or f32"):
        call((np.ones((4, 32), np.int32), np.ones((4, 32), BF16)), (4, 4), **attributes((VIEW, VIEW)))
    with pytest.raises(jax.errors.JaxRuntimeError, match="rng must be"):
        operand = np.ones((4, 32), BF16)
        dictionary = attributes((VIEW, VIEW), roundings=("stochastic", "nearest"))
        call((operand, operand, np.zeros(2, np.int32)), (4, 4), **dictionary)
