"""The records of a role in batches, in the order of their slots: what the role was told, as numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veil.equilibrium.streaming.layout import flatten_classes
from veil.equilibrium.streaming.record_kernels import NEW, RecordBatch, find_records
from veil.equilibrium.streaming.walk import Walk
from veil.signals import check_signals


def list_records(walk: Walk, role: int, size: int, rounds: int) -> Iterator[RecordBatch]:
    """Yield the records of a role that have a choice, `size` at a time, with what it was told in the last `rounds`."""
    depth = len(walk.graph.levels)
    if not depth:
        return
    flat = flatten_classes(walk.graph, role, walk.automata[role])
    infosets = np.concatenate([own.infosets for own in walk.automata[role]])
    path = np.zeros((4, depth + 1), np.int64)
    path[1, 0], path[2, 0], level = walk.form.role_slots[role], NEW, 0
    while level >= 0:
        check_signals()
        batch = RecordBatch(np.zeros(size, np.int64), np.zeros(size, np.int64), np.full((size, rounds), -1, np.int64))
        filled, level = map(int, find_records(flat, infosets, path, np.int64(level), batch))
        if filled:
            yield RecordBatch(*(field[:filled] for field in batch))


def legal_sets(walk: Walk, role: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return which set of legal moves every class of a role has, level after level, and the numbers of these moves."""
    sets, numbers = list[np.ndarray](), [np.zeros(0, np.int64)]
    for level, own in zip(walk.graph.levels, walk.automata[role], strict=True):
        numbers.append(own.legal + len(sets))
        sets += level.legal_moves[role]
    return np.concatenate(numbers), sets
