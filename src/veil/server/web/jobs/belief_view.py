"""The knowledge of the person at the board: a belief that follows the record, and nothing but the record.

All results are functions of the rules and of what the role was told. Random numbers come from a fixed seed, so that two
games with the same record give the same answers, whatever the true states are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veil.belief import SAMPLERS, BeliefTracker, GameBag, RoundClock, SamplerContext
from veil.engine import Game
from veil.errors import phrase
from veil.search import UNIFORM, make_opponents
from veil.server.web.jobs.scenery import Scenery

COUNT, MAX_EXACT = 600, 20_000  # worlds that are sampled, and histories that are kept exactly
MAX_STATES = 2_000_000  # visited per round, where a belief searches back
SECONDS, MORE_SECONDS = 1.0, 2.0  # per round, and as long as there is no world
MODEL_SEED = 0  # of opponents that are searched or solved: a belief is a function of rules and record
MAX_SHOWN = 200  # worlds that can be looked at one by one


def track_belief(game: Game, role: str, model: str = UNIFORM) -> BeliefTracker:
    """Return the belief of a role before the first round, if the others play as this model of opponents.

    It may be lost where a game is too large; it is then said.
    """
    opponents = make_opponents(model, game, MODEL_SEED)
    setting = SamplerContext(
        game.machine,
        game.names.role_id(role),
        count=COUNT,
        max_worlds=MAX_EXACT,
        max_states=MAX_STATES,
        min_particles=COUNT,
        opponents=opponents,
    )
    clock = RoundClock(seconds=MORE_SECONDS, share=SECONDS / MORE_SECONDS)
    return BeliefTracker(game, SAMPLERS.make("auto", setting), clock=clock, opponents=opponents, gives_up=True)


def find_worlds(belief: BeliefTracker) -> GameBag | None:
    """Return the worlds of a belief, likeliest first; None where they were lost."""
    bag = belief.bag()
    return None if bag is None else sort_worlds(bag)


def sort_worlds(bag: GameBag) -> GameBag:
    """Return the same worlds, likeliest first; equal ones in the order of their histories."""
    flat = bag.histories.reshape(len(bag), -1)
    order = np.lexsort((*flat.T[::-1], -bag.weights.round(12)))
    return replace(bag, histories=bag.histories[order], states=bag.states[order], weights=bag.weights[order])


def tell_belief(scenery: Scenery, belief: BeliefTracker) -> dict[str, Any]:
    """Return the board with what is certain and what is possible, and what it rests on."""
    bag = find_worlds(belief)
    if bag is None:
        return {"round": belief.rounds, "lost": True, "scene": None, "worlds": 0, "basis": phrase("studio-lost")}
    size = bag.size if bag.exact and bag.size is not None else len(bag)
    sampled = "studio-sampled" if size > 1 else "studio-sampled-one"
    kind = sampled if not bag.exact else "studio-exact" if size > 1 else "studio-single"
    basis = phrase(kind, count=size, sampler=bag.sampler)
    return {
        "round": belief.rounds,
        "lost": False,
        "scene": scenery.show_belief(bag.marginals()),
        "worlds": min(len(bag), MAX_SHOWN),
        "exact": bag.exact,
        "count": size,
        "basis": basis,
    }


def tell_world(scenery: Scenery, belief: BeliefTracker, number: int) -> dict[str, Any]:
    """Return one of the worlds: its board, how likely it is, and what would have happened in it."""
    bag = find_worlds(belief)
    if bag is None or not 0 <= number < min(len(bag), MAX_SHOWN):
        return {"round": belief.rounds, "scene": None}
    fluents = scenery.fluents_of(bag.states[number])
    return {
        "round": belief.rounds,
        "number": number,
        "chance": float(bag.weights[number]),
        "scene": scenery.show_state(fluents),
        "history": [scenery.show_moves(joint) for joint in bag.history(number)],
    }
