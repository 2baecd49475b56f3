"""`presumed_payoff` against slow presumed payoffs (`tests.reference.presumed_payoff`)."""

from __future__ import annotations

import pytest

from tests.reference.presumed_payoff import value_moves
from tests.reference.resolver import all_worlds, follow, subgame, worlds_of_orders
from tests.support.games import game, remembering_naive
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
    slow = remembering_naive(spec)
    roles = [role for role in slow.roles if role != "random"]
    histories = list(all_worlds(slow, rounds))
    compared = 0
    for role in roles:
        state, records = follow(slow, histories[len(histories) // 2])
        if len(slow.legal(state)[role]) < 2:
            continue
        tree = subgame(slow, worlds_of_orders(slow, role, records[role], 1)[0])
        expected = value_moves(tree, role, (role, records[role]))
        seat = Seat(game=game(spec), role=role, seed=1)
        report = ask_advice("presumed_payoff:worlds=1000", seat, Record(role, records[role])).report
        assert report["complete"]
        assert report["values"] == pytest.approx({move: float(value) for move, value in expected.items()})
        compared += 1
    assert compared
