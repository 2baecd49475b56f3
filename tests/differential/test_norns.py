"""`norns` converges to the value of exact planning (`tests.reference.solvers.best_response`) in games of one role."""

from __future__ import annotations

import pytest

from tests.reference.resolver import all_worlds, follow, subgame, worlds_of_orders
from tests.reference.solvers import best_response, uniform_profile
from tests.support.games import game, remembering_naive
from tests.support.search_games import NEST
from veil.engine.record import Record
from veil.players.advice import ask_advice
from veil.players.contract import Seat

GAMES = ["exploding_bomb", "monty_hall", "silos", "mastermind(pegs=2, colours=3, guesses=2)", NEST]
FALSE_ALARM = "goals of 0 to 100 have a standard error of at most 50 / sqrt(20,000) = 0.35; 2 is more than five of them"


def plan(spec: str, rounds: int) -> tuple[str, tuple, dict[str, float]] | None:
    """Return role, record and exact values of all moves in one history of so many rounds; None without a choice."""
    slow = remembering_naive(spec)
    (role,) = (name for name in slow.roles if name != "random")
    histories = list(all_worlds(slow, rounds))
    if not histories:
        return None
    state, records = follow(slow, histories[len(histories) // 2])
    moves = slow.legal(state)[role]
    if len(moves) < 2:
        return None
    tree = subgame(slow, worlds_of_orders(slow, role, records[role], 1)[0])
    infoset, profile = (role, records[role]), uniform_profile(tree)

    def value(move: str) -> float:
        def choose(where: tuple, values: dict) -> str:
            return move if where == infoset else max(values, key=lambda other: values[other])

        return float(best_response(tree, profile, role, choose)[0])

    return role, records[role], {move: value(move) for move in moves}


@pytest.mark.parametrize("lanes", [False, True])
@pytest.mark.parametrize("spec", GAMES, ids=["bomb", "monty", "silos", "mastermind", "nest"])
def test_the_best_move_and_its_value_are_those_of_exact_planning(spec: str, lanes: bool) -> None:
    options = "iterations=20000" + (",max_nodes=1" if lanes else "")
    compared = 0
    for rounds in range(4):
        planned = plan(spec, rounds)
        if planned is None:
            continue
        role, record, values = planned
        best = max(values.values())
        answer = ask_advice(f"norns:{options}", Seat(game=game(spec), role=role, seed=1), Record(role, record))
        assert values[answer.move] == pytest.approx(best, abs=2.0), FALSE_ALARM
        assert answer.report["values"][answer.move] == pytest.approx(best, abs=2.0), FALSE_ALARM
        compared += 1
    assert compared
