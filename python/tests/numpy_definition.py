"""docs/spec.md, sections F and Q, written once more in NumPy: what the package's functions are judged by."""

import math

import ml_dtypes
import numpy as np

F32 = np.float32
LEVELS = {
    "e1m2": np.array([0, 1, 2, 3, 4, 5, 6, 7], F32),
    "e2m1": np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], F32),
}
PRESET = 0xD7E8


def rotate(x, size, signs):
    """Q2 on [R, K], K a multiple of size."""
    x = np.where([signs >> i & 1 for i in range(size)], -1, 1).astype(F32) * x.reshape(-1, size)
    stride = 1
    while stride < size:
        pairs = x.reshape(-1, size // (2 * stride), 2, stride)
        a, b = pairs[:, :, 0], pairs[:, :, 1]
        x = np.stack([a + b, a - b], axis=2).reshape(-1, size)
        stride *= 2
    return x * F32(1 / math.sqrt(size))


def philox(counter, key):
    """Philox4x32-10 on arrays of uint32 words."""
    mask = np.uint64(0xFFFFFFFF)
    counter = [np.asarray(c, np.uint64) for c in counter]
    key = [int(k) for k in key]
    for _ in range(10):
        a = counter[0] * np.uint64(0xD2511F53)
        b = counter[2] * np.uint64(0xCD9E8D57)
        counter = [
            (b >> np.uint64(32)) ^ counter[1] ^ np.uint64(key[0]),
            b & mask,
            (a >> np.uint64(32)) ^ counter[3] ^ np.uint64(key[1]),
            a & mask,
        ]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return counter


def words(count, seed, step, stream, bits):
    """Q7: the random word of each element."""
    i = np.arange(count, dtype=np.uint64)
    group = i * np.uint64(bits) // np.uint64(128)
    key = (seed & 0xFFFFFFFF, seed >> 32)
    low, high = group & np.uint64(0xFFFFFFFF), group >> np.uint64(32)
    ones = np.ones(count, np.uint64)
    out = np.stack(philox((low, high, ones * np.uint64(stream), ones * np.uint64(step)), key))
    lane = i % np.uint64(128 // bits)
    bit = lane * np.uint64(bits)
    word = out[(bit // np.uint64(32)).astype(int), np.arange(count)]
    return (word >> (bit % np.uint64(32))) & np.uint64((1 << bits) - 1)


def power_of_two_ceil(amax, g_max):
    """Q5, ue8m0 with rule ceil, by exact integers: the byte of the least 2^e with 2^e g_max >= amax."""
    mantissa, exponent = np.frexp(amax.astype(np.float64))
    numerator = mantissa * 2.0**24  # integers below 2^24
    ratio = np.frexp(g_max)[1]
    e = exponent - ratio - 1
    for _ in range(3):
        e = np.where(np.ldexp(float(g_max), e + 24 - exponent) < numerator, e + 1, e)
    return np.clip(e + 127, 0, 254).astype(np.uint8)


def quantize(x, format, block, scale, rotation, block_rows=1, draw=None, amax=None, rule="ceil"):
    """Codes [R, Kp], scales as stored, S, of float32 values [R, K]."""
    levels = LEVELS[format]
    g_max = levels[-1]
    r, k = x.shape
    multiple = math.lcm(block, rotation or 1)
    if rotation:
        k_rotated = -(-k // rotation) * rotation
        x = np.pad(x, ((0, 0), (0, k_rotated - k)))
        signs = sum(PRESET << 16 * i for i in range(rotation // 16))
        x = rotate(x, rotation, signs).reshape(r, k_rotated)
        k = k_rotated
    # Padded to a multiple of the rotation, then of the block.
    kp = -(-k // block) * block
    x = np.pad(x, ((0, 0), (0, kp - k)))
    rp = -(-r // block_rows) * block_rows
    padded = np.pad(x, ((0, rp - r), (0, 0)))
    blocks = np.abs(padded).reshape(rp // block_rows, block_rows, kp // block, block)
    maxima = blocks.max(axis=(1, 3))
    poisoned = ~np.isfinite(blocks).all(axis=(1, 3))
    zero = ~poisoned & (maxima < F32(2.0**-120))
    s_global = None
    finite = np.where(poisoned | zero, F32(1), maxima)
    if scale == "f32":
        stored = d = finite / g_max
    elif scale == "ue4m3":
        tensor = F32(np.max(np.where(poisoned, F32(0), maxima), initial=F32(0)) if amax is None else amax)
        s_global = max(tensor / F32(g_max * 448), F32(2.0**-100))
        value = np.minimum((finite / g_max) * (F32(1) / s_global), F32(448))
        small = value.astype(ml_dtypes.float8_e4m3fn)
        stored = small.view(np.uint8)
        zero |= ~poisoned & (stored == 0)
        d = np.where(zero, F32(1), small.astype(F32) * s_global)
    elif rule == "ceil":
        stored = power_of_two_ceil(finite, g_max)
        d = np.ldexp(F32(1), stored.astype(int) - 127)
    else:
        exponent = np.frexp(finite)[1] - 1 - 2
        stored = np.clip(exponent + 127, 0, 254).astype(np.uint8)
        d = np.ldexp(F32(1), stored.astype(int) - 127)
    e = F32(1) / d.astype(F32)
    spread = np.repeat(np.repeat(e, block_rows, 0)[:r], block, 1)
    with np.errstate(invalid="ignore", over="ignore"):
        t = np.abs(x) * spread
    steps = levels[1:] - levels[:-1]
    code = np.zeros((r, kp), np.uint8)
    if draw is None:
        for i in range(1, 8):
            middle = (levels[i - 1] + levels[i]) / F32(2)
            code += (t > middle) | ((t == middle) & (i % 2 == 0))
    else:
        u = (words(r * kp, *draw) | np.uint64(1)).astype(F32).reshape(r, kp) / F32(1 << draw[3])
        for i in range(1, 8):
            code += t >= levels[i] - steps[i - 1] * u
    code = np.where(x == 0, 0, code | np.where(x < 0, 8, 0)).astype(np.uint8)
    empty = np.repeat(np.repeat(poisoned | zero, block_rows, 0)[:r], block, 1)
    code[empty] = 0
    nan = {"f32": F32(np.nan), "ue4m3": np.uint8(0x7F), "ue8m0": np.uint8(0xFF)}[scale]
    stored = np.where(poisoned, nan, np.where(zero, np.zeros_like(stored), stored))
    return code, stored, s_global
