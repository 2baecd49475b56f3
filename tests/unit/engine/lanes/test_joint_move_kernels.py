from __future__ import annotations

from itertools import product

import numpy as np

from veil.engine.lanes.joint_move_kernels import count_joint_moves, list_joint_moves

SIZES = (70, 3, 5)  # moves of three roles; the first needs two words
COLUMNS = np.array([0, 2, 3, 4])


def legal_rows(rows: int, seed: int) -> tuple[np.ndarray, list[list[list[int]]]]:
    """(packed legal moves [rows, 4], the same as lists per row and role)."""
    rng = np.random.default_rng(seed)
    packed, lists = np.zeros((rows, 4), np.uint64), []
    for row in range(rows):
        lists.append([sorted(rng.choice(size, rng.integers(1, 4), replace=False).tolist()) for size in SIZES])
        for column, moves in zip(COLUMNS, lists[-1], strict=False):
            for move in moves:
                packed[row, column + move // 64] |= np.uint64(1) << np.uint64(move % 64)
    return packed, lists


def list_all(legal: np.ndarray, wanted: np.ndarray, role: int, own: np.ndarray, limit: int) -> list[tuple[int, ...]]:
    rng = np.arange(len(legal), dtype=np.uint64)
    rows, joints, _ = list_joint_moves(legal, COLUMNS, wanted, role, own, limit, rng)
    return [(int(row), *joint) for row, joint in zip(rows, joints.tolist(), strict=True)]


def test_every_joint_move_of_the_wanted_rows_is_listed_the_last_roles_fastest() -> None:
    legal, lists = legal_rows(9, seed=1)
    wanted = np.arange(9) % 3 != 1
    expected = [(row, *joint) for row in range(9) if wanted[row] for joint in product(*lists[row])]
    assert list_all(legal, wanted, -1, np.zeros(9, np.int64), 1000) == expected


def test_a_role_that_has_moved_is_not_asked_again() -> None:
    legal, lists = legal_rows(9, seed=2)
    own = np.array([moves[0][-1] for moves in lists])
    own[4] = next(move for move in range(70) if move not in lists[4][0])  # not legal there: no joint moves
    expected = [
        (row, *joint)
        for row in range(9)
        if row != 4
        for joint in product([int(own[row])], lists[row][1], lists[row][2])
    ]
    assert list_all(legal, np.ones(9, np.bool_), 0, own, 1000) == expected


def test_beyond_the_limit_legal_joint_moves_are_drawn() -> None:
    legal, lists = legal_rows(200, seed=3)
    found = list_all(legal, np.ones(200, np.bool_), -1, np.zeros(200, np.int64), 4)
    for row in range(200):
        every = list(product(*lists[row]))
        own = [joint for number, *joint in found if number == row]
        assert len(own) == min(4, len(every))
        assert all(tuple(joint) in every for joint in own)
    assert len({tuple(joint[1:]) for joint in found}) > 200  # not always the same


def test_moves_are_counted_up_to_the_limit() -> None:
    legal, lists = legal_rows(30, seed=4)
    counts, sizes = count_joint_moves(legal, COLUMNS, np.ones(30, np.bool_), -1, np.zeros(30, np.int64), 6)
    assert counts.tolist() == [[len(moves) for moves in row] for row in lists]
    assert sizes.tolist() == [min(6, int(np.prod(row))) for row in counts]
