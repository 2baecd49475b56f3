"""Stable 64-bit keys for what a role was told.

The key of a set of percepts is a hash of its packed row; the key of a record is extended round by round with the own
move and the key of the percepts. The mixing function is the finaliser of SplitMix64, which is a bijection on 64 bits.

Two different records get the same key with probability about 2^-64; among n records a clash has probability about
n^2 / 2^65: 3e-8 for a million, 0.03 for a billion.
"""

from __future__ import annotations

import numpy as np

START_KEY = np.uint64(0x9E3779B97F4A7C15)  # the record of a role that was told nothing
_FIRST, _SECOND, _ODD = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0xD6E8FEB86659FD93)


def percept_keys(rows: np.ndarray) -> np.ndarray:
    """Return [B] keys of the packed percepts [B, words] of a role."""
    keys = np.full(len(rows), START_KEY)
    for column in rows.T:
        keys = _mix(keys * _ODD ^ column)
    return keys


def extend_keys(records: np.ndarray, own_moves: np.ndarray, percepts: np.ndarray) -> np.ndarray:
    """Return [B] keys of records after one more round: own moves [B] and keys of percepts [B]."""
    moved = _mix(records * _ODD ^ own_moves.astype(np.uint64))
    return _mix(moved * _ODD ^ percepts)


def start_keys(count: int) -> np.ndarray:
    """Return [count] keys of empty records."""
    return np.full(count, START_KEY)


def _mix(values: np.ndarray) -> np.ndarray:
    values = (values ^ (values >> np.uint64(30))) * _FIRST
    values = (values ^ (values >> np.uint64(27))) * _SECOND
    mixed: np.ndarray = values ^ (values >> np.uint64(31))
    return mixed
