"""Perfect-information search in every world: what it gets right, and the mistake it is known for."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from tests.support.search_games import ASKED, BOMB, MONTY, bag_after, in_words
from veil.search.playouts.pimc import Forest


def grown(spec: str, role: str, record: tuple = (), iterations: int = 200, seed: int = 0) -> Forest:
    of = game(spec)
    bag = bag_after(spec, role, record)
    forest = Forest(of.machine, of.roles.index(role), bag, np.random.default_rng(seed))
    forest.grow(iterations)
    return forest


def pimc(spec: str, role: str, record: tuple = (), iterations: int = 200, seed: int = 0) -> dict[str, float]:
    return in_words(game(spec), role, grown(spec, role, record, iterations, seed).answer())


def test_in_every_world_the_right_wire_is_known_so_that_asking_only_costs() -> None:
    """Strategy fusion: waiting is worth 50 and looks like 100, asking is worth 90. Exploration takes a part of both."""
    values = pimc("exploding_bomb", "agent", BOMB, 1000)
    assert 90 < values["wait"] <= 100
    assert 75 < values["ask"] <= 90


def test_where_nothing_comes_after_the_decision_values_are_exact() -> None:
    assert pimc("monty_hall", "contestant", MONTY) == pytest.approx({"noop": 100 / 3, "switch": 200 / 3})
    assert pimc("exploding_bomb", "agent", ASKED) == {"(cut red)": 90, "(cut blue)": 0}


def test_the_same_seed_gives_the_same_values_and_another_seed_others() -> None:
    first, again, other = (pimc("ii_goofspiel(cards=3)", "first", (), 30, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_search_looks_for_a_win_in_two_moves() -> None:
    """x has two in a row, and o cannot know: in most worlds the third cell is free and wins at once."""
    told = (
        ("(mark 2 2)", frozenset({"marked"})),
        ("noop", frozenset({"your_turn"})),
        ("(mark 1 1)", frozenset({"marked"})),
        ("noop", frozenset({"your_turn"})),
    )
    values = pimc("krieg_tictactoe", "xplayer", told, 60)
    assert max(values, key=values.__getitem__) == "(mark 3 3)"


def test_what_it_costs_is_counted() -> None:
    """Two worlds; an iteration counts as a playout, even where the game has ended and nothing is visited any more."""
    forest = grown("exploding_bomb", "agent", BOMB, 50)
    assert forest.playouts == forest.answer().playouts == 50 * 2
    assert 0 < forest.states_visited < 3 * 50 * 2
    assert forest.visits().tolist() == [50, 50]
