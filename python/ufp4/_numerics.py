"""Quantizing, dequantizing and rotating arrays: the compiler's own numerics library.

Every bit is defined in docs/spec.md (sections F and Q, whose labels stand in brackets below), and these
functions are that definition in C++, not an approximation of it: the reference for kernels. Sources: the
uniform grid and its recipe, arXiv 2606.20381; the rotation and two-level scales, arXiv 2509.25149; MX
scales, OCP Microscaling Formats v1.0; random words, Philox4x32-10 (Salmon et al., SC 2011).

All of them release the GIL, may be called from any number of threads, and do not depend on the caller's
floating-point environment.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._arrays import element_name, from_native, integer, to_native
from ._errors import Error


class Stochastic(NamedTuple):
    """Stochastic rounding [Q6] and where its random words come from [Q7].

    Attributes:
      seed: 64 bits; a negative seed is taken modulo 2^64.
      step: 32 bits, the training step.
      stream: 32 bits; quantizes that must draw different words differ in it.
      bits: 16 or 8 bits of randomness an element.
    """

    seed: int
    step: int = 0
    stream: int = 0
    bits: int = 16


class Rotation(NamedTuple):
    """The random Hadamard transform of every run of `size` elements along K [Q2].

    Attributes:
      size: 16, 32, 64 or 128.
      signs: a mask of `size` bits; element i of a run is negated where bit i is set. None: the presets'
        mask, 0xD7E8 repeated in every 16 bits.
    """

    size: int
    signs: int | None = None


@dataclasses.dataclass(frozen=True)
class Quantized:
    """What `quantize` returns. K is the quantized axis, Kp its extent after padding [Q3], B the block.

    Attributes:
      codes: uint8, one 4-bit code an element: bit 3 the sign, bits 2 to 0 the magnitude's index [F1]. The
        array's other dimensions in their order, then Kp.
      scales: one for each block [F2]: float32 for ``f32``, else a byte as stored. The other dimensions,
        then Kp/B; with 2-D blocks [ceil(R/B), Kp/B], where R is the product of the other dimensions.
      global_scale: the tensor's f32 scale S of ``ue4m3`` [Q5], else None.
      shape: of the array that was quantized.
      axis: the axis that was quantized, not negative.
      format, block, block_rows, scale, scale_rule, rotation: the scheme, as given to `quantize`.
    """

    codes: np.ndarray
    scales: np.ndarray
    global_scale: np.float32 | None
    shape: tuple[int, ...]
    axis: int
    format: str
    block: int
    block_rows: int
    scale: str
    scale_rule: str
    rotation: Rotation | None

    @property
    def packed(self) -> np.ndarray:
        """The codes in natural storage [F1]: two to a byte, the even one in the low nibble."""
        return self.codes[..., 0::2] | self.codes[..., 1::2] << 4


def _rotation(rotation: int | tuple[int, int] | Rotation | None) -> Rotation | None:
    if rotation is None or rotation == 0:
        return None
    if isinstance(rotation, tuple):
        if len(rotation) != 2:
            raise Error(f"rotation: expected (size, signs), found {rotation!r}")
        return Rotation(*rotation)
    return Rotation(integer(rotation, 32, "rotation"))


def _scheme(format, block, block_rows, scale, scale_rule, rotation: Rotation | None):
    signs = None
    if rotation is not None and rotation.signs is not None:
        size = integer(rotation.size, 32, "rotation")
        if not 0 <= rotation.signs < 1 << min(size, 128):
            raise Error(f"rotation: expected signs of {size} bits, found {rotation.signs:#x}")
        signs = (rotation.signs & (1 << 64) - 1, rotation.signs >> 64)
    return _native.scheme(
        format,
        integer(block, 32, "block"),
        integer(block_rows, 32, "block_rows"),
        scale,
        scale_rule,
        0 if rotation is None else integer(rotation.size, 32, "rotation"),
        signs,
    )


def _axis(axis: int, rank: int) -> int:
    if rank == 0:
        raise Error("expected an array of at least one dimension, found rank 0")
    if not -rank <= axis < rank:
        raise Error(f"axis: expected {-rank} to {rank - 1} for an array of rank {rank}, found {axis}")
    return axis % rank


def _view(array: Any, axis: int) -> tuple[np.ndarray, str, tuple[int, ...], int]:
    """The array with `axis` last and contiguous, its element type, its shape and the axis."""
    array = np.asarray(array)
    axis = _axis(axis, array.ndim)
    values, name = to_native(np.moveaxis(array, axis, -1))
    if name not in ("f32", "bf16", "f16"):
        raise Error(f"expected an array of float32, bfloat16 or float16, found {array.dtype}; cast it first")
    return values, name, array.shape, axis


def quantize(
    array: Any,
    format: str = "e1m2",
    block: int = 16,
    scale: str = "f32",
    scale_rule: str = "ceil",
    rotation: int | tuple[int, int] | Rotation | None = None,
    axis: int = -1,
    block_rows: int = 1,
    stochastic: tuple[int, ...] | Stochastic | None = None,
    amax: float | None = None,
) -> Quantized:
    """Quantizes an array to 4-bit codes in blocks along one axis [Q1 to Q8].

    Args:
      array: float32, float16 or ml_dtypes.bfloat16 of any shape with at least one dimension, anything that
        numpy.asarray takes. An array that is contiguous with `axis` last is read in place.
      format: ``e1m2``, the uniform grid 0 to 7, or ``e2m1`` (0, ½, 1, 1½, 2, 3, 4, 6).
      block: 16 or 32 elements along `axis` share a scale.
      scale: ``f32``; ``ue4m3``, E4M3 bytes and one f32 for the tensor; ``ue8m0``, powers of two.
      scale_rule: of ``ue8m0``: ``ceil``, or ``ocp-floor`` (``e2m1`` only).
      rotation: None, a size (16, 32, 64, 128) or (size, signs).
      axis: the dimension K that blocks and rotation run along.
      block_rows: 1, or `block` for 2-D blocks (nearest rounding, no rotation): as many rows of the other
        dimensions, merged into one, share a scale too.
      stochastic: None rounds to nearest; (seed, step, stream, bits), the last three of which may be left
        out, rounds stochastically.
      amax: replaces the maximum of ``ue4m3`` [Q5] where the array is a part of a tensor.

    Returns:
      Codes and scales; NaN or infinite elements poison their block [Q4].

    Raises:
      Error: the scheme, the element type or the axis is none; the message says what is.
    """
    values, name, shape, axis = _view(array, axis)
    rotation = _rotation(rotation)
    scheme = _scheme(format, block, block_rows, scale, scale_rule, rotation)
    draw = None
    if stochastic is not None:
        try:
            given = Stochastic(*stochastic)
        except TypeError:
            raise Error(f"stochastic: expected (seed, step, stream, bits), found {stochastic!r}") from None
        draw = (
            integer(given.seed, 64, "seed"),
            integer(given.step, 32, "step"),
            integer(given.stream, 32, "stream"),
            integer(given.bits, 32, "bits"),
        )
    leading, k = values.shape[:-1], values.shape[-1]
    rows = math.prod(leading)
    codes, scales, s = _native.quantize(
        values, name, (1, rows, k), scheme, draw, None if amax is None else float(amax)
    )
    kp = scheme.padded_k(k)
    scale_rows = leading if block_rows == 1 else (-(-rows // block),)
    return Quantized(
        codes.reshape(*leading, kp),
        scales.reshape(*scale_rows, kp // block),
        None if s is None else np.float32(s),
        shape,
        axis,
        format,
        block,
        block_rows,
        scale,
        scale_rule,
        None if rotation is None else Rotation(rotation.size, sum(w << 64 * i for i, w in enumerate(scheme.rotation_words))),
    )


def dequantize(quantized: Quantized, dtype: Any = np.float32, padded: bool = False) -> np.ndarray:
    """The values that codes and scales stand for, each real number rounded once to `dtype` [F4].

    A rotated tensor gives its *rotated* values: a product of two operands in one rotation needs no way
    back.

    Args:
      quantized: what `quantize` returned.
      dtype: numpy.float32, numpy.float16 or ml_dtypes.bfloat16.
      padded: keep the padding of the quantized axis, which then has extent Kp.

    Returns:
      A new array of the quantized array's shape, poisoned blocks as NaN.

    Raises:
      Error: the element type is none of the three; or the quantized axis is no multiple of the rotation's
        size, whose padding carries values: give ``padded=True``.
    """
    name = element_name(dtype)
    q = quantized
    k = q.shape[q.axis]
    if q.rotation is not None and k % q.rotation.size and not padded:
        raise Error(
            f"axis {q.axis} has {k} elements, no multiple of the rotation's {q.rotation.size}: its padding"
            " carries values; give padded=True"
        )
    scheme = _scheme(q.format, q.block, q.block_rows, q.scale, q.scale_rule, q.rotation)
    leading = q.shape[: q.axis] + q.shape[q.axis + 1 :]
    values = _native.dequantize(
        np.ascontiguousarray(q.codes),
        np.ascontiguousarray(q.scales),
        0.0 if q.global_scale is None else float(q.global_scale),
        (1, math.prod(leading), k),
        scheme,
        name,
        padded,
    )
    shape = (*leading, scheme.padded_k(k) if padded else k)
    return np.moveaxis(from_native(values, name).reshape(shape), -1, q.axis)


def rotate(array: Any, rotation: int | tuple[int, int] | Rotation = 16, axis: int = -1) -> np.ndarray:
    """The random Hadamard transform x · diag(±1) · H / √n of every run of n elements along an axis [Q2].

    Args:
      array: float32, float16 or ml_dtypes.bfloat16.
      rotation: a size (16, 32, 64, 128) or (size, signs).
      axis: the dimension to rotate along.

    Returns:
      float32, each value rounded as the butterfly of Q2 says; the axis is padded with zeros to a multiple
      of the size first.

    Raises:
      Error: the rotation, the element type or the axis is none.
    """
    values, name, _, axis = _view(array, axis)
    rotation = _rotation(rotation)
    if rotation is None:
        raise Error("rotation: expected a size of 16, 32, 64 or 128, found none")
    scheme = _scheme("e1m2", 16, 1, "f32", "ceil", rotation)
    leading, k = values.shape[:-1], values.shape[-1]
    rotated = _native.rotate(values, name, (1, math.prod(leading), k), scheme)
    size = rotation.size
    return np.moveaxis(rotated.reshape(*leading, -(-k // size) * size), -1, axis)


def amax(
    array: Any,
    rotation: int | tuple[int, int] | Rotation | None = None,
    block: int = 16,
    block_rows: int = 1,
    axis: int = -1,
) -> np.float32:
    """The greatest |x'| after the rotation over all blocks that are not poisoned, 0 where there is none: the
    maximum that sets the scale of ``ue4m3`` [Q5]. Parts of a tensor reduce it by maximum and give it to
    `quantize`.

    Raises:
      Error: the scheme, the element type or the axis is none.
    """
    values, name, _, axis = _view(array, axis)
    scheme = _scheme("e1m2", block, block_rows, "ue4m3", "ceil", _rotation(rotation))
    leading, k = values.shape[:-1], values.shape[-1]
    return np.float32(_native.amax(values, name, (1, math.prod(leading), k), scheme))
