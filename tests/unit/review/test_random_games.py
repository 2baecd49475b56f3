"""Random games with everything noted, against the same questions asked one state at a time."""

import numpy as np
import pytest

import veil
from veil.engine.lanes import unpack
from veil.review.random_games import play_random_games, tally_random_games


@pytest.mark.parametrize("name", ["kuhn_poker", "krieg_tictactoe", "monty_hall"])
def test_rounds_are_those_of_the_rules(name):
    game = veil.load(name)
    names = game.names
    for part in play_random_games(game, 3, 1, 50):
        for row in range(len(part.states)):
            fluents = {names.fluents[i] for i in np.flatnonzero(unpack(part.states, len(names.fluents))[row])}
            state = _state_of(game, fluents)
            assert state.is_terminal == (part.joint is None)
            for role_id, role in enumerate(game.roles):
                legal = [names.moves[role_id][move] for move in np.flatnonzero(part.legal[role_id][row])]
                assert sorted(legal) == state.legal(role)
            if part.joint is not None and part.next_states is not None:
                following, _ = state.play(names.joint_words(part.joint[row]))
                bits = unpack(part.next_states, len(names.fluents))[row]
                assert {names.fluents[i] for i in np.flatnonzero(bits)} == set(following.fluents)


def _state_of(game, fluents):
    by_word = dict(zip(game.names.fluents, game.program.fluents, strict=True))
    return veil.State(game, frozenset(by_word[word] for word in fluents))


def test_a_tally_adds_up_what_games_show():
    game = veil.load("monty_hall")
    tally = tally_random_games(game, 500, 0, 50)
    assert tally.ended == tally.games == 500
    assert set(tally.lengths) == {3}
    contestant = game.names.role_id("contestant")
    assert tally.was_legal[contestant].all()
    assert {int(row[contestant]) for row in tally.goals} == {0, 100}
    assert tally.branching(contestant).value == 2.5  # one of three doors, then switch or not


def test_a_game_that_does_not_end_is_cut():
    text = "(role a) (init (n 1)) (legal a go) (<= (next (n 1)) (true (n 1))) (<= terminal (true (n 2))) (goal a 0)"
    tally = tally_random_games(veil.load(text), 10, 0, 20)
    assert (tally.ended, tally.games) == (0, 10)
