"""A HyperPlayer for every role, as a policy: what each infoset would do (the embedded players of section 6.3).

Infosets that are asked about together are computed together. A record is known by its 64-bit key. The record before it,
the own move and the percepts lead to its belief; the belief leads to the values of moves (`move_values`).

What is believed (`nested_sampler`): `states` merges histories of the same state and keeps many of them
(`state_beliefs`, or `weighted_beliefs` if the player models the others); `hyperplay` is a bag of as many HyperGames as
the player has models, as the article has it (`hypergame_beliefs`).

What is kept (`memo`): with it, belief and choice are computed once per record and serve all simulations; a chance
sample decides once. Without it, every simulation has players of its own, as the article has it: its records begin with
a start of their own, so that the mean over simulations is also one over what the players happen to sample.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, Protocol

import numpy as np

from veil.belief.many_records import FIRST_ROOM, UNKNOWN, HyperGameBeliefs, RecordBeliefs, Records, WeightedBeliefs
from veil.clock import has_passed
from veil.engine import Machine, replay_histories, tiny_game
from veil.engine.lanes import START_KEY
from veil.search.hyperplay2.move_values import MoveValues, PlayoutBudget, RecordValues
from veil.search.playouts.style import UNIFORM_STYLE, PlayoutStyle

AT_ONCE, HURRIED = 1 << 16, 1 << 12  # playouts of the infosets that are computed together, about; under a clock
MOVES = 8  # of an infoset, about
DECISION = 20_000  # states that take as long as a decision of a nested player, besides its playouts
TEST = 20  # states that take as long as a joint move that a belief tests
DECISION_AMONG_MANY, TEST_AMONG_MANY = 1_000, 2  # the same without a memo: many decisions are made together


NestedSampler = Literal["states", "hyperplay"]


class OutOfTime(Exception):  # noqa: N818 - nothing is wrong: the answer is late
    """Raised if the deadline has passed, or the work is used up, while a nested player was searching."""


class CountedOpponents(Protocol):
    """Opponents that count their cost, and can be told how long they may take."""

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the probabilities [B, moves] of a role's moves after records [B]."""

    @property
    def states_visited(self) -> int:
        """The number of states visited so far."""

    @property
    def work(self) -> int:
        """The work done so far, in states."""

    def allow(self, deadline: float | None) -> None:
        """Allow work until the deadline for the questions that follow."""


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
        sampler: NestedSampler = "states",
        memo: bool = True,
    ) -> None:
        """`opponents` say how each player expects the others to play; without it, uniformly.

        Opponents go with the sampler `states` only.
        """
        self.machine, self.budget, self.seed = machine, PlayoutBudget(models, playouts, style), seed
        self.decisions = 0
        self.deadline: float | None = None  # after it, questions raise `OutOfTime`; what is known is kept
        self.max_work: int | None = None  # questions raise `OutOfTime` once `work` reaches it
        self.opponents, self.sampler, self.memo = opponents, sampler, memo
        self.records = Records(machine)
        self._beliefs = [self._make_beliefs(role) for role in range(len(machine.program.roles))]
        self.valued = RecordValues(machine, self.records, self.budget, seed)

    def observe(
        self, role: int, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray
    ) -> None:
        """Observe that records have grown: keys before [P], own moves [P], percepts [P, words], keys after [P]."""
        self.records.observe(role, before, own_moves, percepts, after)

    def values(self, role: int, keys: list[int]) -> list[MoveValues | None]:
        """Return the values of this role's moves after each record; None if nothing explains the record."""
        numbers = self.records.find(role, np.array(keys, np.uint64))
        missing = [number for number in dict.fromkeys(numbers.tolist()) if self._is_new(number)]
        self.think(role, np.array(missing, np.int64))
        return [self.valued.known(number) for number in numbers.tolist()]

    def think(self, role: int, numbers: np.ndarray) -> None:
        """Compute the values of this role's moves after these records [S], none of which has been valued before."""
        together = AT_ONCE if self.deadline is None else HURRIED
        at_once = max(1, together // (self.budget.models * self.budget.playouts * MOVES))
        for first in range(0, len(numbers), at_once):
            self._think(role, numbers[first : first + at_once])

    def forget(self) -> None:
        """Forget all records, beliefs and choices; what they have cost stays counted."""
        self.records.forget()
        for beliefs in self._beliefs:
            beliefs.forget()
        self.valued.pool.used[0] = 0

    @property
    def playout_states(self) -> int:
        """The number of states of playouts so far."""
        return self.valued.states_visited

    @property
    def tested(self) -> int:
        """The number of joint moves that beliefs have tested so far."""
        return sum(beliefs.tested for beliefs in self._beliefs)

    @property
    def states_visited(self) -> int:
        """The number of states visited by playouts, by beliefs, and by the modelled opponents."""
        return self.playout_states + self.tested + (0 if self.opponents is None else self.opponents.states_visited)

    @property
    def work(self) -> int:
        """The work done so far, in states; unlike time, it is the same on every machine."""
        decision, test = (DECISION, TEST) if self.memo else (DECISION_AMONG_MANY, TEST_AMONG_MANY)
        test = TEST if self.sampler == "hyperplay" else test
        own = self.playout_states + decision * self.decisions + test * self.tested
        return own + (0 if self.opponents is None else self.opponents.work)

    def check_clock(self) -> None:
        """Raise `OutOfTime` after the deadline, and when the work is used up."""
        if has_passed(self.deadline) or (self.max_work is not None and self.work >= self.max_work):
            raise OutOfTime

    def _make_beliefs(self, role: int) -> RecordBeliefs:
        models, seed = self.budget.models, self.seed
        if self.opponents is None:
            kind = HyperGameBeliefs if self.sampler == "hyperplay" else RecordBeliefs
            return kind(self.machine, role, models=models, seed=seed, records=self.records)
        return WeightedBeliefs(
            self.machine, role, models=models, seed=seed, opponents=self.opponents, records=self.records
        )

    def _is_new(self, number: int) -> bool:
        """Return whether a record has not been valued yet."""
        return bool(self.records.arrays.num_values[number] == UNKNOWN)

    def _think(self, role: int, numbers: np.ndarray) -> None:
        """Compute the values after these records [S] together."""
        if self.opponents is not None:
            self.opponents.allow(self.deadline)
        worlds = self._beliefs[role].work_out(numbers, self.check_clock)
        table = self.records.arrays
        is_explained = table.num_worlds[numbers] > 0
        table.num_values[numbers[~is_explained]] = 0
        numbers = numbers[is_explained]
        if len(numbers):
            self.valued.work_out(role, worlds, numbers, self.check_clock, self.deadline)
            self.decisions += len(numbers)


@cache
def warm_up() -> None:
    """Compile the kernels of nested players, once per process, with a round of a tiny game."""
    machine = tiny_game().machine
    role = machine.program.serial_order[-1]
    players = NestedPlayers(machine, models=2, playouts=2, seed=0)
    joint_moves = machine.joint_moves(machine.initial_states())[1][:1]
    for played in replay_histories(machine, joint_moves[:, None, :]):
        keys = played.next_keys[:, role]
        players.observe(role, played.keys[:, role], played.joint[:, role], played.percepts[role], keys)
        players.values(role, [int(START_KEY), *keys.tolist()])
        players._beliefs[role].warm_up(int(keys[0]))
    players.records.make_room(FIRST_ROOM)  # so that the table grows
