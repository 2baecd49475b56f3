"""`RecordIndex`: the places of a role's records, found in its automaton, without a list of records.

A record in words is cut into its rounds, and each round is looked up among the ways to go on
(`streaming.record_automaton` says why they are few). It is part of a policy of millions of infosets, also in a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from veil.engine import EMPTY_RECORD

ROUNDS = "; "  # between the rounds of a record in words


class IndexLevel(NamedTuple):
    """The classes of the records after a number of rounds. C classes, K ways to go on."""

    legal: np.ndarray  # [C] which set of legal moves
    child_start: np.ndarray  # [C + 1] class c goes on by entries [start[c], start[c + 1])
    token: np.ndarray  # [K] what the role is told, ascending for every class
    child: np.ndarray  # [K] class of the next level
    offset: np.ndarray  # [K] slots from the record's first slot to that of the record that follows
    words: tuple[str, ...]  # tokens in words
    moves: tuple[tuple[str, ...], ...]  # sets of legal moves in words


class IndexedRecord(NamedTuple):
    """A record with a choice."""

    text: str
    slot: int  # its first slot, counted from the role's first one
    moves: tuple[str, ...]


class RecordIndex:
    """The records of a role, from an automaton."""

    def __init__(self, levels: tuple[IndexLevel, ...]) -> None:
        self.levels = levels
        self._tokens = [{text: number for number, text in enumerate(level.words)} for level in levels]

    def __eq__(self, other: object) -> bool:
        """Return whether all records have the same places in both."""
        return (
            isinstance(other, RecordIndex)
            and len(self.levels) == len(other.levels)
            and all(
                own.words == theirs.words
                and own.moves == theirs.moves
                and all(np.array_equal(*pair) for pair in zip(own[:5], theirs[:5], strict=True))
                for own, theirs in zip(self.levels, other.levels, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def find(self, text: str) -> IndexedRecord | None:
        """Return the record that a text means; None if the role is never told that, or has no choice after it."""
        depth, own, slot = 0, 0, 0
        for told in [] if text == EMPTY_RECORD else text.split(ROUNDS):
            if depth == len(self.levels):
                return None
            level, token = self.levels[depth], self._tokens[depth].get(told)
            if token is None:
                return None
            begin, end = int(level.child_start[own]), int(level.child_start[own + 1])
            entry = begin + int(np.searchsorted(level.token[begin:end], token))
            if entry == end or level.token[entry] != token:
                return None
            depth, own, slot = depth + 1, int(level.child[entry]), slot + int(level.offset[entry])
        if depth == len(self.levels):
            return None
        moves = self.levels[depth].moves[self.levels[depth].legal[own]]
        return IndexedRecord(text, slot, moves) if len(moves) > 1 else None

    def list_records(self) -> Iterator[IndexedRecord]:
        """Yield all records with a choice, in the order of their slots."""
        rest: list[tuple[int, int, int, tuple[str, ...]]] = [(0, 0, 0, ())] if self.levels else []
        leads = self._find_choices()
        while rest:
            depth, own, slot, told = rest.pop()
            if depth == len(self.levels):
                continue
            level = self.levels[depth]
            moves = level.moves[level.legal[own]]
            if len(moves) > 1:
                yield IndexedRecord(ROUNDS.join(told) or EMPTY_RECORD, slot, moves)
            for entry in reversed(range(int(level.child_start[own]), int(level.child_start[own + 1]))):
                more = (*told, level.words[level.token[entry]])
                if leads[depth + 1][level.child[entry]]:
                    rest.append((depth + 1, int(level.child[entry]), slot + int(level.offset[entry]), more))

    def _find_choices(self) -> list[np.ndarray]:
        """Return [C] for every level whether there is a choice in a class or after it. Others have no records."""
        leads = [np.zeros(1, np.bool_)]
        for level in reversed(self.levels):
            own = np.array([len(entry) > 1 for entry in level.moves])[level.legal]
            after = np.concatenate(([0], np.cumsum(leads[0][level.child])))
            leads.insert(0, own | (after[level.child_start[1:]] > after[level.child_start[:-1]]))
        return leads
