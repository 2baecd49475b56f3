"""Rules as text for others, and games in which everybody sees all moves."""

from __future__ import annotations

import pytest

import veil
from veil.engine.rules_text import has_percepts, open_moves, write_statements

GDL1 = """
(role red) (role blue) (init (n 1)) (succ 1 2) (succ 2 3)
(<= (legal ?r goUp) (role ?r))
(<= (legal ?r Stay) (role ?r))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= (next (up ?r)) (does ?r goUp))
(<= terminal (true (n 3)))
(<= (goal ?r 100) (true (up ?r)))
(<= (goal ?r 0) (role ?r) (not (true (up ?r))))
"""
INFIX = """
role(white). init(step(1)). legal(white, (noop)). succ(1, 2).
next(step(Y)) :- true(step(X)), succ(X, Y).
terminal :- true(step(2)).
goal(white, 100).
"""


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "leduc_poker", "racko", GDL1, INFIX], ids=lambda name: name[:12].strip()
)
def test_written_rules_are_the_same_game(name: str) -> None:
    game = veil.load(name)
    statements = write_statements(game)
    assert veil.load("\n".join(statements)).fingerprint == game.fingerprint
    assert not any("\n" in statement or ";" in statement for statement in statements)


def test_words_are_spelled_as_the_rules_spell_them() -> None:
    assert "(<= (legal ?r goUp) (role ?r))" in write_statements(veil.load(GDL1))


def test_in_an_open_game_every_role_sees_the_moves_of_all_others() -> None:
    game = veil.load(GDL1)
    opened = open_moves(game)
    assert (has_percepts(game), has_percepts(opened)) == (False, True)
    state, seen = opened.initial_state().play({"red": "goUp", "blue": "Stay"})
    assert seen == {"red": ["(played blue Stay)"], "blue": ["(played red goUp)"]}
    assert state.fluents == game.initial_state().play({"red": "goUp", "blue": "Stay"})[0].fluents


def test_an_open_game_tells_nothing_else() -> None:
    opened = open_moves(veil.load("kuhn_poker"))
    _, seen = opened.initial_state().play({"random": "(deal king)"})
    assert seen["first"] == ["(played random (deal king))", "(played second noop)"]
    assert opened.name == "kuhn_poker"
