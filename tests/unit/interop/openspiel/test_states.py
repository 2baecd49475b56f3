"""States and games as OpenSpiel sees them."""

from __future__ import annotations

import pytest

from veil.interop import openspiel

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra `peers`)")


def test_a_state_says_what_holds_and_what_was_chosen_in_the_round() -> None:
    state = pyspiel.load_game(openspiel.register("simple_poker")).new_initial_state()
    state.apply_action(0)
    assert str(state).startswith("round 1: ")
    state = pyspiel.load_game(openspiel.register("matching_pennies")).new_initial_state()
    state.apply_action(1)
    assert str(state).endswith(" > tails")
    assert state.current_player() == 1
    assert state.action_to_string(0) == "heads"
    assert state.string_to_action("tails") == 1


def test_actions_are_the_numbers_of_moves_in_the_ground_program() -> None:
    game = pyspiel.load_game(openspiel.register("kuhn_poker"))
    moves = game.game.names.moves
    assert game.num_distinct_actions() == max(len(moves[1]), len(moves[2]))
    assert game.max_chance_outcomes() == len(moves[0])
    state = game.new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        moves[0][action] for action in state.legal_actions()
    ]


def test_what_is_not_supported_is_said_in_one_line() -> None:
    game = pyspiel.load_game(openspiel.register("kuhn_poker"))
    with pytest.raises(pyspiel.SpielError, match="made from its actions"):
        game.new_initial_state("first: start")
    with pytest.raises(pyspiel.SpielError, match="no parameters"):
        game.make_py_observer(None, {"x": 1})
