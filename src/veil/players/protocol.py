"""What every player can do: start, play, stop, and explain itself."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from veil.engine import Game

MARGIN, LEAST_MARGIN = 0.15, 0.02  # of the play clock, and seconds, that are left unused

Told = tuple[str, frozenset[str]]  # the own move of the last round, as it was played, and what was seen then


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """What a player is told before a match."""

    game: Game
    role: str
    seed: int
    start_seconds: float | None = None  # None: as long as its budget takes
    play_seconds: float | None = None

    def deadline(self) -> float | None:
        """When to stop thinking about a move that is asked for now; None where the budget decides."""
        clock = self.play_seconds
        if clock is None:
            return None
        return perf_counter() + max(0.0, clock - max(LEAST_MARGIN, MARGIN * clock))

    @property
    def role_id(self) -> int:
        return self.game.roles.index(self.role)


class Player(Protocol):
    """One role in one match. It never sees a state, with one exception that says so (`cheat`).

    A player may have a method `offer(legal)`: then it is told its legal moves, sorted, before every `play`. They are no
    news: a role always knows what it may do. But to find out takes a belief, which not every player needs.
    """

    def start(self, seat: Seat) -> None:
        """Get ready."""

    def play(self, told: Told | None) -> str:
        """A move, given the last round; None before the first."""

    def stop(self, told: Told | None) -> None:
        """The match is over."""

    def report(self) -> dict[str, Any]:
        """Why the last move: values, worlds, whatever there is; plain data."""
