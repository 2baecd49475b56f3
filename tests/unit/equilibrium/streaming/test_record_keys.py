"""The infosets of a walk, found by keys: those of the tree, one below the other as there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.equilibrium_games import prepared
from veil.engine import as_game
from veil.equilibrium import SearchedInfosets, prepare_walk

KUHN = "kuhn_poker"
GAMES = ["monty_hall", KUHN, "leduc_poker", "dark_hex(2, abrupt)", "ii_goofspiel(3)", "banker_and_thief"]


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("name", GAMES)
def test_a_walk_has_the_infosets_of_the_tree_below_one_another(name: str) -> None:
    tree, flat = prepared(name).tree, prepared(name).tree.flat
    on_tree, walked = SearchedInfosets(prepared(name)), SearchedInfosets(prepare_walk(as_game(name)))
    for role in range(len(tree.roles)):
        keys = flat.infoset_key[flat.role_start[role] : flat.role_start[role + 1]]
        ours, theirs = walked.find(role, keys), on_tree.find(role, keys)
        assert sorted(ours) == sorted(theirs)  # the role's infosets, each once
        first, last = walked._index.first[ours], walked._index.last[ours]
        expected_first, expected_last = on_tree._index.first[theirs], on_tree._index.last[theirs]
        assert (last - first == expected_last - expected_first).all()
        inside = (first[:, None] >= first) & (first[:, None] < last)
        expected = (expected_first[:, None] >= expected_first) & (expected_first[:, None] < expected_last)
        assert (inside == expected).all()


def test_a_move_that_an_infoset_does_not_have_is_an_error() -> None:
    walk = prepare_walk(as_game(KUHN))
    searched = SearchedInfosets(walk)
    found = searched._index.find_slots(np.array([0, 0, 0]), np.array([0, 1, 999]))
    assert found[2] == -1
    assert set(found[:2]) <= {-1, 0, 1}
