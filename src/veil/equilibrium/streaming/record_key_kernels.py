"""The kernel that computes the keys of a role's records."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.engine.lanes import START_KEY, Int, extend_key, kernel

if TYPE_CHECKING:
    from veil.equilibrium.streaming.layout import FlatClasses


class KeyTables(NamedTuple):
    """What a role is told, and its classes, all levels one after the other. T tokens, C classes."""

    move: np.ndarray  # [T] the own move
    percepts: np.ndarray  # [T] uint64 key of the percepts
    legal: np.ndarray  # [C] which set of legal moves
    infosets: np.ndarray  # [C] of a record and of all that go on from it


@kernel
def fill_keys(
    flat: FlatClasses, tables: KeyTables, depth: Int, key: np.ndarray, last: np.ndarray, legal: np.ndarray
) -> None:
    """Write what is known about every infoset [I] of a role (key, last and legal changed in place).

    That is the key of its record, the end of the infosets at or below it, and its set of legal moves. Records are
    visited depth-first with a stack of `depth` + 1 places; those without a choice at or below them are left out.
    """
    if len(key) == 0:
        return
    frame = np.zeros((2, depth + 1), np.int64)  # class, next way to go on
    keys = np.zeros(depth + 1, np.uint64)
    keys[0] = START_KEY
    level, filled, is_new = 0, 0, True
    while level >= 0:
        own = frame[0, level]
        if is_new:
            if flat.moves[own] > 1:
                key[filled], last[filled] = keys[level], filled + tables.infosets[own]
                legal[filled] = tables.legal[own]
                filled += 1
            frame[1, level] = flat.child_start[own]
        entry = frame[1, level]
        is_new = entry < flat.child_start[own + 1]
        if not is_new:
            level -= 1
            continue
        frame[1, level] = entry + 1
        if tables.infosets[flat.child[entry]] == 0:
            is_new = False
            continue
        frame[0, level + 1] = flat.child[entry]
        token = flat.token[entry]
        keys[level + 1] = extend_key(keys[level], tables.move[token], tables.percepts[token])
        level += 1
