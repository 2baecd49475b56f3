"""`BeliefTracker`: a role's record, and a belief that keeps up with it, for players, boards and `believe`.

1. `follow` takes a record that has grown, `observe` takes one round; the sampler observes the rounds that are new.
2. A `RoundClock` says how long a round may take. If no history was found in time, the sampler may search longer.
3. Then the caller asks for worlds, for all that the role can know (`bag`), or for its legal moves. Everything is a
   function of the rules, the record and the seed.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from time import perf_counter
from typing import Self

import numpy as np

from veil.belief.bag import Bag, GameBag
from veil.belief.contract import CatchesUp, NoConsistentHistory, Opponents, Sampler, TooManyWorlds, allow_opponents
from veil.clock import has_passed
from veil.engine import EncodedObservation, Game, Machine, Record, draw_rows_uniformly, encode
from veil.engine.lanes import unpack

LEGAL_WORLDS = 32  # that are asked for the legal moves
TIE = 1e-9  # relative difference below which two weights are equal
TRIES = 8  # to play a guessed world on


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundClock:
    """The time a belief may work on a round, as shares of the time until the caller's deadline."""

    seconds: float | None = None  # until the deadline of a round, if the caller gives none; None: no clock
    share: float = 1.0  # that the sampler may take
    longest_share: float = 1.0  # that it may take as long as it has found no world
    is_strict: bool = False  # whether a round that begins after the deadline is not explained

    def find_deadlines(self, deadline: float | None) -> tuple[float | None, float | None]:
        """Return when the sampler stops, and when it stops if it has no world yet; None without a deadline."""
        now = perf_counter()
        if deadline is None and self.seconds is not None:
            deadline = now + self.seconds
        if deadline is None:
            return None, None
        return now + self.share * (deadline - now), now + self.longest_share * (deadline - now)


