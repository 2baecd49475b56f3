"""What a player knows: its record, a belief that keeps up with it, and its legal moves."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from veil.belief import AutoBelief, Bag, NothingExplains, Opponents, warm_up
from veil.engine import Record, encode, unpack
from veil.players.protocol import Seat, Told
from veil.search import draw_moves

MIN_PARTICLES, MIN_MODELS = 200, 8  # fewer die out too soon, however few worlds are wanted
TRIES = 8  # to play a guessed world on
SHARE, LONGEST_SHARE = 0.5, 0.8  # of the time for a move is what the belief may take, and as long as it has no world


class Knowledge:
    """A record and a belief about it."""

    def __init__(
        self, seat: Seat, *, worlds: int, exact: int | None = None, opponents: Opponents | None = None
    ) -> None:
        """`worlds` models or particles where the infoset is too large to be kept exactly (`exact` histories)."""
        self.seat, self.machine = seat, seat.game.machine
        if seat.play_seconds is not None:
            warm_up()  # now, not when the clock runs
        self.record = Record(seat.role)
        self.wanted = worlds
        self._last: Bag | None = None  # the worlds that were asked for last
        self.belief = AutoBelief(
            self.machine,
            seat.role_id,
            max_worlds=exact or max(1000, 4 * worlds),
            particles=max(MIN_PARTICLES, worlds),
            models=max(MIN_MODELS, worlds),
            seed=seat.seed,
            opponents=opponents,
        )

    def hear(self, told: Told | None, deadline: float | None = None) -> None:
        """One round more; nothing before the first. Some of the time until the deadline is left to whoever asks."""
        if told is None:
            return
        self.record = self.record.then(*told)
        last = Record(self.record.role, self.record.rounds[-1:])
        own_move, percepts = encode(self.seat.game, last)[0]
        now = perf_counter()
        if deadline is None:
            self.belief.observe(own_move, percepts)
        else:
            self.belief.observe(own_move, percepts, deadline=now + SHARE * (deadline - now))
            self.belief.catch_up(now + LONGEST_SHARE * (deadline - now))

    def bag(self, rng: np.random.Generator) -> Bag:
        """At most the wanted number of worlds; where none was found in time, a guess that does not explain it all."""
        return self._worlds(self.wanted, rng)

    def legal(self) -> list[str]:
        """The own legal moves, sorted. They are the same in all worlds, if the rules are sound."""
        return self.legal_in(self._worlds(1, np.random.default_rng(self.seat.seed)).states)

    def legal_in(self, states: np.ndarray) -> list[str]:
        """The own moves that are legal in some of these states [B, words], sorted."""
        role = self.seat.role_id
        moves = self.seat.game.program.moves[role]
        bits = unpack(self.machine.legal(states)[role], len(moves)).any(axis=0)
        return sorted(self.seat.game.rules.show(moves[at]) for at in np.flatnonzero(bits))

    def _worlds(self, count: int, rng: np.random.Generator) -> Bag:
        try:
            found = self.belief.worlds(count, rng)
        except NothingExplains as nothing:
            if nothing.proved or self._last is None:
                raise
            found = self._guess(self._last, rng)
        self._last = found
        return found

    def _guess(self, bag: Bag, rng: np.random.Generator) -> Bag:
        """The worlds of an earlier round, played on with the own moves and any moves of the others."""
        for own_move, _ in encode(self.seat.game, self.record)[bag.histories.shape[1] :]:
            bits = self.machine.legal_bits(self.machine.judge(bag.states))
            for attempt in range(TRIES):
                joint = np.stack([draw_moves(own, rng) for own in bits], axis=1)
                if 2 * attempt < TRIES:  # then any own move, rather than the end of the game
                    joint[:, self.seat.role_id] = own_move
                states = self.machine.step(bag.states, joint).states
                going = np.flatnonzero(~self.machine.terminal(states))
                if len(going):
                    break
            else:
                going, states = np.arange(len(bag)), bag.states
            weights = bag.weights[going] / bag.weights[going].sum()
            histories = np.concatenate([bag.histories, joint[:, None, :].astype(np.int32)], axis=1)[going]
            bag = Bag(histories=histories, states=states[going], weights=weights, sampler="guess")
        return bag

    def show(self, move: int) -> str:
        """A move of the own role, as the rules spell it."""
        return self.seat.game.rules.show(self.seat.game.program.moves[self.seat.role_id][move])
