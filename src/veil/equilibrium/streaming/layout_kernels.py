"""The kernel that lists the infosets of a role in the order of its records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veil.engine.lanes import Int, kernel

if TYPE_CHECKING:
    from veil.equilibrium.streaming.layout import FlatClasses


@kernel
def fill_infosets(
    flat: FlatClasses, depth: Int, first_slot: Int, empty: Int, slot_start: np.ndarray, before: np.ndarray
) -> None:
    """Write the first slot and the sequence before every infoset [I] of a role (slot_start and before changed).

    Records are visited depth-first with a stack of `depth` + 1 places.
    """
    if len(slot_start) == 0:
        return
    frame = np.zeros((4, depth + 1), np.int64)  # class, first slot, sequence before, next way to go on
    frame[1, 0], frame[2, 0] = first_slot, empty
    level, filled, is_new = 0, 0, True
    while level >= 0:
        own, slot = frame[0, level], frame[1, level]
        if is_new:
            if flat.moves[own] > 1:
                slot_start[filled], before[filled] = slot, frame[2, level]
                filled += 1
            frame[3, level] = flat.child_start[own]
        entry = frame[3, level]
        is_new = entry < flat.child_start[own + 1]
        if not is_new:
            level -= 1
            continue
        frame[3, level] = entry + 1
        frame[0, level + 1], frame[1, level + 1] = flat.child[entry], slot + flat.offset[entry]
        frame[2, level + 1] = slot + flat.rank[entry] if flat.moves[own] > 1 else frame[2, level]
        level += 1
