"""Moves and percepts, numbers to words and back."""

from __future__ import annotations

import pytest

from tests.unit.match.tables import game
from veil.engine.lanes.machine import unpack
from veil.engine.names import Names


@pytest.mark.parametrize("spec", ["kuhn_poker", "krieg_tictactoe", "exploding_bomb"])
def test_every_move_is_found_by_its_name(spec: str) -> None:
    names = Names(game(spec))
    for role, moves in enumerate(names.moves):
        assert [names.move_id(role, move) for move in moves] == list(range(len(moves)))


@pytest.mark.parametrize("text", ["(mark 1 2)", "( MARK  1 2 )", "mark(1,2)", "\n(mark 1 2)\t"])
def test_a_move_may_be_spelled_in_any_way(text: str) -> None:
    names = Names(game("krieg_tictactoe"))
    assert names.moves[0][names.move_id(0, text)] == "(mark 1 2)"


@pytest.mark.parametrize(
    "text", ["", " ", "(mark 1 4)", "mark", "(arm red)", "(mark 1 1", "((", "(" * 50_000, "\x00", "?x", "a b", ";", "²"]
)
def test_what_is_no_move_of_the_role_has_no_number(text: str) -> None:
    assert Names(game("krieg_tictactoe")).move_id(0, text) is None


def test_a_move_of_another_role_has_no_number() -> None:
    names = Names(game("exploding_bomb"))
    assert names.move_id(0, "(arm red)") is not None
    assert names.move_id(1, "(arm red)") is None


def test_percepts_are_those_that_were_seen() -> None:
    bomb, names = game("exploding_bomb"), Names(game("exploding_bomb"))
    machine = bomb.machine
    arm, noop = names.move_id(0, "(arm blue)"), names.move_id(1, "noop")
    armed = machine.step(machine.initial_states(), [[arm, noop]])
    assert names.percept_words(1, armed.percepts[1][0]) == frozenset()
    asked = machine.step(armed.states, [[names.move_id(0, "noop"), names.move_id(1, "ask")]])
    assert unpack(asked.percepts[1], len(names.percepts[1])).sum() == 1
    assert names.percept_words(1, asked.percepts[1][0]) == {"blue"}
