from __future__ import annotations

import numpy as np
import pytest

from veil.engine.lanes import begin_hash, extend_hash, table_size


def hash_words(number: int, *words: int) -> int:
    hashed = int(begin_hash(number))
    for word in words:
        hashed = int(extend_hash(np.uint64(hashed), np.uint64(word)))
    return hashed


@pytest.mark.parametrize(("entries", "size"), [(0, 16), (8, 16), (9, 32), (16, 32), (1000, 2048)])
def test_a_table_is_a_power_of_two_and_at_most_half_full(entries: int, size: int) -> None:
    assert table_size(entries) == size


def test_small_numbers_spread_over_a_table() -> None:
    """Pairs of small numbers, as records and words of states are: places are taken as often as by chance."""
    pairs = [(record, word) for record in range(32) for word in range(32)]
    places = {hash_words(record, word) & 2047 for record, word in pairs}
    expected = 2048 * (1 - (1 - 1 / 2048) ** 1024)  # 806 places; a random function has a deviation of 11 or so
    assert len(places) > expected - 6 * 11


def test_the_order_of_words_counts() -> None:
    assert hash_words(0, 1, 2) != hash_words(0, 2, 1)
