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


THREE = """\
(role a)
(role b)
(role c)
(init go)
(<= (legal ?p left) (role ?p))
(legal c right)
(legal b right)
(legal a right)
(<= (next over) (true go))
(<= (next odd) (does ?p left) (does ?q right) (does ?r right) (distinct ?q ?r))
(<= terminal (true over))
(<= (sees c hello) (does a left))
(<= (goal ?p 30) (role ?p) (true odd))
(<= (goal ?p 10) (role ?p) (not (true odd)))
"""


def test_a_game_of_three_roles_passes_the_test_of_openspiel() -> None:
    game = pyspiel.load_game(openspiel.register(THREE))
    assert game.num_players() == 3
    assert game.get_type().utility == pyspiel.GameType.Utility.IDENTICAL
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.compiled("slow as Python")
def test_a_game_that_lasts_longer_than_was_said_is_noticed_by_its_tensor() -> None:
    text = """\
(role a)
(init (at 1))
(legal a stay)
(legal a wait)
(legal a rest)
(legal a go)
(<= (next (at 2)) (does a go))
(<= (next (at 1)) (not (does a go)))
(<= terminal (true (at 2)))
(goal a 100)
"""
    state = pyspiel.load_game(openspiel.register(text, max_rounds=2)).new_initial_state()
    stay = state.string_to_action("stay")
    for _ in range(2):
        state.apply_action(stay)
    assert sum(state.information_state_tensor(0)) > 0
    state.apply_action(stay)
    with pytest.raises(pyspiel.SpielError, match="larger max_rounds"):
        state.information_state_tensor(0)


def test_what_is_not_supported_is_said_in_one_line() -> None:
    game = pyspiel.load_game(openspiel.register("kuhn_poker"))
    with pytest.raises(pyspiel.SpielError, match="made from its actions"):
        game.new_initial_state("first: start")
    with pytest.raises(pyspiel.SpielError, match="no parameters"):
        game.make_py_observer(None, {"x": 1})
