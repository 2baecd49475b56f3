"""The kernel that lists the records of a role, and what the role was told before each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from veil.engine.lanes import Int, kernel

if TYPE_CHECKING:
    from veil.equilibrium.streaming.layout import FlatClasses

NEW = -1  # in place of the next way to go on: the record has just been reached


class RecordBatch(NamedTuple):
    """Records with a choice, side by side. N records."""

    slot: np.ndarray  # [N] first slot
    own_class: np.ndarray  # [N]
    told: np.ndarray  # [N, rounds] token of every round, the last round first; -1 before the first one


@kernel
def find_records(
    flat: FlatClasses, infosets: np.ndarray, path: np.ndarray, level: Int, batch: RecordBatch
) -> tuple[int, Int]:
    """Write the next records of a role into a batch (changed in place); return how many, and the level of the path.

    Records are visited depth-first; path [4, levels + 1] has the class of each, its slot, the next way to go on and the
    token it was reached by (changed in place). The level is -1 after the last record. infosets [C] are those of a
    record and of all that go on from it.
    """
    filled = 0
    while level >= 0 and filled < len(batch.slot):
        own, slot = path[0, level], path[1, level]
        if path[2, level] == NEW:
            path[2, level] = flat.child_start[own]
            if flat.moves[own] > 1:
                batch.slot[filled], batch.own_class[filled] = slot, own
                for ago in range(min(level, batch.told.shape[1])):
                    batch.told[filled, ago] = path[3, level - ago]
                filled += 1
        entry = path[2, level]
        if entry == flat.child_start[own + 1]:
            level -= 1
            continue
        path[2, level] = entry + 1
        if infosets[flat.child[entry]]:
            level += 1
            path[0, level], path[1, level] = flat.child[entry], slot + flat.offset[entry]
            path[2, level], path[3, level] = NEW, flat.token[entry]
    return filled, level
