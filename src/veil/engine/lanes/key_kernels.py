"""Kernels that compute keys of records, one lane at a time; the keys are those of `keys`."""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.jit import Int, borrowing, kernel
from veil.engine.lanes.keys import START_KEY

FIRST, SECOND, ODD = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0xD6E8FEB86659FD93)


@kernel
def mix_word(word: np.uint64) -> np.uint64:
    """Apply the finaliser of SplitMix64, a bijection on 64 bits."""
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    mixed: np.uint64 = word ^ (word >> np.uint64(31))
    return mixed


@borrowing
def row_key(rows: np.ndarray, row: Int, begin: Int, end: Int) -> np.uint64:
    """Return the key of columns [begin, end) of a packed row, as `percept_keys` does."""
    key = START_KEY
    for column in range(begin, end):
        key = mix_word(key * ODD ^ rows[row, column])
    return key


@kernel
def extend_key(record: np.uint64, own_move: Int, percepts: np.uint64) -> np.uint64:
    """Return the key of a record after one more round, as `extend_keys` does."""
    moved = mix_word(record * ODD ^ np.uint64(own_move))
    return mix_word(moved * ODD ^ percepts)
