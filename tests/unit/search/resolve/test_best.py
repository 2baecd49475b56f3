"""`best` chooses by the kind and the size of the game, and says what it did."""

from __future__ import annotations

import pytest

from tests.support.equilibrium_games import THREE_VOTE
from tests.support.games import game
from veil.engine.record import parse_record
from veil.players.advice import ask_advice
from veil.players.contract import Seat

SMALL = "best:nodes=500,iterations=20,worlds=20"


@pytest.mark.parametrize(
    ("spec", "role", "player", "method"),
    [
        ("matching_pennies", "even", "best", "solved"),
        ("prisoners_dilemma", "first", "best", "self-play on the tree"),
        (THREE_VOTE, "ann", "best", "self-play on the tree"),
        ("krieg_tictactoe", "xplayer", SMALL, "resolve"),
        (THREE_VOTE, "ann", "best:whole=3", "ismcts"),
        ("number_guessing(max=4,turns=3)", "guesser", "best:whole=3", "hyperplay2"),
    ],
)
def test_the_report_names_the_method(spec: str, role: str, player: str, method: str) -> None:
    of = game(spec)
    who = role if role in of.roles else next(name for name in of.roles if name != "random")
    record = parse_record(who, "start" if spec.partition("(")[0] != "number_guessing" else "noop")
    assert ask_advice(player, Seat(game=of, role=who, seed=1), record).report["method"] == method


def test_betting_the_queen_in_kuhn_poker_is_a_mistake() -> None:
    """It never gains: a worse card folds, a better one calls (Kuhn 1950). Against random play it looks good."""
    seat, queen = Seat(game=game("kuhn_poker"), role="first", seed=1), parse_record("first", "noop: (card queen); noop")
    found = ask_advice("best", seat, queen).report
    assert found["method"] == "solved"
    assert found["values"]["pass"] - found["values"]["bet"] > 0.1
    assert found["strategy"]["bet"] < 0.01
    naive = ask_advice("hyperplay", seat, queen).report["values"]
    assert naive["bet"] > naive["pass"]
