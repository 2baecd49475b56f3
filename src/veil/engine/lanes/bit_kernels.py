"""Kernels on single words: count bits, find bits, draw random words."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.jit import Int, borrowing, kernel

ONES = np.uint64(0xFFFFFFFFFFFFFFFF)
ONE, ZERO = np.uint64(1), np.uint64(0)


@kernel
def count_bits(word: np.uint64) -> np.int64:
    """Count the ones of a word."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def lowest_bit(word: np.uint64) -> np.int64:
    """Return the position of the lowest one; 64 if there is none."""
    return count_bits((word & (~word + ONE)) - ONE)


@borrowing
def split_mix(states: np.ndarray, index: Int) -> np.uint64:
    """Return the next 64 random bits of one of many SplitMix64 generators (states changed in place)."""
    states[index] += np.uint64(0x9E3779B97F4A7C15)
    word = states[index]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.uint64 = word ^ (word >> np.uint64(31))
    return mixed


@borrowing
def next_word(rng: np.ndarray, w: Int) -> np.uint64:
    """Make one step of xoshiro256++ for word w and return 64 random bits (rng [4, W] changed in place)."""
    total = rng[0, w] + rng[3, w]
    result: np.uint64 = ((total << np.uint64(23)) | (total >> np.uint64(41))) + rng[0, w]
    shifted = rng[1, w] << np.uint64(17)
    rng[2, w] ^= rng[0, w]
    rng[3, w] ^= rng[1, w]
    rng[1, w] ^= rng[2, w]
    rng[0, w] ^= rng[3, w]
    rng[2, w] ^= shifted
    rng[3, w] = (rng[3, w] << np.uint64(45)) | (rng[3, w] >> np.uint64(19))
    return result
