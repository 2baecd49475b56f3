"""`presumed_payoff` against slow presumed payoffs (`tests.reference.presumed_payoff`)."""

from __future__ import annotations

import pytest

from tests.reference.presumed_payoff import value_moves
from tests.support.games import game
from tests.support.subgames import list_decisions
from veil.engine.record import Record
from veil.players.advice import ask_advice
from veil.players.contract import Seat

POSITIONS = [
    ("kuhn_poker", 2),
    ("kuhn_poker", 3),
    ("frank_basin", 1),
    ("frank_basin", 2),
    pytest.param("leduc_poker", 2, marks=pytest.mark.nightly),
    ("ii_goofspiel(cards=3)", 1),
]


@pytest.mark.parametrize(("spec", "rounds"), POSITIONS)
def test_values_are_those_of_slow_presumed_payoffs(spec: str, rounds: int) -> None:
    compared = 0
    for role, _, told, tree in list_decisions(spec, rounds):
        expected = value_moves(tree, role, (role, told))
        seat = Seat(game=game(spec), role=role, seed=1)
        report = ask_advice("presumed_payoff:worlds=1000", seat, Record(role, told)).report
        assert report["complete"]
        assert report["values"] == pytest.approx({move: float(value) for move, value in expected.items()})
        compared += 1
    assert compared
