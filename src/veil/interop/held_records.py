"""Records of arrays that kernels find by an address.

A record that is handed to a kernel is taken apart in Python each time, and its arrays are counted whenever a kernel hands
them on: in a step of 4,096 games this took a third of the time. A record that is *held* was written to memory once, and
its arrays belong to nobody there: whoever holds it keeps them alive.
"""

from __future__ import annotations

from typing import Any, get_type_hints

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from veil.interop.vector_layout import VectorLanes, VectorPlan

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
    """The type in kernels of a class of records."""
    members = [ARRAYS.get(name) or SCALARS[kind] for name, kind in get_type_hints(record).items()]
    return types.NamedTuple(tuple(members), record)


def count_words(kind: Any) -> int:
    """Words that a record takes at most: an array has five, a size and a stride for each axis."""
    return sum(5 + 2 * member.ndim if isinstance(member, types.Array) else 1 for member in kind.types)


PLAN, LANES_KIND = kind_of(VectorPlan), kind_of(VectorLanes)
PLAN_BYTES = 8 * count_words(PLAN)
HELD_WORDS = count_words(PLAN) + count_words(LANES_KIND)


@intrinsic  # type: ignore[untyped-decorator]
def hold(typing_context: Any, record: Any, place: Any) -> Any:
    """Write a plan or lanes to an address."""
    if record not in (PLAN, LANES_KIND):
        raise TypingError(f"no record to hold: {record}")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        members = cgutils.unpack_tuple(builder, args[0])
        owned = [
            disown(context, builder, kind, member) if isinstance(kind, types.Array) else member
            for kind, member in zip(record.types, members, strict=True)
        ]
        made = context.make_tuple(builder, record, owned)
        builder.store(made, builder.inttoptr(args[1], made.type.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(record, types.uint64), generate


def disown(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """The array as one that nobody owns, so that nobody counts who uses it."""
    made = context.make_array(kind)(context, builder, array)
    made.meminfo, made.parent = (ir.Constant(part.type, None) for part in (made.meminfo, made.parent))
    return made._getvalue()


@intrinsic  # type: ignore[untyped-decorator]
def borrow(typing_context: Any, array: Any) -> Any:
    """An array that is not counted; the caller's caller keeps it alive."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return disown(context, builder, array, args[0])

    return array(array), generate


def make_recall(kind: Any) -> Any:
    """f(place): the record of a kind that was written to an address."""

    @intrinsic  # type: ignore[untyped-decorator]
    def recall(typing_context: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.load(builder.inttoptr(args[0], context.get_value_type(kind).as_pointer()), align=8)

        return kind(types.uint64), generate

    return recall


recall_plan, recall_lanes = make_recall(PLAN), make_recall(LANES_KIND)
