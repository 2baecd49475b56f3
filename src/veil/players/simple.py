"""Players that need no search: a random move, the first move, a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.belief import BeliefTracker
from veil.players.contract import ListeningPerson, Observation, Person, Request, Seat
from veil.players.seat_belief import make_belief

WORLDS = 16  # of a belief that only has to find the legal moves


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConfig:
    """A config without options."""


class LegalMoves:
    """The legal moves of a role: those that are offered or, without an offer, those that a belief finds."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._offered: list[str] | None = None
        self._belief: BeliefTracker | None = None

    def offer(self, legal: list[str]) -> None:
        """Take the sorted legal moves of this round."""
        self._offered = legal

    def list(self, observation: Observation | None) -> list[str]:
        """Return the sorted legal moves after this observation."""
        if self._offered is not None:
            return self._offered
        if self._belief is None:
            self._belief = make_belief(self.seat, worlds=WORLDS)
        self._belief.observe(observation, self.seat.deadline())
        return self._belief.legal()


class RandomPlayer:
    """A player that draws a legal move uniformly."""

    def __init__(self, config: NoConfig) -> None:
        del config
        self._report: dict[str, Any] = {}

    def start(self, seat: Seat) -> None:
        """Take the seat; there is nothing else to prepare."""
        self.seat, self.rng, self.legal_moves = seat, np.random.default_rng(seat.seed), LegalMoves(seat)

    def offer(self, legal: list[str]) -> None:
        """Take the sorted legal moves of this round."""
        self.legal_moves.offer(legal)

    def play(self, observation: Observation | None) -> str:
        """Return a random legal move."""
        legal = self.legal_moves.list(observation)
        self._report = {"strategy": dict.fromkeys(legal, 1 / len(legal))}
        return legal[int(self.rng.integers(len(legal)))]

    def stop(self, observation: Observation | None) -> None:
        """Do nothing at the end of the match."""

    def report(self) -> dict[str, Any]:
        """Return the strategy that the last move was drawn from."""
        return self._report


class FirstPlayer(RandomPlayer):
    """A player that plays the alphabetically first legal move."""

    def play(self, observation: Observation | None) -> str:
        """Return the first legal move."""
        move = self.legal_moves.list(observation)[0]
        self._report = {"strategy": {move: 1.0}}
        return move


class HumanPlayer(RandomPlayer):
    """A player that passes every request to a person. The program that runs the match provides the person."""

    def meet(self, person: Person) -> None:
        """Take the person who chooses the moves."""
        self.person = person

    def observe(self, observation: Observation | None) -> None:
        """Tell the person what was observed, without asking for a move, if the person can take it."""
        person: object = self.person
        if isinstance(person, ListeningPerson):
            person.observe(self.seat.role, observation)

    def play(self, observation: Observation | None) -> str:
        """Return the move that the person answers."""
        return self.person(Request(self.seat.role, observation, tuple(self.legal_moves.list(observation))))
