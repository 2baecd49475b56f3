"""Players that need no search: random moves, the first move, a human at the terminal."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from veil.errors import fail
from veil.players.knowing import Knowledge
from veil.players.protocol import Seat, Told


@dataclass(frozen=True, slots=True, kw_only=True)
class NoConfig:
    """Nothing to set."""


class RandomPlayer:
    """A legal move, uniformly."""

    def __init__(self, config: NoConfig) -> None:
        del config

    def start(self, seat: Seat) -> None:
        self.seat, self.knowledge = seat, Knowledge(seat, worlds=16)
        self.rng = np.random.default_rng(seat.seed)

    def play(self, told: Told | None) -> str:
        self.knowledge.hear(told, self.seat.deadline())
        legal = self.knowledge.legal()
        return legal[int(self.rng.integers(len(legal)))]

    def stop(self, told: Told | None) -> None:
        del told

    def report(self) -> dict[str, Any]:
        return {}


class FirstPlayer(RandomPlayer):
    """The first legal move in the order of the alphabet."""

    def play(self, told: Told | None) -> str:
        self.knowledge.hear(told, self.seat.deadline())
        return self.knowledge.legal()[0]


class HumanPlayer(RandomPlayer):
    """Whoever sits at the terminal."""

    def play(self, told: Told | None) -> str:
        self.knowledge.hear(told)
        legal = self.knowledge.legal()
        if told is not None and told[1]:
            print(f"{self.seat.role} sees {' '.join(sorted(told[1]))}")
        if len(legal) == 1:
            return legal[0]
        for number, move in enumerate(legal, 1):
            print(f"  {number:3} {move}")
        while True:
            print(f"{self.seat.role}> ", end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                raise fail("input-ended", role=self.seat.role)
            word = line.strip()
            if word.isdecimal() and 1 <= int(word) <= len(legal):
                return legal[int(word) - 1]
            if word in legal:
                return word
            print("a number from the list, or the move as it is written there")
