from __future__ import annotations

import numpy as np

from veil.engine.lanes.keys import extend_keys, percept_keys, start_keys


def test_keys_are_the_same_in_every_process() -> None:
    assert int(percept_keys(np.array([[5]], np.uint64))[0]) == PINNED


def test_different_rows_and_records_get_different_keys() -> None:
    rows = np.array([[a, b] for a in range(200) for b in range(200)], np.uint64)
    keys = percept_keys(rows)
    assert len(np.unique(keys)) == len(rows)
    once = extend_keys(start_keys(len(keys)), np.zeros(len(keys), np.int64), keys)
    assert len(np.unique(np.concatenate([once, extend_keys(once, np.ones(len(keys), np.int64), keys)]))) == 2 * len(
        rows
    )


def test_the_order_of_rounds_and_the_own_move_matter() -> None:
    first, second = percept_keys(np.array([[1], [2]], np.uint64))
    one, two = np.array([first]), np.array([second])
    zero = np.zeros(1, np.int64)
    start = start_keys(1)
    assert extend_keys(extend_keys(start, zero, one), zero, two) != extend_keys(
        extend_keys(start, zero, two), zero, one
    )
    assert extend_keys(start, zero, one) != extend_keys(start, zero + 1, one)


PINNED = 4031003308148213398  # a change of it makes every stored record unreadable
