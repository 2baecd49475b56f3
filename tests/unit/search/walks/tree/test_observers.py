"""The single observer: which statistics are shared, and that walks on them go where the others go."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.games import game
from veil.search.walks.contract import BanditRule
from veil.search.walks.tree.bandit_walker import BanditTreeWalker
from veil.search.walks.tree.observers import single_observer_view
from veil.search.walks.tree.records import FIRST_CHILD, FIRST_SLOT, MOVER, NUM_CHILDREN
from veil.search.walks.tree.search_tree import expand_for_search

MANY = 1_000_000


def test_own_infosets_keep_their_slots_and_others_are_named_by_what_the_role_was_told() -> None:
    """Kuhn poker: the first role cannot tell the second one's cards apart; it holds one of three cards."""
    tree = expand_for_search(game("kuhn_poker"), MANY, None)
    seen, tables = single_observer_view(tree, 0)
    mover = seen.nodes[:, MOVER]
    assert (seen.nodes[mover == 0] == tree.walk_tree.nodes[mover == 0]).all()
    others = seen.nodes[mover == 1, FIRST_SLOT]
    assert len(np.unique(others)) == 3 * 2  # cards of the first role, after bet and after pass
    assert others.min() >= tree.flat.num_slots
    assert len(tables.numbers) == tree.flat.num_slots + 3 * 2 * 2


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("spec", ["leduc_poker", "ii_goofspiel(cards=4)", "liars_dice"])
def test_a_slot_stands_for_one_move_of_one_group(spec: str) -> None:
    tree = expand_for_search(game(spec), MANY, None)
    seen, tables = single_observer_view(tree, 1)
    edges = np.flatnonzero(tree.flat.slot >= 0)
    above = tree.flat.parent[edges]
    meaning: dict[int, tuple[int, int, int]] = {}
    for edge, node in zip(edges.tolist(), above.tolist(), strict=True):
        entry = (int(seen.nodes[node, FIRST_SLOT]), int(seen.nodes[node, MOVER]), int(tree.flat.move[edge]))
        assert meaning.setdefault(int(seen.slot[edge]), entry) == entry
    assert len(set(meaning.values())) == len(meaning) <= len(tables.numbers)


@pytest.mark.compiled("slow as Python")
def test_hands_that_the_role_does_not_see_share_statistics_and_count_what_was_available() -> None:
    """II Goofspiel: in the second round the opponent's hand is hidden, and its moves differ between the nodes."""
    tree = expand_for_search(game("ii_goofspiel(cards=4)"), MANY, None)
    walker = BanditTreeWalker(tree, BanditRule(observer="single"), 0)
    walker.run(20_000, np.random.default_rng(1))
    tables, nodes = walker.tables, walker.walk_tree.nodes
    visits, available = tables.numbers[:, 2], tables.available
    assert (available >= visits).all()
    decides = nodes[:, FIRST_SLOT] >= tree.flat.num_slots
    groups: dict[int, set[tuple[int, ...]]] = {}
    for node in np.flatnonzero(decides).tolist():
        first, count = nodes[node, FIRST_CHILD], nodes[node, NUM_CHILDREN]
        slots = tuple(walker.walk_tree.slot[first : first + count].tolist())
        groups.setdefault(int(nodes[node, FIRST_SLOT]), set()).add(slots)
    differing = [slots for slots in groups.values() if len(slots) > 1]
    assert differing
    assert any(visits[slot] > 0 and available[slot] > visits[slot] for many in differing for slot in next(iter(many)))


def test_only_own_infosets_are_known() -> None:
    tree = expand_for_search(game("kuhn_poker"), MANY, None)
    walker = BanditTreeWalker(tree, BanditRule(observer="single"), 0)
    walker.run(1000, np.random.default_rng(1))
    known = np.flatnonzero(walker.tables.is_known[tree.flat.slot_start[:-1]])
    assert set(known.tolist()) == set(range(int(tree.flat.role_start[1])))
