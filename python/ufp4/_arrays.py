"""NumPy and ml_dtypes arrays as the compiler names and reads them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from ._errors import Error

_NAMES = {
    np.dtype(np.bool_): "i1",
    np.dtype(np.int8): "i8",
    np.dtype(np.int16): "i16",
    np.dtype(np.int32): "i32",
    np.dtype(np.int64): "i64",
    np.dtype(np.uint8): "ui8",
    np.dtype(np.uint16): "ui16",
    np.dtype(np.uint32): "ui32",
    np.dtype(np.uint64): "ui64",
    np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(np.float16): "f16",
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
}
_TYPES = {name: dtype for dtype, name in _NAMES.items()}


def element_name(dtype: Any) -> str:
    """The compiler's name of an element type: ``bf16`` of ``ml_dtypes.bfloat16``, ``f32`` of ``float``…"""
    try:
        return _NAMES[np.dtype(dtype)]
    except (KeyError, TypeError):
        known = ", ".join(str(known) for known in _NAMES)
        raise Error(f"expected elements of one of {known}; found {dtype}") from None


def element_dtype(name: str) -> np.dtype:
    """The inverse of element_name."""
    return _TYPES[name]


def to_native(array: Any) -> tuple[np.ndarray, str]:
    """A C-contiguous view of `array` that the bindings read, and its element type's name.

    Contiguous arrays of the machine's byte order are not copied. bfloat16 goes as uint16, since NumPy's
    exchange protocols do not know it.
    """
    array = np.asarray(array)
    if array.dtype.kind == "V" and array.dtype.itemsize == 2:
        array = array.view(ml_dtypes.bfloat16)  # what numpy.load makes of a saved bfloat16
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    name = element_name(array.dtype)
    # ascontiguousarray would make rank 0 into rank 1.
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    if not array.flags.aligned:
        array = array.copy()
    return (array.view(np.uint16) if name == "bf16" else array), name


def from_native(array: np.ndarray, name: str) -> np.ndarray:
    """The inverse of to_native, without a copy."""
    return array.view(ml_dtypes.bfloat16) if name == "bf16" else array


def integer(value: Any, bits: int, what: str) -> int:
    """An integer of any kind, modulo 2^bits; `what` names it in errors."""
    try:
        return int(value.__index__()) % (1 << bits)
    except (AttributeError, TypeError):
        raise Error(f"{what}: expected an integer, found {value!r}") from None
