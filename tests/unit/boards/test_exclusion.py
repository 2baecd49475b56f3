"""Groups of fluents that exclude each other, watched in lanes: against every reachable state, and at its limits."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import veil
from tests.reference.exclusion import find_companions
from veil.boards import watch_exclusion


@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall"])
def test_what_many_games_show_is_what_all_states_show(name: str) -> None:
    """Every reachable state of these games has probability 1/100 or more: 20,000 games miss none of them, ever."""
    game = veil.load(name)
    pairs = list(combinations(range(len(game.program.fluents)), 2))
    seen = watch_exclusion(game.machine, [np.array(pair) for pair in pairs], 20_000, seed=1)
    words = game.names.fluents
    together = {frozenset(words[i] for i in pair) for pair, broken in zip(pairs, seen.broken, strict=True) if broken}
    assert together == find_companions(game)
    assert seen.games >= 20_000


def test_watching_ends_when_every_group_is_broken() -> None:
    game = veil.load("tic_tac_toe")
    words = game.names.fluents
    group = np.array([words.index("(cell 1 1 xplayer)"), words.index("(cell 2 2 xplayer)")])
    seen = watch_exclusion(game.machine, [group], 10**9, seed=1)
    assert seen.broken.tolist() == [True]
    assert seen.games < 10**5


def test_a_deadline_ends_it_after_the_first_block() -> None:
    game = veil.load("tic_tac_toe")
    seen = watch_exclusion(game.machine, [np.array([0])], 10**9, seed=1, deadline=0.0)
    assert not seen.broken.any()
    assert 0 < seen.games < 10**5


def test_games_without_an_end_are_watched_for_a_while_and_not_for_ever() -> None:
    rules = """(role x) (init (at 1)) (succ 1 2) (succ 2 1) (<= (legal x go) (role x)) (goal x 0)
    (<= (next (at ?n)) (true (at ?m)) (succ ?m ?n)) (<= terminal (true (at 3)))"""
    game = veil.load(rules)
    seen = watch_exclusion(game.machine, [np.arange(2)], 1000, seed=1)
    assert (seen.games, seen.broken.tolist()) == (0, [False])
