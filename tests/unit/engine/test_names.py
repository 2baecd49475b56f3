"""Moves and percepts, numbers to words and back."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from tests.support.refusals import refused
from veil.engine.lanes.machine import unpack
from veil.engine.names import Names


def id_of(names: Names, role: int, text: str) -> int:
    """The number of a move that there is."""
    move_id = names.move_id(role, text)
    assert move_id is not None
    return move_id


@pytest.mark.parametrize("spec", ["kuhn_poker", "krieg_tictactoe", "exploding_bomb"])
def test_every_move_is_found_by_its_name(spec: str) -> None:
    names = Names(game(spec))
    for role, moves in enumerate(names.moves):
        assert [names.move_id(role, move) for move in moves] == list(range(len(moves)))


@pytest.mark.parametrize("text", ["(mark 1 2)", "( MARK  1 2 )", "mark(1,2)", "\n(mark 1 2)\t"])
def test_a_move_may_be_spelled_in_any_way(text: str) -> None:
    names = Names(game("krieg_tictactoe"))
    assert names.moves[0][id_of(names, 0, text)] == "(mark 1 2)"


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
    arm, noop = id_of(names, 0, "(arm blue)"), id_of(names, 1, "noop")
    armed = machine.step(machine.initial_states(), np.array([[arm, noop]]))
    assert names.percept_words(1, armed.percepts[1][0]) == frozenset()
    asked = machine.step(armed.states, np.array([[id_of(names, 0, "noop"), id_of(names, 1, "ask")]]))
    assert unpack(asked.percepts[1], len(names.percepts[1])).sum() == 1
    assert names.percept_words(1, asked.percepts[1][0]) == {"blue"}


def test_few_rows_of_percepts_are_kept_and_the_others_are_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.engine.names.MAX_PERCEPT_SETS", 1)
    names = Names(game("krieg_tictactoe"))
    rows = [names.pack_percepts(0, [word]) for word in names.percepts[0][:2]]
    for row, word in 2 * list(zip(rows, names.percepts[0], strict=False)):
        assert row is not None
        assert names.percept_words(0, row) == {word}
        assert names.percept_words(0, row) is names.percept_words(0, row.copy())
    assert len(names._percept_sets) == 1


def test_words_of_the_rules_are_found_without_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(game("krieg_tictactoe"))
    monkeypatch.setattr("veil.engine.names.read_term", lambda text: pytest.fail(f"{text} is parsed"))
    assert names.move_id(0, "(mark 1 2)") == names.moves[0].index("(mark 1 2)")
    assert [names.percept_id(0, word) for word in names.percepts[0]] == list(range(len(names.percepts[0])))


def test_percepts_are_packed_and_read_back() -> None:
    names = Names(game("mastermind(pegs=3, colours=4, guesses=3)"))
    words = names.percepts[1]
    for chosen in ([], words[:1], words[1:4], words):
        row = names.pack_percepts(1, chosen)
        assert row is not None
        assert names.percept_words(1, row) == frozenset(chosen)
    assert names.pack_percepts(1, [words[0], "nothing_of_the_kind"]) is None
    large, small = names.pack_percepts(1, [words[0].upper()]), names.pack_percepts(1, words[:1])
    assert large is not None
    assert small is not None
    assert large.tolist() == small.tolist()


def test_roles_are_found_in_any_spelling_and_unknown_ones_refused() -> None:
    names = Names(game("exploding_bomb"))
    assert [names.role_id(role) for role in ("random", " AGENT ")] == [0, 1]
    assert names.roles == ["random", "agent"]
    refused("unknown-role", lambda: names.role_id("nobody"))


def test_joint_moves_legal_moves_and_fluents_have_words() -> None:
    names = Names(game("exploding_bomb"))
    arm, noop = id_of(names, 0, "(arm red)"), id_of(names, 1, "noop")
    assert names.joint_words(np.array([arm, noop])) == {"random": "(arm red)", "agent": "noop"}
    bits = np.zeros(len(names.moves[0]), bool)
    bits[[id_of(names, 0, "noop"), arm]] = True
    assert names.legal_words(0, bits) == ["(arm red)", "noop"]
    state = game("exploding_bomb").initial_state()
    assert set(state.fluents) <= set(names.fluents)
