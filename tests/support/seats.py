"""Seats and told rounds for tests of players, and a spy that sits between referee and player."""

from __future__ import annotations

from typing import Any

from tests.support.games import NOTHING, game
from veil.players.contract import Observation, Player, Seat

QUIET = Observation("noop", NOTHING)
# first in kuhn_poker has been dealt a card and is about to bet or to pass.
QUEEN = (Observation("noop", frozenset({"(card queen)"})), QUIET)
JACK = (Observation("noop", frozenset({"(card jack)"})), QUIET)


def seat(spec: str, role: str, seed: int = 0, **clocks: Any) -> Seat:
    return Seat(game=game(spec), role=role, seed=seed, **clocks)


def told_all(player: Player, rounds: tuple[Observation, ...]) -> str:
    """The player's answer after these rounds; what it answers on the way is not looked at."""
    answer = player.play(None)
    for told in rounds:
        answer = player.play(told)
    return answer


class Spy:
    """Writes down what a player is told and what it answers; whatever is not in the protocol is an error."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.seat: Seat | None = None
        self.told: list[Observation | None] = []
        self.answers: list[str] = []

    def start(self, seat: Seat) -> None:
        assert type(seat) is Seat
        assert self.seat is None
        self.seat = seat
        self.player.start(seat)

    def play(self, told: Observation | None) -> str:
        self._check(told)
        self.told.append(told)
        answer = self.player.play(told)
        assert type(answer) is str
        self.answers.append(answer)
        return answer

    def stop(self, told: Observation | None) -> None:
        self._check(told)
        self.player.stop(told)

    def report(self) -> dict[str, Any]:
        return self.player.report()

    def _check(self, told: Observation | None) -> None:
        """Words, and nothing from which a state could be read."""
        assert (told is None) == (not self.told)
        if told is not None:
            move, percepts = told
            assert type(told) is Observation
            assert type(move) is str
            assert type(percepts) is frozenset
            assert all(type(percept) is str for percept in percepts)
