"""The table of samplers, and `believe`: from a record to a bag of worlds."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Any

import numpy as np

from veil.belief.bag import GameBag
from veil.belief.contract import NoConsistentHistory, Opponents, Sampler, SamplerContext, TooManyWorlds
from veil.belief.exact import ExactBelief
from veil.belief.precompile import warm_up
from veil.belief.tracker import BeliefTracker, RoundClock
from veil.engine import Game, Record, as_game, unexplained
from veil.errors import VeilError, bad_argument, fail, phrase
from veil.limits import check_limit
from veil.registry import Registry, Row

COUNT = 1000  # worlds, if no number is given
CONFIGS = "veil.belief.configs"

SAMPLERS: Registry[Sampler] = Registry(
    "sampler",
    {
        "exact": Row("veil.belief.exact", "ExactConfig", "make_exact", "every history, with its probability"),
        "random": Row(
            "veil.belief.rejection",
            "RandomConfig",
            "make_random",
            "plays the record forward, begins again at a mismatch",
        ),
        "hyperplay": Row(
            "veil.belief.hyperplay.sampler", "HyperGamesConfig", "make_hyperplay", "models that search back (HyperPlay)"
        ),
        "particle": Row("veil.belief.particle", "ParticleConfig", "make_particles", "a particle filter, unbiased"),
        "dfs": Row(
            "veil.belief.dfs", "DfsConfig", "DfsBelief", "depth-first search, one state at a time: the baseline"
        ),
        "csp": Row(
            "veil.belief.csp.sampler",
            f"{CONFIGS}:CspConfig",
            "CspBelief",
            "constraint satisfaction: chooses moves in any round",
        ),
        "asp": Row(
            "veil.belief.asp.sampler", f"{CONFIGS}:AspConfig", "AspBelief", "answer sets of a logic program, by clingo"
        ),
        "auto": Row(
            "veil.belief.cascade", f"{CONFIGS}:AutoConfig", "make_auto", "exact, then particles, csp, hyperplay"
        ),
    },
    group="veil.samplers",
)


def make_sampler(
    spec: str, game: Game, role: str, count: int = COUNT, seed: int = 0, opponents: Opponents | None = None
) -> Sampler:
    """Return a sampler that has observed nothing yet: `make_sampler("hyperplay:models=50", game, "white")`."""
    check_limit("worlds", count, "count")
    check_limit("seed", seed, "seed")
    parsed = SAMPLERS.parse(spec)  # a bad spec is refused before the game is compiled
    return SAMPLERS.build(parsed, SamplerContext(game.machine, game.names.role_id(role), count, seed, opponents))


def believe(
    game: Game | str | os.PathLike[str],
    record: Record,
    sampler: str = "auto",
    *,
    count: int = COUNT,
    seed: int = 0,
    seconds: float | None = None,
    opponents: Opponents | None = None,
) -> GameBag:
    """Return the worlds that explain a record. Raises `VeilError` with the round if none is found.

    `opponents` say how the others play; without it they play uniformly (`veil.search` has a table of opponents).
    """
    if seconds is not None:
        check_limit("seconds", seconds, "seconds")
    game = as_game(game)
    if not isinstance(record, Record):
        raise bad_argument("record", phrase("a-record"), record)
    belief = make_sampler(sampler, game, record.role, count, seed, opponents)
    if not record.rounds:  # every sampler would give one world; only whether the game is over is left to know
        belief = ExactBelief(game.machine, game.names.role_id(record.role), over=record.over)
    tracker = BeliefTracker(game, belief, clock=RoundClock(is_strict=True), opponents=opponents)
    if seconds is not None:
        warm_up()  # now, before the clock runs
    deadline = None if seconds is None else perf_counter() + seconds
    try:
        tracker.follow(record, deadline)
        return tracker.worlds(None, np.random.default_rng(seed)).with_game(game)
    except NoConsistentHistory as nothing:
        if nothing.proved:
            raise _explain_refusal(game, record, nothing.round_number) from None
        raise _lost(sampler, nothing.round_number) from None
    except TooManyWorlds as many:
        if many.room is None:
            raise _lost(sampler, belief.rounds + 1) from None
        raise fail("infoset-too-large", worlds=many.room, number=belief.rounds + 1) from None


def explain_record(game: Game, record: Record, sampler: str = "auto", **options: Any) -> GameBag:
    """Return the worlds that explain a record, as `believe` does, with the same options.

    A record that does not say that the game has ended may still be of a finished game. If nothing else explains its
    last round, it is explained that way.
    """
    try:
        return believe(game, record, sampler, **options)
    except VeilError as error:
        if record.over or not record.rounds or error.problems[0].code not in ("record-of-the-end", "belief-lost"):
            raise
        try:
            return believe(game, Record(record.role, record.rounds, over=True), sampler, **options)
        except VeilError:
            raise error from None


def _explain_refusal(game: Game, record: Record, number: int) -> VeilError:
    """Return why nothing explains a round: the record does not say that the game ended with it, or another reason."""
    if number == len(record.rounds) and not record.over:
        belief = ExactBelief(game.machine, game.names.role_id(record.role))
        try:
            BeliefTracker(game, belief).follow(Record(record.role, record.rounds, over=True))
            belief.drop_ended()
        except (NoConsistentHistory, TooManyWorlds):
            pass
        else:
            return fail("record-of-the-end", number=number)
    return unexplained(record, number)


def _lost(spec: str, number: int) -> VeilError:
    """Return the error for a round that was not explained within the budget or the time."""
    others = ", ".join(name for name in SAMPLERS if name != spec.partition(":")[0])
    return fail("belief-lost", sampler=spec, number=number, samplers=others)
