"""From numbers back to words."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.equilibrium_games import GUESS, THREE_VOTE, prepared
from veil import load
from veil.engine.record import EMPTY_RECORD, record_in_words
from veil.equilibrium.histories import find_paths, history, history_in_words, records_in_words, slot_moves
from veil.equilibrium.tree import expand


def test_a_path_is_the_moves_from_the_root() -> None:
    parent, move = np.array([0, 0, 0, 1, 3]), np.array([-1, 5, 6, 7, 8])
    assert find_paths(parent, move, np.array([0])).tolist() == [[0]]  # the last column is padding
    assert find_paths(parent, move, np.array([0, 2, 4])).tolist() == [[0, 0, 0, 0], [6, 0, 0, 0], [5, 7, 8, 0]]


def test_a_history_has_the_forced_moves_too() -> None:
    tree = expand(load(GUESS))
    flat = tree.flat
    assert history(tree.game, flat.parent, flat.move, 4, 2) == [
        {"random": "heads", "ann": "noop"},
        {"random": "noop", "ann": "tails"},
    ]
    assert history_in_words(tree.game, flat.parent, flat.move, 4, 2) == "heads noop; noop tails"
    assert history_in_words(tree.game, flat.parent, flat.move, 2, 1) == "tails noop"
    assert history_in_words(tree.game, flat.parent, flat.move, 0, 0) == "the start"


def test_moves_of_a_history_stand_in_the_order_of_the_roles_though_chance_goes_first() -> None:
    at_once = """
    (role ann) (role random) (init start) (side heads) (side tails)
    (<= (legal random ?s) (side ?s) (true start))
    (<= (legal ann (bet ?s)) (side ?s) (true start))
    (<= (next (coin ?s)) (does random ?s)) (<= (next (stake ?s)) (does ann (bet ?s)))
    (<= terminal (not (true start)))
    (<= won (true (coin ?s)) (true (stake ?s)))
    (<= (goal ann 100) won) (<= (goal ann 0) (not won))
    """
    tree = expand(load(at_once))
    paths = find_paths(tree.flat.parent, tree.flat.move, np.array([4]))
    assert paths.tolist() == [[0, 1, 0]]  # heads, then (bet tails)
    assert history_in_words(tree.game, tree.flat.parent, tree.flat.move, 4, 1) == "(bet tails) heads"


def test_records_are_what_the_role_was_told() -> None:
    tree = prepared("exploding_bomb").tree
    assert sorted(records_in_words(tree)) == ["noop", "noop; ask: blue", "noop; ask: red", "noop; wait"]


def test_the_record_of_the_start_has_a_name() -> None:
    assert records_in_words(prepared(THREE_VOTE).tree) == [EMPTY_RECORD, EMPTY_RECORD, EMPTY_RECORD]
    assert record_in_words([]) == EMPTY_RECORD


def test_a_record_in_words_is_sorted_within_a_round_only() -> None:
    assert record_in_words([("b", ["y", "x"]), ("a", [])]) == "b: x y; a"


@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall", "leduc_poker"])
def test_records_of_some_infosets_are_those_among_all(name: str) -> None:
    tree = prepared(name).tree
    every = records_in_words(tree)
    some = np.array([len(every) - 1, 0, len(every) // 2])
    assert records_in_words(tree, some) == [every[infoset] for infoset in some]
    assert records_in_words(tree, np.zeros(0, np.int64)) == []


@pytest.mark.parametrize("name", ["kuhn_poker", "monty_hall", "leduc_poker", "extended_cutting_wire"])
def test_records_of_a_role_are_all_different(name: str) -> None:
    tree = prepared(name).tree
    every = records_in_words(tree)
    for first, last in zip(tree.flat.role_start[:-1], tree.flat.role_start[1:], strict=True):
        assert len(set(every[first:last])) == last - first


def test_playing_a_history_again_gives_the_record() -> None:
    """The face of the engine, move by move, against all lanes at once."""
    tree = prepared("leduc_poker").tree
    flat, every = tree.flat, records_in_words(tree)
    owners = np.repeat(tree.roles, np.diff(flat.role_start))
    for infoset in range(0, len(every), 37):
        joints = history(
            tree.game, flat.parent, flat.move, flat.infoset_node[infoset], int(flat.infoset_round[infoset])
        )
        state, told = tree.game.initial_state(), []
        for joint in joints:
            state, percepts = state.play(joint)
            told.append((joint[owners[infoset]], percepts[owners[infoset]]))
        assert record_in_words(told) == every[infoset]


def test_slots_are_named_by_their_moves() -> None:
    assert slot_moves(prepared(GUESS).tree) == ["heads", "tails"]
    tree = prepared("exploding_bomb").tree
    assert sorted(slot_moves(tree)) == sorted(["ask", "wait", *(["(cut blue)", "(cut red)"] * 3)])
