"""Tries of histories: every prefix of a history is inside, and nothing else."""

from __future__ import annotations

import numpy as np

from veil.search.walks.lanes.records import BELOW, OUTSIDE
from veil.search.walks.lanes.target_kernels import build_trie, follow, mark_inside
from veil.search.walks.lanes.targets import count_worlds, no_target


def test_every_prefix_of_a_history_is_inside_and_nothing_else() -> None:
    rng = np.random.default_rng(2)
    histories = rng.integers(0, 4, (30, 3, 2)).astype(np.int32)
    order = np.array([1, 0])
    trie = build_trie(histories, order)
    serial = {tuple(row) for row in histories[:, :, order].reshape(30, -1).tolist()}
    prefixes = {row[:length] for row in serial for length in range(7)}

    def visit(node: int, prefix: tuple[int, ...]) -> None:
        inside = np.zeros(4, np.bool_)
        mark_inside(trie, node, 0, np.arange(4), 4, inside)
        for move in range(4):
            after = follow(trie, node, 0, move)
            longer = (*prefix, move)
            assert inside[move] == (longer in prefixes)
            assert (after == OUTSIDE) == (longer not in prefixes)
            assert (after == BELOW) == (longer in serial)
            if after >= 0:
                visit(int(after), longer)

    visit(0, ())
    assert len(trie.move) == len(prefixes)


def test_who_is_outside_or_below_stays_there() -> None:
    trie = build_trie(np.zeros((1, 1, 1), np.int32), np.array([0]))
    assert follow(trie, OUTSIDE, 0, 0) == OUTSIDE
    assert follow(trie, BELOW, 0, 5) == BELOW


def test_moves_that_are_not_legal_in_a_lane_are_not_marked() -> None:
    trie = build_trie(np.array([[[3]], [[7]]], np.int32), np.array([0]))
    inside = np.ones(3, np.bool_)
    mark_inside(trie, 0, 0, np.array([2, 7, 9]), 3, inside)
    assert inside.tolist() == [False, True, False]


def test_no_target_has_no_moves_and_tries_have_an_end() -> None:
    assert no_target().first_child[0] == -1
    assert count_worlds(0, 3) > count_worlds(1000, 3) > count_worlds(10_000_000, 3) == 1
