"""Memory and functions by address, from Python: the Python forms of intrinsics, for numba without compilation.

Kernels then run as Python functions (`NUMBA_DISABLE_JIT=1`), for debuggers and for measuring coverage. An intrinsic is
machine code and has no Python form; its twin is made of these functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

_FUNCTION = ctypes.CFUNCTYPE(None, *(ctypes.c_uint64,) * 3)


def array_at(place: Any, shape: int | tuple[int, ...], dtype: Any) -> np.ndarray:
    """Return the memory at an address as an array without gaps, to read and write. Its owner has to keep it alive."""
    kind, sizes = np.dtype(dtype), (shape,) if isinstance(shape, int) else shape
    memory = (ctypes.c_char * (kind.itemsize * prod(map(int, sizes)))).from_address(int(place))
    return np.frombuffer(memory, kind).reshape(sizes)


def pointer_at(place: Any, dtype: Any) -> Any:
    """Return a pointer to numbers of a type, as `numba.carray` takes it."""
    return ctypes.cast(int(place), ctypes.POINTER(np.ctypeslib.as_ctypes_type(dtype)))


def call_at(function: Any, *words: Any) -> None:
    """Call `void f(i64, i64, i64)` at an address."""
    _FUNCTION(int(function))(*map(int, words))


_callbacks: dict[Callable[..., None], Any] = {}  # calls by address keep no function alive


def address_of(function: Callable[..., None]) -> int:
    """Return the address of a Python function of three words, callable as `void f(i64, i64, i64)`, for ever."""
    callback = _callbacks.setdefault(function, _FUNCTION(function))
    return int(ctypes.cast(callback, ctypes.c_void_p).value or 0)
