"""Exact belief: every history of the infoset with its posterior probability, breadth-first in lanes.

Worlds are histories. They are not merged: two histories that lead to the same state may have told other roles
different things, and have different weights.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np

from veil.belief.bag import Bag, Lineage, draw_systematic, normalise
from veil.belief.branches import branch, weigh_by_opponents
from veil.belief.contract import Cost, NoConsistentHistory, Opponents, SamplerContext, TooManyWorlds
from veil.clock import split_portions
from veil.engine import Judged, Machine
from veil.engine.lanes import MAX_CANDIDATES
from veil.limits import check_limit
from veil.registry import check_options, option

MAX_WORLDS = 2_000_000
MAX_BYTES = 2 << 30
CHUNK = 1 << 15  # worlds that are branched at a time
FEW_CANDIDATES = 4096  # joint moves of a world, if there is a deadline


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactConfig:
    """Limits of what is kept exactly."""

    max_worlds: int = option(MAX_WORLDS, "histories at most", limit="histories")
    max_bytes: int = option(MAX_BYTES, "memory at most", limit="bytes")

    def __post_init__(self) -> None:
        check_options(self)


def make_exact(config: ExactConfig, setting: SamplerContext) -> ExactBelief:
    """Return the sampler of a row of `SAMPLERS`."""
    return ExactBelief(
        setting.machine,
        setting.role_id,
        max_worlds=config.max_worlds,
        max_bytes=config.max_bytes,
        opponents=setting.opponents,
    )


class ExactBelief:
    """All worlds of a role, within a budget."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        *,
        max_worlds: int = MAX_WORLDS,
        max_bytes: int = MAX_BYTES,
        opponents: Opponents | None = None,
        over: bool = False,  # the game has ended before its first round
    ) -> None:
        check_limit("histories", max_worlds, "max_worlds")
        check_limit("bytes", max_bytes, "max_bytes")
        self.machine, self.role, self.opponents = machine, role, opponents
        self.max_worlds, self.max_bytes = max_worlds, max_bytes
        self.rounds = self.states_visited = self.passes = 0
        self.lineage = Lineage(len(machine.program.roles))
        self.states = machine.initial_states()
        self.log_weight = np.zeros(1)  # of the histories, with uniform opponents
        self._judged: Judged | None = None  # of the states; None until it is needed
        self._weights: np.ndarray | None = None  # with the opponents' policies; None until it is needed
        self._over = over

    @property
    def size(self) -> int:
        """The number of histories that explain the record."""
        self.drop_ended()
        return len(self.states)

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self.states_visited, self.passes)

    @property
    def nbytes(self) -> int:
        return self.lineage.nbytes + self.states.nbytes + self.log_weight.nbytes

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge."""
        twin = copy(self)
        twin.lineage = self.lineage.copy()
        return twin

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round. Raises `NoConsistentHistory` if no world goes on.

        Raises `TooManyWorlds`, and is then as before, if the worlds do not fit or there is not enough time for all of
        them.
        """
        judged = self._settle()
        parts, branches, tested = [], 0, 0
        width = self.states.shape[1] * 8 + 8 + 4 * (1 + self.lineage.num_roles)
        room = min(self.max_worlds, max(0, self.max_bytes - self.lineage.nbytes) // width)
        limit = MAX_CANDIDATES if deadline is None else FEW_CANDIDATES
        for part in split_portions(len(self.states), CHUNK, deadline):
            rows = part.stop - part.start
            own_moves, seen = np.full(rows, own_move), np.repeat(percepts[None, :], rows, axis=0)
            grown = branch(self.machine, self.role, self.states[part], judged.rows(part), own_moves, seen, limit)
            parts.append((grown.row + part.start, grown.joint, grown.states, grown.log_prob))
            branches += len(grown.row)
            tested += int(grown.tested.sum())
            self.passes += 1
            if branches > room or (grown.tested >= limit).any():  # at the limit, only some candidates were drawn
                raise TooManyWorlds(room)
        if part.stop < len(self.states):
            raise TooManyWorlds(None)
        if not branches:
            raise NoConsistentHistory(self.rounds + 1, proved=True)
        row, joint, states, log_prob = (np.concatenate(column) for column in zip(*parts, strict=True))
        self.lineage.grow(row, joint)
        self.states, self.log_weight = states, self.log_weight[row] + log_prob
        self.states_visited += tested
        self.rounds += 1
        self._judged, self._weights, self._over = None, None, over

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return all worlds or, if there are more than `count`, `count` draws, each with its share of the draws.

        Raises `ZeroLikelihood` if all of them have probability 0.
        """
        self._settle()
        weights = self._weigh()
        index, exact = np.arange(len(self.states)), True
        if count is not None and count < len(index):
            index, times = np.unique(draw_systematic(weights, count, rng), return_counts=True)
            weights, exact = times / count, False
        return Bag(
            histories=self.lineage.histories(index),
            states=self.states[index],
            weights=weights,
            sampler="exact",
            exact=exact,
            size=len(self.states),
            states_visited=self.states_visited,
            passes=self.passes,
        )

    def _weigh(self) -> np.ndarray:
        """Return the probabilities [N] of the worlds; opponents are asked once per round."""
        if self.opponents is None:
            return normalise(self.log_weight)
        if self._weights is None:
            every = self.lineage.histories(np.arange(len(self.states)))
            self._weights = normalise(weigh_by_opponents(self.machine, self.role, every, self.opponents, proved=True))
        return self._weights

    def drop_ended(self) -> None:
        """Drop the worlds that contradict whether the game has ended."""
        self._settle()

    def _settle(self) -> Judged:
        """Drop these worlds, and return what holds in the worlds that are left."""
        if self._judged is not None:
            return self._judged
        judged = self.machine.judge(self.states)
        self.passes += 1
        open_worlds = judged.terminal == self._over
        if not open_worlds.all():
            index = np.flatnonzero(open_worlds)
            if not len(index):
                raise NoConsistentHistory(self.rounds, proved=True)
            self.lineage.keep(index)
            self.states, self.log_weight = self.states[index], self.log_weight[index]
            judged = judged.rows(index)
        self._judged = judged
        return judged
