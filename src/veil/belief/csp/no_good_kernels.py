"""Kernels that keep no-goods: moves of different rounds that cannot all have been made.

1. The choices that a conflict follows from are a no-good. Short ones are kept; the newest replaces the oldest.
2. If all moves of a no-good but one are certain, that one is excluded; if all are certain, that is a conflict.

A no-good follows from the record, not from the choices before it, so it holds in every other search, and after every
round that is observed later. For this reason no no-good is kept once a history has been found: from then on conflicts
also follow from the demand that this history is not found again.
"""

from __future__ import annotations

from veil.belief.csp.propagation_kernels import assign, propagate
from veil.belief.csp.stage_records import (
    ALL_EARLIER_CHOICES,
    BASE,
    CHOSEN,
    CONFLICT,
    FALSE,
    LEARNED,
    NODE,
    TRUE,
    UNKNOWN,
    Choices,
    Learned,
    Stages,
)
from veil.engine.lanes import Int, Wiring, kernel


@kernel
def keep_no_good(choices: Choices, learned: Learned, level: Int) -> None:
    """Keep the choices up to `level` that are marked as reasons of a conflict (step 1; learned changed)."""
    size = 0
    for choice in range(level + 1):
        size += choices.conflict[choice]
    if size > learned.no_good.shape[1]:
        return
    number = learned.kept[0] % len(learned.no_good)
    learned.kept[0] += 1
    learned.no_good[number, :] = -1
    place = 0
    for choice in range(level + 1):
        if choices.conflict[choice]:
            learned.no_good[number, place] = choices.node[choice]
            place += 1


@kernel
def apply_no_goods(wiring: Wiring, stages: Stages, choices: Choices, learned: Learned, level: Int) -> bool:
    """Do step 2 and draw all conclusions until nothing is new; False on a conflict (stages and learned changed)."""
    again = True
    while again:
        again = False
        for number in range(min(learned.kept[0], len(learned.no_good))):
            open_node, certain = find_open(wiring, stages, learned, number)
            if not certain:
                continue
            if open_node < 0:
                stages.state[CONFLICT], stages.state[NODE] = ALL_EARLIER_CHOICES, learned.no_good[number, 0]
                return False
            row, slot = open_node // wiring.num_slots, open_node % wiring.num_slots
            entry = note_reasons(wiring, stages, choices, learned, number, level)
            if not (assign(wiring, stages, row, slot, FALSE, LEARNED - entry) and propagate(wiring, stages)):
                return False
            again = True
    return True


@kernel
def find_open(wiring: Wiring, stages: Stages, learned: Learned, number: Int) -> tuple[int, bool]:
    """Return (the one move of a no-good that is not certain, or -1; whether all others are certain)."""
    open_node = -1
    for place in range(learned.no_good.shape[1]):
        node = learned.no_good[number, place]
        if node < 0:
            break
        value = stages.value[node // wiring.num_slots, node % wiring.num_slots]
        if value == FALSE or (value == UNKNOWN and open_node >= 0):
            return -1, False
        if value == UNKNOWN:
            open_node = node
    return open_node, True


@kernel
def note_reasons(wiring: Wiring, stages: Stages, choices: Choices, learned: Learned, number: Int, level: Int) -> int:
    """Add an entry to `learned`: the choices that the certain moves of a no-good follow from (learned changed).

    For a move that was not chosen itself, all choices before it are taken.
    """
    entry = learned.used[0]
    learned.used[0] += 1
    learned.because[entry, :] = False
    for place in range(learned.no_good.shape[1]):
        node = learned.no_good[number, place]
        if node < 0:
            break
        row, slot = node // wiring.num_slots, node % wiring.num_slots
        at = stages.place[row, slot]
        if stages.value[row, slot] == TRUE and at >= stages.state[BASE]:
            chosen = stages.reason[row, slot] == CHOSEN
            for choice in range(level):
                start = choices.start[choice]
                learned.because[entry, choice] |= start == at if chosen else start < at
    return int(entry)
