"""The laboratory's players: what counts as equal, and that the table knows them."""

from __future__ import annotations

import numpy as np

from tests.support.games import game
from veil.players import PLAYERS
from veil.search import SearchTask, answer_by_values
from veil_lab.tried_players import MixedConfig, mix_moves


def test_moves_within_the_margin_are_as_good_as_the_best() -> None:
    answer = answer_by_values(np.arange(3), np.array([50.0, 44.0, 46.0]), np.ones(3), playouts=1, states_visited=1)
    assert mix_moves(answer, 5.0).strategy.tolist() == [0.5, 0, 0.5]
    assert mix_moves(answer, 0.0).strategy.tolist() == [1, 0, 0]


def test_the_margin_of_mix_is_a_share_of_the_span_of_goals() -> None:
    """The worst and the best goal of Kuhn poker are 48 and 52: a share of 0.5 are two points."""
    task = SearchTask(game("kuhn_poker"), 1, 0)
    assert MixedConfig(mix=0.5).searcher(task).margin == 2.0


def test_the_table_of_players_has_them() -> None:
    assert PLAYERS.parse("hyperplay_mixed:models=7,mix=0.25").config == MixedConfig(models=7, mix=0.25)
