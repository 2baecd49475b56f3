"""`auto`: exact as long as that is possible, then a particle filter, then HyperPlay when the particles have died out.

Exact is always right. The particle filter is right on average, and cheap; it fails where late percepts contradict all
its particles. HyperPlay searches back and finds histories wherever there are any; its sample is biased, and its weights
make up for that only among the histories it found.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

import numpy as np

from veil.belief.bag import Bag
from veil.belief.branches import Opponents
from veil.belief.exact import ExactBelief, NothingExplains, TooManyWorlds
from veil.belief.hyperplay import MODELS, HyperPlayBelief
from veil.belief.particle import PARTICLES, ParticleBelief
from veil.engine import Machine
from veil.errors import fail

MAX_WORLDS = 100_000  # kept exactly


class AutoBelief:
    """The best belief that fits."""

    def __init__(
        self,
        machine: Machine,
        role: int,
        *,
        max_worlds: int = MAX_WORLDS,
        particles: int = PARTICLES,
        models: int = MODELS,
        seed: int = 0,
        opponents: Opponents | None = None,
    ) -> None:
        for name, value in (("particles", particles), ("models", models)):
            if value < 1:
                raise fail("bad-limit", name=name, value=value)
        self.machine, self.role, self.opponents = machine, role, opponents
        self.particles, self.models, self.seed = particles, models, seed
        self.rounds = 0
        self._spent = 0  # states visited by those who were in charge before
        self._told: list[tuple[int, np.ndarray, bool]] = []
        self.now: ExactBelief | ParticleBelief | HyperPlayBelief = ExactBelief(
            machine, role, max_worlds=max_worlds, opponents=opponents
        )

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """One round more, by whoever can. Raises `NothingExplains` where nobody can.

        With a deadline, the exact belief has half of the time.
        """
        self._told.append((own_move, percepts, over))
        self.rounds += 1
        early = deadline
        if deadline is not None and isinstance(self.now, ExactBelief):
            early = (perf_counter() + deadline) / 2
        try:
            self.now.observe(own_move, percepts, over, early)
            if isinstance(self.now, ParticleBelief):
                _ = self.now.size  # finds out now whether the last particle has ended
        except TooManyWorlds:
            self._go_on_with_particles(deadline)
        except NothingExplains as nothing:
            if nothing.proved:
                raise
            self._go_on_with_models(deadline)

    def catch_up(self, deadline: float) -> None:
        """Where no world has been found in time: a little more of it, for those who can use it."""
        if isinstance(self.now, HyperPlayBelief) and not self.now.on_line.any():
            self.now.catch_up(deadline)

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Those of the belief that is in charge."""
        bag = self.now.worlds(count, rng)
        return replace(bag, states_visited=bag.states_visited + self._spent)

    @property
    def states_visited(self) -> int:
        return self._spent + self.now.states_visited

    def _go_on_with_particles(self, deadline: float | None) -> None:
        rng = np.random.default_rng((self.seed, self.rounds))
        filtered = ParticleBelief(
            self.machine, self.role, particles=self.particles, seed=self.seed, opponents=self.opponents
        )
        filtered.take_over(self.now.worlds(None, rng), rng)
        self._spent += self.now.states_visited
        self.now = filtered
        try:
            filtered.observe(*self._told[-1], deadline)
            _ = filtered.size  # finds out now whether the last particle has ended
        except NothingExplains:
            self._go_on_with_models(deadline)

    def _go_on_with_models(self, deadline: float | None) -> None:
        self._spent += self.now.states_visited
        self.now = HyperPlayBelief(
            self.machine, self.role, models=self.models, seed=self.seed, opponents=self.opponents
        )
        for entry in self._told:
            self.now.observe(*entry, deadline)
