"""Kernels on rows of lanes by their address. A row is one bit of 256 games: four words, one register of the processor.

Rows are given by address, not as parts of arrays. A loop then needs one load and one store of a register per row, which
numba does not find by itself (the steps of the vector environment: three times as fast).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from veil.compat.intrinsics import write_effect
from veil.engine.lanes import LANES, Int, address, array_at, intrinsic, kernel

WIDTH = LANES // 64  # words of a row
ROW = 8 * WIDTH  # bytes of a row
WORD, VECTOR = ir.IntType(64), ir.VectorType(ir.IntType(64), WIDTH)


def load_row(builder: Any, place: Any) -> Any:
    """Return the row at an address."""
    return builder.load(builder.inttoptr(place, VECTOR.as_pointer()), align=8)


def store_row(builder: Any, row: Any, place: Any) -> None:
    """Write a row to an address."""
    builder.store(row, builder.inttoptr(place, VECTOR.as_pointer()), align=8)


def splat(builder: Any, word: Any) -> Any:
    """Return a row of equal words."""
    row = ir.Constant(VECTOR, ir.Undefined)
    for place in range(WIDTH):
        row = builder.insert_element(row, word, ir.Constant(ir.IntType(32), place))
    return row


def row_of(place: np.uint64) -> np.ndarray:
    """Return the row at an address, for Python."""
    return array_at(place, WIDTH, np.uint64)


def make_row_operation(combine: Callable[[Any, Any, Any, Any], Any]) -> Callable[..., None]:
    """Return f(target, source, mask), with addresses of rows: the row at target becomes `combine` of all three.

    The first argument of `combine` has `and_`, `or_` and `xor`: it writes machine code, or it is Python's `operator`.
    """

    def in_python(target: np.uint64, source: np.uint64, mask: np.uint64) -> None:
        row_of(target)[:] = combine(operator, row_of(target), row_of(source), row_of(mask))

    @intrinsic(in_python)
    def operation(typing_context: Any, target: Any, source: Any, mask: Any) -> Any:
        def write(builder: Any, *places: Any) -> None:
            store_row(builder, combine(builder, *(load_row(builder, place) for place in places)), places[0])

        return write_effect(3, write)

    return operation


copy_row = make_row_operation(lambda b, target, source, mask: b.and_(source, mask))
add_row = make_row_operation(lambda b, target, source, mask: b.or_(target, b.and_(source, mask)))
blend_row = make_row_operation(lambda b, target, source, mask: b.xor(target, b.and_(b.xor(target, source), mask)))


def _count_row(source: np.uint64, some: np.uint64, several: np.uint64) -> None:
    row_of(several)[:] |= row_of(some) & row_of(source)
    row_of(some)[:] |= row_of(source)


@intrinsic(_count_row)
def count_row(typing_context: Any, source: Any, some: Any, several: Any) -> Any:
    """Count one more row: some (at least one) and several (at least two) are addresses of rows (changed in place)."""

    def write(builder: Any, *places: Any) -> None:
        source, some, several = (load_row(builder, place) for place in places)
        store_row(builder, builder.or_(several, builder.and_(some, source)), places[2])
        store_row(builder, builder.or_(some, source), places[1])

    return write_effect(3, write)


def _exchange_rows(upper: np.uint64, lower: np.uint64, shift: np.uint64, mask: np.uint64) -> None:
    change = ((row_of(upper) >> shift) ^ row_of(lower)) & mask
    row_of(upper)[:] ^= change << shift
    row_of(lower)[:] ^= change


@intrinsic(_exchange_rows)
def exchange_rows(typing_context: Any, upper: Any, lower: Any, shift: Any, mask: Any) -> Any:
    """Make one exchange of Warren's transposition in two rows: four matrices at once."""

    def write(builder: Any, *args: Any) -> None:
        upper, lower = (load_row(builder, place) for place in args[:2])
        shift, mask = (splat(builder, word) for word in args[2:])
        change = builder.and_(builder.xor(builder.lshr(upper, shift), lower), mask)
        store_row(builder, builder.xor(upper, builder.shl(change, shift)), args[0])
        store_row(builder, builder.xor(lower, change), args[1])

    return write_effect(4, write)


@kernel
def row_at(base: np.uint64, row: Int) -> np.uint64:
    """Return the address of a row in an array of rows."""
    return base + np.uint64(ROW) * np.uint64(row)


@kernel
def block_at(blocks: np.ndarray, block: Int) -> np.uint64:
    """Return the address of one of blocks [B, rows, W].

    Slicing would count references, which takes longer than a row.
    """
    return address(blocks) + np.uint64(ROW * blocks.shape[1]) * np.uint64(block)


@kernel
def copy_rows(target: np.uint64, source: np.uint64, count: Int, mask: np.uint64) -> None:
    """Set each of `count` rows at target to the one at source within the row at mask, and to 0 elsewhere."""
    for row in range(count):
        copy_row(row_at(target, row), row_at(source, row), mask)


@kernel
def add_rows(target: np.uint64, source: np.uint64, count: Int, mask: np.uint64) -> None:
    """Add to each of `count` rows at target the bits of the one at source, within the row at mask."""
    for row in range(count):
        add_row(row_at(target, row), row_at(source, row), mask)


@kernel
def blend_rows(target: np.uint64, source: np.uint64, count: Int, mask: np.uint64) -> None:
    """Set each of `count` rows at target to the one at source within the row at mask; it stays elsewhere."""
    for row in range(count):
        blend_row(row_at(target, row), row_at(source, row), mask)


@kernel
def count_rows(source: np.uint64, count: Int, some: np.uint64, several: np.uint64) -> None:
    """Add to the rows at some and several the lanes that are set in at least one and at least two of `count` rows."""
    for row in range(count):
        count_row(row_at(source, row), some, several)


@kernel
def is_any(rows: np.ndarray, row: Int) -> bool:
    """Return whether a bit is set in one of rows [.., W]."""
    total = np.uint64(0)
    for w in range(WIDTH):
        total |= rows[row, w]
    return bool(total)


@kernel
def transpose_rows(square: np.ndarray) -> None:
    """Transpose four 64 x 64 matrices of bits, [64, W]: bit j of word i <-> bit i of word j (changed in place)."""
    base, step, mask = address(square), 32, np.uint64(0x00000000FFFFFFFF)
    while step:
        row = 0
        while row < 64:
            for i in range(row, row + step):
                exchange_rows(row_at(base, i), row_at(base, i + step), np.uint64(step), mask)
            row += 2 * step
        step >>= 1
        mask ^= mask << np.uint64(step)


@kernel
def turn_rows(source: np.uint64, count: Int, square: np.ndarray) -> None:
    """Transpose up to 64 rows at an address, a lane to a word: square[i, w] is lane 64 w + i (changed in place)."""
    base, size = address(square), min(count, 64)
    for row in range(size):
        copy_row(row_at(base, row), row_at(source, row), row_at(source, row))
    for row in range(size, 64):
        for w in range(WIDTH):
            square[row, w] = np.uint64(0)
    transpose_rows(square)
