"""Presumed payoffs: what a defender who does not know the world may concede, worked out by hand."""

from __future__ import annotations

import pytest

from tests.support.games import game
from tests.support.search_games import GUESS
from veil.engine.record import parse_record
from veil.players.advice import ask_advice
from veil.players.contract import Seat

# I attack high, low or not at all; you guard a place. Nobody hides anything. Against `high` one of three guards loses,
# against `low` two of three; against the best guard both attacks lose.
ATTACK = """
(role me) (role you)
(init (step 1))
(attack high) (attack low) (attack never)
(guard one) (guard two) (guard three)
(<= (legal me ?a) (true (step 1)) (attack ?a))
(<= (legal me noop) (true (step 2)))
(<= (legal you noop) (true (step 1)))
(<= (legal you ?g) (true (step 2)) (guard ?g))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (chose ?a)) (does me ?a) (attack ?a))
(<= (next (chose ?a)) (true (chose ?a)))
(<= (next (guarded ?g)) (does you ?g) (guard ?g))
(<= terminal (true (step 3)))
(<= through (true (chose high)) (true (guarded one)))
(<= through (true (chose low)) (true (guarded one)))
(<= through (true (chose low)) (true (guarded two)))
(<= (goal me 100) through)
(<= (goal me 10) (true (chose never)))
(<= (goal me 0) (not through) (not (true (chose never))))
(<= (goal you 0) through)
(<= (goal you 90) (true (chose never)))
(<= (goal you 100) (not through) (not (true (chose never))))
"""


def test_a_bluff_is_presumed_to_work_half_of_the_time() -> None:
    """The guesser does not know the colour: in every world one guess of two is right."""
    of = game(GUESS)
    seat = Seat(game=of, role="chooser", seed=1)
    report = ask_advice("presumed_payoff", seat, parse_record("chooser", "noop"))
    assert report.report["values"] == {"(offer gamble)": pytest.approx(50.0), "(offer sure)": pytest.approx(40.0)}
    assert report.move == "(offer gamble)"


def test_what_loses_against_the_best_defence_is_worth_what_defenders_may_concede() -> None:
    of = game(ATTACK)
    report = ask_advice("presumed_payoff", Seat(game=of, role="me", seed=1), parse_record("me", "start"))
    wanted = {"high": pytest.approx(100 / 3), "low": pytest.approx(200 / 3), "never": pytest.approx(10.0)}
    assert report.report["values"] == wanted
    assert report.move == "low"
