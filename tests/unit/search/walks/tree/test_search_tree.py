"""Trees that a process keeps for later matches: which ones, and for whom."""

from __future__ import annotations

import pytest

from tests.support.games import game
from veil.caches import BoundedCache
from veil.engine import Game, GroundLimits
from veil.errors import VeilError
from veil.games import POINTS
from veil.search.walks.tree import search_tree
from veil.search.walks.tree.search_tree import expand_for_search


@pytest.fixture(autouse=True)
def two_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept yet, and two trees may be."""
    monkeypatch.setattr(search_tree, "_trees", BoundedCache(2))


def test_the_trees_that_were_asked_for_last_are_kept() -> None:
    kuhn, pennies, monty = (game(spec) for spec in ("kuhn_poker", "matching_pennies", "monty_hall"))
    first, second = expand_for_search(kuhn, 1000, None), expand_for_search(pennies, 1000, None)
    assert expand_for_search(kuhn, 1000, None) is first
    expand_for_search(monty, 1000, None)
    assert expand_for_search(kuhn, 1000, None) is first
    assert expand_for_search(pennies, 1000, None) is not second


def test_a_tree_is_for_one_utility_and_one_set_of_limits() -> None:
    kuhn = game("kuhn_poker")
    tree = expand_for_search(kuhn, 1000, None)
    in_points = expand_for_search(Game(kuhn.name, kuhn.rules, utility=POINTS), 1000, None)
    assert (tree.scale.zero, in_points.scale.zero) == (50, 0)
    narrow = Game(kuhn.name, kuhn.rules, GroundLimits(max_bytes=2**30), kuhn.utility)
    assert expand_for_search(narrow, 1000, None) is not tree


def test_a_tree_that_was_not_expanded_in_time_is_expanded_by_whoever_has_time() -> None:
    with pytest.raises(VeilError, match="not expanded"):
        expand_for_search(game("kuhn_poker"), 1000, 1e-9)
    assert len(expand_for_search(game("kuhn_poker"), 1000, None).flat.parent) > 50
