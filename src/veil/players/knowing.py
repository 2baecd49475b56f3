"""What a player knows: its record, a belief that keeps up with it, and its legal moves."""

from __future__ import annotations

import numpy as np

from veil.belief.auto import AutoBelief
from veil.belief.bag import Bag
from veil.belief.branches import Opponents
from veil.belief.record import Record, encode
from veil.engine.machine import unpack
from veil.players.protocol import Seat, Told


class Knowledge:
    """A record and a belief about it."""

    def __init__(
        self, seat: Seat, *, worlds: int, exact: int | None = None, opponents: Opponents | None = None
    ) -> None:
        """`worlds` models or particles where the infoset is too large to be kept exactly (`exact` histories)."""
        self.seat, self.machine = seat, seat.game.machine
        self.record = Record(seat.role)
        self.wanted = worlds
        self.belief = AutoBelief(
            self.machine,
            seat.role_id,
            max_worlds=exact or max(1000, 4 * worlds),
            particles=max(8, worlds),
            models=max(8, worlds),
            seed=seat.seed,
            opponents=opponents,
        )

    def hear(self, told: Told | None) -> None:
        """One round more; nothing before the first."""
        if told is None:
            return
        self.record = self.record.then(*told)
        last = Record(self.record.role, self.record.rounds[-1:])
        own_move, percepts = encode(self.seat.game, last)[0]
        self.belief.observe(own_move, percepts)

    def bag(self, rng: np.random.Generator) -> Bag:
        """At most the wanted number of worlds."""
        return self.belief.worlds(self.wanted, rng)

    def legal(self) -> list[str]:
        """The own legal moves, sorted. They are the same in all worlds, if the rules are sound."""
        bag = self.belief.worlds(1, np.random.default_rng(self.seat.seed))
        role = self.seat.role_id
        moves = self.seat.game.program.moves[role]
        bits = unpack(self.machine.legal(bag.states)[role], len(moves)).any(axis=0)
        return sorted(self.seat.game.rules.show(moves[at]) for at in np.flatnonzero(bits))

    def show(self, move: int) -> str:
        """A move of the own role, as the rules spell it."""
        return self.seat.game.rules.show(self.seat.game.program.moves[self.seat.role_id][move])
