"""Records of arrays that kernels find by an address.

A record that is passed to a kernel is taken apart in Python each time and copied with every call of another kernel, and
references to its arrays are counted: in a step of 4,096 games this took a quarter of the time. A record that is *held*
is written to memory once, and its arrays have no owner there: the holder of the record keeps them alive.
"""

from __future__ import annotations

from typing import Any, get_type_hints

import numpy as np
from numba import types
from numba.core.errors import TypingError

from veil.compat.intrinsics import read_record, write_borrowed, write_record
from veil.engine.lanes import intrinsic
from veil.environments.vector_layout import VectorLanes, VectorPlan

ROWS, BLOCKS = types.Array(types.uint64, 2, "C"), types.Array(types.uint64, 3, "C")
ARRAYS: dict[str, Any] = {
    "roles": types.Array(types.int64, 2, "C"),
    "initial": ROWS,
    "utility": types.Array(types.float32, 1, "C"),
    "values": BLOCKS,
    "chance_rng": BLOCKS,
    "sample_rng": BLOCKS,
    "active": ROWS,
    "over": ROWS,
    "rounds": BLOCKS,
    "shown": BLOCKS,
    "record": ROWS,
    "marks": ROWS,
    "square": ROWS,
    "entries": types.Array(types.uint16, 2, "C"),
    "mixed": types.Array(types.uint16, 1, "C"),
}
SCALARS: dict[type, Any] = {np.uint64: types.uint64, int: types.int64, bool: types.boolean}


def kind_of(record: type) -> Any:
    """Return the kernel type of a class of records."""
    members = [ARRAYS.get(name) or SCALARS[kind] for name, kind in get_type_hints(record).items()]
    return types.NamedTuple(tuple(members), record)


def count_words(kind: Any) -> int:
    """Return the maximal number of words of a record: an array has five, and a size and a stride for each axis."""
    return sum(5 + 2 * member.ndim if isinstance(member, types.Array) else 1 for member in kind.types)


PLAN, LANES_KIND = kind_of(VectorPlan), kind_of(VectorLanes)
PLAN_BYTES = 8 * count_words(PLAN)
HELD_WORDS = count_words(PLAN) + count_words(LANES_KIND)


_held: dict[tuple[int, type], Any] = {}  # for Python: records by address and class


def _hold(record: VectorPlan | VectorLanes, place: np.uint64) -> None:
    _held[int(place), type(record)] = record


@intrinsic(_hold)
def hold(typing_context: Any, record: Any, place: Any) -> Any:
    """Write a plan or lanes to memory at an address, each to its own part."""
    if record not in (PLAN, LANES_KIND):
        raise TypingError(f"no record to hold: {record}")

    return write_record(record, offset_of(record))


def _borrow(array: np.ndarray) -> np.ndarray:
    return array


@intrinsic(_borrow)
def borrow(typing_context: Any, array: Any) -> Any:
    """Return an array whose references are not counted; the caller's caller keeps it alive."""

    return write_borrowed(array)


def make_recall(kind: Any) -> Any:
    """Return f(place): the record of a kind that is held at an address."""

    def in_python(place: np.uint64) -> Any:
        return _held[int(place), kind.instance_class]

    @intrinsic(in_python)
    def recall(typing_context: Any, place: Any) -> Any:
        return read_record(kind, offset_of(kind))

    return recall


def offset_of(kind: Any) -> int:
    """Bytes from the address to a record of a kind: lanes follow the plan."""
    return 0 if kind == PLAN else PLAN_BYTES


recall_plan, recall_lanes = make_recall(PLAN), make_recall(LANES_KIND)
