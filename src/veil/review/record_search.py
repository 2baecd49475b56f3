"""Search in lanes, within a budget, for records that do not tell a role its legal moves, and for roles without a move.

What a role was told must determine its legal moves; otherwise the role cannot know them. For one role at a time:

1. Begin at the start. A level holds states, and the key of the role's record in each. Histories that agree in both are
   merged, because nothing that follows can tell them apart.
2. States with the same key must have the same legal moves of the role; and every role must have a move in every state
   that is not terminal. Histories that break this are a witness.
3. Play all joint moves of all states at once. If there are too many, only some records go on, drawn at random, each
   with all of its states, so that the comparison is complete for these records.

The first descent of a role is as wide as half of the budget allows. If records had to be left out, narrow descents
follow, each with other records, until the budget is used up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from veil.clock import has_passed
from veil.engine import Game
from veil.engine.lanes import Judged, Machine, extend_keys, percept_keys, start_keys
from veil.vocabulary import RANDOM

BUDGET = 1_000_000  # joint moves that are played in total
WORK = 30_000_000_000  # joint moves times literals of the circuit: large games are searched less
WORK_FROM_RULES = 5_000_000  # of a state that is played from its rules, compared with a literal
NARROW = 1 << 10  # joint moves of a level if not all fit: narrow descents reach the end of games
LEAST = 500  # a smaller level costs as much as this many joint moves
MAX_ROUNDS = 1_000


class Witness(NamedTuple):
    """Evidence that a game is not sound: a role that is stuck, or two histories that it cannot tell apart."""

    code: str  # of the catalogue
    role: str
    round: int  # from 1 on
    histories: tuple[tuple[dict[str, str], ...], ...]  # joint moves in words


@dataclass(slots=True)
class RecordSearch:
    """The results of a search, and its extent."""

    infosets: int = 0  # records whose states were compared
    complete: bool = True  # whether those are all records
    witnesses: dict[tuple[str, str], Witness] = field(default_factory=dict)  # (code, role) -> the first one


class _Depth(NamedTuple):
    """The B states that a role may be in after some rounds."""

    states: np.ndarray  # [B, words]
    keys: np.ndarray  # [B] of the role's record
    past: tuple[tuple[np.ndarray, np.ndarray], ...]  # per round: (parent [B], joint move [B, R])


def count_work(game: Game) -> int:
    """Return how much work a state is: the literals of its circuit, or a guess for a game played from its rules."""
    return max(1, game.machine.circuit.num_literals) if game.program.is_ground else WORK_FROM_RULES


def search_records(game: Game, seed: int = 0, budget: int = BUDGET, deadline: float | None = None) -> RecordSearch:
    """Search for witnesses that a game is not sound, until a deadline. Equal seeds find equal witnesses, given time."""
    rng, found = np.random.default_rng(seed), RecordSearch()
    budget = max(NARROW, min(budget, WORK // count_work(game)))
    roles = [number for number, name in enumerate(game.roles) if name != RANDOM]
    unfinished, share = list(roles), max(NARROW, budget // max(1, 2 * len(roles)))
    for role in roles:
        descent = _Descent(game, role, rng, found, max(NARROW, share // 2))
        budget -= descent.run(share, deadline)
        if descent.complete or descent.has_found:
            unfinished.remove(role)
        found.complete &= descent.complete
    while unfinished and budget > 0 and not has_passed(deadline):
        for role in list(unfinished):
            descent = _Descent(game, role, rng, found, NARROW)
            budget -= descent.run(share, deadline)
            if descent.has_found or not descent.has_left_out:  # another descent would find the same
                unfinished.remove(role)
    return found


class _Descent:
    """One descent through the levels for one role."""

    def __init__(self, game: Game, role: int, rng: np.random.Generator, found: RecordSearch, width: int) -> None:
        self.game, self.machine, self.role, self.rng, self.found = game, game.machine, role, rng, found
        self.width = width  # maximal number of joint moves of a level
        self.complete, self.has_left_out, self.has_found = True, False, False

    def run(self, budget: int, deadline: float | None = None) -> int:
        """Go down as far as the budget of joint moves and the deadline allow; return how many were played."""
        level, played = _Depth(self.machine.initial_states(), start_keys(1), ()), 0
        while len(level.states):
            judged = self.machine.judge(level.states)
            counts = _count_moves(self.machine, judged)
            going = np.flatnonzero(~judged.terminal)
            if not len(going) or self._find_witness(level, judged, counts, going):
                break
            if played >= budget or len(level.past) >= MAX_ROUNDS or has_passed(deadline):
                self.complete = False
                break
            rows = self._choose(level.keys, counts, going)
            level = self._step(level, judged, rows)
            played += max(LEAST, len(level.past[-1][0]))
            level = _merge(level)
        return played

    def _find_witness(self, level: _Depth, judged: Judged, counts: np.ndarray, going: np.ndarray) -> bool:
        """Store what breaks soundness here; return whether there was anything."""
        number = len(level.past) + 1
        for role, name in enumerate(self.game.roles):
            stuck = going[counts[going, role] == 0]
            if len(stuck):
                self._note(Witness("stuck-later", name, number, (self._history(level, stuck[0]),)))
        going = going[counts[going, self.role] > 0]
        keys, first, which = np.unique(level.keys[going], return_index=True, return_inverse=True)
        self.found.infosets += len(keys)
        legal = judged.legal[self.role][going]
        other = np.flatnonzero((legal != legal[first[which]]).any(axis=1))
        if len(other):
            pair = (going[first[which[other[0]]]], going[other[0]])
            histories = tuple(self._history(level, row) for row in pair)
            self._note(Witness("infoset-moves", self.game.roles[self.role], number, histories))
        return self.has_found

    def _note(self, witness: Witness) -> None:
        self.found.witnesses.setdefault((witness.code, witness.role), witness)
        self.has_found = True

    def _choose(self, keys: np.ndarray, counts: np.ndarray, going: np.ndarray) -> np.ndarray:
        """Return the rows that go on: all of them, or those of some records whose joint moves fit into a level."""
        moves = counts[going].astype(float).prod(axis=1)
        if moves.sum() <= self.width:
            return going
        self.complete, self.has_left_out = False, True
        _, which = np.unique(keys[going], return_inverse=True)
        rank = self.rng.permutation(int(which.max()) + 1)[which]  # of the record of each row
        order = np.argsort(rank, kind="stable")
        fits = np.cumsum(moves[order]) <= self.width
        last = rank[order][fits][-1] if fits.any() else -1
        whole = order[fits & (rank[order] < last)]  # records of which all rows fit
        some = whole if len(whole) else order[fits] if fits.any() else order[:1]
        return np.sort(going[some])

    def _step(self, level: _Depth, judged: Judged, rows: np.ndarray) -> _Depth:
        wanted = np.zeros(len(level.states), np.bool_)
        wanted[rows] = True
        random_words = self.rng.integers(0, 2**64, len(wanted), np.uint64, endpoint=False)
        candidates = self.machine.candidates(judged.legal, wanted, limit=self.width, rng=random_words)
        stepped = self.machine.step_from(level.states, candidates.rows, candidates.joints)
        own_moves = candidates.joints[:, self.role]
        keys = extend_keys(level.keys[candidates.rows], own_moves, percept_keys(stepped.percepts[self.role]))
        return _Depth(stepped.states, keys, (*level.past, (candidates.rows, candidates.joints)))

    def _history(self, level: _Depth, row: int) -> tuple[dict[str, str], ...]:
        """Return the joint moves that lead to a row, in words."""
        joints = []
        for parent, joint in reversed(level.past):
            joints.append(self.game.names.joint_words(joint[row]))
            row = int(parent[row])
        return tuple(reversed(joints))


def _merge(level: _Depth) -> _Depth:
    """Return the level with one row for all histories that agree in state and record."""
    names = extend_keys(level.keys, np.zeros(len(level.keys), np.int64), percept_keys(level.states))
    _, first = np.unique(names, return_index=True)
    parent, joint = level.past[-1]
    return _Depth(level.states[first], level.keys[first], (*level.past[:-1], (parent[first], joint[first])))


def _count_moves(machine: Machine, judged: Judged) -> np.ndarray:
    """Return [B, R] the number of legal moves of every role."""
    return np.stack([bits.sum(axis=1) for bits in machine.legal_bits(judged)], axis=1)