class BeliefTracker:
    """A record and a belief about it, kept by a sampler that has observed nothing yet."""

    def __init__(
        self,
        game: Game,
        sampler: Sampler,
        *,
        clock: RoundClock = RoundClock(),
        opponents: Opponents | None = None,
        seed: int = 0,
        gives_up: bool = False,
    ) -> None:
        """`opponents` are those of the sampler. `seed` is for what `bag` and `legal` draw.

        With `gives_up`, a round that nothing explains raises no exception: the belief is lost, and stays lost.
        """
        self.game, self.sampler, self.clock, self.opponents = game, sampler, clock, opponents
        self.seed, self.gives_up, self.is_lost = seed, gives_up, False
        self.record = Record(game.roles[sampler.role])
        self._last: Bag | None = None  # the worlds that were asked for last
        self._bag: GameBag | None = None  # all worlds after the last round, once they were asked for

    @property
    def rounds(self) -> int:
        """The number of observed rounds, including those after the belief was lost."""
        return len(self.record.rounds)

    def copy(self) -> Self:
        """Return an independent tracker with the same knowledge."""
        twin = copy(self)
        twin.sampler = self.sampler.copy()
        return twin

    def observe(
        self, observation: tuple[str, frozenset[str]] | None, deadline: float | None = None, *, over: bool = False
    ) -> None:
        """Observe one round, (own move, percepts); None, before the first round, is ignored. `over`: it was the last.

        Raises as `follow` does.
        """
        if observation is not None:
            record = self.record.then(*observation)
            self.follow(Record(record.role, record.rounds, over), deadline)

    def follow(self, record: Record, deadline: float | None = None) -> None:
        """Observe the rounds of a record that are new; its earlier ones must be those of the tracker's record.

        Raises `VeilError` if the record does not fit the rules; `NoConsistentHistory` and `TooManyWorlds` as the
        sampler does, unless the tracker gives up.
        """
        new_rounds = encode(self.game, record, start=self.rounds)
        allow_opponents(self.opponents, self.clock.find_deadlines(deadline)[0])
        for entry in new_rounds:
            number = self.rounds + 1
            over = record.over and number == len(record.rounds)
            self.record, self._bag = Record(record.role, record.rounds[:number], over), None
            try:
                if not self.is_lost:
                    self._observe(entry, over, deadline)
            except (TooManyWorlds, NoConsistentHistory):
                if not self.gives_up:
                    raise
                self.is_lost = True

    def worlds(self, count: int | None, rng: np.random.Generator) -> Bag:
        """Return at most `count` worlds; if none was found in time, a guess that does not explain the whole record.

        Raises `NoConsistentHistory` if it is proved that there is none, or if no earlier worlds are known to guess
        from.
        """
        try:
            bag = self.sampler.worlds(count, rng)
        except NoConsistentHistory as nothing:
            if nothing.proved or self._last is None:
                raise
            own_moves = [entry.own_move for entry in encode(self.game, self.record, self._last.histories.shape[1])]
            bag = guess_worlds(self.game.machine, self.sampler.role, self._last, own_moves, rng)
        self._last = bag
        return bag

    def bag(self) -> GameBag | None:
        """Return all worlds that are kept; None if the belief is lost, or no history is known for the record."""
        if self._bag is None and not self.is_lost:
            try:
                bag = self.sampler.worlds(None, np.random.default_rng(self.seed))
            except NoConsistentHistory:
                return None
            self._bag = bag.with_game(self.game) if len(bag) else None
        return self._bag

    def legal(self) -> list[str]:
        """Return the role's moves that are legal in most of the weight of some worlds, sorted.

        If the rules are sound, they are the role's legal moves, and the same in all worlds.
        """
        bag = self.worlds(LEGAL_WORLDS, np.random.default_rng(self.seed))
        weight = bag.weights @ self._legal_bits(bag.states)
        most = weight.max(initial=0.0)
        return self.game.names.legal_words(self.sampler.role, (weight > 0.0) & (weight >= most * (1.0 - TIE)))

    def legal_in(self, states: np.ndarray) -> list[str]:
        """Return the role's moves that are legal in some of these states [B, words], sorted."""
        return self.game.names.legal_words(self.sampler.role, np.logical_or.reduce(self._legal_bits(states)))

    def _legal_bits(self, states: np.ndarray) -> np.ndarray:
        """Return [B, moves] whether the role's moves are legal in these states."""
        role_id = self.sampler.role
        bits: np.ndarray = unpack(self.game.machine.legal(states)[role_id], len(self.game.names.moves[role_id]))
        return bits

    def _observe(self, entry: EncodedObservation, over: bool, deadline: float | None) -> None:
        """Let the sampler observe the last round of the record, within the time of a round."""
        until, longest = self.clock.find_deadlines(deadline)
        if self.clock.is_strict and has_passed(until):
            raise NoConsistentHistory(self.rounds, proved=False)
        self.sampler.observe(*entry, over, until)
        if longest != until and longest is not None and isinstance(self.sampler, CatchesUp):
            self.sampler.catch_up(longest)


def guess_worlds(machine: Machine, role_id: int, bag: Bag, own_moves: list[int], rng: np.random.Generator) -> Bag:
    """Play the worlds of an earlier round on, with these own moves, one per round, and random moves of the others."""
    for own_move in own_moves:
        bits = machine.legal_bits(machine.judge(bag.states))
        for attempt in range(TRIES):
            joint = np.stack([draw_rows_uniformly(legal, rng) for legal in bits], axis=1)
            if 2 * attempt < TRIES:  # later attempts use any own move, to avoid the end of the game
                joint[:, role_id] = own_move
            states = machine.step(bag.states, joint).states
            going = np.flatnonzero(~machine.terminal(states))
            if len(going):
                break
        else:
            going, states = np.arange(len(bag)), bag.states
        weights = bag.weights[going] / bag.weights[going].sum()
        histories = np.concatenate([bag.histories, joint[:, None, :].astype(np.int32)], axis=1)[going]
        bag = Bag(histories=histories, states=states[going], weights=weights, sampler="guess")
    return bag
