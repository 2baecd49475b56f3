"""`list_infosets`: the infosets of a tree by role and record; `find_infoset`: one of them, by its record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from veil.engine import Record
from veil.equilibrium.histories import records_in_words, slot_moves
from veil.errors import VeilError, bad_argument, fail, phrase

if TYPE_CHECKING:
    from veil.equilibrium.tree import GameTree

MAX_SHOWN = 80  # characters of a record, in a message
COMPARED = 1_000_000  # records of which the nearest one is sought
NEAREST = 2000  # records that are compared with one that is not known; more would take seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Infoset:
    """An infoset of the whole game: what its role was told, what it may do, and how many histories it has."""

    role: str
    record: str  # in words
    moves: tuple[str, ...]
    histories: int
    number: int  # in the arrays of the tree


def list_infosets(tree: GameTree) -> dict[str, dict[str, Infoset]]:
    """Return role -> record in words -> infoset, for all infosets in which a role has a choice."""
    records, moves = records_in_words(tree), slot_moves(tree)
    histories = _count_histories(tree)
    return {
        role: {
            records[number]: Infoset(
                role=role,
                record=records[number],
                moves=tuple(moves[slot] for slot in tree.slots_in(number)),
                histories=int(histories[number]),
                number=number,
            )
            for number in tree.infosets_of(place)
        }
        for place, role in enumerate(tree.roles)
    }


def find_infoset(tree: GameTree, record: Record) -> Infoset:
    """Return the infoset of a record. Raises `VeilError` with the nearest records if the tree has no such infoset."""
    if not isinstance(record, Record):
        raise bad_argument("record", phrase("a-record"), record)
    infosets = list_infosets(tree).get(tree.game.role_name(record.role), {})
    found = infosets.get(str(record))
    if found is None:
        raise unknown_infoset(record.role, str(record), infosets)
    return found


def unknown_infoset(role: str, record: str, known: Iterable[str]) -> VeilError:
    """Return the error for a record that is none of the known ones; it names the nearest."""
    from difflib import get_close_matches  # needed only after a mistake

    names = sorted(islice(known, COMPARED), key=lambda name: abs(len(name) - len(record)))
    near = get_close_matches(record, names[:NEAREST], 1)
    hint = (
        phrase("guess-name", name=near[0])
        if near
        else phrase("records-of-decisions", example=min(names, default="", key=len)[:MAX_SHOWN])
    )
    return fail("unknown-infoset", role=role, record=record[:MAX_SHOWN], near=hint)


def _count_histories(tree: GameTree) -> np.ndarray:
    """Return the number of nodes of every infoset [I]: an infoset has as many as there are edges of its first slot."""
    flat = tree.flat
    played = np.bincount(flat.slot[flat.slot >= 0], minlength=flat.num_slots)
    counts: np.ndarray = played[flat.slot_start[:-1]]
    return counts
