"""What the person at the board can know: a belief that follows the record, and nothing but the record.

Everything here is a function of the rules and of what the role was told. Random numbers come from a fixed seed, so that
two games with the same record give the same answers, whatever is true in them.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

from veil.belief import SAMPLERS, Bag, CatchesUp, NothingExplains, Sampler, Setting, TooManyWorlds
from veil.engine import Game, Record, encode
from veil.errors import phrase
from veil.server.web.jobs.scenery import Scenery

COUNT, MAX_EXACT = 600, 20_000  # worlds that are sampled, and histories that are kept exactly
MAX_STATES = 2_000_000  # visited per round, where a belief searches back
SECONDS, MORE_SECONDS = 1.0, 2.0  # per round, and as long as there is no world
MAX_SHOWN = 200  # worlds that can be looked at one by one
SEED = 0


class PersonBelief:
    """The belief of a role, round by round. It may be lost, where a game is too large; it is then said."""

    def __init__(self, game: Game, role: str) -> None:
        self.game, self.role = game, role
        setting = Setting(
            game.machine,
            game.names.role_id(role),
            count=COUNT,
            seed=SEED,
            max_worlds=MAX_EXACT,
            max_states=MAX_STATES,
            min_particles=COUNT,
        )
        self._sampler: Sampler | None = SAMPLERS.make("auto", setting)
        self.rounds = 0
        self._bag: Bag | None = None

    def follow(self, record: Record) -> None:
        """Hear the rounds of a record that were not heard yet."""
        for number in range(self.rounds, len(record.rounds)):
            is_last = record.over and number == len(record.rounds) - 1
            self._hear(Record(record.role, record.rounds[number : number + 1]), is_last)
            self.rounds, self._bag = number + 1, None

    def _hear(self, last: Record, over: bool) -> None:
        if self._sampler is None:
            return
        ((own_move, percepts),) = encode(self.game, last)
        now = perf_counter()
        try:
            self._sampler.observe(own_move, percepts, over, now + SECONDS)
            if isinstance(self._sampler, CatchesUp):
                self._sampler.catch_up(now + MORE_SECONDS)
        except (TooManyWorlds, NothingExplains):
            self._sampler = None

    def bag(self) -> Bag | None:
        """The worlds, likeliest first; None where they were lost."""
        if self._bag is None and self._sampler is not None:
            try:
                bag = self._sampler.worlds(None, np.random.default_rng(SEED))
            except NothingExplains:
                return None
            self._bag = sort_worlds(bag) if len(bag) else None
        return self._bag


def sort_worlds(bag: Bag) -> Bag:
    """The same worlds, likeliest first; equal ones in the order of their histories."""
    from dataclasses import replace

    flat = bag.histories.reshape(len(bag), -1)
    order = np.lexsort((*flat.T[::-1], -bag.weights.round(12)))
    return replace(bag, histories=bag.histories[order], states=bag.states[order], weights=bag.weights[order])


def tell_belief(scenery: Scenery, belief: PersonBelief) -> dict[str, Any]:
    """The board with what is certain and what is possible, and what it rests on."""
    bag = belief.bag()
    if bag is None:
        return {"round": belief.rounds, "lost": True, "scene": None, "worlds": 0, "basis": phrase("studio-lost")}
    size = bag.size if bag.exact and bag.size is not None else len(bag)
    kind = "studio-sampled" if not bag.exact else "studio-exact" if size > 1 else "studio-single"
    basis = phrase(kind, count=size, sampler=bag.sampler)
    return {
        "round": belief.rounds,
        "lost": False,
        "scene": scenery.show_belief(bag.marginals(scenery.game)),
        "worlds": min(len(bag), MAX_SHOWN),
        "exact": bag.exact,
        "count": size,
        "basis": basis,
    }


def tell_world(scenery: Scenery, belief: PersonBelief, number: int) -> dict[str, Any]:
    """One of the worlds: its board, how likely it is, and what would have happened in it."""
    bag = belief.bag()
    if bag is None or not 0 <= number < min(len(bag), MAX_SHOWN):
        return {"round": belief.rounds, "scene": None}
    fluents = scenery.fluents_of(bag.states[number])
    return {
        "round": belief.rounds,
        "number": number,
        "chance": float(bag.weights[number]),
        "scene": scenery.show_state(fluents),
        "history": [scenery.show_moves(joint) for joint in bag.history(number, scenery.game)],
    }
