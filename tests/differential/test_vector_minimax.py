"""`vector_minimax` against slow backward induction (`tests.reference.backward_induction`)."""

from __future__ import annotations

import pytest

from tests.reference.backward_induction import value_moves
from tests.support.games import game
from tests.support.subgames import list_decisions
from veil.engine.record import Record
from veil.players.advice import ask_advice
from veil.players.contract import Seat

POSITIONS = [("kuhn_poker", 2), ("kuhn_poker", 3), ("frank_basin", 1), ("frank_basin", 2), ("leduc_poker", 2)]


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize(("spec", "rounds"), POSITIONS)
@pytest.mark.parametrize("seeing", ["others", "me", "all", "none"])
def test_values_are_those_of_slow_backward_induction(spec: str, rounds: int, seeing: str) -> None:
    compared = 0
    for role, roles, told, tree in list_decisions(spec, rounds):
        sees = {name for name in roles if seeing == "all" or seeing == ("me" if name == role else "others")}
        expected = value_moves(tree, role, (role, told), sees)
        seat = Seat(game=game(spec), role=role, seed=1)
        report = ask_advice(f"vector_minimax:seeing={seeing},worlds=1000", seat, Record(role, told)).report
        assert report["complete"]
        assert report["values"] == pytest.approx({move: float(value) for move, value in expected.items()})
        compared += 1
    assert compared
