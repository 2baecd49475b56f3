"""Values of moves by random playouts from the worlds of many infosets at once (equations 12 to 14, many times over).

1. Of every infoset, at most so many worlds are drawn by weight.
2. Every (world, move) gets its share of the playouts; the others' moves of the first round are drawn at random.
3. All playouts of all infosets run in one call. The value of a move is the mean per world, weighted by the worlds (13).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from veil.engine import Machine, unpack
from veil.search.playout_style import UNIFORM_STYLE, PlayoutStyle
from veil.search.protocol import TIE
from veil.search.record_beliefs import PossibleStates, draw_by_record

MAX_ROWS = 1 << 12  # playouts in one call: few enough to look at the clock in between


class MoveValues(NamedTuple):
    """What the moves of one infoset are worth. K moves."""

    moves: np.ndarray  # [K] ascending
    values: np.ndarray  # [K]
    visits: np.ndarray  # [K] playouts

    def best(self) -> np.ndarray:
        """The moves of the highest value (14)."""
        top = self.values.max()
        best: np.ndarray = self.moves[self.values >= top - TIE * max(1.0, abs(top))]
        return best


class PlayoutBudget(NamedTuple):
    """How much is played: worlds of an infoset at most, and playouts per move and world, as if there were so many."""

    models: int
    playouts: int
    style: PlayoutStyle = UNIFORM_STYLE


class InfosetValues:
    """The values of all moves of many infosets of a role, while they are worked out. P pairs of a world and a move.

    Every infoset must have a world; uniform [S] are their random numbers, by which worlds are drawn.
    """

    def __init__(
        self, machine: Machine, role: int, bags: Sequence[PossibleStates], budget: PlayoutBudget, uniform: np.ndarray
    ) -> None:
        self.machine, self.role, self.style = machine, role, budget.style
        infoset = np.repeat(np.arange(len(bags)), [len(bag.weights) for bag in bags])
        weights = np.concatenate([bag.weights for bag in bags])
        index, self.weights = draw_by_record(weights, infoset, budget.models, uniform)
        self.states, self.infoset = np.concatenate([bag.states for bag in bags])[index], infoset[index]
        self.legal = machine.judge(self.states).legal
        self.num_moves = len(machine.program.moves[role])
        self.world, self.move = np.nonzero(unpack(self.legal[role], self.num_moves))
        drawn = np.bincount(self.infoset, minlength=len(bags))
        self.share = -(-budget.models * budget.playouts // drawn)[self.infoset[self.world]]  # [P] playouts
        self.sums = np.zeros(len(self.world))
        self.states_visited = 0

    def play(self, seed: int, check_clock: Callable[[], None]) -> None:
        """Play all playouts; `check_clock` is called before every portion."""
        rows = np.repeat(np.arange(len(self.world)), self.share)
        for number, first in enumerate(range(0, len(rows), MAX_ROWS)):
            check_clock()
            self._play(rows[first : first + MAX_ROWS], (seed, number))

    def values(self) -> list[MoveValues]:
        """What they found, infoset by infoset."""
        name, which = np.unique(self.infoset[self.world] * self.num_moves + self.move, return_inverse=True)
        values = np.bincount(which, self.weights[self.world] * self.sums / self.share)
        visits = np.bincount(which, self.share)
        owner, move = np.divmod(name, self.num_moves)
        ends = np.searchsorted(owner, np.arange(int(self.infoset[-1]) + 1), side="right").tolist()
        starts = [0, *ends[:-1]]
        return [
            MoveValues(move[begin:end], values[begin:end], visits[begin:end])
            for begin, end in zip(starts, ends, strict=True)
        ]

    def _play(self, pair: np.ndarray, seed: tuple[int, ...]) -> None:
        world = self.world[pair]
        words = np.random.default_rng(seed).integers(0, 2**64, len(pair), np.uint64)
        legal = tuple(part[world] for part in self.legal)
        first = self.machine.candidates(legal, np.ones(len(pair), np.bool_), self.role, self.move[pair], 1, words)
        played = self.machine.playouts(
            self.states[world], 1, seed, first_moves=first.joints, foresight=self.style.foresight
        )
        goals = played.goal_sum[:, self.role]
        if self.style.discount != 1.0:
            goals = goals * self.style.discount**played.length_sum
        self.sums += np.bincount(pair, goals, minlength=len(self.world))
        self.states_visited += played.steps + len(pair)
