"""Kernels on words of bits, single and in packed rows: bits counted, found and listed, random words drawn."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.jit import Int, borrowing, inlined, kernel

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


@inlined
def count_ones(rows: np.ndarray, row: Int, begin: Int, end: Int) -> np.int64:
    """Ones in packed columns [begin, end) of a row."""
    count = np.int64(0)
    for column in range(begin, end):
        count += count_bits(rows[row, column])
    return count


@inlined
def list_ones(rows: np.ndarray, row: Int, begin: Int, end: Int, places: np.ndarray) -> np.int64:
    """Write the places of ones in packed columns [begin, end) of a row, ascending (places changed); return how many."""
    count = np.int64(0)
    for column in range(begin, end):
        word = rows[row, column]
        while word:
            places[count] = 64 * (column - begin) + lowest_bit(word)
            word &= word - ONE
            count += 1
    return count


@inlined
def find_one(rows: np.ndarray, row: Int, begin: Int, index: Int) -> np.int64:
    """Return the place of a one in the packed columns of a row from `begin` on, given how many ones are before it."""
    column, left = np.int64(begin), np.int64(index)
    word = rows[row, column]
    here = count_bits(word)
    while left >= here:
        left -= here
        column += 1
        word = rows[row, column]
        here = count_bits(word)
    for _ in range(left):
        word &= word - ONE
    return 64 * (column - begin) + lowest_bit(word)


@inlined
def list_lanes(which: np.ndarray, lanes: np.ndarray) -> np.int64:
    """Return the lanes of a set [W], ascending (lanes [L] changed in place): how many."""
    count = np.int64(0)
    for w in range(len(which)):
        word = which[w]
        while word:
            lanes[count] = 64 * w + lowest_bit(word)
            word &= word - ONE
            count += 1
    return count


@inlined
def remove_lane(which: np.ndarray, lane: Int) -> None:
    """Take a lane out of a set [W] (changed in place)."""
    which[lane // 64] &= ~(ONE << np.uint64(lane % 64))


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
