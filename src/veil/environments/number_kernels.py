"""Kernels between the numbers of moves, a number per game, and rows of lanes, a row per move.

The numbers of one role in a block are 256 adjacent entries of 16 bits. 64 of them are compared with the number of a
move at once, which gives the word of lanes of this move. In the other direction, the number of a move is written to the
entries that a word of lanes names. No bit is moved by itself, and no matrix is transposed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from veil.compat.intrinsics import write_effect
from veil.engine.lanes import Int, array_at, intrinsic, kernel
from veil.environments.lane_kernels import WIDTH, WORD

ENTRY_BITS = 16
ENTRIES = ir.VectorType(ir.IntType(ENTRY_BITS), 64)


def _match_entries(target: np.uint64, entries: np.uint64, number: np.uint64) -> None:
    same = array_at(entries, 64, np.uint16) == number.astype(np.uint16)
    array_at(target, 8, np.uint8)[:] = np.packbits(same, bitorder="little")


@intrinsic(_match_entries)
def match_entries(typing_context: Any, target: Any, entries: Any, number: Any) -> Any:
    """Set the word at target to the lanes in which 64 entries are a number; both by address."""

    def write(builder: Any, *args: Any) -> None:
        entries = builder.load(builder.inttoptr(args[1], ENTRIES.as_pointer()), align=2)
        same = builder.icmp_unsigned("==", entries, spread(builder, args[2]))
        builder.store(builder.bitcast(same, WORD), builder.inttoptr(args[0], WORD.as_pointer()), align=8)

    return write_effect(3, write)


def _fill_entries(entries: np.uint64, lanes: np.uint64, number: np.uint64) -> None:
    chosen = np.unpackbits(array_at(lanes, 8, np.uint8), bitorder="little")
    array_at(entries, 64, np.uint16)[chosen == 1] = number.astype(np.uint16)


@intrinsic(_fill_entries)
def fill_entries(typing_context: Any, entries: Any, lanes: Any, number: Any) -> Any:
    """Set those of 64 entries that the word at the address lanes names to a number."""

    def write(builder: Any, *args: Any) -> None:
        place = builder.inttoptr(args[0], ENTRIES.as_pointer())
        lanes = builder.load(builder.inttoptr(args[1], WORD.as_pointer()), align=8)
        chosen = builder.bitcast(lanes, ir.VectorType(ir.IntType(1), 64))
        filled = builder.select(chosen, spread(builder, args[2]), builder.load(place, align=2))
        builder.store(filled, place, align=2)

    return write_effect(3, write)


def spread(builder: Any, number: Any) -> Any:
    """Return 64 equal entries."""
    entry, places = builder.trunc(number, ENTRIES.element), ir.VectorType(ir.IntType(32), 64)
    one = builder.insert_element(ir.Constant(ENTRIES, ir.Undefined), entry, ir.IntType(32)(0))
    return builder.shuffle_vector(one, one, ir.Constant(places, [0] * 64))


@kernel
def match_row(target: np.uint64, entries: np.uint64, number: Int) -> None:
    """Set the row at target to the lanes in which 256 entries are a number."""
    for w in range(WIDTH):
        match_entries(target + np.uint64(8 * w), entries + np.uint64(128 * w), np.uint64(np.int64(number)))


@kernel
def fill_row(entries: np.uint64, lanes: np.uint64, number: Int) -> None:
    """Set those of 256 entries that the row at the address lanes names to a number."""
    for w in range(WIDTH):
        fill_entries(entries + np.uint64(128 * w), lanes + np.uint64(8 * w), np.uint64(number))


@kernel
def read_actions(actions: np.ndarray, first: Int, games: Int, mixed: np.ndarray, entries: np.ndarray) -> np.int64:
    """Read the actions [N R] of a block into entries [R, 256]; mixed [256 R] is scratch (both changed in place).

    Returns -1, or the number of the first game with an action that is out of range.
    """
    roles, beyond = len(entries), np.int64(0)
    own = actions[first * roles : (first + games) * roles]
    for i in range(len(own)):
        beyond |= (own[i] + 1) >> ENTRY_BITS
        mixed[i] = np.uint16(own[i])
    if roles == 2:  # a loop for this number only is compiled to registers
        one, other = entries[0], entries[1]
        for lane in range(games):
            one[lane], other[lane] = mixed[2 * lane], mixed[2 * lane + 1]
    else:
        for role in range(roles):
            for lane in range(games):
                entries[role, lane] = mixed[roles * lane + role]
    if beyond:
        for i in range(len(own)):
            if (own[i] + 1) >> ENTRY_BITS:
                return np.int64(first + i // roles)
    return np.int64(-1)


@kernel
def write_actions(actions: np.ndarray, first: Int, games: Int, mixed: np.ndarray, entries: np.ndarray) -> None:
    """Write entries back as actions, the reverse of `read_actions` (actions and mixed changed in place)."""
    roles = len(entries)
    own = actions[first * roles : (first + games) * roles]
    if roles == 2:
        one, other = entries[0], entries[1]
        for lane in range(games):
            mixed[2 * lane], mixed[2 * lane + 1] = one[lane], other[lane]
    else:
        for role in range(roles):
            for lane in range(games):
                mixed[roles * lane + role] = entries[role, lane]
    for i in range(len(own)):
        own[i] = mixed[i]
