"""Random sampling: play the record forward from the start and begin again at the first mismatch (section 5.1).

It is unbiased, and finds nothing in practice if the record is unlikely. The article compares other samplers with it.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Self

import numpy as np

from veil.belief.bag import Bag, Lineage, history_keys
from veil.belief.contract import Cost, NoConsistentHistory, Opponents, SamplerContext, tell_opponents
from veil.clock import has_passed
from veil.engine import Machine, grow_keys, root_keys, uniform_probabilities
from veil.engine.lanes import unpack
from veil.limits import check_limit
from veil.registry import check_options, option

BUDGET = 10_000_000  # states in all before it gives up
BATCH = 4096
SAMPLES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RandomConfig:
    """Limits of the attempts."""

    samples: int | None = option(
        None, "attempts that get through; as many as worlds are asked for by default", limit="worlds"
    )
    budget: int = option(BUDGET, "states visited, and attempts, at most", limit="states")

    def __post_init__(self) -> None:
        check_options(self)


def make_random(config: RandomConfig, setting: SamplerContext) -> RejectionSampler:
    """Return the sampler of a row of `SAMPLERS`."""
    return RejectionSampler(
        setting.machine,
        setting.role_id,
        samples=config.samples or setting.count,
        budget=config.budget,
        opponents=setting.opponents,
    )


class RejectionSampler:
    """Attempts from the start, one lane each."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        *,
        samples: int = SAMPLES,
        budget: int = BUDGET,
        opponents: Opponents | None = None,
    ) -> None:
        check_limit("worlds", samples, "samples")
        check_limit("states", budget, "budget")
        self.machine, self.role, self.samples, self.budget = machine, role, samples, budget
        self.opponents = opponents
        self.rounds = self.states_visited = self.passes = self.attempts = self.successes = 0
        self._record: list[tuple[int, np.ndarray]] = []
        self._over = False
        self._deadline: float | None = None

    @property
    def cost(self) -> Cost:
        """The cost so far."""
        return Cost(self.states_visited, self.passes)

    def copy(self) -> Self:
        """Return an independent sampler with the same knowledge."""
        twin = copy(self)
        twin._record = list(self._record)
        return twin

    def drop_ended(self) -> None:
        """Do nothing: attempts that contradict the end of the game are dropped in `worlds`."""

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round. The attempts are made later, when worlds are asked for, and end at the deadline."""
        self._record.append((own_move, percepts))
        self.rounds += 1
        self._over, self._deadline = over, deadline

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return the histories of `samples` successful attempts, weighted by how often each came.

        Raises `NoConsistentHistory` if no attempt succeeded within the budget.
        """
        histories: list[np.ndarray] = []
        states: list[np.ndarray] = []
        successes = 0
        spent, tried = self.states_visited, self.attempts
        # An attempt may fail before it has visited a state, so attempts are limited as well.
        while successes < self.samples and max(self.states_visited - spent, self.attempts - tried) < self.budget:
            if histories and has_passed(self._deadline):
                break
            some, where = self._attempt(rng)
            histories.append(some)
            states.append(where)
            successes += len(some)
        every, last = np.concatenate(histories), np.concatenate(states)
        every, last = every[: self.samples], last[: self.samples]
        if not len(every):
            raise NoConsistentHistory(self.rounds, proved=False)
        _, first, times = np.unique(history_keys(every), return_index=True, return_counts=True)
        if count is not None:
            first, times = first[:count], times[:count]
        return Bag(
            histories=every[first],
            states=last[first],
            weights=times / times.sum(),
            sampler="random",
            states_visited=self.states_visited,
            passes=self.passes,
        )

    def _attempt(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Make a batch of attempts; return (histories that agree with the record, their states)."""
        machine = self.machine
        states, lineage = machine.initial_states(BATCH), Lineage(len(machine.program.roles))
        keys = root_keys(machine, BATCH)
        self.attempts += BATCH
        for own_move, percepts in self._record:
            judged = machine.judge(states)
            alive = ~judged.terminal
            joint = np.zeros((len(states), lineage.num_roles), np.int64)
            for role, moves in enumerate(machine.program.moves):
                legal = unpack(judged.legal[role], len(moves))
                if role == self.role:
                    joint[:, role] = own_move
                    alive &= legal[:, own_move]
                else:
                    joint[:, role] = self._draw(role, legal, keys[:, role], rng)
                    alive &= legal[np.arange(len(legal)), joint[:, role]]  # opponents may play nothing at all here
            row = np.flatnonzero(alive)
            stepped = machine.step_from(states, row, joint[row])
            self.states_visited += len(row)
            self.passes += 2
            agrees = np.flatnonzero((stepped.percepts[self.role] == percepts).all(axis=1))
            if self.opponents is not None:
                keys = self._grow(keys, row[agrees], joint[row[agrees]], tuple(p[agrees] for p in stepped.percepts))
            lineage.grow(row[agrees], joint[row[agrees]])
            states = stepped.states[agrees]
            if not len(states):
                break
        if len(states):
            index = np.flatnonzero(machine.terminal(states) == self._over)
            self.successes += len(index)
            return lineage.histories(index), states[index]
        return np.zeros((0, self.rounds, lineage.num_roles), np.int32), states

    def _grow(
        self, keys: np.ndarray, row: np.ndarray, joint: np.ndarray, percepts: tuple[np.ndarray, ...]
    ) -> np.ndarray:
        """Return the keys [N, R] of all roles' records after a round, and tell the opponents about it."""
        grown = grow_keys(keys, row, joint, percepts)
        tell_opponents(self.opponents, keys[row], joint, percepts, grown)
        return grown

    def _draw(self, role: int, legal: np.ndarray, keys: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw a move [B] of another role: uniform among the legal ones, or as the opponents play."""
        chance = uniform_probabilities(legal) if self.opponents is None else self.opponents(role, keys, legal)
        edges = np.cumsum(chance, axis=1)
        below = (edges <= rng.random((len(legal), 1)) * edges[:, -1:]).sum(axis=1)
        drawn: np.ndarray = np.minimum(below, legal.shape[1] - 1)
        return drawn
