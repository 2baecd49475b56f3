"""Samplers in a row: each keeps the belief as long as it can, then the next one goes on.

`auto` is exact as long as possible. Then it is a particle filter; when the particles have died out, constraint
satisfaction; and HyperPlay last. The exact sampler is always right. The particle filter is unbiased and cheap; it
fails if late percepts contradict all its particles. Constraint satisfaction uses the whole record at once and is
unbiased, too; it fails if many choices agree with the conclusions but not with each other. HyperPlay searches back and
finds histories if there are any; its sample is biased, and its weights correct that only among the histories it found.

1. The sampler in charge observes the round, and drops the worlds that have ended too early or too late.
2. If it raises `TooManyWorlds`, it still knows what came before: the next stage takes its worlds over, if it can, and
   observes the round. Otherwise, or if it raises `NoConsistentHistory` without proof, the next stage observes the
   whole record.
3. A proof that nothing explains the record is raised, and so is the failure of the last stage.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy as np

from veil.belief.bag import Bag
from veil.belief.configs import MAX_WORLDS, AutoConfig, CspConfig
from veil.belief.contract import Cost, NoConsistentHistory, Sampler, SamplerContext, TooManyWorlds
from veil.belief.csp.sampler import CspBelief
from veil.belief.csp.stage_graph import find_wiring
from veil.belief.exact import ExactBelief
from veil.belief.hyperplay.sampler import BUDGET, HyperPlayBelief
from veil.belief.particle import ParticleBelief
from veil.limits import check_limit

FIRST_SHARE = 0.5  # share of the time for a stage that leaves time to the stages after it
PATIENCE = 2  # rounds without a world, under a clock, before a stage that had one gives way
STANDBY_SHARE = 0.2  # share of the remaining time for the stage on standby


class Stage(NamedTuple):
    """One sampler of a cascade, not made yet."""

    name: str
    make: Callable[[int], Sampler]  # from a seed
    leaves_time: bool = False  # for the next stage, which follows if this one finds nothing in time
    listens: bool = (
        False  # under a clock it observes while the stage before is in charge: a whole record takes too long later
    )


@runtime_checkable
class TakesOver(Protocol):
    """A sampler that can begin with the worlds of another one."""

    def take_over(self, bag: Bag, rng: np.random.Generator) -> None:
        """Continue from these worlds."""


@runtime_checkable
class SearchesOn(Protocol):
    """A stage that can use more time if it has no world yet."""

    @property
    def has_world(self) -> bool:
        """Whether a history is known that explains the record."""

    def search_on(self, deadline: float | None) -> None:
        """Search until the deadline."""


class Cascade:
    """A sampler made of stages. With `strict_time`, it does not go to the next stage because time has run out."""

    def __init__(self, role: int, stages: tuple[Stage, ...], seed: int = 0, *, strict_time: bool = False) -> None:
        self.role, self.seed, self.rounds, self.strict_time = role, seed, 0, strict_time
        self._stages, self._stage = stages, 0
        self._record: list[tuple[int, np.ndarray, bool]] = []
        self._spent = Cost(0, 0)  # by the stages before
        self.now: Sampler = stages[0].make(seed)
        self._standby: Sampler | None = None  # the next stage, which observes the record as well
        self._found = -PATIENCE  # the last round in which a stage that searches on had a world; none so far

    @property
    def cost(self) -> Cost:
        """The cost of all stages so far."""
        return self._spent.plus(self.now.cost)

    @property
    def states_visited(self) -> int:
        """The number of joint moves tested by all stages so far."""
        return self.cost.states_visited

    def copy(self, seed: int | None = None) -> Self:
        """Return an independent sampler with the same knowledge, and another seed if one is given."""
        twin = copy(self)
        twin.now, twin._record = self.now.copy(), list(self._record)
        twin._standby = None if self._standby is None else self._standby.copy()
        twin.seed = self.seed if seed is None else seed
        return twin

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        """Observe one more round with the first stage that can. Raises `NoConsistentHistory` if none can."""
        self._record.append((own_move, percepts, over))
        self.rounds += 1
        try:
            self.now.observe(own_move, percepts, over, self._deadline_of_stage(deadline))
            self.now.drop_ended()
        except TooManyWorlds as many:
            if self.strict_time and many.room is None:
                raise
            self._go_on(deadline, take_over=True)
        except NoConsistentHistory as nothing:
            self._check_not_last(nothing)
            if not self._has_patience(deadline):
                self._go_on(deadline, take_over=False)
        else:
            self._let_listen(deadline)
        self._note_world()

    def drop_ended(self) -> None:
        """Do nothing: `observe` has dropped the ended worlds already."""

    def catch_up(self, deadline: float) -> None:
        """Search on until the deadline if no world has been found yet, as far as stages can use the time."""
        while isinstance(self.now, SearchesOn) and not self.now.has_world:
            stage = self._stage
            self.now.search_on(self._deadline_of_stage(deadline))
            try:
                self.now.drop_ended()
            except NoConsistentHistory as nothing:
                self._check_not_last(nothing)
                if not self._has_patience(deadline):
                    self._go_on(deadline, take_over=False)
            if self._stage == stage:
                break
        self._note_world()

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return the worlds of the stage in charge."""
        bag = self.now.worlds(count, rng)
        return replace(bag, states_visited=bag.states_visited + self._spent.states_visited)

    def _deadline_of_stage(self, deadline: float | None) -> float | None:
        """Return the deadline of the stage in charge. Some stages leave time to the stages after them."""
        if deadline is None or self.strict_time or not self._stages[self._stage].leaves_time:
            return deadline
        now = perf_counter()
        return now + FIRST_SHARE * (deadline - now)

    def _has_patience(self, deadline: float | None) -> bool:
        """Return whether the stage in charge may go without a world: time was short, and it had a world recently."""
        hurried = deadline is not None and not self.strict_time and isinstance(self.now, SearchesOn)
        return hurried and self.rounds - self._found <= PATIENCE

    def _note_world(self) -> None:
        """Remember the round if a stage that searches on has a world."""
        if isinstance(self.now, SearchesOn) and self.now.has_world:
            self._found = self.rounds

    def _let_listen(self, deadline: float | None) -> None:
        """Let the next stage observe the record as well, if it listens and a clock runs."""
        following = self._stages[self._stage + 1] if self._stage + 1 < len(self._stages) else None
        if deadline is None or self.strict_time or following is None or not following.listens:
            return
        if self._standby is None:
            self._standby = following.make(self.seed)
        now = perf_counter()
        for entry in self._record[self._standby.rounds :]:
            self._standby.observe(*entry, now + STANDBY_SHARE * (deadline - now))

    def _go_on(self, deadline: float | None, take_over: bool) -> None:
        """Put the next stage in charge. It observes the newest round, or all rounds that it has not observed yet."""
        before, self._stage = self.now, self._stage + 1
        self._spent = self._spent.plus(before.cost)
        following, self._standby = self._standby or self._stages[self._stage].make(self.seed), None
        unobserved = self._record[following.rounds :]
        if take_over and isinstance(following, TakesOver):
            rng = np.random.default_rng((self.seed, self.rounds))
            following.take_over(before.worlds(None, rng), rng)
            unobserved = self._record[-1:]
        self.now, deadline_of_stage = following, self._deadline_of_stage(deadline)
        try:
            for entry in unobserved:
                following.observe(*entry, deadline_of_stage)
            following.drop_ended()
        except NoConsistentHistory as nothing:
            self._check_not_last(nothing)
            self._go_on(deadline, take_over=False)

    def _check_not_last(self, nothing: NoConsistentHistory) -> None:
        """Raise the exception if it is a proof, or if there is no other stage."""
        if nothing.proved or self._stage + 1 == len(self._stages):
            raise nothing


