"""Rows that grow keep what they held, in place or copied, and new ones are zero."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

from veil.search.walks.lanes import growing_rows
from veil.search.walks.lanes.growing_rows import GrowingRows


@pytest.mark.parametrize("columns", [(), (3,)])
def test_rows_keep_their_numbers_and_new_ones_are_zero(columns: tuple[int, ...]) -> None:
    rows = GrowingRows(1000, columns, np.float64)
    rows.array[...] = 7.0
    rows.grow(500_000)
    assert rows.array.shape == (500_000, *columns)
    assert (rows.array[:1000] == 7.0).all()
    assert not rows.array[1000:].any()
    rows.array[-1] = 1.0  # it may be written to


def test_an_array_that_somebody_holds_is_copied_and_stays_as_it_is() -> None:
    rows = GrowingRows(10, (2,), np.uint64)
    rows.array[...] = 5
    held = rows.array
    rows.grow(100_000)
    rows.array[0] = 6
    assert (held == 5).all()
    assert rows.array[0].tolist() == [6, 6]
    assert (rows.array[1:10] == 5).all()


def test_rows_are_not_copied_where_the_system_can_move_them() -> None:
    rows = GrowingRows(10, (), np.int32)
    with patch.object(growing_rows, "map_memory", side_effect=AssertionError):
        rows.grow(1_000_000)
    assert len(rows.array) == 1_000_000
