"""Kernels of hash tables with open addressing: their size, and hashes of several numbers.

Each room has its own loop that looks for a place, because each compares something else: a key, a key and a role, a
whole state.
"""

from __future__ import annotations

import numpy as np

from veil.engine.lanes.jit import Int, inlined

LEAST_SIZE = 16


@inlined
def table_size(entries: Int) -> np.int64:
    """Return a power of two, so that at most half of the places are taken."""
    size = np.int64(LEAST_SIZE)
    while size < 2 * entries:
        size *= 2
    return size


@inlined
def begin_hash(number: Int) -> np.uint64:
    """Return the hash of a number, for `extend_hash`."""
    return np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)


@inlined
def extend_hash(hashed: np.uint64, word: np.uint64) -> np.uint64:
    """Return the hash of what was hashed and one word more."""
    mixed = (hashed ^ word) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(29))
