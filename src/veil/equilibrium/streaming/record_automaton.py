"""The record tree of a role, folded into an automaton.

A record goes on by a token, the own move and the percepts of a round. What can follow it depends on the states that
the role holds possible. So records after which the same states are possible have equal subtrees, and one *class* stands
for all of them:

1. From the last round to the first, states that a role can never tell apart from now on become one group.
2. From the first round on, a class is a set of groups (the subset construction of automata theory).
3. From the last round to the first, classes with the same moves and the same following classes become one.
4. The sizes of subtrees are added up. Records lie depth-first: those that go on from a record follow it, in the order
   of their tokens. So the place of a record is that of the record before it plus an offset, which class and token give.

A game with millions of records has thousands of classes, and no record is ever looked up in a table of records.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.equilibrium.streaming.numbering_kernels import gather_sequences, number_sequences
from veil.equilibrium.streaming.state_graph import StateGraph, StateLevel
from veil.equilibrium.streaming.subset_kernels import list_successors, split_by_token
from veil.equilibrium.streaming.witnesses import refuse_infoset
from veil.signals import check_signals


class ClassLevel(NamedTuple):
    """The classes of a role's records after a number of rounds. C classes, K ways to go on."""

    legal: np.ndarray  # [C] which set of legal moves
    moves: np.ndarray  # [C] number of legal moves
    child_start: np.ndarray  # [C + 1] class c goes on by entries [start[c], start[c + 1])
    token: np.ndarray  # [K] ascending for every class
    child: np.ndarray  # [K] class of the next level
    offset: np.ndarray  # [K] slots from the record's first slot to that of the record that follows
    slots: np.ndarray  # [C] slots of a record and of all that go on from it
    infosets: np.ndarray  # [C] infosets, likewise: records with a choice


class _Subsets(NamedTuple):
    """The classes of a level before step 3. C classes, K ways to go on."""

    legal: np.ndarray  # [C]
    token: np.ndarray  # [K]
    child_start: np.ndarray  # [C + 1]
    child: np.ndarray  # [K]


class _Groups(NamedTuple):
    """The groups of a level: what a role may be told next, and what follows. G groups."""

    pair: np.ndarray  # token * groups of the next level + group, ascending for every group
    pair_start: np.ndarray  # [G + 1]
    legal: np.ndarray  # [G]

    @property
    def size(self) -> int:
        """The number of groups."""
        return len(self.legal)


def build_automaton(graph: StateGraph, role: int) -> tuple[ClassLevel, ...]:
    """Return the classes of the records of a role, level by level.

    Raises `VeilError` if a role cannot tell histories apart in which it has different legal moves.
    """
    groups = _group_states(graph, role)
    levels = list[_Subsets]()
    members, start = np.zeros(1, np.int64), np.array([0, 1])
    for depth, own in enumerate(groups):
        check_signals()
        legal = own.legal[members[start[:-1]]]
        unequal = own.legal[members] != np.repeat(legal, np.diff(start))
        if unequal.any():
            place = int(np.searchsorted(start, np.flatnonzero(unequal)[0], side="right")) - 1
            refuse_infoset(graph.game, graph.role_ids[role], _find_record(graph, role, levels, place))
        following = groups[depth + 1].size if depth + 1 < len(groups) else 1
        token, child_start, below, below_start = split_by_token(members, start, own.pair, own.pair_start, following)
        child, first = number_sequences(below, below_start)
        levels.append(_Subsets(legal, token, child_start, child))
        members, start = gather_sequences(below, below_start, first)
    return _join_classes(graph, role, levels)


def _group_states(graph: StateGraph, role: int) -> list[_Groups]:
    """Return the groups of every level (step 1)."""
    groups = list[_Groups]()
    number, size = np.zeros(0, np.int64), 1
    for level in reversed(graph.levels):
        check_signals()
        pair, start = list_successors(level.edge_start, level.target, level.token[role], number, size)
        legal = level.legal[role]
        number, first = number_sequences(*_mark(pair, start, legal))
        groups.append(_Groups(*gather_sequences(pair, start, first), legal[first]))
        size = len(first)
    return groups[::-1]


def _mark(values: np.ndarray, start: np.ndarray, mark: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sequences that begin with ~mark [N] and go on with values: (values, start [N + 1])."""
    return np.insert(values, start[:-1], ~mark), start + np.arange(len(start))


def _find_record(graph: StateGraph, role: int, levels: list[_Subsets], place: int) -> list[tuple[int, np.ndarray]]:
    """Return a record of a class of the level after `levels`: (own move, percepts) round by round."""
    record = list[tuple[int, np.ndarray]]()
    for level, own in zip(reversed(graph.levels[: len(levels)]), reversed(levels), strict=True):
        entry = int(np.flatnonzero(own.child == place)[0])
        token = int(own.token[entry])
        record.append((int(level.token_move[role][token]), level.token_percepts[role][token]))
        place = int(np.searchsorted(own.child_start, entry, side="right")) - 1
    return record[::-1]


def _join_classes(graph: StateGraph, role: int, subsets: list[_Subsets]) -> tuple[ClassLevel, ...]:
    """Return the classes after steps 3 and 4."""
    levels = list[ClassLevel]()
    number = np.zeros(0, np.int64)
    for level, own in zip(reversed(graph.levels), reversed(subsets), strict=True):
        child = number[own.child]
        pairs = np.column_stack([own.token, child]).ravel()
        number, first = number_sequences(*_mark(pairs, 2 * own.child_start, own.legal))
        token, start = gather_sequences(own.token, own.child_start, first)
        child, _ = gather_sequences(child, own.child_start, first)
        kept = _Subsets(own.legal[first], token, start, child)
        levels.append(_measure(level, role, kept, levels[-1] if levels else None))
    return tuple(reversed(levels))


def _measure(level: StateLevel, role: int, own: _Subsets, below: ClassLevel | None) -> ClassLevel:
    """Return the classes of a level with their sizes (step 4)."""
    moves = np.array([len(moves) for moves in level.legal_moves[role]], np.int64)[own.legal]
    nothing = np.zeros(len(own.child), np.int64)
    slots = nothing if below is None else below.slots[own.child]
    infosets = nothing if below is None else below.infosets[own.child]
    own_slots = np.where(moves > 1, moves, 0)
    sizes = np.diff(own.child_start)
    before = np.concatenate(([0], np.cumsum(slots)))
    return ClassLevel(
        legal=own.legal,
        moves=moves,
        child_start=own.child_start,
        token=own.token,
        child=own.child,
        offset=before[:-1] + np.repeat(own_slots - before[own.child_start[:-1]], sizes),
        slots=own_slots + np.diff(before[own.child_start]),
        infosets=(moves > 1) + np.diff(np.concatenate(([0], np.cumsum(infosets)))[own.child_start]),
    )
