from __future__ import annotations

import numpy as np
import pytest

from veil.engine.lanes.bit_kernels import (
    count_bits,
    count_ones,
    find_one,
    list_lanes,
    list_ones,
    lowest_bit,
    next_word,
    remove_lane,
    split_mix,
)

MASK = 2**64 - 1


@pytest.mark.parametrize("word", [0, 1, 2**63, MASK, 0b1011000, 0xDEADBEEF00000000])
def test_bits_are_counted_and_the_lowest_is_found(word: int) -> None:
    assert count_bits(np.uint64(word)) == word.bit_count()
    assert lowest_bit(np.uint64(word)) == (64 if word == 0 else (word & -word).bit_length() - 1)


def test_the_ones_of_a_packed_row_are_counted_listed_and_found() -> None:
    rows = np.zeros((2, 5), np.uint64)
    ones = [0, 5, 63, 64, 130, 191]
    for place in ones:
        rows[1, 1 + place // 64] |= np.uint64(1 << place % 64)
    rows[1, 0] = rows[1, 4] = rows[0, 2] = MASK  # what stands beside the columns
    places = np.full(8, -1)
    assert count_ones(rows, 1, 1, 4) == len(ones)
    assert list_ones(rows, 1, 1, 4, places) == len(ones)
    assert places.tolist() == [*ones, -1, -1]
    assert [find_one(rows, 1, 1, index) for index in range(len(ones))] == ones


def test_the_lanes_of_a_set_are_listed_and_taken_out() -> None:
    which, lanes = np.array([1 << 63 | 2, 0, 1], np.uint64), np.full(5, -1)
    assert list_lanes(which, lanes) == 3
    assert lanes.tolist() == [1, 63, 128, -1, -1]
    remove_lane(which, 63)
    remove_lane(which, 63)
    assert which.tolist() == [2, 0, 1]


def test_split_mix_gives_the_published_sequence() -> None:
    """Seed 1234567, from the reference implementation by Vigna (prng.di.unimi.it/splitmix64.c)."""
    states = np.array([0, 1234567], np.uint64)
    drawn = [int(split_mix(states, 1)) for _ in range(3)]
    assert drawn == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert states[0] == 0  # the other generator has not moved


def test_next_word_is_xoshiro256_plus_plus() -> None:
    rng = np.array([[9, 1], [9, 2], [9, 3], [9, 4]], np.uint64)
    s = [1, 2, 3, 4]
    for _ in range(10):  # the algorithm of Blackman & Vigna, in whole numbers
        total = (s[0] + s[3]) & MASK
        expected = (((total << 23) | (total >> 41)) + s[0]) & MASK
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = ((s[3] << 45) | (s[3] >> 19)) & MASK
        assert int(next_word(rng, 1)) == expected
    assert rng[:, 0].tolist() == [9, 9, 9, 9]
