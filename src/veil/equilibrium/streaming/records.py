"""The records of a walk as numbers: a path through the automaton for each, in the order of their slots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from veil.equilibrium.streaming.walk import Walk


class PlacedRecord(NamedTuple):
    """A record with a choice."""

    slot: int  # its first slot
    moves: np.ndarray  # [moves] their numbers
    rounds: tuple[tuple[int, int], ...]  # level and token of every round


class RecordPlace(NamedTuple):
    """A record on the way."""

    level: int
    own_class: int
    slot: int
    rounds: tuple[tuple[int, int], ...]


def list_records(walk: Walk, role: int) -> Iterator[PlacedRecord]:
    """Yield the records of a role that have a choice, in the order of their slots."""
    if not walk.graph.levels:
        return
    rest = [RecordPlace(0, 0, int(walk.form.role_slots[role]), ())]
    while rest:
        place = rest.pop()
        level, own = walk.graph.levels[place.level], walk.automata[role][place.level]
        if own.moves[place.own_class] > 1:
            yield PlacedRecord(place.slot, level.legal_moves[role][own.legal[place.own_class]], place.rounds)
        entries = range(int(own.child_start[place.own_class]), int(own.child_start[place.own_class + 1]))
        for entry in reversed(entries):
            rounds = (*place.rounds, (place.level, int(own.token[entry])))
            slot = place.slot + int(own.offset[entry])
            if walk.automata[role][place.level].infosets[place.own_class]:
                rest.append(RecordPlace(place.level + 1, int(own.child[entry]), slot, rounds))
