"""Files of arrays: a header in JSON, and arrays that are mapped into memory instead of read.

    veil arrays 1\\n, the length of the header in 12 digits, \\n, the header, zeros up to a multiple of 64
    the arrays, each at the offset that the header gives

A file is written completely or not at all. A file that is cut short, or is something else, is refused.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from veil.errors import VeilError
from veil.files import Output, check_regular, reason_of

MAGIC = b"veil arrays 1\n"
DIGITS = 12  # of the length of the header
ALIGNMENT = 64
PIECE = 1 << 21  # numbers that are written at once
TYPES = ("<f4", "<f8", "<i4", "<i8")
MAX_DIMENSIONS = 2

Refuse = Callable[[str, str], VeilError]  # name, what is wrong -> the error


class ArrayFile(NamedTuple):
    """The content of a file. Arrays cannot be changed."""

    about: dict[str, Any]
    arrays: dict[str, np.ndarray]


class _ArrayPlace(msgspec.Struct, frozen=True):
    """An array in a file."""

    type: str
    shape: list[int]
    offset: int  # from the first array on


class _ArrayHeader(msgspec.Struct, frozen=True):
    """The header of a file."""

    about: dict[str, Any]
    arrays: dict[str, _ArrayPlace]
    size: int  # bytes of all arrays


def is_array_file(data: bytes | memoryview) -> bool:
    """Return whether a file begins as one of arrays does."""
    return bytes(data[: len(MAGIC)]) == MAGIC


def begins_as_arrays(name: str) -> bool:
    """Return whether there is a file that begins as one of arrays does."""
    try:
        if not os.path.isfile(name):
            return False
        with open(name, "rb") as file:
            return is_array_file(file.read(len(MAGIC)))
    except (OSError, ValueError):
        return False


def write_arrays(name: str | os.PathLike[str], about: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write a file of arrays; `about` is anything that JSON can hold."""
    places, size = {}, 0
    kept = {key: np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")) for key, array in arrays.items()}
    for key, array in kept.items():
        places[key] = {"type": array.dtype.str, "shape": list(array.shape), "offset": size}
        size += -(-array.nbytes // ALIGNMENT) * ALIGNMENT
    header = json.dumps({"about": about, "arrays": places, "size": size}).encode()
    with Output(name) as output:
        first = MAGIC + b"%0*d\n" % (DIGITS, len(header)) + header
        output.write(first + bytes(-len(first) % ALIGNMENT))
        for array in kept.values():
            content = array.reshape(-1)
            for start in range(0, array.size, PIECE):
                output.write(content[start : start + PIECE].tobytes())
            output.write(bytes(-array.nbytes % ALIGNMENT))
        output.keep()


def map_arrays(name: str | os.PathLike[str], refuse: Refuse) -> ArrayFile:
    """Map a file into memory. `refuse(name, what)` makes the error for a file that cannot be read."""
    text = os.fspath(name)
    try:
        check_regular(os.stat(text))  # before it is opened: a pipe would wait for a writer
        with open(text, "rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:  # ValueError: an empty file
        raise refuse(text, reason_of(error, "it is no file of arrays")) from None
    return parse_arrays(data, text, refuse)


def parse_arrays(data: bytes | memoryview, name: str, refuse: Refuse) -> ArrayFile:
    """Return the content of a file; its arrays share the memory of `data`."""
    begin = len(MAGIC) + DIGITS + 1
    try:
        if not is_array_file(data):
            raise ValueError("it is no file of arrays")
        length = int(bytes(data[len(MAGIC) : begin - 1]))
        header = msgspec.json.decode(bytes(data[begin : begin + length]), type=_ArrayHeader)
    except (ValueError, RecursionError) as error:  # of int and msgspec too
        what = str(error) if str(error).startswith("it is no") else "its header is damaged"
        raise refuse(name, what) from None
    first = -(-(begin + length) // ALIGNMENT) * ALIGNMENT
    if header.size < 0 or len(data) != first + header.size:
        raise refuse(name, f"it has {len(data):,} bytes instead of {first + header.size:,}")
    arrays = {}
    for key, place in header.arrays.items():
        count = math.prod(place.shape)
        if (
            place.type not in TYPES
            or len(place.shape) > MAX_DIMENSIONS
            or not all(0 <= size <= header.size for size in place.shape)
            or not 0 <= place.offset <= header.size - count * int(place.type[2])
        ):
            raise refuse(name, "its header is damaged")
        array = np.frombuffer(data, place.type, count, first + place.offset).reshape(place.shape)
        array.flags.writeable = False
        arrays[key] = array
    return ArrayFile(header.about, arrays)
