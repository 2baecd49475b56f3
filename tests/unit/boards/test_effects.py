"""What random games show about cells: the board of a mark, the board of a move."""

from __future__ import annotations

from collections import Counter

import numpy as np

import veil
from tests.support.games import load_in_words_of_rules
from veil.boards import ViewConfig, plan_views
from veil.boards.effects import find_clear_winner, sample_transitions


def test_steps_are_those_of_the_game() -> None:
    game = load_in_words_of_rules("kuhn_poker")
    steps = sample_transitions(game)
    assert len(steps.joint) == len(steps.before) == len(steps.after) > 50
    words = game.names.fluents
    for joint, before, after in list(zip(*steps, strict=True))[:20]:
        state = veil.State(game, frozenset(game.program.fluents[i] for i in np.flatnonzero(before)))
        following, _ = state.play(game.names.joint_words(joint))
        assert following.fluents == sorted(words[i] for i in np.flatnonzero(after))


def test_a_mark_lies_on_the_board_where_cells_change_with_it() -> None:
    plan = plan_views(load_in_words_of_rules("battleship(size=3, ships=1)"), ViewConfig(games=256))
    words = plan.game.names.fluents
    shots = [spot for fluent, spot in plan.spots.items() if words[fluent].startswith("(shot red")]
    homes = {plan.boards[spot.board].title for spot in shots}
    assert homes == {"cell blue"}  # `shot red` is what red has shot at


def test_only_a_clear_winner_wins() -> None:
    assert find_clear_winner(Counter({1: 8, 2: 2})) == 1
    assert find_clear_winner(Counter({1: 8, 2: 3})) is None
    assert find_clear_winner(Counter({1: 0})) is None
    assert find_clear_winner(Counter()) is None
