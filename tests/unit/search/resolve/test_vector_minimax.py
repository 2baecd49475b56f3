"""Backward induction over worlds: who is taken to see everything changes what is best."""

from __future__ import annotations

import pytest

from tests.support.games import game
from tests.support.search_games import GUESS
from veil.engine.record import parse_record
from veil.players.advice import ask_advice
from veil.players.contract import Seat


@pytest.mark.parametrize(("seeing", "gamble"), [("others", 0.0), ("me", 50.0), ("all", 0.0), ("none", 50.0)])
def test_a_gamble_is_worth_what_the_guesser_sees(seeing: str, gamble: float) -> None:
    of = game(GUESS)
    report = ask_advice(
        f"vector_minimax:seeing={seeing}", Seat(game=of, role="chooser", seed=1), parse_record("chooser", "noop")
    )
    values = report.report["values"]
    assert values == {"(offer gamble)": pytest.approx(gamble), "(offer sure)": pytest.approx(40.0)}
    assert report.report["complete"]
    assert report.move == ("(offer sure)" if gamble < 40 else "(offer gamble)")


@pytest.mark.parametrize("player", ["vector_minimax", "presumed_payoff"])
def test_a_deadline_and_a_small_tree_leave_playouts(player: str) -> None:
    krieg = game("krieg_tictactoe")
    for seat in (Seat(game=krieg, role="xplayer", seed=1), Seat(game=krieg, role="xplayer", seed=1, play_seconds=0.2)):
        found = ask_advice(f"{player}:nodes=200,playouts=2", seat, parse_record("xplayer", "start"))
        assert not found.report["complete"]
        assert found.report["nodes"] <= 1000
        assert sum(found.report["strategy"].values()) == pytest.approx(1.0)
