from __future__ import annotations

import numpy as np
import pytest

from veil.engine.lanes.bit_kernels import count_bits, lowest_bit, next_word, split_mix

MASK = 2**64 - 1


@pytest.mark.parametrize("word", [0, 1, 2**63, MASK, 0b1011000, 0xDEADBEEF00000000])
def test_bits_are_counted_and_the_lowest_is_found(word: int) -> None:
    assert count_bits(np.uint64(word)) == word.bit_count()
    assert lowest_bit(np.uint64(word)) == (64 if word == 0 else (word & -word).bit_length() - 1)


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
