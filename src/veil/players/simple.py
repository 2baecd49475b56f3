"""Players that need no search: a random move, the first move, a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.belief import BeliefTracker
from veil.players.contract import ListeningPerson, Observation, Person, Request, Seat
from veil.players.seat_belief import make_belief

WORLDS = 16  # of a belief that is only asked for legal moves


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConfig:
    """Nothing to set."""


class LegalMoves:
    """The own legal moves: as they are offered or, where nobody offers them, by a belief."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._offered: list[str] | None = None
        self._belief: BeliefTracker | None = None

    def offer(self, legal: list[str]) -> None:
        """These are the legal moves of this round, sorted."""
        self._offered = legal

    def list(self, observation: Observation | None) -> list[str]:
        """The legal moves after this observation, sorted."""
        if self._offered is not None:
            return self._offered
        if self._belief is None:
            self._belief = make_belief(self.seat, worlds=WORLDS)
        self._belief.observe(observation, self.seat.deadline())
        return self._belief.legal()


class RandomPlayer:
    """A legal move, uniformly."""

    def __init__(self, config: NoConfig) -> None:
        del config
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Get ready: nothing to prepare."""
        self.seat, self.rng, self.legal_moves = seat, np.random.default_rng(seat.seed), LegalMoves(seat)

    def offer(self, legal: list[str]) -> None:
        """The legal moves of this round, sorted."""
        self.legal_moves.offer(legal)

    def play(self, observation: Observation | None) -> str:
        """A random move."""
        legal = self.legal_moves.list(observation)
        self._report = {"strategy": dict.fromkeys(legal, 1 / len(legal))}
        return legal[int(self.rng.integers(len(legal)))]

    def stop(self, observation: Observation | None) -> None:
        """The match is over."""

    def report(self) -> dict[str, Any]:
        """The strategy that the last move was drawn from."""
        return self._report


class FirstPlayer(RandomPlayer):
    """The first legal move in the order of the alphabet."""

    def play(self, observation: Observation | None) -> str:
        """The first move."""
        move = self.legal_moves.list(observation)[0]
        self._report = {"strategy": {move: 1.0}}
        return move


class HumanPlayer(RandomPlayer):
    """Passes every request on to a person. Who that is, and how it is asked, is a matter of whoever runs the match."""

    def meet(self, person: Person) -> None:
        """This person plays."""
        self.person = person

    def hear(self, observation: Observation | None) -> None:
        """Let the person know of a round without a question, if the person listens."""
        person: object = self.person
        if isinstance(person, ListeningPerson):
            person.hear(self.seat.role, observation)

    def play(self, observation: Observation | None) -> str:
        """What the person answers."""
        return self.person(Request(self.seat.role, observation, tuple(self.legal_moves.list(observation))))
