"""Whole matches against scripted managers, with a player that searches: none of its moves is illegal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.support.games import game
from tests.support.managers import GUESS, STONES, ScriptedManager
from tests.support.wire import serving
from veil.engine import Game, GroundLimits, read_game, write_statements
from veil.players import Seat
from veil.server.ggp import library, session

pytestmark = pytest.mark.compiled("a player that searches")
PLAYER = "hyperplay:models=8,playouts=4"
KRIEG = " ".join(write_statements(game("krieg_tictactoe")))
THINKING = 0.2  # seconds for a move; the clocks of the managers are far longer, for machines that are busy


@pytest.fixture(autouse=True)
def think_shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    def make_seat(**settings: Any) -> Seat:
        return Seat(**settings | {"play_seconds": THINKING})

    monkeypatch.setattr(session, "Seat", make_seat)


@pytest.mark.parametrize(
    ("rules", "role", "dialect"),
    [
        (GUESS, "ann", "B"),
        (GUESS.upper(), "ANN", "C"),
        (STONES, "bob", "A"),
        (STONES.upper(), "ANN", "A"),
        (KRIEG, "xplayer", "B"),
        (KRIEG, "oplayer", "C"),
    ],
    ids=["guess B", "guess C", "stones A", "stones A in capitals", "krieg B", "krieg C"],
)
def test_the_first_match_begins_at_once_and_ends_without_an_illegal_move(rules: str, role: str, dialect: str) -> None:
    with serving(PLAYER) as server:
        manager = ScriptedManager(server.address, rules, role, dialect)
        assert manager.start().lower() == "ready"
        assert manager.play() == []
        assert manager.stop().lower() == "done"


def test_the_match_after_a_lost_stop_has_no_illegal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "IDLE", 0.0)
    with serving(PLAYER) as server:
        lost = ScriptedManager(server.address, STONES, "ann", "A", "m1")
        lost.start(play_clock=0.5)
        lost.play(1)
        following = ScriptedManager(server.address, GUESS, "ann", "B", "m2")
        following.start()
        assert following.play() == []
        assert len(lost.play()) == 3  # it would find nobody: the seat is another match's


def test_a_manager_that_asks_for_both_seats_gets_legal_moves_for_the_first() -> None:
    with serving(PLAYER) as server:
        first, second = (ScriptedManager(server.address, STONES, role, "A") for role in ("ann", "bob"))
        assert [first.start(), second.start()] == ["ready", "busy"]
        assert first.play(times=2) == []


def test_a_match_of_rules_that_are_too_large_to_ground_has_no_illegal_move(monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[Game] = []

    def read(text: str) -> Game:
        games.append(replace(read_game(text), limits=GroundLimits(max_rules=50)))
        return games[-1]

    monkeypatch.setattr(library, "read_game", read)
    with serving(PLAYER) as server:
        manager = ScriptedManager(server.address, KRIEG, "xplayer", "C")
        manager.start()
        assert manager.play() == []
    assert not games[0].program.is_ground
