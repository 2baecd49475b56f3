"""How an intrinsic writes machine code into numba's kernels: numba documents the decorator, not what it hands over.

An intrinsic returns (signature, a function that writes its instructions). That function is given a *context*, numba's
compiler, and an llvmlite builder, which is documented. Only this module uses contexts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils


def write_effect(words: int, write: Callable[..., object]) -> Any:
    """An intrinsic that takes this number of 64-bit words and returns nothing: write(builder, *words)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        write(builder, *args)
        return context.get_dummy_value()

    return types.void(*(types.uint64,) * words), generate


def write_value(result: Any, arguments: tuple[Any, ...], write: Callable[..., Any]) -> Any:
    """An intrinsic whose result, of this type, is what write(builder, *values) returns."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return write(builder, *args)

    return result(*arguments), generate


def write_borrowed(array: Any) -> Any:
    """An intrinsic that returns an array of this type as one that nobody owns, so that nobody counts who uses it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _disown(context, builder, array, args[0])

    return array(array), generate


def write_record(record: Any, offset: int) -> Any:
    """An intrinsic (record, address) that stores a record `offset` bytes behind an address. Nobody owns its arrays."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        members = zip(record.types, cgutils.unpack_tuple(builder, args[0]), strict=True)
        owned = [
            _disown(context, builder, kind, member) if isinstance(kind, types.Array) else member
            for kind, member in members
        ]
        made = context.make_tuple(builder, record, owned)
        builder.store(made, _point_to(context, builder, record, args[1], offset), align=8)
        return context.get_dummy_value()

    return types.void(record, types.uint64), generate


def read_record(record: Any, offset: int) -> Any:
    """An intrinsic (address) whose result is the record that `write_record` has stored there."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _load_parts(builder, _point_to(context, builder, record, args[0], offset))

    return record(types.uint64), generate


def _disown(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    made = context.make_array(kind)(context, builder, array)
    made.meminfo, made.parent = (ir.Constant(part.type, None) for part in (made.meminfo, made.parent))
    return made._getvalue()


def _point_to(context: Any, builder: Any, kind: Any, place: Any, offset: int) -> Any:
    start = builder.add(place, ir.IntType(64)(offset))
    return builder.inttoptr(start, context.get_value_type(kind).as_pointer())


def _load_parts(builder: Any, pointer: Any) -> Any:
    """What a pointer points to, number by number: those that a kernel does not use are then not loaded."""
    kind = pointer.type.pointee
    if not isinstance(kind, ir.Aggregate):
        return builder.load(pointer)
    whole = ir.Constant(kind, ir.Undefined)
    for place in range(len(kind)):
        part = _load_parts(builder, builder.gep(pointer, [ir.IntType(32)(0), ir.IntType(32)(place)]))
        whole = builder.insert_value(whole, part, place)
    return whole
