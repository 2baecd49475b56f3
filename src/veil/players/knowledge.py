"""What a player knows: its record, a belief that keeps up with it, and its legal moves."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from veil.belief import (
    SAMPLERS,
    Bag,
    CatchesUp,
    NothingExplains,
    Opponents,
    Sampler,
    Setting,
    allow_opponents,
    warm_up,
)
from veil.engine import Record, draw_rows_uniformly, encode
from veil.engine.lanes import unpack
from veil.players.contract import Observation, Seat

MIN_PARTICLES, MIN_MODELS = 200, 8  # fewer die out too soon, however few worlds are wanted
MIN_EXACT, EXACT_PER_WORLD = 1000, 4  # histories that are kept exactly, at least and per world that is wanted
MAX_STATES = 4_000_000  # that a belief visits in a round, where it searches back: about a second
TRIES = 8  # to play a guessed world on
SHARE, LONGEST_SHARE = 0.5, 0.8  # of the time for a move is what the belief may take, and as long as it has no world


class Knowledge:
    """A record and a belief about it, kept by a sampler that is named by a spec."""

    def __init__(self, seat: Seat, *, worlds: int, sampler: str = "auto", opponents: Opponents | None = None) -> None:
        """`worlds` are wanted at most; samplers that have sizes of their own follow them."""
        self.seat, self.machine = seat, seat.game.machine
        if seat.play_seconds is not None:
            warm_up()  # now, not when the clock runs
        self.record, self.opponents = Record(seat.role), opponents
        self.wanted = worlds
        self._last: Bag | None = None  # the worlds that were asked for last
        setting = Setting(
            self.machine,
            seat.role_id,
            count=worlds,
            seed=seat.seed,
            opponents=opponents,
            max_worlds=max(MIN_EXACT, EXACT_PER_WORLD * worlds),
            max_states=MAX_STATES,
            min_particles=MIN_PARTICLES,
            min_models=MIN_MODELS,
        )
        self.belief: Sampler = SAMPLERS.make(sampler, setting)

    def hear(self, observation: Observation | None, deadline: float | None = None) -> None:
        """One round more; nothing before the first. Some of the time until the deadline is left to whoever asks."""
        if observation is None:
            return
        self.record = self.record.then(*observation)
        last = Record(self.record.role, self.record.rounds[-1:])
        own_move, percepts = encode(self.seat.game, last)[0]
        now = perf_counter()
        if deadline is None:
            allow_opponents(self.opponents, None)
            self.belief.observe(own_move, percepts)
            return
        until = now + SHARE * (deadline - now)
        allow_opponents(self.opponents, until)
        self.belief.observe(own_move, percepts, deadline=until)
        if isinstance(self.belief, CatchesUp):
            self.belief.catch_up(now + LONGEST_SHARE * (deadline - now))

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """At most so many worlds; where none was found in time, a guess that does not explain the whole record."""
        try:
            bag = self.belief.worlds(count, rng)
        except NothingExplains as nothing:
            if nothing.proved or self._last is None:
                raise
            bag = self._guess(self._last, rng)
        self._last = bag
        return bag

    def bag(self, rng: np.random.Generator) -> Bag:
        """At most the wanted number of worlds."""
        return self.worlds(self.wanted, rng)

    def legal(self) -> list[str]:
        """The own legal moves, sorted. They are the same in all worlds, if the rules are sound."""
        return self.legal_in(self.worlds(1, np.random.default_rng(self.seat.seed)).states)

    def legal_in(self, states: np.ndarray) -> list[str]:
        """The own moves that are legal in some of these states [B, words], sorted."""
        role_id, names = self.seat.role_id, self.seat.game.names
        bits: np.ndarray = unpack(self.machine.legal(states)[role_id], len(names.moves[role_id]))
        return names.legal_words(role_id, np.logical_or.reduce(bits))

    def show(self, move_id: int) -> str:
        """A move of the own role, as the rules spell it."""
        return self.seat.game.names.moves[self.seat.role_id][move_id]

    def _guess(self, bag: Bag, rng: np.random.Generator) -> Bag:
        """The worlds of an earlier round, played on with the own moves and any moves of the others."""
        for own_move, _ in encode(self.seat.game, self.record)[bag.histories.shape[1] :]:
            bits = self.machine.legal_bits(self.machine.judge(bag.states))
            for attempt in range(TRIES):
                joint = np.stack([draw_rows_uniformly(legal, rng) for legal in bits], axis=1)
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
