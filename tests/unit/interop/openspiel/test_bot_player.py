"""Bots of OpenSpiel as players of ours."""

from __future__ import annotations

import pytest

import veil
from veil.players import PLAYERS, Observation, Seat

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")


@pytest.mark.parametrize("bot", ["ismcts", "mcts", "uniform_random", "tests.support.spiel_bots:make_first_bot"])
def test_a_bot_plays_a_match_and_the_same_seed_gives_the_same_moves(bot: str) -> None:
    seats = {"first": f"openspiel:bot={bot},simulations=10", "second": "random"}
    logs = [veil.run_match("kuhn_poker", seats, seed=4) for _ in range(2)]
    assert not any(entry.errors for entry in logs[0].rounds)
    assert [entry.moves for entry in logs[0].rounds] == [entry.moves for entry in logs[1].rounds]


def test_ismcts_sees_that_the_king_never_loses() -> None:
    """Who has the king and is bet at gains by calling, in every world: 200 simulations find that out."""
    player = veil.make_player("openspiel:ismcts,simulations=200")
    player.start(Seat(game=veil.load("kuhn_poker"), role="second", seed=1))
    move = player.play(None)
    for percepts in ([], ["(card king)"], ["(played first bet)"]):
        move = player.play(Observation(move, frozenset(percepts)))
    assert move == "bet"


def test_a_bot_in_several_worlds_reports_how_often_it_answered_what() -> None:
    player = veil.make_player("openspiel:mcts,simulations=4,worlds=8")
    player.start(Seat(game=veil.load("matching_pennies"), role="even", seed=1))
    move, strategy = player.play(None), player.report()["strategy"]
    assert sum(strategy.values()) == pytest.approx(1.0)
    assert move in strategy
    assert set(strategy) <= {"heads", "tails"}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("openspiel:bot=alphago", "no bot alphago"),
        ("openspiel:bot=nowhere:make", "cannot import nowhere:make"),
        ("openspiel:exploration=-1", "exploration"),
        ("openspiel:simulations=0", "simulations"),
    ],
)
def test_a_bot_that_is_not_there_is_refused(spec: str, message: str) -> None:
    with pytest.raises(veil.VeilError, match=message):
        veil.run_match("matching_pennies", {"even": spec, "odd": "random"})


def test_the_row_of_the_table_is_listed_without_openspiel() -> None:
    assert PLAYERS.usage("openspiel") == "openspiel:bot=ismcts,simulations=100,exploration=2.0,worlds=1"
