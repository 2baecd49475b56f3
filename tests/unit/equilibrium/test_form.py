"""The sequence form, looked at by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.reference.gametree import literal_tree, matrix_game
from tests.support.equilibrium_games import prepared
from tests.support.flat_trees import flatten
from tests.support.games import OVER_AT_THE_START
from veil.equilibrium.form import fold_tree
from veil.equilibrium.response import evaluate_profile

PENNIES = matrix_game({"heads": {"h": (1, -1), "t": (-1, 1)}, "tails": {"h": (-1, 1), "t": (1, -1)}})


def test_matching_pennies_are_these_entries() -> None:
    form = flatten(PENNIES).form
    assert form.role_slots.tolist() == [0, 2, 4]
    assert form.infoset_before.tolist() == [4, 5]  # both follow the empty sequences
    assert form.row_start.tolist() == [0, 2, 4, 6, 8, 8, 8]
    assert form.weight.tolist() == [1, -1, -1, 1, -1, 1, 1, -1]
    assert form.others.tolist() == [[2, 3, 2, 3, 0, 1, 0, 1]]
    assert (form.num_slots, form.num_roles) == (4, 2)
    assert (form.role_range(0), form.role_range(1)) == (slice(0, 2), slice(2, 4))


def test_terminals_that_only_chance_tells_apart_become_one_entry() -> None:
    toss = ("random", {"x": (8, 0), "y": (0, 4)}, {"x": 0.25, "y": 0.75})
    form = flatten(literal_tree(["row", "column"], ("row", "only", {"toss": toss, "stop": (5, 5)}))).form
    assert form.row_start.tolist() == [0, 1, 2, 2, 4]
    assert form.weight.tolist() == [2, 5, 3, 5]
    assert form.others.tolist() == [[3, 3, 0, 1]]


def test_an_infoset_follows_the_last_own_move_and_not_the_last_one_of_others() -> None:
    later = ("ann", "later", {"x": (1, 0), "y": (2, 0)})
    answer = ("bob", "answer", {"l": later, "r": (3, 0)})
    flat = flatten(literal_tree(["ann", "bob"], ("ann", "first", {"go": answer, "stop": (0, 0)})))
    before = flat.form.infoset_before.tolist()
    assert before == [6, flat.slots[("ann", "first"), "go"], 7]


def test_empty_sequences_hold_what_a_role_cannot_change() -> None:
    flat = flatten(literal_tree(["ann", "bob"], ("ann", "only", {"a": (1, 7), "b": (2, 8)})))
    assert flat.form.role_slots.tolist() == [0, 2, 2]
    assert evaluate_profile(flat.form, np.array([0.5, 0.5])).value.tolist() == [1.5, 7.5]
    assert evaluate_profile(flat.form, np.array([0.5, 0.5])).best_value.tolist() == [2, 7.5]


def test_a_game_that_is_over_at_the_start_is_one_entry_per_role() -> None:
    form = prepared(OVER_AT_THE_START).form
    assert form.weight.tolist() == [30, 70]
    assert (form.num_slots, form.num_roles) == (0, 2)
    assert evaluate_profile(form, np.zeros(0)).value.tolist() == [30, 70]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "monty_hall"])
def test_infosets_come_after_the_moves_they_follow(name: str) -> None:
    form = prepared(name).form
    owner = np.repeat(np.arange(len(form.infoset_before)), np.diff(form.slot_start))
    for infoset, before in enumerate(form.infoset_before):
        assert before >= form.num_slots or owner[before] < infoset


def test_entries_are_far_fewer_than_terminals_where_moves_are_hidden() -> None:
    """Kuhn: both cards are known to one role each, so nothing is added up; Monty Hall: the car is nobody's."""
    kuhn, monty = prepared("kuhn_poker"), prepared("monty_hall")
    assert len(kuhn.form.weight) == 2 * 30
    assert len(monty.form.weight) < 24
    assert kuhn.form.nbytes == sum(array.nbytes for array in kuhn.form)


def test_folding_leaves_the_tree_as_it_was() -> None:
    tree = prepared("kuhn_poker").tree.flat
    copies = [array.copy() for array in tree]
    fold_tree(tree)
    assert all(np.array_equal(before, after) for before, after in zip(copies, tree, strict=True))
