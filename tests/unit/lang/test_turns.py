"""Rules in which a fluent says who moves, and `legal` does not: found, told, and read as they were meant."""

from __future__ import annotations

import pytest

from tests.support.corpus import ROOT
from tests.support.refusals import refused
from veil.engine import load, write_statements
from veil.games import FAMILIES

# Two roles take one of three stones each in turn; a blocked stone may not be taken; who takes the last one wins.
STONES = """
role(ann). role(bob). init(control(ann)). stone(1). stone(2). stone(3). init(here(S)) :- stone(S).
next(control(bob)) :- true(control(ann)). next(control(ann)) :- true(control(bob)).
next(here(S)) :- true(here(S)), not taken(S). taken(S) :- does(R, take(S)), role(R).
next(last(R)) :- does(R, take(S)).
empty :- not some. some :- true(here(S)).
legal(R, take(S)) :- role(R), true(here(S)).
terminal :- empty.
goal(R, 100) :- true(last(R)), empty. goal(R, 0) :- role(R), not true(last(R)).
"""
SEEN = (
    STONES + "sees(R, gone(S)) :- role(R), stone(S), not left(S). left(S) :- true(here(S)). sees(R, X) :- turn(R, X)."
)
SEEN += " turn(R, yours) :- true(control(R))."


def codes(rules: str, **options: str) -> list[str]:
    return [entry.code for entry in load(rules, **options).readings]  # type: ignore[arg-type]


def test_as_written_all_move_at_once_and_a_note_says_so() -> None:
    game = load(STONES)
    assert codes(STONES) == ["turns-as-written"]
    assert game.readings[0].place is not None
    assert "legal(R, take(S))" in game.readings[0].place.text
    assert len(game.initial_state().legal("bob")) == 3


def test_with_turns_only_the_role_in_control_moves() -> None:
    game = load(STONES, turns="control")
    assert codes(STONES, turns="control") == ["turns-by-control"]
    state = game.initial_state()
    assert (len(state.legal("ann")), state.legal("bob")) == (3, ["noop"])
    state, _ = state.play({"ann": "(take 2)"})
    assert (state.legal("ann"), state.legal("bob")) == (["noop"], ["(take 1)", "(take 3)"])
    state, _ = state.play({"bob": "(take 1)"})
    state, _ = state.play({"ann": "(take 3)"})
    assert (state.is_terminal, state.goals) == (True, {"ann": 100, "bob": 0})


def test_without_sees_everybody_sees_the_state_that_is_reached() -> None:
    state, percepts = load(STONES, turns="control").initial_state().play({"ann": "(take 2)"})
    assert percepts["ann"] == percepts["bob"] == state.fluents


def test_percepts_are_of_the_state_that_is_reached_also_through_other_relations() -> None:
    """Written for GDL-II, they would be of the state before the round, and come one round late."""
    _, percepts = load(SEEN, turns="control").initial_state().play({"ann": "(take 2)"})
    assert percepts == {"ann": ["(gone 2)"], "bob": ["(gone 2)", "yours"]}


def test_the_text_of_the_game_says_the_same() -> None:
    """Other programs, and workers, are sent the rules as they are played."""
    game = load(SEEN, turns="control")
    again = load("\n".join(write_statements(game)))
    assert again.fingerprint == game.fingerprint
    assert again.readings == []


@pytest.mark.parametrize("name", ["tic_tac_toe", "krieg_tictactoe", "kuhn_poker", "matching_pennies"])
def test_rules_that_say_it_themselves_have_no_note_and_no_other_reading(name: str) -> None:
    assert codes(name) == []
    refused("bad-turns", lambda: load(name, turns="control"))


def test_no_bundled_game_has_the_note() -> None:
    for family in FAMILIES.values():
        assert "turns-as-written" not in codes(family.sizes()["small"])


@pytest.mark.skipif(not (ROOT / "infix").is_dir(), reason="no corpus; set VEIL_CORPUS")
@pytest.mark.parametrize(
    ("name", "first", "roles"),
    [("minipoker", "random", 3), ("phantom_connect_4_4_4_", "x", 2)],
)
def test_public_files_of_that_kind_are_games_with_turns(name: str, first: str, roles: int) -> None:
    path = ROOT / "infix" / f"pyggp-{name}.gdl"
    assert [entry.code for entry in load(path).readings] == ["turns-as-written"]
    state = load(path, turns="control").initial_state()
    assert len(state.game.roles) == roles
    for _ in range(2):
        choosing = [role for role in state.game.roles if state.legal(role) != ["noop"]]
        assert choosing == [first]
        state, percepts = state.play({first: state.legal(first)[0]})
        first = "bluffer" if name == "minipoker" else "o"
        if name == "minipoker":
            assert "(dealt black)" in percepts["bluffer"]  # before it has to say anything
            break
