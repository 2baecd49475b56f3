"""Beliefs that hold under an assumption about the others: they move at random, like `best`, or in equilibrium."""

from __future__ import annotations

import pytest

import veil
from tests.support.games import game
from tests.support.refusals import problem_of
from veil.engine.record import parse_record
from veil.search import ASSUMPTIONS, assume_opponents, choose_assumption, describe_assumption
from veil.search.opponents.best import BestOpponents

PASSED_THEN_BET = parse_record("first", "noop: (card queen); noop; pass; noop: (played second bet)")


def king_share(opponents: object) -> float:
    """How sure first, who has a queen, has passed and sees a bet, is that second has the king."""
    bag = veil.believe(game("kuhn_poker"), PASSED_THEN_BET, opponents=opponents)  # type: ignore[arg-type]
    return bag.marginals()["(holds second king)"]


@pytest.mark.parametrize("opponents", ["best", "equilibrium"])
def test_a_bet_is_a_king_three_times_in_four_where_the_others_are_rational(opponents: str) -> None:
    """Kuhn (1950): second bets every king and every third jack after a pass. With 1 % of uniform play."""
    king, jack = 0.99 + 0.005, 0.99 / 3 + 0.005
    assert king_share(opponents) == pytest.approx(king / (king + jack), abs=0.02)


def test_a_bet_says_nothing_where_the_others_move_at_random() -> None:
    assert king_share("random") == king_share("uniform") == king_share(None) == pytest.approx(0.5)
    assert veil.believe(game("kuhn_poker"), PASSED_THEN_BET).marginals()["(holds second king)"] == pytest.approx(0.5)


def test_the_game_decides_the_usual_assumption() -> None:
    assert choose_assumption(game("kuhn_poker")) == "best"
    assert choose_assumption(game("krieg_tictactoe")) == "random"


def test_each_assumption_is_told_in_words() -> None:
    assert [describe_assumption(name) for name in ASSUMPTIONS] == [
        "if the others move at random",
        "if the others play like `best`",
        "if the others play the equilibrium",
    ]
    assert describe_assumption("uniform") == describe_assumption("random")
    assert describe_assumption("hyperplay") == "if the others are hyperplay"


def test_a_wrong_name_is_refused_and_so_is_the_equilibrium_of_a_large_game() -> None:
    assert problem_of(lambda: assume_opponents("optimal", game("kuhn_poker"))).code == "unknown-opponent"
    assert problem_of(lambda: assume_opponents("equilibrium", game("krieg_tictactoe"))).code == "tree-too-large"


def test_without_the_whole_tree_records_are_searched_as_far_as_the_work_goes() -> None:
    """Second decides once in this record, with a jack or a king."""
    few, many = (assume_opponents(f"best:whole=3,nodes=40,searches={number}", game("kuhn_poker")) for number in (1, 8))
    assert isinstance(few, BestOpponents)
    assert isinstance(many, BestOpponents)
    assert few.past is many.past is None
    assert king_share(many) > 0.55
    assert king_share(few) > 0.0
    assert (few.left, many.left) == (0, 6)
    assert 0 < few.states_visited < many.states_visited
