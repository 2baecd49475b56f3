"""The samplers by name, and `believe`: from a record to a bag."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from veil.belief.auto import AutoBelief
from veil.belief.bag import Bag
from veil.belief.exact import ExactBelief, NothingExplains, TooManyWorlds
from veil.belief.forward import RandomBelief
from veil.belief.hyperplay import HyperPlayBelief
from veil.belief.particle import ParticleBelief
from veil.belief.protocol import Belief
from veil.belief.warm import warm_up
from veil.clock import passed
from veil.engine import Game, Machine, Record, encode, unexplained
from veil.errors import VeilError, fail

COUNT = 1000

SAMPLERS: dict[str, Callable[[Machine, int, int, int], Belief]] = {  # (machine, role, count, seed) -> belief
    "exact": lambda machine, role, count, seed: ExactBelief(machine, role),
    "random": lambda machine, role, count, seed: RandomBelief(machine, role, samples=count),
    "hyperplay": lambda machine, role, count, seed: HyperPlayBelief(machine, role, models=count, seed=seed),
    "particle": lambda machine, role, count, seed: ParticleBelief(machine, role, particles=count, seed=seed),
    "auto": lambda machine, role, count, seed: AutoBelief(machine, role, particles=count, models=count, seed=seed),
}


def make_belief(name: str, game: Game, role: str, count: int = COUNT, seed: int = 0) -> Belief:
    """A belief that has been told nothing yet."""
    if name not in SAMPLERS:
        raise fail("unknown-sampler", name=name, names=", ".join(SAMPLERS))
    if count < 1:
        raise fail("bad-limit", name="count", value=count)
    return SAMPLERS[name](game.machine, game.rules.roles.index(game.role_term(role)), count, seed)


def believe(
    game: Game,
    record: Record,
    sampler: str = "auto",
    *,
    count: int = COUNT,
    seed: int = 0,
    seconds: float | None = None,
) -> Bag:
    """The worlds that explain a record. What cannot be is said in words, with the round."""
    belief = make_belief(sampler, game, record.role, count, seed)
    rounds = encode(game, record)
    if seconds is not None and not 0 < seconds < float("inf"):
        raise fail("bad-limit", name="seconds", value=seconds)
    if not rounds:  # one world, whoever is asked; and whether the game is over is all there is to know
        belief = ExactBelief(game.machine, game.rules.roles.index(game.role_term(record.role)), over=record.over)
    if seconds is not None:
        warm_up()  # now, not when the clock runs
    deadline = None if seconds is None else perf_counter() + seconds
    try:
        for number, (own_move, percepts) in enumerate(rounds, 1):
            if passed(deadline):
                raise NothingExplains(number, proved=False)
            belief.observe(own_move, percepts, record.over and number == len(rounds), deadline)
        return belief.worlds(None if sampler in ("exact", "auto") else count, np.random.default_rng(seed))
    except NothingExplains as nothing:
        if nothing.proved:
            raise unexplained(record, nothing.round_number) from None
        raise _lost(sampler, nothing.round_number) from None
    except TooManyWorlds as many:
        if many.room is None:
            raise _lost(sampler, belief.rounds + 1) from None
        raise fail("infoset-too-large", worlds=many.room, number=belief.rounds + 1) from None


def _lost(sampler: str, number: int) -> VeilError:
    """A round that was not explained within the budget or the time."""
    return fail("belief-lost", sampler=sampler, number=number, samplers=", ".join(n for n in SAMPLERS if n != sampler))