def make_auto(config: AutoConfig, setting: SamplerContext, *, strict_time: bool = False) -> Cascade:
    """Return the cascade of a row: exact, then particles, then constraint satisfaction, then HyperPlay."""
    machine, role, opponents = setting.machine, setting.role_id, setting.opponents
    max_worlds = config.max_worlds or setting.max_worlds or MAX_WORLDS
    particles = config.particles or max(setting.min_particles, setting.count)
    models = config.hypergames or max(setting.min_models, setting.count)
    budget = config.budget or (min(BUDGET, max(1, setting.max_states // models)) if setting.max_states else BUDGET)
    csp = Stage(
        "csp", lambda s: CspBelief(CspConfig(budget=config.choices), replace(setting, seed=s)), True, listens=True
    )
    stages = (
        Stage("exact", lambda _: ExactBelief(machine, role, max_worlds=max_worlds, opponents=opponents), True),
        Stage("particle", lambda s: ParticleBelief(machine, role, particles=particles, seed=s, opponents=opponents)),
        *((csp,) if machine.program.is_ground else ()),  # it works on the circuit
        Stage(
            "hyperplay",
            lambda s: HyperPlayBelief(machine, role, models=models, budget=budget, seed=s, opponents=opponents),
        ),
    )
    check_limit("histories", max_worlds, "max_worlds")
    check_limit("worlds", particles, "particles")
    check_limit("worlds", models, "models")
    if machine.program.is_ground:
        find_wiring(machine, role)  # now, while no clock runs
    return Cascade(role, stages, setting.seed, strict_time=strict_time)
