"""The whole game in flat arrays: counts, order, refusals."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from tests.support.equilibrium_games import (
    EDGE_AFTER_HEADS,
    FORCED_BY_THE_COIN,
    GUESS,
    NO_PLAYERS,
    PASS_AFTER_HEADS,
    STUCK_AFTER_HEADS,
    THREE_VOTE,
    prepared,
)
from tests.support.games import OVER_AT_THE_START
from tests.support.refusals import refused
from veil import load
from veil.equilibrium.tree import count_levels, expand, find_constant_sum, measure_depth
from veil.equilibrium.tree_records import CHANCE


@pytest.mark.parametrize(
    ("name", "nodes", "infosets"),
    [
        # 1 + 3 + 6 ways to deal and 8 more nodes after each deal; 3 cards, 2 situations for each of the roles
        ("kuhn_poker", 1 + 3 + 6 + 6 * 8, 12),
        # OpenSpiel 2.0.2, leduc_poker: every history counted
        ("leduc_poker", 9457, 936),
    ],
)
def test_poker_games_have_the_size_that_is_known(name: str, nodes: int, infosets: int) -> None:
    counts = prepared(name).tree.counts()
    assert counts["nodes"] == nodes
    assert sum(cast("dict[str, int]", counts["infosets"]).values()) == infosets


def test_a_coin_and_a_guess_are_counted_by_hand() -> None:
    counts = expand(load(GUESS)).counts()
    del counts["bytes"], counts["seconds"]
    assert counts == {
        "nodes": 7,
        "terminals": 4,
        "chance_nodes": 1,
        "depth": 2,
        "infosets": {"ann": 1},
        "slots": {"ann": 2},
    }


def test_a_coin_and_a_guess_are_these_arrays() -> None:
    flat = expand(load(GUESS)).flat
    assert flat.parent.tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert flat.slot.tolist() == [CHANCE, CHANCE, CHANCE, 0, 1, 0, 1]
    assert flat.chance_prob.tolist() == [1.0, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0]
    assert flat.utility.tolist() == [[0], [0], [0], [100], [10], [10], [100]]
    assert (flat.slot_start.tolist(), flat.role_start.tolist()) == ([0, 2], [0, 1])
    assert (flat.infoset_node.tolist(), flat.infoset_round.tolist()) == ([1], [1])
    assert flat.num_slots == 2
    assert flat.num_children.tolist() == [2, 2, 2, 0, 0, 0, 0]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "monty_hall", "ii_goofspiel(cards=3)", "frank_basin"])
def test_parents_come_before_children_and_siblings_stand_side_by_side(name: str) -> None:
    flat = prepared(name).tree.flat
    assert (flat.parent[1:] < np.arange(1, len(flat.parent))).all()
    changes = np.flatnonzero(np.diff(flat.parent[1:])) + 1
    assert len(np.unique(flat.parent[1:])) == len(changes) + 1
    assert (np.diff(flat.slot_start) > 1).all()
    for first, last in zip(flat.role_start[:-1], flat.role_start[1:], strict=True):
        assert (np.diff(flat.infoset_round[first:last]) >= 0).all()
    chance_sums = np.bincount(flat.parent[1:], flat.chance_prob[1:] * (flat.slot[1:] == CHANCE))
    assert chance_sums[chance_sums > 0] == pytest.approx(1)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "monty_hall"])
def test_infosets_of_a_role_have_different_keys(name: str) -> None:
    flat = prepared(name).tree.flat
    for first, last in zip(flat.role_start[:-1], flat.role_start[1:], strict=True):
        assert len(np.unique(flat.infoset_key[first:last])) == last - first


def test_level_sizes_add_up_to_all_nodes() -> None:
    flat = prepared("kuhn_poker").tree.flat
    assert count_levels(flat) == [1, 3, 6, 12, 24, 12]
    assert measure_depth(flat) == 5


def test_payoffs_that_add_up_to_the_same_are_noticed() -> None:
    assert find_constant_sum(prepared("kuhn_poker").tree.flat) == 0.0
    assert find_constant_sum(expand(load(OVER_AT_THE_START)).flat) == 100.0
    assert find_constant_sum(prepared("prisoners_dilemma").tree.flat) is None


def test_a_difference_of_rounding_does_not_spoil_a_constant_sum() -> None:
    flat = prepared("kuhn_poker").tree.flat
    assert find_constant_sum(flat._replace(utility=flat.utility * (1 + 1e-13))) == pytest.approx(0, abs=1e-9)
    spoiled = flat.utility.copy()
    spoiled[-1, 0] += 1e-6
    assert find_constant_sum(flat._replace(utility=spoiled)) is None


def test_a_game_without_chance_has_no_chance_nodes() -> None:
    tree = expand(load(THREE_VOTE))
    assert tree.counts()["chance_nodes"] == 0
    assert tree.roles == ("ann", "bob", "cid")
    assert tree.counts()["nodes"] == 1 + 2 + 4 + 8
    assert tree.counts()["infosets"] == {"ann": 1, "bob": 1, "cid": 1}


def test_a_game_that_is_over_at_the_start_is_one_node() -> None:
    tree = expand(load(OVER_AT_THE_START))
    counts = tree.counts()
    assert (counts["nodes"], counts["terminals"], counts["depth"]) == (1, 1, 0)
    assert tree.flat.utility.tolist() == [[30, 70]]
    assert (tree.flat.num_slots, counts["infosets"]) == (0, {"ann": 0, "bob": 0})


def test_a_game_of_chance_alone_has_a_tree() -> None:
    tree = expand(load(NO_PLAYERS))
    assert tree.roles == ()
    assert tree.counts()["nodes"] == 3


def test_utilities_are_those_of_the_family() -> None:
    """Kuhn poker counts chips, its goals are 48 to 52."""
    flat = prepared("kuhn_poker").tree.flat
    assert sorted(set(flat.utility[flat.num_children == 0].ravel())) == [-2, -1, 1, 2]


def test_exactly_as_many_nodes_as_allowed_are_fine_and_one_more_is_not() -> None:
    game = load("kuhn_poker")
    assert expand(game, max_nodes=58).counts()["nodes"] == 58
    said = refused("tree-too-large", lambda: expand(game, max_nodes=57))
    assert "more than 57 nodes" in said
    assert "max_nodes" in said


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(limit: int) -> None:
    refused("bad-limit", lambda: expand(load("kuhn_poker"), max_nodes=limit))


def test_a_role_without_a_move_is_refused_with_the_history() -> None:
    said = refused("stuck", lambda: expand(load(STUCK_AFTER_HEADS)))
    assert "after heads noop: ann has no legal move" in said


def test_a_role_without_a_move_at_the_start_is_refused() -> None:
    rules = """
    (role ann) (init start) (<= (legal ann go) (true never)) (<= (next never) (true never))
    (<= (next done) (does ann go)) (<= terminal (true done)) (<= (goal ann 0) (true done))
    """
    said = refused("stuck", lambda: expand(load(rules)))
    assert "at the start ann has no legal move" in said


def test_an_infoset_with_different_moves_is_refused_with_two_witnesses() -> None:
    said = refused("infoset-moves", lambda: expand(load(EDGE_AFTER_HEADS)))
    assert said.startswith("error: ann cannot tell two histories apart")
    assert "(heads noop)" in said
    assert "(tails noop)" in said


def test_two_different_forced_moves_after_one_record_are_refused() -> None:
    """Else a role would learn what is hidden from what it may do."""
    refused("infoset-moves", lambda: expand(load(FORCED_BY_THE_COIN)))


def test_an_infoset_with_a_choice_in_one_history_and_none_in_another_is_refused() -> None:
    said = refused("infoset-moves", lambda: expand(load(PASS_AFTER_HEADS)))
    assert "(heads noop)" in said
    assert "(tails noop)" in said


def test_progress_hears_the_number_of_nodes_after_every_round() -> None:
    heard: list[int] = []
    expand(load("kuhn_poker"), progress=heard.append)
    assert heard == sorted(heard)
    assert heard[0] == 4  # the first card
    assert heard[-1] == 58


def test_the_same_game_gives_the_same_arrays() -> None:
    one, other = (expand(load("leduc_poker")).flat for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
