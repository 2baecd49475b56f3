"""Keys of families: guessed from a sample, corrected in lanes."""

from __future__ import annotations

import numpy as np
import pytest

import veil
from veil.boards.fluent_families import find_families, make_family
from veil.boards.keys import StateSample, confirm_keys, guess_keys, is_unique, sample_states


def keys_of(name: str, **families: list[set[int]]) -> None:
    """Hold the keys of these families of a game to what they must be."""
    game = veil.load(name)
    sample = sample_states(game, seed=0)
    found = find_families(game)
    guesses = [guess_keys(family, sample) for family in found]
    confirmed = confirm_keys(game, found, guesses, sample, games=2000, seed=0)
    keys = {family.name: sorted(map(sorted, own)) for family, own in zip(found, confirmed, strict=True)}
    assert {family: keys[family] for family in families} == {
        family: sorted(map(sorted, own)) for family, own in families.items()
    }


@pytest.mark.parametrize(
    ("name", "families"),
    [
        ("krieg_tictactoe", {"cell": [{0, 1}], "control": [set()], "tried": [{0, 1, 2}]}),
        ("kuhn_poker", {"holds": [{0}, {1}], "bet": [{0}]}),
        ("transit", {"at": [{0}]}),
    ],
)
def test_keys_are_the_smallest_places_that_name_one_fluent(name: str, families: dict[str, list[set[int]]]) -> None:
    keys_of(name, **families)


def test_a_guess_from_too_few_states_is_corrected() -> None:
    game = veil.load("krieg_tictactoe")
    first = np.flatnonzero(game.program.initial)
    held = game.program.initial.copy()
    one_state = StateSample(np.zeros(len(first), np.int64), first, 1, held)
    families = find_families(game)
    cell = next(family for family in families if family.name == "cell")
    assert guess_keys(cell, one_state) == [frozenset()]  # no mark at all: anything is a key
    (keys,) = confirm_keys(game, [cell], [[frozenset()]], one_state, games=5000, seed=1)
    assert keys == [frozenset({0, 1})]


def test_two_fluents_with_one_key_in_one_state_are_seen() -> None:
    family = make_family("at", 2, [("at", "x", "1"), ("at", "x", "2"), ("at", "y", "1")], range(3), [])
    states, members = np.array([0, 0, 1]), np.array([0, 1, 2])
    assert not is_unique(family, frozenset({0}), states, members)
    assert is_unique(family, frozenset({1}), states, members)
    assert is_unique(family, frozenset({0}), np.array([0, 1, 2]), members)  # in three states


def test_a_family_of_many_places_is_not_searched() -> None:
    terms = [("f", *map(str, range(9)))]
    family = make_family("f", 9, terms, [0], [])
    nothing = StateSample(np.zeros(0, np.int64), np.zeros(0, np.int64), 0, np.zeros(1, np.bool_))
    assert guess_keys(family, nothing) == [frozenset(range(9))]
