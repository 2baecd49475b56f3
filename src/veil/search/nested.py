"""A HyperPlayer for every role, as a policy: what each infoset would do (the embedded players of section 6.3).

What a HyperPlayer chooses depends on its infoset alone, so it is worked out once per record and kept. A record is known
by its 64-bit key; the one before it, the own move and the percepts lead to its belief.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.belief import AutoConfig, Bag, Cascade, NothingExplains, Setting, TooManyWorlds, make_auto
from veil.clock import has_passed
from veil.engine import START_KEY, Machine
from veil.search.montecarlo import MoveTally, per_world
from veil.search.protocol import Answer
from veil.streams import LOW, derive_seed, key_words

MAX_WORLDS = 2000  # of an exact belief inside a simulation; beyond, particles
MIN_PARTICLES = 64  # they cost one step each, and to search back when they have died out costs thousands
BUDGET = 2_000  # states per model and round of it
MAX_BELIEFS = 5_000  # that are kept
AT_ONCE = 2_000  # playouts between two checks of the clock
MIN_MODELS = 8  # of a HyperPlay belief, where particles have died out
DECISION = 200_000  # states: as long as these take, a decision of a nested player takes besides its playouts


TEST = 20  # states: the same for a joint move that a belief tests


class OutOfTime(Exception):  # noqa: N818 - nothing is wrong: the answer is late
    """The deadline has passed, or the work is used up, while a nested player was searching."""


class Step(NamedTuple):
    """How a record came about."""

    before: int  # key of the record a round earlier
    own_move: int
    percepts: np.ndarray  # [words]


class NestedPlayers:
    """HyperPlayers of all roles, with their beliefs and choices by record."""

    def __init__(self, machine: Machine, *, models: int, playouts: int, seed: int) -> None:
        self.machine, self.models, self.playouts, self.seed = machine, models, playouts, seed
        self.states_visited = self.decisions = self.tested = 0
        self.deadline: float | None = None  # after it, whoever is asked raises `OutOfTime`; what is known is kept
        self.max_work: int | None = None  # the same, once `work` is as much
        self._steps: dict[tuple[int, int], Step] = {}
        self._beliefs: dict[tuple[int, int], Cascade] = {}
        self._values: dict[tuple[int, int], Answer] = {}

    def hear(
        self, role: int, before: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray, after: np.ndarray
    ) -> None:
        """Records have grown: keys before [P], own moves [P], percepts [P, words], keys after [P]."""
        _, first = np.unique(after, return_index=True)
        for row in first.tolist():
            name = (role, int(after[row]))
            if name not in self._steps:
                self._steps[name] = Step(int(before[row]), int(own_moves[row]), percepts[row].copy())

    def values(self, role: int, key: int) -> Answer:
        """What the HyperPlayer of this role thinks of its moves after this record."""
        name = (role, key)
        if name not in self._values:
            bag = self._bag(name)
            tally = MoveTally(self.machine, role, bag)
            seed = (self.seed, role, *key_words(key))
            wanted = per_world(self.models * self.playouts, bag)
            at_once = wanted if self.deadline is None else max(1, AT_ONCE // max(1, len(tally.world)))
            for first in range(0, wanted, at_once):
                self.check_clock()
                tally.add(min(at_once, wanted - first), (*seed, first) if first else seed)
            self.states_visited += tally.states_visited
            self.decisions += 1
            self._values[name] = tally.answer()
        return self._values[name]

    @property
    def work(self) -> int:
        """What has been done so far, in states; unlike time, the same on every machine."""
        return self.states_visited + DECISION * self.decisions + TEST * self.tested

    def check_clock(self) -> None:
        """Raises `OutOfTime` after the deadline, and when the work is used up."""
        if has_passed(self.deadline) or (self.max_work is not None and self.work >= self.max_work):
            raise OutOfTime

    def choose(self, role: int, keys: np.ndarray, legal: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """[P] the move of this role after each record; the only one where there is no choice."""
        chosen: np.ndarray = legal.argmax(axis=1)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        _, which = np.unique(keys[free], return_inverse=True)
        for group in range(int(which.max(initial=-1)) + 1):
            rows = free[which == group]
            try:
                equals = self.values(role, int(keys[rows[0]])).best()
            except NothingExplains:  # within its budget: then it moves at random
                equals = np.flatnonzero(legal[rows[0]])
            chosen[rows] = equals[rng.integers(len(equals), size=len(rows))]
        return chosen

    def _bag(self, name: tuple[int, int]) -> Bag:
        rng = np.random.default_rng((self.seed, name[0], name[1] & LOW))
        return self._belief(name).worlds(self.models, rng)

    def _belief(self, name: tuple[int, int]) -> Cascade:
        """The belief after a record: that of the record before, one round on."""
        missing = []
        while name not in self._beliefs and name[1] != int(START_KEY):
            missing.append(name)
            name = (name[0], self._steps[name].before)
        if name not in self._beliefs:
            self._beliefs[name] = self._first_belief(name[0])
        belief = self._beliefs[name]
        if len(self._beliefs) > MAX_BELIEFS:  # they can be worked out again; memory cannot
            self._beliefs.clear()
        for later in reversed(missing):
            self.check_clock()
            belief = self._grow(belief, self._steps[later], later[1])
            self._beliefs[later] = belief
        return belief

    def _first_belief(self, role_id: int) -> Cascade:
        """What a role believes before the first round."""
        setting = Setting(
            self.machine,
            role_id,
            count=self.models,
            max_worlds=MAX_WORLDS,
            min_particles=MIN_PARTICLES,
            min_models=MIN_MODELS,
        )
        return make_auto(AutoConfig(budget=BUDGET), setting, strict_time=True)

    def _grow(self, belief: Cascade, step: Step, key: int) -> Cascade:
        """A belief one round on, with random numbers of its own. Raises `OutOfTime` after the deadline."""
        grown = belief.copy(seed=derive_seed(self.seed, key & LOW))
        try:
            grown.observe(step.own_move, step.percepts, deadline=self.deadline)
        except TooManyWorlds:
            raise OutOfTime from None
        self.check_clock()
        tested = grown.cost.states_visited - belief.cost.states_visited
        self.states_visited += tested
        self.tested += tested
        return grown
