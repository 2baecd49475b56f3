"""Players that need no search: random moves, the first move, a human at the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.errors import fail
from veil.players.knowledge import Knowledge
from veil.players.protocol import Seat, Told


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConfig:
    """Nothing to set."""


class RandomPlayer:
    """A legal move, uniformly. It needs no belief where somebody offers it its legal moves, which every role knows."""

    def __init__(self, config: NoConfig) -> None:
        del config

    def start(self, seat: Seat) -> None:
        self.seat, self.rng = seat, np.random.default_rng(seat.seed)
        self._offered: list[str] | None = None
        self._knowledge: Knowledge | None = None

    def offer(self, legal: list[str]) -> None:
        """The legal moves of this round, sorted."""
        self._offered = legal

    def play(self, told: Told | None) -> str:
        legal = self._legal(told)
        return legal[int(self.rng.integers(len(legal)))]

    def _legal(self, told: Told | None) -> list[str]:
        if self._offered is not None:
            return self._offered
        if self._knowledge is None:
            self._knowledge = Knowledge(self.seat, worlds=16)
        self._knowledge.hear(told, self.seat.deadline())
        return self._knowledge.legal()

    def stop(self, told: Told | None) -> None:
        del told

    def report(self) -> dict[str, Any]:
        return {}


class FirstPlayer(RandomPlayer):
    """The first legal move in the order of the alphabet."""

    def play(self, told: Told | None) -> str:
        return self._legal(told)[0]


class HumanPlayer(RandomPlayer):
    """Whoever sits at the terminal."""

    def play(self, told: Told | None) -> str:
        legal = self._legal(told)
        if told is not None and told[1]:
            print(f"{self.seat.role} sees {' '.join(sorted(told[1]))}")
        if len(legal) == 1:
            return legal[0]
        for number, move in enumerate(legal, 1):
            print(f"  {number:3} {move}")
        while True:
            print(f"{self.seat.role}> ", end="", flush=True)
            line = sys.stdin.readline() if sys.stdin is not None else ""
            if not line:
                raise fail("input-ended", role=self.seat.role)
            word = line.strip()
            if word.isdecimal() and len(word) < 10 and 1 <= int(word) <= len(legal):
                return legal[int(word) - 1]
            if word in legal:
                return word
            print("a number from the list, or the move as it is written there")
