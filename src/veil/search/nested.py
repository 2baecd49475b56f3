"""A HyperPlayer for every role, as a policy: what each infoset would do (the embedded players of section 6.3).

What a HyperPlayer chooses depends on its infoset alone, so it is worked out once per record and kept; infosets that are
asked about together are worked out together. A record is known by its 64-bit key; the one before it, the own move and
the percepts lead to its belief (`record_beliefs`, or `weighed_beliefs` where it reads the others), the belief to the
values of moves (`move_values`).
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

import numpy as np

from veil.clock import has_passed
from veil.engine import START_KEY, Machine, replay_histories, tiny_game
from veil.search.move_values import InfosetValues, MoveValues, PlayoutBudget
from veil.search.playout_style import UNIFORM_STYLE, PlayoutStyle
from veil.search.record_beliefs import RecordBeliefs, uniform_of
from veil.search.weighed_beliefs import WeighedBeliefs
from veil.streams import derive_seed

AT_ONCE, HURRIED = 1 << 16, 1 << 12  # playouts of the infosets that are worked out together, about; under a clock
MOVES = 8  # of an infoset, about
DECISION = 20_000  # states: as long as these take, a decision of a nested player takes besides its playouts
TEST = 20  # states: the same for a joint move that a belief tests


class OutOfTime(Exception):  # noqa: N818 - nothing is wrong: the answer is late
    """The deadline has passed, or the work is used up, while a nested player was searching."""


class CountedOpponents(Protocol):
    """Opponents who say what they cost, and can be told how long they may take."""

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """[B, moves] the probabilities of a role's moves after records [B]."""

    @property
    def states_visited(self) -> int:
        """So far."""

    @property
    def work(self) -> int:
        """What has been done so far, in states."""

    def allow(self, deadline: float | None) -> None:
        """Questions follow: there is time until the deadline."""


class NestedPlayers:
    """HyperPlayers of all roles, with their beliefs and choices by record."""

    def __init__(
        self,
        machine: Machine,
        *,
        models: int,
        playouts: int,
        seed: int,
        style: PlayoutStyle = UNIFORM_STYLE,
        opponents: CountedOpponents | None = None,
    ) -> None:
        """`opponents` say how each of them takes the others to play; without, uniformly."""
        self.machine, self.budget, self.seed = machine, PlayoutBudget(models, playouts, style), seed
        self.playout_states = self.decisions = self._batches = 0
        self.deadline: float | None = None  # after it, whoever is asked raises `OutOfTime`; what is known is kept
        self.max_work: int | None = None  # the same, once `work` is as much
        self.opponents = opponents
        self._beliefs = [self._make_beliefs(role) for role in range(len(machine.program.roles))]
        self._values: list[dict[int, MoveValues | None]] = [{} for _ in self._beliefs]

    def hear(
        self, role: int, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray
    ) -> None:
        """Records have grown: keys before [P], own moves [P], percepts [P, words], keys after [P]."""
        self._beliefs[role].hear(before, own_moves, percepts, after)

    def values(self, role: int, keys: list[int]) -> list[MoveValues | None]:
        """What the HyperPlayer of this role thinks of its moves after each record; None where nothing explains it."""
        known = self._values[role]
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        together = AT_ONCE if self.deadline is None else HURRIED
        at_once = max(1, together // (self.budget.models * self.budget.playouts * MOVES))
        for first in range(0, len(missing), at_once):
            self._think(role, missing[first : first + at_once])
        return [known[key] for key in keys]

    def choose(self, role: int, keys: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """[P] the move of this role after each record; the only one where there is no choice."""
        chosen: np.ndarray = legal.argmax(axis=1)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        if not len(free):
            return chosen
        names, first, which = np.unique(keys[free], return_index=True, return_inverse=True)
        found = self.values(role, names.tolist())
        equals = [  # at random where nothing explains the record within the budget
            np.flatnonzero(legal[free[row]]) if values is None else values.best()
            for values, row in zip(found, first.tolist(), strict=True)
        ]
        sizes = np.array([len(each) for each in equals])
        pick = (rng.random(len(free)) * sizes[which]).astype(np.int64)
        chosen[free] = np.concatenate(equals)[(np.cumsum(sizes) - sizes)[which] + pick]
        return chosen

    @property
    def tested(self) -> int:
        """Joint moves that beliefs have tested so far."""
        return sum(beliefs.tested for beliefs in self._beliefs)

    @property
    def states_visited(self) -> int:
        """By playouts, by beliefs, and by the opponents that are read."""
        return self.playout_states + self.tested + (0 if self.opponents is None else self.opponents.states_visited)

    @property
    def work(self) -> int:
        """What has been done so far, in states; unlike time, the same on every machine."""
        own = self.playout_states + DECISION * self.decisions + TEST * self.tested
        return own + (0 if self.opponents is None else self.opponents.work)

    def check_clock(self) -> None:
        """Raises `OutOfTime` after the deadline, and when the work is used up."""
        if has_passed(self.deadline) or (self.max_work is not None and self.work >= self.max_work):
            raise OutOfTime

    def _make_beliefs(self, role: int) -> RecordBeliefs:
        models, seed = self.budget.models, self.seed
        if self.opponents is None:
            return RecordBeliefs(self.machine, role, models=models, seed=seed)
        return WeighedBeliefs(self.machine, role, models=models, seed=seed, opponents=self.opponents)

    def _think(self, role: int, keys: list[int]) -> None:
        """Work out what is thought after these records."""
        if self.opponents is not None:
            self.opponents.allow(self.deadline)
        bags = self._beliefs[role].after(keys, self.check_clock)
        known = self._values[role]
        for key, bag in zip(keys, bags, strict=True):
            if not len(bag.weights):
                known[key] = None
        explained = [(key, bag) for key, bag in zip(keys, bags, strict=True) if len(bag.weights)]
        if not explained:
            return
        names = [key for key, _ in explained]
        uniform = uniform_of(np.array(names, np.uint64), self.seed + 1)
        values = InfosetValues(self.machine, role, [bag for _, bag in explained], self.budget, uniform)
        self._batches += 1
        values.play(derive_seed(self.seed, self._batches), self.check_clock)
        self.playout_states += values.states_visited
        self.decisions += len(names)
        known.update(zip(names, values.values(), strict=True))


@cache
def warm_up() -> None:
    """Make the kernels of nested players ready, once per process, with a round of a tiny game."""
    machine = tiny_game().machine
    role = machine.program.serial_order[-1]
    players = NestedPlayers(machine, models=2, playouts=2, seed=0)
    joint_moves = machine.joint_moves(machine.initial_states())[1][:1]
    for played in replay_histories(machine, joint_moves[:, None, :]):
        keys = played.next_keys[:, role]
        players.hear(role, played.keys[:, role], played.joint[:, role], played.percepts[role], keys)
        players.values(role, [int(START_KEY), *keys.tolist()])
