"""`norns`: what it refuses, and that it asks where playouts in worlds would wait."""

from __future__ import annotations

import pytest

from tests.support.games import game
from tests.support.search_games import BOMB
from veil.engine.record import Record
from veil.errors import VeilError
from veil.players.advice import ask_advice
from veil.players.contract import Seat
from veil.search.contract import SearchTask
from veil.search.walks.norns import NornsConfig


def test_games_of_several_roles_are_refused() -> None:
    of = game("kuhn_poker")
    with pytest.raises(VeilError, match="norns plays games of one role, and this one has 2"):
        NornsConfig().searcher(SearchTask(of, of.roles.index("first"), 0))


@pytest.mark.parametrize("options", ["iterations=3000", "iterations=3000,max_nodes=1"])
def test_the_agent_of_exploding_bomb_asks(options: str) -> None:
    """Asking is worth 90, waiting 50 (Schofield & Thielscher 2019, section 6); in every single world waiting wins."""
    seat = Seat(game=game("exploding_bomb"), role="agent", seed=1)
    answer = ask_advice(f"norns:{options}", seat, Record("agent", BOMB))
    assert answer.move == "ask"
    assert answer.report["values"]["ask"] == pytest.approx(90.0, abs=2.0)
    assert answer.report["values"]["wait"] < 60.0


def test_a_clock_is_kept() -> None:
    seat = Seat(game=game("monty_hall"), role="contestant", seed=1, play_seconds=0.3)
    answer = ask_advice("norns", seat, Record("contestant", ()))
    assert sum(answer.report["strategy"].values()) == pytest.approx(1.0)
